// Dual coordinate descent with a kernel and without an offset, as a textbook would print it: no cache, no shrinking, every step yielded.
// Hsieh, Chang, Lin, Keerthi, Sundararajan, ICML 2008, section 2; with a kernel the gradient is kept instead of w. The fast twin is core/kernel/descent.ts.
//
//   f(x) = sum_i v_i K(x_i, x)                                                   no b, hence no sum of v to keep: one variable moves at a time
//   max_v  D = z'v - epsilon |v|_1 - 1/2 v'Kv,   lo_i <= v_i <= hi_i             as a minimisation its derivative is F = Kv - z, and epsilon sign(v)
//   P = 1/2 v'Kv + sum_i max over [lo_i, hi_i] of  u (z_i - f_i) - epsilon |u|   C-SVC: C_i max(0, 1 - y_i f_i);  SVR: C_i max(0, |f_i - t_i| - epsilon)
//   step   v_i <- where the parabola  F_i d + 1/2 K_ii d^2 + epsilon |v_i + d|  is least, inside the box;   F += d K_i
//
// C-SVC: v_i = y_i a_i, z = y, [lo, hi] = [0, C_i] or [-C_i, 0]. Epsilon-SVR: z the targets, [-C_i, C_i].

export interface KernelDcdProblem {
  /** K, symmetric, K_ii above 0. */
  readonly kernel: readonly (readonly number[])[];
  readonly z: readonly number[];
  readonly lo: readonly number[];
  readonly hi: readonly number[];
  readonly epsilon?: number;
}

/** What one step did, for whoever watches. */
export interface KernelDcdStep {
  readonly moved: number;
  /** How far its derivative was from letting it stay. */
  readonly violation: number;
  readonly value: readonly number[];
  /** F = Kv - z. */
  readonly gradient: readonly number[];
}

/**
 * Steps until nothing moves; the caller may stop before, when `kernelDcdObjectives` says so. With `order(n)` every epoch goes through all variables in that order, as
 * the paper has it; without, each step takes the variable that decreases the objective most.
 */
export function* kernelDcd(problem: KernelDcdProblem, order?: (n: number) => readonly number[]): Generator<KernelDcdStep, void> {
  const { kernel, z, lo, hi, epsilon = 0 } = problem;
  const n = z.length;
  const value = new Array<number>(n).fill(0);
  const gradient = z.map((target) => -target);
  /** What moving it gains at first: up, or down. */
  const gain = (t: number): number => {
    const up = at(value, t) >= at(hi, t) ? 0 : (at(value, t) < 0 ? epsilon : -epsilon) - at(gradient, t);
    const down = at(value, t) <= at(lo, t) ? 0 : (at(value, t) > 0 ? epsilon : -epsilon) + at(gradient, t);
    return Math.max(0, up, down);
  };
  const decrease = (t: number): number => gain(t) ** 2 / at(at(kernel, t), t);

  for (;;) {
    let hasMoved = false;
    const turn = order?.(n) ?? [z.reduce((best, _, t) => (decrease(t) > decrease(best) ? t : best), 0)];
    for (const t of turn) {
      const violation = gain(t);
      if (violation === 0) continue;
      const old = at(value, t);
      // Where it would go without the tube, moved towards 0 by the tube's part, at most to 0; then into the box.
      const free = old - at(gradient, t) / at(at(kernel, t), t);
      const shrunk = Math.sign(free) * Math.max(0, Math.abs(free) - epsilon / at(at(kernel, t), t));
      const next = Math.min(Math.max(shrunk, at(lo, t)), at(hi, t));
      if (next === old) continue;
      value[t] = next;
      for (let s = 0; s < n; s++) gradient[s] = at(gradient, s) + (next - old) * at(at(kernel, t), s);
      hasMoved = true;
      yield { moved: t, violation, value, gradient };
    }
    if (!hasMoved) return;
  }
}

/** P and D: the optimum lies between them, if K is positive semidefinite. */
export function kernelDcdObjectives(
  { kernel, z, lo, hi, epsilon = 0 }: KernelDcdProblem,
  value: readonly number[],
): { primal: number; dual: number } {
  const f = z.map((_, t) => kernel.reduce((sum, row, s) => sum + at(row, t) * at(value, s), 0));
  const square = value.reduce((sum, v, t) => sum + v * at(f, t), 0);
  let primal = square / 2;
  let dual = -square / 2;
  z.forEach((target, t) => {
    const ends = [at(lo, t), at(hi, t), Math.min(Math.max(0, at(lo, t)), at(hi, t))];
    primal += Math.max(...ends.map((u) => u * (target - at(f, t)) - epsilon * Math.abs(u)));
    dual += target * at(value, t) - epsilon * Math.abs(at(value, t));
  });
  return { primal, dual };
}

function at<T>(list: readonly T[], k: number): T {
  return list[k] as T;
}
