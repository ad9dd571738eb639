// Support vectors as lines of a model file of LIBSVM, here or in a worker: nr_class - 1 coefficients, then "index:value index:value …", each with the blank at its end that the originals write.

import type { LibsvmVectors } from "../model/libsvm-file.js";
import type { Core } from "../runtime/core.js";
import { spaceFor, type Task, type WorkSpace } from "../runtime/task.js";
import { COLON, NEWLINE, SPACE } from "./ascii.js";
import { BRIEF, GeneralWriter, LONGEST_NUMBER } from "./general-writer.js";
import type { VectorShape } from "./libsvm-vectors.js";
import { TABLE_BYTES, writingTables } from "./writing-tables.js";

/** Numbers that the core writes at a time: a line of more makes more room. */
const PART = 16_384;

/** Support vectors, and how their lines are. */
export interface VectorLines extends Omit<VectorShape, "count"> {
  readonly vectors: Omit<LibsvmVectors, "forModel">;
}

/** The numbers of lines [from, to), one more for each line. */
export function sizeOf({ vectors: { starts }, columns }: VectorLines, from: number, to: number): number {
  return (to - from) * (columns + 1) + (starts[to] as number) - (starts[from] as number);
}

/** A worker's part. */
export async function writeVectorPart({ core, space }: Task, lines: VectorLines): Promise<{ bytes: Uint8Array }> {
  const out = new GeneralWriter();
  putLines(core, space, out, lines);
  return { bytes: out.finish() };
}

/** The numbers for which the core has room. */
function mostAtOnce(lines: VectorLines): number {
  let most = PART;
  for (let row = 0; row < lines.vectors.count; row++) most = Math.max(most, sizeOf(lines, row, row + 1));
  return most;
}

/** Room for `putLines`. */
export function linesRoom(lines: VectorLines): number {
  const most = mostAtOnce(lines);
  return spaceFor(TABLE_BYTES, ...[8, 8, 4, 4].map((bytes) => bytes * (most + 1)), LONGEST_NUMBER * most, 4);
}

/** Writes all lines by the core, but those in which the digits of some number are not certain. */
export function putLines(core: Core, space: WorkSpace, out: GeneralWriter, lines: VectorLines): void {
  const { vectors, columns } = lines;
  const { count, coefficients, starts, indices, values } = vectors;
  const most = mostAtOnce(lines);
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
  for (let from = 0, to = 0; from < count; from = to) {
    while (to < count && sizeOf(lines, from, to + 1) <= most) to++;
    own.coefficients.set(coefficients.subarray(from * columns, to * columns));
    own.starts.set(starts.subarray(from, to + 1));
    own.indices.set(indices.subarray(starts[from], starts[to]));
    own.values.set(values.subarray(starts[from], starts[to]));
    for (let row = from; row < to; row++) {
      // Rows that come behind one which was written plainly: entries are counted from the first of them all.
      const skipped = (starts[row] as number) - (starts[from] as number);
      const next = core.writeVectors(
        ...([own.coefficients.byteOffset, columns, own.starts.byteOffset, own.indices.byteOffset + 4 * skipped] as const),
        ...([own.values.byteOffset + 8 * skipped, row - from, to - from, tables.byteOffset, text.byteOffset, written.byteOffset] as const),
      );
      out.bytes(text.subarray(0, written[0]));
      row = from + next;
      if (row < to) putLine(out, lines, row);
    }
  }
}

/** One line, without the core. */
export function putLine(out: GeneralWriter, { vectors, columns, isPrecomputed }: VectorLines, row: number): void {
  const { coefficients, starts, indices, values } = vectors;
  for (let k = row * columns; k < (row + 1) * columns; k++) {
    out.number(coefficients[k] as number);
    out.byte(SPACE);
  }
  for (let k = starts[row] as number; k < (starts[row + 1] as number); k++) {
    out.whole(indices[k] as number);
    out.byte(COLON);
    if (isPrecomputed) out.whole(values[k] as number);
    else out.number(values[k] as number, BRIEF);
    out.byte(SPACE);
  }
  out.byte(NEWLINE);
}
