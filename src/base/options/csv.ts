// Options of what reads and writes tables.

import * as v from "valibot";
import { svmlightOptions } from "./data.js";
import { custom, type Input, oneOf, table, toggle } from "./table.js";

/** What a column can be told to be. */
export type ColumnKind = "numeric" | "categorical" | "text";

export const kindNames = ["numeric", "categorical", "text"] as const satisfies ColumnKind[];

/** Unquoted fields that mean: no value. */
export const DEFAULT_MISSING: readonly string[] = ["", "NA", "NaN", "?"];

const isListOfStrings = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === "string");

const isKinds = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((kind) => kindNames.includes(kind as ColumnKind));

export const csvOptions = table("readCsv", {
  delimiter: oneOf([",", "\t", ";", "auto"], {
    default: "auto",
    help: "what stands between fields; auto: a tab if the name ends in .tsv, else whichever the first line has most of",
  }),
  header: toggle({ default: true, help: "whether the first row holds names; otherwise columns are named column0, column1, …" }),
  label: custom<string | number, string | number | undefined>({
    schema: v.custom<string | number>((value) => typeof value === "string" || Number.isSafeInteger(value)),
    allowed: "a column's name, or its whole number from 0, negative from the end",
    default: undefined,
    help: "the column that becomes y and is left out of the table",
  }),
  missing: custom<readonly string[], readonly string[]>({
    schema: v.pipe(
      v.custom<readonly string[]>(isListOfStrings),
      v.transform((markers) => [...markers]),
    ),
    allowed: "an array of strings",
    default: DEFAULT_MISSING,
    help: "unquoted fields that mean a value is missing",
  }),
  kinds: custom<Readonly<Record<string, ColumnKind>>, ReadonlyMap<string, ColumnKind>>({
    schema: v.pipe(
      v.custom<Readonly<Record<string, ColumnKind>>>(isKinds),
      v.transform((kinds) => new Map(Object.entries(kinds))),
    ),
    allowed: 'an object from column name to "numeric", "categorical" or "text"',
    default: new Map(),
    help: "kinds of columns by name; the others are found from their values",
  }),
  name: svmlightOptions.fields.name,
});

/** What `readCsv` accepts besides its source. */
export type CsvOptions = Input<typeof csvOptions>;

export const csvWriteOptions = table("writeCsv", {
  delimiter: oneOf([",", "\t", ";"], { default: ",", help: "what stands between fields" }),
  header: toggle({ default: true, help: "whether the first row holds the names" }),
});

/** What `writeCsv` accepts besides the table. */
export type CsvWriteOptions = Input<typeof csvWriteOptions>;

export const numericMatrixOptions = table("numericMatrix", {
  columns: custom<readonly string[], readonly string[] | undefined>({
    schema: v.custom<readonly string[]>(isListOfStrings),
    allowed: "an array of column names",
    default: undefined,
    help: "which columns, in this order; all numeric ones if not given",
  }),
});

/** What `numericMatrix` accepts besides the table. */
export type NumericMatrixOptions = Input<typeof numericMatrixOptions>;

export const svmlightWriteOptions = table("writeSvmlight", {
  indexBase: svmlightOptions.fields.indexBase,
  queries: custom<ArrayLike<number>, ArrayLike<number> | undefined>({
    schema: v.custom<ArrayLike<number>>((value) => Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))),
    allowed: "an array of one number a row",
    default: undefined,
    help: 'numbers to write behind "qid:", whole and from 0',
  }),
});

/** What `writeSvmlight` accepts besides rows and labels. */
export type SvmlightWriteOptions = Input<typeof svmlightWriteOptions>;
