import { describe, expect, test } from "vitest";
import { type Matrix, matrix } from "../../../src/index.ts";
import { InteriorPoint } from "../../../src/solve/interior-point.ts";
import { interiorBytes, interiorPointWork } from "../../../src/solve/interior-solver.ts";
import { judged, problemOf, type Settings, type SolverKind, weightedAndRepeated } from "../../judged.ts";
import { degenerate } from "../../problems/degenerate.ts";
import { denseRows, sparseSet } from "../../problems/generate.ts";
import { handSolved } from "../../problems/hand.ts";

const kind: SolverKind = { make: InteriorPoint, bytes: interiorBytes };
const biases = ["augmented", "unregularised", false] as const;
const settings = (rest: Partial<Settings>): Settings => ({ loss: "hinge", ...rest });

const set = sparseSet(600, 40, 12, 5);
const sparse = matrix(set.x, { featureCount: set.featureCount });
const dense = matrix(denseRows(set));

/** The same rows with one feature 10^4 times as large. */
function badlyScaled(): Matrix {
  return matrix(denseRows(set).map((row) => row.map((value, j) => (j === 2 ? 1e4 * value : value))));
}

for (const bias of biases) {
  describe(`bias ${bias}`, () => {
    for (const C of [0.01, 1, 100, 1e4]) {
      for (const [name, x] of [
        ["CSR", sparse],
        ["dense", dense],
        ["a feature times 10^4", badlyScaled()],
      ] as const) {
        test(`C ${C}, ${name}: certified 1e-6 in some tens of iterations, dual variables inside their box`, async () => {
          const { certificate, status, solution } = await judged(kind, x, problemOf(set.y, settings({ C, bias })));
          expect(status).toBe("converged");
          expect(certificate.relativeGap).toBeLessThanOrEqual(1e-6);
          expect(solution.iterations).toBeLessThan(40);
          expect(Math.min(...(solution.alpha ?? []))).toBeGreaterThanOrEqual(0);
          expect(Math.max(...(solution.alpha ?? []))).toBeLessThanOrEqual(C);
        });
      }

      test(`C ${C}: dual variables of rows off their margin are at their bounds, as those of descent are`, async () => {
        const { solution } = await judged(kind, dense, problemOf(set.y, settings({ C, bias, tolerance: 1e-9 })));
        const { w, bias: b, alpha = [] } = solution;
        for (const [i, row] of denseRows(set).entries()) {
          const margin = (set.y[i] as number) * row.reduce((sum, value, j) => sum + value * (w[j] as number), b);
          if (margin > 1.01) expect(alpha[i]).toBe(0);
          else if (margin < 0.99) expect(alpha[i]).toBe(C);
        }
        expect(Array.from(alpha).filter((a) => a > 0).length).toBeLessThan(set.y.length);
      });

      test(`C ${C}: dense and CSR have the same optimum`, async () => {
        const problem = problemOf(set.y, settings({ C, bias, tolerance: 1e-9 }));
        const [one, other] = [await judged(kind, sparse, problem), await judged(kind, dense, problem)];
        expect([one.status, other.status]).toEqual(["converged", "converged"]);
        expect(Math.abs(one.certificate.primal / other.certificate.primal - 1)).toBeLessThanOrEqual(1e-9);
      });
    }

    test("weight 2 is the row twice, weight 0 the row absent", async () => {
      const [weighted, repeated] = await weightedAndRepeated(kind, set, settings({ bias, tolerance: 1e-9 }));
      expect(Math.abs(weighted / repeated - 1)).toBeLessThanOrEqual(1e-9);
    });

    for (const { name, x, y, C } of degenerate) {
      test(`${name}: certified 1e-6`, async () => {
        const { certificate, status } = await judged(kind, matrix(x), problemOf(y, settings({ bias, C: C ?? 1 })));
        expect(certificate.relativeGap).toBeLessThanOrEqual(1e-6);
        expect(status).toBe("converged");
      });
    }
  });
}

for (const { name, x, y, weights, C, loss, bias, optimum } of handSolved) {
  if (loss !== "hinge") continue;
  test(`${name}: the optimum that was computed by hand`, async () => {
    const { certificate, solution } = await judged(kind, matrix(x), problemOf(y, settings({ C, bias, tolerance: 1e-9 }), weights));
    expect(Math.abs(certificate.primal - optimum.objective)).toBeLessThanOrEqual(1e-9 * optimum.objective);
    // P is 1-strongly convex in w.
    const reach = Math.sqrt(2e-9 * optimum.objective);
    for (const [j, value] of optimum.w.entries()) expect(Math.abs((solution.w[j] as number) - value)).toBeLessThanOrEqual(reach);
  });
}

test("a free bias and one class only: the bias does it alone", async () => {
  for (const sign of [1, -1]) {
    const { certificate, solution } = await judged(kind, matrix([[1], [2]]), problemOf([sign, sign], settings({ bias: "unregularised" })));
    expect(certificate).toEqual({ primal: 0, dual: 0, relativeGap: 0 });
    expect(solution.bias).toBe(sign);
  }
});

test("the iteration limit is kept and the best point so far comes back", async () => {
  const { certificate, status, solution } = await judged(kind, sparse, problemOf(set.y, settings({ maxIterations: 12, tolerance: 1e-12 })));
  expect(status).toBe("iteration-limit");
  expect(solution.iterations).toBe(12);
  // Far from the end none is put at a bound.
  expect(Math.min(...(solution.alpha ?? []))).toBeGreaterThan(0);
  expect(solution.isSparse).toBe(false);
  expect(certificate.relativeGap).toBeLessThan(0.1);
});

test("the work of an iteration: short rows one by one, long rows in blocks, few of them as columns; three times the features cost several times as much", () => {
  const rowIds = set.y.map((_, i) => i);
  const wide = matrix(denseRows(set).map((row) => row.flatMap((value) => [value, value, value])));
  expect(interiorPointWork(sparse, rowIds).way).toBe("rows");
  expect(interiorPointWork(dense, rowIds).way).toBe("columns");
  const many = matrix(Array.from({ length: 5 }, () => denseRows(set)).flat());
  expect(interiorPointWork(many, rowIds).way).toBe("columns");
  expect(
    interiorPointWork(
      many,
      Array.from({ length: many.rowCount }, (_, i) => i),
    ).way,
  ).toBe("blocks");
  expect(interiorPointWork(wide, rowIds).iteration).toBeGreaterThan(4 * interiorPointWork(dense, rowIds).iteration);
});
