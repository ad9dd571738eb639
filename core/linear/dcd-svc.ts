// Dual coordinate descent for the L2-regularised linear SVM.
//
//   primal   min_w  P(w) = 1/2 w'w + sum_i C_i loss(y_i w'x_i)        loss(m) = max(0, 1 - m), or its square
//   dual     max_a  D(a) = sum_i a_i - 1/2 a'(Q + diag D_ii)a,   0 <= a_i <= U_i,   Q_ij = y_i y_j x_i'x_j
//            hinge           D_ii = 0           U_i = C_i
//            squared hinge   D_ii = 1/(2 C_i)   U_i = infinity
//   link     w = sum_i a_i y_i x_i        kept true after every step: it is what makes a step O(nnz(x_i))
//   step     g = y_i w'x_i - 1 + D_ii a_i,   a_i <- min(max(a_i - g / (Q_ii + D_ii), 0), U_i)
//   gap      P(w) - D(a) = sum_i t_i, every t_i >= 0 (see gapTerm): a row in its right place adds nothing
//   stop     sum_i t_i <= tolerance * max(P, D, 1e-12 P(0)), all t_i taken at one w
//
// Hsieh, Chang, Lin, Keerthi, Sundararajan, ICML 2008: algorithm 1 with rows in a fresh random order each epoch, and the
// shrinking of its section 3.2. Differs: (1) stops on the gap instead of the projected gradient. Each epoch sums the t_i as
// it meets them, which costs nothing; only when that estimate is small enough does one pass over all rows, shrunk ones too,
// compute the gap exactly. (2) Q_ii is computed at a row's first
// visit, when its values are at hand. (3) The bias is the weight of a constant feature that is never stored.
// An epoch costs O(nnz), a check half of that. Formulas checked in test/unit/core/dcd-svc.test.ts.

import { DcdRow, DcdState, Loss, Rows } from "../layout";
import { at, put } from "../memory";
import { shuffle } from "../random";
import { rowAxpy, rowDot, rowLength, rowSquaredNorm, touchRowStart, touchRowValues } from "../rows";
import { dot } from "../vector";

/** What `advance` returns. */
export const enum Progress {
  Running = 0,
  Converged = 1,
  IterationLimit = 2,
}

const enum Phase {
  Sweep = 0,
  Check = 1,
}

// Floor of the gap's denominator, relative to P(0): design of the relative gap, docs/notation.md.
const FLOOR: f64 = 1e-12;

// A visit costs its row's stored values plus about this many more in loads that do not depend on them. Only the size of a
// slice depends on it.
const VISIT_COST: u32 = 8;

// Visits between two stages of touchAhead.
const AHEAD: u32 = 4;

// A check that fails although no row was shrunk means that the estimate runs ahead of the truth: trust it less from then on.
const LESS_TRUST: f64 = 0.7;

/** Works until about `budget` stored values were touched or a stopping rule holds. The state is exact at every return. */
export function advance(s: DcdState, budget: u32): Progress {
  let left: i64 = budget;
  while (left > 0) {
    if (s.phase == Phase.Sweep) {
      left = sweep(s, left);
      if (s.cursor < s.activeCount) return Progress.Running;
      finishEpoch(s);
      if (s.phase == Phase.Sweep && isSpent(s)) return Progress.IterationLimit;
    } else {
      left = check(s, left);
      if (s.cursor < s.rowCount) return Progress.Running;
      if (finishCheck(s)) return Progress.Converged;
      if (isSpent(s)) return Progress.IterationLimit;
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
  if (s.visits == 0) r.curvature = rowSquaredNorm(x, r.row) + s.biasScale * s.biasScale + diagonal;

  const y = <f64>r.y;
  const old = r.alpha;
  const m = y * margin(s, x, r.row) - 1; // minus the slack where negative
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
  const biasWeight = s.w + ((<usize>x.featureCount) << 3);
  store<f64>(biasWeight, load<f64>(biasWeight) + step * y * s.biasScale);
  return true;
}

/**
 * Row i's part t_i of P - D, with m = y_i w'x_i - 1:
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
function finishEpoch(s: DcdState): void {
  s.visits += max<u32>(s.activeCount, 1);
  if (s.shrinking) {
    s.shrinkAbove = s.pgMax > 0 ? s.pgMax : Infinity;
    s.shrinkBelow = s.pgMin < 0 ? s.pgMin : -Infinity;
  }
  s.recentGap = s.estimate / max(s.dual + s.estimate, FLOOR * s.zeroPrimal);
  s.phase = s.recentGap <= s.trust * s.tolerance ? Phase.Check : Phase.Sweep;
  startPhase(s);
}

function isSpent(s: DcdState): bool {
  return s.visits >= <f64>s.iterationLimit * s.rowCount;
}

/** Sums the exact gap and the primal's loss over all rows, shrunk ones too, at the present w. */
function check(s: DcdState, budget: i64): i64 {
  const x = changetype<Rows>(s.rows);
  const hinge = s.loss == Loss.Hinge;
  while (s.cursor < s.rowCount && budget > 0) {
    const r = tableRow(s, s.cursor++);
    budget -= rowLength(x, r.row) + VISIT_COST;
    const m = <f64>r.y * margin(s, x, r.row) - 1;
    s.gap += gapTerm(hinge, r.limit, r.alpha, m);
    if (m < 0) s.primal += hinge ? -r.limit * m : (0.5 / r.limit) * m * m;
  }
  return budget;
}

/** Closes a check: true if the gap is proven. If not, all rows are active again. */
function finishCheck(s: DcdState): bool {
  const x = changetype<Rows>(s.rows);
  s.checks++;
  s.primal += 0.5 * dot(s.w, s.w, x.featureCount + 1);
  s.dual = s.primal - s.gap;
  s.recentGap = s.gap / max(s.primal, max(abs(s.dual), FLOOR * s.zeroPrimal));
  const converged = s.recentGap <= s.tolerance;
  if (!converged && s.activeCount == s.rowCount) s.trust *= LESS_TRUST;
  s.activeCount = s.rowCount;
  s.shrinkAbove = Infinity;
  s.shrinkBelow = -Infinity;
  s.phase = Phase.Sweep;
  startPhase(s);
  return converged;
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
    s.primal = 0;
    s.gap = 0;
  }
}

/** Sets a fresh state's working values; the host has filled everything up to `zeroPrimal`, alpha, w and order. */
export function start(s: DcdState): void {
  s.activeCount = s.rowCount;
  s.visits = 0;
  s.checks = 0;
  s.touched = 0;
  s.trust = 1;
  s.shrinkAbove = Infinity;
  s.shrinkBelow = -Infinity;
  s.dual = 0;
  s.primal = s.zeroPrimal;
  s.gap = s.zeroPrimal;
  s.recentGap = 1;
  s.phase = Phase.Sweep;
  startPhase(s);
}

function margin(s: DcdState, x: Rows, row: u32): f64 {
  return rowDot(x, row, s.w) + s.biasScale * at<f64>(s.w, x.featureCount);
}

function tableRow(s: DcdState, position: u32): DcdRow {
  return changetype<DcdRow>(s.table + <usize>position * offsetof<DcdRow>());
}
