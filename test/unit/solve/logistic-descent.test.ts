import { describe, expect, test } from "vitest";
import { matrix } from "../../../src/index.ts";
import { LogisticDescent, logisticDescentBytes } from "../../../src/solve/logistic-descent.ts";
import { judged, problemOf, type Settings, type SolverKind, weightedAndRepeated } from "../../judged.ts";
import { degenerate } from "../../problems/degenerate.ts";
import { denseRows, sparseSet } from "../../problems/generate.ts";

const kind: SolverKind = { make: LogisticDescent, bytes: logisticDescentBytes };
const biases = ["augmented", false] as const;
const settings = (rest: Partial<Settings>): Settings => ({ loss: "logistic", ...rest });

const set = sparseSet(600, 40, 12, 5);
const sparse = matrix(set.x, { featureCount: set.featureCount });
const dense = matrix(denseRows(set));
/** One coordinate at a time is slow at large C. */
const MANY = 100_000;

for (const bias of biases) {
  describe(`bias ${bias}`, () => {
    for (const C of [0.01, 1, 100]) {
      for (const [name, x] of [
        ["CSR", sparse],
        ["dense", dense],
      ] as const) {
        test(`C ${C}, ${name}: certified 1e-6, dual variables inside their box`, async () => {
          const { certificate, status, solution } = await judged(kind, x, problemOf(set.y, settings({ C, bias, maxIterations: MANY })));
          expect(certificate.relativeGap).toBeLessThanOrEqual(1e-6);
          expect(status).toBe("converged");
          expect(Math.min(...(solution.alpha ?? []))).toBeGreaterThan(0);
          expect(Math.max(...(solution.alpha ?? []))).toBeLessThanOrEqual(C);
        });
      }
    }

    test("C 10^4, where it needs some 10^5 passes: ends at its limit with a valid point", async () => {
      const { certificate, status, solution } = await judged(
        kind,
        sparse,
        problemOf(set.y, settings({ C: 1e4, bias, maxIterations: 2000 })),
      );
      expect(status).toBe("iteration-limit");
      expect(certificate.relativeGap).toBeLessThan(1);
      expect(Math.min(...(solution.alpha ?? []))).toBeGreaterThanOrEqual(0);
      expect(Math.max(...(solution.alpha ?? []))).toBeLessThanOrEqual(1e4);
    });

    test("dense and CSR have the same optimum, and another seed too", async () => {
      const problem = problemOf(set.y, settings({ bias, tolerance: 1e-9 }));
      const primals = [
        await judged(kind, sparse, problem),
        await judged(kind, dense, problem),
        await judged(kind, sparse, { ...problem, seed: 7 }),
      ].map(({ certificate }) => certificate.primal) as [number, number, number];
      for (const primal of primals) expect(Math.abs(primal / primals[0] - 1)).toBeLessThanOrEqual(1e-9);
    });

    test("weight 2 is the row twice, weight 0 the row absent", async () => {
      const [weighted, repeated] = await weightedAndRepeated(kind, set, settings({ bias, tolerance: 1e-9 }));
      expect(Math.abs(weighted / repeated - 1)).toBeLessThanOrEqual(1e-9);
    });

    for (const { name, x, y, C } of degenerate) {
      test(`${name}: certified 1e-6`, async () => {
        const { certificate, status } = await judged(kind, matrix(x), problemOf(y, settings({ bias, C: C ?? 1, maxIterations: MANY })));
        expect(certificate.relativeGap).toBeLessThanOrEqual(1e-6);
        expect(status).toBe("converged");
      });
    }
  });
}

test("the iteration limit is kept", async () => {
  const { status, solution } = await judged(kind, sparse, problemOf(set.y, settings({ C: 100, maxIterations: 5, tolerance: 1e-12 })));
  expect(status).toBe("iteration-limit");
  expect(solution.iterations).toBe(5);
});
