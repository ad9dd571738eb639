// The lines of support vectors in a model file of LIBSVM, written by the core: what GeneralWriter gives, in a fraction of its time.

import { HingeError } from "../base/errors.js";
import type { LibsvmVectors } from "../model/libsvm-file.js";
import type { Core } from "../runtime/core.js";
import type { Region, RegionMemory } from "../runtime/memory.js";
import { spaceFor, WorkSpace } from "../runtime/task.js";
import { type GeneralWriter, LONGEST_NUMBER } from "./general-writer.js";
import { TABLE_BYTES, writingTables } from "./writing-tables.js";

/** Numbers and entries that are written at a time: a line of more makes more room. */
const PART = 16_384;

/**
 * Writes all lines; `plainly` writes one that the core leaves to others, because the digits of some number in it are not certain. `columns`: coefficients a support vector. False, with nothing written,
 * where there is no memory for it.
 */
export function writeVectorLines(
  [core, home]: readonly [Core, RegionMemory],
  out: GeneralWriter,
  { count, coefficients, starts, indices, values }: LibsvmVectors,
  columns: number,
  plainly: (row: number) => void,
): boolean {
  const sizeOf = (from: number, to: number): number => (to - from) * (columns + 1) + (starts[to] as number) - (starts[from] as number);
  let most = PART;
  for (let row = 0; row < count; row++) most = Math.max(most, sizeOf(row, row + 1));
  const region = regionIn(home, spaceFor(TABLE_BYTES, ...[8, 8, 4, 4].map((bytes) => bytes * (most + 1)), LONGEST_NUMBER * most, 4));
  if (region === undefined) return false;
  const space = new WorkSpace(home.memory.buffer, region);
  const tables = space.rawBytes(TABLE_BYTES);
  tables.set(writingTables());
  const own = {
    coefficients: space.rawDoubles(most + 1),
    values: space.rawDoubles(most + 1),
    starts: space.rawWords(most + 1),
    indices: space.rawWords(most + 1),
  };
  const text = space.rawBytes(LONGEST_NUMBER * most);
  const written = space.rawWords(1);
  try {
    for (let from = 0, to = 0; from < count; from = to) {
      while (to < count && sizeOf(from, to + 1) <= most) to++;
      own.coefficients.set(coefficients.subarray(from * columns, to * columns));
      own.starts.set(starts.subarray(from, to + 1));
      own.indices.set(indices.subarray(starts[from], starts[to]));
      own.values.set(values.subarray(starts[from], starts[to]));
      for (let row = from; row < to; row++) {
        // Rows of the part that come behind one which was written plainly: entries are counted from the first of the part.
        const skipped = (starts[row] as number) - (starts[from] as number);
        const next = core.writeVectors(
          ...([own.coefficients.byteOffset, columns, own.starts.byteOffset, own.indices.byteOffset + 4 * skipped] as const),
          ...([
            own.values.byteOffset + 8 * skipped,
            row - from,
            to - from,
            tables.byteOffset,
            text.byteOffset,
            written.byteOffset,
          ] as const),
        );
        out.bytes(text.subarray(0, written[0]));
        row = from + next;
        if (row < to) plainly(row);
      }
    }
  } finally {
    home.give(region);
  }
  return true;
}

/** Undefined where there is no room. */
function regionIn(home: RegionMemory, bytes: number): Region | undefined {
  try {
    return home.take(bytes);
  } catch (error) {
    if (error instanceof HingeError && error.code === "out-of-memory") return undefined;
    throw error;
  }
}
