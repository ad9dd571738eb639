// Dual coordinate descent for the L2-regularised linear SVM.
//
//   primal   min_w,b  P = 1/2 w'w + sum_i C_i loss(y_i (w'x_i + b)) [+ b^2 / (2 s^2)]      loss(m) = max(0, 1 - m), or its square
//   dual     max_a    D = sum_i a_i - 1/2 a'(Q + diag D_ii)a [- s^2/2 (y'a)^2],   0 <= a_i <= U_i,   Q_ij = y_i y_j x_i'x_j
//            hinge           D_ii = 0           U_i = C_i
//            squared hinge   D_ii = 1/(2 C_i)   U_i = infinity
//   link     w = sum_i a_i y_i x_i,  b = s^2 y'a        kept true after every step: it is what makes a step O(nnz(x_i))
//   step     g = y_i (w'x_i + b) - 1 + D_ii a_i,   a_i <- min(max(a_i - g / (Q_ii + s^2 + D_ii), 0), U_i)
//   gap      P - D = sum_i t_i, every t_i >= 0 (see gapTerm): a row in its right place adds nothing
//   stop     sum_i t_i <= tolerance * max(P, D, 1e-12 P(0)), all t_i taken at one w; or LIBLINEAR's rule (shrinking.ts)
//
// Terms in brackets: bias "augmented", the weight of a constant feature s that is never stored; s = 0 for no bias. With a bias that is
// not regularised the dual has y'a = 0 instead; free-bias.ts says how the same steps solve it. The one-class problem is the hinge with all
// y_i = 1, a margin of 0 instead of 1 and y'a = N instead of 0; one-class.ts says how.
//
// Hsieh, Chang, Lin, Keerthi, Sundararajan, ICML 2008: algorithm 1 with rows in a fresh random order each epoch, and the
// shrinking of its section 3.2. Differs: (1) stops on the gap instead of the projected gradient. Each epoch sums the t_i as
// it meets them, which costs nothing; only when that estimate is small enough does one pass over all rows, shrunk ones too,
// compute the gap exactly. (2) Q_ii is computed at a row's first visit, when its values are at hand. (3) Rows are
// shrunk earlier than in the paper, at first (shrinking.ts). (4) Under the hinge loss costs grow (growing-costs.ts).
// An epoch costs O(nnz), a check half of that. Formulas checked in test/unit/core/dcd-svc.test.ts.

import { DcdRow, DcdState, tableRow } from "../layout/descent";
import { Loss, Rows } from "../layout/rows";
import { at, put } from "../memory";
import { shuffle } from "../random";
import { AHEAD, rowAxpy, rowDot, rowLength, rowSquaredNorm, touchRowStart, touchRowValues } from "../rows";
import { dot } from "../vector";
import { balance, freeBiasWeight, leastLossBias, meanSquare, moveCentre } from "./free-bias";
import { grow, isStageDone, startGrowing } from "./growing-costs";
import { estimatedGap, startOneClass, takeBestMultiple } from "./one-class";
import { activateAll, endsByViolation, setShrinking } from "./shrinking";
import { LESS_TRUST, Progress, relativeGap } from "./stopping";
import { startScale } from "./warm-start";

const enum Phase {
  Sweep = 0,
  Check = 1,
  Rebuild = 2, // of w from the dual variables that the host gave
}

// A visit costs its row's stored values plus about this many more in loads that do not depend on them. Only the size of a
// slice depends on it.
const VISIT_COST: u32 = 8;

/** Works until about `budget` stored values were touched or a stopping rule holds. The state is exact at every return. */
export function advance(s: DcdState, budget: u32): Progress {
  let left: i64 = budget;
  while (left > 0) {
    if (s.phase == Phase.Sweep) {
      left = sweep(s, left);
      if (s.cursor < s.activeCount) return Progress.Running;
      const progress = finishEpoch(s);
      if (progress != Progress.Running) return progress;
    } else if (s.phase == Phase.Check) {
      left = check(s, left);
      if (s.cursor < s.rowCount) return Progress.Running;
      if (finishCheck(s)) return Progress.Converged;
      if (isSpent(s)) return Progress.IterationLimit;
    } else {
      left = rebuild(s, left);
      if (s.cursor < s.rowCount) return Progress.Running;
      finishRebuild(s);
    }
  }
  return Progress.Running;
}

/** Visits active rows in their random order from `cursor` on, until the epoch or the budget ends. */
function sweep(s: DcdState, budget: i64): i64 {
  const x = changetype<Rows>(s.rows);
  while (s.cursor < s.activeCount && budget > 0) {
    const k = s.cursor;
    touchAhead(s, x, k);
    const position = at<u32>(s.order, k);
    const r = tableRow(s, position);
    budget -= rowLength(x, r.row) + VISIT_COST;
    if (visit(s, x, r)) {
      s.cursor = k + 1;
    } else {
      s.activeCount--;
      put<u32>(s.order, k, at<u32>(s.order, s.activeCount));
      put<u32>(s.order, s.activeCount, position);
    }
  }
  return budget;
}

