// Dual coordinate descent of many classes at once, each of them against all the others: the problems of dcd-svc.ts, which have their rows and costs in common and
// differ in y alone. A visit takes one row's step in all of them: the row is read once, and four classes are computed by one instruction.
//
//   w        feature by feature, the classes next to each other (class-weights.ts), here in float32
//   visit    f_m = w_m'x_i + b_m for all m;  y_m = 1 for the row's own class, else -1;  then the step, and the row's part of the gap, of dcd-svc.ts for each
//
// In float32, where w follows sum_i a_i y_i x_i up to rounding: for searches, which want to know of no model how exact it is, and for fits, where the judge makes w anew of the variables. The steps of the
// logistic loss are rest-logistic.ts, what rows and weights have to do with each other rest-rows.ts. A sweep costs O(nnz classes / 4). No shrinking: a row
// rests for all classes or for none.
// Checked in test/unit/core/rest-descent.test.ts.

import { RestState } from "../layout/rest";
import { Loss, Rows } from "../layout/rows";
import { at, put } from "../memory";
import { shuffle } from "../random";
import { rowLength, rowSquaredNorm } from "../rows";
import { sigmoid } from "./quick-math";
import { checkLogistic, logisticDuals, visitLogistic } from "./rest-logistic";
import { addSteps, addWide, alphaAt, scoreRow, signs, touchAhead, vectorAt } from "./rest-rows";

// A visit costs its products plus about this many more. Only the size of a slice depends on it.
const VISIT_COST: u32 = 16;

/** Q_ii + s^2 of every row. */
export function restCurvatures(s: RestState): void {
  const x = changetype<Rows>(s.rows);
  for (let k: u32 = 0; k < s.rowCount; k++) put<f32>(s.curvatures, k, <f32>(rowSquaredNorm(x, at<u32>(s.rowIds, k)) + <f64>s.biasSquare));
}

/** Visits rows in a random order from the cursor on, until the sweep or the budget of products ends. Returns whether the sweep has. */
export function restSweep(s: RestState, budget: f64): bool {
  if (s.cursor == 0) {
    shuffle(s.order, s.rowCount, s.random);
    for (let m: u32 = 0; m < 4 * s.vectors; m++) {
      put<f32>(s.estimates, m, 0);
      put<f32>(s.rewards, m, 0);
    }
  }
  const x = changetype<Rows>(s.rows);
  while (s.cursor < s.rowCount && budget > 0) {
    touchAhead(s, x, s.cursor);
    const k = at<u32>(s.order, s.cursor++);
    budget -= work(s, x, at<u32>(s.rowIds, k));
    if (s.loss == Loss.Logistic) visitLogistic(s, x, k);
    else visit(s, x, k);
  }
  return isOver(s);
}

/** Sums gaps and losses over all rows at the present w. */
export function restCheck(s: RestState, budget: f64): bool {
  if (s.cursor == 0) {
    for (let m: u32 = 0; m < 4 * s.vectors; m++) {
      put<f64>(s.gaps, m, 0);
      put<f64>(s.losses, m, 0);
    }
  }
  const x = changetype<Rows>(s.rows);
  while (s.cursor < s.rowCount && budget > 0) {
    const k = s.cursor++;
    budget -= work(s, x, at<u32>(s.rowIds, k));
    if (s.loss == Loss.Logistic) checkLogistic(s, x, k);
    else check(s, x, k);
  }
  return isOver(s);
}

/** w and b that belong to alpha, which were zero. */
export function restRebuild(s: RestState, budget: f64): bool {
  const x = changetype<Rows>(s.rows);
  const one = f32x4.splat(1);
  while (s.cursor < s.rowCount && budget > 0) {
    const k = s.cursor++;
    budget -= work(s, x, at<u32>(s.rowIds, k));
    for (let v: u32 = 0; v < s.vectors; v++) {
      const own = signs(v, at<u32>(s.classIds, k));
      const a = s.loss == Loss.Logistic ? logisticDuals(s, k, v) : v128.load(alphaAt(s, k, v));
      v128.store(vectorAt(s.scores, v), f32x4.mul(a, v128.bitselect(one, f32x4.neg(one), own)));
    }
    addSteps(s, x, at<u32>(s.rowIds, k));
  }
  return isOver(s);
}

/** The dual variables of all lanes, f64[rowCount][lanes]; costs: f64[rowCount], of the logistic loss, whose shares of them these are. */
export function restDuals(s: RestState, costs: usize, out: usize): void {
  for (let k: u32 = 0; k < s.rowCount; k++) {
    const cost = f64x2.splat(at<f64>(costs, k));
    for (let v: u32 = 0; v < s.vectors; v++) {
      const isLogistic = s.loss == Loss.Logistic;
      const a = isLogistic ? sigmoid(v128.load(alphaAt(s, k, v))) : v128.load(alphaAt(s, k, v));
      const scale = isLogistic ? cost : f64x2.splat(1);
      const place = out + ((<usize>k * s.vectors + v) << 5);
      v128.store(place, f64x2.mul(scale, f64x2.promote_low_f32x4(a)));
      v128.store(place, f64x2.mul(scale, f64x2.promote_low_f32x4(v128.shuffle<i32>(a, a, 2, 3, 2, 3))), 16);
    }
  }
}

/** out[k][m] = w_m'x_i + b_m of the rows `ids`, u32[count]; f32[count][lanes]. */
export function restDecide(s: RestState, ids: usize, count: u32, out: usize): void {
  const x = changetype<Rows>(s.rows);
  for (let k: u32 = 0; k < count; k++) {
    scoreRow(s, x, at<u32>(ids, k));
    for (let v: u32 = 0; v < s.vectors; v++) {
      v128.store(out + ((<usize>k * s.vectors + v) << 4), f32x4.add(v128.load(vectorAt(s.scores, v)), v128.load(vectorAt(s.bias, v))));
    }
  }
}

