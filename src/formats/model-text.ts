// The text of the originals' model files: lines of tokens between blanks, and numbers in them, each with its place.

import { HingeError } from "../base/errors.js";
import { NEWLINE, RETURN, SPACE, TAB } from "./ascii.js";
import { markLength } from "./byte-order-mark.js";
import { parseDecimal } from "./decimal.js";
import { quoted, whereOf } from "./position.js";

/** A stretch of the bytes, `to` excluded. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Bytes up to which a line's end is looked for here: the engine's search is faster on long ones, and costs a call. */
const SHORT_LINE = 64;

export class ModelText {
  readonly bytes: Uint8Array;
  readonly #name: string;
  #at = 0;

  constructor(bytes: Uint8Array, name: string) {
    this.bytes = bytes;
    this.#name = name;
    this.#at = markLength(bytes);
  }

  /** How many bytes follow the line that was read last. */
  get bytesLeft(): number {
    return Math.max(0, this.bytes.length - this.#at);
  }

  /** What follows the line that was read last. */
  get rest(): Span {
    return { from: Math.min(this.#at, this.bytes.length), to: this.bytes.length };
  }

  /** Lets the next line be the one that begins at this byte. */
  goOnAt(at: number): void {
    this.#at = at;
  }

  /** The next line that is not blank, from its first token on and without its line break; undefined at the end. */
  nextLine(): Span | undefined {
    const { bytes } = this;
    while (this.#at < bytes.length) {
      let end = this.#at;
      const near = Math.min(bytes.length, end + SHORT_LINE);
      while (end < near && bytes[end] !== NEWLINE) end++;
      if (end === near && end < bytes.length) {
        const found = bytes.indexOf(NEWLINE, end);
        end = found < 0 ? bytes.length : found;
      }
      const from = this.skipBlanks(this.#at, end);
      this.#at = end + 1;
      if (from < end) return { from, to: end };
    }
    return undefined;
  }

  skipBlanks(from: number, to: number): number {
    let at = from;
    while (at < to && isBlank(this.bytes[at])) at++;
    return at;
  }

  tokenEnd(from: number, to: number): number {
    let at = from;
    // One comparison tells nearly every byte of a token.
    while (at < to && ((this.bytes[at] as number) > SPACE || !isBlank(this.bytes[at]))) at++;
    return at;
  }

  /** The finite number that is all there is in a line; NaN if there is anything else. One pass less than finding tokens first. */
  onlyNumber({ from, to }: Span): number {
    let end = to;
    while (end > from && isBlank(this.bytes[end - 1])) end--;
    const value = parseDecimal(this.bytes, from, end);
    return Number.isFinite(value) ? value : Number.NaN;
  }

  /** How many tokens there are in a line. */
  tokenCount({ from, to }: Span): number {
    let count = 0;
    for (let at = this.skipBlanks(from, to); at < to; count++) at = this.skipBlanks(this.tokenEnd(at, to), to);
    return count;
  }

  /** The finite number that is written in bytes[from, to); `what` names it in the error. */
  number(from: number, to: number, what: string): number {
    const value = parseDecimal(this.bytes, from, to);
    if (!Number.isFinite(value)) this.fail(from, `${what} must be a finite decimal number, got ${this.quoted(from, to)}`);
    return value;
  }

  /** The whole number that is written in bytes[from, to). */
  whole(from: number, to: number, what: string, range: { readonly least: number; readonly most: number }): number {
    const value = parseDecimal(this.bytes, from, to);
    if (!Number.isInteger(value) || value < range.least || value > range.most) {
      const allowed = range.least === range.most ? String(range.least) : `a whole number from ${range.least} to ${range.most}`;
      this.fail(from, `${what} must be ${allowed}, got ${this.quoted(from, to)}`);
    }
    return value;
  }

  quoted(from: number, to: number): string {
    return quoted(this.bytes, from, to);
  }

  fail(at: number, message: string): never {
    throw new HingeError("bad-model", message, whereOf(this.bytes, at, this.#name));
  }

  /** For what is missing at the end of the bytes. */
  failAtEnd(message: string): never {
    this.fail(this.bytes.length, `${message}; the file was cut short or its header is wrong: write it again`);
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB || byte === RETURN;
}

/**
 * How many numbers `length` bytes can hold at most: each takes a digit and a blank, the last one no blank. A file that claims more is
 * refused before anything is allocated for it.
 */
export function mostNumbers(length: number): number {
  return Math.floor((length + 1) / 2);
}
