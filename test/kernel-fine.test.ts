// Kernel problems on which float32 rows, or pair steps alone, would go on for ever: steps in float64, those between their bounds together, bring them to an end.

import { expect, test } from "vitest";
import type { Matrix } from "../src/data/matrix.ts";
import { packRows } from "../src/data/pack.ts";
import { certify, NuSVC, SVC } from "../src/index.ts";
import { allocatePlain } from "../src/runtime/placement.ts";
import type { KernelFunction } from "../src/solve/kernel-problem.ts";
import { type KernelAnswer, type KernelSettings, kernelOf, solveKernel } from "./kernel-here.ts";
import { illConditioned } from "./problems/ill-conditioned.ts";
import { rejected } from "./thrown.ts";

const packed = (rows: readonly (readonly number[])[]): Matrix => packRows(rows as number[][], allocatePlain);

/**
 * What rounding in float64 leaves open of a gap, relative to its size: F is off by some roundings of sqrt(sum v^2) times the largest kernel value, at the solver's and
 * at the judge's, and every variable may want to go all its way; v'Kv has terms up to v_s v_t K and n roundings more.
 */
function rounding(x: Matrix, { solution, posed, size }: KernelAnswer, kernel: KernelFunction): number {
  let most = 1;
  if (kernel.kind !== "rbf") {
    for (let i = 0; i < x.rowCount; i++) {
      let square = 0;
      x.forEachInRow(i, (_, value) => {
        square += value * value;
      });
      most = Math.max(most, kernel.kind === "linear" ? square : (kernel.gamma * square + kernel.coef0) ** kernel.degree);
    }
  }
  const length = Math.sqrt(solution.point.reduce((sum, v) => sum + v * v, 0));
  const way = posed.sides.reduce((sum, { lo, hi }) => sum + hi.reduce((own, end, k) => own + end - (lo[k] as number), 0), 0);
  const terms = solution.point.reduce((sum, v, k) => sum + Math.abs(v * (posed.z[k] as number)), 0);
  const total = solution.point.reduce((sum, v) => sum + Math.abs(v), 0);
  return (Number.EPSILON * (4 * length * most * way + total * total * most + posed.rowIds.length * terms)) / (size || 1);
}

const line = packed([0.9, 1.6, 0, 0.4, -0.4, 0.4, -1.9].map((value) => [value]));
const steps = Array.from({ length: 32 }, (_, i) => [i / 3, (2 * i) / 3, -i / 3]);
const blocks = packed(Array.from({ length: 13 }, (_, i) => [100 * (i % 3), 50]));
const noise = (i: number): number => ((i * 7919) % 101) / 101;

const named: readonly [string, Matrix, readonly number[], KernelSettings, number][] = [
  ["seven rows of one feature, C 100", line, [-1, 1, -1, 1, -1, 1, 1], { form: "c_svc", kernel: kernelOf("linear"), C: 100 }, 1e-6],
  [
    "nu-SVR of rank 1, C 1e4",
    packed(steps),
    steps.map(([a], i) => (a as number) + noise(i)),
    { form: "nu_svr", kernel: kernelOf("linear"), C: 1e4, nu: 0.2 },
    1e-6,
  ],
  [
    "SVR, equal rows with other targets",
    blocks,
    Array.from({ length: 13 }, (_, i) => noise(i)),
    { form: "epsilon_svr", kernel: kernelOf("linear"), C: 100, epsilon: 0 },
    1e-6,
  ],
  [
    "the same without an offset",
    blocks,
    Array.from({ length: 13 }, (_, i) => noise(i)),
    { form: "epsilon_svr", kernel: kernelOf("linear"), C: 100, epsilon: 0, hasBias: false },
    1e-6,
  ],
];

for (const [title, x, y, settings, tolerance] of named) {
  test(`${title}: converges, and the judge agrees`, async () => {
    const answer = await solveKernel(x, y, { ...settings, problem: { tolerance, maxIterations: 100_000 } });
    expect(answer.status).toBe("converged");
    expect(answer.certificate.relativeGap).toBeLessThanOrEqual(tolerance + rounding(x, answer, settings.kernel));
  });
}

