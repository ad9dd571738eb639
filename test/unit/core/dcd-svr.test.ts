import { describe, expect, test } from "vitest";
import { dcdSvr, type SvrProblem, svrObjectives } from "../../../reference/dcd-svr.ts";
import { Random } from "../../../src/base/random.ts";
import { coreProgress } from "../../../src/runtime/layout.ts";
import { coreUnderTest, shifts } from "../../core/instance.ts";
import { TubeUnderTest } from "../../core/tube.ts";
import { denseRows, normal } from "../../problems/generate.ts";
import { handRegressions } from "../../problems/hand-regression.ts";
import { regressionSet } from "../../problems/regression.ts";

function problemOf(rowCount: number, featureCount: number, loss: SvrProblem["loss"], C = 0.3): SvrProblem {
  const set = regressionSet(rowCount, featureCount, Math.ceil(featureCount / 2), 42);
  const x = denseRows({ ...set, name: "", y: [] }).map((row) => row.map(Math.fround));
  return { x, targets: set.targets, costs: set.targets.map((_, i) => C * (1 + (i % 3))), loss, epsilon: 0.2 };
}

/** Where the textbook stands after so many epochs in the core's order. */
function textbook(problem: SvrProblem, seed: number, epochs: number) {
  const random = new Random(seed);
  const order = problem.targets.map((_, i) => i);
  const relaxation = problem.loss === "epsilon_insensitive" && !problem.isFree ? 1.4 : 1;
  const steps = dcdSvr({ ...problem, relaxation }, () => {
    random.shuffle(order);
    return order;
  });
  let last = steps.next().value;
  for (let k = 1; k < epochs * order.length; k++) last = steps.next().value;
  return last;
}

const biases = [
  ["no bias", {}],
  ["augmented", { biasSquare: 1.5 }],
  ["free", { biasSquare: 1.5, isFree: true }],
] as const;

