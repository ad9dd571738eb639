// Coordinate descent over columns on the L1-regularised squared hinge itself, where columns.ts descends on a model of a loss:
//
//   min_u  P(u) = sum_i C_i max(0, r_i)^2 + sum_j p_j |u_j|,     r_i = 1 - m_i,   m = X~ u
//   step   along u_j: q = -2 sum_{r_i > 0} C_i x~_ij r_i and h = 2 sum_{r_i > 0} C_i x~_ij^2, from one pass over the column; towards the
//          minimum t of q (t - u_j) + h (t - u_j)^2 / 2 + p_j |t|, halved until P falls by SUFFICIENT of what its slope promises
//
// Chang, Hsieh, Lin, JMLR 2008, section 4 (coordinate descent with one-dimensional Newton steps), with the l1 term of Yuan, Chang, Hsieh,
// Lin, JMLR 2010. The loss is a parabola until a row passes its margin, so the model of one variable is never far off and nothing is
// stale, as a model of all of them is after its first steps. By how much P falls is summed up while the column moves.
// Checked against plain sums in test/unit/core/columns-descent.test.ts.

import { Columns, LossRows } from "../layout/l1";
import { at, put } from "../memory";
import { COLUMN_COST, penaltyOf } from "./columns";
import { softStep, violationAt } from "./soft-step";

// Part of the promised decrease that a step must bring.
const SUFFICIENT: f64 = 0.01;

// After so many nothing but rounding speaks against the step.
const MOST_HALVINGS: i32 = 40;

// What rounding may hide of a decrease, relative to the change of the loss.
const ROUNDING: f64 = 1e-13;

/** Begins at w over the features of `list`: u = w, all active; the slacks in the first half of `pairs`, 2 C_i where they differ in the second. */
export function startDescent(c: Columns, s: LossRows): void {
  const first = at<f64>(s.costs, 0);
  let isUniform = true;
  for (let i: u32 = 0; i < s.rowCount; i++) {
    const C = at<f64>(s.costs, i);
    isUniform = isUniform && C == first;
    put<f64>(c.pairs, i, 1 - at<f64>(s.margins, i));
    put<f64>(c.pairs, s.rowCount + i, 2 * C);
  }
  c.prices = isUniform ? 0 : c.pairs + ((<usize>s.rowCount) << 3);
  c.price = isUniform ? 2 * first : 1;
  for (let k: u32 = 0; k < c.listCount; k++) {
    const j = at<u32>(c.list, k);
    put<u32>(c.order, k, j);
    put<f64>(c.point, j, at<f64>(c.w, j));
  }
  c.activeCount = c.listCount;
  c.shrinkBelow = Infinity;
}

/** The changes of the margins since. */
export function endDescent(c: Columns, s: LossRows): void {
  for (let i: u32 = 0; i < s.rowCount; i++) put<f64>(s.turns, i, 1 - at<f64>(s.margins, i) - at<f64>(c.pairs, i));
}

/** Steps along active features from `cursor` on, until about `budget` values were touched; true when the sweep is over. */
export function descentSweep(c: Columns, budget: u32): bool {
  let left: i64 = budget;
  while (c.cursor < c.activeCount && left > 0) {
    const j = at<u32>(c.order, c.cursor);
    const length = at<u32>(c.starts, j + 1) - at<u32>(c.starts, j);
    left -= length + COLUMN_COST;
    c.work += length;
    const slope = slopeAndBend(c, j);
    const q = -f64x2.extract_lane(slope, 0);
    const u = at<f64>(c.point, j);
    const p = penaltyOf(c, j);
    if (u == 0 && abs(q) < p - c.shrinkBelow) {
      c.activeCount--;
      put<u32>(c.order, c.cursor, at<u32>(c.order, c.activeCount));
      put<u32>(c.order, c.activeCount, j);
      continue;
    }
    c.cursor++;
    const violation = violationAt(u, q, p);
    c.violation += violation;
    c.worst = max(c.worst, violation);
    let step = softStep(u, q, p, f64x2.extract_lane(slope, 1)) - u;
    if (step == 0) continue;
    let change = moveSlack(c, j, step);
    left -= length;
    c.work += length;
    for (let halving = 0; halving < MOST_HALVINGS && !isEnough(change, q * step, p * growth(u, step)); halving++) {
      step *= 0.5;
      change += moveSlack(c, j, -step);
      left -= length;
      c.work += length;
    }
    put<f64>(c.point, j, u + step);
  }
  return c.cursor == c.activeCount;
}

