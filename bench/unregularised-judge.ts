// The judge of the linear SVM whose bias costs nothing, LIBSVM's form, in plain float64. Stands here until src/certify knows the form.
//
//   P(w, b) = 1/2 w'w + C sum_i max(0, 1 - y_i (w'x_i + b))
//   D(a)    = sum_i a_i - 1/2 |sum_i a_i y_i x_i|^2        for 0 <= a_i <= C, sum_i a_i y_i = 0
//
// D(a) <= min P <= P(w, b) for every such a and every (w, b). The bound D_best is found here, by a plain SMO with the maximal violating
// pair (Keerthi et al., 2001), and by dual points that others offer; those are moved into the feasible set before they count.
// Checked on problems solved by hand and by perturbation in test/unit/bench/unregularised-judge.test.ts.

import type { Matrix } from "../src/data/matrix.ts";

export interface UnregularisedProblem {
  readonly x: Matrix;
  /** +1 or -1 a row. */
  readonly signs: ArrayLike<number>;
  readonly C: number;
}

export function primalAt({ x, signs, C }: UnregularisedProblem, w: ArrayLike<number>, b: number): number {
  const slack = sum(signs.length, (i) => Math.max(0, 1 - (signs[i] as number) * (rowTimes(x, i, w) + b)));
  return squaredNorm(w) / 2 + C * slack;
}

/**
 * The b that minimises P(w, b). As a function of b the loss is piecewise linear with a bend at y_i - w'x_i for every row; its slope is
 * -(number of positive rows) before the first bend and rises by 1 at each, so it is zero after as many bends as there are positive rows.
 */
export function bestBias({ x, signs }: UnregularisedProblem, w: ArrayLike<number>): number {
  const bends = Float64Array.from({ length: signs.length }, (_, i) => (signs[i] as number) - rowTimes(x, i, w)).sort();
  const positives = sum(signs.length, (i) => ((signs[i] as number) > 0 ? 1 : 0));
  return bends[Math.max(0, positives - 1)] as number;
}

/** D at the feasible point near `alpha`. */
export function dualAt(problem: UnregularisedProblem, alpha: ArrayLike<number>): number {
  const a = feasible(problem, alpha);
  return sum(a.length, (i) => a[i] as number) - squaredNorm(weightsOf(problem, a)) / 2;
}

/** Into the box first, then the heavier side is scaled down until both weigh the same: what is feasible up to rounding hardly moves. */
export function feasible({ signs, C }: UnregularisedProblem, alpha: ArrayLike<number>): Float64Array {
  const a = Float64Array.from({ length: signs.length }, (_, i) => Math.min(C, Math.max(0, alpha[i] ?? 0)));
  const side = (sign: number): number => sum(a.length, (i) => ((signs[i] as number) * sign > 0 ? (a[i] as number) : 0));
  const [positive, negative] = [side(1), side(-1)];
  const [heavier, factor] = positive > negative ? [1, negative / positive] : [-1, negative > 0 ? positive / negative : 1];
  return a.map((value, i) => ((signs[i] as number) * heavier > 0 ? value * factor : value));
}

/** u = sum_i a_i y_i x_i. */
export function weightsOf({ x, signs }: UnregularisedProblem, a: ArrayLike<number>): Float64Array {
  const u = new Float64Array(x.featureCount);
  for (let i = 0; i < signs.length; i++) addRow(x, i, (signs[i] as number) * (a[i] as number), u);
  return u;
}

/**
 * A dual point close to the best: SMO until no pair violates the optimality conditions by more than `tolerance`, or for `maxSteps`
 * steps. A point that is not the best makes the bound lower and every gap larger, never smaller.
 */
export function bestDualPoint(problem: UnregularisedProblem, tolerance = 1e-7, maxSteps = 300_000): Float64Array {
  const { x, signs, C } = problem;
  const n = signs.length;
  const a = new Float64Array(n);
  // f_i = y_i - u'x_i; the bias of an optimal point lies between the f of those that can still rise along y and of those that can fall.
  const f = Float64Array.from({ length: n }, (_, i) => signs[i] as number);
  for (let step = 0; step < maxSteps; step++) {
    const [up, down] = violatingPair(a, f, signs, C);
    if (up < 0 || down < 0) break;
    const violation = (f[up] as number) - (f[down] as number);
    if (violation <= tolerance) break;
    const [room, other] = [roomUp(a, signs, C, up), roomDown(a, signs, C, down)];
    const direction = new Float64Array(x.featureCount);
    addRow(x, up, 1, direction);
    addRow(x, down, -1, direction);
    const curvature = squaredNorm(direction);
    const t = Math.min(room, other, curvature > 0 ? violation / curvature : Infinity);
    // A side that ran out of room lands on its bound exactly; half a rounding error beside it would be chosen for ever.
    a[up] = t === room ? ((signs[up] as number) > 0 ? C : 0) : (a[up] as number) + (signs[up] as number) * t;
    a[down] = t === other ? ((signs[down] as number) > 0 ? 0 : C) : (a[down] as number) - (signs[down] as number) * t;
    for (let i = 0; i < n; i++) f[i] = (f[i] as number) - t * rowTimes(x, i, direction);
  }
  return a;
}

/** The row with the largest f whose a_i y_i can rise, and the one with the smallest whose a_i y_i can fall; -1 where there is none. */
function violatingPair(a: Float64Array, f: Float64Array, signs: ArrayLike<number>, C: number): [up: number, down: number] {
  let [up, down] = [-1, -1];
  for (let i = 0; i < a.length; i++) {
    if (roomUp(a, signs, C, i) > 0 && (up < 0 || (f[i] as number) > (f[up] as number))) up = i;
    if (roomDown(a, signs, C, i) > 0 && (down < 0 || (f[i] as number) < (f[down] as number))) down = i;
  }
  return [up, down];
}

function roomUp(a: Float64Array, signs: ArrayLike<number>, C: number, i: number): number {
  return (signs[i] as number) > 0 ? C - (a[i] as number) : (a[i] as number);
}

function roomDown(a: Float64Array, signs: ArrayLike<number>, C: number, i: number): number {
  return (signs[i] as number) > 0 ? (a[i] as number) : C - (a[i] as number);
}

function rowTimes(x: Matrix, i: number, w: ArrayLike<number>): number {
  let total = 0;
  x.forEachInRow(i, (feature, value) => {
    total += value * (w[feature] ?? 0);
  });
  return total;
}

function addRow(x: Matrix, i: number, factor: number, u: Float64Array): void {
  x.forEachInRow(i, (feature, value) => {
    u[feature] = (u[feature] as number) + factor * value;
  });
}

function squaredNorm(w: ArrayLike<number>): number {
  return sum(w.length, (j) => (w[j] as number) ** 2);
}

function sum(count: number, term: (i: number) => number): number {
  let total = 0;
  for (let i = 0; i < count; i++) total += term(i);
  return total;
}
