// The judge of multinomial logistic regression: objectives recomputed in float64 from raw rows, classes and costs. Shares nothing with
// the solvers.
//
//   P(W, b) = 1/2 sum_m (w_m'w_m + v_m^2) + sum_i C_i (log sum_m e^z_im - z_iy),     z_im = w_m'x_i + b_m
//   D(q)    = -sum_i C_i sum_m q_im log q_im - 1/2 sum_m (u_m'u_m + s_m^2),           u_m = sum_i C_i ([m = y_i] - q_im) x_i
//             for any probabilities q_i: the dual variables are a_im = C_i ([m = y_i] - q_im)
//   bias      augmented: v_m = b_m / biasScale, s_m = biasScale sum_i a_im;   none: v = s = 0;
//             unregularised: v = 0, and D needs sum_i a_im = 0 in every class
//
// Weak duality: D(q) <= P* <= P(W, b). The conjugate of the loss behind it: log-sum-exp's is the negative entropy on probabilities.
// Points tried: the p that the scores suggest, and the solver's own a. With a free bias either is mixed with one more distribution r,
// q_i = (1 - t) p_i + t r, the smallest t that lets every class have its total: sum_i C_i q_im = N_m = sum of C_i with y_i = m asks for
// t S r_m = N_m - (1 - t) T_m >= 0, T_m = sum_i C_i p_im, S = sum_i C_i. P and D are computed independently.
// Checked on hand-solved problems and by perturbation in test/unit/certify/multinomial.test.ts.

import { exp, log } from "../base/math.js";
import type { Matrix } from "../data/matrix.js";
import type { Certificate } from "../model/certificate.js";
import { addRow, forEachScores, relativeGap, sumOfSquares } from "./rows.js";

/** The problem as the judge sees it. */
export interface JudgedMultinomial {
  readonly rowIds: ArrayLike<number>;
  readonly classIds: ArrayLike<number>;
  readonly classCount: number;
  readonly costs: ArrayLike<number>;
  readonly bias: "unregularised" | "augmented" | false;
  readonly biasScale: number;
}

/** w is class-major, f64[classCount * featureCount]; alpha, where given, f64[rows * classCount]. */
export interface JudgedMultiPoint {
  readonly w: Float64Array;
  readonly bias: Float64Array;
  readonly alpha: ArrayLike<number> | undefined;
}

export function certifyMultinomial(x: Matrix, problem: JudgedMultinomial, point: JudgedMultiPoint): Certificate {
  const { rowIds, classIds, classCount: k, costs, biasScale } = problem;
  let primal = 0.5 * sumOfSquares(point.w);
  if (problem.bias === "augmented") for (const b of point.bias) primal += 0.5 * (b / biasScale) * (b / biasScale);

  const suggested = new Float64Array(rowIds.length * k);
  forEachScores(x, rowIds, point, (z, i) => {
    const most = z.reduce((a, b) => Math.max(a, b), -Infinity);
    const powers = z.map((value) => exp(value - most));
    const sum = powers.reduce((a, b) => a + b, 0);
    primal += (costs[i] as number) * (log(sum) + (most - (z[classIds[i] as number] as number)));
    for (let m = 0; m < k; m++) suggested[i * k + m] = (powers[m] as number) / sum;
  });

  let dual = dualObjective(x, problem, suggested);
  if (point.alpha !== undefined) dual = Math.max(dual, dualObjective(x, problem, probabilitiesOf(problem, point.alpha)));
  // q_i = all in its own class: a = 0, and the objective is 0.
  dual = Math.max(dual, 0);
  return { primal, dual, relativeGap: relativeGap(primal, dual, multinomialZeroObjective(problem)) };
}

/** P(0): what the zero model costs. */
export function multinomialZeroObjective({ costs, classCount }: Pick<JudgedMultinomial, "costs" | "classCount">): number {
  let total = 0;
  for (let i = 0; i < costs.length; i++) total += costs[i] as number;
  return total * log(classCount);
}

/** The probabilities behind dual variables, moved into the simplex where they are not. */
function probabilitiesOf({ classIds, classCount: k, costs }: JudgedMultinomial, alpha: ArrayLike<number>): Float64Array {
  const q = Float64Array.from(alpha, (a) => -a);
  for (let i = 0; i < costs.length; i++) {
    const row = q.subarray(i * k, (i + 1) * k);
    let sum = 0;
    for (let m = 0; m < k; m++) {
      row[m] = Math.max(0, (row[m] as number) / (costs[i] as number) + (m === classIds[i] ? 1 : 0));
      sum += row[m] as number;
    }
    for (let m = 0; m < k; m++) row[m] = sum > 0 ? (row[m] as number) / sum : m === classIds[i] ? 1 : 0;
  }
  return q;
}

/** D at probabilities, made feasible first. Changes `q`. */
function dualObjective(x: Matrix, problem: JudgedMultinomial, q: Float64Array): number {
  const { rowIds, classIds, classCount: k, costs } = problem;
  if (problem.bias === "unregularised") matchTotals(problem, q);
  const u = Array.from({ length: k }, () => new Float64Array(x.featureCount));
  const s = new Float64Array(k);
  let dual = 0;
  for (let i = 0; i < rowIds.length; i++) {
    const C = costs[i] as number;
    for (let m = 0; m < k; m++) {
      const p = q[i * k + m] as number;
      if (p > 0) dual -= C * p * log(p);
      const a = C * ((m === classIds[i] ? 1 : 0) - p);
      if (a === 0) continue;
      s[m] = (s[m] as number) + a;
      addRow(u[m] as Float64Array, a, x, rowIds[i] as number);
    }
  }
  for (const um of u) dual -= 0.5 * sumOfSquares(um);
  if (problem.bias === "augmented") dual -= 0.5 * problem.biasScale * problem.biasScale * sumOfSquares(s);
  return dual;
}

/** Mixes every q_i with one distribution so that each class gets its total. */
function matchTotals({ classIds, classCount: k, costs }: JudgedMultinomial, q: Float64Array): void {
  const wanted = new Float64Array(k);
  const got = new Float64Array(k);
  let total = 0;
  for (let i = 0; i < costs.length; i++) {
    const C = costs[i] as number;
    total += C;
    const y = classIds[i] as number;
    wanted[y] = (wanted[y] as number) + C;
    for (let m = 0; m < k; m++) got[m] = (got[m] as number) + C * (q[i * k + m] as number);
  }
  let keep = 1;
  for (let m = 0; m < k; m++) if ((got[m] as number) > 0) keep = Math.min(keep, (wanted[m] as number) / (got[m] as number));
  if (keep === 1) return;
  // t r_m, all of it above or at 0 by the choice of t = 1 - keep.
  const added = wanted.map((n, m) => Math.max(0, n - keep * (got[m] as number)) / total);
  for (let j = 0; j < q.length; j++) q[j] = keep * (q[j] as number) + (added[j % k] as number);
}
