// The columns of a problem's rows, and coordinate descent over some of them on the quadratic model
//
//   min_u  M(u) = g'(u - w) + 1/2 sum_i c_i z_i^2 + sum_j p_j |u_j|,     z = X~ (u - w),   x~_ij = y_i x_ij,   c_i = C_i loss''(m_i)
//   step   along u_j: q = g_j + sum_i c_i x~_ij z_i and h = sum_i c_i x~_ij^2; the minimum is where q + h (t - u_j) + p_j sign(t) = 0,
//          or t = 0 between the two
//
// Improved GLMNET (Yuan, Ho, Lin, JMLR 2012), section 3: the model's features leave the active set while they are zero and want to stay so.
// The transposition takes two passes over the rows, count and scatter; rows rise along every column. What a pass over a column looks up for
// each value lies side by side in `pairs`. A step costs two passes over its column, one if it does not move.
// Checked against plain sums in test/unit/core/l1.test.ts.

import { Columns, LossRows } from "../layout/l1";
import { RowKind, Rows } from "../layout/rows";
import { at, put } from "../memory";
import { shuffle } from "../random";
import { denseRow } from "../rows";
import { softStep, violationAt } from "./soft-step";

// A column costs its values plus about this many more. Only the size of a slice depends on it.
export const COLUMN_COST: u32 = 8;

/** Adds the values of positions [from, to) to the counts of their columns: starts[j + 1] counts column j. */
export function countColumns(c: Columns, s: LossRows, from: u32, to: u32): void {
  const x = changetype<Rows>(s.rows);
  for (let i = from; i < to; i++) {
    const row = at<u32>(s.rowIds, i);
    if (x.kind == RowKind.Dense) {
      const values = denseRow(x, row);
      for (let j: u32 = 0; j < x.featureCount; j++) if (at<f32>(values, j) != 0) count(c, j);
    } else {
      const end = at<u32>(x.starts, row + 1);
      for (let e = at<u32>(x.starts, row); e < end; e++) count(c, at<u32>(x.indices, e));
    }
    if (s.constant != 0) count(c, x.featureCount);
  }
}

function count(c: Columns, j: u32): void {
  put<u32>(c.starts, j + 1, at<u32>(c.starts, j + 1) + 1);
}

/** From counts to where every column ends; starts[j] is where its next value goes, until all are scattered. */
export function startColumns(c: Columns): void {
  let sum: u32 = 0;
  for (let j: u32 = 0; j < c.columnCount; j++) {
    const length = at<u32>(c.starts, j + 1);
    put<u32>(c.starts, j + 1, sum);
    sum += length;
  }
}

/** Puts the values of positions [from, to) into their columns, times y_i. Afterwards starts[j + 1] has moved on to the end of column j. */
export function scatterColumns(c: Columns, s: LossRows, from: u32, to: u32): void {
  const x = changetype<Rows>(s.rows);
  for (let i = from; i < to; i++) {
    const row = at<u32>(s.rowIds, i);
    const y = at<f32>(s.signs, i);
    if (x.kind == RowKind.Dense) {
      const values = denseRow(x, row);
      for (let j: u32 = 0; j < x.featureCount; j++) if (at<f32>(values, j) != 0) place(c, j, i, y * at<f32>(values, j));
    } else {
      const end = at<u32>(x.starts, row + 1);
      for (let e = at<u32>(x.starts, row); e < end; e++) place(c, at<u32>(x.indices, e), i, y * at<f32>(x.values, e));
    }
    if (s.constant != 0) place(c, x.featureCount, i, y);
  }
}

function place(c: Columns, j: u32, i: u32, value: f32): void {
  const next = at<u32>(c.starts, j + 1);
  put<u32>(c.indices, next, i);
  put<f32>(c.values, next, value);
  put<u32>(c.starts, j + 1, next + 1);
}

/** Before columnSlopes and columnReach: a_i, and a_i times the scale of its side, beside each other. point: f64[rowCount], the a_i. */
export function startSlopes(c: Columns, s: LossRows, point: usize, positiveScale: f64, negativeScale: f64): void {
  for (let i: u32 = 0; i < s.rowCount; i++) {
    const a = at<f64>(point, i);
    put<f64>(c.pairs, 2 * i, a);
    put<f64>(c.pairs, 2 * i + 1, a * (at<f32>(s.signs, i) > 0 ? positiveScale : negativeScale));
  }
  c.cursor = 0;
  c.violation = 0;
  c.reach = 0;
}

/**
 * For columns from `cursor` on, until about `budget` values were touched: g_j = -sum_i a_i x~_ij; the sum of the violations; the largest
 * |sum_i t_i a_i x~_ij| / p_j, t_i being the scales; and in `list`, in rising order, the features that are not zero or whose |g_j| is above
 * `near` times p_j. True when all are done.
 */
export function columnSlopes(c: Columns, near: f64, budget: u32): bool {
  let left: i64 = budget;
  if (c.cursor == 0) c.listCount = 0;
  while (c.cursor < c.columnCount && left > 0) {
    const j = c.cursor++;
    const sums = columnSums(c, j);
    left -= at<u32>(c.starts, j + 1) - at<u32>(c.starts, j) + COLUMN_COST;
    const g = -f64x2.extract_lane(sums, 0);
    const p = penaltyOf(c, j);
    const w = at<f64>(c.w, j);
    put<f64>(c.gradient, j, g);
    c.violation += violationAt(w, g, p);
    if (p > 0) c.reach = max(c.reach, abs(f64x2.extract_lane(sums, 1)) / p);
    if (w != 0 || abs(g) > near * p) put<u32>(c.list, c.listCount++, j);
  }
  return c.cursor == c.columnCount;
}

