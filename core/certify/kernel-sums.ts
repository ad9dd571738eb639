// The judge's kernel values, in float64, and their sums over the support vectors:
//
//   out_c[k] = sum_s coefficients[s][c] K(v_s, x_k)          s in rising order, for every row k by itself
//
// Eight rows at a time lie side by side, feature by feature, and meet all support vectors one after the other. What is added in which order is the same for a row
// wherever it stands among the eight, so sums have the same bits in any block and thread. Shares no function with the solver's kernel values (core/kernel/), so
// that a mistake there is not repeated here. Checked against plain sums in test/unit/core/kernel-sums.test.ts.

import { Audit } from "../layout/audit";
import { KernelKind } from "../layout/kernel";
import { RowKind, Rows } from "../layout/rows";
import { at, put } from "../memory";

const LANES: u32 = 8;

// ln 2 in two parts: k * LN2_HIGH is exact for |k| < 2^20, because the low 21 bits of LN2_HIGH are zero.
const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;
const LOG2E: f64 = Math.LOG2E;
// 1.5 * 2^52: a number below 2^51 added to it is rounded to a whole one, which the low bits then hold.
const ROUNDER: f64 = 6755399441055744.0;
// Beyond these the result is no normal float64: 0 below, e^709 above.
const LEAST: f64 = -708;
const MOST: f64 = 709;

/** |v|^2 of the support vectors, summed as their dot products are: a row is then at distance 0 from itself, exactly. */
export function auditSquares(a: Audit): void {
  const x = changetype<Rows>(a.rows);
  for (let s: u32 = 0; s < a.vectorCount; s++) put<f64>(a.squares, s, squareOf(x, at<u32>(a.vectors, s)));
}

/** The sums of the rows `ids[0, count)`. out: f64[columns][stride], of which the places [first, first + count) are written. */
export function auditRows(a: Audit, ids: usize, count: u32, out: usize, first: u32, stride: u32): void {
  const x = changetype<Rows>(a.rows);
  for (let begin: u32 = 0; begin < count; begin += LANES) {
    const width = min<u32>(LANES, count - begin);
    const own = ids + ((<usize>begin) << 2);
    for (let k: u32 = 0; k < LANES * a.columns; k++) put<f64>(a.sums, k, 0);
    for (let lane: u32 = 0; lane < LANES; lane++) {
      const isIn = lane < width;
      put<f64>(a.laneSquares, lane, isIn ? squareOf(x, at<u32>(own, lane)) : 0);
      if (isIn) layOut(a, x, at<u32>(own, lane), lane, true);
    }
    if (x.kind == RowKind.Dense) addDense(a, x);
    else for (let s: u32 = 0; s < a.vectorCount; s++) addSparse(a, x, s);
    for (let lane: u32 = 0; lane < width; lane++) {
      for (let c: u32 = 0; c < a.columns; c++) put<f64>(out, c * stride + first + begin + lane, at<f64>(a.sums, c * LANES + lane));
      layOut(a, x, at<u32>(own, lane), lane, false);
    }
  }
}

function firstOf(x: Rows, i: u32): u32 {
  return x.kind == RowKind.Dense ? i * x.featureCount : at<u32>(x.starts, i);
}

function squareOf(x: Rows, i: u32): f64 {
  const end = firstOf(x, i + 1);
  let sum: f64 = 0;
  for (let e = firstOf(x, i); e < end; e++) {
    const value = <f64>at<f32>(x.values, e);
    sum += value * value;
  }
  return sum;
}

/** Row i in its lane, or zeros where it was. */
function layOut(a: Audit, x: Rows, i: u32, lane: u32, isIn: bool): void {
  const begin = firstOf(x, i);
  const end = firstOf(x, i + 1);
  for (let e = begin; e < end; e++) {
    const j = x.kind == RowKind.Dense ? e - begin : at<u32>(x.indices, e);
    put<f64>(a.lanes, j * LANES + lane, isIn ? <f64>at<f32>(x.values, e) : 0);
  }
}

