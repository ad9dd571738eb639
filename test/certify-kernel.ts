// The judge of kernel problems with plain float64 sums in the place of the core's: what the threaded audit is compared with, and what tests of the solver ask.

import { exp } from "../src/base/math.ts";
import { type JudgedKernelPoint, type JudgedKernelProblem, judgeKernel, type KernelPoints, kernelPoints } from "../src/certify/kernel.ts";
import type { JudgedKernel } from "../src/certify/kernel-values.ts";
import type { Matrix } from "../src/data/matrix.ts";
import type { Certificate, KernelCertificate } from "../src/model/certificate.ts";

export function certifyKernel(x: Matrix, problem: JudgedKernelProblem, point: JudgedKernelPoint): KernelCertificate {
  const points = kernelPoints(problem, point);
  const scores: KernelPoints = { own: plainScores(x, problem, points.own), feasible: plainScores(x, problem, points.feasible) };
  return judgeKernel(x, problem, { ...points, bias: point.bias, width: point.width }, scores);
}

/** The same of a kernel that allows a gap. */
export function provenKernel(x: Matrix, problem: JudgedKernelProblem, point: JudgedKernelPoint): Certificate {
  const certificate = certifyKernel(x, problem, point);
  if (certificate.relativeGap === null) throw new Error(certificate.reason);
  return certificate;
}

/** f_i = sum_s v_s K(x_s, x_i) for the rows of the problem. */
export function plainScores(x: Matrix, { kernel, rowIds }: JudgedKernelProblem, v: Float64Array): Float64Array {
  const rows = Array.from({ length: x.rowCount }, (_, i) => plainRow(x, i));
  return Float64Array.from(rowIds, (i) =>
    v.reduce((sum, value, s) => (value === 0 ? sum : sum + value * plainValue(kernel as JudgedKernel, rows, rowIds[s] as number, i)), 0),
  );
}

function plainRow(x: Matrix, i: number): Float64Array {
  const row = new Float64Array(x.featureCount);
  x.forEachInRow(i, (j, value) => {
    row[j] = value;
  });
  return row;
}

/** K(x_s, x_i). */
export function plainValue({ kind, gamma, coef0, degree }: JudgedKernel, rows: readonly Float64Array[], s: number, i: number): number {
  const [u, v] = [rows[s] as Float64Array, rows[i] as Float64Array];
  if (kind === "precomputed") return v[s] as number;
  const sum = (of: (a: number, b: number) => number): number => u.reduce((total, a, j) => total + of(a, v[j] as number), 0);
  if (kind === "rbf") return exp(-gamma * sum((a, b) => (a - b) ** 2));
  const dot = sum((a, b) => a * b);
  if (kind === "linear") return dot;
  const z = gamma * dot + coef0;
  return kind === "sigmoid" ? 1 - 2 / (exp(2 * z) + 1) : z ** degree;
}
