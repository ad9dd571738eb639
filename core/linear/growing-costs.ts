// Costs that grow, in dual coordinate descent for the hinge loss: the problem is solved roughly for scale * C_i, scale = ..., 1/4, 1/2, before it
// is solved for C_i itself.
//
// A step moves a dual variable by about 1 / Q_ii, so a row that belongs at its bound needs C_i Q_ii steps to get there, an epoch each. Doubling the costs
// and all dual variables with them, hence w and b, carries it there in log2(C_i Q_ii) stages of a few epochs: rows at their bounds stay
// there, and the others stand about where the larger costs want them, because along C the solution's bounded part grows in proportion.
//
//   a <- 2 a, w <- 2 w, b <- 2 b, c <- 2 c       D's linear part sum_i a_i doubles, everything else in it is times four
//
// Checked in test/unit/core/growing-costs.test.ts; what it gains: docs/algorithms/dual-coordinate-descent.md.

import { DcdState, tableRow } from "../layout/descent";
import { Rows } from "../layout/rows";
import { at, put } from "../memory";
import { activateAll } from "./shrinking";

// C_i Q_ii, on the mean, from which on growing pays, and where it begins.
const LARGE: f64 = 32;
const SMALL: f64 = 1.5;

// A stage ends at this relative gap, or after so many passes.
const STAGE_GAP: f64 = 0.03;
const STAGE_PASSES: f64 = 10;

/** The first scale, a power of two, for rows whose mean square is `curvature`; the limits are made smaller by it. */
export function startGrowing(s: DcdState, curvature: f64): void {
  s.scale = 1;
  s.stageStart = 0;
  if (s.zeroPrimal * curvature <= LARGE * s.rowCount) return;
  while (s.scale * s.zeroPrimal * curvature > SMALL * s.rowCount && s.scale > 1e-30) s.scale *= 0.5;
  if (s.scale < 1) for (let k: u32 = 0; k < s.rowCount; k++) tableRow(s, k).limit *= s.scale;
}

/** Whether the present costs have been solved for well enough to go on to larger ones. */
export function isStageDone(s: DcdState): bool {
  return s.recentGap <= STAGE_GAP || s.visits - s.stageStart >= STAGE_PASSES * s.rowCount;
}

/** Costs and everything that belongs to them times two. */
export function grow(s: DcdState): void {
  const d = changetype<Rows>(s.rows).featureCount;
  let linear: f64 = 0;
  for (let k: u32 = 0; k < s.rowCount; k++) {
    const r = tableRow(s, k);
    linear += r.alpha;
    r.alpha *= 2;
    r.limit *= 2;
  }
  for (let j: u32 = 0; j < d; j++) put<f64>(s.w, j, 2 * at<f64>(s.w, j));
  s.dual = 2 * linear + 4 * (s.dual - linear);
  s.bias *= 2;
  s.centre *= 2;
  s.scale *= 2;
  s.stageStart = s.visits;
  activateAll(s);
}
