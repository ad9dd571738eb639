import { describe, expect, test } from "vitest";
import { type KernelDcdProblem, kernelDcd, kernelDcdObjectives } from "../../../reference/kernel-dcd.ts";
import { Random } from "../../../src/base/random.ts";

const at = (list: readonly number[], k: number): number => list[k] as number;

/** Random points on a line, an RBF kernel. */
function posed(n: number, C: number, epsilon: number): KernelDcdProblem {
  const random = new Random(n);
  const points = Array.from({ length: n }, () => 4 * random.unit());
  const kernel = points.map((u) => points.map((v) => Math.exp(-2 * (u - v) ** 2)));
  const z = points.map((u) => (epsilon > 0 ? Math.sin(2 * u) + 0.3 * (random.unit() - 0.5) : u > 2 === random.unit() > 0.1 ? 1 : -1));
  const [lo, hi] = [(label: number) => (epsilon > 0 || label < 0 ? -C : 0), (label: number) => (epsilon > 0 || label > 0 ? C : 0)];
  return { kernel, z, lo: z.map(lo), hi: z.map(hi), epsilon };
}

test("one row, by hand: z / K, less the tube, at most C", () => {
  const one = (z: number, C: number, epsilon: number): number =>
    [...kernelDcd({ kernel: [[2]], z: [z], lo: [-C], hi: [C], epsilon })].at(-1)?.value[0] ?? 0;
  expect(one(1, 10, 0)).toBe(0.5);
  expect(one(1, 0.2, 0)).toBe(0.2);
  expect(one(-3, 10, 1)).toBe(-1);
  expect(one(-0.5, 10, 1)).toBe(0);
});

describe("greedy and in random order", () => {
  for (const epsilon of [0, 0.1]) {
    for (const C of [0.1, 1, 100]) {
      test(`C ${C}, epsilon ${epsilon}: the same optimum; D rises on the way and stays below P`, () => {
        const problem = posed(24, C, epsilon);
        const random = new Random(1);
        const order = (n: number): number[] => {
          const list = Array.from({ length: n }, (_, i) => i);
          random.shuffle(list);
          return list;
        };
        const ends = [undefined, order].map((how) => {
          let value: readonly number[] = problem.z.map(() => 0);
          let last = 0;
          let k = 0;
          for (const step of kernelDcd(problem, how)) {
            value = step.value;
            if (k++ % 16 !== 0) continue;
            const { primal, dual } = kernelDcdObjectives(problem, value);
            expect(dual).toBeGreaterThanOrEqual(last - 1e-12 * Math.abs(last));
            expect(primal).toBeGreaterThanOrEqual(dual - 1e-12 * primal);
            last = dual;
            if (primal - dual <= 1e-9 * primal || k > 1e6) break;
          }
          const { primal, dual } = kernelDcdObjectives(problem, value);
          expect(primal - dual).toBeLessThanOrEqual(1e-9 * primal);
          value.forEach((v, t) => {
            expect(v >= at(problem.lo, t) && v <= at(problem.hi, t)).toBe(true);
          });
          return primal;
        });
        expect(Math.abs(at(ends, 0) - at(ends, 1))).toBeLessThanOrEqual(1e-9 * at(ends, 0));
      });
    }
  }
});
