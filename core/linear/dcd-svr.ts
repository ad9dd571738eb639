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
// Terms in brackets: bias "augmented", s = 0 for no bias; a free bias: free-bias.ts.
//
// Ho and Lin, JMLR 2012: algorithm 3 with the shrinking of its section 4.2. Differs as dcd-svc.ts does from its paper: stops on the gap, which every
// epoch estimates for nothing; Q_ii computed at a row's first visit; rows shrunk earlier at first, and brought back (shrinking.ts); plain steps
// over-relaxed (Mangasarian and Musicant, IEEE Trans. Neural Networks 1999). An epoch costs O(nnz), a check half of that. Epochs and checks
// are descent.ts; here is what one row does. Formulas checked in test/unit/core/dcd-svr.test.ts.

import { DcdState, TubeRow } from "../layout/descent";
import { Loss, Rows } from "../layout/rows";
import { rowAxpy, rowDot, rowSquaredNorm } from "../rows";

// Over-relaxation under the plain loss: up to a third fewer passes where C is large, hardly ever more (docs/algorithms/linear-svr.md has the figures).
// Not with a free bias, whose centre moves after every epoch: two rows and a bias have been seen to swing for ever.
const RELAXATION: f64 = 1.4;

/** Minimises the dual over one coordinate; false if the row was found to be one to shrink instead. */
export function tubeVisit(s: DcdState, x: Rows, r: TubeRow): bool {
  const isPlain = s.loss == Loss.Tube;
  const upper = isPlain ? r.limit : Infinity;
  const diagonal = isPlain ? 0 : r.limit;
  if (s.visits == 0) r.curvature = rowSquaredNorm(x, r.row) + s.biasSquare + diagonal;

  const old = r.alpha;
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
  r.alpha = next;
  s.dual -= step * (g + 0.5 * r.curvature * step) + s.epsilon * (abs(next) - abs(old));
  rowAxpy(s.w, step, x, r.row);
  s.bias += step * s.biasSquare;
  return true;
}

/** So much farther than to the minimum where that is on the same side of the kink: D still rises, as it is a parabola there. */
export function relaxed(old: f64, next: f64): f64 {
  const farther = old + RELAXATION * (next - old);
  return old * next >= 0 && farther * next > 0 ? farther : next;
}

/**
 * Row i's part of P - D, r its residual. With a = -beta where r > 0, a = beta elsewhere, m = |r| and e = max(0, m - epsilon):
 *   plain     a >= 0:  (C - a) e where m > epsilon, else a (epsilon - m)            a < 0:  C e + |a| (m + epsilon)
 *   squared   a >= 0:  (e - D a)^2 / (2 D), else a (epsilon - m) + D a^2 / 2        a < 0:  e^2 / (2 D) + |a| (m + epsilon) + D a^2 / 2
 */
export function tubeGap(isPlain: bool, limit: f64, epsilon: f64, beta: f64, residual: f64): f64 {
  const a = residual > 0 ? -beta : beta;
  const m = abs(residual);
  const e = max(m - epsilon, 0);
  const rest = isPlain ? 0 : 0.5 * limit * a * a;
  if (a < 0) return (isPlain ? limit * e : (e * e) / (2 * limit)) - a * (m + epsilon) + rest;
  if (m <= epsilon) return a * (epsilon - m) + rest;
  if (isPlain) return (limit - a) * e;
  const g = e - limit * a;
  return (g * g) / (2 * limit);
}
