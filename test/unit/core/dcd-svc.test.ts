import { describe, expect, test } from "vitest";
import { type DcdProblem, dcdSvc, objectives } from "../../../reference/dcd-svc.ts";
import { Random } from "../../../src/base/random.ts";
import { coreProgress } from "../../../src/runtime/layout.ts";
import { DcdUnderTest } from "../../core/dcd.ts";
import { coreUnderTest, shifts } from "../../core/instance.ts";
import { denseRows, sparseSet } from "../../problems/generate.ts";

function problemOf(rowCount: number, featureCount: number, loss: DcdProblem["loss"], C = 1): DcdProblem {
  const set = sparseSet(rowCount, featureCount, Math.ceil(featureCount / 2), 42);
  const x = denseRows(set).map((row) => row.map(Math.fround));
  return { x, y: set.y, costs: set.y.map((_, i) => C * (1 + (i % 3))), loss };
}

for (const loss of ["hinge", "squared_hinge"] as const) {
  describe(loss, () => {
    const problem = problemOf(60, 9, loss);

    for (const kind of ["dense", "csr"] as const) {
      for (const shift of shifts) {
        test(`${kind}, shifted by ${shift}: three epochs take the textbook's steps`, () => {
          const core = new DcdUnderTest(coreUnderTest(), problem, { kind, shift, seed: 9, iterationLimit: 3, tolerance: 1e-300 });
          expect(core.run()).toBe(coreProgress.iterationLimit);

          const random = new Random(9);
          const order = problem.y.map((_, i) => i);
          const steps = dcdSvc(problem, () => {
            random.shuffle(order);
            return order;
          });
          let last = steps.next().value;
          for (let k = 1; k < 3 * order.length; k++) last = steps.next().value;
          // The two add in another order: 180 steps of rounding, each of a few ulps of numbers below 10.
          last.w.forEach((value, j) => {
            expect(Math.abs(value - (core.w[j] as number))).toBeLessThan(180 * 10 * 10 * Number.EPSILON);
          });
          last.alpha.forEach((value, i) => {
            expect(Math.abs(value - (core.alpha[i] as number))).toBeLessThan(180 * 10 * 10 * Number.EPSILON);
          });
        });
      }
    }

    for (const shrinking of [false, true]) {
      test(`the gap that the core sums row by row is P - D of the formulas, ${shrinking ? "shrunk rows included" : "nothing shrunk"}`, () => {
        const large = problemOf(200, 9, loss, 10);
        const core = new DcdUnderTest(coreUnderTest(), large, { tolerance: 1e-4, shrinking });
        let fewest = 200;
        while (core.step(50) === coreProgress.running) fewest = Math.min(fewest, core.state.get("activeCount"));
        expect(fewest < 200).toBe(shrinking);
        const { primal, dual } = objectives(large, core.alpha, core.w);
        expect(Math.abs(core.state.get("primal") - primal)).toBeLessThan(1e-12 * primal);
        expect(Math.abs(core.state.get("gap") - (primal - dual))).toBeLessThan(1e-12 * primal);
        expect(primal - dual).toBeLessThanOrEqual(1e-4 * primal);
        expect(primal - dual).toBeGreaterThanOrEqual(-1e-12 * primal);
      });
    }

    test("early on, when rows with a dual variable are beyond their margin, it is P - D too", () => {
      // Any first epoch meets this tolerance, so the check comes right after it.
      const core = new DcdUnderTest(coreUnderTest(), problem, { tolerance: 0.999999 });
      expect(core.run()).toBe(coreProgress.converged);
      const beyond = problem.x.filter((row, i) => {
        const margin = (problem.y[i] as number) * row.reduce((sum, value, j) => sum + value * (core.w[j] as number), 0);
        return (core.alpha[i] as number) > 0 && margin > 1;
      });
      expect(beyond.length).toBeGreaterThan(0);
      const { primal, dual } = objectives(problem, core.alpha, core.w);
      expect(Math.abs(core.state.get("gap") - (primal - dual))).toBeLessThan(1e-12 * primal);
    });

    test("an estimate that ran ahead of the truth is trusted less from then on", () => {
      const core = new DcdUnderTest(coreUnderTest(), problemOf(200, 9, loss, 10), { tolerance: 1e-9 });
      core.run();
      expect(core.state.get("checks")).toBeGreaterThanOrEqual(1);
      expect(core.state.get("trust")).toBeCloseTo(0.7 ** (core.state.get("checks") - 1), 12);
    });

    test("the running dual value is D of the formulas", () => {
      const core = new DcdUnderTest(coreUnderTest(), problem, { iterationLimit: 5, tolerance: 1e-300 });
      core.run();
      const { dual } = objectives(problem, core.alpha, core.w);
      expect(Math.abs(core.state.get("dual") - dual)).toBeLessThan(1e-11 * dual);
    });

    test("w stays the sum of the rows times their dual variables", () => {
      const core = new DcdUnderTest(coreUnderTest(), problem, { shrinking: true });
      core.run();
      core.w.forEach((value, j) => {
        const plain = problem.x.reduce((sum, row, i) => sum + (core.alpha[i] as number) * (problem.y[i] as number) * (row[j] as number), 0);
        expect(Math.abs(value - plain)).toBeLessThan(1e-10);
      });
    });

    test("shrinking changes the path, not the answer", () => {
      const on = new DcdUnderTest(coreUnderTest(), problem, { shrinking: true, tolerance: 1e-9 });
      const off = new DcdUnderTest(coreUnderTest(), problem, { shrinking: false, tolerance: 1e-9 });
      expect([on.run(), off.run()]).toEqual([coreProgress.converged, coreProgress.converged]);
      const optima = [on, off].map(({ alpha, w }) => objectives(problem, alpha, w).primal) as [number, number];
      expect(Math.abs(optima[0] - optima[1])).toBeLessThanOrEqual(1e-9 * Math.max(...optima));
    });

    test("any size of slice gives the same bits", () => {
      const solved = [1, 7, 100, 1_000_000].map((budget) => {
        const core = new DcdUnderTest(coreUnderTest(), problem, { kind: "csr", shrinking: true, tolerance: 1e-7 });
        core.run(budget);
        return { alpha: core.alpha, w: core.w, visits: core.state.get("visits") };
      });
      for (const other of solved.slice(1)) expect(other).toEqual(solved[0]);
    });

    test("a bias is the weight of a constant feature that is not stored", () => {
      const augmented = { ...problem, x: problem.x.map((row) => [...row, 2.5]) };
      const stored = new DcdUnderTest(coreUnderTest(), augmented, { tolerance: 1e-10 });
      const implied = new DcdUnderTest(coreUnderTest(), { ...problem, biasSquare: 6.25 }, { tolerance: 1e-10 });
      stored.run();
      implied.run();
      // Both are within 1e-10 of the optimum P*, so |w - w*|^2 <= 2e-10 P* each: P is 1-strongly convex.
      const reach = 2 * Math.sqrt(2e-10 * stored.state.get("primal"));
      expect(Math.abs(implied.bias / 2.5 - (stored.w.at(-1) as number))).toBeLessThan(reach);
    });

    test("an empty row is at its optimum after one visit and the rest is solved around it", () => {
      const withEmpty = { ...problem, x: problem.x.map((row, i) => (i === 5 ? row.map(() => 0) : row)) };
      for (const kind of ["dense", "csr"] as const) {
        const core = new DcdUnderTest(coreUnderTest(), withEmpty, { kind, shrinking: true });
        expect(core.run()).toBe(coreProgress.converged);
        // Its margin is 0: hinge wants a = C; squared hinge wants a = 1 / D_ii = 2 C.
        const cost = problem.costs[5] as number;
        expect(core.alpha[5]).toBeCloseTo(loss === "hinge" ? cost : 2 * cost, 12);
      }
    });

    test("with a bias, augmented or free, three epochs take the textbook's steps", () => {
      for (const isFree of [false, true]) {
        const biased = { ...problem, biasSquare: 1.5, isFree };
        const core = new DcdUnderTest(coreUnderTest(), biased, { seed: 9, iterationLimit: 3, tolerance: 1e-300 });
        core.run();
        const random = new Random(9);
        const order = problem.y.map((_, i) => i);
        const steps = dcdSvc(biased, () => {
          random.shuffle(order);
          return order;
        });
        let last = steps.next().value;
        for (let k = 1; k < 3 * order.length; k++) last = steps.next().value;
        expect(Math.abs(last.bias - core.bias)).toBeLessThan(180 * 10 * 10 * Number.EPSILON);
        last.alpha.forEach((value, i) => {
          expect(Math.abs(value - (core.alpha[i] as number))).toBeLessThan(180 * 10 * 10 * Number.EPSILON);
        });
      }
    });

    test("with a bias the gap is P - D of the formulas too", () => {
      for (const isFree of [false, true]) {
        const biased = { ...problem, biasSquare: 1.5, isFree };
        const core = new DcdUnderTest(coreUnderTest(), biased, { tolerance: 1e-4, shrinking: true });
        expect(core.run()).toBe(coreProgress.converged);
        const { primal, dual } = objectives(biased, core.alpha, core.w, isFree ? core.state.get("bestBias") : core.bias);
        expect(Math.abs(core.state.get("primal") - primal)).toBeLessThan(1e-12 * primal);
        expect(Math.abs(core.state.get("gap") - (primal - dual))).toBeLessThan(1e-12 * primal);
        expect(core.state.get("recentGap")).toBeLessThanOrEqual(1e-4);
      }
    });

    test("LIBLINEAR's rule: the projected gradients of the last epoch over all rows lie within it", () => {
      for (const violation of [1, 0.1, 1e-3]) {
        const core = new DcdUnderTest(coreUnderTest(), problem, { violation, shrinking: true });
        expect(core.run()).toBe(coreProgress.converged);
        expect(core.state.get("activeCount")).toBe(60);
        expect(core.state.get("pgMax") - core.state.get("pgMin")).toBeLessThanOrEqual(violation);
        expect(core.state.get("checks")).toBe(0);
      }
    });

    test("started from dual variables, w, b and D are what belongs to them, or to a multiple of them that is better than none", () => {
      const biased = { ...problem, biasSquare: 1.5 };
      const given = problem.costs.map((cost, i) => ((i % 4) / 3) * cost);
      const core = new DcdUnderTest(coreUnderTest(), biased, { alpha: given, tolerance: 1e-300, iterationLimit: 1 });
      // Rows cost eight or more each: the rebuilding ends within this slice, the check after it does not begin.
      while (core.state.get("phase") === 2) core.step(1);
      const alpha = core.alpha;
      const scale = (alpha[1] as number) / (given[1] as number);
      expect(scale).toBeLessThan(0.5);
      for (const [i, a] of alpha.entries()) expect(a).toBeCloseTo(scale * (given[i] as number), 12);
      expect(core.state.get("dual")).toBeGreaterThan(0);
      const w = problem.x[0]?.map((_, j) =>
        problem.x.reduce((sum, row, i) => sum + (alpha[i] as number) * (problem.y[i] as number) * (row[j] as number), 0),
      ) as number[];
      const bias = 1.5 * alpha.reduce((sum, a, i) => sum + a * (problem.y[i] as number), 0);
      core.w.forEach((value, j) => {
        expect(value).toBeCloseTo(w[j] as number, 10);
      });
      expect(core.bias).toBeCloseTo(bias, 10);
      expect(core.state.get("dual")).toBeCloseTo(objectives(biased, alpha, w, bias).dual, 8);
    });

    test("started from the optimum it ends after one check, started anywhere it finds the same optimum", () => {
      for (const bias of [{}, { biasSquare: 1 }, { isFree: true }]) {
        const biased = { ...problem, ...bias };
        const cold = new DcdUnderTest(coreUnderTest(), biased, { tolerance: 1e-8 });
        cold.run();
        const again = new DcdUnderTest(coreUnderTest(), biased, { tolerance: 1.1e-8, alpha: cold.alpha });
        expect(again.run()).toBe(coreProgress.converged);
        expect([again.state.get("checks"), again.state.get("visits")]).toEqual([1, 0]);
        const elsewhere = new DcdUnderTest(coreUnderTest(), biased, { tolerance: 1e-8, alpha: cold.alpha.map((a, i) => (i % 2 ? a : 0)) });
        expect(elsewhere.run()).toBe(coreProgress.converged);
        const optima = [cold, elsewhere].map(({ state }) => state.get("primal")) as [number, number];
        expect(Math.abs(optima[0] - optima[1])).toBeLessThanOrEqual(1e-8 * Math.max(...optima));
      }
    });
  });
}

