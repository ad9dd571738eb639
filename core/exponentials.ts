// e^x of many float64 numbers. Checked in test/unit/core/exponentials.test.ts.

// ln 2 in two parts: k * LN2_HIGH is exact for |k| < 2^20, because the low 21 bits of LN2_HIGH are zero.
const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;
const LOG2E: f64 = Math.LOG2E;
// 1.5 * 2^52: a number below 2^51 added to it is rounded to a whole one, which the low bits then hold.
const ROUNDER: f64 = 6755399441055744.0;
// Beyond these the result is no normal float64: 0 below, e^709 above.
const LEAST: f64 = -708;
const MOST: f64 = 709;

/**
 * e^x within 2 ulp, two numbers at a time, in place from `begin` to `end`, 0 where it is below the normal float64. x = k ln2 + r with |r| <= ln2 / 2; e^r by its Taylor polynomial
 * of degree 13 (remainder below 2^-57); then k goes to the exponent. Constants come from memory: as literals each would be built anew for every pair (bench: 1.6x).
 */
export function exponentials(begin: usize, end: usize, c: usize): void {
  for (let p = begin; p < end; p += 16) {
    const x = v128.load(p);
    const inside = f64x2.pmin(f64x2.pmax(x, v128.load(c)), v128.load(c, 16));
    const rounded = f64x2.add(f64x2.mul(inside, v128.load(c, 32)), v128.load(c, 48));
    const k = f64x2.sub(rounded, v128.load(c, 48));
    let r = f64x2.sub(inside, f64x2.mul(k, v128.load(c, 64)));
    r = f64x2.sub(r, f64x2.mul(k, v128.load(c, 80)));
    const r2 = f64x2.mul(r, r);
    const r4 = f64x2.mul(r2, r2);
    const q0 = f64x2.add(v128.load(c, 96), f64x2.mul(r, v128.load(c, 112)));
    const q1 = f64x2.add(v128.load(c, 128), f64x2.mul(r, v128.load(c, 144)));
    const q2 = f64x2.add(v128.load(c, 160), f64x2.mul(r, v128.load(c, 176)));
    const q3 = f64x2.add(v128.load(c, 192), f64x2.mul(r, v128.load(c, 208)));
    const q4 = f64x2.add(v128.load(c, 224), f64x2.mul(r, v128.load(c, 240)));
    const q5 = f64x2.add(v128.load(c, 256), f64x2.mul(r, v128.load(c, 272)));
    const low = f64x2.add(q0, f64x2.mul(r2, q1));
    const middle = f64x2.add(q2, f64x2.mul(r2, q3));
    const high = f64x2.add(q4, f64x2.mul(r2, q5));
    const q = f64x2.add(low, f64x2.mul(r4, f64x2.add(middle, f64x2.mul(r4, high))));
    const value = f64x2.add(v128.load(c, 288), f64x2.add(r, f64x2.mul(r2, q)));
    // The low bits of `rounded` are k: to the exponent of 1.
    const scale = i64x2.add(i64x2.shl(rounded, 52), v128.load(c, 288));
    // What is no number stays none.
    v128.store(p, v128.andnot(f64x2.mul(value, scale), f64x2.lt(x, v128.load(c))));
  }
}

function putPair(constants: usize, k: u32, value: f64): void {
  v128.store(constants + ((<usize>k) << 4), f64x2.splat(value));
}

/** The constants that it needs, f64[19][2]. */
export function putExponentials(constants: usize): void {
  putPair(constants, 0, LEAST);
  putPair(constants, 1, MOST);
  putPair(constants, 2, LOG2E);
  putPair(constants, 3, ROUNDER);
  putPair(constants, 4, LN2_HIGH);
  putPair(constants, 5, LN2_LOW);
  // 1 / 2!, 1 / 3!, ... 1 / 13!: the factorials are exact.
  let factorial: f64 = 1;
  for (let k: u32 = 2; k <= 13; k++) {
    factorial *= <f64>k;
    putPair(constants, 4 + k, 1 / factorial);
  }
  putPair(constants, 18, 1);
}
