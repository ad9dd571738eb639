// One line of svmlight text, read with care: the reference for the core's fast parser, and the author of every message.

import { COLON, HASH, NEWLINE, RETURN, SPACE, TAB } from "./ascii.js";
import { isDigit, parseDecimal } from "./decimal.js";
import { LineError, quoted } from "./position.js";

/** What a line holds; features from 0. */
export interface SvmlightLine {
  readonly label: number;
  /** The number behind "qid:", NaN if there is none. */
  readonly query: number;
  readonly indices: readonly number[];
  readonly values: readonly number[];
}

/** The line in bytes[from, to); undefined if it is empty but for blanks and a comment. Throws LineError. */
export function readLine(bytes: Uint8Array, from: number, to: number, base: number, featureLimit: number): SvmlightLine | undefined {
  const end = contentEnd(bytes, from, to);
  const tokens = tokensOf(bytes, from, end);
  const [first, ...rest] = tokens;
  if (first === undefined) return undefined;
  const label = parseDecimal(bytes, first.from, first.to);
  if (!Number.isFinite(label))
    throw new LineError(first.from, `the label must be a decimal number, got ${quoted(bytes, first.from, first.to)}`);
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
  throw new LineError(from, `qid must be a whole number from 0, got ${quoted(bytes, from + 4, to)}`);
}

/** Where the index of "index:value" ends: at its colon. */
function readIndexEnd(bytes: Uint8Array, token: Token): number {
  let at = token.from;
  while (at < token.to && isDigit(bytes[at])) at++;
  if (at > token.from && at < token.to && bytes[at] === COLON) return at;
  throw new LineError(token.from, `a feature must be written index:value, got ${quoted(bytes, token.from, token.to)}`);
}

function checkIndex(bytes: Uint8Array, token: Token, base: number, featureLimit: number, last: number): number {
  const index = parseDecimal(bytes, token.from, token.to);
  const fail = (message: string): never => {
    throw new LineError(token.from, message);
  };
  if (index < base) fail("feature 0 in a file whose features begin at 1; if they begin at 0, say indexBase: 0 (--index-base 0)");
  if (index - base >= featureLimit) {
    fail(`feature ${quoted(bytes, token.from, token.to)} is too large; there are at most ${featureLimit} features, the first is ${base}`);
  }
  if (index === last) fail(`feature ${index} comes twice; add the two values up, or remove one`);
  if (index < last) fail(`feature ${index} follows feature ${last}; indices must rise along a line: sort it`);
  return index;
}

function readValue(bytes: Uint8Array, token: Token): number {
  const value = parseDecimal(bytes, token.from, token.to);
  if (!Number.isFinite(value))
    throw new LineError(token.from, `the value must be a finite decimal number, got ${quoted(bytes, token.from, token.to)}`);
  const rounded = Math.fround(value);
  if (Number.isFinite(rounded)) return rounded;
  throw new LineError(token.from, `${quoted(bytes, token.from, token.to)} is too large for float32; scale the feature down`);
}
