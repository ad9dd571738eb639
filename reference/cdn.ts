// L1-regularised squared hinge by coordinate descent with one-variable Newton steps (CDN), as a textbook would print it: no shrinking,
// no speed, every step yielded. Yuan, Chang, Hsieh, Lin, JMLR 2010, section 4.1, algorithm 3, with the line search of its equation 24.
//
//   min_w  P(w) = sum_j |w_j| + L(w),   L(w) = sum_i C_i max(0, 1 - m_i)^2,   m_i = y_i w'x_i
//   step   along j: g = L'_j, h = L''_j over the rows with m_i < 1;  d minimises  g d + h d^2 / 2 + |w_j + d|
//   search t = 1, 1/2, ...: P(w + t d e_j) - P(w) <= sigma t (g d + |w_j + d| - |w_j|)
//
// The fast solver, src/solve/l1-newton.ts, takes its steps on a model of all features at once; this one is its oracle.

export interface CdnProblem {
  readonly x: readonly (readonly number[])[];
  /** +1 or -1. */
  readonly y: readonly number[];
  /** C_i, above 0. */
  readonly costs: readonly number[];
}

/** What one step did, for whoever watches. */
export interface CdnStep {
  readonly epoch: number;
  readonly feature: number;
  /** Derivative of the loss along this coordinate, before the step. */
  readonly gradient: number;
  /** Length of the step in units of Newton's. */
  readonly t: number;
  readonly w: readonly number[];
}

const SIGMA = 0.01;
// Where no row bends the loss the step is to zero: any small h says so.
const LEAST_BEND = 1e-12;

/** Steps for ever; the caller stops when `objectives` says so. `order(d)` gives the order of each epoch. */
export function* cdn(problem: CdnProblem, order: (d: number) => readonly number[]): Generator<CdnStep, never> {
  const { x, y, costs } = problem;
  const d = x[0]?.length ?? 0;
  const w = new Array<number>(d).fill(0);
  const margins = new Array<number>(x.length).fill(0);

  for (let epoch = 0; ; epoch++) {
    for (const j of order(d)) {
      let gradient = 0;
      let bend = LEAST_BEND;
      for (let i = 0; i < x.length; i++) {
        const value = at(y, i) * at(at(x, i), j);
        const slack = 1 - at(margins, i);
        if (slack <= 0) continue;
        gradient -= 2 * at(costs, i) * value * slack;
        bend += 2 * at(costs, i) * value * value;
      }
      const old = at(w, j);
      const step = softStep(old, gradient, bend) - old;
      const promise = gradient * step + Math.abs(old + step) - Math.abs(old);
      let t = promise < 0 ? 1 : 0;
      for (; t > 0; t /= 2) {
        let change = Math.abs(old + t * step) - Math.abs(old);
        for (let i = 0; i < x.length; i++) {
          const turn = t * step * at(y, i) * at(at(x, i), j);
          change += at(costs, i) * (squaredHinge(at(margins, i) + turn) - squaredHinge(at(margins, i)));
        }
        if (change <= SIGMA * t * promise) break;
      }
      w[j] = old + t * step;
      for (let i = 0; i < x.length; i++) margins[i] = at(margins, i) + t * step * at(y, i) * at(at(x, i), j);
      yield { epoch, feature: j, gradient, t, w };
    }
  }
}

/** The t that minimises  q (t - u) + h (t - u)^2 / 2 + |t|. */
function softStep(u: number, q: number, h: number): number {
  if (q + 1 < h * u) return u - (q + 1) / h;
  if (q - 1 > h * u) return u - (q - 1) / h;
  return 0;
}

/** P(w), and D at the point that the margins suggest, a_i = 2 C_i max(0, 1 - m_i), scaled into |sum_i a_i y_i x_ij| <= 1. */
export function objectives({ x, y, costs }: CdnProblem, w: readonly number[]): { primal: number; dual: number } {
  const margins = x.map((row, i) => at(y, i) * row.reduce((sum, value, j) => sum + value * at(w, j), 0));
  const alpha = margins.map((margin, i) => 2 * at(costs, i) * Math.max(0, 1 - margin));
  const reach = w.map((_, j) => Math.abs(x.reduce((sum, row, i) => sum + at(alpha, i) * at(y, i) * at(row, j), 0)));
  const first = alpha.reduce((sum, a) => sum + a, 0);
  const second = alpha.reduce((sum, a, i) => sum + (a * a) / (4 * at(costs, i)), 0);
  // D(t a) = t first - t^2 second, at most 1 / reach.
  const t = first > 0 ? Math.min(1 / Math.max(...reach, 0), first / (2 * second)) : 0;
  return {
    primal: w.reduce((sum, value) => sum + Math.abs(value), 0) + margins.reduce((sum, m, i) => sum + at(costs, i) * squaredHinge(m), 0),
    dual: t * first - t * t * second,
  };
}

function squaredHinge(margin: number): number {
  return Math.max(0, 1 - margin) ** 2;
}

function at<T>(list: readonly T[], k: number): T {
  return list[k] as T;
}
