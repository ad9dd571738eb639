// From labels and options to the problems of a kernel machine: which rows, which targets, at which costs.

import { HingeError } from "../base/errors.js";
import type { CheckedKernelOptions } from "../base/options/kernel.js";
import type { Matrix } from "../data/matrix.js";
import type { KernelConstants } from "../model/kernel-model.js";
import type { LibsvmType } from "../model/libsvm-file.js";
import { mostNu } from "../solve/kernel-forms.js";

/** One problem, before its kernel. */
export interface KernelTask {
  readonly form: LibsvmType;
  readonly rowIds: Uint32Array;
  readonly targets: Float64Array;
  /** C times the weight, or the weight alone for the forms without C. */
  readonly costs: Float64Array;
  readonly nu: number;
  readonly epsilon: number;
  /** False: C-SVC or epsilon-SVR without an intercept. */
  readonly hasBias?: boolean | undefined;
}

/** The kernel with its constants as numbers. `weights`: how much each row counts. */
export function resolveKernel(
  {
    kernel,
    gamma,
    coef0,
    degree,
    psd,
  }: {
    readonly kernel: CheckedKernelOptions["kernel"];
    readonly gamma: "scale" | "auto" | number;
    readonly coef0: number;
    readonly degree: number;
    readonly psd: boolean;
  },
  x: Matrix,
  weights: Float64Array,
): KernelConstants {
  if (typeof kernel === "function") return { kind: "custom", gamma: 0, coef0: 0, degree: 0, ...(psd ? { psd } : {}) };
  if (kernel === "precomputed" && x.featureCount !== x.rowCount) {
    throw HingeError.input(`a precomputed kernel needs one column a row: x has ${x.rowCount} rows and ${x.featureCount} columns`);
  }
  const isUsed = kernel !== "linear" && kernel !== "precomputed";
  return {
    kind: kernel,
    gamma: isUsed ? gammaOf(gamma, x, weights) : 0,
    coef0: isUsed && kernel !== "rbf" ? coef0 : 0,
    degree: kernel === "poly" ? degree : 0,
    ...(kernel === "precomputed" && psd ? { psd } : {}),
  };
}

/** scale: 1 / (d variance), the variance of all values, zeros among them; auto: 1 / d. 1 where that is not defined, as scikit-learn has it. */
function gammaOf(gamma: "scale" | "auto" | number, x: Matrix, weights: Float64Array): number {
  if (typeof gamma === "number") return gamma;
  if (x.featureCount === 0) return 1;
  if (gamma === "auto") return 1 / x.featureCount;
  let total = 0;
  let sum = 0;
  for (let i = 0; i < x.rowCount; i++) {
    const weight = weights[i] as number;
    total += weight * x.featureCount;
    x.forEachInRow(i, (_, value) => {
      sum += weight * value;
    });
  }
  const mean = sum / total;
  let squares = 0;
  for (let i = 0; i < x.rowCount; i++) {
    const weight = weights[i] as number;
    if (weight === 0) continue;
    let count = 0;
    x.forEachInRow(i, (_, value) => {
      squares += weight * (value - mean) * (value - mean);
      count++;
    });
    squares += weight * (x.featureCount - count) * mean * mean;
  }
  const variance = squares / total;
  return variance > 0 ? 1 / (x.featureCount * variance) : 1;
}

/** Throws unless nu leaves room for a solution. */
export function checkNu({ form, targets, costs, nu }: KernelTask, what: string): void {
  if (form !== "nu_svc") return;
  const most = mostNu(targets, costs);
  if (nu > most) {
    throw HingeError.input(`nu must be at most ${most} for ${what}, twice the weight of the smaller class over that of both, got ${nu}`);
  }
}
