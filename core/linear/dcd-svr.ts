// Dual coordinate descent for L2-regularised linear support vector regression.
//
//   primal   min_w,b  P = 1/2 w'w + sum_i C_i loss(r_i) [+ b^2 / (2 s^2)],   r_i = w'x_i + b - t_i       loss(r) = max(0, |r| - epsilon), or its square
//   dual     max      D = sum_i (t_i beta_i - epsilon |beta_i| - D_ii beta_i^2 / 2) - 1/2 w'w [- s^2/2 (sum_i beta_i)^2],   |beta_i| <= U_i
//            plain     D_ii = 0           U_i = C_i
//            squared   D_ii = 1/(2 C_i)   U_i = infinity
//   link     w = sum_i beta_i x_i,  b = s^2 sum_i beta_i        kept true after every step
//   step     g = r_i + D_ii beta_i,  H = Q_ii + s^2 + D_ii: the minimum of -D along beta_i is at beta_i - (g + epsilon) / H if that is positive,
//            at beta_i - (g - epsilon) / H if that is negative, else at the kink 0; a little farther (relaxed); then into [-U_i, U_i]
//   gap      P - D = sum_i of tubeGap >= 0: a row in its right place adds nothing
//   stop     sum_i <= tolerance * max(P, D, 1e-12 P(0)), all terms taken at one w; or LIBLINEAR's rule: the violations of an epoch over all rows sum to
//            at most `violation` of what they did in the first
//
// Terms in brackets: bias "augmented", s = 0 for no bias; a free bias: free-tube.ts.
//
// Ho and Lin, JMLR 2012: algorithm 3 with the shrinking of its section 4.2. Differs as dcd-svc.ts does from its paper: stops on the gap, which every
// epoch estimates for nothing; Q_ii computed at a row's first visit; rows shrunk earlier at first, and brought back (shrinking.ts); plain steps
// over-relaxed (Mangasarian and Musicant, IEEE Trans. Neural Networks 1999). An epoch costs O(nnz), a check half of that. Formulas checked in test/unit/core/dcd-svr.test.ts.

import { DcdState, TubeRow, tubeRow } from "../layout/descent";
import { Loss, Rows } from "../layout/rows";
import { at, put } from "../memory";
import { shuffle } from "../random";
import { AHEAD, rowAxpy, rowDot, rowLength, rowSquaredNorm, touchRowStart, touchRowValues } from "../rows";
import { dot } from "../vector";
import { freeBiasWeight, meanSquare, moveCentre } from "./free-bias";
import { balanceTube, leastTubeBias } from "./free-tube";
import { activateAll, setShrinking } from "./shrinking";
import { LESS_TRUST, Progress, relativeGap } from "./stopping";
import { relaxed, tubeGap } from "./tube-step";

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
    const r = tubeRow(s, position);
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

/** The loads that a visit begins with, each made a few visits early, as in dcd-svc.ts. */
function touchAhead(s: DcdState, x: Rows, k: u32): void {
  if (k + 3 * AHEAD >= s.activeCount) return;
  const far = tubeRow(s, at<u32>(s.order, k + 3 * AHEAD)).row;
  const middle = touchRowStart(x, tubeRow(s, at<u32>(s.order, k + 2 * AHEAD)).row);
  const near = touchRowValues(x, tubeRow(s, at<u32>(s.order, k + AHEAD)).row);
  s.touched += far + middle + near;
}

/** Minimises the dual over one coordinate; false if the row was found to be one to shrink instead. */
function visit(s: DcdState, x: Rows, r: TubeRow): bool {
  const isPlain = s.loss == Loss.Tube;
  const upper = isPlain ? r.limit : Infinity;
  const diagonal = isPlain ? 0 : r.limit;
  if (s.visits == 0) r.curvature = rowSquaredNorm(x, r.row) + s.biasSquare + diagonal;

  const old = r.beta;
  const residual = rowDot(x, r.row, s.w) + s.bias - r.target;
  const g = residual + diagonal * old;
  s.estimate += tubeGap(isPlain, r.limit, s.epsilon, old, residual);

  // Slopes of -D on the side of positive beta and on that of negative ones.
  const above = g + s.epsilon;
  const below = g - s.epsilon;
  let violation: f64 = 0;
  if (old == 0) {
    if (above > s.shrinkAbove && below < -s.shrinkAbove) return false;
    violation = max(-above, max(below, 0));
  } else if (old >= upper) {
    if (above < -s.shrinkAbove) return false;
    violation = max(above, 0);
  } else if (old <= -upper) {
    if (below > s.shrinkAbove) return false;
    violation = max(-below, 0);
  } else {
    violation = abs(old > 0 ? above : below);
  }
  s.pgMax = max(s.pgMax, violation);
  s.violationSum += violation;
  if (violation == 0) return true;

  // Without curvature, an empty row under the plain loss, the step runs to the bound, its true optimum.
  let next: f64 = 0;
  if (above < r.curvature * old) next = old - above / r.curvature;
  else if (below > r.curvature * old) next = old - below / r.curvature;
  if (isPlain && !s.isFree) next = relaxed(old, next);
  next = max(-upper, min(upper, next));
  const step = next - old;
  if (step == 0) return true;
  r.beta = next;
  s.dual -= step * (g + 0.5 * r.curvature * step) + s.epsilon * (abs(next) - abs(old));
  rowAxpy(s.w, step, x, r.row);
  s.bias += step * s.biasSquare;
  return true;
}

