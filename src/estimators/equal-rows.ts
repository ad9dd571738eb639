// Which rows of a matrix hold the same, found out on the pool.

import type { Matrix } from "../data/matrix.js";
import type { RunOptions } from "../runtime/pool.js";
import { runTask } from "../runtime/runtime.js";
import { equalRowsBytes } from "../solve/equal-rows.js";

/** For each row the first one that holds the same; undefined if fewer than `least` rows have an earlier one that does. Stored zeros count as values. */
export async function equalRows(x: Matrix, call: RunOptions, least = 1): Promise<Uint32Array | undefined> {
  const work = { task: "equal-rows", matrix: x, regionBytes: equalRowsBytes(x), input: { least }, operations: 2 * x.valueCount };
  // Looking takes milliseconds and is not reported; whoever is told to stop stops at what follows.
  const quiet = { ...call, onProgress: undefined };
  return (await runTask<{ firstOf: Uint32Array | undefined }>(work, quiet)).firstOf;
}
