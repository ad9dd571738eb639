import { describe, expect, test } from "vitest";
import { type CrammerSingerProblem, crammerSinger, objectives, subProblem } from "../../../reference/crammer-singer.ts";
import { Random } from "../../../src/base/random.ts";
import { coreProgress } from "../../../src/runtime/layout.ts";
import { CrammerSingerUnderTest } from "../../core/crammer-singer.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { multiClassSet, normal } from "../../problems/generate.ts";

/** C small enough that costs need no stages, unless told otherwise. */
function problemOf(rowCount: number, featureCount: number, classCount: number, C = 0.02): CrammerSingerProblem {
  const set = multiClassSet(rowCount, featureCount, Math.ceil(featureCount / 2), classCount, 42);
  const x = set.x.map(([indices, values]) => {
    const row = new Array<number>(featureCount).fill(0);
    for (let q = 0; q < indices.length; q++) row[indices[q] as number] = Math.fround(values[q] as number);
    return row;
  });
  return { x, y: set.y, classCount, costs: set.y.map((_, i) => C * (1 + (i % 3))) };
}

for (const classCount of [2, 3, 10]) {
  describe(`${classCount} classes`, () => {
    const problem = problemOf(60, 9, classCount);

    for (const kind of ["dense", "csr"] as const) {
      test(`${kind}: three epochs take the textbook's steps`, () => {
        const core = new CrammerSingerUnderTest(coreUnderTest(), problem, { kind, seed: 9, iterationLimit: 3, tolerance: 1e-300 });
        expect(core.run()).toBe(coreProgress.iterationLimit);
        expect(core.state.get("scale")).toBe(1);

        const random = new Random(9);
        const order = problem.y.map((_, i) => i);
        const steps = crammerSinger(problem, () => {
          random.shuffle(order);
          return order;
        });
        let last = steps.next().value;
        for (let k = 1; k < 3 * order.length; k++) last = steps.next().value;
        // The two add in another order: 180 steps of rounding, each of a few ulps of numbers below 10.
        const reach = 180 * 10 * 10 * Number.EPSILON;
        const [w, alpha] = [core.w.flat(), core.alpha.flat()];
        for (const [q, value] of last.w.flat().entries()) expect(Math.abs(value - (w[q] as number))).toBeLessThan(reach);
        for (const [q, value] of last.alpha.flat().entries()) expect(Math.abs(value - (alpha[q] as number))).toBeLessThan(reach);
      });
    }

    for (const shrinking of [false, true]) {
      for (const C of [0.02, 10]) {
        test(`C ${C}, shrinking ${shrinking}: the core's primal, dual and gap are those of the formulas`, () => {
          const large = problemOf(200, 9, classCount, C);
          const core = new CrammerSingerUnderTest(coreUnderTest(), large, { tolerance: 1e-4, shrinking });
          let fewest = 200;
          while (core.step(50) === coreProgress.running) {
            if (core.state.get("phase") === 2) fewest = Math.min(fewest, core.state.get("activeCount"));
          }
          expect(fewest < 200).toBe(shrinking);
          const { primal, dual } = objectives(large, core.alpha, core.w);
          expect(core.state.get("scale")).toBe(1);
          expect(Math.abs(core.state.get("primal") - primal)).toBeLessThan(1e-12 * primal);
          expect(Math.abs(core.state.get("gap") - (primal - dual))).toBeLessThan(1e-12 * primal);
          expect(primal - dual).toBeLessThanOrEqual(1e-4 * primal);
          expect(primal - dual).toBeGreaterThanOrEqual(-1e-12 * primal);
        });
      }
    }

    test("started from dual variables, W and D are what belongs to them, or to a multiple of them that is better than none", () => {
      for (const C of [1e-4, 10]) {
        const priced = problemOf(60, 9, classCount, C);
        const given = priced.costs.map((cost, i) =>
          Array.from({ length: classCount }, (_, m) => (m === priced.y[i] ? 0.5 : -0.5 / (classCount - 1)) * cost),
        );
        const core = new CrammerSingerUnderTest(coreUnderTest(), priced, { alpha: given, tolerance: 1e-300 });
        while ([0, 4].includes(core.state.get("phase"))) core.step(1);
        const { alpha, w } = core;
        const scale = (alpha[0]?.[0] as number) / (given[0]?.[0] as number);
        for (const [q, a] of alpha.flat().entries()) expect(Math.abs(a - scale * (given.flat()[q] as number))).toBeLessThan(1e-14 * C * 10);
        const { dual } = objectives(priced, alpha, w);
        expect(dual).toBeGreaterThan(0);
        expect(Math.abs(core.state.get("dual") - dual)).toBeLessThan(1e-12 * dual);
        expect(C < 1 ? scale > 0.999 : scale < 0.5).toBe(true);
      }
    });

    test("started from the optimum it ends after one check", () => {
      const cold = new CrammerSingerUnderTest(coreUnderTest(), problem, { tolerance: 1e-8, biasScale: 2 });
      cold.run();
      for (const budget of [1, 1_000_000]) {
        const again = new CrammerSingerUnderTest(coreUnderTest(), problem, { tolerance: 1.1e-8, biasScale: 2, alpha: cold.alpha });
        expect(again.run(budget)).toBe(coreProgress.converged);
        expect([again.state.get("checks"), again.state.get("visits")]).toEqual([1, 0]);
      }
    });

    test("the running dual value is D of the formulas, through the stages of growing costs too", () => {
      const large = problemOf(60, 9, classCount, 10);
      const core = new CrammerSingerUnderTest(coreUnderTest(), large, { iterationLimit: 30, tolerance: 1e-300, shrinking: true });
      const scales = new Set<number>();
      while (core.step(500) === coreProgress.running) {
        scales.add(core.state.get("scale"));
        const { dual } = objectives(large, core.alpha, core.w);
        expect(Math.abs(core.state.get("dual") - dual)).toBeLessThan(1e-9 * Math.abs(dual) + 1e-12);
      }
      expect(scales.size).toBeGreaterThan(3);
    });

    test("W stays the sum of the rows times their dual variables, and the shares stay in their simplex", () => {
      const core = new CrammerSingerUnderTest(coreUnderTest(), problem, { shrinking: true });
      core.run();
      const { alpha, w } = core;
      w.forEach((wm, m) => {
        wm.forEach((value, j) => {
          const plain = problem.x.reduce((sum, row, i) => sum + (alpha[i]?.[m] as number) * (row[j] as number), 0);
          expect(Math.abs(value - plain)).toBeLessThan(1e-10);
        });
      });
      alpha.forEach((a, i) => {
        const cost = problem.costs[i] as number;
        expect(Math.abs(a.reduce((sum, value) => sum + value, 0))).toBeLessThan(1e-14 * classCount * cost);
        for (const [m, value] of a.entries()) expect(value).toBeLessThanOrEqual(m === problem.y[i] ? cost : 0);
      });
    });

    test("shrinking changes the path, not the answer", () => {
      const on = new CrammerSingerUnderTest(coreUnderTest(), problem, { shrinking: true, tolerance: 1e-9 });
      const off = new CrammerSingerUnderTest(coreUnderTest(), problem, { shrinking: false, tolerance: 1e-9 });
      expect([on.run(), off.run()]).toEqual([coreProgress.converged, coreProgress.converged]);
      const optima = [on, off].map(({ alpha, w }) => objectives(problem, alpha, w).primal) as [number, number];
      expect(Math.abs(optima[0] - optima[1])).toBeLessThanOrEqual(1e-9 * Math.max(...optima));
    });

    test("any size of slice gives the same bits", () => {
      const large = problemOf(60, 9, classCount, 1);
      const solved = [1, 70, 1000, 1_000_000].map((budget) => {
        const core = new CrammerSingerUnderTest(coreUnderTest(), large, { kind: "csr", shrinking: true, tolerance: 1e-7 });
        core.run(budget);
        return { alpha: core.alpha, w: core.w, visits: core.state.get("visits") };
      });
      for (const other of solved.slice(1)) expect(other).toEqual(solved[0]);
    });

    test("a bias is the weight of a constant feature that is not stored", () => {
      const augmented = { ...problem, x: problem.x.map((row) => [...row, 2.5]) };
      const stored = new CrammerSingerUnderTest(coreUnderTest(), augmented, { tolerance: 1e-10 });
      const implied = new CrammerSingerUnderTest(coreUnderTest(), problem, { tolerance: 1e-10, biasScale: 2.5, shrinking: true });
      stored.run();
      implied.run();
      // Both are within 1e-10 of the optimum P*, so |W - W*|^2 <= 2e-10 P* each: P is 1-strongly convex.
      const reach = 2 * Math.sqrt(2e-10 * stored.state.get("primal"));
      for (const [m, value] of implied.biasWeights.entries()) expect(Math.abs(value - (stored.w[m]?.at(-1) as number))).toBeLessThan(reach);
    });

    test("an empty row is at its optimum after one visit and the rest is solved around it", () => {
      const withEmpty = { ...problem, x: problem.x.map((row, i) => (i === 5 ? row.map(() => 0) : row)) };
      for (const kind of ["dense", "csr"] as const) {
        for (const shrinking of [false, true]) {
          const core = new CrammerSingerUnderTest(coreUnderTest(), withEmpty, { kind, shrinking });
          expect(core.run()).toBe(coreProgress.converged);
          const a = core.alpha[5] as number[];
          const cost = problem.costs[5] as number;
          expect(a[problem.y[5] as number]).toBe(cost);
          expect(Math.min(...a)).toBe(-cost);
          expect(a.filter((value) => value !== 0)).toHaveLength(2);
        }
      }
    });
  });
}

