// Dual coordinate descent of many classes at once, each of them against all the others: the problems of dcd-svc.ts, which have their rows and costs in common and
// differ in y alone. A visit takes one row's step in all of them: the row is read once, and four classes are computed by one instruction.
//
//   w        feature by feature, the classes next to each other (class-weights.ts), here in float32
//   visit    f_m = w_m'x_i + b_m for all m;  y_m = 1 for the row's own class, else -1;  then the step, and the row's part of the gap, of dcd-svc.ts for each
//
// For searches, which want to know of no model how exact it is: in float32, where w follows sum_i a_i y_i x_i up to rounding. A sweep costs O(nnz classes / 4). No shrinking: a row
// rests for all classes or for none.
// Checked in test/unit/core/rest-descent.test.ts.

import { RestState } from "../layout/rest";
import { RowKind, Rows } from "../layout/rows";
import { at, put } from "../memory";
import { shuffle } from "../random";
import { AHEAD, denseRow, rowLength, rowSquaredNorm, touchRowStart, touchRowValues } from "../rows";

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
    visit(s, x, k);
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
    check(s, x, k);
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
      v128.store(vectorAt(s.scores, v), f32x4.mul(v128.load(alphaAt(s, k, v)), v128.bitselect(one, f32x4.neg(one), own)));
    }
    addSteps(s, x, at<u32>(s.rowIds, k));
  }
  return isOver(s);
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

/** As in descent.ts; what was read goes to a place that is written anew next. */
function touchAhead(s: RestState, x: Rows, k: u32): void {
  if (k + 3 * AHEAD >= s.rowCount) return;
  const far = at<u32>(s.rowIds, at<u32>(s.order, k + 3 * AHEAD));
  const middle = touchRowStart(x, at<u32>(s.rowIds, at<u32>(s.order, k + 2 * AHEAD)));
  const near = touchRowValues(x, at<u32>(s.rowIds, at<u32>(s.order, k + AHEAD)));
  put<u32>(s.scores, 0, far + middle + near);
}

function vectorAt(base: usize, v: u32): usize {
  return base + ((<usize>v) << 4);
}

function alphaAt(s: RestState, k: u32, v: u32): usize {
  return s.alpha + ((<usize>k * s.vectors + v) << 4);
}

/** All bits set in the lane that is a row's own class. */
function signs(v: u32, own: u32): v128 {
  return i32x4.eq(i32x4.add(i32x4(0, 1, 2, 3), i32x4.splat(4 * v)), i32x4.splat(own));
}

/** y f - 1 of four classes: minus the slack where negative. */
function margins(s: RestState, v: u32, y: v128): v128 {
  const score = f32x4.add(v128.load(vectorAt(s.scores, v)), v128.load(vectorAt(s.bias, v)));
  return f32x4.sub(f32x4.mul(y, score), f32x4.splat(1));
}

/** Four rows' parts t_i of P - D: hingeGap of dcd-svc.ts. */
function gapTerms(s: RestState, limit: v128, a: v128, m: v128): v128 {
  const zero = f32x4.splat(0);
  if (s.isHinge) return v128.bitselect(f32x4.mul(a, m), f32x4.mul(f32x4.sub(a, limit), m), f32x4.gt(m, zero));
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
  const upper = s.isHinge ? limit : f32x4.splat(f32.MAX_VALUE);
  const diagonal = s.isHinge ? zero : limit;
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
    const loss = s.isHinge ? f32x4.mul(limit, slack) : f32x4.div(f32x4.mul(f32x4.splat(0.5), f32x4.mul(slack, slack)), limit);
    addWide(s.gaps, v, v128.and(used, gapTerms(s, limit, v128.load(alphaAt(s, k, v)), m)));
    addWide(s.losses, v, v128.and(used, loss));
  }
}

/** Four float32 numbers onto f64[4] sums. */
function addWide(sums: usize, v: u32, four: v128): void {
  const sum = sums + ((<usize>v) << 5);
  v128.store(sum, f64x2.add(v128.load(sum), f64x2.promote_low_f32x4(four)));
  v128.store(sum, f64x2.add(v128.load(sum, 16), f64x2.promote_low_f32x4(v128.shuffle<i32>(four, four, 2, 3, 2, 3))), 16);
}

function rowValues(x: Rows, row: u32): usize {
  return x.kind == RowKind.Dense ? denseRow(x, row) : x.values + ((<usize>at<u32>(x.starts, row)) << 2);
}

function rowFeatures(s: RestState, x: Rows, row: u32): usize {
  return x.kind == RowKind.Dense ? s.features : x.indices + ((<usize>at<u32>(x.starts, row)) << 2);
}

/** scores[m] = sum_j x_j w_jm, four vectors of lanes at a time while there are four, then two, then one. */
function scoreRow(s: RestState, x: Rows, row: u32): void {
  const values = rowValues(x, row);
  const features = rowFeatures(s, x, row);
  const n = rowLength(x, row);
  const stride = (<usize>s.vectors) << 4;
  let v: u32 = 0;
  for (; v + 4 <= s.vectors; v += 4) scoreFour(vectorAt(s.scores, v), vectorAt(s.w, v), stride, values, features, n);
  if (v + 2 <= s.vectors) {
    scoreTwo(vectorAt(s.scores, v), vectorAt(s.w, v), stride, values, features, n);
    v += 2;
  }
  if (v < s.vectors) scoreOne(vectorAt(s.scores, v), vectorAt(s.w, v), stride, values, features, n);
}

