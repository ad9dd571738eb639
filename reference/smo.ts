// Sequential minimal optimisation for every kernel problem with one sum constraint, as a textbook would print it: two variables at a time, no cache, no
// shrinking, every step yielded. Fan, Chen, Lin, JMLR 2005 (second-order choice of the pair). The fast twin is core/kernel/block.ts.
//
//   min_v  1/2 v'Kv - z'v + epsilon |v|_1,    lo_i <= v_i <= hi_i,    sum v as it is at the start
//
// C-SVC: v_i = y_i a_i, z = y, [lo, hi] = [0, C_i] or [-C_i, 0]. Epsilon-SVR: z the targets, [-C_i, C_i]. One-class: z = 0, [0, c_i].

export interface SmoProblem {
  /** K, symmetric. */
  readonly kernel: readonly (readonly number[])[];
  readonly z: readonly number[];
  readonly lo: readonly number[];
  readonly hi: readonly number[];
  readonly epsilon?: number;
  /** Where to begin; zero if left out. */
  readonly start?: readonly number[];
}

/** What one step did, for whoever watches. */
export interface SmoStep {
  /** The variable that was raised, and the one that was lowered by as much. */
  readonly raised: number;
  readonly lowered: number;
  /** How much the pair gained at first: the sum of its two derivatives. */
  readonly violation: number;
  readonly value: readonly number[];
  /** F = Kv - z. */
  readonly gradient: readonly number[];
}

// What an eta that is not positive is taken for: the step then ends at a bound.
const TINY = 1e-12;

/** Steps until no pair gains; the caller may stop before, when `objectives` says so. */
export function* smo({ kernel, z, lo, hi, epsilon = 0, start }: SmoProblem): Generator<SmoStep, void> {
  const n = z.length;
  const value = start === undefined ? new Array<number>(n).fill(0) : [...start];
  const gradient = z.map((target, t) => kernel.reduce((sum, row, s) => sum + at(row, t) * at(value, s), -target));
  const raising = (t: number): number =>
    at(value, t) >= at(hi, t) ? -Infinity : (at(value, t) < 0 ? epsilon : -epsilon) - at(gradient, t);
  const lowering = (t: number): number =>
    at(value, t) <= at(lo, t) ? -Infinity : (at(value, t) > 0 ? epsilon : -epsilon) + at(gradient, t);
  const eta = (i: number, j: number): number => Math.max(TINY, at(at(kernel, i), i) + at(at(kernel, j), j) - 2 * at(at(kernel, i), j));

  for (;;) {
    let i = 0;
    for (let t = 1; t < n; t++) if (raising(t) > raising(i)) i = t;
    let j = -1;
    let best = 0;
    for (let t = 0; t < n; t++) {
      const gain = raising(i) + lowering(t);
      if (gain > 0 && (gain * gain) / eta(i, t) > best) {
        best = (gain * gain) / eta(i, t);
        j = t;
      }
    }
    if (j < 0) return;
    const violation = raising(i) + lowering(j);
    // Up to a bound, or to the kink of |v| at 0.
    const endI = epsilon > 0 && at(value, i) < 0 ? Math.min(0, at(hi, i)) : at(hi, i);
    const endJ = epsilon > 0 && at(value, j) > 0 ? Math.max(0, at(lo, j)) : at(lo, j);
    const delta = Math.min(violation / eta(i, j), endI - at(value, i), at(value, j) - endJ);
    const [oldI, oldJ] = [at(value, i), at(value, j)];
    value[i] = delta >= endI - oldI ? endI : oldI + delta;
    value[j] = delta >= oldJ - endJ ? endJ : oldJ - delta;
    if (value[i] === oldI && value[j] === oldJ) return;
    for (let t = 0; t < n; t++) gradient[t] = at(gradient, t) + delta * (at(at(kernel, i), t) - at(at(kernel, j), t));
    yield { raised: i, lowered: j, violation, value, gradient };
  }
}

/** P at the best offset rho, and D: the optimum lies between them, if K is positive semidefinite. The model is f(x) = sum_i v_i K(x_i, x) - rho. */
export function objectives(
  { kernel, z, lo, hi, epsilon = 0 }: SmoProblem,
  value: readonly number[],
): { primal: number; dual: number; rho: number } {
  const n = z.length;
  const f = z.map((target, t) => kernel.reduce((sum, row, s) => sum + at(row, t) * at(value, s), -target));
  const cost = (v: number, e: number): number => v * e + epsilon * Math.abs(v);
  const dual = value.reduce((sum, v, t) => sum + 0.5 * v * (at(z, t) - at(f, t)) - epsilon * Math.abs(v), 0);
  const gapAt = (rho: number): number => {
    let gap = 0;
    for (let t = 0; t < n; t++) {
      const e = at(f, t) - rho;
      const kink = Math.min(Math.max(at(lo, t), 0), at(hi, t));
      gap += cost(at(value, t), e) - Math.min(cost(at(lo, t), e), cost(at(hi, t), e), cost(kink, e));
    }
    return gap;
  };
  // Convex and piecewise linear in rho: one of its breaks is the minimum.
  let rho = 0;
  let gap = Infinity;
  for (const e of f.flatMap((value) => (epsilon > 0 ? [value - epsilon, value + epsilon] : [value]))) {
    if (gapAt(e) < gap) [rho, gap] = [e, gapAt(e)];
  }
  return { primal: dual + gap, dual, rho };
}

function at<T>(list: readonly T[], k: number): T {
  return list[k] as T;
}
