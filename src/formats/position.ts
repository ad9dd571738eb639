// Places in text files as errors show them: line and column from 1, the token, and the part of the line around it.

import type { Where } from "../base/errors.js";
import { NEWLINE, RETURN, TAB } from "./ascii.js";

/** Something wrong at a byte; whoever knows the file and the line makes a HingeError of it. */
export class LineError {
  readonly at: number;
  readonly message: string;

  constructor(at: number, message: string) {
    this.at = at;
    this.message = message;
  }
}

/** Where the byte at `at` stands in the file called `file`. */
export function whereOf(bytes: Uint8Array, at: number, file: string): Where {
  const start = lineStart(bytes, at);
  let line = 1;
  for (let k = 0; k < start; k++) if (bytes[k] === NEWLINE) line++;
  return { file, line, column: at - start + 1 };
}

const LONGEST_TOKEN = 40;

/** bytes[from, to) in quotes, cut where it is long; "nothing" if there is none. */
export function quoted(bytes: Uint8Array, from: number, to: number): string {
  if (from === to) return "nothing";
  return JSON.stringify(printable(bytes, from, Math.min(to, from + LONGEST_TOKEN)) + (to > from + LONGEST_TOKEN ? "…" : ""));
}

const SHOWN_BEFORE = 40;
const SHOWN_AFTER = 30;

/** The part of a line around what is wrong with it, and how many characters stand before that. */
export interface Excerpt {
  readonly text: string;
  readonly caret: number;
}

/** The part around `at` of the line that it is in. */
export function excerptOf(bytes: Uint8Array, at: number): Excerpt {
  const start = lineStart(bytes, at);
  const from = Math.max(start, at - SHOWN_BEFORE);
  let to = at;
  while (to < bytes.length && to < at + SHOWN_AFTER && bytes[to] !== NEWLINE && bytes[to] !== RETURN) to++;
  const before = `${from > start ? "…" : ""}${printable(bytes, from, at)}`;
  const after = to === bytes.length || bytes[to] === NEWLINE || bytes[to] === RETURN ? "" : "…";
  return { text: `${before}${printable(bytes, at, to)}${after}`, caret: before.length };
}

/** The excerpt with its line number, and a caret below. */
export function drawn({ text, caret }: Excerpt, lineNumber: number): string {
  const gutter = `${String(lineNumber).padStart(5)} | `;
  return `${gutter}${text}\n${" ".repeat(gutter.length + caret)}^`;
}

function lineStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && bytes[start - 1] !== NEWLINE) start--;
  return start;
}

/** Bytes as text of one character each; what is not printable ASCII shows as a dot. */
function printable(bytes: Uint8Array, from: number, to: number): string {
  return Array.from(bytes.subarray(from, to), (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : byte === TAB ? " " : "·",
  ).join("");
}
