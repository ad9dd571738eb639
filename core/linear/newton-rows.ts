// Passes over a block of rows for the primal Newton method: squared hinge, logistic loss, squared tube. The method is src/solve/newton.ts; here
// is what touches the rows. m_i = y_i (w'x_i + b) are the margins, C_i the costs; of a regression m_i = w'x_i + b - t_i, the residuals.
//
//   loss             loss(m)             a = -C loss'(m)       C loss''(m)
//   squared hinge    max(0, 1 - m)^2     2 C max(0, 1 - m)     2 C where m < 1: a row beyond its margin bends nothing
//   logistic         log(1 + e^-m)       C / (1 + e^m)         C e^-|m| / (1 + e^-|m|)^2
//   squared tube     max(0, |m| - eps)^2 -2 C (m -+ eps)       2 C where |m| > eps: a row inside its tube bends nothing
//
//   lossRows         out = -sum_i a_i y_i x_i at m + t step: the gradient of the losses; tail: sum C loss, sum |a|, sum C loss''
//   lineRows         numbers alone, no row is read: tail: sum C loss, slope and bend of it along the step
//   curveRows        out = sum_i C_i loss''_i x_i (x_i'in): the losses' Hessian times a vector; tail: in'out
//   diagonalRows     out = sum_i C_i loss''_i x_i^2
//
// Rows of [from, to) add to the sheet of their block in their order, so that the bits do not depend on how a block was sliced.
// Checked by finite differences in test/unit/core/newton-rows.test.ts.

import { NewtonState } from "../layout/newton";
import { Loss, Rows } from "../layout/rows";
import { exp, log } from "../math";
import { at, put } from "../memory";
import { factorAdd, sampleWeight } from "./factor";
import { sheetAxpy, sheetDot, sheetOf, sheetSquares, tailOf } from "./sheet";

/** Positions [from, to) of a block at margins + t steps. `fresh`: the steps are computed first, from the sheet's input. */
export function lossRows(s: NewtonState, block: u32, from: u32, to: u32, t: f64, fresh: u32): void {
  const x = changetype<Rows>(s.rows);
  const sheet = sheetOf(s, block);
  const tail = tailOf(s, sheet);
  const active = s.active + ((<usize>at<u32>(s.blockStarts, block)) << 2);
  let count = at<u32>(s.activeCounts, block);
  let lossSum = at<f64>(tail, 0);
  let alphaSum = at<f64>(tail, 1);
  let bendSum = at<f64>(tail, 2);
  for (let k = from; k < to; k++) {
    const row = at<u32>(s.rowIds, k);
    const y = s.loss == Loss.SquaredTube ? 1 : <f64>at<f32>(s.targets, k);
    if (fresh) put<f64>(s.steps, k, y * sheetDot(s, x, row, sheet));
    const C = at<f64>(s.costs, k);
    const m = at<f64>(s.scores, k) + t * at<f64>(s.steps, k);
    let a: f64 = 0;
    let bend: f64 = 0;
    if (s.loss == Loss.SquaredHinge) {
      if (m >= 1) continue;
      a = 2 * C * (1 - m);
      bend = 2 * C;
      lossSum += C * (1 - m) * (1 - m);
    } else if (s.loss == Loss.SquaredTube) {
      const beyond = abs(m) - s.epsilon;
      if (beyond <= 0) continue;
      a = copysign(2 * C * beyond, -m);
      bend = 2 * C;
      lossSum += C * beyond * beyond;
    } else {
      const e = exp(-abs(m));
      a = (C * (m > 0 ? e : 1)) / (1 + e);
      bend = (C * e) / ((1 + e) * (1 + e));
      lossSum += C * (max(0, -m) + logOnePlus(e));
    }
    alphaSum += abs(a);
    bendSum += bend;
    put<f64>(s.bends, k, bend);
    put<u32>(active, count++, k);
    sheetAxpy(s, -a * y, x, row, sheet);
  }
  put<f64>(tail, 0, lossSum);
  put<f64>(tail, 1, alphaSum);
  put<f64>(tail, 2, bendSum);
  put<u32>(s.activeCounts, block, count);
}

