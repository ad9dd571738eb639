// Dual coordinate descent for the linear SVM, as a textbook would print it: no shrinking, no speed, every step yielded.
// Hsieh, Chang, Lin, Keerthi, Sundararajan, ICML 2008, algorithm 1. The fast twin is core/linear/dcd-svc.ts.
//
//   min_w  P = 1/2 w'w + sum_i C_i loss(y_i (w'x_i + b))      max_a  D = sum_i a_i - 1/2 w'w - 1/2 sum_i D_ii a_i^2
//   where w = sum_i a_i y_i x_i and 0 <= a_i <= U_i;  hinge: D_ii = 0, U_i = C_i;  squared hinge: D_ii = 1/(2 C_i), U_i = inf
//   bias  none: b = 0.  augmented by a constant feature s: b = s^2 y'a, P has + b^2/(2 s^2), D has - s^2/2 (y'a)^2.
//         free: y'a = 0 in the dual, by the method of multipliers: b = c + s^2 y'a, and c <- c + s^2 y'a after every epoch

export interface DcdProblem {
  readonly x: readonly (readonly number[])[];
  /** +1 or -1. */
  readonly y: readonly number[];
  /** C_i, above 0. */
  readonly costs: readonly number[];
  readonly loss: "hinge" | "squared_hinge";
  /** s^2; no bias if left out. */
  readonly biasSquare?: number;
  /** True: the bias is not regularised, and s is only how fast it moves. */
  readonly isFree?: boolean;
}

/** What one step did, for whoever watches. */
export interface DcdStep {
  readonly epoch: number;
  readonly row: number;
  /** Derivative of the dual (as a minimisation) along this coordinate, before the step. */
  readonly gradient: number;
  readonly alpha: readonly number[];
  readonly w: readonly number[];
  readonly bias: number;
}

/** Steps for ever; the caller stops when `objectives` says so. `order(n)` gives the order of each epoch. */
export function* dcdSvc(problem: DcdProblem, order: (n: number) => readonly number[]): Generator<DcdStep, never> {
  const { x, y, costs, biasSquare = 0, isFree = false } = problem;
  const n = x.length;
  const alpha = new Array<number>(n).fill(0);
  const w = new Array<number>(x[0]?.length ?? 0).fill(0);
  let centre = 0;
  let sum = 0; // y'a

  for (let epoch = 0; ; epoch++) {
    for (const i of order(n)) {
      const xi = at(x, i);
      const yi = at(y, i);
      const { diagonal, upper } = box(problem, at(costs, i));
      const curvature = dot(xi, xi) + biasSquare + diagonal;
      const gradient = yi * (dot(w, xi) + centre + biasSquare * sum) - 1 + diagonal * at(alpha, i);

      const old = at(alpha, i);
      const next = Math.min(Math.max(old - gradient / curvature, 0), upper);
      if (next !== old) {
        alpha[i] = next;
        sum += (next - old) * yi;
        for (let j = 0; j < w.length; j++) w[j] = at(w, j) + (next - old) * yi * at(xi, j);
      }
      yield { epoch, row: i, gradient, alpha, w, bias: centre + biasSquare * sum };
    }
    if (isFree) centre += biasSquare * sum;
  }
}

/** P(w, b) and D(a): the optimum lies between them, for a free bias only if y'a = 0. */
export function objectives(
  problem: DcdProblem,
  alpha: readonly number[],
  w: readonly number[],
  bias = 0,
): { primal: number; dual: number } {
  const { x, y, costs, loss, biasSquare = 0, isFree = false } = problem;
  const regularised = isFree || biasSquare === 0 ? 0 : (bias * bias) / biasSquare;
  let primal = 0.5 * (dot(w, w) + regularised);
  let dual = -0.5 * (dot(w, w) + regularised);
  for (let i = 0; i < x.length; i++) {
    const slack = Math.max(0, 1 - at(y, i) * (dot(w, at(x, i)) + bias));
    const a = at(alpha, i);
    primal += at(costs, i) * (loss === "hinge" ? slack : slack * slack);
    dual += a - 0.5 * box(problem, at(costs, i)).diagonal * a * a;
  }
  return { primal, dual };
}

function box({ loss }: DcdProblem, cost: number): { diagonal: number; upper: number } {
  return loss === "hinge" ? { diagonal: 0, upper: cost } : { diagonal: 1 / (2 * cost), upper: Infinity };
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, k) => sum + value * at(b, k), 0);
}

function at<T>(list: readonly T[], k: number): T {
  return list[k] as T;
}
