// Dual coordinate descent for L2-regularised logistic regression.
//
//   primal   min_w  P(w) = 1/2 w'w + sum_i C_i log(1 + exp(-y_i w'x_i))
//   dual     max_a  D(a) = -sum_i [a_i log(a_i / C_i) + (C_i - a_i) log(1 - a_i / C_i)] - 1/2 w'w,   0 <= a_i <= C_i
//   link     w = sum_i a_i y_i x_i        kept true after every step: it is what makes a step O(nnz(x_i))
//   step     with u = log(a / (C - a)), a = C sigma(u), and m = y_i w'x_i before the step, the best u solves
//              h(u) = u + m + Q_ii (C sigma(u) - a_old) = 0          h' = 1 + Q_ii a (C - a) / C >= 1
//   gap      P(w) - D(a) = sum_i t_i,   t_i = C [L(-m) - L(u) + sigma(u) (m + u)],   L(v) = log(1 + e^v):  >= 0, as L is convex
//            to second order t_i = a (C - a) / C * (u + m)^2 / 2
//   stop     sum_i t_i <= tolerance * max(P, D, 1e-12 P(0)), all t_i taken at one w; or LIBLINEAR's rule for its -s 7:
//            max_i |u_i + m_i| < epsilon, each as met in one pass: u + m is the slope of D
//
// Yu, Huang, Lin, Mach. Learn. 2011, algorithm 5. Differs: (1) the one-variable problem is solved in u, not in a. A row keeps its u, so h is u + m at
// first and the first Newton step needs no logarithm; each step costs one exponential, which gives a and C - a both precisely, and
// no bound can be crossed. (2) a = 0 before the first visit: w = 0 fits that exactly, and D is continued by its limit there. (3) Stops on the gap, estimated for
// nothing while sweeping, then computed. (4) No inner accuracy is asked for beyond INNER. An epoch costs O(nnz) and about one exponential a row.
// Dual variables that the host gives as a start: warm-start.ts. Formulas checked in test/unit/core/dcd-logistic.test.ts.

import { LogisticRow, LogisticState } from "../layout/descent";
import { Rows } from "../layout/rows";
import { exp, log } from "../math";
import { at } from "../memory";
import { shuffle } from "../random";
import { AHEAD, rowAxpy, rowDot, rowLength, rowSquaredNorm, touchRowStart, touchRowValues } from "../rows";
import { dot } from "../vector";
import { LESS_TRUST, Progress, relativeGap } from "./stopping";
import { startScale } from "./warm-start";

const enum Phase {
  Sweep = 0,
  Check = 1,
  Rebuild = 2, // of u and w from the dual variables that the host gave
}

// The inner equation is solved until |h| is this share of what it was: the next visit comes anyway.
const INNER: f64 = 0.1;

// Inner steps at most; bisection within a bracket of length |h| needs no more for INNER.
const INNER_LIMIT: u32 = 30;

// The gap's second-order form is taken for the estimate up to this |u + m|, where it is within a factor e of the truth.
const NEAR: f64 = 1;

// A visit costs its row's stored values plus about this many more. Only the size of a slice depends on it.
const VISIT_COST: u32 = 24;

/** Works until about `budget` stored values were touched or a stopping rule holds. The state is exact at every return. */
export function advance(s: LogisticState, budget: u32): Progress {
  let left: i64 = budget;
  while (left > 0) {
    if (s.phase == Phase.Sweep) {
      left = sweep(s, left);
      if (s.cursor < s.rowCount) return Progress.Running;
      if (finishEpoch(s)) return Progress.Converged;
    } else if (s.phase == Phase.Check) {
      left = check(s, left);
      if (s.cursor < s.rowCount) return Progress.Running;
      if (finishCheck(s)) return Progress.Converged;
    } else {
      left = rebuild(s, left);
      if (s.cursor < s.rowCount) return Progress.Running;
      finishRebuild(s);
    }
    if (s.phase == Phase.Sweep && s.visits >= <f64>s.iterationLimit * s.rowCount) return Progress.IterationLimit;
  }
  return Progress.Running;
}

/** Visits rows in their random order from `cursor` on, until the epoch or the budget ends. */
function sweep(s: LogisticState, budget: i64): i64 {
  const x = changetype<Rows>(s.rows);
  while (s.cursor < s.rowCount && budget > 0) {
    touchAhead(s, x, s.cursor);
    const r = tableRow(s, at<u32>(s.order, s.cursor++));
    budget -= rowLength(x, r.row) + VISIT_COST;
    visit(s, x, r);
  }
  return budget;
}

