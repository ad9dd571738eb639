import { describe, expect, test } from "vitest";
import { plattSmo } from "../../../reference/platt-smo.ts";
import { objectives, smo } from "../../../reference/smo.ts";
import { Random } from "../../../src/base/random.ts";

const at = (list: readonly number[], k: number): number => list[k] as number;

/** Two noisy half moons, an RBF kernel. */
function moons(n: number, seed: number) {
  const random = new Random(seed);
  const y = Array.from({ length: n }, (_, i) => (i % 2 === 0 ? 1 : -1));
  const points = y.map((label) => {
    const angle = Math.PI * random.unit();
    const noise = (): number => 0.3 * (random.unit() - 0.5);
    return [label * Math.cos(angle) + (label > 0 ? 0 : 1) + noise(), label * Math.sin(angle) + (label > 0 ? 0 : 0.5) + noise()];
  });
  const kernel = points.map((u) => points.map((v) => Math.exp(-2 * u.reduce((sum, value, j) => sum + (value - at(v, j)) ** 2, 0))));
  return { kernel, y };
}

test("two points: the answer by hand", () => {
  // K = I: max 2a - a^2 at a = 1, or at C below that.
  for (const C of [10, 0.4]) {
    const problem = {
      kernel: [
        [1, 0],
        [0, 1],
      ],
      z: [1, -1],
      lo: [0, -C],
      hi: [C, 0],
    };
    const last = [...smo(problem)].at(-1);
    expect(last?.value).toEqual([Math.min(1, C), -Math.min(1, C)]);
  }
});

describe("Platt's method and the second-order one", () => {
  for (const C of [0.1, 1, 100]) {
    test(`C ${C}: the same optimum, and weak duality on the way`, () => {
      const { kernel, y } = moons(40, 3);
      const problem = { kernel, z: y, lo: y.map((label) => (label < 0 ? -C : 0)), hi: y.map((label) => (label > 0 ? C : 0)) };
      let value: readonly number[] = y.map(() => 0);
      let lastDual = 0;
      for (const step of smo(problem)) {
        const { primal, dual } = objectives(problem, step.value);
        expect(dual).toBeGreaterThanOrEqual(lastDual - 1e-12 * Math.abs(lastDual));
        expect(primal - dual).toBeGreaterThanOrEqual(-1e-9 * primal);
        lastDual = dual;
        value = [...step.value];
        if (step.violation < 1e-9) break;
      }
      const best = objectives(problem, value);
      expect(best.primal - best.dual).toBeLessThanOrEqual(1e-7 * best.primal);

      let alpha: readonly number[] = [];
      let b = 0;
      const random = new Random(1);
      for (const step of plattSmo({ kernel, y, costs: y.map(() => C), tolerance: 1e-6 }, (n) => random.below(n))) {
        alpha = [...step.alpha];
        b = step.b;
      }
      const platt = objectives(
        problem,
        alpha.map((a, i) => a * at(y, i)),
      );
      expect(Math.abs(platt.dual - best.dual)).toBeLessThanOrEqual(1e-5 * best.dual);
      expect(Math.abs(alpha.reduce((sum, a, i) => sum + a * at(y, i), 0))).toBeLessThan(1e-9 * C);
      // His b is our rho where a variable is free.
      if (alpha.some((a) => a > 0 && a < C)) expect(Math.abs(b - best.rho)).toBeLessThan(1e-4);
    });
  }
});

test("a tube: most targets inside it hold nothing up", () => {
  const { kernel } = moons(30, 5);
  const z = kernel.map((row) => at(row, 3) - at(row, 7));
  const problem = { kernel, z, lo: z.map(() => -10), hi: z.map(() => 10), epsilon: 0.1 };
  let value: readonly number[] = [];
  for (const step of smo(problem)) {
    value = [...step.value];
    if (step.violation < 1e-9) break;
  }
  const { primal, dual, rho } = objectives(problem, value);
  expect(primal - dual).toBeLessThanOrEqual(1e-7 * primal);
  const f = z.map((_, t) => value.reduce((sum, v, s) => sum + v * at(kernel[s] as number[], t), -rho));
  z.forEach((target, t) => {
    if (Math.abs(at(f, t) - target) < 0.1 - 1e-5) expect(at(value, t)).toBe(0);
  });
});
