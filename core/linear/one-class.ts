// The linear one-class problem as a hinge loss with a free bias.
//
//   primal   min_w,rho  P = 1/2 w'w - N rho + sum_i c_i max(0, rho - w'x_i),      N = nu sum_i c_i
//   dual     max_a      D = -1/2 w'w,   w = sum_i a_i x_i,   0 <= a_i <= c_i,   sum_i a_i = N
//
// With b = -rho this is the hinge of dcd-svc.ts with every y_i = 1, a margin of 0 instead of 1, and y'a = N instead of y'a = 0: the method of multipliers has
// b = c + s^2 (sum_i a_i - N), so b begins at -s^2 N, and everything else is as in free-bias.ts. The gap is the same sum of the rows' parts.
//
// P(t w, t rho) is a parabola in t, so the best multiple of a model is known: with gap = P - D at t = 1 it is t = max(0, 1 - gap / (2 |D|)) and
// leaves gap - gap^2 / (4 |D|), or |D| where t = 0. That matters where the origin is among the rows: the optimum is then w = 0, which no w on its way there is.
//
// LIBLINEAR (-s 21, Chou, Lin, Lin, SDM 2020) keeps the equation and moves two variables at a time. Figures: docs/algorithms/linear-one-class.md.
// Checked in test/unit/core/one-class.test.ts.

import { DcdState } from "../layout/descent";
import { Rows } from "../layout/rows";
import { dot } from "../vector";

// Adding up each step's gain is exact to about 1e-16 of the problem's size. Where D has fallen to this share of it, that may be no digits at all.
const SMALL: f64 = 1e-8;

/** What is left of a gap when the best multiple of the model is taken. */
export function scaledGap(gap: f64, dual: f64): f64 {
  const half = abs(dual);
  return gap < 2 * half ? gap - (gap * gap) / (4 * half) : half;
}

/** After an epoch: the gap as estimated on the way, with the best multiple taken. Where the running dual value has lost its digits it is computed anew. */
export function estimatedGap(s: DcdState): f64 {
  if (abs(s.dual) < SMALL * s.zeroPrimal) {
    const excess = (s.bias - s.centre) / s.biasSquare;
    s.dual = -0.5 * dot(s.w, s.w, changetype<Rows>(s.rows).featureCount) - excess * (s.centre + 0.5 * s.biasSquare * excess);
  }
  return scaledGap(s.estimate, s.dual);
}

/** Ends a check: P gets its part N b, then P and the gap are those of the best multiple. */
export function takeBestMultiple(s: DcdState): void {
  s.primal += s.total * s.bestBias;
  const dual = s.primal - s.gap;
  s.multiple = s.gap < 2 * abs(dual) ? 1 - s.gap / (2 * abs(dual)) : 0;
  s.gap = scaledGap(s.gap, dual);
  s.primal = dual + s.gap;
}

/** b = c + s^2 (sum a - N), and the dual value that goes with it; where the host gave dual variables, rebuilding them adds the rest. */
export function startOneClass(s: DcdState): void {
  s.bias = -s.biasSquare * s.total;
  s.multiple = 1;
  if (!s.isWarm) s.dual = -0.5 * s.biasSquare * s.total * s.total;
}
