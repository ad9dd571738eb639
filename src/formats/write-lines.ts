// A worker's part of number-lines.ts.

import { lineByLine } from "../model/weight-lines.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { DIGITS, LONGEST_NUMBER } from "./general-writer.js";
import { formatGeneral } from "./printf.js";
import { TABLE_BYTES, writingTables } from "./writing-tables.js";

/** Numbers at a time in the core. */
const CHUNK = 8192;

export const linesBytes = spaceFor(8 * CHUNK, TABLE_BYTES, LONGEST_NUMBER * CHUNK, 4);

/** A part of lines (model/weight-lines.ts). */
export interface LinesInput {
  readonly values: Float64Array;
  readonly columns: number;
  readonly isTurned: boolean;
}

export async function writeLines(
  { core, space, checkpoint }: Task,
  { values, columns, isTurned }: LinesInput,
): Promise<{ bytes: Uint8Array }> {
  const chunk = space.rawDoubles(CHUNK);
  const tables = space.rawBytes(TABLE_BYTES);
  tables.set(writingTables());
  const out = space.rawBytes(LONGEST_NUMBER * CHUNK);
  const written = space.words(1);
  let bytes = new Uint8Array(LONGEST_NUMBER * Math.min(CHUNK, values.length));
  let at = 0;
  let next = 0;
  while (at < values.length) {
    const count = Math.min(CHUNK, values.length - at);
    if (next + LONGEST_NUMBER * count > bytes.length) bytes = enlarged(bytes, next, (next / at) * values.length + LONGEST_NUMBER * count);
    lineByLine(values, columns, isTurned, at, chunk.subarray(0, count));
    const place = [tables.byteOffset, out.byteOffset, written.byteOffset] as const;
    for (let k = 0; k < count; ) {
      const done = core.writeNumbers(chunk.byteOffset + 8 * k, count - k, columns, (at + k) % columns, ...place);
      const length = written[0] as number;
      bytes.set(out.subarray(0, length), next);
      k += done;
      next += length;
      if (k === count) break;
      next = putSlowly(bytes, next, chunk[k] as number, (at + k + 1) % columns === 0);
      k++;
    }
    at += count;
    await checkpoint(() => ({ iterations: at, relativeGap: Infinity }));
  }
  return { bytes: bytes.subarray(0, next) };
}

/** With room for so many. */
function enlarged(bytes: Uint8Array, used: number, size: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.ceil(size));
  larger.set(bytes.subarray(0, used));
  return larger;
}

/** One number whose digits the core is not certain of. */
function putSlowly(bytes: Uint8Array, at: number, x: number, endsLine: boolean): number {
  const text = `${formatGeneral(x, DIGITS)} ${endsLine ? "\n" : ""}`;
  for (let k = 0; k < text.length; k++) bytes[at + k] = text.charCodeAt(k);
  return at + text.length;
}
