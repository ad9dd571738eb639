// The sequential dual method for the multi-class SVM of Crammer and Singer.
//
//   primal   min_W  P(W) = 1/2 sum_m w_m'w_m + sum_i C_i max_m (1 - [m = y_i] + w_m'x_i - w_{y_i}'x_i)
//   dual     max_a  D(a) = -1/2 sum_m w_m'w_m - sum_i sum_{m != y_i} a_im,   sum_m a_im = 0,   a_im <= C_i [m = y_i]
//   link     w_m = sum_i a_im x_i         kept true after every step
//   shares   p_im = C_i [m = y_i] - a_im  are what is stored: the constraints say that p_i lies in a simplex, p_im >= 0, sum_m p_im = C_i
//   step     g_m = w_m'x_i - [m = y_i],   A = x_i'x_i:   p_i <- the point of the simplex nearest to p_i + g / A,   exact for all of row i
//            A = 0 (an empty row): all of C_i to a class with the largest g
//   gap      P - D = sum_i t_i,   t_i = sum_m p_im (G_i - g_im) >= 0,   G_i = max_m g_im;   the loss of row i is G_i - g_iy_i
//   stop     sum_i t_i <= tolerance * max(P, D, 1e-12 P(0)), all t_i taken at one W; or LIBLINEAR's rule for its -s 4:
//            max_i (G_i - min_{m: p_im > 0} g_im) < epsilon, each as met in one sweep over everything
//
// Keerthi, Sundararajan, Chang, Hsieh, Lin, KDD 2008 (LIBLINEAR paper, appendix E), whose sub-problem is the projection above
// written in a. Differs: (1) stops on the gap, as descent.ts does. (2) Shrinking in two speeds: a sweep over everything (or a check)
// finds each row's active classes, those with a share or less than `margin` below the best; rows with a single one rest. Then only
// active pairs are swept, until their part of the gap has fallen well below what the whole was; then everything is seen again.
// (3) Costs grow in stages, scale * C_i with scale = ..., 1/4, 1/2, 1, where C_i A_i is above 1: a step moves a share by about 1 / A, so
// C_i A_i steps would be needed to carry one across its simplex. Doubling all shares, hence W, carries those that belong at
// a corner there at once. (4) Weights lie feature by feature (class-weights.ts). (5) The bias is the weight of a constant feature
// that is never stored. A sweep over everything costs O(nnz k), one over active pairs O(their rows' values). Memory beyond the
// data: 12 bytes for each (row, class), 36 for each row, 8 for each (feature, class).
// Formulas checked in test/unit/core/crammer-singer.test.ts.

import { CsState } from "../layout/crammer-singer";
import { Rows } from "../layout/rows";
import { at, put } from "../memory";
import { shuffle } from "../random";
import { AHEAD, rowLength, rowSquaredNorm, touchRowStart, touchRowValues } from "../rows";
import { dot } from "../vector";
import { gapTerm, keepNear, rebuildRow, recordAt, scoreRow, sharesOf, visitRow } from "./class-step";
import { LESS_TRUST, Progress, relativeGap } from "./stopping";
import { startScale } from "./warm-start";

const enum Phase {
  Measure = 0, // A_i of all rows
  All = 1, // sweep over all rows and classes, which finds the active pairs
  Active = 2, // sweep over active pairs
  Check = 3, // exact gap over all rows and classes, which finds the active pairs too
  Rebuild = 4, // of W from the shares that the host gave
}

// A visit costs its products plus about this many more. Only the size of a slice depends on it.
const VISIT_COST: u32 = 16;

// Active pairs are swept until their part of the gap is this fraction of what the last look at everything found, or this often.
const ENOUGH: f64 = 0.1;
const MOST_SWEEPS: u32 = 20;

// Shrinking margin, as a multiple of the mean violation sum_i t_i / sum_i C_i.
const MARGIN: f64 = 0.1;

// Rows whose t_i is below this part of their share of the allowed gap are not moved: all of them together do not matter.
const NEGLIGIBLE: f64 = 0.01;

// A stage with scaled costs ends at this relative gap of its own problem. One that is not there after so many passes shows that
// steps are slow for another reason, and there are no more stages.
const STAGE_GAP: f64 = 0.03;
const STAGE_PASSES: f64 = 10;

/** Works until about `budget` products were made or a stopping rule holds. The state is exact at every return. */
export function advance(s: CsState, budget: u32): Progress {
  const end = s.work + <f64>budget;
  while (s.work < end) {
    if (s.phase == Phase.Measure) {
      if (!measure(s, end)) return Progress.Running;
      if (s.isWarm) startRebuild(s);
      else startStages(s);
    } else if (s.phase == Phase.Rebuild) {
      if (!rebuild(s, end)) return Progress.Running;
      finishRebuild(s);
    } else if (s.phase == Phase.Check) {
      if (!check(s, end)) return Progress.Running;
      if (finishCheck(s)) return Progress.Converged;
      if (isSpent(s)) return Progress.IterationLimit;
    } else {
      if (!sweep(s, end)) return Progress.Running;
      if (finishSweep(s)) return Progress.Converged;
      if (s.phase != Phase.Check && isSpent(s)) return Progress.IterationLimit;
    }
  }
  return Progress.Running;
}

