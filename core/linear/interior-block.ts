// A block of rows of the interior point method against vectors, whichever way they are kept: as columns where there are few (column-blocks.ts), else as they are in the matrix.
// Checked in test/unit/core/interior-block.test.ts.

import { InteriorState } from "../layout/interior-point";
import { RowKind, Rows } from "../layout/rows";
import { at, put } from "../memory";
import { rowAxpy, rowDot, rowLength } from "../rows";
import { addColumnSums, blockAt, columnProducts, endEvenly, putInColumns } from "./column-blocks";
import { tableRow } from "./interior-row";
import { BLOCK, matrixStride } from "./normal-matrix";

/** How M is summed, and how rows are kept for that. */
export const enum Way {
  Rows = 0,
  Blocks = 1,
  Columns = 2,
}

/** Rows of the block that begins at the cursor. */
export function blockRows(s: InteriorState): u32 {
  return min(BLOCK, (s.rowCount - s.cursor) / s.sides);
}

/** Values that they store: the work of a pass. */
export function blockValues(s: InteriorState, x: Rows, count: u32): u32 {
  if (x.kind == RowKind.Dense) return count * x.featureCount;
  let total: u32 = 0;
  for (let k: u32 = 0; k < count; k++) total += rowLength(x, rowAt(s, k));
  return total;
}

/** The row of the matrix that is the k-th of the block. */
export function rowAt(s: InteriorState, k: u32): u32 {
  return tableRow(s, s.cursor + k * s.sides).row;
}

/** The block at the cursor as columns. */
export function columnsHere(s: InteriorState): usize {
  return blockAt(s.columns, s.cursor / (BLOCK * s.sides), strideOf(s));
}

/** Lays all rows out as columns. */
export function fillColumns(s: InteriorState): void {
  const x = changetype<Rows>(s.rows);
  const rows = s.rowCount / s.sides;
  const stride = strideOf(s);
  memory.fill(s.columns, 0, blockAt(0, (rows + BLOCK - 1) / BLOCK, stride));
  for (let i: u32 = 0; i < rows; i++)
    putInColumns(blockAt(s.columns, i / BLOCK, stride), i % BLOCK, x, tableRow(s, i * s.sides).row, s.biasScale);
}

/** s.products[k] = z_k't for the rows of the block. */
export function multiply(s: InteriorState, x: Rows, count: u32, t: usize): void {
  if (s.way == Way.Columns) {
    columnProducts(s.products, columnsHere(s), t, unknowns(s), count);
    return;
  }
  const bias = s.biasScale * at<f64>(t, x.featureCount);
  for (let k: u32 = 0; k < count; k++) put<f64>(s.products, k, rowDot(x, rowAt(s, k), t) + bias);
}

/** t += sum_k scales[k] z_k over the rows of the block. */
export function addRows(s: InteriorState, x: Rows, count: u32, scales: usize, t: usize): void {
  if (s.way == Way.Columns) {
    addColumnSums(t, columnsHere(s), scales, strideOf(s), endEvenly(scales, count));
    return;
  }
  let total: f64 = 0;
  for (let k: u32 = 0; k < count; k++) {
    const scale = at<f64>(scales, k);
    rowAxpy(t, scale, x, rowAt(s, k));
    total += scale;
  }
  put<f64>(t, x.featureCount, at<f64>(t, x.featureCount) + total * s.biasScale);
}

export function unknowns(s: InteriorState): u32 {
  return changetype<Rows>(s.rows).featureCount + 1;
}

export function strideOf(s: InteriorState): u32 {
  return matrixStride(changetype<Rows>(s.rows).featureCount);
}
