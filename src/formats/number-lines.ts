// Lines of many numbers under %.17g, written by the core in the workers: what GeneralWriter gives, in a fraction of its time.

import { inLanes } from "../base/lanes.js";
import { NO_ROWS } from "../data/matrix.js";
import { beginCall, runTask, tasksAtOnce } from "../runtime/runtime.js";
import { type LinesInput, linesBytes } from "./write-lines.js";

/** Numbers from which on workers are worth their messages. */
const MANY = 100_000;
/** Numbers of a task: some milliseconds of work. */
const BLOCK = 65_536;

/** Whether lines are so many that workers write them. */
export const isLong = (values: Float64Array): boolean => values.length >= MANY;

/** The text of `values`, `columns` of them a line, each followed by a space; in parts, one after the other. */
export function numberLines(values: Float64Array, columns: number): Promise<Uint8Array[]> {
  const call = beginCall({});
  const block = columns * Math.ceil(BLOCK / columns);
  return inLanes(Math.ceil(values.length / block), tasksAtOnce(call.threads), async (index) => {
    const part = values.slice(index * block, (index + 1) * block);
    const input: LinesInput = { values: part, columns };
    const shared = { task: "write-numbers", matrix: NO_ROWS, regionBytes: linesBytes };
    const work = { ...shared, input, transfer: [part.buffer], isBrief: true, isShort: true };
    return (await runTask<{ bytes: Uint8Array }>(work, call)).bytes;
  });
}
