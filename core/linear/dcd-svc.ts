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
// An epoch costs O(nnz), a check half of that. Epochs and checks are descent.ts; here is what one row does. Formulas checked in
// test/unit/core/dcd-svc.test.ts.

import { DcdRow, DcdState } from "../layout/descent";
import { Loss, Rows } from "../layout/rows";
import { rowAxpy, rowDot, rowSquaredNorm } from "../rows";

/** Minimises the dual over one coordinate; false if the row was found to be one to shrink instead. */
export function hingeVisit(s: DcdState, x: Rows, r: DcdRow): bool {
  const hinge = s.loss == Loss.Hinge;
  const upper = hinge ? r.limit : Infinity;
  const diagonal = hinge ? 0 : r.limit;
  if (s.visits == 0) r.curvature = rowSquaredNorm(x, r.row) + s.biasSquare + diagonal;

  const y = <f64>r.y;
  const old = r.alpha;
  const m = y * (rowDot(x, r.row, s.w) + s.bias) - s.margin; // minus the slack where negative
  const g = m + diagonal * old;
  s.estimate += hingeGap(hinge, r.limit, old, m);

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
export function hingeGap(hinge: bool, limit: f64, a: f64, m: f64): f64 {
  if (hinge) return m > 0 ? a * m : (a - limit) * m;
  if (m >= 0) return a * (m + 0.5 * limit * a);
  const g = m + limit * a;
  return (g * g) / (2 * limit);
}
