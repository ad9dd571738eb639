// What kernels make of dot products: powers, e^x and tanh x of four float32 numbers at a time, and along a row of them. Checked against float64 in test/unit/core/kernel-functions.test.ts.

import { Kernel, KernelKind } from "../layout/kernel";

// ln 2 in two parts: k * LN2_HIGH is exact in float32 for |k| < 2^15, because LN2_HIGH has nine bits.
const LN2_HIGH: f32 = 0.693359375;
const LN2_LOW: f32 = -2.121944400546e-4;
const LOG2E: f32 = <f32>Math.LOG2E;
// 1.5 * 2^23: a number below 2^22 added to it is rounded to a whole one, which the low bits then hold.
const ROUNDER: f32 = 12582912;
// Beyond these the result is not a normal float32: 0 below, the largest power above.
const LEAST: f32 = -87.33654;
const MOST: f32 = 88;

/**
 * e^x within 2 ulp, 0 where it is below the normal float32, e^88 above 88. x = k ln2 + r with |r| <= ln2 / 2; e^r by its Taylor polynomial of degree
 * 7 (remainder below 2^-27); then k is added to the exponent. (pmin and pmax are one instruction each; min and max, with their NaNs, are eight.)
 */
// @ts-ignore: decorator
@inline
export function exp4(x: v128): v128 {
  const inside = f32x4.pmin(f32x4.pmax(x, f32x4.splat(LEAST)), f32x4.splat(MOST));
  const rounded = f32x4.add(f32x4.mul(inside, f32x4.splat(LOG2E)), f32x4.splat(ROUNDER));
  const k = f32x4.sub(rounded, f32x4.splat(ROUNDER));
  let r = f32x4.sub(inside, f32x4.mul(k, f32x4.splat(LN2_HIGH)));
  r = f32x4.sub(r, f32x4.mul(k, f32x4.splat(LN2_LOW)));
  const r2 = f32x4.mul(r, r);
  const low = f32x4.add(f32x4.splat(<f32>(1 / 2.0)), f32x4.mul(r, f32x4.splat(<f32>(1 / 6.0))));
  const middle = f32x4.add(f32x4.splat(<f32>(1 / 24.0)), f32x4.mul(r, f32x4.splat(<f32>(1 / 120.0))));
  const high = f32x4.add(f32x4.splat(<f32>(1 / 720.0)), f32x4.mul(r, f32x4.splat(<f32>(1 / 5040.0))));
  const p = f32x4.add(low, f32x4.mul(r2, f32x4.add(middle, f32x4.mul(r2, high))));
  const value = f32x4.add(f32x4.splat(1), f32x4.add(r, f32x4.mul(r2, p)));
  const power = i32x4.add(i32x4.shl(rounded, 23), i32x4.splat(127 << 23));
  return v128.and(f32x4.mul(value, power), f32x4.ge(x, f32x4.splat(LEAST)));
}

/** tanh x = 1 - 2 / (e^(2 x) + 1), within 2^-22 of 1. */
// @ts-ignore: decorator
@inline
export function tanh4(x: v128): v128 {
  const e = exp4(f32x4.pmin(f32x4.add(x, x), f32x4.splat(40)));
  return f32x4.sub(f32x4.splat(1), f32x4.div(f32x4.splat(2), f32x4.add(e, f32x4.splat(1))));
}

/** x^degree by repeated squaring. */
export function power4(x: v128, degree: u32): v128 {
  let result = f32x4.splat(1);
  let square = x;
  for (let left = degree; left > 0; left >>>= 1) {
    if (left & 1) result = f32x4.mul(result, square);
    square = f32x4.mul(square, square);
  }
  return result;
}

/** Kernel values from `count` dot products, or, of a wide kernel, arguments, of one lane; in place, and up to three numbers more. `own` is the lane's |u|^2, narrow. */
export function finishLane(k: Kernel, values: usize, own: f32, count: u32): void {
  const end = values + ((<usize>count) << 2);
  if (k.kind == KernelKind.Rbf) {
    if (k.isWide) for (; values < end; values += 16) v128.store(values, exp4(v128.load(values)));
    else finishDistances(k, values, own, end);
    return;
  }
  const gamma = f32x4.splat(<f32>k.gamma);
  const coef0 = f32x4.splat(<f32>k.coef0);
  for (; values < end; values += 16) {
    let z = v128.load(values);
    if (!k.isWide) z = f32x4.add(f32x4.mul(gamma, z), coef0);
    v128.store(values, k.kind == KernelKind.Sigmoid ? tanh4(z) : power4(z, k.degree));
  }
}

/** exp(-gamma |u - v|^2) from u'v, with |v|^2 in the tile. */
function finishDistances(k: Kernel, values: usize, own: f32, end: usize): void {
  const ownSquare = f32x4.splat(own);
  const factor = f32x4.splat(<f32>-k.gamma);
  let squares = k.tile;
  for (; values < end; values += 16) {
    const dots = v128.load(values);
    const sum = f32x4.add(ownSquare, v128.load(squares));
    const distance = f32x4.pmax(f32x4.sub(sum, f32x4.add(dots, dots)), f32x4.splat(0));
    v128.store(values, exp4(f32x4.mul(factor, distance)));
    squares += 16;
  }
}
