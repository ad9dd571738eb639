// Reads the support vectors in a model file of LIBSVM, one a line: nr_class - 1 coefficients, then "index:value index:value …" with rising
// indices; under a precomputed kernel "0:number of the training row" instead.

import type { LibsvmVectors } from "../model/libsvm-file.js";
import { withCore } from "../runtime/runtime.js";
import { COLON, SPACE, ZERO } from "./ascii.js";
import { isDigit, shortDecimal } from "./decimal.js";
import { COUNT } from "./model-header.js";
import { type ModelText, mostNumbers, type Span } from "./model-text.js";
import { VectorText, vectorTextBytes } from "./vector-text.js";

export interface VectorShape {
  /** As many as the header promises. */
  readonly count: number;
  /** Coefficients a support vector. */
  readonly columns: number;
  readonly isPrecomputed: boolean;
}

/** Reads all lines that are left; values in float32 where that is enough. */
export function readVectors(text: ModelText, shape: VectorShape, isForModel: boolean): LibsvmVectors {
  const { count, columns } = shape;
  if (count * columns > mostNumbers(text.bytesLeft)) {
    text.failAtEnd(`the header promises ${count} support vectors, ${text.bytesLeft} bytes cannot hold them`);
  }
  const isLong = text.bytesLeft >= LONG && vectorTextBytes(text.bytesLeft, count, columns) <= MOST_ROOM;
  const isForCore = isForModel && !shape.isPrecomputed && isLong;
  const read = isForCore
    ? withCore((core, home) => new VectorReader(text, shape).readWith(new VectorText(core, home, text, count, columns)))
    : undefined;
  return read ?? new VectorReader(text, shape).read();
}

/** Bytes of text from which on the core reads: below, it would be read by the time it is where the core can see it; and of the core's memory up to which it does. */
const LONG = 2 ** 17;
const MOST_ROOM = 2 ** 31;

// The least that an entry takes, its separator included: "1:1 ".
const ENTRY_BYTES = 4;
/** Entries to begin with. */
const FIRST_ENTRIES = 2 ** 16;

/** Digits of an index that is certainly not too large. */
const SHORT_INDEX = 8;

// Entries of the usual form are read in one pass; what is not, and what is wrong, is left to the careful way.
class VectorReader {
  readonly #text: ModelText;
  readonly #shape: VectorShape;
  #indices: Uint32Array;
  #values: Float64Array;
  #entryCount = 0;
  readonly #bytesAtFirst: number;
  readonly #cursor = { at: 0 };

  constructor(text: ModelText, shape: VectorShape) {
    this.#text = text;
    this.#bytesAtFirst = text.bytesLeft;
    this.#shape = shape;
    const capacity = Math.min(FIRST_ENTRIES, Math.floor((text.bytesLeft + 1) / ENTRY_BYTES));
    this.#indices = new Uint32Array(capacity);
    this.#values = new Float64Array(capacity);
  }

  read(): LibsvmVectors {
    const { count, columns } = this.#shape;
    const coefficients = new Float64Array(count * columns);
    const starts = new Uint32Array(count + 1);
    for (let row = 0; row < count; row++) {
      this.#readRow(row, coefficients);
      starts[row + 1] = this.#entryCount;
    }
    this.#checkEnd();
    const [indices, values] = [this.#indices.slice(0, this.#entryCount), this.#values.slice(0, this.#entryCount)];
    return Object.freeze({ count, coefficients, starts, indices, values });
  }

  /** The same by the core but for what is not regular. */
  readWith(lines: VectorText): LibsvmVectors {
    const { count } = this.#shape;
    for (lines.readOn(); lines.rows < count; lines.readOn()) {
      this.#text.goOnAt(lines.next);
      this.#entryCount = 0;
      this.#readRow(lines.rows, lines.coefficients);
      lines.add(this.#indices.subarray(0, this.#entryCount), this.#values.subarray(0, this.#entryCount), this.#text.rest.from);
    }
    this.#text.goOnAt(lines.next);
    this.#checkEnd();
    return Object.freeze({ count, ...lines.finish() });
  }

  #readRow(row: number, coefficients: Float64Array): void {
    const { count, isPrecomputed } = this.#shape;
    const line = this.#text.nextLine();
    if (line === undefined) this.#text.failAtEnd(`the header promises ${count} support vectors, there are ${row}`);
    const at = this.#readCoefficients(line, row, coefficients);
    if (isPrecomputed) this.#readSerial(at, line.to);
    else this.#readEntries(at, line.to);
  }

  #checkEnd(): void {
    const more = this.#text.nextLine();
    if (more !== undefined)
      this.#text.fail(more.from, `the header promises ${this.#shape.count} support vectors, here is one more; correct total_sv`);
  }

