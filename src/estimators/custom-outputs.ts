// Decision values of models whose kernel is the user's own function: on the calling thread, in slices for many rows, at once for one. The same sums in the same
// order, so both agree bit for bit.

import type { CustomKernel } from "../base/options/kernel.js";
import { denseRow } from "../data/dense-row.js";
import { Matrix } from "../data/matrix.js";
import { packRows, type RowsInput } from "../data/pack.js";
import { columnCount, type KernelModelData } from "../model/kernel-model.js";
import { Pace } from "../runtime/pace.js";
import { allocatePlain } from "../runtime/placement.js";
import { checkedValue } from "./custom-kernel.js";
import { checkFeatures } from "./features.js";
import type { RowInput } from "./linear-decision.js";
import type { VectorGroup } from "./vector-groups.js";

/** Rows for which a support vector is unpacked once. */
const TOGETHER = 8;

export class CustomOutputs {
  readonly #data: KernelModelData;
  readonly #kernel: CustomKernel;
  readonly #groups: readonly VectorGroup[];
  readonly #vectors: Matrix;
  readonly #columns: number;

  constructor(data: KernelModelData, kernel: CustomKernel, groups: readonly VectorGroup[]) {
    const { vectors, featureCount, scheme, classes } = data;
    this.#data = data;
    this.#kernel = kernel;
    this.#groups = groups;
    this.#vectors = new Matrix({ kind: "csr", rowCount: vectors.count, featureCount, valueCount: vectors.values.length }, vectors);
    this.#columns = columnCount(scheme, classes.length);
  }

  /** f64[rows][outputs]. */
  async ofRows(x: RowsInput | Matrix): Promise<Float64Array> {
    const packed = x instanceof Matrix ? x : packRows(x, allocatePlain);
    checkFeatures(packed.featureCount, this.#data.featureCount, "model");
    const outputs = this.#data.biases.length;
    const decision = new Float64Array(packed.rowCount * outputs);
    const pace = new Pace();
    for (let from = 0; from < packed.rowCount; from += TOGETHER) {
      const to = Math.min(from + TOGETHER, packed.rowCount);
      for (const _ of this.#add(packed, from, to, decision.subarray(from * outputs, to * outputs))) if (pace.isDue()) await pace.rest();
    }
    return decision;
  }

  /** f64[outputs]. */
  ofOne(row: RowInput): Float64Array {
    const one = packRows([row] as unknown as RowsInput, allocatePlain);
    checkFeatures(one.featureCount, this.#data.featureCount, "model");
    const decision = new Float64Array(this.#data.biases.length);
    for (const _ of this.#add(one, 0, 1, decision));
    return decision;
  }

  /** The decision values of rows [from, to) into `sums`, which is zero: f64[rows][outputs]. Yields after every call of the function. */
  *#add(x: Matrix, from: number, to: number, sums: Float64Array): Generator<undefined, void> {
    const { coefficients, biases, featureCount } = this.#data;
    const columns = this.#columns;
    const outputs = biases.length;
    const rows = Array.from({ length: to - from }, (_, k) => denseRow(x, from + k, new Float32Array(featureCount)));
    const vector = new Float32Array(featureCount);
    for (const { from: first, to: end, places } of this.#groups) {
      for (let i = first; i < end; i++) {
        denseRow(this.#vectors, i, vector);
        for (let k = 0; k < rows.length; k++) {
          const value = checkedValue(this.#kernel(vector, rows[k] as Float32Array), () => `support vector ${i} and row ${from + k} of x`);
          for (let m = 0; m < columns; m++) {
            const place = k * outputs + (places[m] as number);
            sums[place] = (sums[place] as number) + (coefficients[i * columns + m] as number) * value;
          }
          yield;
        }
      }
    }
    for (let place = 0; place < sums.length; place++) sums[place] = (sums[place] as number) + (biases[place % outputs] as number);
  }
}
