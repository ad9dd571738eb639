// The outer form of CSV text: its delimiter, its names, how many rows and columns it has. Finds everything that is wrong with the
// form, so that whoever reads the fields afterwards cannot meet it.

import { shown } from "../base/errors.js";
import { suggestion } from "../base/nearest.js";
import type { Pace } from "../runtime/pace.js";
import { NEWLINE, QUOTE, RETURN } from "./ascii.js";
import { CsvScanner } from "./csv-scanner.js";
import { LineError } from "./position.js";

/** Text whose form is known to be right. */
export interface CsvLayout {
  readonly bytes: Uint8Array;
  readonly delimiter: number;
  /** Where the first line that is not blank begins. */
  readonly first: number;
  /** Where the rows begin, behind the header. */
  readonly start: number;
  readonly names: readonly string[];
  readonly rowCount: number;
}

/** Column objects take some hundred bytes each, whatever they hold: this many are at most some tens of megabytes. */
const MOST_COLUMNS = 100_000;

/** Bytes of rows that are looked at in one go: some milliseconds at most. */
export const SLICE_BYTES = 2 ** 16;

/** Surveys the text. Throws LineError. */
export async function layoutOf(bytes: Uint8Array, delimiter: number, header: boolean, pace: Pace): Promise<CsvLayout> {
  const scanner = new CsvScanner(bytes, delimiter);
  const first = scanner.startRow() ? scanner.position : 0;
  const names = header ? readNames(scanner) : undefined;
  const start = scanner.position;
  const survey = new Survey(scanner, names?.length, delimiter);
  while (survey.advance()) await pace.rest();
  const { width, rowCount } = survey;
  return { bytes, delimiter, first, start, names: names ?? Array.from({ length: width }, (_, j) => nameOf(j)), rowCount };
}

const nameOf = (j: number): string => `column${j}`;

function readNames(scanner: CsvScanner): string[] | undefined {
  if (!scanner.startRow()) return undefined;
  const seen = new Set<string>();
  do {
    scanner.nextField();
    const name = decodeField(scanner.bytes, scanner.from, scanner.to) || nameOf(seen.size);
    if (seen.has(name)) {
      throw new LineError(scanner.from, `two columns are named ${shown(name)}; rename one, or say header: false if this row holds values`);
    }
    seen.add(name);
    checkWidth(scanner, seen.size);
  } while (!scanner.endsRow);
  return [...seen];
}

/** Counts the rows below the header; every one must have as many fields as the first. */
class Survey {
  width: number;
  rowCount = 0;
  readonly #scanner: CsvScanner;
  readonly #hasHeader: boolean;
  readonly #delimiter: number;

  constructor(scanner: CsvScanner, headerWidth: number | undefined, delimiter: number) {
    this.width = headerWidth ?? 0;
    this.#scanner = scanner;
    this.#hasHeader = headerWidth !== undefined;
    this.#delimiter = delimiter;
  }

  /** Goes on for a slice; false at the end of the text. */
  advance(): boolean {
    const scanner = this.#scanner;
    const { bytes } = scanner;
    const until = scanner.position + SLICE_BYTES;
    while (scanner.position < until) {
      if (!scanner.startRow()) return false;
      this.rowCount++;
      const behind = regularLineEnd(bytes, scanner.position, this.#delimiter, this.width);
      if (behind > 0) scanner.position = behind;
      else this.#countFields();
    }
    return true;
  }

  #countFields(): void {
    const scanner = this.#scanner;
    let count = 0;
    let extraAt = 0;
    do {
      scanner.nextField();
      if (count === this.width) extraAt = scanner.from;
      count++;
      if (this.width === 0) checkWidth(scanner, count);
    } while (!scanner.endsRow);
    if (this.width === 0) this.width = count;
    if (count === this.width) return;
    const at = count < this.width ? scanner.stop : extraAt;
    throw new LineError(at, raggedMessage(count, this.width, this.#hasHeader, String.fromCharCode(this.#delimiter)));
  }
}

/** Where the next line begins, if this one has no quotes and `width` fields; -1 if the scanner must look. Most lines are so. */
function regularLineEnd(bytes: Uint8Array, from: number, delimiter: number, width: number): number {
  const last = Math.max(delimiter, QUOTE); // one comparison tells digits and letters from all that matters here
  let count = 1;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte > last) continue;
    if (byte === delimiter) count++;
    else if (byte === NEWLINE) return count === width ? at + 1 : -1;
    else if (byte === QUOTE || (byte === RETURN && bytes[at + 1] !== NEWLINE)) return -1;
  }
  return -1;
}

