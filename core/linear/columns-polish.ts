// A dual point close to the one that the margins suggest, and further inside the constraints |sum_i a_i x~_ij| <= p_j.
//
// Scaling a into the constraints costs D about |w|_1 times the largest violation, for one feature's sake. Instead a moves to
// a_i - c_i z_i with z = X~ v: v_j is chosen to put feature j, if outside, on its border, for one feature after the other, until none is far
// outside. That costs D about |w_j| times its own violation for each of them. In the letters of columns.ts: q_j = g_j + sum_i c_i x~_ij z_i
// is minus the sum with the new point, and a step of -(q_j -+ p_j) / h puts it on the border.
// What is left outside is scaled away. Checked in test/unit/core/l1.test.ts.

import { Columns, LossRows } from "../layout/l1";
import { at, put } from "../memory";
import { curvatureOf, moveColumn, penaltyOf, product } from "./columns";

const COLUMN_COST: u32 = 8;

/** Begins a pass over `list`. */
export function startPolish(c: Columns): void {
  c.cursor = 0;
  c.worst = 0;
}

/** One pass over the features of `list`, in slices; `worst` is the largest |q_j| / p_j met (bias free: |q_j|). True when it is over. */
export function polishSweep(c: Columns, budget: u32): bool {
  let left: i64 = budget;
  while (c.cursor < c.listCount && left > 0) {
    const j = at<u32>(c.list, c.cursor++);
    const length = at<u32>(c.starts, j + 1) - at<u32>(c.starts, j);
    left -= length + COLUMN_COST;
    const q = at<f64>(c.gradient, j) + product(c, j);
    const p = penaltyOf(c, j);
    const outside = abs(q) - p;
    if (outside <= 0) continue;
    if (p > 0) c.worst = max(c.worst, abs(q) / p);
    if (at<f64>(c.diagonal, j) < 0) put<f64>(c.diagonal, j, curvatureOf(c, j));
    const h = at<f64>(c.diagonal, j);
    if (!(h > 0)) continue;
    moveColumn(c, j, (q > 0 ? -outside : outside) / h);
    left -= length;
  }
  return c.cursor == c.listCount;
}

/** The new point into the rows' turns: a_i - c_i z_i, kept in its box; sums of it by the sign of y_i. */
export function endPolish(c: Columns, s: LossRows, isBounded: bool): void {
  s.positiveSum = 0;
  s.negativeSum = 0;
  for (let i: u32 = 0; i < s.rowCount; i++) {
    let a = max(0, at<f64>(s.slopes, i) - at<f64>(c.pairs, 2 * i) * at<f64>(c.pairs, 2 * i + 1));
    if (isBounded) a = min(a, at<f64>(s.costs, i));
    put<f64>(s.turns, i, a);
    if (at<f32>(s.signs, i) > 0) s.positiveSum += a;
    else s.negativeSum += a;
  }
}