/** Only the reach of columnSlopes. */
export function columnReach(c: Columns, budget: u32): bool {
  let left: i64 = budget;
  while (c.cursor < c.columnCount && left > 0) {
    const j = c.cursor++;
    const p = penaltyOf(c, j);
    if (p > 0) c.reach = max(c.reach, abs(f64x2.extract_lane(columnSums(c, j), 1)) / p);
    left -= at<u32>(c.starts, j + 1) - at<u32>(c.starts, j) + COLUMN_COST;
  }
  return c.cursor == c.columnCount;
}

/** sum_i x~_ij times both numbers of row i. */
function columnSums(c: Columns, j: u32): v128 {
  const end = at<u32>(c.starts, j + 1);
  let sums = f64x2.splat(0);
  for (let e = at<u32>(c.starts, j); e < end; e++) {
    const pair = v128.load(c.pairs + ((<usize>at<u32>(c.indices, e)) << 4));
    sums = f64x2.add(sums, f64x2.mul(f64x2.splat(<f64>at<f32>(c.values, e)), pair));
  }
  return sums;
}

/** Begins a model over the features of `list`: c_i from the rows' curvatures, z_i = 0, u = w, all active. */
export function startModel(c: Columns, s: LossRows): void {
  for (let i: u32 = 0; i < s.rowCount; i++) {
    put<f64>(c.pairs, 2 * i, at<f64>(s.curvatures, i));
    put<f64>(c.pairs, 2 * i + 1, 0);
  }
  for (let k: u32 = 0; k < c.listCount; k++) {
    const j = at<u32>(c.list, k);
    put<u32>(c.order, k, j);
    put<f64>(c.point, j, at<f64>(c.w, j));
    put<f64>(c.diagonal, j, -1);
  }
  c.activeCount = c.listCount;
  c.shrinkBelow = Infinity;
}

/** Ends a model: its z_i are the changes of the margins. */
export function endModel(c: Columns, s: LossRows): void {
  for (let i: u32 = 0; i < s.rowCount; i++) put<f64>(s.turns, i, at<f64>(c.pairs, 2 * i + 1));
}

/** Draws the order of the next sweep over the active features. */
export function startSweep(c: Columns): void {
  shuffle(c.order, c.activeCount, c.random);
  c.cursor = 0;
  c.violation = 0;
  c.worst = 0;
}

/** Steps along active features from `cursor` on, until about `budget` values were touched; true when the sweep is over. */
export function columnSweep(c: Columns, budget: u32): bool {
  let left: i64 = budget;
  while (c.cursor < c.activeCount && left > 0) {
    const j = at<u32>(c.order, c.cursor);
    const length = at<u32>(c.starts, j + 1) - at<u32>(c.starts, j);
    left -= length + COLUMN_COST;
    c.work += length;
    if (at<f64>(c.diagonal, j) < 0) put<f64>(c.diagonal, j, curvatureOf(c, j));
    const u = at<f64>(c.point, j);
    const q = at<f64>(c.gradient, j) + product(c, j);
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
    const next = softStep(u, q, p, at<f64>(c.diagonal, j));
    if (next == u) continue;
    put<f64>(c.point, j, next);
    moveColumn(c, j, next - u);
    left -= length;
    c.work += length;
  }
  return c.cursor == c.activeCount;
}

/** sum_i c_i x~_ij^2. */
export function curvatureOf(c: Columns, j: u32): f64 {
  const end = at<u32>(c.starts, j + 1);
  let sum: f64 = 0;
  for (let e = at<u32>(c.starts, j); e < end; e++) {
    const value = <f64>at<f32>(c.values, e);
    sum += at<f64>(c.pairs, 2 * at<u32>(c.indices, e)) * value * value;
  }
  return sum;
}

/** sum_i c_i x~_ij z_i, in two sums of every other value, so that two are under way at once. */
export function product(c: Columns, j: u32): f64 {
  const end = at<u32>(c.starts, j + 1);
  let e = at<u32>(c.starts, j);
  let sum0: f64 = 0;
  let sum1: f64 = 0;
  for (; e + 1 < end; e += 2) {
    const pair0 = c.pairs + ((<usize>at<u32>(c.indices, e)) << 4);
    const pair1 = c.pairs + ((<usize>at<u32>(c.indices, e + 1)) << 4);
    sum0 += <f64>at<f32>(c.values, e) * (load<f64>(pair0) * load<f64>(pair0, 8));
    sum1 += <f64>at<f32>(c.values, e + 1) * (load<f64>(pair1) * load<f64>(pair1, 8));
  }
  if (e < end) {
    const pair = c.pairs + ((<usize>at<u32>(c.indices, e)) << 4);
    sum0 += <f64>at<f32>(c.values, e) * (load<f64>(pair) * load<f64>(pair, 8));
  }
  return sum0 + sum1;
}

/** z += step x~_j. */
export function moveColumn(c: Columns, j: u32, step: f64): void {
  const end = at<u32>(c.starts, j + 1);
  for (let e = at<u32>(c.starts, j); e < end; e++) {
    const z = c.pairs + ((<usize>at<u32>(c.indices, e)) << 4) + 8;
    store<f64>(z, load<f64>(z) + step * <f64>at<f32>(c.values, e));
  }
}

export function penaltyOf(c: Columns, j: u32): f64 {
  return j == c.featureCount ? c.biasPenalty : 1;
}
