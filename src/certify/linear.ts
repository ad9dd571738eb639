// The judge of binary linear problems: objectives recomputed in float64 from raw rows, labels and costs. Shares nothing with the solvers.
//
//   P(w, b) = r(w, v) + sum_i C_i loss(y_i (w'x_i + b))           penalty l2: r = 1/2 (w'w + v^2)      l1: r = |w|_1 + |v|
//   D(a)    = sum_i h_i(a_i) - r*(u, s),                           l2: r* = 1/2 (u'u + s^2)             l1: r* = 0 where |u|, |s| <= 1
//             u = sum_i a_i y_i x_i,   0 <= a_i <= U_i             h, U: src/certify/losses.ts
//   bias      augmented: v = b / biasScale, s = biasScale sum_i a_i y_i;   none: v = s = 0;   unregularised: v = 0, and D needs sum_i a_i y_i = 0
//
// Weak duality: D(a) <= P* <= P(w, b) for every feasible a and every (w, b). A dual point is made feasible first, so that the bound
// holds whatever it was: into the box, the heavier side scaled down until y'a = 0, all of it into the l1 ball; then the best multiple
// is taken. P and D are computed independently: that w = u is nowhere assumed. For smooth losses the point that the margins suggest
// is tried beside the solver's own and the better one counts.
// Checked on hand-solved problems and by perturbation in test/unit/certify/linear.test.ts.

import type { Matrix } from "../data/matrix.js";
import type { Certificate } from "../model/certificate.js";
import { type JudgedLoss, judgedLosses, type LossName } from "./losses.js";
import { type Passes, plainPasses } from "./passes.js";
import { relativeGap, sumOfSquares } from "./rows.js";

/** The problem as the judge sees it: which rows, with which signs and costs. */
export interface JudgedProblem {
  readonly rowIds: ArrayLike<number>;
  readonly signs: ArrayLike<number>;
  readonly costs: ArrayLike<number>;
  readonly loss: LossName;
  readonly penalty: "l2" | "l1";
  readonly bias: "unregularised" | "augmented" | false;
  readonly biasScale: number;
}

/** What the judge is to judge; alpha is undefined where only the margins can suggest a dual point. */
export interface JudgedPoint {
  readonly w: Float64Array;
  readonly bias: number;
  readonly alpha: ArrayLike<number> | undefined;
}

/** No better dual point is looked for once the relative gap is at most `enough`. */
export function certifyLinear(x: Matrix, problem: JudgedProblem, point: JudgedPoint, enough = 0, passes = plainPasses(x)): Certificate {
  const loss = judgedLosses[problem.loss];
  const margins = marginsOf(passes, problem, point);
  const primal = primalObjective(problem, point, margins);
  const wanted = (1 - enough) * primal;
  let dual = -Infinity;
  if (point.alpha !== undefined) dual = bestDual(passes, problem, new Float64Array(point.alpha), wanted);
  const { suggest } = loss;
  if (suggest !== undefined && !(dual >= wanted)) {
    const suggested = margins.map((margin, k) => suggest(margin, problem.costs[k] as number));
    dual = Math.max(dual, bestDual(passes, problem, suggested, wanted));
  }
  // a = 0 is feasible in every problem, and its objective is 0.
  dual = Math.max(dual, 0);
  return { primal, dual, relativeGap: relativeGap(primal, dual, zeroObjective(problem)) };
}

/** P(0): what the zero model costs. */
export function zeroObjective({ costs, loss }: Pick<JudgedProblem, "costs" | "loss">): number {
  let total = 0;
  for (let k = 0; k < costs.length; k++) total += costs[k] as number;
  return total * judgedLosses[loss].value(0);
}

/** y_i (w'x_i + b) for every row of the problem. */
function marginsOf(passes: Passes, { rowIds, signs, loss }: JudgedProblem, { w, bias }: JudgedPoint): Float64Array {
  const products = passes.times(rowIds, w);
  // The next pass may write over them; where nothing is suggested by them, they are not needed by then.
  const margins = judgedLosses[loss].suggest === undefined ? products : new Float64Array(products.length);
  for (let k = 0; k < margins.length; k++) margins[k] = (signs[k] as number) * ((products[k] as number) + bias);
  return margins;
}

