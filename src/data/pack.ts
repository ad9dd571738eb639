// From what callers have (arrays, typed arrays, sparse rows) to the flat arrays of a Matrix. Two passes: the first checks
// and counts, so that the second writes straight into memory of the right size and cannot fail.

import { HingeError, shown } from "../base/errors.js";
import { MOST_FEATURES } from "../base/options/data.js";
import { type Allocate, Matrix, type MatrixShape } from "./matrix.js";

/** A row as a list of features and a list of their values: features from 0, rising. */
export type SparseRow = readonly [indices: ArrayLike<number>, values: ArrayLike<number>];

/** A row as an object from feature (from 0) to value. */
export type RecordRow = Readonly<Record<number, number>>;

/** Row after row in one typed array. */
export interface FlatRows {
  readonly data: Float32Array | Float64Array;
  readonly rowCount: number;
  readonly featureCount: number;
}

/** Everything that `fit` and `predict` take as x, besides a Matrix. */
export type RowsInput = readonly ArrayLike<number>[] | readonly SparseRow[] | readonly RecordRow[] | FlatRows;

/** Numbers of this size and beyond round to infinity in float32. */
export const FLOAT32_END = 2 ** 128 - 2 ** 103;

// Rows and row starts are counted in 32 bits.
const MOST_COUNTED = 2 ** 32 - 2;

/** A Matrix with the content of `input`, in arrays that `allocate` gives. `featureCount` is how wide sparse rows are. */
export function packRows(input: RowsInput, allocate: Allocate, featureCount?: number): Matrix {
  const source = readerOf(input, featureCount);
  const { shape } = source;
  if (featureCount !== undefined && shape.featureCount !== featureCount) {
    throw HingeError.input(`rows of x have ${shape.featureCount} values each, featureCount says ${featureCount}`);
  }
  if (Math.max(shape.valueCount, shape.rowCount) > MOST_COUNTED) {
    throw new HingeError(
      "out-of-memory",
      `a matrix holds at most ${MOST_COUNTED} rows and values, got ${shape.rowCount} and ${shape.valueCount}; split it`,
    );
  }
  const { arrays, slot } = allocate(shape);
  source.fill(arrays.values, arrays.indices, arrays.starts);
  return new Matrix(shape, arrays, slot);
}

interface Source {
  readonly shape: MatrixShape;
  fill(values: Float32Array, indices: Uint32Array, starts: Uint32Array): void;
}

function readerOf(input: RowsInput, featureCount: number | undefined): Source {
  if (typeof input !== "object" || input === null) throw HingeError.input(`x must be an array of rows or a Matrix, got ${shown(input)}`);
  if (!Array.isArray(input)) return flatRows(input as FlatRows);
  if (input.length === 0) throw HingeError.input("x has no rows; at least one is needed");
  const first: unknown = input[0];
  if (isSparseRow(first)) return sparseRows(input as readonly SparseRow[], featureCount);
  if (isArrayOfNumbers(first)) return denseRows(input as readonly ArrayLike<number>[]);
  if (isRecordRow(first)) return sparseRows(recordRows(input as readonly RecordRow[]), featureCount);
  throw HingeError.input(`row 0 of x must be an array of numbers, [indices, values] or {index: value}, got ${shown(first)}`);
}

function isArrayOfNumbers(row: unknown): row is ArrayLike<number> {
  return Array.isArray(row) || (ArrayBuffer.isView(row) && !(row instanceof DataView));
}

/** A Map, a Set, a Date, an ArrayBuffer, … has no keys of its own and would pass for a row of zeros. */
function isRecordRow(row: unknown): row is RecordRow {
  if (typeof row !== "object" || row === null || Array.isArray(row) || ArrayBuffer.isView(row)) return false;
  // Plain, also if it comes from another window: its prototype has none itself.
  const prototype: unknown = Object.getPrototypeOf(row);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isSparseRow(row: unknown): row is SparseRow {
  return Array.isArray(row) && row.length === 2 && isArrayOfNumbers(row[0]) && isArrayOfNumbers(row[1]);
}

function flatRows(input: FlatRows): Source {
  if (!isRecordRow(input)) {
    throw HingeError.input(
      `x must be an array of rows, a flat array with its shape { data, rowCount, featureCount } or a Matrix, got ${shown(input)}`,
    );
  }
  const { data, rowCount, featureCount } = input;
  if (!(data instanceof Float32Array || data instanceof Float64Array)) {
    throw HingeError.input(`x.data must be a Float32Array or Float64Array, got ${shown(data)}`);
  }
  if (!isCount(rowCount) || !isCount(featureCount) || rowCount * featureCount !== data.length) {
    throw HingeError.input(
      `x.data has ${data.length} values, which must be rowCount ${shown(rowCount)} times featureCount ${shown(featureCount)}`,
    );
  }
  if (rowCount === 0) throw HingeError.input("x has no rows; at least one is needed");
  for (let k = 0; k < data.length; k++) {
    if (!(Math.abs(data[k] as number) < FLOAT32_END)) checkValue(data[k], Math.floor(k / featureCount), k % featureCount);
  }
  return {
    shape: { kind: "dense", rowCount, featureCount, valueCount: data.length },
    fill: (values) => values.set(data),
  };
}

function isCount(x: unknown): x is number {
  return Number.isSafeInteger(x) && (x as number) >= 0;
}

/** Values in a row from which on an engine copies it faster than we do. */
const WIDE = 32;

function fillNarrow(values: Float32Array, rows: readonly ArrayLike<number>[], featureCount: number): void {
  let next = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as ArrayLike<number>;
    for (let j = 0; j < featureCount; j++) values[next++] = row[j] as number;
  }
}

