// One interface over dense and CSR rows: the solvers above it never ask which kind they work on.
// Checked on both kinds in test/unit/core/rows.test.ts.

import { RowKind, Rows } from "./layout/rows";
import { at } from "./memory";
import { denseAxpy, denseDot, sparseAxpy, sparseDot, squaredNorm } from "./vector";

/** How many values row i stores: featureCount if dense, its non-zeros if CSR. */
export function rowLength(x: Rows, i: u32): u32 {
  if (x.kind == RowKind.Dense) return x.featureCount;
  return at<u32>(x.starts, i + 1) - at<u32>(x.starts, i);
}

/** x_i'w. w: f64[featureCount]. */
export function rowDot(x: Rows, i: u32, w: usize): f64 {
  if (x.kind == RowKind.Dense) return denseDot(denseRow(x, i), w, x.featureCount);
  const start = at<u32>(x.starts, i);
  const offset = (<usize>start) << 2;
  return sparseDot(x.values + offset, x.indices + offset, w, at<u32>(x.starts, i + 1) - start);
}

/** w += scale * x_i. w: f64[featureCount]. */
export function rowAxpy(w: usize, scale: f64, x: Rows, i: u32): void {
  if (x.kind == RowKind.Dense) {
    denseAxpy(w, scale, denseRow(x, i), x.featureCount);
    return;
  }
  const start = at<u32>(x.starts, i);
  const offset = (<usize>start) << 2;
  sparseAxpy(w, scale, x.values + offset, x.indices + offset, at<u32>(x.starts, i + 1) - start);
}

/** x_i'x_i. */
export function rowSquaredNorm(x: Rows, i: u32): f64 {
  if (x.kind == RowKind.Dense) return squaredNorm(denseRow(x, i), x.featureCount);
  const start = at<u32>(x.starts, i);
  return squaredNorm(x.values + ((<usize>start) << 2), at<u32>(x.starts, i + 1) - start);
}

/** Address of the first value of row i; of the row behind the last, where the values end. */
export function rowValues(x: Rows, i: u32): usize {
  return x.kind == RowKind.Dense ? denseRow(x, i) : x.values + ((<usize>at<u32>(x.starts, i)) << 2);
}

/** Address of the first value of row i of a dense matrix. */
export function denseRow(x: Rows, i: u32): usize {
  return x.values + ((<usize>i * x.featureCount) << 2);
}

// Visits between two stages of the loads below, where rows are visited in random order: linear/descent.ts says why they pay.
export const AHEAD: u32 = 4;

/** Reads where row i begins, so that it is in the cache a little later. Returns what it read, to be used somehow. */
export function touchRowStart(x: Rows, i: u32): u32 {
  return x.kind == RowKind.Dense ? 0 : at<u32>(x.starts, i);
}

/**
 * Reads into the first two cache lines of row i, so that they are in the cache a little later. May read up to 68 bytes past
 * the row: the host leaves ROW_PADDING bytes behind the arrays of a matrix.
 */
export function touchRowValues(x: Rows, i: u32): u32 {
  if (x.kind == RowKind.Dense) {
    const row = denseRow(x, i);
    return load<u32>(row) + load<u32>(row, 64);
  }
  const offset = (<usize>at<u32>(x.starts, i)) << 2;
  const values = x.values + offset;
  const indices = x.indices + offset;
  return load<u32>(values) + load<u32>(values, 64) + load<u32>(indices) + load<u32>(indices, 64);
}