test("200 ill-conditioned problems: each ends by itself, at its tolerance or where float64 ends, and the judge finds no more than was told", async () => {
  const statuses = new Map<string, number>();
  for (let seed = 0; seed < 200; seed++) {
    const { title, x: rows, y, tolerance, settings } = illConditioned(seed);
    const x = packed(rows);
    const answer = await solveKernel(x, y, { ...settings, problem: { tolerance, maxIterations: 1_000_000 } });
    const { status, solution, certificate, size } = answer;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    expect(["converged", "precision-limit"], title).toContain(status);
    const judged = (certificate.primal - certificate.dual) / (size || 1);
    const open = rounding(x, answer, settings.kernel);
    expect(judged, title).toBeLessThanOrEqual(2 * solution.relativeGap + open);
    expect(judged, title).toBeGreaterThanOrEqual(-open);
    if (status === "converged") expect(judged, title).toBeLessThanOrEqual(tolerance + open);
  }
  // Most are no match for float64.
  expect(statuses.get("converged")).toBeGreaterThan(190);
});

test("stopped after some looks, the report claims no more than the judge finds", async () => {
  for (let seed = 0; seed < 60; seed++) {
    const { title, x: rows, y, settings } = illConditioned(seed);
    const x = packed(rows);
    for (const looks of [1, 3, 10]) {
      const tolerance = 1e-9;
      const answer = await solveKernel(x, y, { ...settings, looks, problem: { tolerance } });
      const { solution, certificate, size } = answer;
      const open = rounding(x, answer, settings.kernel);
      // The error of F is measured on some rows: what it says of the others may be half of what it is.
      const judged = (certificate.primal - certificate.dual) / (size || 1);
      expect(judged, title).toBeLessThanOrEqual(2 * solution.relativeGap + open);
      if (solution.relativeGap > tolerance)
        expect(solution.dual, title).toBeLessThanOrEqual(certificate.dual + (open + 1e-12) * (size || 1));
    }
  }
});

test("kernel values beyond float32 are no reason to fail, beyond float64 an error that says so", async () => {
  const x = Array.from({ length: 12 }, (_, i) => [1e4 * (i % 4), 1e4 * (i % 3)]);
  const y = x.map((_, i) => (i % 4 < 2 ? -1 : 1));
  const { certificate, status } = (await SVC.fit(x, y, { kernel: "poly", degree: 5, gamma: 1, coef0: 1, C: 1e-30 })).report;
  expect(Number.isFinite(certificate.primal) && Number.isFinite(certificate.dual)).toBe(true);
  expect(["converged", "precision-limit"]).toContain(status);
  const { message } = await rejected(SVC.fit(x, y, { kernel: "poly", degree: 40, gamma: 1 }));
  expect(message).toBe(
    "the poly kernel of row 1 with itself is too large for a number; scale the features first, for instance with MinMaxScaler",
  );
});

test("certify of a model at rest fits for a bound, and that can be stopped", async () => {
  const x = Array.from({ length: 400 }, (_, i) => [noise(i), noise(3 * i + 1)]);
  const y = x.map((_, i) => (noise(5 * i + 2) > 0.5 ? 1 : -1));
  const model = await NuSVC.fit(x, y, { nu: 0.5, gamma: 1, maxIterations: 5 });
  const bounds = [];
  for (const options of [{ signal: AbortSignal.abort() }, { timeLimitSeconds: 1e-6 }, {}]) {
    const { primal, dual, relativeGap } = await certify(model, x, y, options);
    expect(dual).toBeLessThanOrEqual(primal);
    expect(relativeGap).not.toBeNull();
    bounds.push(dual);
  }
  // Whoever waits gets the better bound.
  expect(bounds[2]).toBeGreaterThan(bounds[0] as number);
});
