// The judge's kernel values, in float64, and their sums over the support vectors:
//
//   out_c[k] = sum_s coefficients[s][c] K(v_s, x_k)          s in rising order, for every row k by itself
//
// Eight rows at a time lie side by side, feature by feature, and meet all support vectors one after the other. What is added in which order is the same for a row
// wherever it stands among the eight, so sums have the same bits in any block and thread. Shares no function with the solver's kernel values (core/kernel/), so
// that a mistake there is not repeated here; e^x alone is the same. Checked against plain sums in test/unit/core/kernel-sums.test.ts.

import { exponentials, putExponentials } from "../exponentials";
import { Audit } from "../layout/audit";
import { KernelKind } from "../layout/kernel";
import { RowKind, Rows } from "../layout/rows";
import { at, put } from "../memory";

const LANES: u32 = 8;
// Support vectors whose values are finished together: 4 KiB, so that they stay in the first cache.
const TILE: u32 = 64;

/** To be called first: constants, and |v|^2 of the support vectors, summed as their dot products are: a row is then at distance 0 from itself, exactly. */
export function auditStart(a: Audit): void {
  putExponentials(a.constants);
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
    for (let from: u32 = 0; from < a.vectorCount; from += TILE) {
      const to = min<u32>(from + TILE, a.vectorCount);
      if (x.kind == RowKind.Dense) denseDots(a, x, from, to);
      else sparseDots(a, x, from, to);
      finish(a, from, to);
      addTile(a, from, to);
    }
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

/** Dot products of the support vectors [from, to), sparse, with the eight, into the tile. */
function sparseDots(a: Audit, x: Rows, from: u32, to: u32): void {
  const lanes = a.lanes;
  let out = a.tile;
  for (let s = from; s < to; s++) {
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
      const lane = lanes + ((<usize>load<u32>(index)) << 6);
      dot0 = f64x2.add(dot0, f64x2.mul(factor, v128.load(lane)));
      dot1 = f64x2.add(dot1, f64x2.mul(factor, v128.load(lane, 16)));
      dot2 = f64x2.add(dot2, f64x2.mul(factor, v128.load(lane, 32)));
      dot3 = f64x2.add(dot3, f64x2.mul(factor, v128.load(lane, 48)));
      value += 4;
      index += 4;
    }
    v128.store(out, dot0);
    v128.store(out, dot1, 16);
    v128.store(out, dot2, 32);
    v128.store(out, dot3, 48);
    out += 64;
  }
}

/** The same, dense: two support vectors at a time, so that what is loaded of the lanes serves twice. An odd last one is its own partner. */
function denseDots(a: Audit, x: Rows, from: u32, to: u32): void {
  const lanes = a.lanes;
  const end = lanes + ((<usize>x.featureCount) << 6);
  for (let s = from; s < to; s += 2) {
    const t = min<u32>(s + 1, to - 1);
    let value = x.values + ((<usize>firstOf(x, at<u32>(a.vectors, s))) << 2);
    let other = x.values + ((<usize>firstOf(x, at<u32>(a.vectors, t))) << 2);
    let lane = lanes;
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
    const out = a.tile + ((<usize>(s - from)) << 6);
    const last = a.tile + ((<usize>(t - from)) << 6);
    v128.store(out, dot0);
    v128.store(out, dot1, 16);
    v128.store(out, dot2, 32);
    v128.store(out, dot3, 48);
    v128.store(last, next0);
    v128.store(last, next1, 16);
    v128.store(last, next2, 32);
    v128.store(last, next3, 48);
  }
}

/** Kernel values from the dot products in the tile. */
function finish(a: Audit, from: u32, to: u32): void {
  const end = a.tile + ((<usize>(to - from)) << 6);
  if (a.kind == KernelKind.Rbf) {
    distances(a, from, to);
    exponentials(a.tile, end, a.constants);
    return;
  }
  const gamma = f64x2.splat(a.gamma);
  const coef0 = f64x2.splat(a.coef0);
  for (let p = a.tile; p < end; p += 16) {
    const z = f64x2.add(f64x2.mul(gamma, v128.load(p)), coef0);
    v128.store(p, a.kind == KernelKind.Sigmoid ? f64x2.add(z, z) : power(z, a.degree));
  }
  if (a.kind != KernelKind.Sigmoid) return;
  // tanh z = 1 - 2 / (e^(2 z) + 1), within 2^-52 of 1.
  exponentials(a.tile, end, a.constants);
  for (let p = a.tile; p < end; p += 16) {
    const e = f64x2.add(v128.load(p), f64x2.splat(1));
    v128.store(p, f64x2.sub(f64x2.splat(1), f64x2.div(f64x2.splat(2), e)));
  }
}

/** -gamma |u - v|^2 from u'v. */
function distances(a: Audit, from: u32, to: u32): void {
  const factor = f64x2.splat(-a.gamma);
  const own0 = v128.load(a.laneSquares);
  const own1 = v128.load(a.laneSquares, 16);
  const own2 = v128.load(a.laneSquares, 32);
  const own3 = v128.load(a.laneSquares, 48);
  let p = a.tile;
  for (let s = from; s < to; s++) {
    const square = f64x2.splat(at<f64>(a.squares, s));
    v128.store(p, f64x2.mul(factor, distance(f64x2.add(own0, square), v128.load(p))));
    v128.store(p, f64x2.mul(factor, distance(f64x2.add(own1, square), v128.load(p, 16))), 16);
    v128.store(p, f64x2.mul(factor, distance(f64x2.add(own2, square), v128.load(p, 32))), 32);
    v128.store(p, f64x2.mul(factor, distance(f64x2.add(own3, square), v128.load(p, 48))), 48);
    p += 64;
  }
}

function distance(squares: v128, dots: v128): v128 {
  return f64x2.pmax(f64x2.sub(squares, f64x2.add(dots, dots)), f64x2.splat(0));
}

/** The values in the tile, times the coefficients, into the sums: one support vector after the other. */
function addTile(a: Audit, from: u32, to: u32): void {
  for (let c: u32 = 0; c < a.columns; c++) {
    const sums = a.sums + ((<usize>c) << 6);
    let sum0 = v128.load(sums);
    let sum1 = v128.load(sums, 16);
    let sum2 = v128.load(sums, 32);
    let sum3 = v128.load(sums, 48);
    let p = a.tile;
    for (let s = from; s < to; s++) {
      const coefficient = f64x2.splat(at<f64>(a.coefficients, s * a.columns + c));
      sum0 = f64x2.add(sum0, f64x2.mul(coefficient, v128.load(p)));
      sum1 = f64x2.add(sum1, f64x2.mul(coefficient, v128.load(p, 16)));
      sum2 = f64x2.add(sum2, f64x2.mul(coefficient, v128.load(p, 32)));
      sum3 = f64x2.add(sum3, f64x2.mul(coefficient, v128.load(p, 48)));
      p += 64;
    }
    v128.store(sums, sum0);
    v128.store(sums, sum1, 16);
    v128.store(sums, sum2, 32);
    v128.store(sums, sum3, 48);
  }
}

/** x^degree by repeated squaring. */
function power(x: v128, degree: u32): v128 {
  let result = f64x2.splat(1);
  let square = x;
  for (let left = degree; left > 0; left >>>= 1) {
    if (left & 1) result = f64x2.mul(result, square);
    square = f64x2.mul(square, square);
  }
  return result;
}