function scoreFour(out: usize, w: usize, stride: usize, values: usize, features: usize, n: u32): void {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  for (let k: u32 = 0; k < n; k++) {
    const at0 = w + <usize>at<u32>(features, k) * stride;
    const x = v128.load32_splat(values + ((<usize>k) << 2));
    s0 = f32x4.add(s0, f32x4.mul(x, v128.load(at0)));
    s1 = f32x4.add(s1, f32x4.mul(x, v128.load(at0, 16)));
    s2 = f32x4.add(s2, f32x4.mul(x, v128.load(at0, 32)));
    s3 = f32x4.add(s3, f32x4.mul(x, v128.load(at0, 48)));
  }
  v128.store(out, s0);
  v128.store(out, s1, 16);
  v128.store(out, s2, 32);
  v128.store(out, s3, 48);
}

function scoreTwo(out: usize, w: usize, stride: usize, values: usize, features: usize, n: u32): void {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  for (let k: u32 = 0; k < n; k++) {
    const at0 = w + <usize>at<u32>(features, k) * stride;
    const x = v128.load32_splat(values + ((<usize>k) << 2));
    s0 = f32x4.add(s0, f32x4.mul(x, v128.load(at0)));
    s1 = f32x4.add(s1, f32x4.mul(x, v128.load(at0, 16)));
  }
  v128.store(out, s0);
  v128.store(out, s1, 16);
}

function scoreOne(out: usize, w: usize, stride: usize, values: usize, features: usize, n: u32): void {
  let sum = f32x4.splat(0);
  for (let k: u32 = 0; k < n; k++) {
    const at0 = w + <usize>at<u32>(features, k) * stride;
    sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(values + ((<usize>k) << 2)), v128.load(at0)));
  }
  v128.store(out, sum);
}

/** w_jm += x_j steps[m], b_m += s^2 steps[m]; `steps` are where the scores were. */
function addSteps(s: RestState, x: Rows, row: u32): void {
  const values = rowValues(x, row);
  const features = rowFeatures(s, x, row);
  const n = rowLength(x, row);
  const stride = (<usize>s.vectors) << 4;
  let v: u32 = 0;
  for (; v + 4 <= s.vectors; v += 4) addFour(vectorAt(s.scores, v), vectorAt(s.w, v), stride, values, features, n);
  if (v + 2 <= s.vectors) {
    addTwo(vectorAt(s.scores, v), vectorAt(s.w, v), stride, values, features, n);
    v += 2;
  }
  if (v < s.vectors) addOne(vectorAt(s.scores, v), vectorAt(s.w, v), stride, values, features, n);
  if (s.biasSquare == 0) return;
  const square = f32x4.splat(s.biasSquare);
  for (v = 0; v < s.vectors; v++) {
    const bias = vectorAt(s.bias, v);
    v128.store(bias, f32x4.add(v128.load(bias), f32x4.mul(square, v128.load(vectorAt(s.scores, v)))));
  }
}

function addFour(steps: usize, w: usize, stride: usize, values: usize, features: usize, n: u32): void {
  const d0 = v128.load(steps);
  const d1 = v128.load(steps, 16);
  const d2 = v128.load(steps, 32);
  const d3 = v128.load(steps, 48);
  for (let k: u32 = 0; k < n; k++) {
    const at0 = w + <usize>at<u32>(features, k) * stride;
    const x = v128.load32_splat(values + ((<usize>k) << 2));
    v128.store(at0, f32x4.add(v128.load(at0), f32x4.mul(x, d0)));
    v128.store(at0, f32x4.add(v128.load(at0, 16), f32x4.mul(x, d1)), 16);
    v128.store(at0, f32x4.add(v128.load(at0, 32), f32x4.mul(x, d2)), 32);
    v128.store(at0, f32x4.add(v128.load(at0, 48), f32x4.mul(x, d3)), 48);
  }
}

function addTwo(steps: usize, w: usize, stride: usize, values: usize, features: usize, n: u32): void {
  const d0 = v128.load(steps);
  const d1 = v128.load(steps, 16);
  for (let k: u32 = 0; k < n; k++) {
    const at0 = w + <usize>at<u32>(features, k) * stride;
    const x = v128.load32_splat(values + ((<usize>k) << 2));
    v128.store(at0, f32x4.add(v128.load(at0), f32x4.mul(x, d0)));
    v128.store(at0, f32x4.add(v128.load(at0, 16), f32x4.mul(x, d1)), 16);
  }
}

function addOne(steps: usize, w: usize, stride: usize, values: usize, features: usize, n: u32): void {
  const d0 = v128.load(steps);
  for (let k: u32 = 0; k < n; k++) {
    const at0 = w + <usize>at<u32>(features, k) * stride;
    v128.store(at0, f32x4.add(v128.load(at0), f32x4.mul(v128.load32_splat(values + ((<usize>k) << 2)), d0)));
  }
}