test("one row with one feature: the optimum that a hand can compute", () => {
  // hinge, C = 1: min 1/2 w^2 + max(0, 1 - 2w) has w = 1/2, a = 1/4. Squared: min 1/2 w^2 + (1 - 2w)^2 has w = 4/9, a = 2/9.
  for (const [loss, alpha] of [
    ["hinge", 1 / 4],
    ["squared_hinge", 2 / 9],
  ] as const) {
    const core = new DcdUnderTest(coreUnderTest(), { x: [[2]], y: [1], costs: [1], loss });
    expect(core.run()).toBe(coreProgress.converged);
    expect(core.alpha[0]).toBeCloseTo(alpha, 12);
  }
});

test("the iteration limit counts passes over all rows, shrunk passes for their share", () => {
  const problem = problemOf(200, 20, "hinge", 10);
  const core = new DcdUnderTest(coreUnderTest(), problem, { shrinking: true, tolerance: 1e-300, iterationLimit: 20 });
  expect(core.run()).toBe(coreProgress.iterationLimit);
  expect(core.state.get("visits")).toBeGreaterThanOrEqual(20 * 200);
  expect(core.state.get("visits")).toBeLessThan(21 * 200);
});

test("one visit goes to the minimum along its row, in the box", () => {
  for (const [loss, alpha] of [
    ["hinge", 1 / 4],
    ["squared_hinge", 2 / 9],
  ] as const) {
    const instance = coreUnderTest();
    const solver = new DcdUnderTest(instance, { x: [[2]], y: [1], costs: [1], loss });
    const row = instance.call.tableRow?.(solver.state.pointer, 0) as number;
    expect(instance.call.hingeVisit?.(solver.state.pointer, solver.state.get("rows"), row)).toBe(1);
    expect([solver.alpha[0], solver.w[0]]).toEqual([expect.closeTo(alpha, 14), expect.closeTo(2 * alpha, 14)]);
  }
});

test("a row's part of the gap is C loss + h*(a) + a m: zero where it is in its right place, never below", () => {
  const { call } = coreUnderTest();
  for (const C of [0.5, 3]) {
    for (const a of [0, 0.2, 0.5]) {
      for (const m of [-2, -0.3, 0, 0.4]) {
        // m = margin - 1: the loss is max(0, -m), and P - D of the row is C loss - h(a) + a (m + 1).
        const plain = C * Math.max(0, -m) - a + a * (m + 1);
        expect(call.hingeGap?.(1, C, a, m)).toBeCloseTo(plain, 14);
        const squared = C * Math.max(0, -m) ** 2 - (a - (a * a) / (4 * C)) + a * (m + 1);
        expect(call.hingeGap?.(0, 1 / (2 * C), a, m)).toBeCloseTo(squared, 14);
      }
    }
  }
});
