// The judge of linear regression with a tube: objectives recomputed in float64 from raw rows, targets and costs. Shares nothing with the solvers.
//
//   P(w, b) = 1/2 (w'w + v^2) + sum_i C_i loss(r_i),   r_i = w'x_i + b - t_i        loss(r) = max(0, |r| - epsilon), or its square
//   D(beta) = sum_i (t_i beta_i - epsilon |beta_i| [- beta_i^2 / (4 C_i)]) - 1/2 (u'u + s^2),   u = sum_i beta_i x_i
//             plain: |beta_i| <= C_i;   squared, with the term in brackets: beta_i is free
//   bias      augmented: v = b / biasScale, s = biasScale sum_i beta_i;   none: v = s = 0;   unregularised: v = 0, and D needs sum_i beta_i = 0
//
// Weak duality: D(beta) <= P* <= P(w, b) for every feasible beta and every (w, b). A dual point is made feasible first: into the box, the
// heavier of its two signs scaled down until they balance; then the best multiple is taken, D(t beta) = t A - t^2 B. For the squared loss
// the point that the residuals suggest, beta_i = -C_i loss'(r_i), is tried beside the solver's own and the better one counts.
//
// With a free bias D does not change when all targets move by the same amount. It is computed with their mean taken off, so that an
// offset takes no digits away; and the zero model, which sets the floor of the gap, is then the one that predicts that mean.
// Checked on hand-solved problems and by perturbation in test/unit/certify/regression.test.ts.

import type { Matrix } from "../data/matrix.js";
import type { Certificate } from "../model/certificate.js";
import { type Passes, plainPasses } from "./passes.js";
import { relativeGap, sumOfSquares } from "./rows.js";

/** The problem as the judge sees it: which rows, with which targets and costs. */
export interface JudgedRegression {
  readonly rowIds: ArrayLike<number>;
  readonly targets: ArrayLike<number>;
  readonly costs: ArrayLike<number>;
  readonly loss: "epsilon_insensitive" | "squared_epsilon_insensitive";
  readonly epsilon: number;
  readonly bias: "unregularised" | "augmented" | false;
  readonly biasScale: number;
}

/** What the judge is to judge; beta is undefined where only the residuals can suggest a dual point. */
export interface JudgedRegressionPoint {
  readonly w: Float64Array;
  readonly bias: number;
  readonly beta: ArrayLike<number> | undefined;
}

export function certifyRegression(
  x: Matrix,
  problem: JudgedRegression,
  { w, bias, beta }: JudgedRegressionPoint,
  passes = plainPasses(x),
): Certificate {
  const { rowIds, targets, costs, epsilon } = problem;
  const products = passes.times(rowIds, w);
  const excess = new Float64Array(rowIds.length);
  // The bias and the targets may both be large: their difference first.
  for (let k = 0; k < excess.length; k++) excess[k] = beyond((products[k] as number) + (bias - (targets[k] as number)), epsilon);
  const v = problem.bias === "augmented" ? bias / problem.biasScale : 0;
  const primal = 0.5 * (sumOfSquares(w) + v * v) + lossSum(problem, excess);
  // beta = 0 is feasible in every problem, and its objective is 0.
  let dual = 0;
  if (beta !== undefined) dual = Math.max(dual, bestDual(passes, problem, Float64Array.from(beta)));
  if (problem.loss === "squared_epsilon_insensitive") {
    const suggested = excess.map((value, k) => -2 * (costs[k] as number) * value);
    dual = Math.max(dual, bestDual(passes, problem, suggested));
  }
  return { primal, dual, relativeGap: relativeGap(primal, dual, zeroRegressionObjective(problem)) };
}

/** What the model without weights costs: it predicts 0 or, with a free bias, the mean of the targets. */
export function zeroRegressionObjective(problem: JudgedRegression): number {
  const centre = centreOf(problem);
  return lossSum(
    problem,
    Float64Array.from(problem.targets, (target) => beyond(centre - target, problem.epsilon)),
  );
}

/** How far a residual is outside the tube, with its sign. */
function beyond(residual: number, epsilon: number): number {
  return Math.sign(residual) * Math.max(0, Math.abs(residual) - epsilon);
}

function lossSum({ costs, loss }: JudgedRegression, excess: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < excess.length; k++) {
    const e = Math.abs(excess[k] as number);
    sum += (costs[k] as number) * (loss === "epsilon_insensitive" ? e : e * e);
  }
  return sum;
}

/** What may be taken off all targets without changing the problem: their weighted mean if the bias is free, else nothing. */
function centreOf({ bias, targets, costs }: JudgedRegression): number {
  if (bias !== "unregularised") return 0;
  let sum = 0;
  let total = 0;
  for (let k = 0; k < targets.length; k++) {
    sum += (costs[k] as number) * (targets[k] as number);
    total += costs[k] as number;
  }
  return total > 0 ? sum / total : 0;
}

/** The best D among the multiples of a dual point, made feasible. Changes `beta`. */
function bestDual(passes: Passes, problem: JudgedRegression, beta: Float64Array): number {
  const { rowIds, targets, costs, epsilon } = problem;
  const isPlain = problem.loss === "epsilon_insensitive";
  if (isPlain) {
    for (let k = 0; k < beta.length; k++) beta[k] = Math.min(Math.max(-(costs[k] as number), beta[k] as number), costs[k] as number);
  }
  if (problem.bias === "unregularised") balance(beta);
  const centre = centreOf(problem);
  let sum = 0;
  let linear = 0;
  let quadratic = 0;
  for (let k = 0; k < beta.length; k++) {
    const value = beta[k] as number;
    if (value === 0) continue;
    sum += value;
    linear += ((targets[k] as number) - centre) * value - epsilon * Math.abs(value);
    if (!isPlain) quadratic += (value * value) / (4 * (costs[k] as number));
  }
  const s = problem.bias === "augmented" ? problem.biasScale * sum : 0;
  quadratic += 0.5 * (sumOfSquares(passes.sum(rowIds, beta)) + s * s);
  const best = linear / (2 * quadratic);
  const t = isPlain && !(best < 1) ? 1 : Math.max(0, best);
  return Number.isFinite(t) ? t * (linear - t * quadratic) : 0;
}

/** Scales the sign with the larger sum down until both are equal. */
function balance(beta: Float64Array): void {
  let positive = 0;
  let negative = 0;
  for (const value of beta) {
    if (value > 0) positive += value;
    else negative -= value;
  }
  if (positive === negative) return;
  const heavier = positive > negative ? 1 : -1;
  const scale = Math.min(positive, negative) / Math.max(positive, negative);
  for (let k = 0; k < beta.length; k++) if ((beta[k] as number) * heavier > 0) beta[k] = (beta[k] as number) * scale;
}
