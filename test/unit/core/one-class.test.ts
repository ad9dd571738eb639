import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { coreProgress } from "../../../src/runtime/layout.ts";
import { DcdUnderTest } from "../../core/dcd.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { denseRows, sparseSet } from "../../problems/generate.ts";

/** The hinge's solver made that of a one-class problem, from its very beginning. */
function oneClass(x: number[][], weights: number[], nu: number, tolerance = 1e-9) {
  const core = coreUnderTest();
  const total = nu * weights.reduce((sum, weight) => sum + weight, 0);
  const problem = { x, y: weights.map(() => 1), costs: weights, loss: "hinge", isFree: true } as const;
  const solver = new DcdUnderTest(core, problem, { tolerance, shrinking: true });
  const squares = x.reduce((sum, row, i) => sum + (weights[i] as number) * row.reduce((a, b) => a + b * b, 0), 0);
  solver.state.assign({ margin: 0, total, zeroPrimal: (0.5 * total * nu * squares) / 1 });
  core.call.startOneClass?.(solver.state.pointer);
  return { core, solver, total };
}

/** P(w, rho) and D(a) as the formulas have them. */
function objectives(x: number[][], weights: number[], total: number, w: number[], rho: number) {
  const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, k) => sum + value * (b[k] as number), 0);
  const loss = x.reduce((sum, row, i) => sum + (weights[i] as number) * Math.max(0, rho - dot(w, row)), 0);
  return { primal: 0.5 * dot(w, w) - total * rho + loss, dual: -0.5 * dot(w, w) };
}

const rows = denseRows(sparseSet(80, 6, 4, 12)).map((row) => row.map((value) => Math.fround(value + 0.7)));
const weights = rows.map((_, i) => 0.5 + (i % 3));

describe("one class", () => {
  for (const nu of [0.05, 0.3, 0.8, 1]) {
    test(`nu ${nu}: the gap is that of the formulas at the best multiple, the dual variables sum to N inside their box`, () => {
      for (const tolerance of [1e-2, 1e-9]) {
        const { solver, total } = oneClass(rows, weights, nu, tolerance);
        expect(solver.run()).toBe(coreProgress.converged);
        const [multiple, rho] = [solver.state.get("multiple"), -solver.state.get("bestBias")];
        const w = solver.w.map((value) => multiple * value);
        const { primal } = objectives(rows, weights, total, w, multiple * rho);
        const { dual } = objectives(rows, weights, total, solver.w, rho);
        expect(Math.abs(solver.state.get("primal") - primal)).toBeLessThan(1e-12 * Math.abs(dual));
        expect(Math.abs(solver.state.get("gap") - (primal - dual))).toBeLessThan(1e-12 * Math.abs(dual));
        expect(primal - dual).toBeLessThanOrEqual(tolerance * Math.abs(dual));
        expect(Math.abs(solver.alpha.reduce((sum, a) => sum + a, 0) - total)).toBeLessThan(1e-12 * total);
        expect(solver.alpha.every((a, i) => a >= 0 && a <= (weights[i] as number))).toBe(true);
        // No multiple nearby, and no other rho, is better.
        for (const t of [0.99, 1.01]) {
          expect(
            objectives(
              rows,
              weights,
              total,
              w.map((value) => t * value),
              t * multiple * rho,
            ).primal,
          ).toBeGreaterThanOrEqual(primal);
        }
        const at = (other: number): number => objectives(rows, weights, total, solver.w, other).primal;
        for (const other of [rho - 1e-3, rho + 1e-3, 0.9 * rho, 1.1 * rho])
          expect(at(other)).toBeGreaterThanOrEqual(at(rho) - 1e-12 * Math.abs(dual));
      }
    });
  }

  test("the origin among the rows: w comes to 0, and the gap is seen to close", () => {
    const both = [...rows, ...rows.map((row) => row.map((value) => -value))];
    const { solver } = oneClass(both, [...weights, ...weights], 0.5);
    expect(solver.run()).toBe(coreProgress.converged);
    expect(solver.state.get("multiple")).toBe(0);
    expect(solver.state.get("visits")).toBeLessThan(2000 * both.length);
  });

  test("what is left of a gap at the best multiple is the least of P(t w, t rho) - D", () => {
    const { call } = coreUnderTest();
    const random = new Random(7);
    for (let round = 0; round < 200; round++) {
      const [half, gap] = [random.unit(), 4 * random.unit()];
      // P(t) - D = t^2 half + t (gap - 2 half) + half for D = -half.
      const at = (t: number): number => t * t * half + t * (gap - 2 * half) + half;
      const least = at(Math.max(0, 1 - gap / (2 * half)));
      expect(call.scaledGap?.(gap, -half)).toBeCloseTo(least, 12);
    }
  });

  test("P, D and the multiple that a check reports; the estimate after an epoch, with D anew where its digits are gone", () => {
    const { core, solver } = oneClass([[3], [4]], [1, 1], 0.5);
    solver.state.assign({ primal: 5, gap: 2, total: 4, bestBias: -2 });
    core.call.takeBestMultiple?.(solver.state.pointer);
    // P = 5 + 4 (-2) = -3, D = -5: t = 1 - 2 / 10, and 2 - 4 / 20 are left.
    expect(["multiple", "gap", "primal"].map((name) => solver.state.get(name as "gap"))).toEqual([0.8, 1.8, -3.2]);
    solver.state.assign({ dual: -5, estimate: 2, zeroPrimal: 1 });
    expect(core.call.estimatedGap?.(solver.state.pointer)).toBeCloseTo(1.8, 14);
    solver.state.assign({ dual: 1e-12, estimate: 2, bias: 1, centre: 0.5, biasSquare: 0.25 });
    core.call.estimatedGap?.(solver.state.pointer);
    // w = 0, sum a - N = 2: D = -2 (0.5 + 0.5 * 0.25 * 2).
    expect(solver.state.get("dual")).toBe(-1.5);
  });
});
