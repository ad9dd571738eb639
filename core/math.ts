// exp and log of our own, because the host's differ in the last bit between engines, and models must not.
// src/base/math.ts is the same arithmetic in TypeScript: equal bit for bit. Both within 1 ulp of the correctly rounded value
// on the points of test/unit/core/math.test.ts. Polynomials are summed in pairs, not one term after the other, so that their
// multiplications overlap.

// ln 2 in two parts: k * LN2_HIGH is exact for |k| < 2^20, because the low 21 bits of LN2_HIGH are zero.
const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;
const INVERSE_LN2: f64 = Math.LOG2E;

// Beyond these exp is infinity or rounds to zero.
const EXP_OVERFLOW: f64 = 709.782712893384;
const EXP_UNDERFLOW: f64 = -745.1332191019412;

/**
 * e^x. x = k ln2 + r with |r| <= ln2 / 2, e^r by its Taylor polynomial of degree 13 (remainder below 2^-57), then a
 * multiplication by 2^k, in two halves so that subnormal results come out right.
 */
export function exp(x: f64): f64 {
  if (x != x) return x;
  if (x > EXP_OVERFLOW) return Infinity;
  if (x < EXP_UNDERFLOW) return 0;
  const k = floor<f64>(x * INVERSE_LN2 + 0.5);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const lost = high - r - low;

  const r2 = r * r;
  const r4 = r2 * r2;
  const first = 0.5 + r * (1 / 6.0) + r2 * (1 / 24.0 + r * (1 / 120.0));
  const second = 1 / 720.0 + r * (1 / 5040.0) + r2 * (1 / 40320.0 + r * (1 / 362880.0));
  const third = 1 / 3628800.0 + r * (1 / 39916800.0) + r2 * (1 / 479001600.0 + r * (1 / 6227020800.0));
  // 1 + (r + (lost + r^2 p)): the large terms last, so that only the final addition rounds at the result's scale.
  const value = 1 + (r + (lost + r2 * (first + r4 * (second + r4 * third))));

  const half = floor<f64>(k * 0.5);
  return value * powerOfTwo(half) * powerOfTwo(k - half);
}

/**
 * ln x. x = 2^k m with sqrt(1/2) <= m < sqrt 2; with f = m - 1 and s = f / (2 + f), ln m = 2 atanh s
 * = f - f^2/2 + s (f^2/2 + R), R = 2 s^2/3 + 2 s^4/5 + ... (11 terms: remainder below 2^-56).
 */
export function log(x: f64): f64 {
  if (x != x || x < 0) return NaN;
  if (x == 0) return -Infinity;
  if (x == Infinity) return x;
  let k: f64 = 0;
  let m = x;
  if (m < 2.2250738585072014e-308) {
    m *= 18014398509481984.0; // 2^54 lifts a subnormal into the normal range
    k = -54;
  }
  const bits = reinterpret<u64>(m);
  k += <f64>(<i64>((bits >> 52) & 0x7ff) - 1023);
  m = reinterpret<f64>((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
  if (m > Math.SQRT2) {
    m *= 0.5;
    k += 1;
  }

  const f = m - 1;
  const s = f / (2 + f);
  const z = s * s;
  const z2 = z * z;
  const z4 = z2 * z2;
  const first = 2 / 3.0 + z * (2 / 5.0) + z2 * (2 / 7.0 + z * (2 / 9.0));
  const second = 2 / 11.0 + z * (2 / 13.0) + z2 * (2 / 15.0 + z * (2 / 17.0));
  const third = 2 / 19.0 + z * (2 / 21.0) + z2 * (2 / 23.0);
  const p = first + z4 * (second + z4 * third);
  const half = 0.5 * f * f;
  return k * LN2_HIGH - (half - (s * (half + p * z) + k * LN2_LOW) - f);
}

/** ln(1 + x) for x > -1, small x included: ln of the rounded 1 + x, and what its rounding lost, to first order. */
export function log1p(x: f64): f64 {
  const sum = 1 + x;
  return sum == Infinity ? sum : log(sum) + (x - (sum - 1)) / sum;
}

/** 2^k for -1022 <= k <= 1023. */
function powerOfTwo(k: f64): f64 {
  return reinterpret<f64>((<u64>(<i64>k + 1023)) << 52);
}