for (const loss of ["epsilon_insensitive", "squared_epsilon_insensitive"] as const) {
  describe(loss, () => {
    const problem = problemOf(60, 9, loss);

    for (const [name, bias] of biases) {
      for (const kind of ["dense", "csr"] as const) {
        test(`${name}, ${kind}: three epochs take the textbook's steps`, () => {
          for (const shift of shifts) {
            const biased = { ...problem, ...bias };
            const core = new TubeUnderTest(coreUnderTest(), biased, { kind, shift, seed: 9, iterationLimit: 3, tolerance: 1e-300 });
            expect(core.run()).toBe(coreProgress.iterationLimit);
            const last = textbook(biased, 9, 3);
            // The two add in another order: 180 steps of rounding, each of a few ulps of numbers below 30.
            const near = 180 * 10 * 30 * Number.EPSILON;
            expect(Math.abs(last.bias - core.state.get("bias"))).toBeLessThan(near);
            last.w.forEach((value, j) => {
              expect(Math.abs(value - (core.w[j] as number))).toBeLessThan(near);
            });
            last.beta.forEach((value, i) => {
              expect(Math.abs(value - (core.beta[i] as number))).toBeLessThan(near);
            });
          }
        });
      }

      test(`${name}: the gap that the core sums row by row is P - D of the formulas, shrunk rows included`, () => {
        for (const shrinking of [false, true]) {
          const large = { ...problemOf(200, 9, loss), ...bias };
          const core = new TubeUnderTest(coreUnderTest(), large, { tolerance: 1e-4, shrinking });
          let fewest = 200;
          while (core.step(50) === coreProgress.running) fewest = Math.min(fewest, core.state.get("activeCount"));
          expect(fewest < 200).toBe(shrinking);
          const { primal, dual } = svrObjectives(large, core);
          expect(Math.abs(core.state.get("primal") - primal)).toBeLessThan(1e-12 * primal);
          expect(Math.abs(core.state.get("gap") - (primal - dual))).toBeLessThan(1e-11 * primal);
          expect(primal - dual).toBeLessThanOrEqual(1e-4 * primal);
        }
      });
    }

    test("a row's part of the gap is C loss(r) + beta r + epsilon |beta| + D beta^2 / 2, wherever it stands", () => {
      const { call } = coreUnderTest();
      const random = new Random(8);
      for (let round = 0; round < 500; round++) {
        const C = 0.1 + random.unit();
        const isPlain = loss === "epsilon_insensitive";
        const beta = isPlain ? C * ([-1, 0, 1, 2 * random.unit() - 1][round % 4] as number) : normal(random) * (round % 4 ? 1 : 0);
        const [r, epsilon] = [normal(random), (round % 3) / 2];
        const e = Math.max(0, Math.abs(r) - epsilon);
        const plain = C * (isPlain ? e : e * e) + beta * r + epsilon * Math.abs(beta) + (isPlain ? 0 : (beta * beta) / (4 * C));
        const term = call.tubeGap?.(isPlain ? 1 : 0, isPlain ? C : 1 / (2 * C), epsilon, beta, r) as number;
        expect(Math.abs(term - plain)).toBeLessThan(1e-14 * 50);
        expect(term).toBeGreaterThanOrEqual(0);
      }
    });

    test("the running dual value is D of the formulas", () => {
      const core = new TubeUnderTest(coreUnderTest(), problem, { iterationLimit: 5, tolerance: 1e-300 });
      core.run();
      const { dual } = svrObjectives(problem, core);
      expect(Math.abs(core.state.get("dual") - dual)).toBeLessThan(1e-11 * dual);
    });

    test("shrinking changes the path, not the answer; any size of slice gives the same bits", () => {
      for (const [, bias] of biases) {
        const biased = { ...problem, ...bias };
        const off = new TubeUnderTest(coreUnderTest(), biased, { tolerance: 1e-8 });
        expect(off.run()).toBe(coreProgress.converged);
        const solved = [1, 7, 1_000_000].map((budget) => {
          const core = new TubeUnderTest(coreUnderTest(), biased, { kind: "csr", shrinking: true, tolerance: 1e-8 });
          expect(core.run(budget)).toBe(coreProgress.converged);
          return { beta: core.beta, w: core.w, visits: core.state.get("visits"), primal: core.state.get("primal") };
        });
        for (const other of solved.slice(1)) expect(other).toEqual(solved[0]);
        const optima = [off.state.get("primal"), solved[0]?.primal as number] as const;
        expect(Math.abs(optima[0] - optima[1])).toBeLessThanOrEqual(1e-8 * Math.max(...optima));
      }
    });

    test("an empty row is at its optimum after one visit and the rest is solved around it", () => {
      const withEmpty = { ...problem, x: problem.x.map((row, i) => (i === 5 ? row.map(() => 0) : row)) };
      for (const kind of ["dense", "csr"] as const) {
        const core = new TubeUnderTest(coreUnderTest(), withEmpty, { kind, shrinking: true, tolerance: 1e-6 });
        expect(core.run()).toBe(coreProgress.converged);
        const [cost, target] = [problem.costs[5] as number, problem.targets[5] as number];
        const size = loss === "epsilon_insensitive" ? cost : 2 * cost * (Math.abs(target) - problem.epsilon);
        expect(core.beta[5]).toBeCloseTo(Math.sign(target) * size, 12);
      }
    });

    test("LIBLINEAR's rule: the violations of the last epoch over all rows are so small a share of the first's", () => {
      for (const [, bias] of biases) {
        for (const violation of [0.1, 1e-3, 1e-6]) {
          const core = new TubeUnderTest(coreUnderTest(), { ...problem, ...bias }, { violation, shrinking: true });
          expect(core.run()).toBe(coreProgress.converged);
          expect(core.state.get("activeCount")).toBe(60);
          expect(core.state.get("violationSum")).toBeLessThanOrEqual(violation * core.state.get("firstViolation"));
          expect(core.state.get("checks")).toBe(0);
        }
      }
    });

    test("started from the optimum it ends after one check, started anywhere it finds the same optimum", () => {
      for (const [, bias] of biases) {
        const biased = { ...problem, ...bias };
        const cold = new TubeUnderTest(coreUnderTest(), biased, { tolerance: 1e-7 });
        cold.run();
        const again = new TubeUnderTest(coreUnderTest(), biased, { tolerance: 1.1e-7, alpha: cold.beta });
        expect(again.run()).toBe(coreProgress.converged);
        expect([again.state.get("checks"), again.state.get("visits")]).toEqual([1, 0]);
        const elsewhere = new TubeUnderTest(coreUnderTest(), biased, { tolerance: 1e-7, alpha: cold.beta.map((b, i) => (i % 2 ? b : -b)) });
        expect(elsewhere.run()).toBe(coreProgress.converged);
        const optima = [cold, elsewhere].map(({ state }) => state.get("primal")) as [number, number];
        expect(Math.abs(optima[0] - optima[1])).toBeLessThanOrEqual(1e-7 * Math.max(...optima));
      }
    });
  });
}

