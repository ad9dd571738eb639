// L1-regularised logistic regression by the improved GLMNET, as a textbook would print it: no shrinking, no speed, every outer step
// yielded. Yuan, Ho, Lin, JMLR 2012, algorithm 3. The fast solver is src/solve/l1-newton.ts.
//
//   min_w  P(w) = sum_j |w_j| + sum_i C_i log(1 + e^-m_i),   m_i = y_i w'x_i
//   model  q(u) = g'(u - w) + 1/2 (u - w)'H (u - w) + |u|_1,   g = -X~'a,  a_i = C_i / (1 + e^m_i),  H = X~'diag(c) X~,  c_i = a_i (1 - a_i / C_i)
//   inner  coordinate descent on q from u = w until its violation is small against the outer one
//   search t = 1, 1/2, ...: P(w + t (u - w)) - P(w) <= sigma t (g'(u - w) + |u|_1 - |w|_1)

export interface GlmnetProblem {
  readonly x: readonly (readonly number[])[];
  /** +1 or -1. */
  readonly y: readonly number[];
  /** C_i, above 0. */
  readonly costs: readonly number[];
}

/** What one outer step did, for whoever watches. */
export interface GlmnetStep {
  /** Sum of the distances of 0 from the subdifferentials, before the step. */
  readonly violation: number;
  /** Sweeps over the model. */
  readonly sweeps: number;
  readonly t: number;
  readonly w: readonly number[];
}

const SIGMA = 0.01;
const MOST_SWEEPS = 1000;

/** Steps for ever; the caller stops when `objectives` says so. */
export function* glmnet(problem: GlmnetProblem): Generator<GlmnetStep, never> {
  const { x, y, costs } = problem;
  const rows = x.map((row, i) => row.map((value) => at(y, i) * value));
  let w = new Array<number>(x[0]?.length ?? 0).fill(0);
  for (;;) {
    const alpha = marginsOf(rows, w).map((m, i) => at(costs, i) / (1 + Math.exp(m)));
    const bends = alpha.map((a, i) => a * (1 - a / at(costs, i)));
    const g = w.map((_, j) => -rows.reduce((sum, row, i) => sum + at(alpha, i) * at(row, j), 0));
    const violation = w.reduce((sum, value, j) => sum + violationAt(value, at(g, j)), 0);

    const u = [...w];
    const turns = new Array<number>(x.length).fill(0);
    let sweeps = 0;
    for (let left = Infinity; left > 0.1 * violation && sweeps < MOST_SWEEPS; sweeps++) {
      left = 0;
      for (let j = 0; j < u.length; j++) {
        const q = at(g, j) + rows.reduce((sum, row, i) => sum + at(bends, i) * at(row, j) * at(turns, i), 0);
        const h = rows.reduce((sum, row, i) => sum + at(bends, i) * at(row, j) ** 2, 0);
        left += violationAt(at(u, j), q);
        const step = h > 0 ? softStep(at(u, j), q, h) - at(u, j) : 0;
        u[j] = at(u, j) + step;
        for (let i = 0; i < rows.length; i++) turns[i] = at(turns, i) + step * at(at(rows, i), j);
      }
    }

    const before = objectives(problem, w).primal;
    const promise = u.reduce((sum, value, j) => sum + at(g, j) * (value - at(w, j)) + Math.abs(value) - Math.abs(at(w, j)), 0);
    const moved = (t: number): number[] => w.map((value, j) => value + t * (at(u, j) - value));
    let t = promise < 0 ? 1 : 0;
    while (t > 0 && objectives(problem, moved(t)).primal - before > SIGMA * t * promise) t /= 2;
    w = moved(t);
    yield { violation, sweeps, t, w };
  }
}

/** Distance of 0 from the subdifferential of q u + |u|. */
function violationAt(u: number, q: number): number {
  return u === 0 ? Math.max(Math.abs(q) - 1, 0) : Math.abs(q + Math.sign(u));
}

/** The t that minimises  q (t - u) + h (t - u)^2 / 2 + |t|. */
function softStep(u: number, q: number, h: number): number {
  if (q + 1 < h * u) return u - (q + 1) / h;
  if (q - 1 > h * u) return u - (q - 1) / h;
  return 0;
}

/** P(w), and D(a) = -sum_i C_i (p log p + (1 - p) log(1 - p)), p = a_i / C_i, at a_i = C_i / (1 + e^m_i) scaled into |X~'a| <= 1. */
export function objectives({ x, y, costs }: GlmnetProblem, w: readonly number[]): { primal: number; dual: number } {
  const rows = x.map((row, i) => row.map((value) => at(y, i) * value));
  const margins = marginsOf(rows, w);
  const alpha = margins.map((m, i) => at(costs, i) / (1 + Math.exp(m)));
  const reach = w.map((_, j) => Math.abs(rows.reduce((sum, row, i) => sum + at(alpha, i) * at(row, j), 0)));
  const t = 1 / Math.max(1, ...reach);
  const loss = margins.reduce((sum, m, i) => sum + at(costs, i) * (Math.max(0, -m) + Math.log1p(Math.exp(-Math.abs(m)))), 0);
  const dual = alpha.reduce((sum, a, i) => {
    const p = (t * a) / at(costs, i);
    return p > 0 && p < 1 ? sum - at(costs, i) * (p * Math.log(p) + (1 - p) * Math.log(1 - p)) : sum;
  }, 0);
  return { primal: loss + w.reduce((sum, value) => sum + Math.abs(value), 0), dual };
}

function marginsOf(rows: readonly (readonly number[])[], w: readonly number[]): number[] {
  return rows.map((row) => row.reduce((sum, value, j) => sum + value * at(w, j), 0));
}

function at<T>(list: readonly T[], k: number): T {
  return list[k] as T;
}
