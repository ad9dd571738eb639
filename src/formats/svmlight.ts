// svmlight text: one row a line, "label index:value index:value …  # comment". Indices rise along a line and begin at 1.
// A plain reader: one pass to count, one to parse, all bytes in memory.

import { HingeError, shown } from "../base/errors.js";
import { MOST_FEATURES, type SvmlightOptions, svmlightOptions } from "../base/options/data.js";
import { Matrix, type MatrixShape } from "../data/matrix.js";
import { heldMatrix, readBytes } from "../runtime/runtime.js";
import { isDigit, parseDecimal } from "./decimal.js";

/** Rows and their labels. */
export interface LabelledRows {
  readonly x: Matrix;
  readonly y: Float64Array;
}

/** Returns the rows and labels of an svmlight file (by path) or of its bytes. */
export async function readSvmlight(source: string | Uint8Array, options?: SvmlightOptions): Promise<LabelledRows> {
  const { indexBase, featureCount, name: given } = svmlightOptions.check(options);
  if (typeof source !== "string" && !(source instanceof Uint8Array))
    throw HingeError.input(`readSvmlight takes a path or a Uint8Array, got ${shown(source)}`);
  const name = given ?? (typeof source === "string" ? source : "data");
  const bytes = typeof source === "string" ? await readBytes(source) : source;
  const parsed = new Parser(bytes, name, indexBase, featureCount ?? MOST_FEATURES).parse();
  if (parsed.rowCount === 0) throw new HingeError("bad-file", `${name} has no rows; a row is a line such as "1 3:0.5 7:1"`);
  const shape: MatrixShape = {
    kind: "csr",
    rowCount: parsed.rowCount,
    featureCount: featureCount ?? parsed.featureCount,
    valueCount: parsed.valueCount,
  };
  const x = heldMatrix((allocate) => {
    const { arrays, slot } = allocate(shape);
    arrays.values.set(parsed.values.subarray(0, shape.valueCount));
    arrays.indices.set(parsed.indices.subarray(0, shape.valueCount));
    arrays.starts.set(parsed.starts.subarray(0, shape.rowCount + 1));
    return new Matrix(shape, arrays, slot);
  });
  return { x, y: parsed.labels.slice(0, shape.rowCount) };
}

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const COLON = 0x3a;

class Parser {
  rowCount = 0;
  valueCount = 0;
  featureCount = 0;
  readonly values: Float32Array;
  readonly indices: Uint32Array;
  readonly starts: Uint32Array;
  readonly labels: Float64Array;
  readonly #bytes: Uint8Array;
  readonly #name: string;
  readonly #base: number;
  /** Most features there may be. */
  readonly #limit: number;

