// Passes over the rows of a problem with a smooth loss, a range of rows at a time: what a primal method over X v and X' v needs.
// The margins m_i = y_i (x_i'w + c w_d) are kept; c is the constant feature behind the bias: 1, or 0 for none.
//
//   loss            loss(m)           a = -C loss'(m)        C loss''(m)                 lossDual(a) = h(a)
//   squared hinge   max(0, 1 - m)^2   2 C max(0, 1 - m)      2 C where m < 1, else 0     a - a^2 / (4 C)
//   logistic        log(1 + e^-m)     C / (1 + e^m)          C p (1 - p), p = a / C      -a log p - (C - a) log(1 - p)
//
// Sums go on from call to call until clearSums, so any cut of the rows into ranges gives the same bits, sumLoss excepted, which
// takes one logarithm for many rows. Checked against plain formulas in test/unit/core/l1.test.ts.

import { LossRows } from "../layout/l1";
import { Loss, Rows } from "../layout/rows";
import { exp, log, log1p } from "../math";
import { at, put } from "../memory";
import { rowAxpy, rowDot } from "../rows";

// A product of this many factors in (1, 2] stays below 2^1000.
const FACTORS: u32 = 1000;

export function clearSums(s: LossRows): void {
  s.lossSum = 0;
  s.positiveSum = 0;
  s.negativeSum = 0;
  s.positiveSecond = 0;
  s.negativeSecond = 0;
  s.curvatureSum = 0;
  s.bentCount = 0;
}

/**
 * For positions [from, to): a_i and C_i loss''(m_i) from the margins. Where `up` is not 0, adds a_i x_i to up or, where y_i = -1, to down.
 * Sums, by the sign of y_i: a_i, and what the dual objective wants second: a_i^2 / (4 C_i) of the squared hinge, a_i m_i of the logistic loss.
 */
export function slopePass(s: LossRows, from: u32, to: u32): void {
  const x = changetype<Rows>(s.rows);
  const squared = s.loss == Loss.SquaredHinge;
  for (let k = from; k < to; k++) {
    const m = at<f64>(s.margins, k);
    const C = at<f64>(s.costs, k);
    let a: f64 = 0;
    let curvature: f64 = 0;
    let second: f64 = 0;
    if (squared) {
      if (m < 1) {
        a = 2 * C * (1 - m);
        curvature = 2 * C;
        second = (a * a) / (4 * C);
      }
    } else {
      const e = exp(-abs(m));
      const p = (m > 0 ? e : 1) / (1 + e);
      a = C * p;
      curvature = (C * e) / ((1 + e) * (1 + e));
      second = a * m;
    }
    put<f64>(s.slopes, k, a);
    put<f64>(s.curvatures, k, curvature);
    s.curvatureSum += curvature;
    if (curvature > 0) s.bentCount += 1;
    if (a == 0) continue;
    const positive = at<f32>(s.signs, k) > 0;
    if (positive) {
      s.positiveSum += a;
      s.positiveSecond += second;
    } else {
      s.negativeSum += a;
      s.negativeSecond += second;
    }
    if (s.up != 0) rowAxpy(positive ? s.up : s.down, a, x, at<u32>(s.rowIds, k));
  }
}

/** For positions [from, to): z_i = y_i (x_i'v + c v_d), how fast the margin changes along v. v: f64[featureCount + 1]. */
export function turnPass(s: LossRows, v: usize, from: u32, to: u32): void {
  const x = changetype<Rows>(s.rows);
  const constant = s.constant * at<f64>(v, x.featureCount);
  for (let k = from; k < to; k++) {
    put<f64>(s.turns, k, <f64>at<f32>(s.signs, k) * (rowDot(x, at<u32>(s.rowIds, k), v) + constant));
  }
}

/** Adds sum_i C_i loss(m_i + t z_i) over positions [from, to) to lossSum. */
export function sumLoss(s: LossRows, t: f64, from: u32, to: u32): void {
  s.lossSum += s.loss == Loss.SquaredHinge ? squaredLoss(s, t, from, to) : logisticLoss(s, t, from, to);
}

function squaredLoss(s: LossRows, t: f64, from: u32, to: u32): f64 {
  let sum: f64 = 0;
  for (let k = from; k < to; k++) {
    const slack = 1 - (at<f64>(s.margins, k) + t * at<f64>(s.turns, k));
    if (slack > 0) sum += at<f64>(s.costs, k) * slack * slack;
  }
  return sum;
}

/**
 * log(1 + e^-m) = max(0, -m) + log(1 + e^-|m|); logarithms of neighbours with the same price are taken at once, of their product.
 * What it is above 1 is kept, which loses no digits where all e^-|m| are small: C times those is what a large C leaves of the loss.
 */
function logisticLoss(s: LossRows, t: f64, from: u32, to: u32): f64 {
  let sum: f64 = 0;
  let excess: f64 = 0;
  let factors: u32 = 0;
  let price: f64 = 0;
  for (let k = from; k < to; k++) {
    const m = at<f64>(s.margins, k) + t * at<f64>(s.turns, k);
    const C = at<f64>(s.costs, k);
    if (C != price || factors == FACTORS) {
      sum += price * log1p(excess);
      excess = 0;
      factors = 0;
      price = C;
    }
    if (m < 0) sum -= C * m;
    // (1 + excess) (1 + e) - 1
    excess += exp(-abs(m)) * (1 + excess);
    factors++;
  }
  return sum + price * log1p(excess);
}

/** Margins of positions [from, to) after a step of length t along v. */
export function moveMargins(s: LossRows, t: f64, from: u32, to: u32): void {
  for (let k = from; k < to; k++) put<f64>(s.margins, k, at<f64>(s.margins, k) + t * at<f64>(s.turns, k));
}

/** Adds sum_i h_i(t_i a_i) over positions [from, to) to lossSum; a: f64[rowCount]; t_i by the sign of y_i, so that t_i a_i is in its box. */
export function dualPass(s: LossRows, a: usize, positiveScale: f64, negativeScale: f64, from: u32, to: u32): void {
  const squared = s.loss == Loss.SquaredHinge;
  for (let k = from; k < to; k++) {
    const C = at<f64>(s.costs, k);
    const value = (at<f32>(s.signs, k) > 0 ? positiveScale : negativeScale) * at<f64>(a, k);
    if (squared) {
      s.lossSum += value * (1 - value / (4 * C));
    } else {
      // The same for a and C - a. C (1 - p) log(1 - p) with 1 - p rounded would be wrong by C times the rounding.
      const least = min(value, C - value);
      if (least > 0) s.lossSum -= least * log(least / C) + (C - least) * log1p(-least / C);
    }
  }
}
