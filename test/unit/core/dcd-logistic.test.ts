import { describe, expect, test } from "vitest";
import { dcdLogistic, type LogisticProblem, objectives } from "../../../reference/dcd-logistic.ts";
import { Random } from "../../../src/base/random.ts";
import { coreProgress, logisticRowStruct, logisticStateStruct } from "../../../src/runtime/layout.ts";
import { Column, StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest, shifts } from "../../core/instance.ts";
import { putRows } from "../../core/rows.ts";
import { denseRows, sparseSet } from "../../problems/generate.ts";

interface Settings {
  readonly kind?: "dense" | "csr";
  readonly tolerance?: number;
  readonly iterationLimit?: number;
  readonly biasScale?: number;
  readonly shift?: number;
  readonly alpha?: readonly number[];
}

class LogisticUnderTest {
  readonly state: StructView<keyof typeof logisticStateStruct.offsets>;
  readonly #core = coreUnderTest();
  readonly #alpha: Column;
  readonly #rest: Column;
  readonly #w: number;
  readonly #problem: LogisticProblem;

  constructor(problem: LogisticProblem, settings: Settings = {}) {
    const { kind = "csr", tolerance = 1e-9, iterationLimit = 100_000, biasScale = 0, shift = 0, alpha } = settings;
    const core = this.#core;
    const { x, y, costs } = problem;
    const d = (x[0] as readonly number[]).length;
    const table = core.take(logisticRowStruct.size * x.length);
    const column = (name: keyof typeof logisticRowStruct.offsets): Column =>
      new Column(logisticRowStruct, name, core.buffer, table, x.length);
    column("rest").fill(costs);
    column("cost").fill(costs);
    column("row").fill(x.map((_, i) => i));
    column("y").fill(y);
    this.#problem = problem;
    this.#alpha = column("alpha");
    if (alpha !== undefined) this.#alpha.fill(alpha);
    this.#rest = column("rest");
    this.#w = core.doubles(new Float64Array(d + 1), shift);
    this.state = new StructView(logisticStateStruct, core.buffer, core.take(logisticStateStruct.size));
    this.state.assign({
      rows: putRows(core, kind, x, d, shift),
      table,
      order: core.words(x.map((_, i) => i)),
      w: this.#w,
      random: core.words(new Random(9).state),
      rowCount: x.length,
      iterationLimit,
      isWarm: alpha === undefined ? 0 : 1,
      biasScale,
      tolerance,
      zeroPrimal: Math.LN2 * costs.reduce((sum, cost) => sum + cost, 0),
    });
    core.call.logisticStart?.(this.state.pointer);
  }

  step(budget: number): number {
    return this.#core.call.logisticAdvance?.(this.state.pointer, budget) as number;
  }

  run(budget = 1_000_000): number {
    for (;;) {
      const progress = this.step(budget);
      if (progress !== coreProgress.running) return progress;
    }
  }

