// What kernels make of dot products, along a row of float32 numbers: e^x, tanh x, powers. Checked against float64 in test/unit/core/kernel-functions.test.ts;
// src/base/float32.ts is the same arithmetic one number at a time, equal bit for bit.

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
 * e^x within 2 ulp, 0 where it is below the normal float32, e^88 above 88; from one place to another, four numbers at a time, so up to three more than `count`.
 * x = k ln2 + r with |r| <= ln2 / 2; e^r by its Taylor polynomial of degree 7 (remainder below 2^-27); then k is added to the exponent. (pmin and pmax are one instruction each;
 * min and max, with their NaNs, are eight.) Constants come from memory, f32[13][4]: as literals each would be built anew for every four numbers.
 */
export function expLane(values: usize, out: usize, count: u32, constants: usize): void {
  const end = values + ((<usize>count) << 2);
  putConstants(constants);
  for (; values < end; values += 16, out += 16) {
    const x = v128.load(values);
    const least = v128.load(constants);
    const inside = f32x4.pmin(f32x4.pmax(x, least), v128.load(constants, 16));
    const rounder = v128.load(constants, 48);
    const rounded = f32x4.add(f32x4.mul(inside, v128.load(constants, 32)), rounder);
    const k = f32x4.sub(rounded, rounder);
    let r = f32x4.sub(inside, f32x4.mul(k, v128.load(constants, 64)));
    r = f32x4.sub(r, f32x4.mul(k, v128.load(constants, 80)));
    const r2 = f32x4.mul(r, r);
    const low = f32x4.add(v128.load(constants, 96), f32x4.mul(r, v128.load(constants, 112)));
    const middle = f32x4.add(v128.load(constants, 128), f32x4.mul(r, v128.load(constants, 144)));
    const high = f32x4.add(v128.load(constants, 160), f32x4.mul(r, v128.load(constants, 176)));
    const p = f32x4.add(low, f32x4.mul(r2, f32x4.add(middle, f32x4.mul(r2, high))));
    const one = v128.load(constants, 192);
    const value = f32x4.add(one, f32x4.add(r, f32x4.mul(r2, p)));
    // The exponent of 1 is 127: adding k to it makes 2^k.
    const power = i32x4.add(i32x4.shl(rounded, 23), one);
    v128.store(out, v128.and(f32x4.mul(value, power), f32x4.ge(x, least)));
  }
}

function putConstants(constants: usize): void {
  v128.store(constants, f32x4.splat(LEAST));
  v128.store(constants, f32x4.splat(MOST), 16);
  v128.store(constants, f32x4.splat(LOG2E), 32);
  v128.store(constants, f32x4.splat(ROUNDER), 48);
  v128.store(constants, f32x4.splat(LN2_HIGH), 64);
  v128.store(constants, f32x4.splat(LN2_LOW), 80);
  v128.store(constants, f32x4.splat(<f32>(1 / 2.0)), 96);
  v128.store(constants, f32x4.splat(<f32>(1 / 6.0)), 112);
  v128.store(constants, f32x4.splat(<f32>(1 / 24.0)), 128);
  v128.store(constants, f32x4.splat(<f32>(1 / 120.0)), 144);
  v128.store(constants, f32x4.splat(<f32>(1 / 720.0)), 160);
  v128.store(constants, f32x4.splat(<f32>(1 / 5040.0)), 176);
  v128.store(constants, f32x4.splat(1), 192);
}

/** tanh x = 1 - 2 / (e^(2 x) + 1), within 2^-22 of 1; as above, `values` is overwritten. */
export function tanhLane(values: usize, out: usize, count: u32, constants: usize): void {
  const end = values + ((<usize>count) << 2);
  for (let p = values; p < end; p += 16) {
    const x = v128.load(p);
    v128.store(p, f32x4.pmin(f32x4.add(x, x), f32x4.splat(40)));
  }
  expLane(values, values, count, constants);
  for (; values < end; values += 16, out += 16) {
    const e = f32x4.add(v128.load(values), f32x4.splat(1));
    v128.store(out, f32x4.sub(f32x4.splat(1), f32x4.div(f32x4.splat(2), e)));
  }
}

/** x^degree by repeated squaring; as above. */
export function powerLane(values: usize, out: usize, count: u32, degree: u32): void {
  const end = values + ((<usize>count) << 2);
  for (; values < end; values += 16, out += 16) {
    let result = f32x4.splat(1);
    let square = v128.load(values);
    for (let left = degree; left > 0; left >>>= 1) {
      if (left & 1) result = f32x4.mul(result, square);
      square = f32x4.mul(square, square);
    }
    v128.store(out, result);
  }
}

/**
 * Kernel values from `count` dot products, or, of a wide kernel, arguments, of one lane; as above, `values` is overwritten. `own` is the lane's |u|^2, narrow.
 */
export function finishLane(k: Kernel, values: usize, out: usize, own: f32, count: u32): void {
  if (k.kind == KernelKind.Linear || k.kind == KernelKind.Precomputed) {
    memory.copy(out, values, (<usize>count) << 2);
    return;
  }
  if (!k.isWide) {
    if (k.kind == KernelKind.Rbf) distances(k, values, own, count);
    else arguments4(k, values, count);
  }
  if (k.kind == KernelKind.Rbf) expLane(values, out, count, k.constants);
  else if (k.kind == KernelKind.Sigmoid) tanhLane(values, out, count, k.constants);
  else powerLane(values, out, count, k.degree);
}

/** -gamma |u - v|^2 from u'v, with |v|^2 in tileSquares; in place. */
function distances(k: Kernel, values: usize, own: f32, count: u32): void {
  const end = values + ((<usize>count) << 2);
  const ownSquare = f32x4.splat(own);
  const factor = f32x4.splat(<f32>-k.gamma);
  const zero = f32x4.splat(0);
  let squares = k.tileSquares;
  for (; values < end; values += 16) {
    const dots = v128.load(values);
    const sum = f32x4.add(ownSquare, v128.load(squares));
    v128.store(values, f32x4.mul(factor, f32x4.pmax(f32x4.sub(sum, f32x4.add(dots, dots)), zero)));
    squares += 16;
  }
}

/** gamma u'v + coef0; in place. */
function arguments4(k: Kernel, values: usize, count: u32): void {
  const end = values + ((<usize>count) << 2);
  const gamma = f32x4.splat(<f32>k.gamma);
  const coef0 = f32x4.splat(<f32>k.coef0);
  for (; values < end; values += 16) v128.store(values, f32x4.add(f32x4.mul(gamma, v128.load(values)), coef0));
}
