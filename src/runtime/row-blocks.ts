// Work that each row can have done by itself, in blocks of rows, one task a block. Results must not depend on the cut.

import { allEnded } from "../base/lanes.js";

/** Less work than this, in stored values that are looked at once, is not worth a second thread. */
const BLOCK_WORK = 500_000;

/** Threads that the work on these rows is worth, at most so many. */
export function partsFor(rowCount: number, threads: number, work: number): number {
  return Math.max(1, Math.min(threads, rowCount, Math.ceil(work / BLOCK_WORK)));
}

/** What `run(from, to)` gives for as many blocks as `work` is worth, at most `threads`, all at once; together they cover all rows. */
export function overRowBlocks<Result>(
  rowCount: number,
  threads: number,
  work: number,
  run: (from: number, to: number) => Promise<Result>,
): Promise<Result[]> {
  const blockCount = partsFor(rowCount, threads, work);
  const blockRows = Math.ceil(rowCount / blockCount);
  const starts = Array.from({ length: Math.ceil(rowCount / blockRows) }, (_, k) => k * blockRows);
  // All must end before the caller may let go of the matrix, also when one of them fails; the first to fail by rows, not by time,
  // is the outcome.
  return allEnded(starts.map((from) => run(from, Math.min(from + blockRows, rowCount))));
}
