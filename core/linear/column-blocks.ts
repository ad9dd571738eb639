// Rows of a small set as columns of doubles, 64 rows to a block, so that products with a vector, sums of rows and the normal matrix take two rows an
// instruction and nothing has to be converted, looked up or branched on.
//
//   block    | column 0: 64 doubles | column 1 | ... | column stride - 1 |       then the next block
//            columns: the d features, the constant one whose weight is the bias, zeros up to a multiple of four. Rows behind the last one are zeros.
//   left     the same for one block and what its rows are summed with: | theta x_0 | ... | theta x_d | zeros if d + 1 is odd | right | centre |
//   tile     two columns of `left` with four of the block: eight sums over its rows, in registers
//
// Checked against plain loops in test/unit/core/column-blocks.test.ts.

import { RowKind, Rows } from "../layout/rows";
import { at, put } from "../memory";
import { denseRow } from "../rows";
import { foldLanes } from "../vector";
import { matrixRow } from "./cholesky";

// Bytes from one column to the next.
const COLUMN: usize = 512;

/** Where a block of so many columns begins. */
export function blockAt(columns: usize, block: u32, stride: u32): usize {
  return columns + <usize>block * stride * COLUMN;
}

/** Writes z_i = (x_i, biasScale) as row k of a block of zeros. */
export function putInColumns(block: usize, k: u32, x: Rows, i: u32, biasScale: f64): void {
  const first = block + ((<usize>k) << 3);
  if (x.kind == RowKind.Dense) {
    const row = denseRow(x, i);
    for (let j: u32 = 0; j < x.featureCount; j++) store<f64>(first + <usize>j * COLUMN, <f64>at<f32>(row, j));
  } else {
    const end = at<u32>(x.starts, i + 1);
    for (let n = at<u32>(x.starts, i); n < end; n++) store<f64>(first + <usize>at<u32>(x.indices, n) * COLUMN, <f64>at<f32>(x.values, n));
  }
  store<f64>(first + <usize>x.featureCount * COLUMN, biasScale);
}

/** out[k] = z_k't for the first `count` rows of a block, and for some behind them up to a multiple of eight. */
export function columnProducts(out: usize, block: usize, t: usize, unknowns: u32, count: u32): void {
  const end = t + ((<usize>unknowns) << 3);
  for (let k: u32 = 0; k < count; k += 8) {
    let column = block + ((<usize>k) << 3);
    let acc0 = f64x2.splat(0);
    let acc1 = f64x2.splat(0);
    let acc2 = f64x2.splat(0);
    let acc3 = f64x2.splat(0);
    for (let weight = t; weight < end; weight += 8) {
      const scale = v128.load64_splat(weight);
      acc0 = f64x2.add(acc0, f64x2.mul(scale, v128.load(column)));
      acc1 = f64x2.add(acc1, f64x2.mul(scale, v128.load(column, 16)));
      acc2 = f64x2.add(acc2, f64x2.mul(scale, v128.load(column, 32)));
      acc3 = f64x2.add(acc3, f64x2.mul(scale, v128.load(column, 48)));
      column += COLUMN;
    }
    const at8 = out + ((<usize>k) << 3);
    v128.store(at8, acc0);
    v128.store(at8, acc1, 16);
    v128.store(at8, acc2, 32);
    v128.store(at8, acc3, 48);
  }
}

/** t += sum_k scales[k] z_k over `count` rows, an even number. t: f64[stride]. */
export function addColumnSums(t: usize, block: usize, scales: usize, stride: u32, count: u32): void {
  const end = scales + ((<usize>count) << 3);
  for (let j: u32 = 0; j < stride; j += 4) {
    let column = block + <usize>j * COLUMN;
    let acc0 = f64x2.splat(0);
    let acc1 = f64x2.splat(0);
    let acc2 = f64x2.splat(0);
    let acc3 = f64x2.splat(0);
    for (let pair = scales; pair < end; pair += 16) {
      const scale = v128.load(pair);
      acc0 = f64x2.add(acc0, f64x2.mul(scale, v128.load(column)));
      acc1 = f64x2.add(acc1, f64x2.mul(scale, v128.load(column, COLUMN)));
      acc2 = f64x2.add(acc2, f64x2.mul(scale, v128.load(column, 2 * COLUMN)));
      acc3 = f64x2.add(acc3, f64x2.mul(scale, v128.load(column, 3 * COLUMN)));
      column += 16;
    }
    addFour(t + ((<usize>j) << 3), acc0, acc1, acc2, acc3);
  }
}

