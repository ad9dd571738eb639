// Dual coordinate descent for linear support vector regression, as a textbook would print it: no shrinking, no speed, every step yielded.
// Ho and Lin, JMLR 2012: algorithm 2 on 2n variables, and algorithm 3 on n. The fast twin is core/linear/dcd-svr.ts.
//
//   min_w  P = 1/2 w'w + sum_i C_i loss(w'x_i + b - t_i)      loss(r) = max(0, |r| - epsilon), or its square
//   max    D = sum_i (t_i beta_i - epsilon |beta_i| - D_ii beta_i^2 / 2) - 1/2 w'w,   w = sum_i beta_i x_i,   -U_i <= beta_i <= U_i
//          plain: D_ii = 0, U_i = C_i;   squared: D_ii = 1/(2 C_i), U_i = infinity
//   2n variables: beta_i = up_i - down_i, each in [0, U_i], with epsilon (up_i + down_i) and D_ii/2 (up_i^2 + down_i^2) in D: at the optimum one of the two is 0
//   bias   none: b = 0.  augmented by a constant feature s: b = s^2 sum beta, P has + b^2/(2 s^2), D has - s^2/2 (sum beta)^2.
//          free: sum beta = 0, by the method of multipliers: b = c + s^2 sum beta, and c <- c + s^2 sum beta after every epoch (not in the 2n form)

export interface SvrProblem {
  readonly x: readonly (readonly number[])[];
  readonly targets: readonly number[];
  /** C_i, above 0. */
  readonly costs: readonly number[];
  readonly epsilon: number;
  readonly loss: "epsilon_insensitive" | "squared_epsilon_insensitive";
  /** s^2; no bias if left out. */
  readonly biasSquare?: number;
  /** True: the bias is not regularised, and s is only how fast it moves. */
  readonly isFree?: boolean;
  /** How far algorithm 3 goes beyond the minimum where that is on the same side of the kink: 1, or below 2 for over-relaxation. */
  readonly relaxation?: number;
}

/** What one step did, for whoever watches. */
export interface SvrStep {
  readonly epoch: number;
  readonly row: number;
  readonly beta: readonly number[];
  readonly w: readonly number[];
  readonly bias: number;
}

/** Algorithm 2: steps for ever along 2n variables; `order` gives the order of each epoch over 0 .. 2n - 1, the second half being `down`. */
export function* dcdSvrPairs(problem: SvrProblem, order: (n: number) => readonly number[]): Generator<SvrStep, never> {
  const { x, targets, costs, epsilon, biasSquare = 0 } = problem;
  const n = x.length;
  const a = new Array<number>(2 * n).fill(0);
  const w = new Array<number>(x[0]?.length ?? 0).fill(0);
  let bias = 0;
  for (let epoch = 0; ; epoch++) {
    for (const k of order(2 * n)) {
      const i = k % n;
      const sign = k < n ? 1 : -1;
      const { diagonal, upper } = box(problem, at(costs, i));
      const gradient = sign * (dot(w, at(x, i)) + bias - at(targets, i)) + epsilon + diagonal * at(a, k);
      const next = Math.min(Math.max(stepTo(at(a, k), gradient, dot(at(x, i), at(x, i)) + biasSquare + diagonal), 0), upper);
      const change = sign * (next - at(a, k));
      a[k] = next;
      for (let j = 0; j < w.length; j++) w[j] = at(w, j) + change * at(at(x, i), j);
      bias += change * biasSquare;
      yield { epoch, row: i, beta: x.map((_, l) => at(a, l) - at(a, l + n)), w, bias };
    }
  }
}

/** Algorithm 3: steps for ever along beta; `order` gives the order of each epoch. */
export function* dcdSvr(problem: SvrProblem, order: (n: number) => readonly number[]): Generator<SvrStep, never> {
  const { x, targets, costs, epsilon, biasSquare = 0, isFree = false, relaxation = 1 } = problem;
  const beta = x.map(() => 0);
  const w = new Array<number>(x[0]?.length ?? 0).fill(0);
  let centre = 0;
  let sum = 0;
  for (let epoch = 0; ; epoch++) {
    for (const i of order(x.length)) {
      const old = at(beta, i);
      const { diagonal, upper } = box(problem, at(costs, i));
      const curvature = dot(at(x, i), at(x, i)) + biasSquare + diagonal;
      const gradient = dot(w, at(x, i)) + centre + biasSquare * sum - at(targets, i) + diagonal * old;
      // The minimum where beta is positive, where it is negative, or the kink at 0 between the two.
      let next = 0;
      if (gradient + epsilon < curvature * old) next = stepTo(old, gradient + epsilon, curvature);
      else if (gradient - epsilon > curvature * old) next = stepTo(old, gradient - epsilon, curvature);
      const farther = old + relaxation * (next - old);
      if (old * next >= 0 && farther * next > 0) next = farther;
      next = Math.max(-upper, Math.min(upper, next));
      beta[i] = next;
      sum += next - old;
      for (let j = 0; j < w.length; j++) w[j] = at(w, j) + (next - old) * at(at(x, i), j);
      yield { epoch, row: i, beta, w, bias: centre + biasSquare * sum };
    }
    if (isFree) centre += biasSquare * sum;
  }
}

/** P(w, b) and D(beta): the optimum lies between them, for a free bias only if beta sums to 0. */
export function svrObjectives(
  problem: SvrProblem,
  { beta, w, bias }: Pick<SvrStep, "beta" | "w" | "bias">,
): { primal: number; dual: number } {
  const { x, targets, costs, epsilon, loss, biasSquare = 0, isFree = false } = problem;
  const norm = 0.5 * (dot(w, w) + (isFree || biasSquare === 0 ? 0 : (bias * bias) / biasSquare));
  const slack = x.map((row, i) => Math.max(0, Math.abs(dot(w, row) + bias - at(targets, i)) - epsilon));
  const primal = slack.reduce((sum, s, i) => sum + at(costs, i) * (loss === "epsilon_insensitive" ? s : s * s), norm);
  const gain = (value: number, i: number): number =>
    at(targets, i) * value - epsilon * Math.abs(value) - 0.5 * box(problem, at(costs, i)).diagonal * value * value;
  return { primal, dual: beta.reduce((sum, value, i) => sum + gain(value, i), -norm) };
}

/** Newton's step along one coordinate; without curvature as far as it goes. */
function stepTo(old: number, gradient: number, curvature: number): number {
  return gradient === 0 ? old : old - gradient / curvature;
}

function box({ loss }: SvrProblem, cost: number): { diagonal: number; upper: number } {
  return loss === "epsilon_insensitive" ? { diagonal: 0, upper: cost } : { diagonal: 1 / (2 * cost), upper: Infinity };
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, k) => sum + value * at(b, k), 0);
}

function at<T>(list: readonly T[], k: number): T {
  return list[k] as T;
}
