// The judge of kernel problems: objectives recomputed in float64 from raw rows, targets and weights. Shares nothing with the solvers.
//
//   f_i = sum_s v_s K(x_s, x_i),   |w|^2 = sum_i v_i f_i
//
//   C-SVC        P = 1/2 |w|^2 + sum_i c_i max(0, 1 - y_i (f_i + b))              D = sum_i y_i v_i - 1/2 |w|^2            0 <= y_i v_i <= c_i, sum v = 0
//   SVR          P = 1/2 |w|^2 + sum_i c_i max(0, |f_i + b - t_i| - epsilon)      D = t'v - epsilon |v|_1 - 1/2 |w|^2      |v_i| <= c_i, sum v = 0
//   one-class    P = 1/2 |w|^2 - N rho + sum_i c_i max(0, rho - f_i)              D = -1/2 |w|^2                           0 <= v_i <= c_i, sum v = N
//   nu-SVC       P = 1/2 |w|^2 - N r + sum_i c_i max(0, r - y_i (f_i + b))        D = -1/2 |w|^2            0 <= y_i v_i <= c_i, sum v = 0, sum |v| = N
//   nu-SVR       P = 1/2 |w|^2 + N e + sum_i c_i max(0, |f_i + b - t_i| - e)      D = t'v - 1/2 |w|^2       |v_i| <= c_i, sum v = 0, sum |v| <= N
//
// with N = nu sum_i c_i, and c_i = C times the weight of the row (weights alone for one-class and nu-SVC). C-SVC and SVR without an offset have b = 0 and no sum of v.
// Weak duality holds for kernels that are positive semidefinite. A dual point is made feasible first: into its box, then scaled until the sums are right; its f changes with it, so f is computed after.
// Checked on hand-solved problems and by perturbation in test/unit/certify/kernel.test.ts.

import type { Matrix } from "../data/matrix.js";
import type { Certificate } from "../model/certificate.js";
import type { LibsvmType } from "../model/libsvm-file.js";
import { type JudgedKernel, KernelValues } from "./kernel-values.js";
import { relativeGap } from "./rows.js";

/** The problem as the judge sees it. */
export interface JudgedKernelProblem {
  readonly form: LibsvmType;
  readonly kernel: JudgedKernel;
  readonly rowIds: ArrayLike<number>;
  /** y_i, +1 or -1, or the targets; of no meaning for one class. */
  readonly targets: ArrayLike<number>;
  /** c_i. */
  readonly costs: ArrayLike<number>;
  readonly nu: number;
  readonly epsilon: number;
  /** False: C-SVC or SVR without an offset. */
  readonly hasBias?: boolean | undefined;
}

/** What the judge is to judge. */
export interface JudgedKernelPoint {
  readonly value: ArrayLike<number>;
  /** The dual point, where it is not the model's own values. */
  readonly dual?: ArrayLike<number> | undefined;
  /** b, or -rho of one class. */
  readonly bias: number;
  /** r of nu-SVC or the tube of nu-SVR; of no meaning elsewhere. */
  readonly width: number;
}

export function certifyKernel(x: Matrix, problem: JudgedKernelProblem, point: JudgedKernelPoint): Certificate {
  const { form, rowIds, costs } = problem;
  const values = new KernelValues(x, problem.kernel, rowIds);
  // The model predicts with the values as they are; the bound needs feasible ones. Mostly they are the same.
  const given = Float64Array.from(point.value);
  const feasible = madeFeasible(problem, point.dual === undefined ? given : Float64Array.from(point.dual));
  const scores = scoresOf(values, rowIds, given);
  const isSame = feasible.every((v, k) => v === given[k]);
  const ownSquare = squareOf(given, scores);
  const square = isSame ? ownSquare : squareOf(feasible, scoresOf(values, rowIds, feasible));
  const primal = 0.5 * ownSquare + lossesOf(problem, point, scores);
  const dual = gainOf(problem, feasible) - 0.5 * square;
  return { primal, dual, relativeGap: relativeGap(primal, dual, zeroObjective(problem, values, costs, form)) };
}

/** f_i of all rows. */
function scoresOf(values: KernelValues, rowIds: ArrayLike<number>, v: Float64Array): Float64Array {
  const scores = new Float64Array(rowIds.length);
  for (let s = 0; s < v.length; s++) {
    const weight = v[s] as number;
    if (weight === 0) continue;
    values.forEach(rowIds[s] as number, (value, k) => {
      scores[k] = (scores[k] as number) + weight * value;
    });
  }
  return scores;
}

function squareOf(v: Float64Array, scores: Float64Array): number {
  return v.reduce((sum, value, k) => sum + value * (scores[k] as number), 0);
}

