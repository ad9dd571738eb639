// Some rows of whatever holds rows, in a new order: a Matrix, a table, flat rows, or any list of one entry a row.

import { HingeError, shown } from "../base/errors.js";
import { Matrix, rowStart } from "./matrix.js";
import type { FlatRows } from "./pack.js";
import type { Column, Table } from "./table.js";

/** How many rows there are. */
export function countRows(x: unknown): number {
  if (x instanceof Matrix || isTable(x) || isFlat(x)) return x.rowCount;
  if (Array.isArray(x)) return x.length;
  throw HingeError.input(`x must be rows: an array, a Matrix or a table, got ${shown(x)}`);
}

/** The rows with these numbers, as what x is. */
export function takeRows<X>(x: X, rowIds: Uint32Array): X;
export function takeRows(x: unknown, rowIds: Uint32Array): unknown {
  if (x instanceof Matrix) return takeMatrix(x, rowIds);
  if (isTable(x)) return { rowCount: rowIds.length, columns: x.columns.map((column) => takeColumn(column, rowIds)) };
  if (isFlat(x)) return takeFlat(x, rowIds);
  return takeList(x as readonly unknown[], rowIds);
}

/** Of kernel values, one row and one column a row of the data: those between these rows and those of the data that a model is of. */
export function takeKernel(x: Matrix, rowIds: Uint32Array, modelIds: Uint32Array): Matrix {
  const places = new Map(Array.from(modelIds, (id, place) => [id, place]));
  const featureCount = modelIds.length;
  const values = new Float32Array(rowIds.length * featureCount);
  rowIds.forEach((i, k) => {
    x.forEachInRow(i, (j, value) => {
      const place = places.get(j);
      if (place !== undefined) values[k * featureCount + place] = value;
    });
  });
  const shape = { kind: "dense", rowCount: rowIds.length, featureCount, valueCount: values.length } as const;
  return new Matrix(shape, { values, indices: new Uint32Array(0), starts: new Uint32Array(0) });
}

/** The entries of a list, one a row; a typed array stays one of its kind. */
export function takeList<T extends ArrayLike<unknown>>(list: T, rowIds: Uint32Array): T;
export function takeList(list: ArrayLike<unknown>, rowIds: Uint32Array): unknown {
  if (Array.isArray(list)) return Array.from(rowIds, (i) => list[i]);
  const typed = list as Float64Array;
  const taken = new (typed.constructor as Float64ArrayConstructor)(rowIds.length);
  for (let k = 0; k < rowIds.length; k++) taken[k] = typed[rowIds[k] as number] as number;
  return taken;
}

function isTable(x: unknown): x is Table {
  return typeof x === "object" && x !== null && Array.isArray((x as Partial<Table>).columns) && !(x instanceof Matrix);
}

function isFlat(x: unknown): x is FlatRows {
  return typeof x === "object" && x !== null && ArrayBuffer.isView((x as Partial<FlatRows>).data);
}

function takeMatrix(x: Matrix, rowIds: Uint32Array): Matrix {
  const { kind, featureCount } = x;
  let valueCount = 0;
  for (const i of rowIds) valueCount += rowStart(x, i + 1) - rowStart(x, i);
  const values = new Float32Array(valueCount);
  const indices = new Uint32Array(kind === "csr" ? valueCount : 0);
  const starts = new Uint32Array(kind === "csr" ? rowIds.length + 1 : 0);
  let at = 0;
  rowIds.forEach((i, k) => {
    const [from, to] = [rowStart(x, i), rowStart(x, i + 1)];
    values.set(x.values.subarray(from, to), at);
    if (kind === "csr") {
      indices.set(x.indices.subarray(from, to), at);
      starts[k + 1] = at + to - from;
    }
    at += to - from;
  });
  return new Matrix({ kind, rowCount: rowIds.length, featureCount, valueCount }, { values, indices, starts });
}

function takeFlat({ data, featureCount }: FlatRows, rowIds: Uint32Array): FlatRows {
  const taken = new (data.constructor as Float64ArrayConstructor)(rowIds.length * featureCount);
  for (const [k, i] of rowIds.entries()) taken.set(data.subarray(i * featureCount, (i + 1) * featureCount), k * featureCount);
  return { data: taken, rowCount: rowIds.length, featureCount };
}

/** What is missing is counted anew; a column whose values are all elsewhere stays of its kind. */
function takeColumn(column: Column, rowIds: Uint32Array): Column {
  switch (column.kind) {
    case "numeric": {
      const values = takeList(column.values, rowIds);
      return { ...column, values, missingCount: values.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0) };
    }
    case "categorical": {
      const codes = takeList(column.codes, rowIds);
      return { ...column, codes, missingCount: codes.reduce((count, code) => count + (code >= column.levels.length ? 1 : 0), 0) };
    }
    case "text": {
      const values = takeList(column.values, rowIds);
      return { ...column, values, missingCount: values.filter((value) => value === undefined).length };
    }
    case "missing":
      return { ...column, missingCount: rowIds.length };
  }
}
