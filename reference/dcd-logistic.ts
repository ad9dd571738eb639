// Dual coordinate descent for logistic regression, as a textbook would print it: no speed, every step yielded.
// Yu, Huang, Lin, Mach. Learn. 2011, algorithm 5 with the modified Newton method of its section 3.1. The fast twin is core/linear/dcd-logistic.ts.
//
//   min_w  P(w) = 1/2 w'w + sum_i C_i log(1 + exp(-y_i w'x_i))
//   max_a  D(a) = -sum_i [a_i log(a_i / C_i) + (C_i - a_i) log(1 - a_i / C_i)] - 1/2 w'w,   w = sum_i a_i y_i x_i,  0 <= a_i <= C_i

export interface LogisticProblem {
  readonly x: readonly (readonly number[])[];
  /** +1 or -1. */
  readonly y: readonly number[];
  /** C_i, above 0. */
  readonly costs: readonly number[];
}

/** What one step did, for whoever watches. */
export interface LogisticStep {
  readonly epoch: number;
  readonly row: number;
  /** y_i w'x_i before the step. */
  readonly margin: number;
  /** Newton steps that the one-variable problem took. */
  readonly inner: number;
  readonly alpha: readonly number[];
  readonly w: readonly number[];
}

/** Steps for ever; the caller stops when `objectives` says so. `order(n)` gives the order of each epoch. */
export function* dcdLogistic(problem: LogisticProblem, order: (n: number) => readonly number[]): Generator<LogisticStep, never> {
  const { x, y, costs } = problem;
  // Inside the box from the beginning: at its ends the derivative is infinite.
  const alpha = costs.map((C) => Math.min(0.001 * C, 1e-8));
  const rest = costs.map((C, i) => C - at(alpha, i));
  const w = (x[0] ?? []).map((_, j) => x.reduce((sum, xi, i) => sum + at(alpha, i) * at(y, i) * at(xi, j), 0));

  for (let epoch = 0; ; epoch++) {
    for (const i of order(x.length)) {
      const xi = x[i] as readonly number[];
      const margin = at(y, i) * dot(w, xi);
      const old = at(alpha, i);
      const { first, second, inner } = solvePair(old, at(rest, i), dot(xi, xi), margin);
      alpha[i] = first;
      rest[i] = second;
      for (let j = 0; j < w.length; j++) w[j] = at(w, j) + (first - old) * at(y, i) * at(xi, j);
      yield { epoch, row: i, margin, inner, alpha, w };
    }
  }
}

/**
 * min_z  (c1 + z) log(c1 + z) + (c2 - z) log(c2 - z) + q/2 z^2 + b z.  Newton in whichever of Z1 = c1 + z and Z2 = c2 - z will be the smaller, because
 * that one needs its digits; a step beyond 0 goes a tenth of the way instead.
 */
function solvePair(c1: number, c2: number, q: number, b: number): { first: number; second: number; inner: number } {
  const s = c1 + c2;
  const isFirst = q * ((c2 - c1) / 2) + b >= 0; // the slope at z = (c2 - c1) / 2, where both are equal
  const c = isFirst ? c1 : c2;
  const slope = isFirst ? b : -b;
  let Z = c >= s / 2 ? 0.1 * c : c;
  let inner = 0;
  for (; inner < 100; inner++) {
    const gradient = Math.log(Z / (s - Z)) + q * (Z - c) + slope;
    const next = Z - gradient / (q + s / (Z * (s - Z)));
    if (Math.abs(gradient) < 1e-12) break;
    Z = next <= 0 ? 0.1 * Z : next;
  }
  return { first: isFirst ? Z : s - Z, second: isFirst ? s - Z : Z, inner };
}

/** P(w) and D(a): the optimum lies between them. */
export function objectives(problem: LogisticProblem, alpha: readonly number[], w: readonly number[]): { primal: number; dual: number } {
  const { x, y, costs } = problem;
  let primal = 0.5 * dot(w, w);
  let dual = -0.5 * dot(w, w);
  for (let i = 0; i < x.length; i++) {
    const margin = at(y, i) * dot(w, x[i] as readonly number[]);
    const C = at(costs, i);
    primal += C * (Math.max(0, -margin) + Math.log1p(Math.exp(-Math.abs(margin))));
    dual -= C * (xLogX(at(alpha, i) / C) + xLogX(1 - at(alpha, i) / C));
  }
  return { primal, dual };
}

function xLogX(value: number): number {
  return value > 0 ? value * Math.log(value) : 0;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, k) => sum + value * at(b, k), 0);
}

function at(list: readonly number[], k: number): number {
  return list[k] as number;
}
