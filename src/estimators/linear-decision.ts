// Decision values of linear models: many rows on the pool, or one row at once. Both add the features' products one after the
// other in the order of the features (core/predict.ts), so they agree bit for bit.

import { HingeError } from "../base/errors.js";
import type { Matrix } from "../data/matrix.js";
import { packRows, type RecordRow, type RowsInput, type SparseRow } from "../data/pack.js";
import { allocatePlain } from "../runtime/placement.js";
import { beginCall, runTask, withMatrix } from "../runtime/runtime.js";
import { type LinearDecisionInput, linearDecisionBytes } from "../solve/linear-decision.js";

/** One row: features in order, `[indices, values]`, or `{index: value}`. */
export type RowInput = ArrayLike<number> | SparseRow | RecordRow;

/** Fewer stored values than this are not worth a second thread. */
const BLOCK_VALUES = 500_000;

export async function decideLinear(
  x: RowsInput | Matrix,
  w: Float64Array,
  bias: number,
  threads: number | undefined,
): Promise<Float64Array> {
  const call = beginCall({ threads });
  return withMatrix(x, async (packed) => {
    checkFeatures(packed.featureCount, w.length);
    const { rowCount, featureCount, valueCount } = packed;
    const blockCount = Math.max(1, Math.min(call.threads, rowCount, Math.ceil(valueCount / BLOCK_VALUES)));
    const blockRows = Math.ceil(rowCount / blockCount);
    const decision = new Float64Array(rowCount);
    const weights = w.subarray(0, featureCount);
    const block = async (from: number): Promise<void> => {
      const to = Math.min(from + blockRows, rowCount);
      const input: LinearDecisionInput = { from, to, w: weights, bias };
      const regionBytes = linearDecisionBytes(to - from, featureCount);
      const part = await runTask<{ decision: Float64Array }>({ task: "linear-decision", matrix: packed, regionBytes, input }, call);
      decision.set(part.decision, from);
    };
    const starts = Array.from({ length: Math.ceil(rowCount / blockRows) }, (_, k) => k * blockRows);
    await Promise.all(starts.map(block));
    return decision;
  });
}

export function decideOne(row: RowInput, w: Float64Array, bias: number): number {
  const one = packRows([row] as unknown as RowsInput, allocatePlain);
  checkFeatures(one.featureCount, w.length);
  let sum = 0;
  one.forEachInRow(0, (feature, value) => {
    sum += value * (w[feature] as number);
  });
  return sum + bias;
}

function checkFeatures(got: number, known: number): void {
  if (got > known) throw HingeError.input(`x has ${got} features, the model knows ${known}; remove what it was not trained on`);
}
