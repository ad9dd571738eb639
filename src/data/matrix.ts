// Matrix: n rows of d float32 features, dense or CSR, as flat typed arrays. Immutable by contract.

/** Sizes of a matrix before its arrays exist. */
export interface MatrixShape {
  readonly kind: "dense" | "csr";
  readonly rowCount: number;
  readonly featureCount: number;
  /** Stored values: rowCount * featureCount if dense, the non-zeros if CSR. */
  readonly valueCount: number;
}

/** The arrays of a matrix; `indices` and `starts` are empty if dense. */
export interface MatrixArrays {
  /** f32[valueCount], row by row. */
  readonly values: Float32Array;
  /** u32[valueCount], features from 0, rising along a row. */
  readonly indices: Uint32Array;
  /** u32[rowCount + 1]: row i owns values starts[i] to starts[i + 1]. */
  readonly starts: Uint32Array;
}

/** Gives arrays of the right sizes, wherever they are to live. */
export type Allocate = (shape: MatrixShape) => { readonly arrays: MatrixArrays; readonly slot: unknown };

/** A packed data set. Make one with `matrix(rows)` or a reader, and use it for any number of fits and predictions. */
export class Matrix implements MatrixShape, MatrixArrays {
  readonly kind: "dense" | "csr";
  readonly rowCount: number;
  readonly featureCount: number;
  readonly valueCount: number;
  readonly values: Float32Array;
  readonly indices: Uint32Array;
  readonly starts: Uint32Array;
  /** Where the runtime keeps what belongs to this matrix. Nobody else looks inside. */
  readonly #slot: unknown;

  constructor(shape: MatrixShape, arrays: MatrixArrays, slot?: unknown) {
    this.kind = shape.kind;
    this.rowCount = shape.rowCount;
    this.featureCount = shape.featureCount;
    this.valueCount = shape.valueCount;
    this.values = arrays.values;
    this.indices = arrays.indices;
    this.starts = arrays.starts;
    this.#slot = slot;
    Object.freeze(this);
  }

  /** @internal */
  static slotOf(matrix: Matrix): unknown {
    return matrix.#slot;
  }

  /** Calls `visit(feature, value)` for the stored values of row i, in the order of the features. */
  forEachInRow(i: number, visit: (feature: number, value: number) => void): void {
    const dense = this.kind === "dense";
    const from = rowStart(this, i);
    const to = rowStart(this, i + 1);
    for (let k = from; k < to; k++) visit(dense ? k - from : (this.indices[k] as number), this.values[k] as number);
  }
}

/** Where the stored values of row i begin; those of the row before it end there. */
export function rowStart(x: Matrix, i: number): number {
  return x.kind === "dense" ? i * x.featureCount : (x.starts[i] as number);
}

/** For work that is given no rows. */
export const NO_ROWS = new Matrix(
  { kind: "csr", rowCount: 0, featureCount: 0, valueCount: 0 },
  { values: new Float32Array(0), indices: new Uint32Array(0), starts: new Uint32Array(1) },
);