/** Whether the loss and the penalty together fall by enough of what the slope of the loss promises. */
function isEnough(change: f64, promise: f64, penalty: f64): bool {
  return change + penalty <= SUFFICIENT * (promise + penalty) + ROUNDING * abs(change);
}

/** |u + step| - |u|, exactly where u keeps its sign. */
function growth(u: f64, step: f64): f64 {
  if (u > 0 && u + step >= 0) return step;
  if (u < 0 && u + step <= 0) return -step;
  return abs(u + step) - abs(u);
}

/** sum over r_i > 0 of 2 C_i x~_ij r_i and of 2 C_i x~_ij^2. Without branches: which rows lie within their margins is hard to foretell. */
function slopeAndBend(c: Columns, j: u32): v128 {
  const end = at<u32>(c.starts, j + 1);
  let slopes = f64x2.splat(0);
  let bends = f64x2.splat(0);
  let e = at<u32>(c.starts, j);
  for (; e + 1 < end; e += 2) {
    const slack = gather(c.pairs, at<u32>(c.indices, e), at<u32>(c.indices, e + 1));
    const value = f64x2.promote_low_f32x4(v128.load64_zero(c.values + ((<usize>e) << 2)));
    let inside = v128.and(value, f64x2.gt(slack, f64x2.splat(0)));
    if (c.prices) inside = f64x2.mul(inside, gather(c.prices, at<u32>(c.indices, e), at<u32>(c.indices, e + 1)));
    slopes = f64x2.add(slopes, f64x2.mul(inside, slack));
    bends = f64x2.add(bends, f64x2.mul(inside, value));
  }
  let slope = f64x2.extract_lane(slopes, 0) + f64x2.extract_lane(slopes, 1);
  let bend = f64x2.extract_lane(bends, 0) + f64x2.extract_lane(bends, 1);
  if (e < end) {
    const i = at<u32>(c.indices, e);
    const slack = at<f64>(c.pairs, i);
    const value = <f64>at<f32>(c.values, e);
    const price = c.prices ? at<f64>(c.prices, i) : 1;
    if (slack > 0) {
      slope += price * value * slack;
      bend += price * value * value;
    }
  }
  return f64x2.mul(f64x2.splat(c.price), f64x2.replace_lane(f64x2.splat(slope), 1, bend));
}

function gather(list: usize, first: u32, second: u32): v128 {
  return v128.load64_lane(list + ((<usize>second) << 3), v128.load64_zero(list + ((<usize>first) << 3)), 1);
}

/** r -= step x~_j; returns the change of sum_i C_i max(0, r_i)^2. */
export function moveSlack(c: Columns, j: u32, step: f64): f64 {
  const end = at<u32>(c.starts, j + 1);
  let change: f64 = 0;
  for (let e = at<u32>(c.starts, j); e < end; e++) {
    const i = at<u32>(c.indices, e);
    const r = at<f64>(c.pairs, i);
    const next = r - step * <f64>at<f32>(c.values, e);
    put<f64>(c.pairs, i, next);
    const slacks = f64x2.pmax(f64x2.splat(0), f64x2.replace_lane(f64x2.splat(r), 1, next));
    const before = f64x2.extract_lane(slacks, 0);
    const after = f64x2.extract_lane(slacks, 1);
    const part = (after - before) * (after + before);
    change += c.prices ? at<f64>(c.prices, i) * part : part;
  }
  return 0.5 * c.price * change;
}
