// Lines of many numbers under %.17g, written by the core in the workers: what GeneralWriter gives, in a fraction of its time.

import { lineByLine, type WeightLines } from "../model/weight-lines.js";
import { NEWLINE, SPACE } from "./ascii.js";
import { GeneralWriter } from "./general-writer.js";
import { textByWorkers } from "./text-by-workers.js";
import { type LinesInput, linesBytes } from "./write-lines.js";

/** Numbers from which on workers are worth their messages. */
const MANY = 100_000;
/** Numbers of a task: some milliseconds of work. */
const BLOCK = 65_536;

/** Whether lines are so many that workers write them. */
export const isLong = ({ rows, columns }: WeightLines): boolean => rows * columns >= MANY;

/** The text of all lines, each number followed by a space. */
export function writeNumberLines(out: GeneralWriter, lines: WeightLines): void {
  const block = linesOfBlock(lines);
  for (let from = 0; from < lines.rows; from += block) putLines(out, lines, from, from + block);
}

/** The same in parts, one after the other, by the workers. */
export function numberLines(lines: WeightLines): AsyncGenerator<Uint8Array> {
  const { rows, columns, isTurned } = lines;
  const block = linesOfBlock(lines);
  return textByWorkers<LinesInput>({
    count: Math.ceil(rows / block),
    task: "write-numbers",
    regionBytes: linesBytes,
    input: (k) => {
      const values = lines.part(k * block, Math.min((k + 1) * block, rows));
      return { input: { values, columns, isTurned }, transfer: [values.buffer] };
    },
    here: (k) => writtenHere(lines, k * block, (k + 1) * block),
  });
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
