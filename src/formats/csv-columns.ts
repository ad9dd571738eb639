// Columns of CSV text. One pass tries every column as numbers; a second one, if it is needed, numbers the different strings of the
// columns that are none. A field that is a missing marker is a missing value; quotes around it make it text, but a column that
// holds nothing but numbers and markers stays numeric, because some programs put quotes around every field.
//
// The kind of a column:
//   missing       every field is a marker
//   numeric       every other field is a finite decimal number
//   categorical   at most 1,000 different strings, each coming twice on average
//   text          anything else

import { shown } from "../base/errors.js";
import type { ColumnKind } from "../base/options/csv.js";
import { type Column, MISSING_CODE } from "../data/table.js";
import type { Pace } from "../runtime/pace.js";
import { ByteDictionary } from "./byte-dictionary.js";
import { type CsvLayout, decodeField, SLICE_BYTES } from "./csv-layout.js";
import { CsvScanner } from "./csv-scanner.js";
import { parseDecimal } from "./decimal.js";
import { LineError } from "./position.js";

// A level becomes a feature of its own: a thousand is already many for one column, and a level that is seen only once, as
// names and sentences are, teaches nothing about the next row.
const MOST_LEVELS = 1000;
const LEAST_ROWS_A_LEVEL = 2;

// What is done in one go, a few milliseconds at most.
const SLICE_ROWS = 2 ** 16;
const SLICE_WORDS = 2 ** 12;

/** A column and, for messages, where its first missing value stands. */
export interface ReadColumn {
  readonly column: Column;
  readonly firstMissingAt: number | undefined;
}

/** All columns. Throws LineError where a field is not of the kind that its column is `asked` to be. */
export async function readColumns(
  layout: CsvLayout,
  markers: readonly string[],
  asked: readonly (ColumnKind | undefined)[],
  pace: Pace,
): Promise<ReadColumn[]> {
  const { names, rowCount } = layout;
  const isMarker = markerTest(layout.bytes, markers);
  const numbers = asked.map((kind, j) =>
    kind === undefined || kind === "numeric" ? new NumberDraft(names[j] as string, rowCount, kind === "numeric", isMarker) : undefined,
  );
  await fill(layout, numbers, pace);
  const words = numbers.map((draft) => (draft?.open ? undefined : new WordDraft(layout, isMarker)));
  if (words.some((draft) => draft !== undefined)) await fill(layout, words, pace);
  const columns: ReadColumn[] = [];
  for (const [j, name] of names.entries()) {
    columns.push(await (words[j] ?? (numbers[j] as NumberDraft)).finish(name, asked[j], pace));
    words[j] = undefined; // its dictionary is not needed any more
  }
  return columns;
}

interface Draft {
  /** false once the draft wants no more fields. */
  readonly open: boolean;
  add(scanner: CsvScanner, row: number): void;
}

/** Shows every field to the draft of its column. */
async function fill(layout: CsvLayout, drafts: readonly (Draft | undefined)[], pace: Pace): Promise<void> {
  const { bytes, delimiter, start, rowCount } = layout;
  const scanner = new CsvScanner(bytes, delimiter, start);
  for (let row = 0; row < rowCount; ) {
    row = fillSlice(scanner, drafts, row);
    await pace.rest();
  }
}

/** Goes on from row `first` for a slice, of one row at least if there is one; returns the number of the next row. */
function fillSlice(scanner: CsvScanner, drafts: readonly (Draft | undefined)[], first: number): number {
  const until = scanner.position + SLICE_BYTES;
  let row = first;
  for (; scanner.position < until && scanner.startRow(); row++) {
    let j = 0;
    do {
      scanner.nextField();
      const draft = drafts[j++];
      if (draft?.open) draft.add(scanner, row);
    } while (!scanner.endsRow);
  }
  return row;
}

type MarkerTest = (from: number, to: number) => boolean;

/** Whether bytes[from, to) is a marker. Most fields are told apart by their first byte. */
function markerTest(bytes: Uint8Array, markers: readonly string[]): MarkerTest {
  const encoded = markers.map((marker) => new TextEncoder().encode(marker));
  const emptyIsMarker = markers.includes("");
  const begins = new Uint8Array(256);
  for (const marker of encoded) if (marker.length > 0) begins[marker[0] as number] = 1;
  return (from, to) => {
    if (from === to) return emptyIsMarker;
    if (begins[bytes[from] as number] === 0) return false;
    return encoded.some((marker) => marker.length === to - from && marker.every((byte, k) => byte === bytes[from + k]));
  };
}

/** A column as numbers, as long as it can be one. */
class NumberDraft implements Draft {
  open = true;
  readonly #name: string;
  readonly #rowCount: number;
  readonly #mustBe: boolean;
  readonly #isMarker: MarkerTest;
  // Made for the first number: a column without any takes no memory.
  #values: Float64Array | undefined;
  #missingCount = 0;
  #firstMissingAt: number | undefined;

