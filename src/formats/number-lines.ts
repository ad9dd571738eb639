// Lines of many numbers under %.17g, written by the core in the workers: what GeneralWriter gives, in a fraction of its time.

import { NO_ROWS } from "../data/matrix.js";
import { beginCall, runTask } from "../runtime/runtime.js";
import { type LinesInput, linesBytes } from "./write-lines.js";

/** Numbers that are worth a thread of their own. */
const BLOCK = 100_000;

/** Whether lines are so many that workers write them. */
export const isLong = (values: Float64Array): boolean => values.length >= BLOCK;

/** The text of `values`, `columns` of them a line, each followed by a space; in parts, one after the other. */
export function numberLines(values: Float64Array, columns: number): Promise<Uint8Array[]> {
  const call = beginCall({});
  const blockCount = Math.max(1, Math.min(call.threads, Math.floor(values.length / BLOCK)));
  const blockValues = columns * Math.ceil(values.length / columns / blockCount);
  const starts = Array.from({ length: Math.ceil(values.length / blockValues) }, (_, k) => k * blockValues);
  return Promise.all(
    starts.map(async (from) => {
      const part = values.slice(from, from + blockValues);
      const input: LinesInput = { values: part, columns };
      const work = { task: "write-numbers", matrix: NO_ROWS, regionBytes: linesBytes, input, transfer: [part.buffer], isBrief: true };
      return (await runTask<{ bytes: Uint8Array }>(work, call)).bytes;
    }),
  );
}
