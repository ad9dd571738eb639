// The judge of kernel problems with plain float64 sums in the place of the core's: what the threaded audit is compared with, and what tests of the solver ask.

import { exp } from "../src/base/math.ts";
import { type JudgedKernelPoint, type JudgedKernelProblem, judgeKernel, type KernelPoints, kernelPoints } from "../src/certify/kernel.ts";
import type { JudgedKernel } from "../src/certify/kernel-values.ts";
import type { Matrix } from "../src/data/matrix.ts";
import type { Certificate, KernelCertificate } from "../src/model/certificate.ts";

export function certifyKernel(x: Matrix, problem: JudgedKernelProblem, point: JudgedKernelPoint): KernelCertificate {
  const points = kernelPoints(problem, point);
  const own = plainScores(x, problem, points.own);
  const scores: KernelPoints = { own, feasible: points.feasible === points.own ? own : plainScores(x, problem, points.feasible) };
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
  const rows = Array.from(rowIds, (i) => plainRow(x, i));
  const scores = new Float64Array(rows.length);
  for (let s = 0; s < rows.length; s++) {
    const value = v[s] as number;
    if (value === 0) continue;
    const vector = rows[s] as Float64Array;
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k] as Float64Array;
      const own = kernel.kind === "precomputed" ? (row[rowIds[s] as number] as number) : plainValue(kernel as JudgedKernel, vector, row);
      scores[k] = (scores[k] as number) + value * own;
    }
  }
  return scores;
}

function plainRow(x: Matrix, i: number): Float64Array {
  const row = new Float64Array(x.featureCount);
  x.forEachInRow(i, (j, value) => {
    row[j] = value;
  });
  return row;
}

function plainValue({ kind, gamma, coef0, degree }: JudgedKernel, u: Float64Array, v: Float64Array): number {
  let dot = 0;
  let square = 0;
  for (let j = 0; j < u.length; j++) {
    const [a, b] = [u[j] as number, v[j] as number];
    dot += a * b;
    square += (a - b) * (a - b);
  }
  if (kind === "rbf") return exp(-gamma * square);
  if (kind === "linear") return dot;
  const z = gamma * dot + coef0;
  return kind === "sigmoid" ? 1 - 2 / (exp(2 * z) + 1) : z ** degree;
}