/** N. */
function totalOf({ nu, costs }: JudgedKernelProblem): number {
  let sum = 0;
  for (let k = 0; k < costs.length; k++) sum += costs[k] as number;
  return nu * sum;
}

/** What the primal adds to 1/2 |w|^2. */
function lossesOf(problem: JudgedKernelProblem, { bias, width }: JudgedKernelPoint, scores: Float64Array): number {
  const { form, targets, costs, epsilon } = problem;
  const total = totalOf(problem);
  let sum = form === "one_class" ? total * bias : form === "nu_svc" ? -total * width : form === "nu_svr" ? total * width : 0;
  for (let k = 0; k < scores.length; k++) {
    const f = (scores[k] as number) + bias;
    const target = targets[k] as number;
    const loss =
      form === "one_class"
        ? -f
        : form === "c_svc"
          ? 1 - target * f
          : form === "nu_svc"
            ? width - target * f
            : Math.abs(f - target) - (form === "nu_svr" ? width : epsilon);
    sum += (costs[k] as number) * Math.max(0, loss);
  }
  return sum;
}

/** What the dual has besides -1/2 |w|^2. */
function gainOf({ form, targets, epsilon }: JudgedKernelProblem, v: Float64Array): number {
  if (form === "one_class" || form === "nu_svc") return 0;
  const tube = form === "epsilon_svr" ? epsilon : 0;
  return v.reduce((sum, value, k) => sum + (targets[k] as number) * value - tube * Math.abs(value), 0);
}

/** Inside the box, and with the sums that the form wants. */
function madeFeasible(problem: JudgedKernelProblem, given: Float64Array): Float64Array {
  const { form, targets, costs, hasBias = true } = problem;
  const v = given.map((value, k) => {
    const cost = costs[k] as number;
    if (form === "one_class") return Math.min(Math.max(0, value), cost);
    if (form === "epsilon_svr" || form === "nu_svr") return Math.min(Math.max(-cost, value), cost);
    const y = targets[k] as number;
    return y * Math.min(Math.max(0, y * value), cost);
  });
  if (!hasBias) return v;
  const total = totalOf(problem);
  if (form === "one_class") return filledTo(v, costs, 1, () => true, total);
  if (form === "nu_svc") {
    const above = filledTo(v, costs, 1, (k) => (targets[k] as number) > 0, total / 2);
    return filledTo(above, costs, -1, (k) => (targets[k] as number) < 0, total / 2);
  }
  let up = 0;
  let down = 0;
  for (const value of v) {
    if (value > 0) up += value;
    else down -= value;
  }
  const most = form === "nu_svr" ? total / 2 : Infinity;
  const wanted = Math.min(up, down, most);
  return v.map((value) => value * (value > 0 ? ratio(wanted, up) : ratio(wanted, down)));
}

/** The values for which `holds`, all of one sign, scaled down, or moved towards their costs, until the sum of their sizes is `wanted`. */
function filledTo(v: Float64Array, costs: ArrayLike<number>, sign: number, holds: (k: number) => boolean, wanted: number): Float64Array {
  let sum = 0;
  let room = 0;
  for (let k = 0; k < v.length; k++) {
    if (!holds(k)) continue;
    sum += Math.abs(v[k] as number);
    room += (costs[k] as number) - Math.abs(v[k] as number);
  }
  if (sum === wanted) return v;
  if (sum > wanted) return v.map((value, k) => (holds(k) ? value * ratio(wanted, sum) : value));
  const part = room > 0 ? Math.min(1, (wanted - sum) / room) : 0;
  return v.map((value, k) => (holds(k) ? sign * (Math.abs(value) + part * ((costs[k] as number) - Math.abs(value))) : value));
}

function ratio(wanted: number, sum: number): number {
  return sum === wanted || sum === 0 ? 1 : wanted / sum;
}

/** What the floor of the gap is relative to (docs/notation.md): P of the zero model, or what |w|^2 could be where that costs nothing. */
function zeroObjective(problem: JudgedKernelProblem, values: KernelValues, costs: ArrayLike<number>, form: LibsvmType): number {
  if (form === "one_class" || form === "nu_svc") {
    const total = totalOf(problem);
    let most = 0;
    for (let k = 0; k < problem.rowIds.length; k++) most = Math.max(most, values.ofItself(problem.rowIds[k] as number));
    // 1e-6 of it is the floor, and the floor is 1e-12 of what this returns.
    return 1e6 * 0.5 * total * total * most;
  }
  let sum = 0;
  for (let k = 0; k < costs.length; k++) {
    const size = Math.abs(problem.targets[k] as number);
    sum += (costs[k] as number) * (form === "c_svc" ? 1 : Math.max(0, size - (form === "epsilon_svr" ? problem.epsilon : 0)));
  }
  return sum;
}
