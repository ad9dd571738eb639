// CSV text to a Table. The text is held as bytes and gone over two or three times: its form, its numbers, and its other columns if
// there are any. So memory stays within a few times the text, and no strings are made of numbers.

import { HingeError } from "../base/errors.js";
import { type ColumnKind, type CsvOptions, csvOptions } from "../base/options/csv.js";
import type { Checked } from "../base/options/table.js";
import type { Label } from "../data/labels.js";
import type { Table } from "../data/table.js";
import { Pace } from "../runtime/pace.js";
import { NEWLINE, TAB } from "./ascii.js";
import { markLength } from "./byte-order-mark.js";
import { type ReadColumn, readColumns } from "./csv-columns.js";
import { columnNumber, guessDelimiter, layoutOf } from "./csv-layout.js";
import { drawn, excerptOf, LineError } from "./position.js";
import { validUtf8End } from "./utf8.js";
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
export function readCsv(source: DataSource, options?: CsvOptions): Promise<TableAndLabels> {
  return readCsvAlike(source, options);
}

/** Kinds that come from elsewhere, as those of a model do: of columns that may not be there, and of the label column, whatever it is called. */
export type KindOf = (name: string, isLabel: boolean) => ColumnKind | undefined;

/** @internal The same, with kinds that `options` does not know. */
export async function readCsvAlike(source: DataSource, options?: CsvOptions, kindOf?: KindOf): Promise<TableAndLabels> {
  const { name = typeof source === "string" ? source : "data", ...checked } = csvOptions.check(options);
  const pace = new Pace();
  return withSource(source, name, async (opened) => parseCsv(await allBytes(opened, pace), { ...checked, name, kindOf }, pace));
}

type Settings = Checked<typeof csvOptions> & { readonly name: string; readonly kindOf: KindOf | undefined };

async function parseCsv(whole: Uint8Array, settings: Settings, pace: Pace): Promise<TableAndLabels> {
  const bytes = whole.subarray(markLength(whole));
  try {
    return await readTable(bytes, settings, pace);
  } catch (error) {
    if (error instanceof LineError) throw await located(bytes, error, settings.name, pace);
    if (error instanceof RangeError) {
      throw new HingeError("out-of-memory", `${settings.name}: the table does not fit into memory; read fewer rows`, undefined, {
        cause: error,
      });
    }
    throw error;
  }
}

/** Throws LineError for everything that is wrong at a place. */
async function readTable(bytes: Uint8Array, settings: Settings, pace: Pace): Promise<TableAndLabels> {
  const { delimiter, header, label, missing, kinds, kindOf, name } = settings;
  await checkText(bytes, pace);
  const named = /\.tsv(\.gz)?$/i.test(name) ? TAB : undefined;
  const chosen = delimiter === "auto" ? (named ?? (await guessDelimiter(bytes, pace))) : delimiter.charCodeAt(0);
  const layout = await layoutOf(bytes, chosen, header, pace);
  if (layout.rowCount === 0) throw new HingeError("bad-file", `there are no rows${header ? " below the header" : ""}`);
  const labelNumber = label === undefined ? undefined : columnNumber(layout, "label", label);
  for (const column of kinds.keys()) columnNumber(layout, "kinds", column);
  const asked = layout.names.map((own, j) => kindOf?.(own, j === labelNumber) ?? kinds.get(own));
  const read = await readColumns(layout, missing, asked, pace);
  const features = read.filter((_, j) => j !== labelNumber).map(({ column }) => Object.freeze(column));
  const table = Object.freeze({ rowCount: layout.rowCount, columns: Object.freeze(features) });
  return { table, y: labelNumber === undefined ? undefined : await labelsOf(read[labelNumber] as ReadColumn, pace) };
}

/** Bytes that are checked in one go: about a millisecond. */
const CHECKED_BYTES = 2 ** 20;

async function checkText(bytes: Uint8Array, pace: Pace): Promise<void> {
  for (let at = 0; at < bytes.length; await pace.rest()) {
    const until = Math.min(bytes.length, at + CHECKED_BYTES);
    at = validUtf8End(bytes, at, until);
    if (at < until) throw notUtf8(bytes, at);
  }
}

function notUtf8(bytes: Uint8Array, at: number): LineError {
  const utf16 = at === 0 && bytes.length > 1 && (bytes[0] as number) + (bytes[1] as number) === 0xff + 0xfe;
  const byte = `0x${(bytes[at] as number).toString(16).toUpperCase()}`;
  return new LineError(at, `${utf16 ? "this is UTF-16" : `byte ${byte} begins no character of UTF-8`}; save the file as UTF-8`);
}

async function labelsOf({ column, firstMissingAt }: ReadColumn, pace: Pace): Promise<CsvLabels> {
  if (firstMissingAt !== undefined && column.missingCount > 0) {
    throw new LineError(firstMissingAt, "the label of this row is missing; fill it in, or leave the row out");
  }
  if (column.kind === "numeric") return column.values;
  if (column.kind === "text") return column.values as readonly string[];
  if (column.kind === "missing") return [];
  const { codes, levels } = column;
  const labels = new Array<string>(codes.length);
  await pace.inSlices(codes.length, LABELS_AT_ONCE, (from, to) => {
    for (let i = from; i < to; i++) labels[i] = levels[codes[i] as number] as string;
  });
  return labels;
}

const LABELS_AT_ONCE = 2 ** 16;

/** The error with its line and column, which nobody counted until now. */
async function located(bytes: Uint8Array, { at, message }: LineError, file: string, pace: Pace): Promise<HingeError> {
  let line = 1;
  let start = 0;
  await pace.inSlices(at, CHECKED_BYTES, (from, to) => {
    for (let k = from; k < to; k++) {
      if (bytes[k] !== NEWLINE) continue;
      line++;
      start = k + 1;
    }
  });
  return new HingeError("bad-file", `${message}\n${drawn(excerptOf(bytes, at), line)}`, { file, line, column: at - start + 1 });
}
