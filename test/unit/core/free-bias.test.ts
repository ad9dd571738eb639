import { describe, expect, test } from "vitest";
import type { DcdProblem } from "../../../reference/dcd-svc.ts";
import { Random } from "../../../src/base/random.ts";
import { DcdUnderTest } from "../../core/dcd.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { normal } from "../../problems/generate.ts";

const core = coreUnderTest();

/** A solver whose rows are all alike: its breaks are whatever the test writes. */
function setUp(y: number[], costs: number[], loss: DcdProblem["loss"], extra: Partial<DcdProblem> = {}, alpha?: number[]) {
  const problem: DcdProblem = { x: y.map(() => [0.5, -1]), y, costs, loss, isFree: true, ...extra };
  const solver = new DcdUnderTest(core, problem, alpha === undefined ? {} : { alpha });
  return solver;
}

function leastLossBias(y: number[], costs: number[], breaks: number[], loss: DcdProblem["loss"]): number {
  const solver = setUp(y, costs, loss);
  new Float64Array(core.buffer, solver.state.get("breaks"), breaks.length).set(breaks);
  return core.call.leastLossBias?.(solver.state.pointer) ?? Number.NaN;
}

function lossAt(b: number, y: number[], costs: number[], breaks: number[], loss: DcdProblem["loss"]): number {
  return breaks.reduce((sum, at, i) => {
    const slack = Math.max(0, (y[i] as number) * (at - b));
    return sum + (costs[i] as number) * (loss === "hinge" ? slack : slack * slack);
  }, 0);
}

for (const loss of ["hinge", "squared_hinge"] as const) {
  describe(`the best bias, ${loss}`, () => {
    test("no other bias costs less, on random rows with ties", () => {
      const random = new Random(3);
      for (let round = 0; round < 300; round++) {
        const count = 2 + Math.floor(random.unit() * 30);
        const y = Array.from({ length: count }, (_, i) => (i === 0 ? 1 : i === 1 ? -1 : random.unit() < 0.3 ? 1 : -1));
        const costs = y.map(() => (round % 2 ? 1 : 0.1 + random.unit()));
        const breaks = y.map(() => (round % 3 ? normal(random) : Math.floor(5 * random.unit())));
        const b = leastLossBias(y, costs, breaks, loss);
        const least = lossAt(b, y, costs, breaks, loss);
        // The hinge's sum has its minimum at a break; a convex one has it where neither side is lower.
        const others = [...breaks, b - 1e-3, b + 1e-3, b - 1, b + 1];
        for (const other of others) expect(least).toBeLessThanOrEqual(lossAt(other, y, costs, breaks, loss) * (1 + 1e-12) + 1e-12);
      }
    });

    test("labels and breaks turned around turn it around", () => {
      const random = new Random(4);
      for (let round = 0; round < 100; round++) {
        const y = Array.from({ length: 12 }, (_, i) => (i % 3 ? 1 : -1));
        const breaks = y.map(() => normal(random));
        const costs = y.map(() => 1);
        const turned = leastLossBias(
          y.map((sign) => -sign),
          costs,
          breaks.map((at) => -at),
          loss,
        );
        expect(turned).toBeCloseTo(-leastLossBias(y, costs, breaks, loss), 12);
      }
    });

    test("where many are best, the hinge takes the middle; where one side is missing, one that costs nothing", () => {
      // A positive row below 1 loses, a negative one above 3: everything in between is free.
      const b = leastLossBias([1, -1], [1, 1], [1, 3], loss);
      if (loss === "hinge") expect(b).toBe(2);
      else expect(b).toBeGreaterThanOrEqual(1);
      expect(lossAt(b, [1, -1], [1, 1], [1, 3], loss)).toBe(0);
      for (const sign of [1, -1]) {
        const y = [sign, sign, sign];
        expect(lossAt(leastLossBias(y, [1, 1, 1], [2, 1, 3], loss), y, [1, 1, 1], [2, 1, 3], loss)).toBeLessThan(1e-24);
      }
    });
  });

  test(`balance brings y'a to 0 inside the box and keeps w and b true, ${loss}`, () => {
    const random = new Random(5);
    for (let round = 0; round < 100; round++) {
      const count = 2 + Math.floor(random.unit() * 60);
      const y = Array.from({ length: count }, (_, i) => (i % 3 ? 1 : -1));
      const costs = y.map(() => 0.5 + random.unit());
      // Zero, at the bound, or between; in some rounds never between.
      const alpha = costs.map(
        (cost) => cost * (round % 4 ? ([0, 1, random.unit()][Math.floor(3 * random.unit())] ?? 0) : Math.round(random.unit())),
      );
      const solver = setUp(y, costs, loss, {}, alpha);
      while (solver.state.get("phase") === 2) solver.step(1); // rebuilds w and b; what follows is a check, which balances
      const a = solver.alpha;
      const sum = a.reduce((total, value, i) => total + value * (y[i] as number), 0);
      expect(Math.abs(sum)).toBeLessThan(1e-12);
      a.forEach((value, i) => {
        expect(value).toBeGreaterThanOrEqual(0);
        if (loss === "hinge") expect(value).toBeLessThanOrEqual(costs[i] as number);
      });
      expect(solver.w[0]).toBeCloseTo(0.5 * sum, 12);
      const before = solver.bias;
      core.call.balance?.(solver.state.pointer);
      expect([solver.bias, solver.alpha]).toEqual([before, a]);
    }
  });
}

test("the centre moves by s^2 y'a and takes b with it; D follows", () => {
  const solver = setUp([1, -1], [1, 1], "hinge");
  solver.state.assign({ centre: 0.5, bias: 0.75, biasSquare: 2, dual: 3 });
  core.call.moveCentre?.(solver.state.pointer);
  // s^2 y'a = 0.25, y'a = 0.125. D - c y'a - s^2/2 (y'a)^2 loses 0.25 * 0.125.
  expect([solver.state.get("centre"), solver.state.get("bias"), solver.state.get("dual")]).toEqual([0.75, 1, 3 - 0.03125]);
});

test("s^2 is an eighth of the mean squared row, and enough to move b where costs are small", () => {
  for (const [cost, expected] of [
    [100, 1.25 / 8],
    [1e-6, 4 / 2e-6],
  ] as const) {
    const solver = setUp([1, -1], [cost, cost], "hinge");
    solver.state.set("biasSquare", 4 / (2 * cost));
    const mean = core.call.meanSquare?.(solver.state.pointer) as number;
    expect(mean).toBe(1.25);
    expect(core.call.freeBiasWeight?.(solver.state.pointer, mean)).toBeCloseTo(expected, 6);
  }
});

test("settle leaves a balanced point with its best bias wherever the solver stood", () => {
  const solver = setUp([1, -1, 1, 1, -1], [1, 1, 1, 1, 1], "hinge", { x: [[1], [2], [3], [4], [0]] });
  solver.step(1);
  core.call.dcdSettle?.(solver.state.pointer);
  const sum = solver.alpha.reduce((total, value, i) => total + value * ([1, -1, 1, 1, -1][i] as number), 0);
  expect(Math.abs(sum)).toBeLessThan(1e-15);
  expect(solver.state.get("primal")).toBeGreaterThanOrEqual(solver.state.get("dual"));
});