/** Visits active rows in their random order from `cursor` on; true at the end of the sweep. */
function sweep(s: CsState, end: f64): bool {
  const x = changetype<Rows>(s.rows);
  while (s.cursor < s.activeCount) {
    if (s.work >= end) return false;
    const k = s.cursor;
    touchAhead(s, x, k);
    const position = at<u32>(s.order, k);
    const r = recordAt(s, position);
    if (s.phase == Phase.All) r.activeClasses = s.classCount;
    s.work += VISIT_COST;
    visitRow(s, x, r);
    if (r.activeClasses > 1) {
      s.cursor = k + 1;
    } else {
      s.activeCount--;
      put<u32>(s.order, k, at<u32>(s.order, s.activeCount));
      put<u32>(s.order, s.activeCount, position);
    }
  }
  return true;
}

/** As in descent.ts: each of the loads that a visit begins with is made a few visits early, one stage per step. */
function touchAhead(s: CsState, x: Rows, k: u32): void {
  if (k + 3 * AHEAD >= s.activeCount) return;
  const far = recordAt(s, at<u32>(s.order, k + 3 * AHEAD));
  const middle = touchRowStart(x, recordAt(s, at<u32>(s.order, k + 2 * AHEAD)).row);
  const near = touchRowValues(x, recordAt(s, at<u32>(s.order, k + AHEAD)).row);
  s.touched += far.row + load<u32>(changetype<usize>(far), 64) + middle + near;
}

/** Closes a sweep: what comes next, and whether the gap looks small enough to be worth computing. True if LIBLINEAR's rule says that this is enough. */
function finishSweep(s: CsState): bool {
  const sawAll = s.phase == Phase.All;
  const zeroPrimal = s.scale * s.zeroPrimal;
  s.visits += max<u32>(s.activeCount, 1);
  s.recentGap = relativeGap(s.estimate, s.dual + s.estimate, s.dual, zeroPrimal);
  s.margin = (MARGIN * s.estimate) / zeroPrimal;
  const byRule = s.violation > 0;
  const isStill = byRule && s.worst < s.violation;
  if (isStill && sawAll && s.scale == 1) return true;
  s.negligible = byRule ? 0 : (NEGLIGIBLE * s.tolerance * max(0, s.dual)) / s.zeroPrimal;
  s.reference = sawAll ? s.estimate : s.reference;
  s.innerSweeps = sawAll ? 0 : s.innerSweeps + 1;
  if (s.scale < 1 && s.recentGap <= STAGE_GAP) {
    grow(s);
  } else if (s.scale < 1 && s.visits - s.stageStart > STAGE_PASSES * s.rowCount) {
    leaveStages(s);
  } else if (!byRule && s.scale == 1 && s.recentGap <= s.trust * s.tolerance) {
    startCheck(s);
  } else {
    const isEnough = !sawAll && (isStill || s.estimate <= ENOUGH * s.reference || s.innerSweeps >= MOST_SWEEPS);
    startSweep(s, s.shrinking && s.activeCount > 0 && !isEnough ? Phase.Active : Phase.All);
  }
  return false;
}

function isSpent(s: CsState): bool {
  return s.visits >= <f64>s.iterationLimit * s.rowCount;
}

function startSweep(s: CsState, phase: Phase): void {
  s.phase = phase;
  if (phase == Phase.All) s.activeCount = s.rowCount;
  s.cursor = 0;
  s.estimate = 0;
  s.worst = 0;
  shuffle(s.order, s.activeCount, s.random);
}

function startCheck(s: CsState): void {
  s.phase = Phase.Check;
  s.cursor = 0;
  s.activeCount = 0;
  s.inactiveFrom = s.rowCount;
  s.primal = 0;
  s.gap = 0;
}

/** Sums the exact gap and the primal's loss over all rows and classes at the present W, and finds the active pairs; true at the end. */
function check(s: CsState, end: f64): bool {
  const x = changetype<Rows>(s.rows);
  while (s.cursor < s.rowCount) {
    if (s.work >= end) return false;
    const position = s.cursor++;
    const r = recordAt(s, position);
    r.activeClasses = s.classCount;
    s.work += VISIT_COST;
    const best = scoreRow(s, x, r);
    s.gap += gapTerm(s, r, best);
    s.primal += r.cost * (best - at<f64>(s.scores, r.classId));
    keepNear(s, r, best);
    put<u32>(s.order, r.activeClasses > 1 ? s.activeCount++ : --s.inactiveFrom, position);
  }
  return true;
}

/** Closes a check: true if the gap is proven. If not, the active pairs that it found are swept. */
function finishCheck(s: CsState): bool {
  s.checks++;
  s.primal += 0.5 * dot(s.w, s.w, weightCount(s));
  s.dual = s.primal - s.gap;
  s.recentGap = relativeGap(s.gap, s.primal, s.dual, s.zeroPrimal);
  const converged = s.recentGap <= s.tolerance;
  if (!converged && s.visits > 0) s.trust *= LESS_TRUST;
  s.reference = s.gap;
  s.innerSweeps = 0;
  startSweep(s, s.shrinking && s.activeCount > 0 ? Phase.Active : Phase.All);
  return converged;
}

