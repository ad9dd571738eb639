// The sequential dual method for the Crammer-Singer SVM, as a textbook would print it: no shrinking, no speed, every step yielded.
// Keerthi, Sundararajan, Chang, Hsieh, Lin, KDD 2008. The fast twin is core/linear/crammer-singer.ts.
//
//   min_W  P(W) = 1/2 sum_m w_m'w_m + sum_i C_i max_m (1 - [m = y_i] + w_m'x_i - w_{y_i}'x_i)
//   max_a  D(a) = -1/2 sum_m w_m'w_m - sum_i sum_{m != y_i} a_im      where w_m = sum_i a_im x_i,
//          sum_m a_im = 0 and a_im <= C_i [m = y_i]
//   step   all of row i: with A = x_i'x_i, B_m = w_m'x_i + 1 - [m = y_i] - A a_im and D_m = B_m + A C_i [m = y_i]
//          a_im = min(C_i [m = y_i], (beta - B_m) / A),   beta such that sum_m a_im = 0:
//          Phi takes m in falling order of D_m until h = (sum_{m in Phi} D_m - A C_i) / |Phi| >= the next D_m; beta = h
//          A = 0: all of C_i from the own class to a worst other one

export interface CrammerSingerProblem {
  readonly x: readonly (readonly number[])[];
  /** Class of each row, from 0. */
  readonly y: readonly number[];
  readonly classCount: number;
  /** C_i, above 0. */
  readonly costs: readonly number[];
}

/** What one step did, for whoever watches. */
export interface CrammerSingerStep {
  readonly epoch: number;
  readonly row: number;
  /** max_m g_m - min_{m may still fall} g_m before the step, g = gradient of -D: 0 where the row is in its right place. */
  readonly violation: number;
  readonly alpha: readonly (readonly number[])[];
  readonly w: readonly (readonly number[])[];
}

/** Steps for ever; the caller stops when `objectives` says so. `order(n)` gives the order of each epoch. */
export function* crammerSinger(
  problem: CrammerSingerProblem,
  order: (n: number) => readonly number[],
): Generator<CrammerSingerStep, never> {
  const { x, y, classCount, costs } = problem;
  const alpha = x.map(() => new Array<number>(classCount).fill(0));
  const w = Array.from({ length: classCount }, () => new Array<number>(x[0]?.length ?? 0).fill(0));

  for (let epoch = 0; ; epoch++) {
    for (const i of order(x.length)) {
      const xi = at(x, i);
      const a = at(alpha, i);
      const A = dot(xi, xi);
      const upper = a.map((_, m) => (m === at(y, i) ? at(costs, i) : 0));
      const g = a.map((_, m) => dot(at(w, m), xi) + (m === at(y, i) ? 0 : 1));
      const violation = Math.max(...g) - Math.min(...g.filter((_, m) => at(a, m) < at(upper, m)));

      const next = A > 0 ? subProblem(A, a, g, upper) : emptyRow(g, at(y, i), at(costs, i));
      next.forEach((value, m) => {
        const wm = at(w, m);
        for (let j = 0; j < wm.length; j++) wm[j] = at(wm, j) + (value - at(a, m)) * at(xi, j);
        a[m] = value;
      });
      yield { epoch, row: i, violation, alpha, w };
    }
  }
}

/** min over one row's a of sum_m 1/2 A a_m^2 + B_m a_m with sum_m a_m = 0 and a_m <= upper_m, exactly. */
export function subProblem(A: number, a: readonly number[], g: readonly number[], upper: readonly number[]): number[] {
  const B = g.map((value, m) => value - A * at(a, m));
  const D = B.map((value, m) => value + A * at(upper, m)).sort((p, q) => q - p);
  const cost = Math.max(...upper);
  let sum = at(D, 0) - A * cost;
  let count = 1;
  while (count < D.length && sum / count < at(D, count)) sum += at(D, count++);
  return B.map((value, m) => Math.min(at(upper, m), (sum / count - value) / A));
}

/** A row without values does not move W; its optimum is a = C for its class and -C for one that loses most. */
function emptyRow(g: readonly number[], own: number, cost: number): number[] {
  const worst = g.indexOf(Math.max(...g));
  return g.map((_, m) => (m === own ? cost : 0) - (m === worst ? cost : 0));
}

/** P(W) and D(a): the optimum lies between them. */
export function objectives(
  { x, y, costs }: CrammerSingerProblem,
  alpha: readonly (readonly number[])[],
  w: readonly (readonly number[])[],
): { primal: number; dual: number } {
  const norm = w.reduce((sum, wm) => sum + 0.5 * dot(wm, wm), 0);
  let primal = norm;
  let dual = -norm;
  x.forEach((xi, i) => {
    const scores = w.map((wm) => dot(wm, xi));
    const losses = scores.map((score, m) => (m === at(y, i) ? 0 : 1 + score - at(scores, at(y, i))));
    primal += at(costs, i) * Math.max(...losses);
    at(alpha, i).forEach((a, m) => {
      if (m !== at(y, i)) dual -= a;
    });
  });
  return { primal, dual };
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, k) => sum + value * at(b, k), 0);
}

function at<T>(list: readonly T[], k: number): T {
  return list[k] as T;
}
