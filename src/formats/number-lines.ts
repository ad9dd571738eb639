// Lines of many numbers under %.17g, written by the core in the workers: what GeneralWriter gives, in a fraction of its time.

import { HingeError } from "../base/errors.js";
import { NO_ROWS } from "../data/matrix.js";
import { lineByLine, type WeightLines } from "../model/weight-lines.js";
import { beginCallHere, runTask, tasksAtOnce } from "../runtime/runtime.js";
import { NEWLINE, SPACE } from "./ascii.js";
import { GeneralWriter } from "./general-writer.js";
import { type LinesInput, linesBytes } from "./write-lines.js";

/** Numbers from which on workers are worth their messages. */
const MANY = 100_000;
/** Numbers of a task: some milliseconds of work. */
const BLOCK = 65_536;
/** Tasks that may be done before their turn to be taken. */
const AHEAD = 2;

/** Whether lines are so many that workers write them. */
export const isLong = ({ rows, columns }: WeightLines): boolean => rows * columns >= MANY;

/** The text of all lines, each number followed by a space. */
export function writeNumberLines(out: GeneralWriter, lines: WeightLines): void {
  const block = linesOfBlock(lines);
  for (let from = 0; from < lines.rows; from += block) putLines(out, lines, from, from + block);
}

/** The same in parts, one after the other, by the workers. Where these fail, the rest is written without: a model must not be lost for that. */
export async function* numberLines(lines: WeightLines): AsyncGenerator<Uint8Array> {
  const call = beginCallHere({});
  const block = linesOfBlock(lines);
  const underWay: { from: number; text: Promise<Uint8Array> }[] = [];
  let next = 0;
  let canHelp = true;
  const begin = (): void => {
    const values = lines.part(next, Math.min(next + block, lines.rows));
    const input: LinesInput = { values, columns: lines.columns, isTurned: lines.isTurned };
    const shared = { task: "write-numbers", matrix: NO_ROWS, regionBytes: linesBytes };
    const work = { ...shared, input, transfer: [values.buffer], isBrief: true, isShort: true };
    const text = runTask<{ bytes: Uint8Array }>(work, call).then(({ bytes }) => bytes);
    text.catch(() => undefined); // seen when its turn comes
    underWay.push({ from: next, text });
    next += block;
  };
  try {
    while (next < lines.rows || underWay.length > 0) {
      while (canHelp && next < lines.rows && underWay.length < tasksAtOnce(call.threads) + AHEAD) begin();
      const first = underWay.shift();
      const from = first?.from ?? next;
      if (first === undefined) next += block;
      let text: Uint8Array | undefined;
      try {
        text = await first?.text;
      } catch (error) {
        if (error instanceof HingeError && error.code === "internal") throw error;
        canHelp = false; // no worker to be had, or it was stopped
      }
      yield text ?? writtenHere(lines, from, from + block);
    }
  } finally {
    await Promise.allSettled(underWay.map(({ text }) => text));
  }
}

function linesOfBlock({ columns }: WeightLines): number {
  return Math.ceil(BLOCK / columns);
}

function writtenHere(lines: WeightLines, from: number, to: number): Uint8Array {
  const out = new GeneralWriter();
  putLines(out, lines, from, to);
  return out.finish();
}

function putLines(out: GeneralWriter, lines: WeightLines, from: number, to: number): void {
  const { columns, isTurned } = lines;
  const part = lines.part(from, Math.min(to, lines.rows));
  const values = new Float64Array(part.length);
  lineByLine(part, columns, isTurned, 0, values);
  for (let at = 0; at < values.length; at += columns) {
    for (let k = at; k < at + columns; k++) {
      out.number(values[k] as number);
      out.byte(SPACE);
    }
    out.byte(NEWLINE);
  }
}