  /** Returns where the entries begin. */
  #readCoefficients({ from, to }: Span, row: number, coefficients: Float64Array): number {
    const text = this.#text;
    const { columns } = this.#shape;
    let at = from;
    for (let column = 0; column < columns; column++) {
      if (at === to) text.fail(from, `a support vector must begin with ${columns} coefficients by the header, got ${column}`);
      const end = text.tokenEnd(at, to);
      coefficients[row * columns + column] = text.number(at, end, "a coefficient");
      at = text.skipBlanks(end, to);
    }
    return at;
  }

  #readEntries(from: number, to: number): void {
    const text = this.#text;
    const { bytes } = text;
    const cursor = this.#cursor;
    let last = -1;
    for (let at = from; at < to; ) {
      const short = this.#shortIndex(at);
      if (short > last) {
        const value = shortDecimal(bytes, cursor);
        const isWhole = cursor.at === to || bytes[cursor.at] === SPACE;
        if (isWhole && !Number.isNaN(value)) {
          this.#add(short, value);
          last = short;
          at = text.skipBlanks(cursor.at, to);
          continue;
        }
      }
      const end = text.tokenEnd(at, to);
      const { index, colon } = this.#readIndex(at, end);
      if (index <= last) text.fail(at, `feature ${index} follows feature ${last}; indices must rise along a line: sort it`);
      this.#add(index, text.number(colon + 1, end, "a feature's value"));
      last = index;
      at = text.skipBlanks(end, to);
    }
  }

  /** An index of few digits with its colon, and the cursor behind it; -1 if there is anything else. */
  #shortIndex(from: number): number {
    const { bytes } = this.#text;
    let at = from;
    let index = 0;
    for (; at < from + SHORT_INDEX; at++) {
      const digit = (bytes[at] as number) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      index = index * 10 + digit;
    }
    if (at === from || bytes[at] !== COLON) return -1;
    this.#cursor.at = at + 1;
    return index;
  }

  #readIndex(from: number, to: number): { index: number; colon: number } {
    const text = this.#text;
    let colon = from;
    let index = 0;
    for (; colon < to && isDigit(text.bytes[colon]); colon++) index = index * 10 + ((text.bytes[colon] as number) - ZERO);
    if (colon === from || colon === to || text.bytes[colon] !== COLON) {
      text.fail(from, `a feature must be written index:value, got ${text.quoted(from, to)}`);
    }
    if (index > COUNT.most) text.fail(from, `feature ${text.quoted(from, colon)} is too large; the largest index is ${COUNT.most}`);
    return { index, colon };
  }

  #readSerial(from: number, to: number): void {
    const text = this.#text;
    const end = text.tokenEnd(from, to);
    if (text.bytes[from] !== ZERO || text.bytes[from + 1] !== COLON || end - from < 2 || text.skipBlanks(end, to) < to) {
      text.fail(from, `under a precomputed kernel a support vector must be written 0:row, got ${text.quoted(from, to)}`);
    }
    this.#add(0, text.whole(from + 2, end, "the number of a training row", { ...COUNT, least: 1 }));
  }

  #add(index: number, value: number): void {
    if (this.#entryCount === this.#indices.length) this.#grow();
    this.#indices[this.#entryCount] = index;
    this.#values[this.#entryCount++] = value;
  }

  /** Room for as many as the rest of the text holds if it is like what was read, or for twice as many; but not for more than any text can hold. */
  #grow(): void {
    const count = this.#entryCount;
    const { bytesLeft, bytes } = this.#text;
    const expected = Math.ceil(1.05 * count * (1 + bytesLeft / Math.max(1, this.#bytesAtFirst - bytesLeft)));
    const capacity = Math.min(Math.max(expected, 2 * count), count + Math.floor(bytes.length / ENTRY_BYTES)) + 1;
    const [indices, values] = [this.#indices, this.#values];
    this.#indices = new Uint32Array(capacity);
    this.#indices.set(indices);
    this.#values = new Float64Array(capacity);
    this.#values.set(values);
  }
}
