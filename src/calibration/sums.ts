// Numbers as probabilities.

import { exp } from "../base/math.js";

/** 1 / (1 + e^-z), without overflow. */
export function sigmoid(z: number): number {
  if (z >= 0) return 1 / (1 + exp(-z));
  const e = exp(z);
  return e / (1 + e);
}

/** e^z_k / sum_m e^z_m, in place, without overflow. */
export function softMaximum(values: Float64Array): void {
  const most = values.reduce((largest, value) => Math.max(largest, value), -Infinity);
  for (let m = 0; m < values.length; m++) values[m] = exp((values[m] as number) - most);
  toSumOne(values);
}

/** Numbers of at least 0 over their sum, in place. Where none is above 0 that a double could hold, all are alike. */
export function toSumOne(values: Float64Array): void {
  const sum = values.reduce((total, value) => total + value, 0);
  for (let m = 0; m < values.length; m++) values[m] = sum > 0 ? (values[m] as number) / sum : 1 / values.length;
}