/** Loads what a visit will wait for some visits early, as in descent.ts. */
function touchAhead(s: LogisticState, x: Rows, k: u32): void {
  if (k + 3 * AHEAD >= s.rowCount) return;
  const far = tableRow(s, at<u32>(s.order, k + 3 * AHEAD)).row;
  const middle = touchRowStart(x, tableRow(s, at<u32>(s.order, k + 2 * AHEAD)).row);
  const near = touchRowValues(x, tableRow(s, at<u32>(s.order, k + AHEAD)).row);
  s.touched += far + middle + near;
}

/** Maximises the dual over one coordinate, nearly. */
function visit(s: LogisticState, x: Rows, r: LogisticRow): void {
  const m = <f64>r.y * margin(s, x, r.row);
  const alpha = r.alpha;
  const rest = r.rest;
  if (s.visits == 0 && !s.isWarm) {
    // a = 0 is not sigma of any u: begin at u = 0. t_i is C log(1 + e^-m), roughly what it is at w = 0.
    r.curvature = rowSquaredNorm(x, r.row) + s.biasScale * s.biasScale;
    s.estimate += Math.LN2 * r.cost;
    s.worst = Infinity;
    setLogit(r, 0);
    solveInner(s, r, m, 0, m + r.curvature * r.alpha);
    s.dual += r.cost * softplus(r.logit) - r.alpha * (r.logit + m + 0.5 * r.curvature * r.alpha);
  } else {
    const h = r.logit + m;
    s.worst = max(s.worst, abs(h));
    s.estimate += abs(h) < NEAR ? (0.5 * alpha * rest * h * h) / r.cost : gapTerm(r, m);
    if (h == 0) return;
    solveInner(s, r, m, alpha, h);
    // D's slope is -h at the old point and nearly 0 at the new one.
    s.dual -= 0.5 * h * (r.alpha - alpha);
  }

  // Of the two differences the one between the smaller numbers is precise.
  const step = <f64>r.y * (r.logit < 0 ? r.alpha - alpha : rest - r.rest);
  if (step == 0) return;
  rowAxpy(s.w, step, x, r.row);
  const biasWeight = s.w + ((<usize>x.featureCount) << 3);
  store<f64>(biasWeight, load<f64>(biasWeight) + step * s.biasScale);
}

/**
 * Newton's method for h(u) = 0 from the row's u, where h has the value `h`. As h' >= 1, the root lies between u and u - h; a step
 * that would leave what is known of it is replaced by the middle.
 */
function solveInner(s: LogisticState, r: LogisticRow, m: f64, oldAlpha: f64, h: f64): void {
  const enough = INNER * abs(h);
  let low = h < 0 ? r.logit : r.logit - h;
  let high = h < 0 ? r.logit - h : r.logit;
  for (let k: u32 = 0; k < INNER_LIMIT; k++) {
    let u = r.logit - h / (1 + (r.curvature * r.alpha * r.rest) / r.cost);
    if (!(u >= low && u <= high)) u = 0.5 * (low + high);
    setLogit(r, u);
    h = u + m + r.curvature * (r.alpha - oldAlpha);
    s.inner++;
    if (abs(h) <= enough) return;
    if (h < 0) low = u;
    else high = u;
  }
}

/** u and all that follows from it. */
function setLogit(r: LogisticRow, u: f64): void {
  const e = fastExp(-abs(u));
  const larger = r.cost / (1 + e);
  const smaller = larger * e;
  r.logit = u;
  r.alpha = u < 0 ? smaller : larger;
  r.rest = u < 0 ? larger : smaller;
}

/**
 * e^x for x <= 0, within 1e-11: x = k ln2 + r, then a polynomial of degree 9 in pairs, so that its multiplications overlap. What it
 * lacks to core/math.ts only shifts a row's a by 1e-11 of itself, and the gap by the square of that.
 */
export function fastExp(x: f64): f64 {
  if (x < -700) return 0;
  const k = nearest<f64>(x * Math.LOG2E);
  const r = x - k * Math.LN2;
  const r2 = r * r;
  const r4 = r2 * r2;
  const low = 1 + r + r2 * (0.5 + r * (1 / 6.0));
  const middle = 1 / 24.0 + r * (1 / 120.0) + r2 * (1 / 720.0 + r * (1 / 5040.0));
  const high = 1 / 40320.0 + r * (1 / 362880.0);
  return (low + r4 * (middle + r4 * high)) * reinterpret<f64>((<u64>(<i64>k + 1023)) << 52);
}

/** Row i's part t_i of P - D. */
function gapTerm(r: LogisticRow, m: f64): f64 {
  return max<f64>(r.cost * (softplus(-m) - softplus(r.logit)) + r.alpha * (m + r.logit), 0);
}

/** log(1 + e^v). */
function softplus(v: f64): f64 {
  return max<f64>(v, 0) + log(1 + exp(-abs(v)));
}