  constructor(name: string, rowCount: number, mustBe: boolean, isMarker: MarkerTest) {
    this.#name = name;
    this.#rowCount = rowCount;
    this.#mustBe = mustBe;
    this.#isMarker = isMarker;
  }

  add({ bytes, from, to }: CsvScanner, row: number): void {
    if (this.#isMarker(from, to)) {
      this.#missingCount++;
      this.#firstMissingAt ??= from;
      if (this.#values !== undefined) this.#values[row] = Number.NaN;
      return;
    }
    const value = parseDecimal(bytes, from, to);
    if (Number.isFinite(value)) {
      // All rows before the first number are missing; those behind it are written one by one.
      this.#values ??= new Float64Array(this.#rowCount).fill(Number.NaN, 0, row);
      this.#values[row] = value;
    } else {
      if (this.#mustBe) throw new LineError(from, notANumber(this.#name, decodeField(bytes, from, to)));
      this.open = false;
      this.#values = undefined;
    }
  }

  async finish(name: string, asked: ColumnKind | undefined): Promise<ReadColumn> {
    const missingCount = this.#missingCount;
    const firstMissingAt = this.#firstMissingAt;
    if (this.#values === undefined && asked === undefined) return { column: { name, kind: "missing", missingCount }, firstMissingAt };
    const values = this.#values ?? new Float64Array(this.#rowCount).fill(Number.NaN);
    return { column: { name, kind: "numeric", values, missingCount }, firstMissingAt };
  }
}

function notANumber(name: string, text: string): string {
  const got = text === "" ? "nothing" : shown(text);
  return `column ${shown(name)} must hold finite decimal numbers, got ${got}; correct it, name it in missing, or say another kind`;
}

/** A column as strings, numbered as they are met. */
class WordDraft implements Draft {
  readonly open = true;
  readonly #bytes: Uint8Array;
  readonly #isMarker: MarkerTest;
  readonly #dictionary: ByteDictionary;
  readonly #codes: Uint32Array;
  #missingCount = 0;
  #firstMissingAt: number | undefined;

  constructor({ bytes, rowCount }: CsvLayout, isMarker: MarkerTest) {
    this.#bytes = bytes;
    this.#isMarker = isMarker;
    this.#dictionary = new ByteDictionary(bytes);
    this.#codes = new Uint32Array(rowCount);
  }

  add({ from, to, quoted }: CsvScanner, row: number): void {
    if (!quoted && this.#isMarker(from, to)) {
      this.#missingCount++;
      this.#firstMissingAt ??= from;
      this.#codes[row] = MISSING_CODE;
    } else {
      this.#codes[row] = this.#dictionary.codeOf(from, to);
    }
  }

  async finish(name: string, asked: ColumnKind | undefined, pace: Pace): Promise<ReadColumn> {
    const kind = asked ?? this.#likelyKind();
    const missingCount = this.#missingCount;
    const firstMissingAt = this.#firstMissingAt;
    const words = new Array<string>(this.#dictionary.size);
    await pace.inSlices(words.length, SLICE_WORDS, (start, end) => {
      for (let code = start; code < end; code++) {
        const { from, to } = this.#dictionary.part(code);
        words[code] = decodeField(this.#bytes, from, to);
      }
    });
    if (kind === "categorical")
      return { column: { name, kind, ...(await inOrder(words, this.#codes, pace)), missingCount }, firstMissingAt };
    const values = new Array<string | undefined>(this.#codes.length);
    await pace.inSlices(values.length, SLICE_ROWS, (from, to) => {
      for (let i = from; i < to; i++) values[i] = words[this.#codes[i] as number]; // none has MISSING_CODE
    });
    return { column: { name, kind: "text", values, missingCount }, firstMissingAt };
  }

  #likelyKind(): ColumnKind {
    const { size } = this.#dictionary;
    const valueCount = this.#codes.length - this.#missingCount;
    return size <= MOST_LEVELS && LEAST_ROWS_A_LEVEL * size <= valueCount ? "categorical" : "text";
  }
}

/** Levels sorted by code unit, and the codes renumbered in place. */
async function inOrder(
  words: readonly string[],
  codes: Uint32Array,
  pace: Pace,
): Promise<{ levels: readonly string[]; codes: Uint32Array }> {
  const levels = [...words].sort((a, b) => (a < b ? -1 : 1));
  const rank = new Map(levels.map((level, code) => [level, code]));
  const renumbered = Uint32Array.from(words, (word) => rank.get(word) as number);
  await pace.inSlices(codes.length, SLICE_ROWS, (from, to) => {
    for (let i = from; i < to; i++) {
      const code = codes[i] as number;
      if (code !== MISSING_CODE) codes[i] = renumbered[code] as number;
    }
  });
  return { levels: Object.freeze(levels), codes };
}