  constructor(bytes: Uint8Array, name: string, base: number, limit: number) {
    this.#bytes = bytes;
    this.#name = name;
    this.#base = base;
    this.#limit = limit;
    let lines = 1;
    let colons = 0;
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] === COLON) colons++;
      else if (bytes[at] === NEWLINE) lines++;
    }
    this.values = new Float32Array(colons);
    this.indices = new Uint32Array(colons);
    this.starts = new Uint32Array(lines + 1);
    this.labels = new Float64Array(lines);
  }

  parse(): this {
    const bytes = this.#bytes;
    for (let at = startOf(bytes); at < bytes.length; ) {
      const end = lineEnd(bytes, at);
      this.#line(at, end);
      at = end;
      while (at < bytes.length && bytes[at] !== NEWLINE) at++;
      at++;
    }
    return this;
  }

  /** One line, without its comment and line break. */
  #line(from: number, to: number): void {
    let at = this.#skipBlanks(from, to);
    if (at === to) return;
    const labelEnd = this.#tokenEnd(at, to);
    const label = parseDecimal(this.#bytes, at, labelEnd);
    if (!Number.isFinite(label)) this.#fail(at, `the label must be a decimal number, got ${this.#text(at, labelEnd)}`);
    this.labels[this.rowCount] = label;
    let last = -1;
    for (at = this.#skipBlanks(labelEnd, to); at < to; ) {
      const end = this.#tokenEnd(at, to);
      if (!this.#isQuery(at)) last = this.#pair(at, end, last);
      at = this.#skipBlanks(end, to);
    }
    this.rowCount++;
    this.starts[this.rowCount] = this.valueCount;
  }

  /** One "index:value"; returns the index. */
  #pair(from: number, to: number, last: number): number {
    const bytes = this.#bytes;
    let at = from;
    let index = 0;
    for (; at < to && isDigit(bytes[at]); at++) index = index * 10 + ((bytes[at] as number) - 0x30);
    if (at === from || bytes[at] !== COLON) this.#fail(from, `a feature must be written index:value, got ${this.#text(from, to)}`);
    if (index < this.#base)
      this.#fail(from, "feature 0 in a file whose features begin at 1; if they begin at 0, say indexBase: 0 (--index-base 0)");
    if (index - this.#base >= this.#limit) {
      this.#fail(
        from,
        `feature ${this.#text(from, at)} is too large; there are at most ${this.#limit} features, the first is ${this.#base}`,
      );
    }
    if (index === last) this.#fail(from, `feature ${index} comes twice; add the two values up, or remove one`);
    if (index < last) this.#fail(from, `feature ${index} follows feature ${last}; indices must rise along a line: sort it`);
    const value = parseDecimal(bytes, at + 1, to);
    if (!Number.isFinite(value)) this.#fail(at + 1, `the value must be a finite decimal number, got ${this.#text(at + 1, to)}`);
    const rounded = Math.fround(value);
    if (!Number.isFinite(rounded)) this.#fail(at + 1, `${this.#text(at + 1, to)} is too large for float32; scale the feature down`);
    this.values[this.valueCount] = rounded;
    this.indices[this.valueCount++] = index - this.#base;
    this.featureCount = Math.max(this.featureCount, index - this.#base + 1);
    return index;
  }

  /** A "qid:" of a ranking file, which no estimator here uses. */
  #isQuery(at: number): boolean {
    const bytes = this.#bytes;
    return bytes[at] === 0x71 && bytes[at + 1] === 0x69 && bytes[at + 2] === 0x64 && bytes[at + 3] === COLON;
  }

  #skipBlanks(from: number, to: number): number {
    let at = from;
    while (at < to && isBlank(this.#bytes[at])) at++;
    return at;
  }

  #tokenEnd(from: number, to: number): number {
    let at = from;
    while (at < to && !isBlank(this.#bytes[at])) at++;
    return at;
  }

  #text(from: number, to: number): string {
    if (from === to) return "nothing";
    return JSON.stringify(decode(this.#bytes, from, Math.min(to, from + LONGEST_TOKEN)) + (to > from + LONGEST_TOKEN ? "…" : ""));
  }

  #fail(at: number, message: string): never {
    const bytes = this.#bytes;
    let start = at;
    while (start > 0 && bytes[start - 1] !== NEWLINE) start--;
    let line = 1;
    for (let k = 0; k < start; k++) if (bytes[k] === NEWLINE) line++;
    const where = { file: this.#name, line, column: at - start + 1 };
    throw new HingeError("bad-file", `${message}\n${excerpt(bytes, start, at, line)}`, where);
  }
}

/** Behind the byte order mark that some editors put before UTF-8 text. */
function startOf(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB || byte === RETURN;
}

/** Where the line that begins at `from` ends for the parser: at its comment, its line break or the end of the bytes. */
function lineEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== NEWLINE && bytes[at] !== HASH) at++;
  return at;
}

const LONGEST_TOKEN = 40;
const SHOWN_BEFORE = 40;
const SHOWN_AFTER = 30;

/** The part of the line around `at`, with a caret under it. */
function excerpt(bytes: Uint8Array, lineStart: number, at: number, line: number): string {
  const from = Math.max(lineStart, at - SHOWN_BEFORE);
  let to = at;
  while (to < bytes.length && to < at + SHOWN_AFTER && bytes[to] !== NEWLINE && bytes[to] !== RETURN) to++;
  const gutter = `${String(line).padStart(5)} | `;
  const before = `${from > lineStart ? "…" : ""}${decode(bytes, from, at)}`;
  const after = to === bytes.length || bytes[to] === NEWLINE || bytes[to] === RETURN ? "" : "…";
  return `${gutter}${before}${decode(bytes, at, to)}${after}\n${" ".repeat(gutter.length + before.length)}^`;
}

/** Bytes as text of one character each; what is not printable ASCII shows as a dot. */
function decode(bytes: Uint8Array, from: number, to: number): string {
  return Array.from(bytes.subarray(from, to), (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : byte === TAB ? " " : "·",
  ).join("");
}
