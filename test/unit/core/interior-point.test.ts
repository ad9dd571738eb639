import { describe, expect, test } from "vitest";
import { type InteriorPointProblem, interiorPoint, objectives } from "../../../reference/interior-point.ts";
import { coreProgress, interiorRowStruct, interiorStateStruct, normalMatrixWays } from "../../../src/runtime/layout.ts";
import { Column, StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { putRows } from "../../core/rows.ts";
import { denseRows, sparseSet } from "../../problems/generate.ts";

interface Settings {
  readonly kind?: "dense" | "csr";
  readonly way?: keyof typeof normalMatrixWays;
  readonly tolerance?: number;
  readonly iterationLimit?: number;
  /** Rows follow their margins from the beginning, instead of when steps have been short. */
  readonly isCentred?: boolean;
  /** Entries that belong to the same row of the matrix, one after the other. */
  readonly sides?: number;
}

/** An interior point method in the memory of the core under test, at the reference's first point. */
class InteriorUnderTest {
  readonly state: StructView<keyof typeof interiorStateStruct.offsets>;
  readonly #core = coreUnderTest();
  readonly #alpha: Column;
  readonly #w: number;
  readonly #problem: InteriorPointProblem;

  constructor(problem: InteriorPointProblem, settings: Settings = {}) {
    const { kind = "csr", way = "rows", tolerance = 1e-9, iterationLimit = 100, isCentred = false, sides = 1 } = settings;
    const core = this.#core;
    const { x, y, costs, biasScale, isBiasFree, offsets = costs.map(() => 1) } = problem;
    const d = (x[0] as readonly number[]).length;
    const stride = 4 * Math.ceil((d + 1) / 4);
    const total = (sign: number): number => costs.reduce((sum, C, i) => sum + (y[i] === sign ? C : 0), 0);
    const share = (sign: number): number => (isBiasFree ? (0.5 * Math.min(total(1), total(-1))) / total(sign) : 0.5);
    const table = core.take(interiorRowStruct.size * x.length);
    const column = (name: keyof typeof interiorRowStruct.offsets): Column =>
      new Column(interiorRowStruct, name, core.buffer, table, x.length);
    const alpha = costs.map((C, i) => C * share(y[i] as number));
    column("alpha").fill(alpha);
    column("rest").fill(costs.map((C, i) => C - (alpha[i] as number)));
    column("slack").fill(costs.map(() => 1));
    column("excess").fill(costs.map(() => 2));
    column("cost").fill(costs);
    column("offset").fill(offsets);
    column("row").fill(x.map((_, i) => i - (i % sides)));
    column("y").fill(y);
    const vector = (): number => core.doubles(new Float64Array(stride));
    const block = (): number => core.take(8 * 64);
    this.#problem = problem;
    this.#alpha = column("alpha");
    this.#w = vector();
    this.state = new StructView(interiorStateStruct, core.buffer, core.take(interiorStateStruct.size));
    this.state.assign({
      rows: putRows(core, kind, x, d),
      table,
      matrix: core.take(8 * stride * stride),
      panels: core.take(8 * 64 * (stride + 2)),
      columns: core.take(8 * 64 * stride * Math.ceil(x.length / 64)),
      products: block(),
      scales: block(),
      others: block(),
      w: this.#w,
      dualW: vector(),
      right: vector(),
      centre: vector(),
      direction: vector(),
      keptW: vector(),
      rowCount: x.length,
      sides,
      way: normalMatrixWays[way],
      iterationLimit,
      biasScale,
      biasPenalty: isBiasFree ? 0 : 1,
      tolerance,
      zeroPrimal: costs.reduce((sum, cost, i) => sum + cost * Math.max(0, offsets[i] as number), 0),
    });
    core.call.interiorStart?.(this.state.pointer);
    if (isCentred) this.state.assign({ isCentred: 1, barrier: 1 });
  }

  run(budget = 1_000_000): number {
    for (;;) {
      const progress = this.#core.call.interiorAdvance?.(this.state.pointer, budget) as number;
      if (progress !== coreProgress.running) return progress;
    }
  }

  get alpha(): number[] {
    return Array.from(this.#alpha.copy(this.#problem.y.length));
  }

  /** What it kept of the point with the smallest gap. */
  get kept(): { alpha: number[]; t: number[] } {
    const d = (this.#problem.x[0] as readonly number[]).length;
    const alpha = new Column(interiorRowStruct, "kept", this.#core.buffer, this.state.get("table"), this.#problem.y.length);
    return { alpha: Array.from(alpha.copy(this.#problem.y.length)), t: this.#core.readDoubles(this.state.get("keptW"), d + 1) };
  }

  get t(): number[] {
    return this.#core.readDoubles(this.#w, (this.#problem.x[0] as readonly number[]).length + 1);
  }
}

/** The two sides of every row's tube, one after the other; targets are the first feature and a half of the labels. */
function twoSided({ x: rows, y, costs, ...rest }: InteriorPointProblem, epsilon: number): InteriorPointProblem {
  const twice = <T>(list: readonly T[]): T[] => list.flatMap((value) => [value, value]);
  const targets = rows.map((row, i) => (row[0] as number) + (y[i] as number) / 2);
  return {
    ...{ ...rest, x: twice(rows), costs: twice(costs), y: rows.flatMap(() => [1, -1]) },
    offsets: targets.flatMap((target) => [target - epsilon, -target - epsilon]),
  };
}

/** y'a = 0 by moving each a_i in proportion to a_i (1 - a_i / C_i). */
function balanced(alpha: readonly number[], { y, costs }: InteriorPointProblem): number[] {
  const room = alpha.map((a, i) => a * (1 - a / (costs[i] as number)));
  const share = alpha.reduce((sum, a, i) => sum + a * (y[i] as number), 0) / room.reduce((sum, value) => sum + value, 0);
  return alpha.map((a, i) => a - share * (y[i] as number) * (room[i] as number));
}

const set = sparseSet(91, 9, 5, 42);
const x = denseRows(set).map((row) => row.map(Math.fround));
const weights = set.y.map((_, i) => 1 + (i % 3));
const biases = [
  { name: "no bias", biasScale: 0, isBiasFree: false },
  { name: "augmented", biasScale: 2.5, isBiasFree: false },
  { name: "free", biasScale: 1, isBiasFree: true },
];
const ways = [
  { kind: "csr", way: "rows" },
  { kind: "csr", way: "blocks" },
  { kind: "dense", way: "blocks" },
  { kind: "csr", way: "columns" },
  { kind: "dense", way: "columns" },
] as const;

test("asked for more it goes on from where it stands: the same bits as if it had been asked at once", () => {
  const problem = { x, y: set.y, costs: weights, biasScale: 1, isBiasFree: true };
  const twice = new InteriorUnderTest(problem, { tolerance: 1e-3 });
  expect(twice.run()).toBe(coreProgress.converged);
  twice.state.set("tolerance", 1e-9);
  expect(twice.run()).toBe(coreProgress.converged);
  const once = new InteriorUnderTest(problem, { tolerance: 1e-9 });
  expect(once.run()).toBe(coreProgress.converged);
  expect(twice.alpha).toEqual(once.alpha);
  expect(twice.t).toEqual(once.t);
});

for (const { name, ...bias } of biases) {
  describe(`tube, ${name}`, () => {
    for (const epsilon of [0, 0.2]) {
      const problem = twoSided({ x, y: set.y, costs: weights, ...bias }, epsilon);

      for (const { kind, way } of ways) {
        test(`epsilon ${epsilon}, ${kind}, ${way}: five iterations lead where the textbook's do on two rows a row`, () => {
          const core = new InteriorUnderTest(problem, { kind, way, sides: 2, tolerance: 1e-300, iterationLimit: 5 });
          expect(core.run()).toBe(coreProgress.iterationLimit);
          const steps = interiorPoint(problem);
          let last = steps.next().value;
          for (let k = 1; k < 5; k++) last = steps.next().value;
          // As below.
          for (const [k, value] of last.t.entries()) expect(Math.abs(value - (core.t[k] as number))).toBeLessThan(5e7 * Number.EPSILON);
          for (const [k, value] of last.alpha.entries())
            expect(Math.abs(value - (core.alpha[k] as number))).toBeLessThan(5e7 * Number.EPSILON);
        });
      }

      for (const isCentred of [false, true]) {
        test(`epsilon ${epsilon}, centred ${isCentred}: the objectives that it reports are those of the formulas, 1e-9 apart`, () => {
          const core = new InteriorUnderTest(problem, { sides: 2, isCentred, iterationLimit: 1000 });
          expect(core.run()).toBe(coreProgress.converged);
          const alpha = isCentred && bias.isBiasFree ? balanced(core.alpha, problem) : core.alpha;
          const { primal, dual } = objectives(problem, { alpha, t: core.t });
          expect(Math.abs(core.state.get("primal") - primal)).toBeLessThan(1e-12 * primal);
          expect(Math.abs(core.state.get("dual") - dual)).toBeLessThan(1e-11 * primal);
          expect(primal - dual).toBeLessThanOrEqual(1e-9 * primal);
        });
      }
    }
  });

  describe(name, () => {
    const problem: InteriorPointProblem = { x, y: set.y, costs: weights, ...bias };

    for (const { kind, way } of ways) {
      test(`${kind}, ${way}: five iterations lead where the textbook's do`, () => {
        const core = new InteriorUnderTest(problem, { kind, way, tolerance: 1e-300, iterationLimit: 5 });
        expect(core.run()).toBe(coreProgress.iterationLimit);
        const steps = interiorPoint(problem);
        let last = steps.next().value;
        for (let k = 1; k < 5; k++) last = steps.next().value;
        // Each solve loses about the condition number of M, below 1e6 so early, times eps.
        const same = (a: readonly number[], b: readonly number[]): void => {
          for (const [k, value] of a.entries()) expect(Math.abs(value - (b[k] as number))).toBeLessThan(5 * 1e6 * 10 * Number.EPSILON);
        };
        same(core.t, last.t);
        same(core.alpha, last.alpha);
      });
    }

    for (const C of [0.01, 1, 100, 1e4]) {
      test(`C ${C}: the objectives that it reports are those of the formulas, and 1e-9 apart in some tens of iterations`, () => {
        const priced = { ...problem, costs: weights.map((weight) => C * weight) };
        const core = new InteriorUnderTest(priced);
        expect(core.run()).toBe(coreProgress.converged);
        expect(core.state.get("iterations")).toBeLessThan(40);
        const { primal, dual } = objectives(priced, core);
        expect(Math.abs(core.state.get("primal") - primal)).toBeLessThan(1e-12 * primal);
        expect(Math.abs(core.state.get("dual") - dual)).toBeLessThan(1e-12 * primal);
        expect(primal - dual).toBeLessThanOrEqual(1e-9 * primal);
        expect(Math.min(...core.alpha)).toBeGreaterThan(0);
        for (const [i, a] of core.alpha.entries()) expect(a).toBeLessThanOrEqual((priced.costs[i] as number) * (1 + Number.EPSILON));
      });
    }

    for (const C of [0.01, 1, 100]) {
      test(`C ${C}, rows centred: 1e-9 too, by the formulas`, () => {
        const priced = { ...problem, costs: weights.map((weight) => C * weight) };
        const core = new InteriorUnderTest(priced, { isCentred: true, iterationLimit: 1000 });
        expect(core.run()).toBe(coreProgress.converged);
        // Its D is that of a balanced a, as the host balances it.
        const alpha = bias.isBiasFree ? balanced(core.alpha, priced) : core.alpha;
        const { primal, dual } = objectives(priced, { alpha, t: core.t });
        expect(Math.abs(core.state.get("primal") - primal)).toBeLessThan(1e-12 * primal);
        expect(Math.abs(core.state.get("dual") - dual)).toBeLessThan(1e-11 * primal);
        expect(primal - dual).toBeLessThanOrEqual(1e-9 * primal);
        expect(primal - dual).toBeGreaterThanOrEqual(-1e-12 * primal);
        for (const [i, a] of core.alpha.entries()) {
          expect(a).toBeGreaterThan(0);
          expect(a).toBeLessThanOrEqual((priced.costs[i] as number) * (1 + 4 * Number.EPSILON));
        }
      });
    }

    test.each([false, true])("any size of slice gives the same bits, rows centred: %s", (isCentred) => {
      for (const { kind, way } of ways) {
        const solved = [1, 7, 100, 1_000_000].map((budget) => {
          const core = new InteriorUnderTest(problem, { kind, way, tolerance: 1e-7, isCentred });
          core.run(budget);
          return { alpha: core.alpha, t: core.t, iterations: core.state.get("iterations") };
        });
        for (const other of solved.slice(1)) expect(other).toEqual(solved[0]);
      }
    });

    for (const { kind, way } of ways) {
      test(`${kind}, ${way}, rows centred: where later points are worse, what it kept is the best one`, () => {
        const core = new InteriorUnderTest(problem, { kind, way, tolerance: 0, iterationLimit: 10_000, isCentred: true });
        core.run();
        expect(core.state.get("stalls")).toBeGreaterThan(0);
        const { alpha, t } = core.kept;
        const { primal, dual } = objectives(problem, { alpha: bias.isBiasFree ? balanced(alpha, problem) : alpha, t });
        // Rounding of the objectives, sums of 91 terms of their size at most.
        expect(Math.abs(primal - dual - core.state.get("bestGap"))).toBeLessThan(1e-11 * primal);
      });
    }

    test("asked for more than numbers can give, it stops by itself", () => {
      const core = new InteriorUnderTest(problem, { tolerance: 0, iterationLimit: 10_000 });
      expect(core.run()).not.toBe(coreProgress.iterationLimit);
      expect(core.state.get("iterations")).toBeLessThan(200);
      expect(core.state.get("bestGap")).toBeLessThan(1e-9 * core.state.get("zeroPrimal"));
    });
  });
}

test("once both points are feasible the gap is at most the sum of the products", () => {
  const problem: InteriorPointProblem = { x, y: set.y, costs: weights, biasScale: 1, isBiasFree: false };
  let remaining = 1; // of what the first point lacked: every step takes its share of it
  let before = { primal: 0, dual: 0 };
  for (const step of interiorPoint(problem)) {
    if (remaining < 1e-12) {
      expect(before.primal - before.dual).toBeLessThanOrEqual(2 * x.length * step.mu + 1e-9 * before.primal);
      break;
    }
    remaining *= 1 - step.step;
    before = objectives(problem, step);
  }
});
