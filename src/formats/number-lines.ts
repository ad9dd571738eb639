// Lines of many numbers under %.17g, written by the core in the workers: what GeneralWriter gives, in a fraction of its time.

import { NO_ROWS } from "../data/matrix.js";
import { overRowBlocks } from "../runtime/row-blocks.js";
import { beginCall, runTask } from "../runtime/runtime.js";
import { type LinesInput, linesBytes } from "./write-lines.js";

/** Numbers from which on workers are worth their messages. */
const MANY = 100_000;
/** What a number's text costs, in values that are looked at once. */
const NUMBER_WORK = 5;

/** Whether lines are so many that workers write them. */
export const isLong = (values: Float64Array): boolean => values.length >= MANY;

/** The text of `values`, `columns` of them a line, each followed by a space; in parts, one after the other. */
export function numberLines(values: Float64Array, columns: number): Promise<Uint8Array[]> {
  const call = beginCall({});
  // More blocks than threads: each is brief, and whoever is done takes the next.
  return overRowBlocks(Math.ceil(values.length / columns), Infinity, NUMBER_WORK * values.length, async (from, to) => {
    const part = values.slice(columns * from, columns * to);
    const input: LinesInput = { values: part, columns };
    const work = {
      task: "write-numbers",
      matrix: NO_ROWS,
      regionBytes: linesBytes,
      input,
      transfer: [part.buffer],
      isBrief: true,
      isShort: true,
    };
    return (await runTask<{ bytes: Uint8Array }>(work, call)).bytes;
  });
}
