// CSR rows arriving in parts, collected in plain arrays: for small files, and for where memory cannot be shared.

import { Matrix, type MatrixArrays } from "../data/matrix.js";

export class RowCollector {
  #values = new Float32Array(0);
  #indices = new Uint32Array(0);
  #starts = new Uint32Array(1);
  #rowCount = 0;
  #valueCount = 0;

  /** Rows of a part; its starts[0] is 0. */
  append({ values, indices, starts }: MatrixArrays): void {
    const before = this.#valueCount;
    const rows = starts.length - 1;
    this.#values = withRoom(this.#values, before, before + values.length);
    this.#indices = withRoom(this.#indices, before, before + values.length);
    this.#starts = withRoom(this.#starts, this.#rowCount + 1, this.#rowCount + rows + 1);
    this.#values.set(values, before);
    this.#indices.set(indices, before);
    for (let i = 1; i <= rows; i++) this.#starts[this.#rowCount + i] = before + (starts[i] as number);
    this.#rowCount += rows;
    this.#valueCount += values.length;
  }

  /** The matrix of all rows; the collector is done. */
  finish(featureCount: number): Matrix {
    const shape = { kind: "csr", rowCount: this.#rowCount, featureCount, valueCount: this.#valueCount } as const;
    return new Matrix(shape, {
      values: this.#values.subarray(0, shape.valueCount),
      indices: this.#indices.subarray(0, shape.valueCount),
      starts: this.#starts.subarray(0, shape.rowCount + 1),
    });
  }
}

/** The array itself or one with room for `count` numbers and to spare, which begins with its first `kept`. */
function withRoom<Numbers extends Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
  array: Numbers,
  kept: number,
  count: number,
): Numbers {
  if (count <= array.length) return array;
  const longer = new (array.constructor as new (length: number) => Numbers)(Math.max(count, 2 * array.length));
  longer.set(array.subarray(0, kept));
  return longer;
}
