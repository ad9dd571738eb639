// svmlight text that may be broken, read line by line: what can be read becomes rows, and what cannot is counted, by kind, with the first places. The strict
// reader (formats/svmlight.ts) stops at the first error, and is what everybody else uses; a line that it accepts gives the same row here.

import { HingeError } from "../base/errors.js";
import { MOST_FEATURES } from "../base/options/data.js";
import type { Matrix } from "../data/matrix.js";
import { COLON, HASH, NEWLINE, RETURN, SPACE, TAB } from "../formats/ascii.js";
import { markLength } from "../formats/byte-order-mark.js";
import { parseDecimal } from "../formats/decimal.js";
import { RowCollector } from "../runtime/row-collector.js";
import type { Finding, FindingKind, Place } from "./doctor-finding.js";
import { Troubles } from "./doctor-troubles.js";

export interface TolerantRows {
  readonly x: Matrix;
  /** NaN where a row's label is no number. */
  readonly y: Float64Array;
  /** As asked for, or 0 if a feature 0 was found. */
  readonly indexBase: 0 | 1;
  readonly findings: readonly Finding[];
}

/** Reads blocks of whole lines. */
export async function readTolerantly(blocks: AsyncIterable<Uint8Array>, indexBase: 0 | 1): Promise<TolerantRows> {
  const reader = new TolerantReader(indexBase);
  const atDamage = (): void => reader.troubles.add("damaged-file", { line: reader.lineCount + 1 });
  for await (const block of untilDamage(blocks, atDamage)) reader.read(block);
  return reader.finish();
}

/** The blocks of a packed file up to where it is damaged: the rest cannot be had, what came before can. */
async function* untilDamage(blocks: AsyncIterable<Uint8Array>, atDamage: () => void): AsyncGenerator<Uint8Array, void> {
  try {
    yield* blocks;
  } catch (error) {
    if (!(error instanceof HingeError) || error.code !== "bad-file") throw error;
    atDamage();
  }
}

const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === TAB || byte === RETURN;

/** The row being read: raw indices, in the order of the line. */
interface OpenRow {
  readonly indices: number[];
  readonly values: number[];
  /** Whether an index followed the same one or a larger one; whether a larger one. */
  isRising: boolean;
  hasFallen: boolean;
}

class TolerantReader {
  readonly troubles = new Troubles();
  readonly #base: 0 | 1;
  readonly #rows = new RowCollector();
  #labels = new Float64Array(1024);
  #rowCount = 0;
  #queryCount = 0;
  #largest = -1;
  lineCount = 0;

  constructor(base: 0 | 1) {
    this.#base = base;
  }

  read(block: Uint8Array): void {
    const starts = [0];
    const indices: number[] = [];
    const values: number[] = [];
    for (let from = this.lineCount === 0 ? markLength(block) : 0; from < block.length; ) {
      const newline = block.indexOf(NEWLINE, from);
      const end = newline < 0 ? block.length : newline;
      this.lineCount++;
      const row = this.#line(block, from, end);
      if (row !== undefined) {
        for (let k = 0; k < row.indices.length; k++) {
          indices.push(row.indices[k] as number);
          values.push(row.values[k] as number);
        }
        starts.push(indices.length);
      }
      from = end + 1;
    }
    this.#rows.append({ values: Float32Array.from(values), indices: Uint32Array.from(indices), starts: Uint32Array.from(starts) });
  }