test("the projection of the shares is the sub-problem of the paper, written in the dual variables", () => {
  // The example that the usual statement of the algorithm gets wrong: k = 2, A = 1, B = (0, 1), C = 0.8, the row's class is 0.
  const [first, second] = subProblem(1, [0, 0], [0, 1], [0.8, 0]) as [number, number];
  expect(first).toBeCloseTo(0.5, 15);
  expect(second).toBeCloseTo(-0.5, 15);

  const random = new Random(8);
  const core = coreUnderTest();
  for (let trial = 0; trial < 100; trial++) {
    const k = 2 + random.below(6);
    const [A, C, own] = [0.1 + 3 * random.unit(), 0.1 + 2 * random.unit(), random.below(k)];
    const upper = Array.from({ length: k }, (_, m) => (m === own ? C : 0));
    const a = subProblem(
      A,
      upper.map(() => 0),
      upper.map(() => normal(random)),
      upper,
    );
    const g = upper.map(() => normal(random));
    const target = upper.map((most, m) => most - (a[m] as number) + (g[m] as number) / A);
    const theta = core.call.simplexLevel?.(core.doubles(target), k, Math.max(...target), C, core.doubles(upper)) as number;
    subProblem(A, a, g, upper).forEach((value, m) => {
      expect((upper[m] as number) - Math.max(0, (target[m] as number) - theta)).toBeCloseTo(value, 12);
    });
  }
});

