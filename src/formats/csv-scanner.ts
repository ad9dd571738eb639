// Fields of CSV text, one after the other, as places in its bytes: RFC 4180, with three liberties. Lines end in LF or CRLF; blank
// lines are skipped; blanks around a field do not belong to it unless they stand in quotes. Nothing is copied or decoded here.

import { NEWLINE, QUOTE, RETURN, SPACE, TAB } from "./ascii.js";
import { LineError } from "./position.js";

// What a byte means to the scanner: part of a field, blank, or the end of an unquoted field.
const BLANK = 1;
const STOP = 2;

/** Reads `while (startRow()) do nextField() while (!endsRow)`. Throws LineError. */
export class CsvScanner {
  readonly bytes: Uint8Array;
  /** The field is bytes[from, to): what stands between the quotes if it is quoted, quotes inside still doubled. */
  from = 0;
  to = 0;
  quoted = false;
  /** Whether the field is the last one of its row. */
  endsRow = true;
  /** Where the text behind the field begins: a delimiter, a line end, or the end. */
  stop = 0;
  /** Where the next field begins. */
  position: number;
  readonly #delimiter: number;
  readonly #meaning = new Uint8Array(256);

  constructor(bytes: Uint8Array, delimiter: number, start = 0) {
    this.bytes = bytes;
    this.#delimiter = delimiter;
    this.position = start;
    this.#meaning[TAB] = BLANK;
    this.#meaning[SPACE] = BLANK;
    for (const byte of [QUOTE, NEWLINE, RETURN, delimiter]) this.#meaning[byte] = STOP;
  }

  /** Goes to the next line that is not blank; false if there is none. */
  startRow(): boolean {
    const { bytes } = this;
    for (;;) {
      const at = this.#skipBlanks(this.position);
      if (at === bytes.length) return false;
      if (bytes[at] !== NEWLINE && bytes[at] !== RETURN) return true;
      this.#close(at);
    }
  }

  nextField(): void {
    const { bytes } = this;
    const from = this.#skipBlanks(this.position);
    this.quoted = from < bytes.length && bytes[from] === QUOTE;
    if (this.quoted) this.#quotedField(from);
    else this.#plainField(from);
  }

  #skipBlanks(from: number): number {
    const { bytes } = this;
    let at = from;
    while (at < bytes.length && this.#meaning[bytes[at] as number] === BLANK) at++;
    return at;
  }

  #plainField(from: number): void {
    const { bytes } = this;
    const meaning = this.#meaning;
    const end = bytes.length;
    let at = from;
    while (at < end && meaning[bytes[at] as number] !== STOP) at++;
    let to = at;
    while (to > from && meaning[bytes[to - 1] as number] === BLANK) to--;
    this.from = from;
    this.to = to;
    if (at < end && bytes[at] === QUOTE) {
      throw new LineError(
        at,
        "a quote within a field that does not begin with one; put the whole field into quotes and double those inside",
      );
    }
    this.#close(at);
  }

  #quotedField(open: number): void {
    const { bytes } = this;
    let close = bytes.indexOf(QUOTE, open + 1);
    while (close >= 0 && bytes[close + 1] === QUOTE) close = bytes.indexOf(QUOTE, close + 2);
    if (close < 0) throw new LineError(open, "this quote is never closed; close it, or double it if it belongs to the text");
    this.from = open + 1;
    this.to = close;
    const behind = this.#skipBlanks(close + 1);
    if (behind < bytes.length && (this.#meaning[bytes[behind] as number] !== STOP || bytes[behind] === QUOTE)) {
      throw new LineError(behind, "text behind a closing quote; double the quotes inside a quoted field, or add the delimiter");
    }
    this.#close(behind);
  }

  /** Takes the delimiter or the line end at `at`. */
  #close(at: number): void {
    const { bytes } = this;
    const end = bytes.length;
    this.stop = at;
    const byte = at < end ? (bytes[at] as number) : NEWLINE;
    this.endsRow = byte !== this.#delimiter;
    if (byte !== RETURN) {
      this.position = Math.min(at + 1, end);
    } else if (at + 1 === end || bytes[at + 1] === NEWLINE) {
      this.position = Math.min(at + 2, end);
    } else {
      throw new LineError(
        at,
        "a carriage return that no line feed follows; save the file with LF or CRLF line ends, or put the field into quotes",
      );
    }
  }
}
