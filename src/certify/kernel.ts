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
// with N = nu sum_i c_i, and c_i = C times the weight of the row (weights alone for one-class and nu-SVC). C-SVC and SVR without an offset have b = 0 and no sum of v. r and e are no part of what a model predicts: where they are
// not given they are the best ones. Weak duality holds for kernels that are positive semidefinite; of others the certificate tells the violation instead. A dual point
// is made feasible first: into its box, then scaled until the sums are right; its f changes with it, so f is computed after, by kernel-scores.ts.
// Checked on hand-solved problems and by perturbation in test/unit/certify/kernel.test.ts.

import type { Matrix } from "../data/matrix.js";
import type { KernelCertificate } from "../model/certificate.js";
import type { LibsvmType } from "../model/libsvm-file.js";
import { type JudgedKernel, ownValue } from "./kernel-values.js";
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
  /** Why the kernel allows no gap; undefined where it does. */
  readonly gapless?: string | undefined;
}

/** What the judge is to judge. */
export interface JudgedKernelPoint {
  readonly value: ArrayLike<number>;
  /** The dual point, where it is not the model's own values. */
  readonly dual?: ArrayLike<number> | undefined;
  /** b, or -rho of one class. */
  readonly bias: number;
  /** r of nu-SVC or the tube of nu-SVR, the best one if not given; of no meaning elsewhere. */
  readonly width?: number | undefined;
}

/** Both points of a judgement, one number a row of the problem: the model's own and a feasible one; the same array where they are equal, as they mostly are. */
export interface KernelPoints {
  readonly own: Float64Array;
  readonly feasible: Float64Array;
}

export function kernelPoints(problem: JudgedKernelProblem, { value, dual }: JudgedKernelPoint): KernelPoints {
  const own = Float64Array.from(value);
  const feasible = madeFeasible(problem, dual === undefined ? own : Float64Array.from(dual));
  return { own, feasible: feasible.every((v, k) => v === own[k]) ? own : feasible };
}

/** `scores`: f of both points, for the rows of the problem. */
export function judgeKernel(
  x: Matrix,
  problem: JudgedKernelProblem,
  { bias, width, ...points }: KernelPoints & Pick<JudgedKernelPoint, "bias" | "width">,
  scores: KernelPoints,
): KernelCertificate {
  const primal = 0.5 * squareOf(points.own, scores.own) + lossesOf(problem, bias, width, scores.own);
  const dual = gainOf(problem, points.feasible) - 0.5 * squareOf(points.feasible, scores.feasible);
  const reason = problem.gapless;
  if (reason !== undefined) return { primal, dual, relativeGap: null, violation: violationOf(problem, points.own, scores.own), reason };
  return { primal, dual, relativeGap: relativeGap(primal, dual, zeroObjective(x, problem)) };
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
function lossesOf(problem: JudgedKernelProblem, bias: number, given: number | undefined, scores: Float64Array): number {
  const { form, targets, costs, epsilon } = problem;
  const total = totalOf(problem);
  const width = given ?? bestWidth(problem, bias, scores);
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

/** The r or e at which P is least: N of the weights lie on the outer side of it. */
function bestWidth(problem: JudgedKernelProblem, bias: number, scores: Float64Array): number {
  const { form, targets, costs } = problem;
  if (form !== "nu_svc" && form !== "nu_svr") return 0;
  // Counted from the row that is farthest out: the smallest margin y_i (f_i + b), the largest distance |f_i + b - t_i|.
  const outward = scores.map((f, k) => {
    const target = targets[k] as number;
    return form === "nu_svc" ? target * (f + bias) : -Math.abs(f + bias - target);
  });
  const order = Uint32Array.from(outward, (_, k) => k).sort((a, b) => (outward[a] as number) - (outward[b] as number) || a - b);
  const total = totalOf(problem);
  let passed = 0;
  for (const k of order) {
    passed += costs[k] as number;
    if (passed >= total) return form === "nu_svc" ? (outward[k] as number) : -(outward[k] as number);
  }
  // All of them, and rounding: nu = 1.
  return form === "nu_svc" ? (outward[order.at(-1) ?? 0] ?? 0) : 0;
}

/**
 * This close to a bound, in parts of the row's cost, a value is at it: those of nu-SVC come back from files by way of a division, and LIBSVM's front end may round
 * C and nu to float32.
 */
const AT_BOUND = 1e-6;

/** The largest sum of what raising one variable and lowering another gains, both under the same sum; what moving one gains where there is no sum. */
function violationOf(problem: JudgedKernelProblem, v: Float64Array, scores: Float64Array): number {
  const { form, targets, costs, epsilon, hasBias = true } = problem;
  const tube = form === "epsilon_svr" ? epsilon : 0;
  let most = 0;
  for (const side of form === "nu_svc" || form === "nu_svr" ? [1, -1] : [0]) {
    let up = -Infinity;
    let low = -Infinity;
    for (let k = 0; k < v.length; k++) {
      const [least, greatest] = boundsOf(form, side, targets[k] as number, costs[k] as number);
      const value = Math.min(Math.max(least, v[k] as number), greatest);
      const slack = AT_BOUND * (costs[k] as number);
      const f = (scores[k] as number) - (form === "one_class" || form === "nu_svc" ? 0 : (targets[k] as number));
      if (value < greatest - slack) up = Math.max(up, -f + (value < -slack ? tube : -tube));
      if (value > least + slack) low = Math.max(low, f + (value > slack ? tube : -tube));
    }
    most = Math.max(most, ...(hasBias ? [up + low] : [up, low]));
  }
  return most;
}

/** Where a variable may be; `side` is the sign of those under one of two sums, 0 where there is one. */
function boundsOf(form: LibsvmType, side: number, target: number, cost: number): readonly [number, number] {
  if (form === "epsilon_svr") return [-cost, cost];
  if (form === "nu_svc" && target * side < 0) return [0, 0];
  const sign = form === "one_class" ? 1 : form === "nu_svr" ? side : target;
  return sign > 0 ? [0, cost] : [-cost, 0];
}

/** What the floor of the gap is relative to (docs/notation.md): P of the zero model, or what |w|^2 could be where that costs nothing. */
function zeroObjective(x: Matrix, problem: JudgedKernelProblem): number {
  const { form, kernel, rowIds, targets, costs, epsilon } = problem;
  if (form === "one_class" || form === "nu_svc") {
    const total = totalOf(problem);
    let most = 0;
    for (let k = 0; k < rowIds.length; k++) most = Math.max(most, ownValue(x, kernel, rowIds[k] as number));
    // 1e-6 of it is the floor, and the floor is 1e-12 of what this returns.
    return 1e6 * 0.5 * total * total * most;
  }
  let sum = 0;
  for (let k = 0; k < costs.length; k++) {
    const size = Math.abs(targets[k] as number);
    sum += (costs[k] as number) * (form === "c_svc" ? 1 : Math.max(0, size - (form === "epsilon_svr" ? epsilon : 0)));
  }
  return sum;
}
