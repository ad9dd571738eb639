// The one-class solver, judged by src/certify alone.

import { describe, expect, test } from "vitest";
import { flowers } from "../data/iris.ts";
import { certifyOneClass } from "../src/certify/one-class.ts";
import type { Matrix } from "../src/data/matrix.ts";
import { matrix } from "../src/index.ts";
import { makeOneClassSolver } from "../src/solve/make-solver.ts";
import { planOneClass } from "../src/solve/plan.ts";
import type { OneClassProblem } from "../src/solve/problem.ts";
import { solveStages } from "../src/solve/stages.ts";
import { denseRows, sparseSet } from "./problems/generate.ts";
import { taskHere } from "./solve-here.ts";

function problemOf(rowCount: number, settings: Partial<OneClassProblem>, weights?: readonly number[]): OneClassProblem {
  const rows = Array.from({ length: rowCount }, (_, i) => i).filter((i) => weights?.[i] !== 0);
  return {
    ...{ nu: 0.5, tolerance: 1e-6, maxIterations: 100_000, shrinking: true, seed: 0, ...settings },
    rowIds: Uint32Array.from(rows),
    weights: Float64Array.from(rows, (i) => weights?.[i] ?? 1),
  };
}

/** By the second method of the plan alone. */
async function solveInside(x: Matrix, problem: OneClassProblem) {
  const { stages, regionBytes } = planOneClass(x, problem);
  return solveStages(
    taskHere(x, regionBytes)(),
    stages.slice(1),
    { tolerance: problem.tolerance, maxIterations: problem.maxIterations },
    { make: makeOneClassSolver(problem), judge: (solution) => certifyOneClass(x, problem, solution) },
  );
}

async function solve(
  x: Matrix,
  problem: OneClassProblem,
  start?: { w: Float64Array; rho: number; alpha: Float64Array; iterations: number },
) {
  const { stages, regionBytes } = planOneClass(x, problem);
  const tolerance = problem.stop === undefined ? problem.tolerance : undefined;
  return solveStages(
    taskHere(x, regionBytes)(),
    stages,
    { tolerance, maxIterations: problem.maxIterations },
    { make: makeOneClassSolver(problem), judge: (solution) => certifyOneClass(x, problem, solution), start },
  );
}

const set = sparseSet(200, 30, 8, 5);
const dense = denseRows(set).map((row) => row.map((value, j) => (value === 0 ? 0 : value + (j < 10 ? 1 : 0))));
const named = {
  "sparse rows around the origin": matrix(set.x, { featureCount: set.featureCount }),
  "rows to one side": matrix(dense),
  iris: matrix(flowers),
};
const nus = [0.001, 0.01, 0.1, 0.5, 0.9, 1];

