// Every solver on every problem that it accepts, judged by src/certify alone.

import { describe, expect, test } from "vitest";
import { certify, LinearSVC, matrix } from "../src/index.ts";
import { degenerate } from "./problems/degenerate.ts";
import { denseRows, sparseSet } from "./problems/generate.ts";

const losses = ["hinge", "squared_hinge"] as const;
const biases = ["augmented", false] as const;

/** |a - b| relative to the larger. */
function relativeError(a: number, b: number): number {
  return a === b ? 0 : Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b));
}

describe("dual coordinate descent", () => {
  const set = sparseSet(5000, 2000, 20, 1); // 10^5 non-zeros
  const x = matrix(set.x, { featureCount: set.featureCount });
  for (const loss of losses) {
    for (const C of [0.01, 1, 100]) {
      test(`10^5 non-zeros, ${loss}, C ${C}: certified 1e-3 by default`, async () => {
        const model = await LinearSVC.fit(x, set.y, { loss, C });
        expect(model.report.status).toBe("converged");
        expect((await certify(model, x, set.y)).relativeGap).toBeLessThanOrEqual(1e-3);
      });

      test(`10^5 non-zeros, ${loss}, C ${C}: certified 1e-6 when asked`, async () => {
        const model = await LinearSVC.fit(x, set.y, { loss, C, tolerance: 1e-6 });
        const judged = await certify(model, x, set.y);
        expect(model.report.status).toBe("converged");
        expect(judged.relativeGap).toBeLessThanOrEqual(1e-6);
        expect(relativeError(judged.primal, model.report.certificate.primal)).toBeLessThan(1e-9);
        expect(relativeError(judged.dual, model.report.certificate.dual)).toBeLessThan(1e-9);
      });
    }
  }

  for (const problem of degenerate) {
    for (const loss of losses) {
      for (const bias of biases) {
        test(`${problem.name}, ${loss}, bias ${bias}: certified 1e-6, dual variables in their box`, async () => {
          const options = { loss, bias, C: problem.C ?? 1, tolerance: 1e-6, maxIterations: problem.maxIterations };
          const model = await LinearSVC.fit(problem.x, problem.y, options);
          expect(model.report.status).toBe("converged");
          expect((await certify(model, problem.x, problem.y)).relativeGap).toBeLessThanOrEqual(1e-6);
          const dual = Array.from(model.dual ?? []);
          expect(Math.min(...dual)).toBeGreaterThanOrEqual(0);
          if (loss === "hinge") expect(Math.max(...dual)).toBeLessThanOrEqual(options.C);
          expect(model.report.run?.supportCount).toBe(dual.filter((a) => a > 0).length);
        });
      }
    }
  }

  test("dense and sparse rows give the same optimum", async () => {
    const small = sparseSet(300, 40, 8, 5);
    for (const loss of losses) {
      const sparse = await LinearSVC.fit(small.x, small.y, { loss, tolerance: 1e-9 });
      const dense = await LinearSVC.fit(denseRows(small), small.y, { loss, tolerance: 1e-9 });
      expect(relativeError(sparse.report.certificate.primal, dense.report.certificate.primal)).toBeLessThanOrEqual(1e-9);
    }
  });
});
