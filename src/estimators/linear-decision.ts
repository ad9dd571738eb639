// Decision values of linear models: many rows on the pool, or one row at once. Both add the features' products one after the
// other in the order of the features (core/predict.ts), so they agree bit for bit.

import { transposed } from "../base/transposed.js";
import type { Matrix } from "../data/matrix.js";
import { packRows, type RecordRow, type RowsInput, type SparseRow } from "../data/pack.js";
import { allocatePlain } from "../runtime/placement.js";
import { overRowBlocks } from "../runtime/row-blocks.js";
import { beginCall, runTask, withMatrix } from "../runtime/runtime.js";
import { type LinearDecisionInput, linearDecisionBytes } from "../solve/linear-decision.js";
import { checkFeatures } from "./features.js";

/** One row: features in order, `[indices, values]`, or `{index: value}`. */
export type RowInput = ArrayLike<number> | SparseRow | RecordRow;

/** Weights and biases as predictions want them. */
export class LinearOutputs {
  readonly featureCount: number;
  readonly #biases: Float64Array;
  readonly #coefficients: Float64Array;
  #turned: Float64Array | undefined;
  readonly #mostFeatures: number;

  /** coefficients: f64[outputs][features]. Open: rows may have more features, whose weights are 0. */
  constructor(coefficients: Float64Array, biases: Float64Array, featureCount: number, isOpen = false) {
    this.featureCount = featureCount;
    this.#mostFeatures = isOpen ? Infinity : featureCount;
    this.#biases = biases;
    this.#coefficients = coefficients;
  }

  /** f64[features][outputs]: the weights of a feature side by side. Made when the first row asks: many models are only saved. */
  get #w(): Float64Array {
    const outputs = this.#biases.length;
    if (outputs === 1) return this.#coefficients;
    this.#turned ??= transposed(this.#coefficients, outputs, this.featureCount);
    return this.#turned;
  }

  /** f64[rows][outputs]. */
  async ofRows(x: RowsInput | Matrix, threads: number | undefined): Promise<Float64Array> {
    const call = beginCall({ threads });
    return withMatrix(x, async (packed) => {
      checkFeatures(packed.featureCount, this.#mostFeatures, "model");
      const { rowCount, featureCount } = packed;
      const biases = this.#biases;
      const outputs = biases.length;
      const decision = new Float64Array(rowCount * outputs);
      const w = weightsOf(this.#w, featureCount * outputs);
      await overRowBlocks(packed.rowCount, call.threads, packed.valueCount, async (from, to) => {
        const input: LinearDecisionInput = { from, to, w, biases };
        const regionBytes = linearDecisionBytes(to - from, featureCount, outputs);
        const work = { task: "linear-decision", matrix: packed, regionBytes, input, isBrief: true };
        const part = await runTask<{ decision: Float64Array }>(work, call);
        decision.set(part.decision, from * outputs);
      });
      return decision;
    });
  }

  /** f64[outputs]. */
  ofOne(row: RowInput): Float64Array {
    const one = packRows([row] as unknown as RowsInput, allocatePlain);
    checkFeatures(one.featureCount, this.#mostFeatures, "model");
    const outputs = this.#biases.length;
    const sums = new Float64Array(outputs);
    const w = this.#w;
    one.forEachInRow(0, (feature, value) => {
      if (feature >= this.featureCount) return;
      for (let m = 0; m < outputs; m++) sums[m] = (sums[m] as number) + value * (w[feature * outputs + m] as number);
    });
    return sums.map((sum, m) => sum + (this.#biases[m] as number));
  }
}

/** The first `count` weights; those that there are not are 0. */
function weightsOf(w: Float64Array, count: number): Float64Array {
  if (count <= w.length) return w.subarray(0, count);
  const wide = new Float64Array(count);
  wide.set(w);
  return wide;
}