function primalObjective(problem: JudgedProblem, { w, bias }: JudgedPoint, margins: Float64Array): number {
  const { costs, penalty } = problem;
  const loss = judgedLosses[problem.loss];
  const v = problem.bias === "augmented" ? bias / problem.biasScale : 0;
  let objective = penalty === "l2" ? 0.5 * (sumOfSquares(w) + v * v) : w.reduce((sum, value) => sum + Math.abs(value), Math.abs(v));
  for (let k = 0; k < margins.length; k++) objective += (costs[k] as number) * loss.value(margins[k] as number);
  return objective;
}

/** The best D among the multiples of a dual point, made feasible, or the first that is at least `wanted`. Changes `alpha`. */
function bestDual(passes: Passes, problem: JudgedProblem, alpha: Float64Array, wanted: number): number {
  const { rowIds, signs, costs, penalty } = problem;
  const loss = judgedLosses[problem.loss];
  for (let k = 0; k < alpha.length; k++) alpha[k] = Math.min(Math.max(0, alpha[k] as number), loss.upper(costs[k] as number));
  if (problem.bias === "unregularised") balance(alpha, signs);

  const signed = new Float64Array(alpha.length);
  let s = 0;
  for (let k = 0; k < alpha.length; k++) {
    signed[k] = (alpha[k] as number) * (signs[k] as number);
    s += signed[k] as number;
  }
  const u = passes.sum(rowIds, signed);
  s = problem.bias === "augmented" ? s * problem.biasScale : 0;
  if (penalty === "l2") return bestMultiple(loss, alpha, costs, { quadratic: 0.5 * (sumOfSquares(u) + s * s), most: Infinity, wanted });
  const reach = u.reduce((most, value) => Math.max(most, Math.abs(value)), Math.abs(s));
  return bestMultiple(loss, alpha, costs, { quadratic: 0, most: 1 / reach, wanted });
}

/** Scales the side with the larger sum down until both are equal. */
function balance(alpha: Float64Array, signs: ArrayLike<number>): void {
  let positive = 0;
  let negative = 0;
  for (let k = 0; k < alpha.length; k++) {
    if ((signs[k] as number) > 0) positive += alpha[k] as number;
    else negative += alpha[k] as number;
  }
  const heavier = positive > negative ? 1 : -1;
  const scale = positive === negative ? 1 : Math.min(positive, negative) / Math.max(positive, negative);
  for (let k = 0; k < alpha.length; k++) if ((signs[k] as number) * heavier > 0) alpha[k] = (alpha[k] as number) * scale;
}

/**
 * The largest sum_i h_i(t a_i) - t^2 quadratic over 0 <= t <= most (and t <= 1 where the box has an upper end). Newton steps on the
 * concave function of t; any t reached gives a valid bound, so few suffice: points worth judging are nearly at their best. None where
 * the value is `wanted` already.
 */
function bestMultiple(
  loss: JudgedLoss,
  alpha: Float64Array,
  costs: ArrayLike<number>,
  { quadratic, most, wanted }: { quadratic: number; most: number; wanted: number },
): number {
  const end = loss.upper(1) === Infinity ? most : Math.min(most, 1);
  let t = Math.min(1, end);
  let best = valueAt(loss, alpha, costs, quadratic, t);
  for (let step = 0; step < 3 && best < wanted; step++) {
    const [first, second] = slopesAt(loss, alpha, costs, quadratic, t);
    const next = Math.min(Math.max(0, t - first / second), end);
    if (!(second < 0) || !Number.isFinite(next) || next === t) break;
    t = next;
    const value = valueAt(loss, alpha, costs, quadratic, t);
    if (!(value > best)) break;
    best = value;
  }
  return best;
}

function valueAt(loss: JudgedLoss, alpha: Float64Array, costs: ArrayLike<number>, quadratic: number, t: number): number {
  let sum = -t * t * quadratic;
  for (let k = 0; k < alpha.length; k++) {
    const a = alpha[k] as number;
    if (a > 0) sum += loss.dualValue(t * a, costs[k] as number);
  }
  return sum;
}

/** First and second derivative of `valueAt` in t. A row at the end of its box has no finite slope and is left out. */
function slopesAt(loss: JudgedLoss, alpha: Float64Array, costs: ArrayLike<number>, quadratic: number, t: number): [number, number] {
  let first = -2 * t * quadratic;
  let second = -2 * quadratic;
  for (let k = 0; k < alpha.length; k++) {
    const a = alpha[k] as number;
    const [slope, bend] = loss.dualSlopes(t * a, costs[k] as number);
    if (!Number.isFinite(slope)) continue;
    first += a * slope;
    second += a * a * bend;
  }
  return [first, second];
}