/** The sums of the losses at margins + t steps, their slope and bend along the steps. */
export function lineRows(s: NewtonState, block: u32, from: u32, to: u32, t: f64): void {
  const tail = tailOf(s, sheetOf(s, block));
  let lossSum = at<f64>(tail, 0);
  let slope = at<f64>(tail, 1);
  let bend = at<f64>(tail, 2);
  for (let k = from; k < to; k++) {
    const C = at<f64>(s.costs, k);
    const step = at<f64>(s.steps, k);
    const m = at<f64>(s.scores, k) + t * step;
    if (s.loss == Loss.SquaredHinge) {
      if (m >= 1) continue;
      lossSum += C * (1 - m) * (1 - m);
      slope -= 2 * C * (1 - m) * step;
      bend += 2 * C * step * step;
    } else if (s.loss == Loss.SquaredTube) {
      const beyond = abs(m) - s.epsilon;
      if (beyond <= 0) continue;
      lossSum += C * beyond * beyond;
      slope += copysign(2 * C * beyond, m) * step;
      bend += 2 * C * step * step;
    } else {
      const e = exp(-abs(m));
      lossSum += C * (max(0, -m) + logOnePlus(e));
      slope -= ((C * (m > 0 ? e : 1)) / (1 + e)) * step;
      bend += ((C * e) / ((1 + e) * (1 + e))) * step * step;
    }
  }
  put<f64>(tail, 0, lossSum);
  put<f64>(tail, 1, slope);
  put<f64>(tail, 2, bend);
}

/** The Hessian of the losses times the sheet's input, over the active rows [from, to) of a block. */
export function curveRows(s: NewtonState, block: u32, from: u32, to: u32): void {
  const x = changetype<Rows>(s.rows);
  const sheet = sheetOf(s, block);
  const active = s.active + ((<usize>at<u32>(s.blockStarts, block)) << 2);
  const tail = tailOf(s, sheet);
  let bend = at<f64>(tail, 0);
  for (let p = from; p < to; p++) {
    const k = at<u32>(active, p);
    const row = at<u32>(s.rowIds, k);
    const product = sheetDot(s, x, row, sheet);
    const scaled = at<f64>(s.bends, k) * product;
    bend += scaled * product;
    sheetAxpy(s, scaled, x, row, sheet);
  }
  put<f64>(tail, 0, bend);
}

/** The diagonal of the losses' Hessian, over the active rows [from, to) of a block. */
export function diagonalRows(s: NewtonState, block: u32, from: u32, to: u32): void {
  const x = changetype<Rows>(s.rows);
  const sheet = sheetOf(s, block);
  const active = s.active + ((<usize>at<u32>(s.blockStarts, block)) << 2);
  for (let p = from; p < to; p++) {
    const k = at<u32>(active, p);
    sheetSquares(s, at<f64>(s.bends, k), x, at<u32>(s.rowIds, k), sheet);
  }
}

/** Adds a sample of the active rows [from, to) of a block to the factor's matrix; see sampleWeight. */
export function sampleRows(s: NewtonState, block: u32, from: u32, to: u32, share: f64): void {
  const carry = tailOf(s, sheetOf(s, block)) + 24;
  const active = s.active + ((<usize>at<u32>(s.blockStarts, block)) << 2);
  for (let p = from; p < to; p++) {
    const k = at<u32>(active, p);
    const weight = sampleWeight(carry, at<f64>(s.bends, k), share);
    if (weight > 0) factorAdd(s, k, weight);
  }
}

/** log(1 + z) for 0 <= z <= 1; the correction gives back what rounding 1 + z lost. */
function logOnePlus(z: f64): f64 {
  const sum = 1 + z;
  return log(sum) + (z - (sum - 1)) / sum;
}
