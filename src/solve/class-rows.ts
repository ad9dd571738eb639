// The rows of a problem against the weights of all classes, plainly: for Newton steps, where the matrix of the step costs more than these.

import type { Matrix } from "../data/matrix.js";

/** V below is f64[classCount * featureCount], class by class; the last feature is the bias's if there is one. */
export class ClassRows {
  /** Features of the matrix, and the constant one. */
  readonly featureCount: number;
  readonly #x: Matrix;
  readonly #rowIds: Uint32Array;
  readonly #classCount: number;
  readonly #biasScale: number;

  /** biasScale: value of the constant feature, 0 for none. */
  constructor(x: Matrix, rowIds: Uint32Array, classCount: number, biasScale: number) {
    this.featureCount = x.featureCount + (biasScale === 0 ? 0 : 1);
    this.#x = x;
    this.#rowIds = rowIds;
    this.#classCount = classCount;
    this.#biasScale = biasScale;
  }

  /** out_m = x_i'V_m. */
  times(i: number, V: Float64Array, out: Float64Array): void {
    const { values, indices, kind } = this.#x;
    const [from, to] = this.#range(i);
    const d = this.featureCount;
    for (let m = 0; m < this.#classCount; m++) {
      const base = m * d;
      let sum = this.#biasScale === 0 ? 0 : this.#biasScale * (V[base + d - 1] as number);
      for (let q = from; q < to; q++)
        sum += (values[q] as number) * (V[base + (kind === "dense" ? q - from : (indices[q] as number))] as number);
      out[m] = sum;
    }
  }

  /** V_m += s_m x_i. */
  add(i: number, s: Float64Array, V: Float64Array): void {
    const { values, indices, kind } = this.#x;
    const [from, to] = this.#range(i);
    const d = this.featureCount;
    for (let m = 0; m < this.#classCount; m++) {
      const base = m * d;
      const scale = s[m] as number;
      for (let q = from; q < to; q++) {
        const at = base + (kind === "dense" ? q - from : (indices[q] as number));
        V[at] = (V[at] as number) + scale * (values[q] as number);
      }
      if (this.#biasScale !== 0) V[base + d - 1] = (V[base + d - 1] as number) + scale * this.#biasScale;
    }
  }

  /** Features and values of the row's non-zeros, the constant one last; returns how many. */
  collect(i: number, feature: Int32Array, value: Float64Array): number {
    const { values, indices, kind } = this.#x;
    const [from, to] = this.#range(i);
    let count = 0;
    for (let q = from; q < to; q++) {
      if (values[q] === 0) continue;
      feature[count] = kind === "dense" ? q - from : (indices[q] as number);
      value[count++] = values[q] as number;
    }
    if (this.#biasScale !== 0) {
      feature[count] = this.featureCount - 1;
      value[count++] = this.#biasScale;
    }
    return count;
  }

  #range(i: number): [number, number] {
    const row = this.#rowIds[i] as number;
    const { kind, featureCount, starts } = this.#x;
    return kind === "dense" ? [row * featureCount, (row + 1) * featureCount] : [starts[row] as number, starts[row + 1] as number];
  }
}
