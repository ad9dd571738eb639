// CSV text to a Table. The text is held as bytes and gone over two or three times: its form, its numbers, and its other columns if
// there are any. So memory stays within a few times the text, and no strings are made of numbers.

import { HingeError } from "../base/errors.js";
import { type CsvOptions, csvOptions } from "../base/options/csv.js";
import type { Checked } from "../base/options/table.js";
import type { Label } from "../data/labels.js";
import { type Column, MISSING_CODE, type Table } from "../data/table.js";
import { markLength } from "./byte-order-mark.js";
import { type ReadColumn, readColumns } from "./csv-columns.js";
import { columnNumber, guessDelimiter, layoutOf } from "./csv-layout.js";
import { drawn, excerptOf, LineError } from "./position.js";
import { validUtf8Length } from "./utf8.js";
import { allBytes, type DataSource, withSource } from "./with-source.js";

/** A table, and the labels of its rows if `label` named a column. */
export interface TableAndLabels<Labels = CsvLabels | undefined> {
  /** Without the label column. */
  readonly table: Table;
  readonly y: Labels;
}

/** Labels as fits take them: numbers if the column is numeric, strings otherwise. */
export type CsvLabels = Float64Array | readonly Label[];

/**
 * Returns the table in a CSV file or stream, plain or gzip. Kinds of columns are found from all their values unless `kinds` says
 * them. Throws `HingeError` with file, line and column where the text is wrong.
 */
export function readCsv(source: DataSource, options: CsvOptions & { readonly label: string | number }): Promise<TableAndLabels<CsvLabels>>;
export function readCsv(source: DataSource, options?: CsvOptions): Promise<TableAndLabels>;
export async function readCsv(source: DataSource, options?: CsvOptions): Promise<TableAndLabels> {
  const { name = typeof source === "string" ? source : "data", ...checked } = csvOptions.check(options);
  return withSource(source, name, async (opened) => parseCsv(await allBytes(opened), { ...checked, name }));
}

type Settings = Checked<typeof csvOptions> & { readonly name: string };

function parseCsv(whole: Uint8Array, settings: Settings): TableAndLabels {
  const bytes = whole.subarray(markLength(whole));
  try {
    return readTable(bytes, settings);
  } catch (error) {
    if (error instanceof LineError) throw located(bytes, error, settings.name);
    if (error instanceof RangeError) {
      throw new HingeError("out-of-memory", `${settings.name}: the table does not fit into memory; read fewer rows`, undefined, {
        cause: error,
      });
    }
    throw error;
  }
}

/** Throws LineError for everything that is wrong at a place. */
function readTable(bytes: Uint8Array, { delimiter, header, label, missing, kinds, name }: Settings): TableAndLabels {
  checkText(bytes);
  const byName = /\.tsv(\.gz)?$/i.test(name) ? TAB : guessDelimiter(bytes);
  const layout = layoutOf(bytes, delimiter === "auto" ? byName : delimiter.charCodeAt(0), header);
  if (layout.rowCount === 0) throw new HingeError("bad-file", `there are no rows${header ? " below the header" : ""}`);
  const labelNumber = label === undefined ? undefined : columnNumber(layout, "label", label);
  for (const column of kinds.keys()) columnNumber(layout, "kinds", column);
  const read = readColumns(layout, missing, kinds);
  const features = read.filter((_, j) => j !== labelNumber).map(({ column }) => Object.freeze(column));
  const table = Object.freeze({ rowCount: layout.rowCount, columns: Object.freeze(features) });
  return { table, y: labelNumber === undefined ? undefined : labelsOf(read[labelNumber] as ReadColumn) };
}

const TAB = 0x09;

function checkText(bytes: Uint8Array): void {
  const at = validUtf8Length(bytes);
  if (at === bytes.length) return;
  const utf16 = at === 0 && bytes.length > 1 && (bytes[0] as number) + (bytes[1] as number) === 0xff + 0xfe;
  const byte = `0x${(bytes[at] as number).toString(16).toUpperCase()}`;
  throw new LineError(at, `${utf16 ? "this is UTF-16" : `byte ${byte} begins no character of UTF-8`}; save the file as UTF-8`);
}

function labelsOf({ column, firstMissingAt }: ReadColumn): CsvLabels {
  if (firstMissingAt !== undefined && column.missingCount > 0) {
    throw new LineError(firstMissingAt, "the label of this row is missing; fill it in, or leave the row out");
  }
  return column.kind === "numeric" ? column.values : stringsOf(column);
}

/** All values of a column of strings that has no missing ones. */
function stringsOf(column: Column): readonly string[] {
  if (column.kind === "text") return column.values as readonly string[];
  if (column.kind !== "categorical") return [];
  return Array.from(column.codes, (code) => (code === MISSING_CODE ? "" : (column.levels[code] as string)));
}

/** The error with its line and column, which nobody counted until now. */
function located(bytes: Uint8Array, { at, message }: LineError, file: string): HingeError {
  let line = 1;
  let start = 0;
  for (let next = bytes.indexOf(NEWLINE); next >= 0 && next < at; next = bytes.indexOf(NEWLINE, next + 1)) {
    line++;
    start = next + 1;
  }
  return new HingeError("bad-file", `${message}\n${drawn(excerptOf(bytes, at), line)}`, { file, line, column: at - start + 1 });
}

const NEWLINE = 0x0a;
