// Dual coordinate descent between its first epoch and its proof, whatever the loss: epochs over rows in random order, checks of the exact gap, and
// where it begins. What one row does is dcd-svc.ts (hinge, squared hinge, one-class) and dcd-svr.ts (regression with a tube); the rest is
// shrinking.ts, free-bias.ts, growing-costs.ts, one-class.ts and warm-start.ts.
//
// A row's score f = w'x_i + b is measured from its anchor, y_i times the margin or the target: the losses depend on f - anchor alone.
// Checked in test/unit/core/dcd-svc.test.ts and dcd-svr.test.ts.

import { DcdRow, DcdState, isTube, TubeRow, tableRow } from "../layout/descent";
import { Loss, Rows } from "../layout/rows";
import { at, put } from "../memory";
import { shuffle } from "../random";
import { AHEAD, rowAxpy, rowDot, rowLength, touchRowStart, touchRowValues } from "../rows";
import { dot } from "../vector";
import { hingeGap, hingeVisit } from "./dcd-svc";
import { tubeGap, tubeVisit } from "./dcd-svr";
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
  // One loop a loss: a visit must be compiled into its loop (docs/performance.md).
  return isTube(s) ? sweepTube(s, budget) : sweepHinge(s, budget);
}

function sweepHinge(s: DcdState, budget: i64): i64 {
  const x = changetype<Rows>(s.rows);
  while (s.cursor < s.activeCount && budget > 0) {
    touchAhead(s, x, s.cursor);
    const r = tableRow(s, at<u32>(s.order, s.cursor));
    budget -= rowLength(x, r.row) + VISIT_COST;
    if (hingeVisit(s, x, r)) s.cursor++;
    else setAside(s);
  }
  return budget;
}

function sweepTube(s: DcdState, budget: i64): i64 {
  const x = changetype<Rows>(s.rows);
  while (s.cursor < s.activeCount && budget > 0) {
    touchAhead(s, x, s.cursor);
    const r = changetype<TubeRow>(tableRow(s, at<u32>(s.order, s.cursor)));
    budget -= rowLength(x, r.row) + VISIT_COST;
    if (tubeVisit(s, x, r)) s.cursor++;
    else setAside(s);
  }
  return budget;
}

/** Exchanges the row at the cursor with the last active one, which is visited next. */
function setAside(s: DcdState): void {
  const last = --s.activeCount;
  const position = at<u32>(s.order, s.cursor);
  put<u32>(s.order, s.cursor, at<u32>(s.order, last));
  put<u32>(s.order, last, position);
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

/** Closes an epoch: thresholds for the next one, and whether the gap looks small enough to be worth computing. */
function finishEpoch(s: DcdState): Progress {
  if (s.visits == 0) s.firstViolation = s.violationSum;
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
    if (s.isFree) put<f64>(s.breaks, position, anchorOf(s, r) - score);
    else addTerms(s, r, score + s.bias - anchorOf(s, r));
  }
  return budget;
}

function anchorOf(s: DcdState, r: DcdRow): f64 {
  return isTube(s) ? changetype<TubeRow>(r).target : <f64>r.y * s.margin;
}

/** Adds a row's part to the gap and to the primal; `away` is w'x_i + b less the row's anchor. */
function addTerms(s: DcdState, r: DcdRow, away: f64): void {
  const bounded = hasBounds(s);
  const loss = isTube(s) ? max(abs(away) - s.epsilon, 0) : max(-(<f64>r.y) * away, 0);
  s.gap += isTube(s) ? tubeGap(bounded, r.limit, s.epsilon, r.alpha, away) : hingeGap(bounded, r.limit, r.alpha, <f64>r.y * away);
  s.primal += bounded ? r.limit * loss : (0.5 / r.limit) * loss * loss;
}

/** Whether `limit` is a bound U_i = C_i; else it is D_ii = 1 / (2 C_i) of a squared loss. */
function hasBounds(s: DcdState): bool {
  return s.loss == Loss.Hinge || s.loss == Loss.Tube;
}

/** Closes a check: true if the gap is proven. If not, all rows are active again. */
function finishCheck(s: DcdState): bool {
  const x = changetype<Rows>(s.rows);
  s.checks++;
  if (s.isFree) {
    s.bestBias = leastLossBias(s);
    for (let k: u32 = 0; k < s.rowCount; k++) addTerms(s, tableRow(s, k), s.bestBias - at<f64>(s.breaks, k));
    if (s.visits == 0) s.bias = s.centre = s.bestBias;
  } else if (s.biasSquare > 0) {
    s.primal += (0.5 * s.bias * s.bias) / s.biasSquare;
  }
  s.primal += 0.5 * dot(s.w, s.w, x.featureCount);
  if (s.total > 0) takeBestMultiple(s);
  s.dual = s.primal - s.gap;
  s.recentGap = relativeGap(s.gap, s.primal, s.dual, s.zeroPrimal);
  const converged = s.recentGap <= s.tolerance;
  // The first check of a start says nothing about the estimate: there was none.
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

/** w and b that belong to the dual variables which the host gave; `dual` takes the part of D that rewards them, `estimate` 1/2 sum D_ii a_i^2. */
function rebuild(s: DcdState, budget: i64): i64 {
  const x = changetype<Rows>(s.rows);
  while (s.cursor < s.rowCount && budget > 0) {
    const r = tableRow(s, s.cursor++);
    budget -= VISIT_COST;
    if (r.alpha == 0) continue;
    budget -= rowLength(x, r.row);
    const signed = isTube(s) ? r.alpha : r.alpha * <f64>r.y;
    rowAxpy(s.w, signed, x, r.row);
    s.bias += signed * s.biasSquare;
    s.dual += anchorOf(s, r) * signed - s.epsilon * abs(r.alpha);
    if (!hasBounds(s)) s.estimate += 0.5 * r.limit * r.alpha * r.alpha;
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
    // A tube's violations have no sign: shrinking has one threshold there.
    s.pgMax = isTube(s) ? 0 : -Infinity;
    s.pgMin = isTube(s) ? 0 : Infinity;
    s.violationSum = 0;
    s.estimate = 0;
  } else {
    if (s.isFree) balance(s);
    s.primal = 0;
    s.gap = 0;
  }
}

/** Sets a fresh state's working values; the host has filled everything up to `zeroPrimal`, the constants of its loss, alpha, w and order. */
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
  s.firstViolation = 0;
  s.scale = 1;
  if (s.total > 0) startOneClass(s);
  else if (s.isFree || s.grows) {
    const curvature = meanSquare(s);
    if (s.isFree) s.biasSquare = freeBiasWeight(s, curvature);
    if (s.grows) startGrowing(s, curvature + s.biasSquare);
  }
  s.cursor = 0;
  s.phase = s.isWarm ? Phase.Rebuild : Phase.Sweep;
  if (!s.isWarm) startPhase(s);
}
