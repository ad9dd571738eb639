// e^x and what logistic losses need of it, four float32 numbers at a time, to about seven digits.
// Checked in test/unit/core/quick-math.test.ts.

const LOG2E: f32 = <f32>Math.LOG2E;
// ln 2 in two parts: k times the first is exact for |k| < 2^15.
const LN2_HIGH: f32 = 0.693359375;
const LN2_LOW: f32 = -2.1219444005469057e-4;

/** e^x; as of -87 or 87 where x is beyond. x = k ln2 + r with |r| <= ln2 / 2; e^r by its Taylor polynomial of degree 6 (remainder below 2^-22); then k goes to the exponent. */
export function exp4(x: v128): v128 {
  const inside = f32x4.pmin(f32x4.pmax(x, f32x4.splat(-87)), f32x4.splat(87));
  const k = f32x4.nearest(f32x4.mul(inside, f32x4.splat(LOG2E)));
  const high = f32x4.sub(inside, f32x4.mul(k, f32x4.splat(LN2_HIGH)));
  const r = f32x4.sub(high, f32x4.mul(k, f32x4.splat(LN2_LOW)));
  const r2 = f32x4.mul(r, r);
  const low = f32x4.add(f32x4.splat(0.5), f32x4.mul(r, f32x4.splat(<f32>(1 / 6.0))));
  const middle = f32x4.add(f32x4.splat(<f32>(1 / 24.0)), f32x4.mul(r, f32x4.splat(<f32>(1 / 120.0))));
  const p = f32x4.add(low, f32x4.mul(r2, f32x4.add(middle, f32x4.mul(r2, f32x4.splat(<f32>(1 / 720.0))))));
  const value = f32x4.add(f32x4.splat(1), f32x4.add(r, f32x4.mul(r2, p)));
  return f32x4.mul(value, i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(k), i32x4.splat(127)), 23));
}

/** 1 / (1 + e^-x). */
export function sigmoid(x: v128): v128 {
  const one = f32x4.splat(1);
  return f32x4.div(one, f32x4.add(one, exp4(f32x4.neg(x))));
}

/** log(1 + e^x) = max(x, 0) + log(1 + q), q = e^-|x|; the logarithm as 2 atanh(s), s = q / (2 + q) <= 1/3, by six terms of its series (remainder below 2^-23). */
export function softplus(x: v128): v128 {
  const q = exp4(f32x4.neg(f32x4.abs(x)));
  const s = f32x4.div(q, f32x4.add(f32x4.splat(2), q));
  const z = f32x4.mul(s, s);
  const z2 = f32x4.mul(z, z);
  const low = f32x4.add(f32x4.splat(2), f32x4.mul(z, f32x4.splat(<f32>(2 / 3.0))));
  const middle = f32x4.add(f32x4.splat(<f32>(2 / 5.0)), f32x4.mul(z, f32x4.splat(<f32>(2 / 7.0))));
  const high = f32x4.add(f32x4.splat(<f32>(2 / 9.0)), f32x4.mul(z, f32x4.splat(<f32>(2 / 11.0))));
  const series = f32x4.add(low, f32x4.mul(z2, f32x4.add(middle, f32x4.mul(z2, high))));
  return f32x4.add(f32x4.pmax(x, f32x4.splat(0)), f32x4.mul(s, series));
}