/** Sets a fresh state's working values; the host has filled the pointers, the settings and the table, and left w at zero; with isWarm also the shares. */
export function start(s: CsState): void {
  s.visits = 0;
  s.stageStart = 0;
  s.work = 0;
  s.checks = 0;
  s.touched = 0;
  s.innerSweeps = 0;
  s.trust = 1;
  s.margin = Infinity;
  s.negligible = 0;
  s.dual = 0;
  s.estimate = 0;
  s.primal = s.zeroPrimal;
  s.gap = s.zeroPrimal;
  s.reference = s.zeroPrimal;
  s.recentGap = 1;
  s.scale = 1;
  s.phase = Phase.Measure;
  s.cursor = 0;
}

/** A_i of all rows; `estimate` takes the sum of C_i^2 A_i on the way. */
function measure(s: CsState, end: f64): bool {
  const x = changetype<Rows>(s.rows);
  while (s.cursor < s.rowCount) {
    if (s.work >= end) return false;
    const position = s.cursor++;
    const r = recordAt(s, position);
    r.curvature = rowSquaredNorm(x, r.row) + s.biasScale * s.biasScale;
    s.estimate += r.cost * r.cost * r.curvature;
    s.work += rowLength(x, r.row) + VISIT_COST;
    put<u32>(s.order, position, position);
  }
  return true;
}

/** The first scale: the largest 1, 1/2, 1/4, ... at which C_i A_i is about 1 on the mean, weighed by C_i. All shares to the own class. */
function startStages(s: CsState): void {
  while (s.scale * s.estimate > 1.5 * s.zeroPrimal) s.scale *= 0.5;
  for (let position: u32 = 0; position < s.rowCount; position++) {
    const r = recordAt(s, position);
    for (let m: u32 = 0; m < s.classCount; m++) put<f64>(sharesOf(r), m, m == r.classId ? s.scale * r.cost : 0);
  }
  startSweep(s, Phase.All);
}

function startRebuild(s: CsState): void {
  s.phase = Phase.Rebuild;
  s.cursor = 0;
}

/** Shares of all rows into their simplex, and W from them; `dual` takes D's linear part. */
function rebuild(s: CsState, end: f64): bool {
  const x = changetype<Rows>(s.rows);
  while (s.cursor < s.rowCount) {
    if (s.work >= end) return false;
    s.work += VISIT_COST;
    rebuildRow(s, x, recordAt(s, s.cursor++));
  }
  return true;
}

/** A start has what the stages are for, its shares at their corners; one that is worse than none is scaled (warm-start.ts). */
function finishRebuild(s: CsState): void {
  const size = weightCount(s);
  const quadratic = 0.5 * dot(s.w, s.w, size);
  const t = startScale(s.dual, quadratic);
  if (t < 1) {
    for (let k: u32 = 0; k < size; k++) put<f64>(s.w, k, t * at<f64>(s.w, k));
    for (let position: u32 = 0; position < s.rowCount; position++) {
      const r = recordAt(s, position);
      const shares = sharesOf(r);
      for (let m: u32 = 0; m < s.classCount; m++) put<f64>(shares, m, t * at<f64>(shares, m));
      put<f64>(shares, r.classId, at<f64>(shares, r.classId) + (1 - t) * r.cost);
    }
  }
  s.dual = t * (s.dual - t * quadratic);
  if (s.violation > 0) startSweep(s, Phase.All);
  else startCheck(s);
}

/** Costs, shares and weights times two: D's linear part doubles, its quadratic part is times four. */
function grow(s: CsState): void {
  const size = weightCount(s);
  const quadratic = 0.5 * dot(s.w, s.w, size);
  s.dual = 2 * (s.dual + quadratic) - 4 * quadratic;
  for (let k: u32 = 0; k < size; k++) put<f64>(s.w, k, 2 * at<f64>(s.w, k));
  for (let position: u32 = 0; position < s.rowCount; position++) {
    const shares = sharesOf(recordAt(s, position));
    for (let m: u32 = 0; m < s.classCount; m++) put<f64>(shares, m, 2 * at<f64>(shares, m));
  }
  s.scale *= 2;
  s.stageStart = s.visits;
  startSweep(s, Phase.All);
}

/** To the true costs at once. The dual variables stay, hence W and D; what was missing from C_i goes to the own class's share. */
function leaveStages(s: CsState): void {
  for (let position: u32 = 0; position < s.rowCount; position++) {
    const r = recordAt(s, position);
    const own = at<f64>(sharesOf(r), r.classId);
    put<f64>(sharesOf(r), r.classId, own + (1 - s.scale) * r.cost);
  }
  s.scale = 1;
  startSweep(s, Phase.All);
}

function weightCount(s: CsState): u32 {
  return (changetype<Rows>(s.rows).featureCount + 1) * (s.stride >> 3);
}
