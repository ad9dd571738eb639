// Decision values of linear models: many rows on the pool, or one row at once. Both add the features' products one after the
// other in the order of the features (core/predict.ts), so they agree bit for bit.

import type { Matrix } from "../data/matrix.js";
import { packRows, type RecordRow, type RowsInput, type SparseRow } from "../data/pack.js";
import { allocatePlain } from "../runtime/placement.js";
import { overRowBlocks } from "../runtime/row-blocks.js";
import { beginCall, runTask, withMatrix } from "../runtime/runtime.js";
import { type LinearDecisionInput, linearDecisionBytes } from "../solve/linear-decision.js";
import { checkFeatures } from "./features.js";

/** One row: features in order, `[indices, values]`, or `{index: value}`. */
export type RowInput = ArrayLike<number> | SparseRow | RecordRow;

export async function decideLinear(
  x: RowsInput | Matrix,
  w: Float64Array,
  bias: number,
  threads: number | undefined,
): Promise<Float64Array> {
  const call = beginCall({ threads });
  return withMatrix(x, async (packed) => {
    checkFeatures(packed.featureCount, w.length, "model");
    const { rowCount, featureCount } = packed;
    const decision = new Float64Array(rowCount);
    const weights = w.subarray(0, featureCount);
    await overRowBlocks(packed, call.threads, async (from, to) => {
      const input: LinearDecisionInput = { from, to, w: weights, bias };
      const regionBytes = linearDecisionBytes(to - from, featureCount);
      const part = await runTask<{ decision: Float64Array }>(
        { task: "linear-decision", matrix: packed, regionBytes, input, isBrief: true },
        call,
      );
      decision.set(part.decision, from);
    });
    return decision;
  });
}

export function decideOne(row: RowInput, w: Float64Array, bias: number): number {
  const one = packRows([row] as unknown as RowsInput, allocatePlain);
  checkFeatures(one.featureCount, w.length, "model");
  let sum = 0;
  one.forEachInRow(0, (feature, value) => {
    sum += value * (w[feature] as number);
  });
  return sum + bias;
}