/** Where in `left` the numbers are that the sums beside M are made of. */
export function rightColumn(left: usize, unknowns: u32): usize {
  return left + <usize>evenly(unknowns) * COLUMN;
}

export function centreColumn(left: usize, unknowns: u32): usize {
  return rightColumn(left, unknowns) + COLUMN;
}

/** Fills `left` but for its last two columns: thetas[k] z_k for `count` rows, an even number. */
export function scaleColumns(left: usize, block: usize, thetas: usize, unknowns: u32, count: u32): void {
  const end = thetas + ((<usize>count) << 3);
  for (let j: u32 = 0; j < unknowns; j++) {
    let from = block + <usize>j * COLUMN;
    let to = left + <usize>j * COLUMN;
    for (let pair = thetas; pair < end; pair += 16) {
      v128.store(to, f64x2.mul(v128.load(pair), v128.load(from)));
      from += 16;
      to += 16;
    }
  }
  if (unknowns & 1) memory.fill(left + <usize>unknowns * COLUMN, 0, (<usize>count) << 3);
}

/** Adds `left` times the block to M's lower triangle, and what its last two columns make to `right` and `centre`, f64[stride] each. */
export function addColumnTiles(
  M: usize,
  right: usize,
  centre: usize,
  left: usize,
  block: usize,
  unknowns: u32,
  stride: u32,
  count: u32,
): void {
  const bytes = (<usize>count) << 3;
  for (let i: u32 = 0; i < unknowns; i += 2) {
    const row = matrixRow(M, stride, i);
    addTile(row, row + ((<usize>stride) << 3), left + <usize>i * COLUMN, bytes, block, i + 2);
  }
  addTile(right, centre, rightColumn(left, unknowns), bytes, block, unknowns);
}

/** Two columns of `left` with those of the block, four at a time, at least so many. */
function addTile(out0: usize, out1: usize, left: usize, bytes: usize, block: usize, columns: u32): void {
  for (let j: u32 = 0; j < columns; j += 4) {
    let acc00 = f64x2.splat(0);
    let acc01 = f64x2.splat(0);
    let acc02 = f64x2.splat(0);
    let acc03 = f64x2.splat(0);
    let acc10 = f64x2.splat(0);
    let acc11 = f64x2.splat(0);
    let acc12 = f64x2.splat(0);
    let acc13 = f64x2.splat(0);
    let column = block + <usize>j * COLUMN;
    const end = left + bytes;
    for (let pair = left; pair < end; pair += 16) {
      const a0 = v128.load(pair);
      const a1 = v128.load(pair, COLUMN);
      const b0 = v128.load(column);
      acc00 = f64x2.add(acc00, f64x2.mul(a0, b0));
      acc10 = f64x2.add(acc10, f64x2.mul(a1, b0));
      const b1 = v128.load(column, COLUMN);
      acc01 = f64x2.add(acc01, f64x2.mul(a0, b1));
      acc11 = f64x2.add(acc11, f64x2.mul(a1, b1));
      const b2 = v128.load(column, 2 * COLUMN);
      acc02 = f64x2.add(acc02, f64x2.mul(a0, b2));
      acc12 = f64x2.add(acc12, f64x2.mul(a1, b2));
      const b3 = v128.load(column, 3 * COLUMN);
      acc03 = f64x2.add(acc03, f64x2.mul(a0, b3));
      acc13 = f64x2.add(acc13, f64x2.mul(a1, b3));
      column += 16;
    }
    addFour(out0 + ((<usize>j) << 3), acc00, acc01, acc02, acc03);
    addFour(out1 + ((<usize>j) << 3), acc10, acc11, acc12, acc13);
  }
}

/** Adds the two lanes of each to four doubles. */
function addFour(out: usize, acc0: v128, acc1: v128, acc2: v128, acc3: v128): void {
  put<f64>(out, 0, at<f64>(out, 0) + foldLanes(acc0));
  put<f64>(out, 1, at<f64>(out, 1) + foldLanes(acc1));
  put<f64>(out, 2, at<f64>(out, 2) + foldLanes(acc2));
  put<f64>(out, 3, at<f64>(out, 3) + foldLanes(acc3));
}

/** Makes the number behind an odd number of them 0, as it meets a row of zeros and must be finite; returns how many there are with it. */
export function endEvenly(numbers: usize, count: u32): u32 {
  if (count & 1) put<f64>(numbers, count, 0);
  return evenly(count);
}

function evenly(count: u32): u32 {
  return (count + 1) & ~1;
}
