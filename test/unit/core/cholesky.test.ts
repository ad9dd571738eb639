import { expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { coreUnderTest, shifts } from "../../core/instance.ts";
import { normal } from "../../problems/generate.ts";

/** A'A + I with the columns of A scaled, its rows padded to `stride`. */
function positiveDefinite(n: number, stride: number, scales: readonly number[]): number[] {
  const random = new Random(n);
  const A = Array.from({ length: n + 3 }, () =>
    Array.from({ length: n }, (_, j) => normal(random) * (scales[j % scales.length] as number)),
  );
  const M = new Array<number>(n * stride).fill(0);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) M[i * stride + j] = A.reduce((sum, row) => sum + (row[i] as number) * (row[j] as number), i === j ? 1 : 0);
  }
  return M;
}

for (const n of [1, 2, 3, 4, 5, 17, 40]) {
  for (const shift of shifts) {
    for (const scales of [[1], [1, 1e4, 1e-4]]) {
      test(`${n} unknowns, shifted by ${shift}, columns times ${scales}: L L' is M and the solution solves`, () => {
        const core = coreUnderTest();
        const stride = n + (n % 3);
        const M = positiveDefinite(n, stride, scales);
        const at = core.doubles(M, shift);
        for (let i = 0; i < n; i++) core.call.factorRow?.(at, stride, i, 1);
        const L = core.readDoubles(at, n * stride);
        const diagonal = (i: number): number => M[i * stride + i] as number;
        for (let i = 0; i < n; i++) {
          for (let j = 0; j <= i; j++) {
            let product = 0;
            for (let k = 0; k <= j; k++) product += (L[i * stride + k] as number) * (L[j * stride + k] as number);
            // Higham, Accuracy and Stability, theorem 10.3: (n + 1) eps sqrt(M_ii M_jj), and the test's own sum as much again.
            const bound = 2 * (n + 1) * Number.EPSILON * Math.sqrt(diagonal(i) * diagonal(j));
            expect(Math.abs(product - (M[i * stride + j] as number))).toBeLessThanOrEqual(bound);
          }
        }
        const truth = Array.from({ length: n }, (_, j) => 1 / (scales[j % scales.length] as number));
        const b = truth.map((_, i) => truth.reduce((sum, value, j) => sum + (M[i * stride + j] as number) * value, 0));
        const x = core.doubles(b, shift);
        core.call.solveFactored?.(x, at, stride, n);
        // Columns scaled to length 1 have condition numbers below 1e4 here, whatever the scales.
        const solved = core.readDoubles(x, n);
        for (let j = 0; j < n; j++)
          expect(Math.abs((solved[j] as number) / (truth[j] as number) - 1)).toBeLessThan(1e4 * n * n * Number.EPSILON);
      });
    }
  }
}

test("a pivot that rounding has eaten is taken at its lower bound", () => {
  const core = coreUnderTest();
  // I + c c' with c so large that the 1 is lost: the second pivot is 0 in float64, but cannot be below 1.
  const at = core.doubles([1e20, 1e20, 1e20, 1e20]);
  core.call.factorRow?.(at, 2, 0, 1);
  core.call.factorRow?.(at, 2, 1, 1);
  expect(core.readDoubles(core.call.matrixRow?.(at, 2, 1) as number, 2)[1]).toBe(Math.sqrt(1e-15 * 1e20));
});