test("a row and two classes: the optimum that a hand can compute", () => {
  // w_1 = -w_0 = -v: min v^2 + max(0, 1 - 4 v) has v = 1/4 (the loss is 0 from there on; before, the slope is 2 v - 4 < 0), a = v / 2.
  const core = new CrammerSingerUnderTest(coreUnderTest(), { x: [[2]], y: [0], classCount: 2, costs: [1] });
  expect(core.run()).toBe(coreProgress.converged);
  expect(core.w.flat().map((value) => Math.round(value * 1e12) / 1e12)).toEqual([0.25, -0.25]);
  expect(core.alpha[0]?.[0]).toBeCloseTo(0.125, 12);
});

test("the iteration limit counts passes over all rows, shrunk passes for their share", () => {
  const core = new CrammerSingerUnderTest(coreUnderTest(), problemOf(200, 20, 3, 10), {
    shrinking: true,
    tolerance: 1e-300,
    iterationLimit: 20,
  });
  expect(core.run()).toBe(coreProgress.iterationLimit);
  expect(core.state.get("visits")).toBeGreaterThanOrEqual(20 * 200);
  expect(core.state.get("visits")).toBeLessThan(21 * 200);
});

test("one row by itself: shares outside the simplex go to its nearest point, W follows", () => {
  const memory = coreUnderTest();
  const core = new CrammerSingerUnderTest(memory, { x: [[3, 4]], y: [1], classCount: 3, costs: [1] }, { biasScale: 2 });
  const s = core.state.pointer;
  const r = memory.call.recordAt?.(s, 0) as number;
  const shares = memory.call.sharesOf?.(r) as number;
  new Float64Array(memory.buffer, shares, 3).set([0.75, 1, 0.25]);
  memory.call.rebuildRow?.(s, core.state.get("rows"), r);
  // 0.375 off the first two makes 1; the third would be below 0.
  expect(memory.readDoubles(shares, 3)).toEqual([0.375, 0.625, 0]);
  expect(core.w).toEqual([
    [3 * -0.375, 4 * -0.375],
    [3 * 0.375, 4 * 0.375],
    [0, 0],
  ]);
  expect(core.biasWeights).toEqual([-0.75, 0.75, 0]);
  expect(core.state.get("dual")).toBe(0.375);
});

