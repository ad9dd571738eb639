// Smooth losses where Newton has trouble: the plan's second method, pass limits that hold, and proofs that survive large numbers.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { certifyLinear } from "../../../src/certify/linear.ts";
import { packRows } from "../../../src/data/pack.ts";
import { certify, LinearSVC, LinearSVR, LogisticRegression } from "../../../src/index.ts";
import { allocatePlain } from "../../../src/runtime/placement.ts";
import { makeBinarySolver } from "../../../src/solve/make-solver.ts";
import { planBinary } from "../../../src/solve/plan.ts";
import type { BinaryProblem } from "../../../src/solve/problem.ts";
import { solveStages } from "../../../src/solve/stages.ts";
import { normal } from "../../problems/generate.ts";
import { taskHere } from "../../solve-here.ts";

const squared = "squared_epsilon_insensitive" as const;

function rows(n: number, d: number, seed: number, scale = 1): { x: number[][]; noise: () => number } {
  const random = new Random(seed);
  return { x: Array.from({ length: n }, () => Array.from({ length: d }, () => scale * normal(random))), noise: () => normal(random) };
}

describe("large features", () => {
  test("squared hinge, features of 1e8: certified", async () => {
    const model = await LinearSVC.fit([[3e8], [4e7], [-1e8]], [1, -1, -1]);
    expect(model.report.status).toBe("converged");
    expect(model.coefficients[0]).toBeGreaterThan(0);
  });

  for (const bias of ["unregularised", "augmented", false] as const) {
    test(`squared tube, features of 1e6, C 100, bias ${bias}: certified`, async () => {
      const { x, noise } = rows(120, 5, 3, 1e6);
      const y = x.map((row) => 1e-6 * (row[0] as number) + 0.1 * noise());
      const model = await LinearSVR.fit(x, y, { C: 100, loss: squared, bias });
      expect(model.report.status).toBe("converged");
    });
  }
});

describe("separable, large C, few rows that count", () => {
  for (const bias of ["unregularised", "augmented", false] as const) {
    for (const seed of [1, 15, 109, 112]) {
      test(`24 x 7, seed ${seed}, bias ${bias}: Newton alone is done in 200 passes`, async () => {
        const { x, noise } = rows(24, 7, seed);
        const truth = Array.from({ length: 7 }, noise);
        const y = x.map((row) => (row.reduce((sum, value, j) => sum + value * (truth[j] as number), 0.3) > 0 ? 1 : -1));
        const model = await LinearSVC.fit(x, y, { C: 1e4, bias, solver: "newton", maxIterations: 200 });
        expect(model.report.status).toBe("converged");
      });
    }
  }
});

describe("the limit on passes holds", () => {
  const { x, noise } = rows(200, 5, 7);
  const y = x.map((row) => ((row[0] as number) + noise() > 0 ? 1 : -1));
  for (const maxIterations of [1, 2, 3, 4, 5, 7, 10]) {
    test(`${maxIterations}`, async () => {
      const options = { maxIterations, tolerance: 1e-9 };
      const models = [
        await LinearSVC.fit(x, y, { ...options, solver: "newton" }),
        await LinearSVC.fit(x, y, { ...options, C: 1e4, solver: "newton", bias: false }),
        await LogisticRegression.fit(x, y, options),
        await LogisticRegression.fit(
          x,
          y.map((label, i) => label + (i % 2)),
          options,
        ),
        await LinearSVR.fit(x, y, { ...options, loss: squared }),
      ];
      for (const { report } of models) expect(report.run?.iterations).toBeLessThanOrEqual(maxIterations);
    });
  }

  test("a start that is worse than nothing, and one pass: the zero model", async () => {
    const warmStart = await LinearSVC.fit(
      x,
      y.map((label) => -label),
      { solver: "newton", C: 100 },
    );
    const model = await LinearSVC.fit(x, y, { solver: "newton", C: 100, warmStart, maxIterations: 1 });
    expect(model.report.run?.iterations).toBe(1);
    expect(Array.from(model.coefficients)).toEqual([0, 0, 0, 0, 0]);
  });
});

describe("targets with a large offset and little noise", () => {
  for (const bias of ["unregularised", "augmented"] as const) {
    for (const [offset, size] of [
      [1e6, 1],
      [1e6, 1e-3],
      [1e9, 1],
    ] as const) {
      test(`bias ${bias}, offset ${offset}, noise ${size}: certified, and certify finds the same of the model`, async () => {
        const { x, noise } = rows(300, 8, 7);
        const y = x.map(([a = 0, b = 0]) => offset + size * (2 * a - b + 0.3 * noise()));
        for (const C of [1, 100]) {
          const model = await LinearSVR.fit(x, y, { C, bias, loss: squared, epsilon: 0.1 * size });
          expect(model.report.status).toBe("converged");
          expect(model.dual?.length).toBe(300);
          expect(await certify(model, x, y)).toEqual(model.report.certificate);
        }
      });
    }
  }
});

test("rounding that lets neither P nor the gap move ends a fit, and says so", async () => {
  const x = [[-1509987.25], [0], [859161.4375], [0], [0]];
  const y = [1e6 + 1e-6, 1e6 - 1e-6, 1e6 - 1e-6, 1e6 + 1e-6, 1e6 + 1e-6];
  const { report } = await LinearSVR.fit(x, y, { C: 100, epsilon: 1e-6, loss: squared });
  expect(report.status).toBe("precision-limit");
  expect(report.run?.iterations).toBeLessThan(2000);
});

describe("Newton that does not end", () => {
  const { x: values, noise } = rows(200, 6, 5);
  const x = packRows(values, allocatePlain);
  for (const loss of ["squared_hinge", "logistic"] as const) {
    const problem: BinaryProblem = {
      loss,
      penalty: "l2",
      bias: "augmented",
      biasScale: 1,
      tolerance: 1e-9,
      maxIterations: 1000,
      shrinking: true,
      seed: 0,
      rowIds: Uint32Array.from(values, (_, i) => i),
      signs: Float32Array.from(values, ([a = 0]) => (a + noise() > 0 ? 1 : -1)),
      costs: new Float64Array(200).fill(1),
    };

    test(`${loss}: descent takes over from its dual variables, and Newton from those`, async () => {
      const { stages, regionBytes } = planBinary(x, problem, "auto", false);
      expect(stages.map(({ solver }) => solver)).toEqual(["Newton", "dual coordinate descent", "Newton"]);
      expect(stages[1]?.why).toMatch(/Newton was not done after \d+ passes/);
      const judge = (solution: Parameters<typeof certifyLinear>[2]) => certifyLinear(x, problem, solution);
      const how = { make: makeBinarySolver(problem), judge };
      // Cut short so that both are used up.
      const short = stages.map((stage, k) => ({ ...stage, passes: [8, 2, Infinity][k] as number }));
      const whole = await solveStages(taskHere(x, regionBytes)(), short, problem, how);
      expect(whole.status).toBe("converged");
      const [first, second, third] = whole.stages.map(({ relativeGap }) => relativeGap);
      expect(first).toBeLessThan(0.1);
      // Descent from Newton's dual variables stays near what Newton had proved.
      expect(second).toBeLessThan(2 * (first as number));
      expect(third).toBeLessThanOrEqual(1e-9);
    });
  }
});