/**
 * Random order means that each visit begins with four loads that wait for memory one after the other: order, table, starts,
 * values. Here each of them is made a few visits early, one stage per step, so that they wait together (docs/performance.md: 1.9x
 * on short rows, nothing on long ones). The sum of what was read is kept only so that the loads are not optimised away.
 */
function touchAhead(s: DcdState, x: Rows, k: u32): void {
  if (k + 3 * AHEAD >= s.activeCount) return;
  const far = tableRow(s, at<u32>(s.order, k + 3 * AHEAD)).row;
  const middle = touchRowStart(x, tableRow(s, at<u32>(s.order, k + 2 * AHEAD)).row);
  const near = touchRowValues(x, tableRow(s, at<u32>(s.order, k + AHEAD)).row);
  s.touched += far + middle + near;
}

/** Minimises the dual over one coordinate; false if the row was found to be one to shrink instead. */
function visit(s: DcdState, x: Rows, r: DcdRow): bool {
  const hinge = s.loss == Loss.Hinge;
  const upper = hinge ? r.limit : Infinity;
  const diagonal = hinge ? 0 : r.limit;
  if (s.visits == 0) r.curvature = rowSquaredNorm(x, r.row) + s.biasSquare + diagonal;

  const y = <f64>r.y;
  const old = r.alpha;
  const m = y * (rowDot(x, r.row, s.w) + s.bias) - s.margin; // minus the slack where negative
  const g = m + diagonal * old;
  s.estimate += gapTerm(hinge, r.limit, old, m);

  let pg = g;
  if (old <= 0) {
    if (g > s.shrinkAbove) return false;
    pg = min(g, 0);
  } else if (old >= upper) {
    if (g < s.shrinkBelow) return false;
    pg = max(g, 0);
  }
  s.pgMax = max(s.pgMax, pg);
  s.pgMin = min(s.pgMin, pg);
  if (pg == 0) return true;

  // Under the hinge an empty row has zero curvature; g is then -1 and the step runs to the bound, its true optimum.
  const next = min(max(old - g / r.curvature, 0), upper);
  const step = next - old;
  if (step == 0) return true;
  r.alpha = next;
  s.dual -= step * (g + 0.5 * r.curvature * step);
  rowAxpy(s.w, step * y, x, r.row);
  s.bias += step * y * s.biasSquare;
  return true;
}

/**
 * Row i's part t_i of P - D, with m = y_i (w'x_i + b) - margin:
 *   hinge           a max(m, 0) + (C - a) max(-m, 0)
 *   squared hinge   m <  0:  C (-m - a D)^2 = (m + a D)^2 / (2 D)        D = D_ii = 1 / (2 C)
 *                   m >= 0:  a m + a^2 D / 2
 */
function gapTerm(hinge: bool, limit: f64, a: f64, m: f64): f64 {
  if (hinge) return m > 0 ? a * m : (a - limit) * m;
  if (m >= 0) return a * (m + 0.5 * limit * a);
  const g = m + limit * a;
  return (g * g) / (2 * limit);
}

/** Closes an epoch: thresholds for the next one, and whether the gap looks small enough to be worth computing. */
function finishEpoch(s: DcdState): Progress {
  s.visits += max<u32>(s.activeCount, 1);
  const gap = s.total > 0 ? estimatedGap(s) : s.estimate;
  s.recentGap = relativeGap(gap, s.dual + gap, s.dual, s.scale * s.zeroPrimal);
  if (s.shrinking) setShrinking(s);
  if (s.scale < 1) {
    if (isStageDone(s)) grow(s);
  } else if (s.violation > 0) {
    if (endsByViolation(s)) return Progress.Converged;
  } else if (s.recentGap <= s.trust * s.tolerance) {
    s.phase = Phase.Check;
  }
  if (s.phase == Phase.Sweep) {
    if (isSpent(s)) return Progress.IterationLimit;
    if (s.isFree) moveCentre(s);
  }
  startPhase(s);
  return Progress.Running;
}

function isSpent(s: DcdState): bool {
  return s.visits >= <f64>s.iterationLimit * s.rowCount;
}

/** Sums the exact gap and the primal's loss over all rows, shrunk ones too, at the present w. */
function check(s: DcdState, budget: i64): i64 {
  const x = changetype<Rows>(s.rows);
  while (s.cursor < s.rowCount && budget > 0) {
    const position = s.cursor++;
    const r = tableRow(s, position);
    budget -= rowLength(x, r.row) + VISIT_COST;
    const score = rowDot(x, r.row, s.w);
    if (s.isFree) put<f64>(s.breaks, position, <f64>r.y * s.margin - score);
    else addTerms(s, r, <f64>r.y * (score + s.bias) - s.margin);
  }
  return budget;
}

