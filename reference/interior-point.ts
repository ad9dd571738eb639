// Primal-dual interior point method for the linear SVM with hinge loss, as a textbook would print it: no speed, every iteration yielded.
// Mehrotra, SIAM J. Optim. 1992; for SVMs Ferris and Munson, SIAM J. Optim. 2003. The fast twin is core/linear/interior-point.ts.
//
//   min  1/2 t'R t + sum_i C_i xi_i,   y_i z_i't + xi_i - s_i = o_i,   xi, s >= 0       t = (w, v),  z_i = (x_i, biasScale)
//   max  sum_i o_i a_i - 1/2 t'R t,   a_i + r_i = C_i,   a, r >= 0,   R t = sum_i a_i y_i z_i
//   followed along a_i s_i = r_i xi_i = mu -> 0.  R = I, with 0 at the bias if that is free.

export interface InteriorPointProblem {
  readonly x: readonly (readonly number[])[];
  /** +1 or -1. */
  readonly y: readonly number[];
  /** C_i, above 0. */
  readonly costs: readonly number[];
  /** o_i: 1 if left out. The two sides of a tube are a row twice, with y = 1, o = t - epsilon and y = -1, o = -t - epsilon. */
  readonly offsets?: readonly number[];
  /** 0 for no bias. */
  readonly biasScale: number;
  readonly isBiasFree: boolean;
}

/** Where an iteration led, and how. */
export interface InteriorPointStep {
  readonly alpha: readonly number[];
  readonly t: readonly number[];
  /** The mean of all products a s and r xi: how far along the path. */
  readonly mu: number;
  /** How much of Newton's direction was taken, and what the products were steered to, as a share of mu. */
  readonly step: number;
  readonly sigma: number;
}

/** Iterates for ever; the caller stops when `objectives` says so. */
export function* interiorPoint(problem: InteriorPointProblem): Generator<InteriorPointStep, never> {
  const { y, costs, offsets = costs.map(() => 1) } = problem;
  const z = problem.x.map((row) => [...row, problem.biasScale]);
  const d = (z[0] as number[]).length;
  const R = Array.from({ length: d }, (_, j) => (j === d - 1 && problem.isBiasFree ? 0 : 1));
  const t = new Array<number>(d).fill(0);
  const none = costs.map(() => [0, 0] as const);
  const rows = costs.map((C, i) => {
    const a = C * firstShare(problem, at(y, i));
    return { a, r: C - a, s: 1, xi: 2 };
  });

  for (;;) {
    const mu = rows.reduce((sum, { a, r, s, xi }) => sum + a * s + r * xi, 0) / (2 * rows.length);
    const residual = rows.map(({ s, xi }, i) => at(offsets, i) - at(y, i) * dot(z[i] as number[], t) - xi + s);
    const theta = rows.map(({ a, r, s, xi }) => 1 / (s / a + xi / r));
    const M = R.map((value, j) =>
      R.map((_, k) => z.reduce((sum, zi, i) => sum + at(theta, i) * at(zi, j) * at(zi, k), j === k ? value : 0)),
    );

    // Newton's direction that steers every product to `target`, given the second-order terms of a first try.
    const direction = (target: number, products: readonly (readonly [number, number])[]) => {
      const e = rows.map(({ a, s }, i) => target - a * s - at(products[i], 0));
      const f = rows.map(({ r, xi }, i) => target - r * xi - at(products[i], 1));
      const q = rows.map(({ a, r }, i) => at(residual, i) + at(e, i) / a - at(f, i) / r);
      const right = R.map((value, j) =>
        rows.reduce((sum, { a }, i) => sum + at(y, i) * (a + at(theta, i) * at(q, i)) * at(z[i], j), -value * at(t, j)),
      );
      const dt = solve(M, right);
      const da = rows.map((_, i) => at(theta, i) * (at(q, i) - at(y, i) * dot(z[i] as number[], dt)));
      const ds = rows.map(({ a, s }, i) => (at(e, i) - s * at(da, i)) / a);
      const dxi = rows.map(({ r, xi }, i) => (at(f, i) + xi * at(da, i)) / r);
      const ratios = rows.flatMap(({ a, r, s, xi }, i) => [-a / at(da, i), r / at(da, i), -s / at(ds, i), -xi / at(dxi, i)]);
      return { dt, da, ds, dxi, reach: Math.min(...ratios.filter((ratio) => ratio > 0)) };
    };

    const first = direction(0, none);
    const far = Math.min(1, first.reach);
    const gain = (i: number): number => at(first.da, i) * (at(first.ds, i) - at(first.dxi, i));
    const after = rows.reduce((sum, _, i) => sum + far * far * gain(i), 2 * rows.length * (1 - far) * mu);
    const sigma = (after / (2 * rows.length) / mu) ** 3;
    const products = rows.map((_, i) => [at(first.da, i) * at(first.ds, i), -at(first.da, i) * at(first.dxi, i)] as const);
    const { dt, da, ds, dxi, reach } = direction(sigma * mu, products);
    const step = Math.min(1, 0.99 * reach);
    rows.forEach((row, i) => {
      row.a += step * at(da, i);
      row.r -= step * at(da, i);
      row.s += step * at(ds, i);
      row.xi += step * at(dxi, i);
    });
    for (let j = 0; j < d; j++) t[j] = at(t, j) + step * at(dt, j);
    yield { alpha: rows.map(({ a }) => a), t: [...t], mu, step, sigma };
  }
}

/** A half of every cost; with a free bias so much of the heavier side's that y'a = 0. */
function firstShare({ y, costs, isBiasFree }: InteriorPointProblem, sign: number): number {
  const total = (side: number): number => costs.reduce((sum, C, i) => sum + (y[i] === side ? C : 0), 0);
  return isBiasFree ? (0.5 * Math.min(total(1), total(-1))) / total(sign) : 0.5;
}

/** P(t) and D(a): the optimum lies between them. */
export function objectives(problem: InteriorPointProblem, { alpha, t }: Pick<InteriorPointStep, "alpha" | "t">) {
  const { x, y, costs, biasScale, isBiasFree, offsets = costs.map(() => 1) } = problem;
  const z = x.map((row) => [...row, biasScale]);
  const square = (v: readonly number[]): number => dot(v, v) - (isBiasFree ? at(v, v.length - 1) ** 2 : 0);
  const u = t.map((_, j) => z.reduce((sum, zi, i) => sum + at(alpha, i) * at(y, i) * at(zi, j), 0));
  const loss = z.reduce((sum, zi, i) => sum + at(costs, i) * Math.max(0, at(offsets, i) - at(y, i) * dot(zi, t)), 0);
  return { primal: 0.5 * square(t) + loss, dual: dot(alpha, offsets) - 0.5 * square(u) };
}

/** M x = b by Gauss's elimination; M is positive definite, so no pivoting. */
function solve(M: readonly (readonly number[])[], b: readonly number[]): number[] {
  const rows = M.map((row, j) => [...row, at(b, j)]);
  rows.forEach((pivot, j) => {
    for (const other of rows) {
      const factor = other === pivot ? 0 : at(other, j) / at(pivot, j);
      for (let k = j; k < other.length; k++) other[k] = at(other, k) - factor * at(pivot, k);
    }
  });
  return rows.map((row, j) => at(row, row.length - 1) / at(row, j));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, k) => sum + value * at(b, k), 0);
}

function at(list: readonly number[] | undefined, k: number): number {
  return (list as readonly number[])[k] as number;
}
