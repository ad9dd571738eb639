import { describe, expect, test } from "vitest";
import type { DcdProblem } from "../../../reference/dcd-svc.ts";
import { coreProgress } from "../../../src/runtime/layout.ts";
import { DcdUnderTest } from "../../core/dcd.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { denseRows, sparseSet } from "../../problems/generate.ts";

const core = coreUnderTest();
const set = sparseSet(120, 6, 4, 5);
const x = denseRows(set).map((row) => row.map((value) => Math.fround(3 * value)));
const problemAt = (C: number, extra: Partial<DcdProblem> = {}): DcdProblem => ({
  ...{ x, y: set.y, costs: set.y.map((_, i) => C * (1 + (i % 2))), loss: "hinge" },
  ...extra,
});

describe("startGrowing", () => {
  test("begins at the largest power of two at which costs times squares are about 1, and makes the limits smaller", () => {
    const solver = new DcdUnderTest(core, problemAt(100));
    const zero = solver.state.get("zeroPrimal");
    core.call.startGrowing?.(solver.state.pointer, 20);
    const scale = solver.state.get("scale");
    expect(Number.isInteger(Math.log2(scale))).toBe(true);
    const product = (at: number): number => (at * zero * 20) / 120;
    expect(product(scale)).toBeLessThanOrEqual(1.5);
    expect(product(2 * scale)).toBeGreaterThan(1.5);
    expect(new Float64Array(core.buffer, solver.state.get("table"), 2)[1]).toBe(100 * scale);
  });

  test("costs that a few epochs reach do not grow", () => {
    for (const [C, grows] of [
      [1e-3, false],
      [1, false],
      [1.1, true],
    ] as const) {
      const solver = new DcdUnderTest(core, problemAt(C));
      // Costs are C and 2 C, half of the rows each.
      core.call.startGrowing?.(solver.state.pointer, 32 / 1.5);
      expect(solver.state.get("scale") < 1).toBe(grows);
    }
  });
});

describe("grow", () => {
  for (const form of [{}, { biasSquare: 1 }, { isFree: true }]) {
    test(`doubles w, b, the dual variables and their bounds, and knows D: ${JSON.stringify(form)}`, () => {
      const solver = new DcdUnderTest(core, problemAt(10, form), { grows: true, iterationLimit: 1 });
      solver.run();
      const before = { alpha: solver.alpha, w: solver.w, bias: solver.state.get("bias"), scale: solver.state.get("scale") };
      const centre = solver.state.get("centre");
      core.call.grow?.(solver.state.pointer);
      expect(solver.alpha).toEqual(before.alpha.map((a) => 2 * a));
      expect(solver.w).toEqual(before.w.map((value) => 2 * value));
      expect([solver.state.get("bias"), solver.state.get("scale")]).toEqual([2 * before.bias, 2 * before.scale]);
      expect(solver.state.get("activeCount")).toBe(120);
      // D - c y'a - s^2/2 (y'a)^2 from its formula, for sums of 120 terms.
      const s2 = solver.state.get("biasSquare");
      const ya = solver.alpha.reduce((sum, a, i) => sum + a * (set.y[i] as number), 0);
      const norm = solver.w.reduce((sum, value) => sum + value * value, 0);
      const dual = solver.alpha.reduce((sum, a) => sum + a, 0) - 0.5 * norm - 2 * centre * ya - 0.5 * s2 * ya * ya;
      expect(solver.state.get("dual")).toBeCloseTo(dual, 9);
    });
  }

  test("a stage is done when its gap is small or its passes are over", () => {
    const { state } = new DcdUnderTest(core, problemAt(10));
    const done = (recentGap: number, visits: number): boolean => {
      state.assign({ recentGap, visits, stageStart: 1000 });
      return Boolean(core.call.isStageDone?.(state.pointer));
    };
    expect([done(0.02, 1001), done(0.5, 1001), done(0.5, 1000 + 10 * 120)]).toEqual([true, false, true]);
  });
});

test("the answer is that of the true costs, in fewer passes where they are large", () => {
  for (const form of [{}, { biasSquare: 1 }, { isFree: true }]) {
    const results = [true, false].map((grows) => {
      const solver = new DcdUnderTest(core, problemAt(30, form), { grows, tolerance: 1e-3, shrinking: true });
      expect(solver.run()).toBe(coreProgress.converged);
      return { visits: solver.state.get("visits"), primal: solver.state.get("primal"), scale: solver.state.get("scale") };
    });
    const [grown, plain] = results as [(typeof results)[0], (typeof results)[0]];
    expect(grown.scale).toBe(1);
    expect(Math.abs(grown.primal - plain.primal)).toBeLessThanOrEqual(2e-3 * plain.primal);
    expect(grown.visits).toBeLessThan(plain.visits);
  }
});
