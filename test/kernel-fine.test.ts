// Kernel problems on which float32 rows, or pair steps alone, would go on for ever: steps in float64, those between their bounds together, bring them to an end.

import { expect, test } from "vitest";
import type { Matrix } from "../src/data/matrix.ts";
import { packRows } from "../src/data/pack.ts";
import { certify, NuSVC, NuSVR, SVC, SVR } from "../src/index.ts";
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

test("many rows of few features: blocks at the beginning end, and more variables between their bounds than move at a time", async () => {
  const x = Array.from({ length: 2300 }, (_, i) => [10 * noise(i), 10 * noise(3 * i + 1), 10 * noise(7 * i + 2) + i / 2300]);
  const y = x.map(([a], i) => (a as number) / 10 + 0.1 * noise(11 * i + 5));
  const { report } = await SVR.fit(x, y, { kernel: "linear", C: 1, epsilon: 0, maxIterations: 1_000_000 });
  expect(report.status).toBe("converged");
});

test("a given kernel of rank 1 that rounding to float32 has made indefinite", async () => {
  const v = Array.from({ length: 12 }, (_, i) => Math.fround(noise(i) - 0.5));
  const x = v.map((a) => v.map((b) => a * b));
  const y = v.map((a, i) => 3 * a + 0.01 * noise(5 * i));
  for (const psd of [true, false]) {
    const { report } = await NuSVR.fit(x, y, { kernel: "precomputed", psd, C: 1e4, nu: 0.3, tolerance: 1e-6, maxIterations: 100_000 });
    expect(report.status).toBe("converged");
  }
});

test("200 ill-conditioned problems: each ends by itself, at its tolerance or where float64 ends, and the judge finds no more than was told", async () => {
  const statuses = new Map<string, number>();
  let judgedOpen = 0;
  for (let seed = 0; seed < 200; seed++) {
    const { title, x: rows, y, tolerance, settings } = illConditioned(seed);
    const x = packed(rows);
    const answer = await solveKernel(x, y, { ...settings, problem: { tolerance, maxIterations: 1_000_000 } });
    const { status, solution, certificate, size } = answer;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    expect(["converged", "precision-limit"], title).toContain(status);
    const judged = (certificate.primal - certificate.dual) / (size || 1);
    const open = rounding(x, answer, settings.kernel);
    if (open < tolerance / 10) judgedOpen++;
    expect(judged, title).toBeLessThanOrEqual(2 * solution.relativeGap + open);
    expect(judged, title).toBeGreaterThanOrEqual(-open);
    if (status === "converged") expect(judged, title).toBeLessThanOrEqual(tolerance + open);
  }
  // Most are no match for float64, and of most so little is lost in rounding that the judge could find out.
  expect(judgedOpen).toBeGreaterThan(150);
  expect(statuses.get("converged")).toBeGreaterThan(190);
});

test("stopped after some looks or steps, the report claims no more than the judge finds", async () => {
  for (let seed = 0; seed < 60; seed++) {
    const { title, x: rows, y, settings } = illConditioned(seed);
    const x = packed(rows);
    for (const [looks, maxIterations] of [
      [1, 1e6],
      [3, 1e6],
      [10, 1e6],
      [Infinity, 30],
      [Infinity, 700],
    ] as const) {
      const tolerance = 1e-9;
      const answer = await solveKernel(x, y, { ...settings, looks, problem: { tolerance, maxIterations } });
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

test("steps in float64 are not judged by what those in float32 said they had gained", async () => {
  // Features far from 0: F in float32 leads astray, and float64 takes over shortly before the next look at whether steps lead anywhere.
  const rows = Array.from({ length: 90 }, (_, i) => i)
    .filter((i) => (7 * i) % 3 !== 1)
    .map((i) => [3000 + 100 * Math.sin(12.9 * i)]);
  const heights = rows.map(([value = 0]) => Math.sin((3 * (value - 3000)) / 100));
  const { report } = await SVR.fit(rows, heights, { C: 1e4, gamma: 1e-5, epsilon: 0.1 });
  expect(report.status).toBe("converged");
  expect(report.certificate.relativeGap).toBeLessThan(1e-6);
});
