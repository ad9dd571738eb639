// What kernels make of dot products, along a row of float32 numbers: e^x, tanh x, powers. Checked against float64 in test/unit/core/kernel-functions.test.ts;
// src/base/float32.ts is the same arithmetic one number at a time, equal bit for bit.

import { Kernel, KernelKind } from "../layout/kernel";

// ln 2 in two parts: k * LN2_HIGH is exact in float32 for |k| < 2^15, because LN2_HIGH has nine bits.
const LN2_HIGH: f32 = 0.693359375;
const LN2_LOW: f32 = -2.121944400546e-4;
const LOG2E: f32 = <f32>Math.LOG2E;
// 1.5 * 2^23: a number below 2^22 added to it is rounded to a whole one, which the low bits then hold.
const ROUNDER: f32 = 12582912;
// Beyond these the result is not a normal float32. Above only a negative gamma leads.
const LEAST: f32 = -87.33654;
export const MOST: f32 = 88;

// p of e^r = 1 + r + r^2 p(r) for |r| <= ln2 / 2: the polynomial of degree 4 whose largest relative error there is least, 2^-28; rounded to float32 2^-27.
const P0: f32 = 0.49999994;
const P1: f32 = 0.1666652;
const P2: f32 = 0.041668393;
const P3: f32 = 0.008368748;
const P4: f32 = 0.0013814548;

/**
 * e^x for x <= 88 within 2 ulp, 0 where it is below the normal float32; from one place to another, four numbers at a time, so up to three more than `count`.
 * x = k ln2 + r; e^r by the polynomial above; then k is added to the exponent. (pmin and pmax are one instruction each; min and max, with their NaNs, are eight.)
 * Two fours side by side: each is a chain of some eighty cycles, and more of them are under way where they take turns. Constants come from memory, f32[13][4]: as
 * literals each would be built anew for every four numbers.
 */
export function expLane(values: usize, out: usize, count: u32, constants: usize): void {
  putConstants(constants);
  const fours = (count + 3) >>> 2;
  const bytes = (<usize>(fours & ~1)) << 4;
  expEights(values, out, bytes, constants);
  if (!(fours & 1)) return;
  const last = constants + 176;
  v128.store(last, v128.load(values + bytes));
  expEights(last, last, 32, constants);
  v128.store(out + bytes, v128.load(last));
}

function expEights(values: usize, out: usize, bytes: usize, constants: usize): void {
  const end = values + bytes;
  for (; values < end; values += 32, out += 32) {
    const x0 = v128.load(values);
    const x1 = v128.load(values, 16);
    const least = v128.load(constants);
    const inside0 = f32x4.pmax(x0, least);
    const inside1 = f32x4.pmax(x1, least);
    const log2e = v128.load(constants, 16);
    const rounder = v128.load(constants, 32);
    const rounded0 = f32x4.add(f32x4.mul(inside0, log2e), rounder);
    const rounded1 = f32x4.add(f32x4.mul(inside1, log2e), rounder);
    const k0 = f32x4.sub(rounded0, rounder);
    const k1 = f32x4.sub(rounded1, rounder);
    const ln2High = v128.load(constants, 48);
    const ln2Low = v128.load(constants, 64);
    const r0 = f32x4.sub(f32x4.sub(inside0, f32x4.mul(k0, ln2High)), f32x4.mul(k0, ln2Low));
    const r1 = f32x4.sub(f32x4.sub(inside1, f32x4.mul(k1, ln2High)), f32x4.mul(k1, ln2Low));
    const square0 = f32x4.mul(r0, r0);
    const square1 = f32x4.mul(r1, r1);
    const p0 = v128.load(constants, 80);
    const p1 = v128.load(constants, 96);
    const low0 = f32x4.add(p0, f32x4.mul(r0, p1));
    const low1 = f32x4.add(p0, f32x4.mul(r1, p1));
    const p2 = v128.load(constants, 112);
    const p3 = v128.load(constants, 128);
    const middle0 = f32x4.add(p2, f32x4.mul(r0, p3));
    const middle1 = f32x4.add(p2, f32x4.mul(r1, p3));
    const p4 = v128.load(constants, 144);
    const sum0 = f32x4.add(low0, f32x4.mul(square0, f32x4.add(middle0, f32x4.mul(square0, p4))));
    const sum1 = f32x4.add(low1, f32x4.mul(square1, f32x4.add(middle1, f32x4.mul(square1, p4))));
    const one = v128.load(constants, 160);
    const value0 = f32x4.add(one, f32x4.add(r0, f32x4.mul(square0, sum0)));
    const value1 = f32x4.add(one, f32x4.add(r1, f32x4.mul(square1, sum1)));
    // The exponent of 1 is 127: adding k to it makes 2^k.
    const power0 = i32x4.add(i32x4.shl(rounded0, 23), one);
    const power1 = i32x4.add(i32x4.shl(rounded1, 23), one);
    v128.store(out, v128.and(f32x4.mul(value0, power0), f32x4.ge(x0, least)));
    v128.store(out, v128.and(f32x4.mul(value1, power1), f32x4.ge(x1, least)), 16);
  }
}

