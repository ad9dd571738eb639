// Passes over a block of rows for the primal Newton method on multinomial logistic regression, k classes jointly. The siblings of
// core/linear/newton-rows.ts; K = k made even, so that classes go two by two through SIMD; the odd one out stays zero.
//
//   z_m = w_m'x_i + b_m     p_m = e^z_m / sum e^z     loss = log sum e^z - z_y
//   gradient                in class m: C_i (p_m - [m = y]) x_i
//   Hessian times v         in class m: C_i p_m (q_m - sum_l p_l q_l) x_i,    q_m = v_m'x_i
//
//   multinomialLossRows     out = gradient of the losses at scores + t steps; tail: sum C loss, sum C (1 - p_y), sum C mean p (1 - p)
//   multinomialLineRows     tail: sum C loss, its slope and bend along the steps; no row is read
//   multinomialCurveRows    out = the losses' Hessian times in; tail: in'out
//   multinomialDiagonalRows out = C p_m (1 - p_m) x^2
//   multinomialSampleRows   into the factor, which all classes share, with the mean of C p_m (1 - p_m) over the classes
//
// Checked by finite differences in test/unit/core/newton-rows.test.ts.

import { NewtonState } from "../layout/newton";
import { RowKind, Rows } from "../layout/rows";
import { exp, log } from "../math";
import { at, put } from "../memory";
import { denseRow, rowLength } from "../rows";
import { factorAdd, sampleWeight } from "./factor";
import { sheetAt, sheetOf, tailOf } from "./sheet";

// Doubles of a tail before its scratch of K doubles.
const SCRATCH: usize = 8;

export function multinomialLossRows(s: NewtonState, block: u32, from: u32, to: u32, t: f64, fresh: u32): void {
  const x = changetype<Rows>(s.rows);
  const sheet = sheetOf(s, block);
  const tail = tailOf(s, sheet);
  const u = tail + (SCRATCH << 3);
  const active = s.active + ((<usize>at<u32>(s.blockStarts, block)) << 2);
  let count = at<u32>(s.activeCounts, block);
  let lossSum = at<f64>(tail, 0);
  let missSum = at<f64>(tail, 1);
  let bendSum = at<f64>(tail, 2);
  for (let k = from; k < to; k++) {
    const row = at<u32>(s.rowIds, k);
    const y = at<u32>(s.targets, k);
    const C = at<f64>(s.costs, k);
    if (fresh) products(s, ofRow(s, s.steps, k), x, row, sheet);
    const p = ofRow(s, s.bends, k);
    lossSum += C * softmax(s, p, k, y, t);
    for (let m: u32 = 0; m < s.width; m++) put<f64>(u, m, C * at<f64>(p, m));
    put<f64>(u, y, at<f64>(u, y) - C);
    missSum -= at<f64>(u, y);
    bendSum += C * meanBend(s, p);
    put<u32>(active, count++, k);
    addProducts(s, u, x, row, sheet);
  }
  put<f64>(tail, 0, lossSum);
  put<f64>(tail, 1, missSum);
  put<f64>(tail, 2, bendSum);
  put<u32>(s.activeCounts, block, count);
}

export function multinomialLineRows(s: NewtonState, block: u32, from: u32, to: u32, t: f64): void {
  const tail = tailOf(s, sheetOf(s, block));
  const p = tail + (SCRATCH << 3);
  for (let k = from; k < to; k++) {
    const y = at<u32>(s.targets, k);
    const C = at<f64>(s.costs, k);
    const steps = ofRow(s, s.steps, k);
    const loss = softmax(s, p, k, y, t);
    let mean: f64 = 0;
    for (let m: u32 = 0; m < s.classCount; m++) mean += at<f64>(p, m) * at<f64>(steps, m);
    let spread: f64 = 0;
    for (let m: u32 = 0; m < s.classCount; m++) {
      const off = at<f64>(steps, m) - mean;
      spread += at<f64>(p, m) * off * off;
    }
    put<f64>(tail, 0, at<f64>(tail, 0) + C * loss);
    put<f64>(tail, 1, at<f64>(tail, 1) + C * (mean - at<f64>(steps, y)));
    put<f64>(tail, 2, at<f64>(tail, 2) + C * spread);
  }
}

