// A kernel as the judge sees it: its formula, and K(x_i, x_i) from raw rows. Shares nothing with the solvers.

import { exp } from "../base/math.js";
import type { Matrix } from "../data/matrix.js";
import { rowSquare } from "./rows.js";

/** K(u, v) with its constants: u'v, (gamma u'v + coef0)^degree, exp(-gamma |u - v|^2), tanh(gamma u'v + coef0), or row u's number at place v. */
export interface JudgedKernel {
  readonly kind: "linear" | "polynomial" | "rbf" | "sigmoid" | "precomputed";
  readonly gamma: number;
  readonly coef0: number;
  readonly degree: number;
}

/** A function of the user's: only its values are known in a worker, here K(x_i, x_i) by row. */
export interface JudgedFunction {
  readonly kind: "custom";
  readonly diagonal: Float64Array;
}

/** K(x_i, x_i). */
export function ownValue(x: Matrix, kernel: JudgedKernel | JudgedFunction, i: number): number {
  if (kernel.kind === "custom") return kernel.diagonal[i] as number;
  return kernel.kind === "precomputed" ? valueAt(x, i, i) : kernelValue(kernel, rowSquare(x, i), 0);
}

/** K(u, v), of which u'v and |u - v|^2 are known. */
export function kernelValue({ kind, gamma, coef0, degree }: JudgedKernel, dot: number, distance: number): number {
  if (kind === "linear") return dot;
  if (kind === "rbf") return exp(-gamma * distance);
  const z = gamma * dot + coef0;
  if (kind === "sigmoid") return 1 - 2 / (exp(2 * z) + 1);
  let power = 1;
  for (let k = 0; k < degree; k++) power *= z;
  return power;
}

function valueAt(x: Matrix, i: number, j: number): number {
  let found = 0;
  x.forEachInRow(i, (feature, value) => {
    if (feature === j) found = value;
  });
  return found;
}