/** Adds a row's part to the gap and to the primal, m = y_i (w'x_i + b) - margin. */
function addTerms(s: DcdState, r: DcdRow, m: f64): void {
  const hinge = s.loss == Loss.Hinge;
  s.gap += gapTerm(hinge, r.limit, r.alpha, m);
  if (m < 0) s.primal += hinge ? -r.limit * m : (0.5 / r.limit) * m * m;
}

/** Closes a check: true if the gap is proven. If not, all rows are active again. */
function finishCheck(s: DcdState): bool {
  const x = changetype<Rows>(s.rows);
  s.checks++;
  if (s.isFree) {
    s.bestBias = leastLossBias(s);
    for (let k: u32 = 0; k < s.rowCount; k++) {
      const r = tableRow(s, k);
      addTerms(s, r, <f64>r.y * (s.bestBias - at<f64>(s.breaks, k)));
    }
    if (s.visits == 0) s.bias = s.centre = s.bestBias;
  } else if (s.biasSquare > 0) {
    s.primal += (0.5 * s.bias * s.bias) / s.biasSquare;
  }
  s.primal += 0.5 * dot(s.w, s.w, x.featureCount);
  if (s.total > 0) takeBestMultiple(s);
  s.dual = s.primal - s.gap;
  s.recentGap = relativeGap(s.gap, s.primal, s.dual, s.zeroPrimal);
  const converged = s.recentGap <= s.tolerance;
  if (!converged && s.activeCount == s.rowCount && s.visits > 0) s.trust *= LESS_TRUST;
  activateAll(s);
  s.phase = Phase.Sweep;
  startPhase(s);
  return converged;
}

/** Makes the best of where a solver with a free bias stands, wherever that is: y'a = 0 and the best bias for w. */
export function settle(s: DcdState): void {
  s.phase = Phase.Check;
  startPhase(s);
  check(s, i64.MAX_VALUE);
  finishCheck(s);
}

/** w and b that belong to the dual variables which the host gave; `dual` takes sum a_i, `estimate` 1/2 sum D_ii a_i^2. */
function rebuild(s: DcdState, budget: i64): i64 {
  const x = changetype<Rows>(s.rows);
  const hinge = s.loss == Loss.Hinge;
  while (s.cursor < s.rowCount && budget > 0) {
    const r = tableRow(s, s.cursor++);
    budget -= VISIT_COST;
    if (r.alpha == 0) continue;
    budget -= rowLength(x, r.row);
    rowAxpy(s.w, r.alpha * <f64>r.y, x, r.row);
    s.bias += r.alpha * <f64>r.y * s.biasSquare;
    s.dual += s.margin * r.alpha;
    if (!hinge) s.estimate += 0.5 * r.limit * r.alpha * r.alpha;
  }
  return budget;
}

function finishRebuild(s: DcdState): void {
  const featureCount = changetype<Rows>(s.rows).featureCount;
  let quadratic = s.estimate + 0.5 * dot(s.w, s.w, featureCount);
  if (s.biasSquare > 0) quadratic += (0.5 * s.bias * s.bias) / s.biasSquare;
  // Of a one-class problem only multiples with sum a = total are feasible: there is no choice.
  const t = s.total > 0 ? 1 : startScale(s.dual, quadratic);
  if (t < 1) {
    for (let j: u32 = 0; j < featureCount; j++) put<f64>(s.w, j, t * at<f64>(s.w, j));
    for (let k: u32 = 0; k < s.rowCount; k++) tableRow(s, k).alpha *= t;
    s.bias *= t;
  }
  s.dual = t * (s.dual - t * quadratic);
  s.phase = s.violation > 0 ? Phase.Sweep : Phase.Check;
  startPhase(s);
}

/** Empties the sums that the phase about to begin will fill, and draws the order of a sweep. */
function startPhase(s: DcdState): void {
  s.cursor = 0;
  if (s.phase == Phase.Sweep) {
    shuffle(s.order, s.activeCount, s.random);
    s.pgMax = -Infinity;
    s.pgMin = Infinity;
    s.estimate = 0;
  } else {
    if (s.isFree) balance(s);
    s.primal = 0;
    s.gap = 0;
  }
}

/** Sets a fresh state's working values; the host has filled everything up to `zeroPrimal`, alpha, w and order. */
export function start(s: DcdState): void {
  activateAll(s);
  s.visits = 0;
  s.checks = 0;
  s.touched = 0;
  s.trust = 1;
  s.dual = 0;
  s.estimate = 0;
  s.primal = s.zeroPrimal;
  s.gap = s.zeroPrimal;
  s.recentGap = 1;
  s.reviveBelow = 0;
  s.bias = 0;
  s.centre = 0;
  s.bestBias = 0;
  s.scale = 1;
  const curvature = meanSquare(s, offsetof<DcdRow>());
  if (s.total > 0) startOneClass(s);
  else if (s.isFree) s.biasSquare = freeBiasWeight(s, curvature);
  if (s.grows) startGrowing(s, curvature + s.biasSquare);
  s.cursor = 0;
  s.phase = s.isWarm ? Phase.Rebuild : Phase.Sweep;
  if (!s.isWarm) startPhase(s);
}
