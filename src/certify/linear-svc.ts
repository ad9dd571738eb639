// The judge of the linear SVM: objectives recomputed in float64 from raw rows, labels and costs. Shares nothing with the solver.
//
//   P(w, b) = 1/2 (w'w + v^2) + sum_i C_i loss(y_i (w'x_i + b))          v = b / biasScale, the bias's own weight; none: 0
//   D(a)    = sum_i a_i - 1/2 (u'u + s^2) - sum_i a_i^2 / (4 C_i) [squared hinge only],   u = sum_i a_i y_i x_i,
//             s = biasScale * sum_i a_i y_i,   for 0 <= a_i (<= C_i under the hinge)
//
// Weak duality: D(a) <= P* <= P(w) for every feasible a and every w. A dual point from outside is first moved into its box, so
// that the bound holds whatever it was. P and D are computed independently: that w = u is nowhere assumed.
// For the squared hinge the point a_i = 2 C_i max(0, 1 - m_i), scaled by its best t, is tried too, and the better one kept.
// Checked on hand-solved problems and by perturbation in test/unit/certify/linear-svc.test.ts.

import type { Matrix } from "../data/matrix.js";
import type { Certificate } from "../model/certificate.js";

/** The problem as the judge sees it: which rows, with which signs and costs. */
export interface JudgedProblem {
  readonly rowIds: ArrayLike<number>;
  readonly signs: ArrayLike<number>;
  readonly costs: ArrayLike<number>;
  readonly loss: "hinge" | "squared_hinge";
  readonly biasScale: number;
}

/** What the judge is to judge. */
export interface JudgedPoint {
  readonly w: Float64Array;
  readonly bias: number;
  readonly alpha: ArrayLike<number>;
}

// Design of the relative gap (docs/notation.md): keeps it defined where both objectives are zero.
const FLOOR = 1e-12;

export function certifyLinearSvc(x: Matrix, problem: JudgedProblem, point: JudgedPoint): Certificate {
  const margins = marginsOf(x, problem, point);
  const primal = primalObjective(problem, point, margins);
  const own = dualObjective(x, problem, feasible(problem, point.alpha));
  const dual = problem.loss === "hinge" ? own : Math.max(own, dualFromMargins(x, problem, margins));
  return { primal, dual, relativeGap: relativeGap(primal, dual, problem) };
}

export function relativeGap(primal: number, dual: number, { costs }: Pick<JudgedProblem, "costs">): number {
  if (primal === dual) return 0;
  let zeroModel = 0;
  for (let k = 0; k < costs.length; k++) zeroModel += costs[k] as number;
  // Below zero only by rounding: weak duality holds for the exact values.
  return Math.max(0, primal - dual) / Math.max(Math.abs(primal), Math.abs(dual), FLOOR * zeroModel);
}

/** y_i (w'x_i + b) for every row of the problem. */
function marginsOf(x: Matrix, { rowIds, signs }: JudgedProblem, { w, bias }: JudgedPoint): Float64Array {
  const margins = new Float64Array(rowIds.length);
  for (let k = 0; k < rowIds.length; k++) margins[k] = (signs[k] as number) * (rowTimes(x, rowIds[k] as number, w) + bias);
  return margins;
}

export function primalObjective(problem: JudgedProblem, { w, bias }: JudgedPoint, margins: Float64Array): number {
  const { costs, loss, biasScale } = problem;
  const biasWeight = biasScale === 0 ? 0 : bias / biasScale;
  let objective = 0.5 * (sumOfSquares(w) + biasWeight * biasWeight);
  for (let k = 0; k < margins.length; k++) {
    const slack = Math.max(0, 1 - (margins[k] as number));
    objective += (costs[k] as number) * (loss === "hinge" ? slack : slack * slack);
  }
  return objective;
}

/** The nearest point of the box; costs nothing where `alpha` is inside already. */
function feasible({ costs, loss }: JudgedProblem, alpha: ArrayLike<number>): Float64Array {
  return Float64Array.from(alpha, (a, k) => Math.max(0, loss === "hinge" ? Math.min(a, costs[k] as number) : a));
}

/** D at a point of the box. */
function dualObjective(x: Matrix, problem: JudgedProblem, alpha: Float64Array): number {
  const { linear, quadratic } = dualParts(x, problem, alpha);
  return linear - quadratic;
}

/** D(t a) = t linear - t^2 quadratic: the two numbers. */
function dualParts(x: Matrix, problem: JudgedProblem, alpha: Float64Array): { linear: number; quadratic: number } {
  const { rowIds, signs, costs, loss, biasScale } = problem;
  const u = new Float64Array(x.featureCount);
  let linear = 0;
  let constant = 0;
  let diagonal = 0;
  for (let k = 0; k < alpha.length; k++) {
    const a = alpha[k] as number;
    if (a === 0) continue;
    const signed = a * (signs[k] as number);
    addRow(u, signed, x, rowIds[k] as number);
    linear += a;
    constant += signed;
    if (loss === "squared_hinge") diagonal += (a * a) / (4 * (costs[k] as number));
  }
  const s = biasScale * constant;
  return { linear, quadratic: 0.5 * (sumOfSquares(u) + s * s) + diagonal };
}

/** The best multiple of the dual point that the primal one suggests; only a smooth loss suggests one. */
function dualFromMargins(x: Matrix, problem: JudgedProblem, margins: Float64Array): number {
  const alpha = margins.map((margin, k) => 2 * (problem.costs[k] as number) * Math.max(0, 1 - margin));
  const { linear, quadratic } = dualParts(x, problem, alpha);
  return quadratic > 0 ? (linear * linear) / (4 * quadratic) : 0;
}

function rowTimes(x: Matrix, i: number, w: Float64Array): number {
  const { values, indices } = x;
  let sum = 0;
  if (x.kind === "dense") {
    const from = i * x.featureCount;
    for (let j = 0; j < x.featureCount; j++) sum += (values[from + j] as number) * (w[j] as number);
    return sum;
  }
  const to = x.starts[i + 1] as number;
  for (let k = x.starts[i] as number; k < to; k++) sum += (values[k] as number) * (w[indices[k] as number] as number);
  return sum;
}

function addRow(u: Float64Array, scale: number, x: Matrix, i: number): void {
  const { values, indices } = x;
  if (x.kind === "dense") {
    const from = i * x.featureCount;
    for (let j = 0; j < x.featureCount; j++) u[j] = (u[j] as number) + scale * (values[from + j] as number);
    return;
  }
  const to = x.starts[i + 1] as number;
  for (let k = x.starts[i] as number; k < to; k++) {
    const j = indices[k] as number;
    u[j] = (u[j] as number) + scale * (values[k] as number);
  }
}

function sumOfSquares(v: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < v.length; k++) sum += (v[k] as number) * (v[k] as number);
  return sum;
}
