// F in float64 where it counts for the gap, and only there: what is proven so is what the judge finds.

import { expect, test, vi } from "vitest";
import { Random } from "../src/base/random.ts";
import { matrix } from "../src/index.ts";
import { SAMPLE } from "../src/solve/gap-error.ts";
import { KernelRows } from "../src/solve/kernel-rows.ts";
import { type KernelAnswer, solveKernel } from "./kernel-here.ts";

const ROWS = 1500;

/** Two classes that overlap: most support vectors stand at C, and few between. */
function overlapping(): { x: number[][]; y: number[] } {
  const random = new Random(8);
  const x = Array.from({ length: ROWS }, () => [4 * random.unit(), 4 * random.unit(), 4 * random.unit()]);
  const y = x.map(([a = 0, b = 0]) => (Math.sin(2 * a) + Math.sin(2 * b) + 1.6 * (random.unit() - 0.5) > 0 ? 1 : -1));
  return { x, y };
}

const kernel = { kind: "rbf", gamma: 1, coef0: 0, degree: 3 } as const;

/** The answer, and at how many positions F was made in float64, call by call. */
async function solved(C: number, tolerance: number): Promise<KernelAnswer & { counts: Set<number> }> {
  const { x, y } = overlapping();
  const spied = vi.spyOn(KernelRows.prototype, "addExact");
  try {
    const answer = await solveKernel(matrix(x), y, { form: "c_svc", kernel, C, problem: { tolerance } });
    return { ...answer, counts: new Set(spied.mock.calls.map(([, , , , from, to]) => to - from)) };
  } finally {
    spied.mockRestore();
  }
}

for (const tolerance of [3e-5, 2e-5]) {
  test(`tolerance ${tolerance}: where few count, F is made anew there alone`, async () => {
    const { status, solution, certificate, counts } = await solved(10, tolerance);
    expect(status).toBe("converged");
    expect(counts.has(ROWS)).toBe(false);
    expect([...counts].some((count) => count !== SAMPLE && count < ROWS / 4)).toBe(true);
    expect(solution.relativeGap).toBeLessThanOrEqual(tolerance);
    expect(certificate.relativeGap).toBeLessThanOrEqual(solution.relativeGap);
    // What is left is what is not known of D: no more than a part of the gap.
    expect(solution.relativeGap - (certificate.relativeGap ?? 0)).toBeLessThanOrEqual(0.5 * tolerance);
  });
}

test("where that is not enough, all of F is, and the gap is the judge's", async () => {
  const { status, solution, certificate, counts } = await solved(10, 1.5e-5);
  expect(status).toBe("converged");
  expect(counts.has(ROWS)).toBe(true);
  expect(Math.abs(solution.relativeGap - (certificate.relativeGap ?? 0))).toBeLessThanOrEqual(1e-9);
});
