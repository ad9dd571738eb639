// One row of a matrix with all its zeros.

import { type Matrix, rowStart } from "./matrix.js";

/** Writes row i into `into`, which may be wider than the matrix, and returns it. */
export function denseRow(x: Matrix, i: number, into: Float32Array): Float32Array {
  const from = rowStart(x, i);
  const to = rowStart(x, i + 1);
  into.fill(0);
  if (x.kind === "dense") into.set(x.values.subarray(from, to));
  else for (let k = from; k < to; k++) into[x.indices[k] as number] = x.values[k] as number;
  return into;
}
