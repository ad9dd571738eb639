// Rows as the core multiplies them fastest: sparse ones that lack little are laid out dense, for the time of one call. Kernel values are the same bits either way.

import type { Matrix } from "../data/matrix.js";
import type { KernelConstants } from "../model/kernel-model.js";
import { Pace } from "../runtime/pace.js";
import { withMatrix } from "../runtime/runtime.js";

/** Part of the values from which on rows count as dense, where a product takes less than half as long as a sparse one; and the bytes that a second copy may take. */
const DENSE_PART = 0.5;
const MOST_BYTES = 2 ** 25;
/** Values copied at a time. */
const SLICE = 200_000;

export async function withQuickRows<T>(x: Matrix, { kind }: KernelConstants, use: (rows: Matrix) => Promise<T>): Promise<T> {
  const { rowCount, featureCount, valueCount } = x;
  const size = rowCount * featureCount;
  const isGiven = kind === "precomputed" || kind === "custom";
  if (isGiven || x.kind !== "csr" || valueCount < DENSE_PART * size || 4 * size > MOST_BYTES) return use(x);
  const data = new Float32Array(size);
  await new Pace().inSlices(rowCount, Math.ceil(SLICE / Math.max(1, featureCount)), (from, to) => {
    for (let i = from; i < to; i++) {
      x.forEachInRow(i, (j, value) => {
        data[i * featureCount + j] = value;
      });
    }
  });
  return withMatrix({ data, rowCount, featureCount }, use);
}