function putConstants(constants: usize): void {
  v128.store(constants, f32x4.splat(LEAST));
  v128.store(constants, f32x4.splat(LOG2E), 16);
  v128.store(constants, f32x4.splat(ROUNDER), 32);
  v128.store(constants, f32x4.splat(LN2_HIGH), 48);
  v128.store(constants, f32x4.splat(LN2_LOW), 64);
  v128.store(constants, f32x4.splat(P0), 80);
  v128.store(constants, f32x4.splat(P1), 96);
  v128.store(constants, f32x4.splat(P2), 112);
  v128.store(constants, f32x4.splat(P3), 128);
  v128.store(constants, f32x4.splat(P4), 144);
  v128.store(constants, f32x4.splat(1), 160);
}

/**
 * e^x - 1 for x <= 88 within 2 ulp of itself near 0 and of 1 elsewhere; as above. 2^k (e^r - 1) + (2^k - 1): for k = 0, where e^x would have lost its digits to
 * the 1, nothing is lost.
 */
export function lessLane(values: usize, out: usize, count: u32, constants: usize): void {
  putConstants(constants);
  const end = values + ((<usize>count) << 2);
  // Two chains side by side, as above.
  for (; values + 16 < end; values += 32, out += 32) {
    const low = lessFour(v128.load(values), constants);
    v128.store(out, lessFour(v128.load(values, 16), constants), 16);
    v128.store(out, low);
  }
  if (values < end) v128.store(out, lessFour(v128.load(values), constants));
}

function lessFour(value: v128, constants: usize): v128 {
  const rounder = v128.load(constants, 32);
  const one = v128.load(constants, 160);
  const x = f32x4.pmax(value, v128.load(constants));
  const rounded = f32x4.add(f32x4.mul(x, v128.load(constants, 16)), rounder);
  const k = f32x4.sub(rounded, rounder);
  const r = f32x4.sub(f32x4.sub(x, f32x4.mul(k, v128.load(constants, 48))), f32x4.mul(k, v128.load(constants, 64)));
  const square = f32x4.mul(r, r);
  const low = f32x4.add(v128.load(constants, 80), f32x4.mul(r, v128.load(constants, 96)));
  const middle = f32x4.add(v128.load(constants, 112), f32x4.mul(r, v128.load(constants, 128)));
  const sum = f32x4.add(low, f32x4.mul(square, f32x4.add(middle, f32x4.mul(square, v128.load(constants, 144)))));
  const power = i32x4.add(i32x4.shl(rounded, 23), one);
  return f32x4.add(f32x4.mul(power, f32x4.add(r, f32x4.mul(square, sum))), f32x4.sub(power, one));
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
  if (k.kind == KernelKind.Rbf && !k.isWide) distances(k, values, own, count);
  finishAll(k, values, out, count);
}

/** The same where those of rbf are -gamma |u - v|^2 already: of any lanes. */
export function finishAll(k: Kernel, values: usize, out: usize, count: u32): void {
  if (k.kind == KernelKind.Linear || k.kind == KernelKind.Precomputed) {
    memory.copy(out, values, (<usize>count) << 2);
    return;
  }
  if (!k.isWide && k.kind != KernelKind.Rbf) arguments4(k, values, count);
  if (k.kind == KernelKind.Rbf) {
    if (k.isLess) lessLane(values, out, count, k.constants);
    else expLane(values, out, count, k.constants);
  } else if (k.kind == KernelKind.Sigmoid) tanhLane(values, out, count, k.constants);
  else powerLane(values, out, count, k.degree);
}

/** -gamma |u - v|^2, at most 88, from u'v, with |v|^2 in tileSquares; in place. */
function distances(k: Kernel, values: usize, own: f32, count: u32): void {
  const end = values + ((<usize>count) << 2);
  const ownSquare = f32x4.splat(own);
  const factor = f32x4.splat(<f32>-k.gamma);
  const zero = f32x4.splat(0);
  const most = f32x4.splat(MOST);
  let squares = k.tileSquares;
  for (; values < end; values += 16) {
    const dots = v128.load(values);
    const sum = f32x4.add(ownSquare, v128.load(squares));
    v128.store(values, f32x4.pmin(f32x4.mul(factor, f32x4.pmax(f32x4.sub(sum, f32x4.add(dots, dots)), zero)), most));
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