/** Support vector s, sparse, with the eight. */
function addSparse(a: Audit, x: Rows, s: u32): void {
  const i = at<u32>(a.vectors, s);
  const begin = at<u32>(x.starts, i);
  const count = at<u32>(x.starts, i + 1) - begin;
  let value = x.values + ((<usize>begin) << 2);
  let index = x.indices + ((<usize>begin) << 2);
  const end = value + ((<usize>count) << 2);
  let dot0 = f64x2.splat(0);
  let dot1 = dot0;
  let dot2 = dot0;
  let dot3 = dot0;
  while (value < end) {
    const factor = f64x2.splat(<f64>load<f32>(value));
    const lane = a.lanes + ((<usize>load<u32>(index)) << 6);
    dot0 = f64x2.add(dot0, f64x2.mul(factor, v128.load(lane)));
    dot1 = f64x2.add(dot1, f64x2.mul(factor, v128.load(lane, 16)));
    dot2 = f64x2.add(dot2, f64x2.mul(factor, v128.load(lane, 32)));
    dot3 = f64x2.add(dot3, f64x2.mul(factor, v128.load(lane, 48)));
    value += 4;
    index += 4;
  }
  addValues(a, s, 0, dot0);
  addValues(a, s, 16, dot1);
  addValues(a, s, 32, dot2);
  addValues(a, s, 48, dot3);
}

/** All support vectors, dense, with the eight: two at a time, so that what is loaded of the lanes serves twice. An odd last one is its own partner, unused. */
function addDense(a: Audit, x: Rows): void {
  const last = a.vectorCount - 1;
  for (let s: u32 = 0; s < a.vectorCount; s += 2) {
    const t = min<u32>(s + 1, last);
    let value = x.values + ((<usize>firstOf(x, at<u32>(a.vectors, s))) << 2);
    let other = x.values + ((<usize>firstOf(x, at<u32>(a.vectors, t))) << 2);
    let lane = a.lanes;
    const end = lane + ((<usize>x.featureCount) << 6);
    let dot0 = f64x2.splat(0);
    let dot1 = dot0;
    let dot2 = dot0;
    let dot3 = dot0;
    let next0 = dot0;
    let next1 = dot0;
    let next2 = dot0;
    let next3 = dot0;
    while (lane < end) {
      const factor = f64x2.splat(<f64>load<f32>(value));
      const nextFactor = f64x2.splat(<f64>load<f32>(other));
      let rows = v128.load(lane);
      dot0 = f64x2.add(dot0, f64x2.mul(factor, rows));
      next0 = f64x2.add(next0, f64x2.mul(nextFactor, rows));
      rows = v128.load(lane, 16);
      dot1 = f64x2.add(dot1, f64x2.mul(factor, rows));
      next1 = f64x2.add(next1, f64x2.mul(nextFactor, rows));
      rows = v128.load(lane, 32);
      dot2 = f64x2.add(dot2, f64x2.mul(factor, rows));
      next2 = f64x2.add(next2, f64x2.mul(nextFactor, rows));
      rows = v128.load(lane, 48);
      dot3 = f64x2.add(dot3, f64x2.mul(factor, rows));
      next3 = f64x2.add(next3, f64x2.mul(nextFactor, rows));
      lane += 64;
      value += 4;
      other += 4;
    }
    addValues(a, s, 0, dot0);
    addValues(a, s, 16, dot1);
    addValues(a, s, 32, dot2);
    addValues(a, s, 48, dot3);
    if (t == s) return;
    addValues(a, t, 0, next0);
    addValues(a, t, 16, next1);
    addValues(a, t, 32, next2);
    addValues(a, t, 48, next3);
  }
}