test("one row by itself: its g, its part of the gap, what stays active, and the step that closes its gap", () => {
  const problem = { x: [[3, 4]], y: [1], classCount: 3, costs: [1] };
  const memory = coreUnderTest();
  const core = new CrammerSingerUnderTest(memory, problem, { shrinking: true, tolerance: 1e-300, iterationLimit: 1 });
  core.run();
  const s = core.state.pointer;
  const rows = core.state.get("rows");
  const r = memory.call.recordAt?.(s, 0) as number;
  // One row alone is solved by its first step, in every stage: the other classes share alike, and all g are equal.
  core.state.set("scale", 1);
  const shares = memory.call.sharesOf?.(r) as number;
  new Float64Array(memory.buffer, shares, 3).set([0.25, 0.5, 0.25]);
  new Float64Array(memory.buffer, core.state.get("w"), 8).set([-0.1, 0.2, -0.1, 0, 0.05, 0, 0.1, 0]);
  new Uint32Array(memory.buffer, r + 24, 1)[0] = 3;
  const best = memory.call.scoreRow?.(s, rows, r) as number;
  const g = memory.readDoubles(core.state.get("scores"), 3);
  for (const [m, value] of [-0.1, -0.4, 0.1].entries()) expect(g[m]).toBeCloseTo(value, 14);
  expect(best).toBe(Math.max(...g));
  expect(memory.call.gapTerm?.(s, r, best)).toBeCloseTo(0.25 * 0.2 + 0.5 * 0.5, 14);

  core.state.set("margin", 0.3);
  new Float64Array(memory.buffer, shares, 3).set([0, 0, 1]);
  memory.call.keepNear?.(s, r, best);
  expect(memory.readWords(r + 24, 1)).toEqual([2]); // class 1 has no share and is 0.5 below

  core.state.set("margin", Infinity);
  core.state.set("negligible", 0);
  new Uint32Array(memory.buffer, r + 24, 1)[0] = 3;
  new Float64Array(memory.buffer, shares, 3).set([0.25, 0.5, 0.25]);
  memory.call.visitRow?.(s, rows, r);
  const after = memory.call.scoreRow?.(s, rows, r) as number;
  expect(memory.call.gapTerm?.(s, r, after)).toBeLessThan(1e-14);
});
