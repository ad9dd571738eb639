// Platt's sequential minimal optimisation (1998), the first of its kind, as he wrote it down: two multipliers at a time, errors kept for those between their
// bounds, the first chosen by its KKT violation, the second by |E1 - E2|. Every step yielded. docs/algorithms/from-platt.md leads from here to ours.
//
//   min_a  1/2 sum_ij a_i a_j y_i y_j K_ij - sum_i a_i,    0 <= a_i <= C_i,    sum_i a_i y_i = 0
//   f(x) = sum_i a_i y_i K(x_i, x) - b,    E_i = f(x_i) - y_i
//   KKT    a_i = 0: y_i f_i >= 1;   0 < a_i < C_i: y_i f_i = 1;   a_i = C_i: y_i f_i <= 1

export interface PlattProblem {
  readonly kernel: readonly (readonly number[])[];
  /** +1 or -1. */
  readonly y: readonly number[];
  /** C_i, above 0. */
  readonly costs: readonly number[];
  /** How much a KKT condition may be violated; 1e-3 in the paper. */
  readonly tolerance: number;
}

/** What one step did, for whoever watches. */
export interface PlattStep {
  readonly pair: readonly [number, number];
  /** Whether all rows were being looked at, or only those between their bounds. */
  readonly isFullPass: boolean;
  readonly alpha: readonly number[];
  readonly b: number;
}

// A step shorter than this part of what it moves is none.
const LEAST_STEP = 1e-10;

/** Ends when a pass over all rows finds no violation. `order(n)` gives where searches for a partner begin: the paper draws at random. */
export function* plattSmo({ kernel, y, costs, tolerance }: PlattProblem, start: (n: number) => number): Generator<PlattStep, void> {
  const n = y.length;
  const alpha = new Array<number>(n).fill(0);
  const errors = y.map((label) => -label);
  let b = 0;
  const isFree = (i: number): boolean => at(alpha, i) > 0 && at(alpha, i) < at(costs, i);

  /** Takes the pair to its optimum; false if that is where it is. */
  const takeStep = (i: number, j: number): boolean => {
    if (i === j) return false;
    const [yi, yj] = [at(y, i), at(y, j)];
    const s = yi * yj;
    const sum = at(alpha, j) + s * at(alpha, i);
    // The line through the box along which y_i a_i + y_j a_j stays.
    const low = s < 0 ? Math.max(0, at(alpha, j) - at(alpha, i)) : Math.max(0, sum - at(costs, i));
    const high = s < 0 ? Math.min(at(costs, j), at(costs, i) + at(alpha, j) - at(alpha, i)) : Math.min(at(costs, j), sum);
    if (low >= high) return false;
    const eta = at(at(kernel, i), i) + at(at(kernel, j), j) - 2 * at(at(kernel, i), j);
    const slope = yj * (at(errors, i) - at(errors, j));
    // Without curvature the objective falls all the way to one end.
    const free = eta > 0 ? at(alpha, j) + slope / eta : slope > 0 ? high : low;
    const next = Math.min(Math.max(free, low), high);
    const change = next - at(alpha, j);
    if (Math.abs(change) < LEAST_STEP * (next + at(alpha, j) + LEAST_STEP)) return false;
    const other = at(alpha, i) - s * change;
    const [di, dj] = [yi * (other - at(alpha, i)), yj * change];
    const bi = b + at(errors, i) + di * at(at(kernel, i), i) + dj * at(at(kernel, i), j);
    const bj = b + at(errors, j) + di * at(at(kernel, i), j) + dj * at(at(kernel, j), j);
    alpha[i] = clip(other, at(costs, i));
    alpha[j] = clip(next, at(costs, j));
    // A free variable has f = y; where neither is free every b between the two will do.
    const newB = isFree(i) ? bi : isFree(j) ? bj : (bi + bj) / 2;
    for (let t = 0; t < n; t++) errors[t] = at(errors, t) + di * at(at(kernel, i), t) + dj * at(at(kernel, j), t) - (newB - b);
    b = newB;
    return true;
  };

  for (let isFullPass = true, changed = 1; changed > 0 || isFullPass; ) {
    changed = 0;
    for (let i = 0; i < n; i++) {
      if (!isFullPass && !isFree(i)) continue;
      const r = at(errors, i) * at(y, i);
      if (!((r < -tolerance && at(alpha, i) < at(costs, i)) || (r > tolerance && at(alpha, i) > 0))) continue;
      // Partners: the one whose error differs most, then all between their bounds, then all.
      const free = y.map((_, t) => t).filter(isFree);
      const most = free.reduce((best, t) => (gapOf(errors, i, t) > gapOf(errors, i, best) ? t : best), i);
      const from = start(n);
      const turned = y.map((_, t) => (t + from) % n);
      const j = [most, ...turned.filter(isFree), ...turned].find((t) => takeStep(t, i));
      if (j === undefined) continue;
      changed++;
      yield { pair: [j, i], isFullPass, alpha, b };
    }
    if (isFullPass) {
      if (changed === 0) return;
      isFullPass = false;
    } else if (changed === 0) {
      isFullPass = true;
      changed = 1;
    }
  }
}

function gapOf(errors: readonly number[], i: number, j: number): number {
  return Math.abs(at(errors, i) - at(errors, j));
}

/** Exactly at a bound, where rounding left it beside. */
function clip(a: number, cost: number): number {
  return a < 1e-12 * cost ? 0 : a > cost * (1 - 1e-12) ? cost : a;
}

function at<T>(list: readonly T[], k: number): T {
  return list[k] as T;
}
