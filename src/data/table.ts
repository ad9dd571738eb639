// Table: named columns of numbers, categories or text, as plain data. What the CSV reader returns and pipelines take.
// Immutable by contract.

import { HingeError, shown } from "../base/errors.js";
import type { ColumnKind } from "../base/options/csv.js";
import { isWellFormed } from "./well-formed.js";

/** Finite numbers, NaN where one is missing. */
export interface NumericColumn {
  readonly name: string;
  readonly kind: "numeric";
  /** f64[rowCount]. */
  readonly values: Float64Array;
  readonly missingCount: number;
}

/** Few different strings, as positions in a list of them. */
export interface CategoricalColumn {
  readonly name: string;
  readonly kind: "categorical";
  /** Sorted by code unit, each one once. */
  readonly levels: readonly string[];
  /** u32[rowCount]: positions in `levels`, `MISSING_CODE` where the value is missing. */
  readonly codes: Uint32Array;
  readonly missingCount: number;
}

/** Any strings, undefined where one is missing. */
export interface TextColumn {
  readonly name: string;
  readonly kind: "text";
  readonly values: readonly (string | undefined)[];
  readonly missingCount: number;
}

/** A column without a single value: what it would hold is not known. */
export interface MissingColumn {
  readonly name: string;
  readonly kind: "missing";
  readonly missingCount: number;
}

export type Column = NumericColumn | CategoricalColumn | TextColumn | MissingColumn;

/** Rows of named columns. Plain data: it can be cloned and posted. */
export interface Table {
  readonly rowCount: number;
  readonly columns: readonly Column[];
}

/** The code of a missing category. */
export const MISSING_CODE = 0xffffffff;

/**
 * Returns the kind of every column that has values, by name: what `readCsv` takes as `kinds`, so that another file of the same
 * form is read alike whatever its own values suggest.
 */
export function columnKinds(table: Table): Record<string, ColumnKind> {
  checkColumns(table);
  return Object.fromEntries(table.columns.flatMap(({ name, kind }) => (kind === "missing" ? [] : [[name, kind]])));
}

/** Throws unless it is a list of columns, whatever they hold. */
export function checkColumns(table: Table): void {
  const { rowCount, columns } = (table ?? {}) as Partial<Table>;
  if (!Number.isSafeInteger(rowCount) || (rowCount as number) < 0 || !Array.isArray(columns)) {
    throw HingeError.input(`a table must have a rowCount and columns, got ${shown(table)}`);
  }
  const odd = columns.findIndex((column: unknown) => typeof column !== "object" || column === null);
  if (odd >= 0) throw HingeError.input(`column ${odd} of the table must be an object with name and kind, got ${shown(columns[odd])}`);
}

/** Throws unless the columns are what the types above say: for tables that a caller put together. */
export function checkTable(table: Table): void {
  checkColumns(table);
  const { rowCount, columns } = table;
  const seen = new Set<string>();
  for (const column of columns) {
    const { name } = column;
    if (typeof name !== "string" || name === "")
      throw HingeError.input(`the name of a column must be a string of a letter or more, got ${shown(name)}`);
    if (seen.has(name)) throw HingeError.input(`two columns are named ${shown(name)}; names must differ`);
    if (!isWellFormed(name)) throw HingeError.input(`the name ${shown(name)} is not well-formed Unicode`);
    seen.add(name);
    checkColumn(column, rowCount);
  }
}

/** Throws unless the column holds what its kind says. */
export function checkColumn(column: Column, rowCount: number): void {
  const fail = (must: string): never => {
    throw HingeError.input(`column ${shown(column.name)} must ${must}`);
  };
  switch (column.kind) {
    case "numeric":
      if (!(column.values instanceof Float64Array) || column.values.length !== rowCount) fail(`have a Float64Array of ${rowCount} values`);
      for (let i = 0; i < rowCount; i++)
        if (Math.abs(column.values[i] as number) === Infinity) fail(`hold finite numbers, row ${i} has ${column.values[i]}`);
      return;
    case "categorical":
      if (!(column.codes instanceof Uint32Array) || column.codes.length !== rowCount) fail(`have a Uint32Array of ${rowCount} codes`);
      if (!Array.isArray(column.levels)) fail(`have an array of levels, got ${shown(column.levels)}`);
      for (const [code, level] of column.levels.entries()) checkString(level, `level ${code}`, fail);
      for (let i = 0; i < rowCount; i++) {
        const code = column.codes[i] as number;
        if (code >= column.levels.length && code !== MISSING_CODE) fail(`have ${column.levels.length} levels, row ${i} has code ${code}`);
      }
      return;
    case "text":
      if (!Array.isArray(column.values) || column.values.length !== rowCount) fail(`have an array of ${rowCount} values`);
      for (const [i, value] of column.values.entries()) if (value !== undefined) checkString(value, `row ${i}`, fail);
      return;
    case "missing":
      return;
    default:
      fail(`be "numeric", "categorical", "text" or "missing", got ${shown((column as { kind: unknown }).kind)}`);
  }
}

function checkString(value: unknown, where: string, fail: (must: string) => never): void {
  if (typeof value !== "string") fail(`hold strings, ${where} has ${shown(value)}`);
  else if (!isWellFormed(value)) fail(`hold well-formed Unicode, ${where} has ${shown(value)}`);
}
