import { describe, expect, test } from "vitest";
import type { SvrProblem } from "../../../reference/dcd-svr.ts";
import { Random } from "../../../src/base/random.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { TubeUnderTest } from "../../core/tube.ts";
import { normal } from "../../problems/generate.ts";

const core = coreUnderTest();

/** A solver whose rows are all alike: its breaks are whatever the test writes. */
function setUp(costs: number[], loss: SvrProblem["loss"], epsilon: number, beta?: number[]): TubeUnderTest {
  const problem: SvrProblem = { x: costs.map(() => [0.5, -1]), targets: costs.map((_, i) => i), costs, loss, epsilon, isFree: true };
  return new TubeUnderTest(core, problem, beta === undefined ? {} : { alpha: beta });
}

function withBreaks(costs: number[], breaks: number[], loss: SvrProblem["loss"], epsilon: number): TubeUnderTest {
  const solver = setUp(costs, loss, epsilon);
  new Float64Array(core.buffer, solver.state.get("breaks"), breaks.length).set(breaks);
  return solver;
}

for (const loss of ["epsilon_insensitive", "squared_epsilon_insensitive"] as const) {
  describe(loss, () => {
    test("no other bias costs less, on random rows with ties", () => {
      const random = new Random(3);
      for (let round = 0; round < 300; round++) {
        const epsilon = [0, 0.3, 2][round % 3] as number;
        const costs = Array.from({ length: 1 + Math.floor(random.unit() * 30) }, () => (round % 2 ? 1 : 0.1 + random.unit()));
        const breaks = costs.map(() => (round % 5 ? 3 * normal(random) : Math.floor(5 * random.unit())));
        const lossAt = (b: number): number =>
          breaks.reduce((sum, middle, i) => {
            const e = Math.max(0, Math.abs(b - middle) - epsilon);
            return sum + (costs[i] as number) * (loss === "epsilon_insensitive" ? e : e * e);
          }, 0);
        const b = core.call.leastLossBias?.(withBreaks(costs, breaks, loss, epsilon).state.pointer) as number;
        // A convex sum has its minimum where neither side is lower; the plain one at an end of a tube.
        const others = [...breaks.flatMap((middle) => [middle - epsilon, middle + epsilon]), b - 1e-3, b + 1e-3, b - 1, b + 1];
        for (const other of others) expect(lossAt(b)).toBeLessThanOrEqual(lossAt(other) * (1 + 1e-12) + 1e-12);
      }
    });

    test("balance brings the sum to 0 inside the box and keeps w and b true; free rows do not cross 0", () => {
      const random = new Random(5);
      for (let round = 0; round < 100; round++) {
        const costs = Array.from({ length: 2 + Math.floor(random.unit() * 60) }, () => 0.5 + random.unit());
        // Zero, at a bound, or between; in some rounds never between.
        const beta = costs.map((cost) => {
          const free = round % 4 ? 2 * random.unit() - 1 : 1;
          return cost * ([0, 1, -1, free][Math.floor(4 * random.unit())] as number);
        });
        const solver = setUp(costs, loss, 0.1, beta);
        while (solver.state.get("phase") === 2) solver.step(1); // rebuilds w and b; what follows is a check, which balances
        const after = solver.beta;
        const sum = after.reduce((total, value) => total + value, 0);
        expect(Math.abs(sum)).toBeLessThan(1e-12);
        const isPlain = loss === "epsilon_insensitive";
        expect(after.every((value, i) => !isPlain || Math.abs(value) <= (costs[i] as number))).toBe(true);
        expect(solver.w[0]).toBeCloseTo(0.5 * sum, 12);
        const before = solver.state.get("bias");
        core.call.balance?.(solver.state.pointer);
        expect([solver.state.get("bias"), solver.beta]).toEqual([before, after]);
      }
    });

    test("settle leaves a balanced point with its best bias wherever the solver stood", () => {
      const solver = setUp([1, 2, 1, 1, 3], loss, 0.1);
      solver.step(1);
      core.call.dcdSettle?.(solver.state.pointer);
      expect(Math.abs(solver.beta.reduce((total, value) => total + value, 0))).toBeLessThan(1e-15);
      expect(solver.state.get("primal")).toBeGreaterThanOrEqual(solver.state.get("dual"));
    });
  });
}

test("the break at which the costs reach what is wanted; where they reach it exactly, the middle to the next", () => {
  const at = (wanted: number, epsilon = 0): number => {
    const solver = withBreaks([1, 2, 4], [10, 30, 20], "epsilon_insensitive", epsilon);
    const count = epsilon === 0 ? 3 : 6;
    const order = core.words(Array.from({ length: count }, (_, k) => k));
    return core.call.breakAt?.(solver.state.pointer, order, count, wanted) as number;
  };
  expect([0.5, 1, 2, 5, 6, 7].map((wanted) => at(wanted))).toEqual([10, 15, 20, 25, 30, 30]);
  // Ends at 9, 11, 19, 21, 29, 31 with costs 1, 1, 4, 4, 2, 2.
  expect([0.5, 1.5, 3, 7, 11, 13].map((wanted) => at(wanted, 1))).toEqual([9, 11, 19, 21, 29, 31]);
});