/** K of support vector s with the two lanes at `offset` bytes, from their dot products, into the sums. */
function addValues(a: Audit, s: u32, offset: usize, dots: v128): void {
  const values = valuesOf(a, s, offset, dots);
  let sums = a.sums + offset;
  for (let c: u32 = 0; c < a.columns; c++) {
    const coefficient = f64x2.splat(at<f64>(a.coefficients, s * a.columns + c));
    v128.store(sums, f64x2.add(v128.load(sums), f64x2.mul(coefficient, values)));
    sums += 64;
  }
}

function valuesOf(a: Audit, s: u32, offset: usize, dots: v128): v128 {
  const gamma = f64x2.splat(a.gamma);
  if (a.kind == KernelKind.Rbf) {
    const squares = f64x2.add(v128.load(a.laneSquares + offset), f64x2.splat(at<f64>(a.squares, s)));
    const distance = f64x2.pmax(f64x2.sub(squares, f64x2.add(dots, dots)), f64x2.splat(0));
    return expPair(f64x2.neg(f64x2.mul(gamma, distance)));
  }
  const z = f64x2.add(f64x2.mul(gamma, dots), f64x2.splat(a.coef0));
  return a.kind == KernelKind.Sigmoid ? tanhPair(z) : powerPair(z, a.degree);
}

/** e^x within 2 ulp. x = k ln2 + r with |r| <= ln2 / 2; e^r by its Taylor polynomial of degree 13 (remainder below 2^-57); then k goes to the exponent. */
function expPair(x: v128): v128 {
  const inside = f64x2.pmin(f64x2.pmax(x, f64x2.splat(LEAST)), f64x2.splat(MOST));
  const rounded = f64x2.add(f64x2.mul(inside, f64x2.splat(LOG2E)), f64x2.splat(ROUNDER));
  const k = f64x2.sub(rounded, f64x2.splat(ROUNDER));
  let r = f64x2.sub(inside, f64x2.mul(k, f64x2.splat(LN2_HIGH)));
  r = f64x2.sub(r, f64x2.mul(k, f64x2.splat(LN2_LOW)));
  const r2 = f64x2.mul(r, r);
  const r4 = f64x2.mul(r2, r2);
  const first = four(r, r2, 1 / 2.0, 1 / 6.0, 1 / 24.0, 1 / 120.0);
  const second = four(r, r2, 1 / 720.0, 1 / 5040.0, 1 / 40320.0, 1 / 362880.0);
  const third = four(r, r2, 1 / 3628800.0, 1 / 39916800.0, 1 / 479001600.0, 1 / 6227020800.0);
  const p = f64x2.add(first, f64x2.mul(r4, f64x2.add(second, f64x2.mul(r4, third))));
  const value = f64x2.add(f64x2.splat(1), f64x2.add(r, f64x2.mul(r2, p)));
  const power = i64x2.add(i64x2.shl(rounded, 52), i64x2.splat((<i64>1023) << 52));
  // What is no number stays none.
  return v128.andnot(f64x2.mul(value, power), f64x2.lt(x, f64x2.splat(LEAST)));
}

/** c0 + c1 r + c2 r^2 + c3 r^3. */
function four(r: v128, r2: v128, c0: f64, c1: f64, c2: f64, c3: f64): v128 {
  const low = f64x2.add(f64x2.splat(c0), f64x2.mul(r, f64x2.splat(c1)));
  return f64x2.add(low, f64x2.mul(r2, f64x2.add(f64x2.splat(c2), f64x2.mul(r, f64x2.splat(c3)))));
}

/** tanh x = 1 - 2 / (e^(2 x) + 1), within 2^-52 of 1. */
function tanhPair(x: v128): v128 {
  const e = expPair(f64x2.add(x, x));
  return f64x2.sub(f64x2.splat(1), f64x2.div(f64x2.splat(2), f64x2.add(e, f64x2.splat(1))));
}

/** x^degree by repeated squaring. */
function powerPair(x: v128, degree: u32): v128 {
  let result = f64x2.splat(1);
  let square = x;
  for (let left = degree; left > 0; left >>>= 1) {
    if (left & 1) result = f64x2.mul(result, square);
    square = f64x2.mul(square, square);
  }
  return result;
}