/** out[m] = sum_j w_jm^2, f64[lanes]. */
export function restNorms(s: RestState, out: usize): void {
  const lanes: u32 = 4 * s.vectors;
  const featureCount = changetype<Rows>(s.rows).featureCount;
  for (let m: u32 = 0; m < lanes; m++) put<f64>(out, m, 0);
  for (let j: u32 = 0; j < featureCount; j++) {
    for (let v: u32 = 0; v < s.vectors; v++) {
      const own = v128.load(s.w + ((<usize>(j * lanes + 4 * v)) << 2));
      const low = f64x2.promote_low_f32x4(own);
      const high = f64x2.promote_low_f32x4(v128.shuffle<i32>(own, own, 2, 3, 2, 3));
      const sum = out + ((<usize>v) << 5);
      v128.store(sum, f64x2.add(v128.load(sum), f64x2.mul(low, low)));
      v128.store(sum, f64x2.add(v128.load(sum, 16), f64x2.mul(high, high)), 16);
    }
  }
}

/** A pass that is over leaves the cursor at the beginning. */
function isOver(s: RestState): bool {
  if (s.cursor < s.rowCount) return false;
  s.cursor = 0;
  return true;
}

function work(s: RestState, x: Rows, row: u32): f64 {
  return <f64>((rowLength(x, row) + VISIT_COST) * s.vectors);
}

/** y f - 1 of four classes: minus the slack where negative. */
function margins(s: RestState, v: u32, y: v128): v128 {
  const score = f32x4.add(v128.load(vectorAt(s.scores, v)), v128.load(vectorAt(s.bias, v)));
  return f32x4.sub(f32x4.mul(y, score), f32x4.splat(1));
}

/** Four rows' parts t_i of P - D: hingeGap of dcd-svc.ts. */
function gapTerms(s: RestState, limit: v128, a: v128, m: v128): v128 {
  const zero = f32x4.splat(0);
  if (s.loss == Loss.Hinge) return v128.bitselect(f32x4.mul(a, m), f32x4.mul(f32x4.sub(a, limit), m), f32x4.gt(m, zero));
  const half = f32x4.splat(0.5);
  const outside = f32x4.mul(a, f32x4.add(m, f32x4.mul(f32x4.mul(half, limit), a)));
  const g = f32x4.add(m, f32x4.mul(limit, a));
  const inside = f32x4.div(f32x4.mul(half, f32x4.mul(g, g)), limit);
  return v128.bitselect(outside, inside, f32x4.ge(m, zero));
}

function visit(s: RestState, x: Rows, k: u32): void {
  const row = at<u32>(s.rowIds, k);
  const own = at<u32>(s.classIds, k);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const limit = v128.load32_splat(s.limits + ((<usize>k) << 2));
  const upper = s.loss == Loss.Hinge ? limit : f32x4.splat(f32.MAX_VALUE);
  const diagonal = s.loss == Loss.Hinge ? zero : limit;
  const curvature = f32x4.add(v128.load32_splat(s.curvatures + ((<usize>k) << 2)), diagonal);
  scoreRow(s, x, row);
  let moved = zero;
  for (let v: u32 = 0; v < s.vectors; v++) {
    const y = v128.bitselect(one, f32x4.neg(one), signs(v, own));
    const used = v128.load(vectorAt(s.used, v));
    const place = alphaAt(s, k, v);
    const a = v128.load(place);
    const m = margins(s, v, y);
    const g = f32x4.add(m, f32x4.mul(diagonal, a));
    // An empty row has no curvature under the hinge: g is -1 then, and the step runs to the bound.
    const next = v128.and(used, f32x4.pmin(upper, f32x4.pmax(zero, f32x4.sub(a, f32x4.div(g, curvature)))));
    const step = f32x4.sub(next, a);
    v128.store(place, next);
    v128.store(vectorAt(s.scores, v), f32x4.mul(step, y));
    moved = v128.or(moved, f32x4.ne(step, zero));
    const estimate = vectorAt(s.estimates, v);
    v128.store(estimate, f32x4.add(v128.load(estimate), v128.and(used, gapTerms(s, limit, a, m))));
    const gain = f32x4.mul(step, f32x4.add(g, f32x4.mul(f32x4.mul(f32x4.splat(0.5), curvature), step)));
    const reward = vectorAt(s.rewards, v);
    v128.store(reward, f32x4.sub(v128.load(reward), gain));
  }
  if (v128.any_true(moved)) addSteps(s, x, row);
}

function check(s: RestState, x: Rows, k: u32): void {
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const limit = v128.load32_splat(s.limits + ((<usize>k) << 2));
  scoreRow(s, x, at<u32>(s.rowIds, k));
  for (let v: u32 = 0; v < s.vectors; v++) {
    const used = v128.load(vectorAt(s.used, v));
    const m = margins(s, v, v128.bitselect(one, f32x4.neg(one), signs(v, at<u32>(s.classIds, k))));
    const slack = f32x4.pmax(zero, f32x4.neg(m));
    const loss = s.loss == Loss.Hinge ? f32x4.mul(limit, slack) : f32x4.div(f32x4.mul(f32x4.splat(0.5), f32x4.mul(slack, slack)), limit);
    addWide(s.gaps, v, v128.and(used, gapTerms(s, limit, v128.load(alphaAt(s, k, v)), m)));
    addWide(s.losses, v, v128.and(used, loss));
  }
}