export function multinomialCurveRows(s: NewtonState, block: u32, from: u32, to: u32): void {
  const x = changetype<Rows>(s.rows);
  const sheet = sheetOf(s, block);
  const tail = tailOf(s, sheet);
  const q = tail + (SCRATCH << 3);
  const active = s.active + ((<usize>at<u32>(s.blockStarts, block)) << 2);
  let bend = at<f64>(tail, 0);
  for (let a = from; a < to; a++) {
    const k = at<u32>(active, a);
    const row = at<u32>(s.rowIds, k);
    const C = at<f64>(s.costs, k);
    const p = ofRow(s, s.bends, k);
    products(s, q, x, row, sheet);
    let mean: f64 = 0;
    for (let m: u32 = 0; m < s.width; m++) mean += at<f64>(p, m) * at<f64>(q, m);
    for (let m: u32 = 0; m < s.width; m++) {
      const off = at<f64>(q, m) - mean;
      const scaled = C * at<f64>(p, m) * off;
      bend += scaled * off;
      put<f64>(q, m, scaled);
    }
    addProducts(s, q, x, row, sheet);
  }
  put<f64>(tail, 0, bend);
}

export function multinomialDiagonalRows(s: NewtonState, block: u32, from: u32, to: u32): void {
  const x = changetype<Rows>(s.rows);
  const sheet = sheetOf(s, block);
  const active = s.active + ((<usize>at<u32>(s.blockStarts, block)) << 2);
  for (let a = from; a < to; a++) {
    const k = at<u32>(active, a);
    const row = at<u32>(s.rowIds, k);
    const p = ofRow(s, s.bends, k);
    const C = at<f64>(s.costs, k);
    const u = tailOf(s, sheet) + (SCRATCH << 3);
    for (let m: u32 = 0; m < s.width; m++) put<f64>(u, m, C * at<f64>(p, m) * (1 - at<f64>(p, m)));
    const n = valueCount(s, x, row);
    const values = valuesOf(x, row);
    const indices = indicesOf(x, row);
    const out = sheet + ((<usize>s.reach) << 3);
    addScaled(sheetAt(s, out, x.featureCount), s.biasScale * s.biasScale, u, s.width);
    for (let v: u32 = 0; v < n; v++) {
      const value = <f64>at<f32>(values, v);
      addScaled(sheetAt(s, out, indices == 0 ? v : at<u32>(indices, v)), value * value, u, s.width);
    }
  }
}

export function multinomialSampleRows(s: NewtonState, block: u32, from: u32, to: u32, share: f64): void {
  const carry = tailOf(s, sheetOf(s, block)) + 24;
  const active = s.active + ((<usize>at<u32>(s.blockStarts, block)) << 2);
  for (let a = from; a < to; a++) {
    const k = at<u32>(active, a);
    const weight = sampleWeight(carry, at<f64>(s.costs, k) * meanBend(s, ofRow(s, s.bends, k)), share);
    if (weight > 0) factorAdd(s, k, weight);
  }
}

/** The mean of p_m (1 - p_m) over the classes. */
function meanBend(s: NewtonState, p: usize): f64 {
  let sum: f64 = 0;
  for (let m: u32 = 0; m < s.classCount; m++) sum += at<f64>(p, m) * (1 - at<f64>(p, m));
  return sum / <f64>s.classCount;
}

/** p = probabilities of row k at scores + t steps. Returns the loss. */
function softmax(s: NewtonState, p: usize, k: u32, y: u32, t: f64): f64 {
  const scores = ofRow(s, s.scores, k);
  const steps = ofRow(s, s.steps, k);
  let most: f64 = -Infinity;
  for (let m: u32 = 0; m < s.classCount; m++) {
    const z = at<f64>(scores, m) + t * at<f64>(steps, m);
    put<f64>(p, m, z);
    most = max(most, z);
  }
  const own = at<f64>(p, y);
  let sum: f64 = 0;
  for (let m: u32 = 0; m < s.classCount; m++) {
    const e = exp(at<f64>(p, m) - most);
    put<f64>(p, m, e);
    sum += e;
  }
  for (let m: u32 = 0; m < s.classCount; m++) put<f64>(p, m, at<f64>(p, m) / sum);
  if (s.width > s.classCount) put<f64>(p, s.classCount, 0);
  return log(sum) + (most - own);
}

