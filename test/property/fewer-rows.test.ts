// Linear problems with rows that hold the same as one row each: the judge, who sees all rows, finds what was promised.

import fc from "fast-check";
import { expect, test } from "vitest";
import { certifyLinear } from "../../src/certify/linear.ts";
import { equalRows } from "../../src/estimators/equal-rows.ts";
import { certify, LinearSVC, LogisticRegression, matrix } from "../../src/index.ts";
import { beginCall, withMatrix } from "../../src/runtime/runtime.ts";
import { fewerRowsBytes, withFewerRows } from "../../src/solve/fewer-rows.ts";
import { planBinary } from "../../src/solve/plan.ts";
import type { BinaryProblem, BinarySolution } from "../../src/solve/problem.ts";
import { solveStages } from "../../src/solve/stages.ts";
import { taskHere } from "../solve-here.ts";

const cases = fc.record({
  loss: fc.constantFrom("hinge" as const, "squared_hinge" as const, "logistic" as const),
  bias: fc.constantFrom("unregularised" as const, "augmented" as const, false as const),
  isSparse: fc.boolean(),
  kinds: fc.array(fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 3, maxLength: 3 }), { minLength: 3, maxLength: 12 }),
  // Which kind each row is of, its class and its weight.
  rows: fc.array(fc.tuple(fc.nat(11), fc.boolean(), fc.integer({ min: 1, max: 4 })), { minLength: 40, maxLength: 80 }),
});

test("every loss, form of the bias and weight: the gap over all rows, dual variables within their bounds", async () => {
  let merged = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ({ loss, bias, isSparse, kinds, rows }) => {
      const values = rows.map(([kind]) => kinds[kind % kinds.length] as number[]);
      const sparse = values.map((row) => Object.fromEntries(row.flatMap((value, j) => (value === 0 ? [] : [[j, value]]))));
      const x = isSparse ? matrix(sparse, { featureCount: 3 }) : matrix(values);
      const problem: BinaryProblem = {
        ...{ loss, bias, penalty: "l2", biasScale: 1, tolerance: 1e-6, maxIterations: 100_000, shrinking: true, seed: 1 },
        rowIds: Uint32Array.from(rows.keys()),
        signs: Float32Array.from(rows, ([, isUp], k) => (k === 0 || (k > 1 && isUp) ? 1 : -1)), // both classes are there
        costs: Float64Array.from(rows, ([, , weight]) => weight / 3),
      };
      const firstOf = await withMatrix(x, (packed) => equalRows(packed, beginCall({ threads: 1 })));
      const { stages, regionBytes } = planBinary(x, problem, "auto", false);
      const whole = taskHere(x, regionBytes + (firstOf === undefined ? 0 : fewerRowsBytes(x, firstOf)))();
      const { task, make } = withFewerRows(whole, problem, firstOf);
      const seen: number[] = [];
      const { solution, certificate } = await solveStages<BinarySolution>(task, stages, problem, {
        make: (own, stage, start, passes) => {
          const solver = make(own, stage, start, passes);
          seen.push(solver.solution().alpha?.length ?? rows.length);
          return solver;
        },
        judge: (point) => certifyLinear(x, problem, point, problem.tolerance),
      });
      if (task !== whole) merged++;
      expect(seen.every((count) => count === rows.length)).toBe(true);
      expect(certificate.relativeGap).toBeLessThanOrEqual(1e-6);
      solution.alpha?.forEach((a, k) => {
        expect(a).toBeGreaterThanOrEqual(0);
        if (loss !== "squared_hinge") expect(a).toBeLessThanOrEqual(problem.costs[k] as number);
      });
    }),
    { numRuns: 150, seed: 1 },
  );
  expect(merged).toBeGreaterThan(100);
});

test("where fewer rows hold the same than are worth it, nothing is said of them", async () => {
  const x = matrix([...Array.from({ length: 50 }, (_, i) => [i, 1]), [3, 1], [4, 1]]);
  const found = (least: number) => withMatrix(x, (packed) => equalRows(packed, beginCall({ threads: 1 }), least));
  expect((await found(2))?.[50]).toBe(3);
  expect(await found(3)).toBeUndefined();
});

test("a long log of few kinds of rows: the same model as of one row a kind with its number as weight, and the audit over all rows agrees", async () => {
  const kinds = Array.from({ length: 900 }, (_, k) => Array.from({ length: 6 }, (_, j) => ((k * (j + 3) * 7919) % 13) / 6 - 1));
  const isUp = (k: number): boolean => ((kinds[k] as number[])[0] as number) > ((k * 31) % 7) / 7 - 0.4;
  const order = Array.from({ length: 24_000 }, (_, i) => (i * 577 + (i >> 3)) % 900);
  const weights = kinds.map((_, k) => order.filter((kind) => kind === k).length);
  const x = matrix(order.map((k) => kinds[k] as number[]));
  const y = order.map((k) => (isUp(k) ? 1 : 0));
  for (const train of [
    (rows: typeof x, labels: number[], sampleWeight?: number[]) =>
      LinearSVC.fit(rows, labels, { loss: "hinge", C: 0.01, tolerance: 1e-5, sampleWeight }),
    (rows: typeof x, labels: number[], sampleWeight?: number[]) =>
      LogisticRegression.fit(rows, labels, { C: 0.01, tolerance: 1e-5, sampleWeight }),
  ]) {
    const all = await train(x, y);
    const few = await train(
      matrix(kinds),
      kinds.map((_, k) => (isUp(k) ? 1 : 0)),
      weights,
    );
    const [one, other] = [all.report.certificate, few.report.certificate];
    expect(all.report.status).toBe("converged");
    // Each primal value is at most its gap above the optimum, which is theirs in common.
    expect(Math.abs(one.primal - other.primal)).toBeLessThanOrEqual(2e-5 * Math.max(one.primal, other.primal));
    const audit = await certify(all, x, y);
    expect(audit.relativeGap).toBeLessThanOrEqual(1e-5 * (1 + 1e-6));
  }
});
