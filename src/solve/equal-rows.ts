// Which rows of a matrix hold the same, by the core.

import type { Matrix } from "../data/matrix.js";
import { spaceFor, type Task } from "../runtime/task.js";

/** Stored values a call: an engine changes to its optimised code between calls, not within one. */
const SLICE = 50_000;
/** Of the rows that are enough to tell, copies below which it is taken for granted that the others have no more. */
const ENOUGH = 0.25;
const HARDLY = 0.03;

export function equalRowsBytes({ rowCount }: Matrix): number {
  return spaceFor(4 * rowCount, 4 * rowCount, 4 * (maskFor(rowCount) + 1));
}

/** Twice to four times as many places as rows. */
function maskFor(rowCount: number): number {
  return 2 ** (32 - Math.clz32(2 * rowCount)) - 1;
}

/**
 * For each row the first one that holds the same; undefined if fewer than `least` rows have an earlier one that does, which may be known, or nearly so, before all are looked at. Stored zeros count
 * as values.
 */
export async function equalRows(
  { core, matrix, rows, space, checkpoint }: Task,
  { least }: { readonly least: number },
): Promise<{ firstOf: Uint32Array | undefined }> {
  const { rowCount, valueCount } = matrix;
  const firstOf = space.rawWords(rowCount);
  const hashes = space.rawWords(rowCount);
  const mask = maskFor(rowCount);
  const table = space.words(mask + 1);
  const size = Math.ceil(SLICE / (1 + valueCount / Math.max(1, rowCount)));
  let copies = 0;
  for (let from = 0; from < rowCount; from += size) {
    const to = Math.min(from + size, rowCount);
    copies += core.equalRows(rows, firstOf.byteOffset, hashes.byteOffset, table.byteOffset, mask, from, to);
    if (copies + rowCount - to < least || isHopeless(copies, to, rowCount, least)) return { firstOf: undefined };
    await checkpoint(() => ({ iterations: 0, relativeGap: Infinity }));
  }
  return { firstOf: copies < least ? undefined : firstOf.slice() };
}

/** A quarter of the rows has hardly any copies, where two fifths of all should be some. */
function isHopeless(copies: number, seen: number, rowCount: number, least: number): boolean {
  return least >= ENOUGH * rowCount && seen >= ENOUGH * rowCount && copies < HARDLY * seen;
}