function fillWide(values: Float32Array, rows: readonly ArrayLike<number>[], featureCount: number): void {
  for (let i = 0; i < rows.length; i++) values.set(rows[i] as ArrayLike<number>, i * featureCount);
}

function denseRows(rows: readonly ArrayLike<number>[]): Source {
  const featureCount = (rows[0] as ArrayLike<number>).length;
  for (let i = 0; i < rows.length; i++) {
    const row: unknown = rows[i];
    if (!isArrayOfNumbers(row)) throw HingeError.input(`row ${i} of x must be an array of numbers like row 0, got ${shown(row)}`);
    if (row.length !== featureCount) {
      throw HingeError.input(`rows of x must be equally long: row 0 has ${featureCount} values, row ${i} has ${row.length}`);
    }
    for (let j = 0; j < featureCount; j++) checkValue(row[j], i, j);
  }
  return {
    shape: { kind: "dense", rowCount: rows.length, featureCount, valueCount: rows.length * featureCount },
    fill: featureCount < WIDE ? (values) => fillNarrow(values, rows, featureCount) : (values) => fillWide(values, rows, featureCount),
  };
}

function recordRows(rows: readonly RecordRow[]): SparseRow[] {
  return Array.from(rows, (row: unknown, i) => {
    if (!isRecordRow(row)) throw HingeError.input(`row ${i} of x must be an {index: value} object like row 0, got ${shown(row)}`);
    // Integer keys come in rising order by the language's own rule; any other key goes on as text, to be refused as an index.
    const indices = Object.keys(row).map((key) => (String(Number(key)) === key ? Number(key) : key));
    return [indices as number[], Object.values(row)];
  });
}

function sparseRows(rows: readonly SparseRow[], givenCount: number | undefined): Source {
  let valueCount = 0;
  let featureCount = givenCount ?? 0;
  for (let i = 0; i < rows.length; i++) {
    const row: unknown = rows[i];
    if (!isSparseRow(row)) throw HingeError.input(`row ${i} of x must be [indices, values] like row 0, got ${shown(row)}`);
    const [indices, values] = row;
    if (indices.length !== values.length) {
      throw HingeError.input(`row ${i} of x has ${indices.length} indices for ${values.length} values`);
    }
    for (let k = 0; k < indices.length; k++) {
      const j = checkIndex(indices, k, i, givenCount);
      if (givenCount === undefined) featureCount = Math.max(featureCount, j + 1);
      if (checkValue(values[k], i, j) !== 0) valueCount++;
    }
  }
  return { shape: { kind: "csr", rowCount: rows.length, featureCount, valueCount }, fill: fillSparse(rows) };
}

function fillSparse(rows: readonly SparseRow[]): Source["fill"] {
  return (values, indices, starts) => {
    let next = 0;
    rows.forEach(([rowIndices, rowValues], i) => {
      starts[i] = next;
      for (let k = 0; k < rowIndices.length; k++) {
        const value = Math.fround(rowValues[k] as number);
        if (value === 0) continue;
        values[next] = value;
        indices[next++] = rowIndices[k] as number;
      }
    });
    starts[rows.length] = next;
  };
}

function checkIndex(indices: ArrayLike<number>, k: number, row: number, featureCount: number | undefined): number {
  const j = indices[k];
  if (!isCount(j)) throw HingeError.input(`row ${row} of x: feature index ${shown(j)} must be a whole number from 0`);
  const limit = featureCount ?? MOST_FEATURES;
  if (j >= limit) throw HingeError.input(`row ${row} of x: feature index ${j} must be below ${limit}`);
  if (k > 0 && j <= (indices[k - 1] as number)) {
    throw HingeError.input(`row ${row} of x: feature index ${j} follows ${indices[k - 1]}; indices must rise along a row`);
  }
  return j;
}

/** The value as float32; throws unless it is a finite number there. */
function checkValue(value: unknown, row: number, column: number): number {
  if (typeof value === "number") {
    const rounded = Math.fround(value);
    if (Number.isFinite(rounded)) return rounded;
  }
  const reason =
    typeof value === "number" && Number.isFinite(value) ? "too large for float32; scale the feature down" : "not a finite number";
  throw HingeError.input(`x at row ${row}, column ${column} is ${shown(value)}: ${reason}`);
}