function raggedMessage(count: number, width: number, hasHeader: boolean, delimiter: string): string {
  const fields = `${count} field${count === 1 ? "" : "s"}`;
  const model = hasHeader ? "the header" : "the first row";
  return `this row has ${fields}, ${model} has ${width}; put quotes around a field that holds ${JSON.stringify(delimiter)}, or name another delimiter`;
}

function checkWidth(scanner: CsvScanner, count: number): void {
  if (count <= MOST_COLUMNS) return;
  throw new LineError(scanner.from, `a table has at most ${MOST_COLUMNS} columns; write rows as wide as this in svmlight form`);
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of a field. Quotes are doubled in quoted fields and stand in no others. */
export function decodeField(bytes: Uint8Array, from: number, to: number): string {
  const field = bytes.subarray(from, to);
  return decoder.decode(hasQuote(bytes, from, to) ? withSingleQuotes(field) : field);
}

/** A loop of our own: most fields are so short that calling the engine's search takes longer. */
function hasQuote(bytes: Uint8Array, from: number, to: number): boolean {
  for (let k = from; k < to; k++) if (bytes[k] === QUOTE) return true;
  return false;
}

function withSingleQuotes(field: Uint8Array): Uint8Array {
  const single = new Uint8Array(field.length);
  let length = 0;
  for (let k = 0; k < field.length; k++) {
    single[length++] = field[k] as number;
    if (field[k] === QUOTE) k++;
  }
  return single.subarray(0, length);
}

const CANDIDATES = [",", "\t", ";"].map((candidate) => candidate.charCodeAt(0));

/** The delimiter that the first line that is not blank has most of outside quotes; a comma if it has none. */
export async function guessDelimiter(bytes: Uint8Array, pace: Pace): Promise<number> {
  const line = new FirstLine(bytes);
  while (line.advance()) await pace.rest();
  return CANDIDATES.reduce((best, candidate) => ((line.counts[candidate] as number) > (line.counts[best] as number) ? candidate : best));
}

/** Counts the bytes of the first line that is not blank and not in quotes: only those that may be delimiters. */
class FirstLine {
  readonly counts = new Uint32Array(256);
  readonly #bytes: Uint8Array;
  #at = 0;
  #inQuotes = false;
  #seen = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Goes on for a slice; false at the end of the line. */
  advance(): boolean {
    const until = Math.min(this.#bytes.length, this.#at + SLICE_BYTES);
    for (; this.#at < until; this.#at++) {
      const byte = this.#bytes[this.#at] as number;
      if (byte === QUOTE) this.#inQuotes = !this.#inQuotes;
      if (this.#inQuotes) continue;
      if (byte === NEWLINE) {
        if (this.#seen) return false;
        this.counts.fill(0);
      }
      this.counts[byte] = (this.counts[byte] as number) + 1;
      this.#seen ||= byte > 0x20;
    }
    return until < this.#bytes.length;
  }
}

/** The number of the column that an option names. Throws LineError at the first line if there is none. */
export function columnNumber(layout: CsvLayout, option: string, wanted: string | number): number {
  const { names, first } = layout;
  const j = typeof wanted === "string" ? names.indexOf(wanted) : wanted < 0 ? names.length + wanted : wanted;
  if (j >= 0 && j < names.length) return j;
  const near = typeof wanted === "string" ? suggestion(wanted, names) : "";
  throw new LineError(
    first,
    `${option} names column ${shown(wanted)}, but there is none among ${names.length}${near || `: ${listed(names)}`}`,
  );
}

const MOST_LISTED = 10;

function listed(names: readonly string[]): string {
  return `${names.slice(0, MOST_LISTED).map(shown).join(", ")}${names.length > MOST_LISTED ? ", …" : ""}`;
}