  get alpha(): number[] {
    return Array.from(this.#alpha.copy(this.#problem.y.length));
  }

  get rest(): number[] {
    return Array.from(this.#rest.copy(this.#problem.y.length));
  }

  get w(): number[] {
    return this.#core.readDoubles(this.#w, (this.#problem.x[0] as readonly number[]).length);
  }

  get biasWeight(): number {
    return this.#core.readDoubles(this.#w, (this.#problem.x[0] as readonly number[]).length + 1).at(-1) as number;
  }
}

function problemOf(C: number): LogisticProblem {
  const set = sparseSet(120, 9, 5, 42);
  return { x: denseRows(set).map((row) => row.map(Math.fround)), y: set.y, costs: set.y.map((_, i) => C * (1 + (i % 3))) };
}

/** P within 1e-10 of the optimum, by the reference. */
function textbookOptimum(problem: LogisticProblem): number {
  for (const { epoch, row, alpha, w } of dcdLogistic(problem, (n) => [...Array(n).keys()])) {
    if (row !== problem.y.length - 1 || epoch % 20 > 0) continue;
    const { primal, dual } = objectives(problem, alpha, w);
    if (primal - dual <= 1e-10 * primal) return primal;
  }
  return Number.NaN;
}

describe("fastExp", () => {
  test("within 1e-11 of e^x on what it is made for", () => {
    const { call } = coreUnderTest();
    for (let k = 0; k < 5_000; k++) {
      const x = -0.14 * k;
      expect(Math.abs((call.fastExp?.(x) as number) / Math.exp(x) - 1)).toBeLessThan(1e-11);
    }
    expect(call.fastExp?.(-701)).toBe(0);
    expect(call.fastExp?.(-0)).toBe(1);
  });
});

for (const C of [0.01, 1, 100]) {
  describe(`C ${C}`, () => {
    const problem = problemOf(C);
    const optimum = textbookOptimum(problem);

    for (const kind of ["dense", "csr"] as const) {
      for (const shift of shifts) {
        test(`${kind}, shifted by ${shift}: ends where the textbook's sweeps end`, () => {
          const core = new LogisticUnderTest(problem, { kind, shift, tolerance: 1e-10 });
          expect(core.run()).toBe(coreProgress.converged);
          const { primal } = objectives(problem, core.alpha, core.w);
          expect(Math.abs(primal - optimum)).toBeLessThanOrEqual(1e-10 * optimum);
        });
      }
    }

    test("the gap that the core sums row by row is P - D of the formulas", () => {
      for (const tolerance of [0.5, 1e-2, 1e-4, 1e-8]) {
        const core = new LogisticUnderTest(problem, { tolerance });
        expect(core.run()).toBe(coreProgress.converged);
        const { primal, dual } = objectives(problem, core.alpha, core.w);
        expect(Math.abs(core.state.get("primal") - primal)).toBeLessThan(1e-12 * primal);
        // alpha is sigma(u) within 1e-11 of itself, and the gap knows u.
        expect(Math.abs(core.state.get("gap") - (primal - dual))).toBeLessThan(1e-10 * primal);
        expect(primal - dual).toBeLessThanOrEqual((tolerance + 1e-10) * primal);
      }
    });

    test("w stays the sum of the rows times their dual variables, and alpha and rest are C together", () => {
      const core = new LogisticUnderTest(problem);
      core.run();
      for (const [j, value] of core.w.entries()) {
        const terms = problem.x.map((row, i) => (core.alpha[i] as number) * (problem.y[i] as number) * (row[j] as number));
        const bound = 1e-11 * terms.reduce((sum, term) => sum + Math.abs(term), 0);
        expect(Math.abs(value - terms.reduce((sum, term) => sum + term, 0))).toBeLessThan(bound);
      }
      for (const [i, a] of core.alpha.entries()) {
        const cost = problem.costs[i] as number;
        expect(Math.abs(a + (core.rest[i] as number) - cost)).toBeLessThanOrEqual(2 * Number.EPSILON * cost);
        expect(Math.min(a, core.rest[i] as number)).toBeGreaterThan(0);
      }
    });

    test("any size of slice gives the same bits", () => {
      const solved = [1, 7, 100, 1_000_000].map((budget) => {
        const core = new LogisticUnderTest(problem, { tolerance: 1e-5 });
        core.run(budget);
        return { alpha: core.alpha, w: core.w, visits: core.state.get("visits") };
      });
      for (const other of solved.slice(1)) expect(other).toEqual(solved[0]);
    });

    test("started from dual variables, w and D are what belongs to them, or to a multiple of them that is better than none", () => {
      for (const part of [1e-4, 0.5]) {
        const given = problem.costs.map((cost, i) => (i % 3 === 0 ? part : part / 2) * cost);
        const core = new LogisticUnderTest(problem, { alpha: given, tolerance: 1e-300 });
        while (core.state.get("phase") === 2) core.step(1);
        const scale = (core.alpha[0] as number) / (given[0] as number);
        const { dual } = objectives(problem, core.alpha, core.w);
        expect(dual).toBeGreaterThan(0);
        // alpha is sigma(u) within 1e-11 of itself.
        const terms = problem.costs.reduce((sum, cost) => sum + cost, 0);
        expect(Math.abs(core.state.get("dual") - dual)).toBeLessThan(1e-10 * terms);
        for (const [i, a] of core.alpha.entries()) expect(Math.abs(a - scale * (given[i] as number))).toBeLessThan(1e-9 * a);
        for (const [j, value] of core.w.entries()) {
          const products = problem.x.map((row, i) => (core.alpha[i] as number) * (problem.y[i] as number) * (row[j] as number));
          expect(Math.abs(value - products.reduce((sum, term) => sum + term, 0))).toBeLessThan(1e-11 * terms);
        }
      }
    });

    test("started from the optimum it ends after one check, in slices of any size", () => {
      const cold = new LogisticUnderTest(problem, { tolerance: 1e-8, biasScale: 2 });
      cold.run();
      for (const budget of [1, 1_000_000]) {
        const again = new LogisticUnderTest(problem, { tolerance: 1.1e-8, biasScale: 2, alpha: cold.alpha });
        expect(again.run(budget)).toBe(coreProgress.converged);
        expect([again.state.get("checks"), again.state.get("visits")]).toEqual([1, 0]);
      }
    });

    test("a bias is the weight of a constant feature that is not stored", () => {
      const stored = new LogisticUnderTest({ ...problem, x: problem.x.map((row) => [...row, 2.5]) }, { tolerance: 1e-10 });
      const implied = new LogisticUnderTest(problem, { tolerance: 1e-10, biasScale: 2.5 });
      stored.run();
      implied.run();
      // Both are within 1e-10 of the optimum P*, so |w - w*|^2 <= 2e-10 P* each: P is 1-strongly convex.
      const reach = 2 * Math.sqrt(2e-10 * stored.state.get("primal"));
      expect(Math.abs(implied.biasWeight - (stored.w.at(-1) as number))).toBeLessThan(reach);
    });
  });
}

test("one row with one feature: the optimum that a hand can check", () => {
  // x = 1: w = a and log(a / (C - a)) = -w, so C = 1 + e has a = w = 1. A gap of 1e-14 leaves w within sqrt(2e-14 P).
  const core = new LogisticUnderTest({ x: [[1]], y: [1], costs: [1 + Math.E] }, { tolerance: 1e-14 });
  expect(core.run()).toBe(coreProgress.converged);
  expect(core.alpha[0]).toBeCloseTo(1, 6);
  expect(core.w[0]).toBeCloseTo(1, 6);
});

test("an empty row is at half its price, whatever w is", () => {
  const problem = problemOf(1);
  const core = new LogisticUnderTest({ ...problem, x: problem.x.map((row, i) => (i === 5 ? row.map(() => 0) : row)) });
  core.run();
  expect(core.alpha[5]).toBe((problem.costs[5] as number) / 2);
});