/** out_m = in_m'x_i for all classes, eight at a time where there are as many; the constant feature comes first. */
function products(s: NewtonState, out: usize, x: Rows, i: u32, sheet: usize): void {
  const n = valueCount(s, x, i);
  const values = valuesOf(x, i);
  const indices = indicesOf(x, i);
  const constant = sheetAt(s, sheet, x.featureCount);
  const bias = f64x2.splat(s.biasScale);
  let m: u32 = 0;
  for (; m + 8 <= s.width; m += 8) {
    const offset = (<usize>m) << 3;
    let acc0 = f64x2.mul(bias, v128.load(constant + offset));
    let acc1 = f64x2.mul(bias, v128.load(constant + offset, 16));
    let acc2 = f64x2.mul(bias, v128.load(constant + offset, 32));
    let acc3 = f64x2.mul(bias, v128.load(constant + offset, 48));
    for (let v: u32 = 0; v < n; v++) {
      const value = f64x2.splat(<f64>at<f32>(values, v));
      const cell = sheetAt(s, sheet, indices == 0 ? v : at<u32>(indices, v)) + offset;
      acc0 = f64x2.add(acc0, f64x2.mul(value, v128.load(cell)));
      acc1 = f64x2.add(acc1, f64x2.mul(value, v128.load(cell, 16)));
      acc2 = f64x2.add(acc2, f64x2.mul(value, v128.load(cell, 32)));
      acc3 = f64x2.add(acc3, f64x2.mul(value, v128.load(cell, 48)));
    }
    v128.store(out + offset, acc0);
    v128.store(out + offset, acc1, 16);
    v128.store(out + offset, acc2, 32);
    v128.store(out + offset, acc3, 48);
  }
  for (; m < s.width; m += 2) {
    const offset = (<usize>m) << 3;
    let acc = f64x2.mul(bias, v128.load(constant + offset));
    for (let v: u32 = 0; v < n; v++) {
      const cell = sheetAt(s, sheet, indices == 0 ? v : at<u32>(indices, v)) + offset;
      acc = f64x2.add(acc, f64x2.mul(f64x2.splat(<f64>at<f32>(values, v)), v128.load(cell)));
    }
    v128.store(out + offset, acc);
  }
}

/** out of class m += u_m x_i for all classes. */
function addProducts(s: NewtonState, u: usize, x: Rows, i: u32, sheet: usize): void {
  const n = valueCount(s, x, i);
  const values = valuesOf(x, i);
  const indices = indicesOf(x, i);
  const out = sheet + ((<usize>s.reach) << 3);
  addScaled(sheetAt(s, out, x.featureCount), s.biasScale, u, s.width);
  for (let v: u32 = 0; v < n; v++) {
    addScaled(sheetAt(s, out, indices == 0 ? v : at<u32>(indices, v)), <f64>at<f32>(values, v), u, s.width);
  }
}

/** out[m] += scale u[m], two by two. */
function addScaled(out: usize, scale: f64, u: usize, width: u32): void {
  const by = f64x2.splat(scale);
  const end = u + ((<usize>width) << 3);
  for (; u < end; u += 16, out += 16) v128.store(out, f64x2.add(v128.load(out), f64x2.mul(by, v128.load(u))));
}

/** How many values of row i count: none where the bias moves alone. */
function valueCount(s: NewtonState, x: Rows, i: u32): u32 {
  return s.first == x.featureCount ? 0 : rowLength(x, i);
}

function valuesOf(x: Rows, i: u32): usize {
  return x.kind == RowKind.Dense ? denseRow(x, i) : x.values + ((<usize>at<u32>(x.starts, i)) << 2);
}

/** Where row i's features are listed; 0 where it has all of them. */
function indicesOf(x: Rows, i: u32): usize {
  return x.kind == RowKind.Dense ? 0 : x.indices + ((<usize>at<u32>(x.starts, i)) << 2);
}

/** The K numbers of row k in one of the arrays of scores. */
function ofRow(s: NewtonState, array: usize, k: u32): usize {
  return array + ((<usize>k * s.width) << 3);
}
