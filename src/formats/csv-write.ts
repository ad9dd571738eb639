// A Table to CSV text that `readCsv` reads back as it was, given the table's kinds: LF line ends, quotes only where a field would be
// read as something else without them.

import { HingeError } from "../base/errors.js";
import { type CsvWriteOptions, csvWriteOptions, DEFAULT_MISSING } from "../base/options/csv.js";
import { type Column, checkTable, MISSING_CODE, type Table } from "../data/table.js";
import { shortestDouble } from "./number-text.js";
import { TextBuilder } from "./text-builder.js";

/**
 * Returns the bytes of a CSV file with the rows of `table`. Read them with `kinds: columnKinds(table)` to get the same table again.
 */
export function writeCsv(table: Table, options?: CsvWriteOptions): Uint8Array {
  const { delimiter, header } = csvWriteOptions.check(options);
  checkTable(table);
  const { columns, rowCount } = table;
  if (columns.length === 0) throw HingeError.input("the table has no columns; a file needs at least one");
  // Readers take the delimiter from the first line, so no other may stand there unquoted; in an only column, none anywhere.
  // There a missing value is written NA: a line of nothing, or of nothing but tabs, would pass for a blank one.
  const first = columns.map((column) => writerOf(column, ANY_DELIMITER, "NA"));
  const rest = columns.length === 1 ? first : columns.map((column) => writerOf(column, delimiter, ""));
  const text = new TextBuilder();
  if (header) text.add(`${columns.map(({ name }) => quotedIfNeeded(name, ANY_DELIMITER)).join(delimiter)}\n`);
  for (let i = 0; i < rowCount; i++) {
    const writers = i === 0 && !header ? first : rest;
    text.add(`${writers.map((write) => write(i)).join(delimiter)}\n`);
  }
  return text.finish();
}

const ANY_DELIMITER = ",\t;";

/** What stands in row i of a column. */
type FieldWriter = (i: number) => string;

function writerOf(column: Column, delimiters: string, missing: string): FieldWriter {
  switch (column.kind) {
    case "numeric":
      return (i) => {
        const value = column.values[i] as number;
        return Number.isNaN(value) ? missing : shortestDouble(value);
      };
    case "categorical": {
      const levels = column.levels.map((level) => quotedIfNeeded(level, delimiters));
      return (i) => (column.codes[i] === MISSING_CODE ? missing : (levels[column.codes[i] as number] as string));
    }
    case "text":
      return (i) => {
        const value = column.values[i];
        return value === undefined ? missing : quotedIfNeeded(value, delimiters);
      };
    case "missing":
      return () => missing;
  }
}

// Quotes, line ends, blanks at either end, and a byte order mark, which would be dropped at the beginning of a file.
const NEEDS_QUOTES = /["\r\n]|^[ \t\ufeff]|[ \t]$/;

function quotedIfNeeded(text: string, delimiters: string): string {
  const needed = DEFAULT_MISSING.includes(text) || NEEDS_QUOTES.test(text) || Array.from(delimiters).some((one) => text.includes(one));
  return needed ? `"${text.replaceAll('"', '""')}"` : text;
}