/** Closes an epoch: does the gap look small enough to be worth computing? True if LIBLINEAR's rule says that this is enough. */
function finishEpoch(s: LogisticState): bool {
  s.visits += <f64>s.rowCount;
  s.recentGap = relativeGap(s.estimate, s.dual + s.estimate, s.dual, s.zeroPrimal);
  const isEnough = s.violation > 0 && s.worst < s.violation;
  s.phase = s.violation <= 0 && s.recentGap <= s.trust * s.tolerance ? Phase.Check : Phase.Sweep;
  startPhase(s);
  return isEnough;
}

/** Sums the exact gap and the primal's loss over all rows at the present w. */
function check(s: LogisticState, budget: i64): i64 {
  const x = changetype<Rows>(s.rows);
  while (s.cursor < s.rowCount && budget > 0) {
    const r = tableRow(s, s.cursor++);
    budget -= rowLength(x, r.row) + VISIT_COST;
    const m = <f64>r.y * margin(s, x, r.row);
    s.gap += gapTerm(r, m);
    s.primal += r.cost * softplus(-m);
  }
  return budget;
}

/** Closes a check: true if the gap is proven. */
function finishCheck(s: LogisticState): bool {
  s.checks++;
  s.primal += 0.5 * dot(s.w, s.w, changetype<Rows>(s.rows).featureCount + 1);
  s.dual = s.primal - s.gap;
  s.recentGap = relativeGap(s.gap, s.primal, s.dual, s.zeroPrimal);
  const converged = s.recentGap <= s.tolerance;
  if (!converged && s.visits > 0) s.trust *= LESS_TRUST;
  s.phase = Phase.Sweep;
  startPhase(s);
  return converged;
}

/** u, C - a and w that belong to the dual variables which the host gave, all inside (0, C); `dual` takes D without its quadratic part. */
function rebuild(s: LogisticState, budget: i64): i64 {
  const x = changetype<Rows>(s.rows);
  const biasWeight = s.w + ((<usize>x.featureCount) << 3);
  while (s.cursor < s.rowCount && budget > 0) {
    const r = tableRow(s, s.cursor++);
    budget -= rowLength(x, r.row) + VISIT_COST;
    r.curvature = rowSquaredNorm(x, r.row) + s.biasScale * s.biasScale;
    setLogit(r, log(r.alpha / (r.cost - r.alpha)));
    s.dual += r.cost * softplus(r.logit) - r.alpha * r.logit;
    rowAxpy(s.w, r.alpha * <f64>r.y, x, r.row);
    store<f64>(biasWeight, load<f64>(biasWeight) + r.alpha * <f64>r.y * s.biasScale);
  }
  return budget;
}

/** Closes a rebuild. A start worse than none is scaled, which changes every u, and built once more. */
function finishRebuild(s: LogisticState): void {
  const size = changetype<Rows>(s.rows).featureCount + 1;
  const quadratic = 0.5 * dot(s.w, s.w, size);
  const t = startScale(s.dual, quadratic);
  if (t < 1) {
    for (let k: u32 = 0; k < s.rowCount; k++) tableRow(s, k).alpha *= t;
    memory.fill(s.w, 0, (<usize>size) << 3);
    s.dual = 0;
    s.cursor = 0;
    return;
  }
  s.dual -= quadratic;
  s.phase = s.violation > 0 ? Phase.Sweep : Phase.Check;
  startPhase(s);
}

/** Empties the sums that the phase about to begin will fill, and draws the order of a sweep. */
function startPhase(s: LogisticState): void {
  s.cursor = 0;
  if (s.phase == Phase.Sweep) {
    shuffle(s.order, s.rowCount, s.random);
    s.estimate = 0;
    s.worst = 0;
  } else {
    s.primal = 0;
    s.gap = 0;
  }
}

/** Sets a fresh state's working values; the host has filled everything up to `zeroPrimal`, the table, w = 0 and order; with isWarm also alpha. */
export function start(s: LogisticState): void {
  s.visits = 0;
  s.checks = 0;
  s.touched = 0;
  s.inner = 0;
  s.trust = 1;
  s.dual = 0;
  s.primal = s.zeroPrimal;
  s.gap = s.zeroPrimal;
  s.recentGap = 1;
  s.cursor = 0;
  s.phase = s.isWarm ? Phase.Rebuild : Phase.Sweep;
  if (!s.isWarm) startPhase(s);
}

function margin(s: LogisticState, x: Rows, row: u32): f64 {
  return rowDot(x, row, s.w) + s.biasScale * at<f64>(s.w, x.featureCount);
}

function tableRow(s: LogisticState, position: u32): LogisticRow {
  return changetype<LogisticRow>(s.table + <usize>position * offsetof<LogisticRow>());
}
