// f = K v in float64 where K is the user's own function: called on the calling thread, in slices, as plainly as can be.

import { HingeError, shown } from "../base/errors.js";
import type { CustomKernel } from "../base/options/kernel.js";
import { denseRow } from "../data/dense-row.js";
import type { Matrix } from "../data/matrix.js";
import { Pace } from "../runtime/pace.js";
import type { KernelPoints } from "./kernel.js";

/** f of both points for the rows of a problem, and K(x_i, x_i) by row. Of two rows the one with the smaller number comes first, as in the fit. */
export async function customScores(
  x: Matrix,
  kernel: CustomKernel,
  rowIds: ArrayLike<number>,
  { own, feasible }: KernelPoints,
): Promise<{ scores: KernelPoints; diagonal: Float64Array }> {
  const [u, v] = [new Float32Array(x.featureCount), new Float32Array(x.featureCount)];
  const scores = { own: new Float64Array(own.length), feasible: new Float64Array(own.length) };
  const diagonal = new Float64Array(x.rowCount);
  const pace = new Pace();
  const value = async (i: number, j: number): Promise<number> => {
    const got: unknown = kernel(denseRow(x, Math.min(i, j), u), denseRow(x, Math.max(i, j), v));
    if (typeof got !== "number" || !Number.isFinite(got))
      throw new HingeError("bad-option", `kernel must return a finite number, got ${shown(got)} for rows ${i} and ${j} of x`);
    if (pace.isDue()) await pace.rest();
    return got;
  };
  for (let k = 0; k < own.length; k++) {
    const i = rowIds[k] as number;
    diagonal[i] = await value(i, i);
    for (let s = 0; s < own.length; s++) {
      const parts = [own[s] as number, feasible[s] as number] as const;
      if (parts[0] === 0 && parts[1] === 0) continue;
      const got = await value(i, rowIds[s] as number);
      scores.own[k] = (scores.own[k] as number) + parts[0] * got;
      scores.feasible[k] = (scores.feasible[k] as number) + parts[1] * got;
    }
  }
  return { scores, diagonal };
}
