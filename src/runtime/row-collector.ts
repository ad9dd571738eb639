// CSR rows arriving in parts, collected straight into the memory of the matrix that they will be. Arrays grow like any growing
// array: to a new place twice as large, while the old one becomes free for the others.

import { Matrix, type MatrixArrays, type MatrixShape } from "../data/matrix.js";
import { ROW_PADDING, rowKinds, rowsStruct, StructView } from "./layout.js";
import { ALIGNMENT, type Region, type RegionMemory } from "./memory.js";
import { arraysAt, type Placement } from "./placement.js";

/** Rows of a part: starts[0] is 0. */
export type RowPart = MatrixArrays;

export class RowCollector {
  readonly #home: RegionMemory | undefined;
  readonly #finished: (matrix: Matrix) => void;
  #values: Growing;
  #indices: Growing;
  #starts: Growing;
  #rowCount = 0;
  #valueCount = 0;

  /** `home` is an empty memory, or undefined where memory cannot be shared. */
  constructor(
    home: RegionMemory | undefined,
    expected: { readonly values: number; readonly rows: number },
    finished: (matrix: Matrix) => void,
  ) {
    this.#home = home;
    this.#finished = finished;
    this.#values = new Growing(home, expected.values);
    this.#indices = new Growing(home, expected.values);
    this.#starts = new Growing(home, expected.rows + 1);
    this.#starts.words()[0] = 0;
  }

  append({ values, indices, starts }: RowPart): void {
    const before = this.#valueCount;
    const rows = starts.length - 1;
    this.#values.reserve(before + values.length);
    this.#indices.reserve(before + values.length);
    this.#starts.reserve(this.#rowCount + rows + 1);
    this.#values.floats().set(values, before);
    this.#indices.words().set(indices, before);
    const target = this.#starts.words();
    for (let i = 1; i <= rows; i++) target[this.#rowCount + i] = before + (starts[i] as number);
    this.#rowCount += rows;
    this.#valueCount += values.length;
  }

  /** The matrix of all rows; the collector is done. */
  finish(featureCount: number): Matrix {
    const shape: MatrixShape = { kind: "csr", rowCount: this.#rowCount, featureCount, valueCount: this.#valueCount };
    const home = this.#home;
    if (home === undefined) {
      const arrays = {
        values: this.#values.floats().subarray(0, shape.valueCount),
        indices: this.#indices.words().subarray(0, shape.valueCount),
        starts: this.#starts.words().subarray(0, shape.rowCount + 1),
      };
      return new Matrix(shape, arrays);
    }
    const rows = home.take(ALIGNMENT).offset;
    const placement: Placement = { home, rows, values: this.#values.offset, indices: this.#indices.offset, starts: this.#starts.offset };
    const { values, indices, starts } = placement;
    new StructView(rowsStruct, home.memory.buffer, rows).assign({
      kind: rowKinds.csr,
      rowCount: shape.rowCount,
      featureCount,
      values,
      indices,
      starts,
    });
    const matrix = new Matrix(shape, arraysAt(home.memory.buffer, shape, placement), placement);
    this.#finished(matrix);
    return matrix;
  }
}

/** 32-bit numbers in a memory, or in plain arrays. */
class Growing {
  readonly #home: RegionMemory | undefined;
  #region: Region;
  #plain: ArrayBuffer | undefined;

  constructor(home: RegionMemory | undefined, count: number) {
    this.#home = home;
    this.#region = this.#take(count);
  }

  get offset(): number {
    return this.#region.offset;
  }

  /** Makes room for `count` numbers, keeping what is there. */
  reserve(count: number): void {
    if (4 * count + ROW_PADDING <= this.#region.byteLength) return;
    const old = this.#region;
    const kept = this.words();
    this.#region = this.#take(Math.max(count, old.byteLength / 2));
    this.words().set(kept);
    this.#home?.give(old);
  }

  words(): Uint32Array {
    return new Uint32Array(this.#buffer(), this.#region.offset, Math.floor((this.#region.byteLength - ROW_PADDING) / 4));
  }

  floats(): Float32Array {
    return new Float32Array(this.#buffer(), this.#region.offset, Math.floor((this.#region.byteLength - ROW_PADDING) / 4));
  }

  #buffer(): ArrayBufferLike {
    return this.#home?.memory.buffer ?? (this.#plain as ArrayBuffer);
  }

  #take(count: number): Region {
    const bytes = 4 * count + ROW_PADDING;
    if (this.#home !== undefined) return this.#home.take(bytes);
    this.#plain = new ArrayBuffer(Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);
    return { offset: 0, byteLength: this.#plain.byteLength };
  }
}