  /** undefined if the line is empty but for blanks and a comment: any other one is a row, whatever is wrong with it. */
  #line(bytes: Uint8Array, from: number, end: number): OpenRow | undefined {
    const row: OpenRow = { indices: [], values: [], isRising: true, hasFallen: false };
    let tokens = 0;
    for (let at = from; ; ) {
      while (at < end && isBlank(bytes[at])) at++;
      if (at >= end || bytes[at] === HASH) break;
      const start = at;
      while (at < end && !isBlank(bytes[at]) && bytes[at] !== HASH) at++;
      const token: Token = { bytes, from: start, to: at, place: { line: this.lineCount, column: start - from + 1 } };
      if (tokens === 0) this.#label(token);
      else if (tokens === 1 && isQuery(token)) this.#queryCount++;
      else this.#feature(token, row);
      tokens++;
    }
    if (tokens === 0) return undefined;
    return row.isRising ? row : this.#sorted(row);
  }

  #label(token: Token): void {
    const label = parseDecimal(token.bytes, token.from, token.to);
    if (!Number.isFinite(label)) this.troubles.add("bad-label", shownAt(token));
    if (this.#rowCount === this.#labels.length) {
      const longer = new Float64Array(2 * this.#rowCount);
      longer.set(this.#labels);
      this.#labels = longer;
    }
    this.#labels[this.#rowCount++] = Number.isFinite(label) ? label : Number.NaN;
  }

  #feature(token: Token, row: OpenRow): void {
    const { bytes, from, to } = token;
    let colon = from;
    while (colon < to && isDigit(bytes[colon])) colon++;
    const index = parseDecimal(bytes, from, colon);
    const value = parseDecimal(bytes, colon + 1, to);
    const trouble =
      colon === from || colon === to || bytes[colon] !== COLON
        ? "bad-feature"
        : index - this.#base >= MOST_FEATURES
          ? "index-too-large"
          : troubleOf(token, colon + 1, value);
    if (trouble !== undefined) {
      this.troubles.add(trouble, shownAt(token));
      return;
    }
    if (index < this.#base) this.troubles.add("index-zero", shownAt(token));
    const last = row.indices.at(-1) ?? -1;
    if (index === last) this.troubles.add("repeated-indices", shownAt(token));
    else if (index < last && !row.hasFallen) this.troubles.add("unsorted-indices", shownAt(token));
    row.hasFallen ||= index < last;
    if (index <= last) row.isRising = false;
    if (index > this.#largest) this.#largest = index;
    row.indices.push(index);
    row.values.push(value);
  }

  /** The row in the order of its indices; values of the same one added up. */
  #sorted({ indices, values }: OpenRow): OpenRow {
    const places = indices.map((_, k) => k).sort((a, b) => (indices[a] as number) - (indices[b] as number) || a - b);
    const sorted: OpenRow = { indices: [], values: [], isRising: true, hasFallen: false };
    for (const k of places) {
      const index = indices[k] as number;
      if (index !== sorted.indices.at(-1)) {
        sorted.indices.push(index);
        sorted.values.push(values[k] as number);
        continue;
      }
      // Neighbours in the line were counted when they were read.
      if (indices[k - 1] !== index) this.troubles.add("repeated-indices", { line: this.lineCount, text: `${index}:${values[k]}` });
      const at = sorted.values.length - 1;
      sorted.values[at] = (sorted.values[at] as number) + (values[k] as number);
    }
    return sorted;
  }

  finish(): TolerantRows {
    const indexBase = this.troubles.has("index-zero") ? 0 : this.#base;
    const x = this.#rows.finish(Math.max(0, this.#largest + 1 - indexBase));
    // Indices are as in the file so far, and nobody else has seen the matrix yet.
    if (indexBase > 0) for (let k = 0; k < x.indices.length; k++) x.indices[k] = (x.indices[k] as number) - indexBase;
    if (this.#queryCount > 0 && this.#queryCount < this.#rowCount)
      this.troubles.add("mixed-queries", {}, this.#rowCount - this.#queryCount);
    if (this.#rowCount === 0) this.troubles.add("no-rows", {});
    return { x, y: this.#labels.slice(0, this.#rowCount), indexBase, findings: this.troubles.findings() };
  }
}

interface Token {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly place: Place;
}

const LONGEST_TEXT = 24;

function shownAt({ bytes, from, to, place }: Token): Place {
  return { ...place, text: textOf(bytes, from, to) };
}

/** Printable ASCII as it is, anything else as a dot. */
function textOf(bytes: Uint8Array, from: number, to: number): string {
  const shown = Array.from(bytes.subarray(from, Math.min(to, from + LONGEST_TEXT)), (byte) =>
    byte > SPACE && byte < 0x7f ? String.fromCharCode(byte) : "·",
  );
  return shown.join("") + (to - from > LONGEST_TEXT ? "…" : "");
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

const NOT_FINITE = /^[+-]?(nan|inf|infinity)(\(.*\))?$/i;

/** What is wrong with the value that begins at `from`, if anything is. */
function troubleOf({ bytes, to }: Token, from: number, value: number): FindingKind | undefined {
  if (Number.isNaN(value)) return NOT_FINITE.test(textOf(bytes, from, to)) ? "not-finite" : "bad-value";
  return Number.isFinite(Math.fround(value)) ? undefined : "too-large";
}

function isQuery({ bytes, from, to }: Token): boolean {
  return /^qid:\d+$/.test(textOf(bytes, from, to));
}

/** The lines, from 1, on which rows stand, by the numbers of the rows, which rise. */
export async function linesOfRows(blocks: AsyncIterable<Uint8Array>, rows: readonly number[]): Promise<Map<number, number>> {
  const lines = new Map<number, number>();
  let [line, row, next] = [0, 0, 0];
  for await (const block of untilDamage(blocks, () => undefined)) {
    for (let from = line === 0 ? markLength(block) : 0; from < block.length; line++) {
      if (next === rows.length) return lines;
      const newline = block.indexOf(NEWLINE, from);
      const end = newline < 0 ? block.length : newline;
      let at = from;
      while (at < end && isBlank(block[at])) at++;
      if (at < end && block[at] !== HASH) {
        if (row === rows[next]) lines.set(rows[next++] as number, line + 1);
        row++;
      }
      from = end + 1;
    }
  }
  return lines;
}