for (const [name, x] of Object.entries(named)) {
  describe(name, () => {
    for (const nu of nus) {
      test(`nu ${nu}: certified 1e-6, with weights and without, shrinking or not`, async () => {
        const weights = Array.from({ length: x.rowCount }, (_, i) => (i % 7 === 0 ? 0 : 0.5 + (i % 3)));
        for (const some of [undefined, weights]) {
          for (const shrinking of [true, false]) {
            const problem = problemOf(x.rowCount, { nu, shrinking }, some);
            const { status, certificate, solution } = await solve(x, problem);
            expect(status).toBe("converged");
            expect(certificate.relativeGap).toBeLessThanOrEqual(1e-6);
            expect(solution.alpha.every((a, k) => a >= 0 && a <= (problem.weights[k] as number))).toBe(true);
          }
        }
      });
    }

    for (const nu of nus.filter((share) => share < 1)) {
      test(`nu ${nu}: the interior point, too, certified 1e-6, with weights and without`, async () => {
        const weights = Array.from({ length: x.rowCount }, (_, i) => (i % 7 === 0 ? 0 : 0.5 + (i % 3)));
        for (const some of [undefined, weights]) {
          const problem = problemOf(x.rowCount, { nu }, some);
          const { status, certificate, solution } = await solveInside(x, problem);
          expect(status).toBe("converged");
          expect(certificate.relativeGap).toBeLessThanOrEqual(1e-6);
          expect(solution.alpha.every((a, k) => a >= 0 && a <= (problem.weights[k] as number))).toBe(true);
        }
      });
    }

    test("weight 2 is the row twice, weight 0 the row absent, and the unit of weights scales w", async () => {
      const weights = Array.from({ length: x.rowCount }, (_, i) => i % 3);
      const repeated = weights.flatMap((weight, i) => new Array<number>(weight).fill(i));
      const tolerance = 1e-9;
      const one = await solve(x, problemOf(x.rowCount, { nu: 0.8, tolerance }, weights));
      const other = await solve(x, { ...problemOf(repeated.length, { nu: 0.8, tolerance }), rowIds: Uint32Array.from(repeated) });
      const heavier = await solve(
        x,
        problemOf(
          x.rowCount,
          { nu: 0.8, tolerance },
          weights.map((weight) => 3 * weight),
        ),
      );
      expect(Math.abs(one.certificate.primal / other.certificate.primal - 1)).toBeLessThanOrEqual(tolerance);
      expect(Math.abs(heavier.certificate.primal / one.certificate.primal / 9 - 1)).toBeLessThanOrEqual(tolerance);
    });

    test("started from its own answer it ends at once", async () => {
      const problem = problemOf(x.rowCount, { nu: 0.8 });
      const cold = await solve(x, problem);
      const again = await solve(x, { ...problem, tolerance: 1.1e-6 }, cold.solution);
      expect([again.status, again.solution.iterations]).toEqual(["converged", 0]);
    });

    test("LIBLINEAR's rule gives a model, a tighter one a better model", async () => {
      const gaps: number[] = [];
      for (const epsilon of [1, 1e-3]) {
        const { status, certificate } = await solve(x, problemOf(x.rowCount, { nu: 0.8, stop: { kind: "violation", epsilon } }));
        expect(status).toBe("converged");
        gaps.push(certificate.relativeGap);
      }
      expect(gaps[1]).toBeLessThan(1e-3);
      expect(gaps[1]).toBeLessThanOrEqual((gaps[0] as number) + 1e-12);
    });
  });
}

describe("degenerate", () => {
  for (const [name, rows] of [
    ["one row", [[1, 2]]],
    ["no features", [[], []]],
    [
      "only empty rows",
      [
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    ],
    [
      "some empty rows",
      [
        [1, 2],
        [0, 0],
        [2, 1],
        [0, 0],
        [3, 3],
      ],
    ],
    ["all rows equal", Array.from({ length: 9 }, () => [1, -2, 3])],
    [
      "a row and its opposite",
      [
        [1, 2],
        [-1, -2],
      ],
    ],
    ["one row far off", Array.from({ length: 30 }, (_, i) => (i === 7 ? [1e4, -1e4] : [1 + i / 30, 1]))],
    ["rows of 1e-6", Array.from({ length: 30 }, (_, i) => [1e-6 * (1 + i), 2e-6])],
  ] as [string, number[][]][]) {
    test(`${name}: certified 1e-6 for every nu, by both methods`, async () => {
      for (const nu of nus) {
        const { status, certificate } = await solve(matrix(rows), problemOf(rows.length, { nu }));
        expect(certificate.relativeGap).toBeLessThanOrEqual(1e-6);
        expect(status).toBe("converged");
        if (nu === 1) continue;
        const inside = await solveInside(matrix(rows), problemOf(rows.length, { nu }));
        expect([inside.status, inside.certificate.relativeGap <= 1e-6]).toEqual(["converged", true]);
      }
    });
  }
});

test("a column times 1e4: where descent crawls, the interior point takes over", async () => {
  const rows = dense.map((row) => row.map((value, j) => (j === 3 ? 1e4 * value : value)));
  const x = matrix(rows);
  const problem = problemOf(rows.length, { nu: 0.9, tolerance: 1e-9 });
  const { status, stages } = await solve(x, problem);
  expect(status).toBe("converged");
  expect(stages.map(({ solver }) => solver)).toEqual(["dual coordinate descent", "interior point"]);
});