test("a relaxed step goes 1.4 times as far, but never over the kink", () => {
  const { call } = coreUnderTest();
  for (const [old, next, expected] of [
    [1, 2, 2.4],
    [2, 1, 0.6],
    [-1, -2, -2.4],
    [0, 1, 1.4],
    [1, 0, 0],
    [2, 0.1, 0.1],
    [1, -1, -1],
    [0, Infinity, Infinity],
  ] as const) {
    expect(call.relaxed?.(old, next)).toBeCloseTo(expected, 12);
  }
});

test("it finds what a hand can compute", () => {
  for (const { optimum, bias, biasScale, ...rest } of handRegressions) {
    const isFree = bias === "unregularised";
    const core = new TubeUnderTest(coreUnderTest(), { ...rest, isFree, biasSquare: bias === "augmented" ? biasScale * biasScale : 0 });
    expect(core.run()).toBe(coreProgress.converged);
    expect(core.state.get("primal")).toBeCloseTo(optimum.objective, 7);
  }
});

test("one visit goes to the minimum along its row, in the box, and D rises by what it says", () => {
  for (const loss of ["epsilon_insensitive", "squared_epsilon_insensitive"] as const) {
    const problem = { ...problemOf(6, 3, loss, 2), isFree: true };
    const instance = coreUnderTest();
    const solver = new TubeUnderTest(instance, problem);
    for (let k = 0; k < 6; k++) {
      const before = solver.state.get("dual");
      const row = instance.call.tableRow?.(solver.state.pointer, k) as number;
      expect(instance.call.tubeVisit?.(solver.state.pointer, solver.state.get("rows"), row)).toBe(1);
      const value = (beta: readonly number[]): number => {
        const w = problem.x[0]?.map((_, j) => beta.reduce((sum, b, i) => sum + b * (problem.x[i]?.[j] as number), 0)) as number[];
        const total = beta.reduce((sum, b) => sum + b, 0);
        const parts = beta.map((b, i) => {
          const square = loss === "epsilon_insensitive" ? 0 : (b * b) / (4 * (problem.costs[i] as number));
          return (problem.targets[i] as number) * b - problem.epsilon * Math.abs(b) - square;
        });
        const norm = w.reduce((sum, v) => sum + v * v, 0) + solver.state.get("biasSquare") * total * total;
        return parts.reduce((a, b) => a + b, 0) - 0.5 * norm;
      };
      const { beta } = solver;
      expect(solver.state.get("dual")).toBeCloseTo(value(beta), 9);
      expect(solver.state.get("dual")).toBeGreaterThanOrEqual(before);
      for (const step of [-1e-3, 1e-3]) {
        const moved = beta.map((b, i) => (i === k ? b + step : b));
        const inBox = loss !== "epsilon_insensitive" || Math.abs(moved[k] as number) <= (problem.costs[k] as number);
        if (inBox) expect(value(moved)).toBeLessThanOrEqual(value(beta) + 1e-12);
      }
    }
  }
});

test("LIBLINEAR's rule: met on shrunk rows it only brings them back, and a bias still on its way counts", () => {
  const problem = { ...problemOf(10, 4, "epsilon_insensitive"), isFree: true };
  const ends = (values: Parameters<TubeUnderTest["state"]["assign"]>[0]) => {
    const core = coreUnderTest();
    const { state } = new TubeUnderTest(core, problem);
    state.assign({ violation: 0.1, violationSum: 0.9, firstViolation: 10, ...values });
    return [core.call.endsByViolation?.(state.pointer), state.get("activeCount")];
  };
  expect(ends({})).toEqual([1, 10]);
  expect(ends({ violationSum: 1.1 })).toEqual([0, 10]);
  expect(ends({ activeCount: 4 })).toEqual([0, 10]);
  expect(ends({ bias: 1, centre: 0.8 })).toEqual([0, 10]);
  expect(ends({ bias: 1, centre: 0.8, activeCount: 4 })).toEqual([0, 10]);
});

test("the iteration limit counts passes over all rows, shrunk passes for their share", () => {
  const core = new TubeUnderTest(coreUnderTest(), problemOf(200, 20, "epsilon_insensitive", 10), {
    ...{ shrinking: true, tolerance: 1e-300, iterationLimit: 20 },
  });
  expect(core.run()).toBe(coreProgress.iterationLimit);
  expect(core.state.get("visits")).toBeGreaterThanOrEqual(20 * 200);
  expect(core.state.get("visits")).toBeLessThan(21 * 200);
});