/** Closes an epoch: thresholds for the next one, and whether the gap looks small enough to be worth computing. */
function finishEpoch(s: DcdState): Progress {
  if (s.visits == 0) s.firstViolation = s.violationSum;
  s.visits += max<u32>(s.activeCount, 1);
  s.recentGap = relativeGap(s.estimate, s.dual + s.estimate, s.dual, s.zeroPrimal);
  if (s.shrinking) setShrinking(s);
  if (s.violation > 0) {
    if (tubeEndsByViolation(s)) return Progress.Converged;
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

/** LIBLINEAR's rule. Met on shrunk rows it only brings all rows back. What moves a free bias counts as a violation, too. */
export function tubeEndsByViolation(s: DcdState): bool {
  const moved = s.isFree ? abs(s.bias - s.centre) : 0;
  const allowed = s.violation * s.firstViolation;
  if (s.violationSum > allowed) return false;
  if (s.activeCount == s.rowCount) return s.violationSum + moved <= allowed;
  activateAll(s);
  return false;
}

function isSpent(s: DcdState): bool {
  return s.visits >= <f64>s.iterationLimit * s.rowCount;
}

/** Sums the exact gap and the primal's loss over all rows, shrunk ones too, at the present w. */
function check(s: DcdState, budget: i64): i64 {
  const x = changetype<Rows>(s.rows);
  while (s.cursor < s.rowCount && budget > 0) {
    const position = s.cursor++;
    const r = tubeRow(s, position);
    budget -= rowLength(x, r.row) + VISIT_COST;
    const score = rowDot(x, r.row, s.w);
    if (s.isFree) put<f64>(s.breaks, position, r.target - score);
    else addTerms(s, r, score + s.bias - r.target);
  }
  return budget;
}

/** Adds a row's part to the gap and to the primal. */
function addTerms(s: DcdState, r: TubeRow, residual: f64): void {
  const isPlain = s.loss == Loss.Tube;
  s.gap += tubeGap(isPlain, r.limit, s.epsilon, r.beta, residual);
  const e = max(abs(residual) - s.epsilon, 0);
  s.primal += isPlain ? r.limit * e : (0.5 / r.limit) * e * e;
}

/** Closes a check: true if the gap is proven. If not, all rows are active again. */
function finishCheck(s: DcdState): bool {
  const x = changetype<Rows>(s.rows);
  s.checks++;
  if (s.isFree) {
    s.bestBias = leastTubeBias(s);
    for (let k: u32 = 0; k < s.rowCount; k++) addTerms(s, tubeRow(s, k), s.bestBias - at<f64>(s.breaks, k));
    if (s.visits == 0) s.bias = s.centre = s.bestBias;
  } else if (s.biasSquare > 0) {
    s.primal += (0.5 * s.bias * s.bias) / s.biasSquare;
  }
  s.primal += 0.5 * dot(s.w, s.w, x.featureCount);
  s.dual = s.primal - s.gap;
  s.recentGap = relativeGap(s.gap, s.primal, s.dual, s.zeroPrimal);
  const converged = s.recentGap <= s.tolerance;
  if (!converged && s.activeCount == s.rowCount) s.trust *= LESS_TRUST;
  activateAll(s);
  s.phase = Phase.Sweep;
  startPhase(s);
  return converged;
}

/** Makes the best of where a solver with a free bias stands, wherever that is: sum beta = 0 and the best bias for w. */
export function settle(s: DcdState): void {
  s.phase = Phase.Check;
  startPhase(s);
  check(s, i64.MAX_VALUE);
  finishCheck(s);
}

/** w, b and the dual value that belong to the dual variables which the host gave. */
function rebuild(s: DcdState, budget: i64): i64 {
  const x = changetype<Rows>(s.rows);
  while (s.cursor < s.rowCount && budget > 0) {
    const r = tubeRow(s, s.cursor++);
    budget -= VISIT_COST;
    if (r.beta == 0) continue;
    budget -= rowLength(x, r.row);
    rowAxpy(s.w, r.beta, x, r.row);
    s.bias += r.beta * s.biasSquare;
    s.dual += r.target * r.beta - s.epsilon * abs(r.beta);
    if (s.loss == Loss.SquaredTube) s.dual -= 0.5 * r.limit * r.beta * r.beta;
  }
  return budget;
}

function finishRebuild(s: DcdState): void {
  s.dual -= 0.5 * dot(s.w, s.w, changetype<Rows>(s.rows).featureCount);
  if (s.biasSquare > 0) s.dual -= (0.5 * s.bias * s.bias) / s.biasSquare;
  s.phase = s.violation > 0 ? Phase.Sweep : Phase.Check;
  startPhase(s);
}

/** Empties the sums that the phase about to begin will fill, and draws the order of a sweep. */
function startPhase(s: DcdState): void {
  s.cursor = 0;
  if (s.phase == Phase.Sweep) {
    shuffle(s.order, s.activeCount, s.random);
    s.pgMax = 0;
    s.violationSum = 0;
    s.estimate = 0;
  } else {
    if (s.isFree) balanceTube(s);
    s.primal = 0;
    s.gap = 0;
  }
}

/** Sets a fresh state's working values; the host has filled everything up to `zeroPrimal`, epsilon, beta, w, order and ends. */
export function start(s: DcdState): void {
  activateAll(s);
  s.visits = 0;
  s.checks = 0;
  s.touched = 0;
  s.trust = 1;
  s.dual = 0;
  s.primal = s.zeroPrimal;
  s.gap = s.zeroPrimal;
  s.recentGap = 1;
  s.reviveBelow = 0;
  s.bias = 0;
  s.centre = 0;
  s.bestBias = 0;
  s.pgMin = 0; // violations have no sign: shrinking has one threshold
  s.firstViolation = 0;
  if (s.isFree) s.biasSquare = freeBiasWeight(s, meanSquare(s, offsetof<TubeRow>()));
  s.cursor = 0;
  s.phase = s.isWarm ? Phase.Rebuild : Phase.Sweep;
  if (!s.isWarm) startPhase(s);
}
