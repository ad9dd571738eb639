// A linear model of LIBSVM holds support vectors; judged are w and b.

import type { LibsvmData } from "../../src/model/libsvm-file.ts";

/** w and b with f(x) = w'x + b above 0 for the larger of the two labels. */
export function linearWeights({ kernel, classCount, labels, rho, vectors }: LibsvmData): { w: Float64Array; bias: number } {
  if (kernel.type !== "linear" || classCount !== 2 || labels === undefined) throw new Error("not a linear model of two classes");
  const [first = 0, second = 0] = labels;
  const turn = first > second ? 1 : -1; // LIBSVM's decision is above 0 for the label that it saw first
  const { count, coefficients, starts, indices, values } = vectors;
  const w = new Float64Array(indices.reduce((most, feature) => Math.max(most, feature), 0));
  for (let i = 0; i < count; i++) {
    for (let k = starts[i] as number; k < (starts[i + 1] as number); k++) {
      const j = (indices[k] as number) - 1;
      w[j] = (w[j] as number) + turn * (coefficients[i] as number) * (values[k] as number);
    }
  }
  return { w, bias: -turn * (rho[0] as number) };
}
