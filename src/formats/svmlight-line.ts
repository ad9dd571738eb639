// One line of svmlight text, read with care: the reference for the core's fast parser, and the author of every message.

import { isDigit, parseDecimal } from "./decimal.js";

/** What a line holds; features from 0. */
export interface SvmlightLine {
  readonly label: number;
  /** The number behind "qid:", NaN if there is none. */
  readonly query: number;
  readonly indices: readonly number[];
  readonly values: readonly number[];
}

/** Something wrong at a byte of the line. */
export class LineError {
  readonly at: number;
  readonly message: string;

  constructor(at: number, message: string) {
    this.at = at;
    this.message = message;
  }
}

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const COLON = 0x3a;

/** The line in bytes[from, to); undefined if it is empty but for blanks and a comment. Throws LineError. */
export function readLine(bytes: Uint8Array, from: number, to: number, base: number, featureLimit: number): SvmlightLine | undefined {
  const end = contentEnd(bytes, from, to);
  const tokens = tokensOf(bytes, from, end);
  const [first, ...rest] = tokens;
  if (first === undefined) return undefined;
  const label = parseDecimal(bytes, first.from, first.to);
  if (!Number.isFinite(label)) throw new LineError(first.from, `the label must be a decimal number, got ${text(bytes, first)}`);
  const query = rest[0] !== undefined && isQuery(bytes, rest[0].from) ? readQuery(bytes, rest[0]) : Number.NaN;
  const features = Number.isNaN(query) ? rest : rest.slice(1);
  const indices: number[] = [];
  const values: number[] = [];
  let last = -1;
  for (const token of features) {
    const colon = readIndexEnd(bytes, token);
    const index = checkIndex(bytes, { from: token.from, to: colon }, base, featureLimit, last);
    values.push(readValue(bytes, { from: colon + 1, to: token.to }));
    indices.push(index - base);
    last = index;
  }
  return { label, query, indices, values };
}

interface Token {
  readonly from: number;
  readonly to: number;
}

function contentEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] !== NEWLINE && bytes[at] !== HASH) at++;
  return at;
}

function tokensOf(bytes: Uint8Array, from: number, to: number): Token[] {
  const tokens: Token[] = [];
  let at = from;
  for (;;) {
    while (at < to && isBlank(bytes[at])) at++;
    if (at >= to) return tokens;
    const start = at;
    while (at < to && !isBlank(bytes[at])) at++;
    tokens.push({ from: start, to: at });
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB || byte === RETURN;
}

function isQuery(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x71 && bytes[at + 1] === 0x69 && bytes[at + 2] === 0x64 && bytes[at + 3] === COLON;
}

function readQuery(bytes: Uint8Array, { from, to }: Token): number {
  const number = parseDecimal(bytes, from + 4, to);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new LineError(from, `qid must be a whole number from 0, got ${text(bytes, { from: from + 4, to })}`);
}

/** Where the index of "index:value" ends: at its colon. */
function readIndexEnd(bytes: Uint8Array, token: Token): number {
  let at = token.from;
  while (at < token.to && isDigit(bytes[at])) at++;
  if (at > token.from && at < token.to && bytes[at] === COLON) return at;
  throw new LineError(token.from, `a feature must be written index:value, got ${text(bytes, token)}`);
}

function checkIndex(bytes: Uint8Array, token: Token, base: number, featureLimit: number, last: number): number {
  const index = parseDecimal(bytes, token.from, token.to);
  const fail = (message: string): never => {
    throw new LineError(token.from, message);
  };
  if (index < base) fail("feature 0 in a file whose features begin at 1; if they begin at 0, say indexBase: 0 (--index-base 0)");
  if (index - base >= featureLimit) {
    fail(`feature ${text(bytes, token)} is too large; there are at most ${featureLimit} features, the first is ${base}`);
  }
  if (index === last) fail(`feature ${index} comes twice; add the two values up, or remove one`);
  if (index < last) fail(`feature ${index} follows feature ${last}; indices must rise along a line: sort it`);
  return index;
}

function readValue(bytes: Uint8Array, token: Token): number {
  const value = parseDecimal(bytes, token.from, token.to);
  if (!Number.isFinite(value)) throw new LineError(token.from, `the value must be a finite decimal number, got ${text(bytes, token)}`);
  const rounded = Math.fround(value);
  if (Number.isFinite(rounded)) return rounded;
  throw new LineError(token.from, `${text(bytes, token)} is too large for float32; scale the feature down`);
}

const LONGEST_SHOWN = 40;

function text(bytes: Uint8Array, { from, to }: Token): string {
  if (from === to) return "nothing";
  const cut = to - from > LONGEST_SHOWN ? "…" : "";
  return JSON.stringify(printable(bytes, from, Math.min(to, from + LONGEST_SHOWN)) + cut);
}

const SHOWN_BEFORE = 40;
const SHOWN_AFTER = 30;

/** The part of a line around what is wrong with it, and how many characters stand before that. */
export interface Excerpt {
  readonly text: string;
  readonly caret: number;
}

/** The part around `at` of the line that begins at `from`. */
export function excerptOf(bytes: Uint8Array, from: number, at: number): Excerpt {
  const start = Math.max(from, at - SHOWN_BEFORE);
  let to = at;
  while (to < bytes.length && to < at + SHOWN_AFTER && bytes[to] !== NEWLINE && bytes[to] !== RETURN) to++;
  const more = to < bytes.length && bytes[to] !== NEWLINE && bytes[to] !== RETURN ? "…" : "";
  const before = `${start > from ? "…" : ""}${printable(bytes, start, at)}`;
  return { text: `${before}${printable(bytes, at, to)}${more}`, caret: before.length };
}

/** The excerpt with its line number, and a caret below. */
export function drawn({ text, caret }: Excerpt, lineNumber: number): string {
  const gutter = `${String(lineNumber).padStart(5)} | `;
  return `${gutter}${text}\n${" ".repeat(gutter.length + caret)}^`;
}

/** Bytes as text of one character each; what is not printable ASCII shows as a dot. */
function printable(bytes: Uint8Array, from: number, to: number): string {
  return Array.from(bytes.subarray(from, to), (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : byte === TAB ? " " : "·",
  ).join("");
}
