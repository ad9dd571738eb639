// The numbers of a table as rows for fit and predict.

import { HingeError, shown } from "../base/errors.js";
import { suggestion } from "../base/nearest.js";
import { type NumericMatrixOptions, numericMatrixOptions } from "../base/options/csv.js";
import { Matrix, type MatrixShape } from "../data/matrix.js";
import { checkColumn, checkColumns, type NumericColumn, type Table } from "../data/table.js";
import { heldMatrix } from "../runtime/runtime.js";

/**
 * Returns the numeric columns of `table` as a dense Matrix, one feature a column in the order of `columns`, or of the table if
 * not given. Throws `HingeError` if a value is missing or too large for float32.
 */
export function numericMatrix(table: Table, options?: NumericMatrixOptions): Matrix {
  const { columns } = numericMatrixOptions.check(options);
  checkColumns(table);
  const chosen = columns === undefined ? allNumeric(table) : columns.map((name) => numericColumn(table, name));
  if (chosen.length === 0) throw HingeError.input("the table has no numeric columns; encode others first, or say their kinds to readCsv");
  if (table.rowCount === 0) throw HingeError.input("the table has no rows; at least one is needed");
  const { rowCount } = table;
  for (const column of chosen) {
    checkColumn(column, rowCount);
    checkValues(column);
  }
  const featureCount = chosen.length;
  const shape: MatrixShape = { kind: "dense", rowCount, featureCount, valueCount: rowCount * featureCount };
  return heldMatrix((allocate) => {
    const { arrays, slot } = allocate(shape);
    chosen.forEach(({ values }, j) => {
      for (let i = 0; i < rowCount; i++) arrays.values[i * featureCount + j] = values[i] as number;
    });
    return new Matrix(shape, arrays, slot);
  });
}

function allNumeric({ columns }: Table): NumericColumn[] {
  return columns.filter((column) => column.kind === "numeric");
}

function numericColumn({ columns }: Table, name: string): NumericColumn {
  const found = columns.find((column) => column.name === name);
  if (found === undefined) {
    const near = suggestion(
      name,
      columns.map((column) => column.name),
    );
    throw new HingeError("bad-option", `columns names ${shown(name)}, but the table has no such column${near}`);
  }
  if (found.kind === "numeric") return found;
  throw new HingeError(
    "bad-option",
    `columns names ${shown(name)}, which is ${found.kind}; only numeric columns become features as they are`,
  );
}

function checkValues({ name, values }: NumericColumn): void {
  const row = values.findIndex((value) => !Number.isFinite(Math.fround(value)));
  if (row < 0) return;
  const value = values[row] as number;
  const reason = Number.isNaN(value)
    ? "is missing; fill it in, or leave out the row or the column"
    : `is ${value}: too large for float32; scale the column down`;
  throw HingeError.input(`column ${shown(name)} at row ${row} ${reason}`);
}
