// Primal Newton for L2-regularised squared hinge and logistic loss, as a textbook would print it: conjugate gradients on the Newton
// equation, halving of the step until the objective falls enough. No preconditioner, no speed, every outer iteration yielded.
// Lin, Weng, Keerthi, JMLR 2008; line search as in Hsia, Zhu, Lin, ACML 2017. The fast twin is src/solve/newton.ts.
//
//   P(w) = 1/2 w'w + sum_i C_i loss(y_i w'x_i)        g = w - sum_i a_i y_i x_i,  a_i = -C_i loss'(m_i)
//   H = I + sum_i C_i loss''(m_i) x_i x_i'            P(w) - D(a) = 1/2 g'g

export interface NewtonProblem {
  readonly x: readonly (readonly number[])[];
  /** +1 or -1. */
  readonly y: readonly number[];
  /** C_i, above 0. */
  readonly costs: readonly number[];
  readonly loss: "squared_hinge" | "logistic";
}

/** Where an outer iteration begins. */
export interface NewtonIteration {
  readonly w: readonly number[];
  readonly objective: number;
  /** P - D at the dual point that the margins suggest. */
  readonly gap: number;
  /** Hessian products spent so far. */
  readonly products: number;
}

/** Iterates for ever; the caller stops when the gap is small enough. */
export function* newton(problem: NewtonProblem): Generator<NewtonIteration, never> {
  let w = new Array<number>(problem.x[0]?.length ?? 0).fill(0);
  let products = 0;
  for (;;) {
    const at = w;
    const g = gradient(problem, at);
    yield { w, objective: objective(problem, at), gap: 0.5 * dot(g, g), products };

    // H p = -g, until the residual is a tenth of the gradient.
    let p = w.map(() => 0);
    let r = g.map((value) => -value);
    let step = r;
    while (dot(r, r) > 0.01 * dot(g, g)) {
      const hs = hessianTimes(problem, at, step);
      products++;
      const alpha = dot(r, r) / dot(step, hs);
      p = plus(p, alpha, step);
      const next = plus(r, -alpha, hs);
      step = plus(next, dot(next, next) / dot(r, r), step);
      r = next;
    }

    let t = 1;
    while (t > 1e-10 && objective(problem, plus(at, t, p)) > objective(problem, at) + 0.01 * t * dot(g, p)) t /= 2;
    w = plus(at, t, p);
  }
}

export function objective({ x, y, costs, loss }: NewtonProblem, w: readonly number[]): number {
  return x.reduce((sum, row, i) => sum + (costs[i] ?? 0) * lossAt(loss, (y[i] ?? 0) * dot(row, w))[0], 0.5 * dot(w, w));
}

export function gradient({ x, y, costs, loss }: NewtonProblem, w: readonly number[]): number[] {
  return x.reduce<number[]>(
    (g, row, i) => plus(g, (costs[i] ?? 0) * (y[i] ?? 0) * lossAt(loss, (y[i] ?? 0) * dot(row, w))[1], row),
    [...w],
  );
}

export function hessianTimes({ x, y, costs, loss }: NewtonProblem, w: readonly number[], v: readonly number[]): number[] {
  return x.reduce<number[]>(
    (h, row, i) => plus(h, (costs[i] ?? 0) * lossAt(loss, (y[i] ?? 0) * dot(row, w))[2] * dot(row, v), row),
    [...v],
  );
}

/** loss(m), loss'(m), loss''(m). */
function lossAt(loss: NewtonProblem["loss"], m: number): readonly [number, number, number] {
  if (loss === "squared_hinge") return m < 1 ? [(1 - m) ** 2, -2 * (1 - m), 2] : [0, 0, 0];
  const p = 1 / (1 + Math.exp(m));
  return [Math.max(0, -m) + Math.log1p(Math.exp(-Math.abs(m))), -p, p * (1 - p)];
}

function plus(a: readonly number[], scale: number, b: readonly number[]): number[] {
  return a.map((value, k) => value + scale * (b[k] ?? 0));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, k) => sum + value * (b[k] ?? 0), 0);
}
