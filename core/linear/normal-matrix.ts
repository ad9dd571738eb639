// M += sum_i theta_i z_i z_i', lower triangle, for rows z_i = (x_i, biasScale). Two ways, one result up to rounding:
//
//   addOuter          one sparse row: nnz^2 / 2 additions scattered over M. For short rows.
//   packRow, addTiles BLOCK rows at a time: sqrt(theta_i) z_i in panels of four columns, then M's 4 x 4 tiles, each summed in registers
//                     over the whole block. d^2 / 2 multiplications a row, four times as fast each. For dense and dense-like rows.
//
//   panels   f64, panel p holds columns 4p .. 4p+3:   | row 0: 4 doubles | row 1 | ... | row BLOCK-1 |  then panel p + 1
//   tile     rows 4p + r, columns 4q + c of M, q <= p:        acc_r0 = | r,0  r,1 |   acc_r1 = | r,2  r,3 |
//
// Sums in float64 of float32 values. Checked against plain loops in test/unit/core/normal-matrix.test.ts.

import { RowKind, Rows } from "../layout/rows";
import { at, put } from "../memory";
import { denseRow } from "../rows";
import { matrixRow } from "./cholesky";

/** Rows to a block: 64 rows of 800 features fill 400 kB, which stays in the second-level cache. */
export const BLOCK: u32 = 64;

const PANEL: u32 = 4;
// Bytes from one row of a panel to the next, and from one panel to the next.
const ROW_BYTES: usize = 32;
const PANEL_BYTES: usize = 2048;

/** Doubles in a row of M for d features and the bias: a multiple of four. */
export function matrixStride(featureCount: u32): u32 {
  return (featureCount + 1 + (PANEL - 1)) & ~(PANEL - 1);
}

/** M += theta z_i z_i' for a row of a CSR matrix, whose features rise along the row. */
export function addOuter(M: usize, theta: f64, biasScale: f64, x: Rows, i: u32): void {
  const stride = matrixStride(x.featureCount);
  const start = at<u32>(x.starts, i);
  const count = at<u32>(x.starts, i + 1) - start;
  const values = x.values + ((<usize>start) << 2);
  const indices = x.indices + ((<usize>start) << 2);
  const bias = matrixRow(M, stride, x.featureCount);
  for (let k: u32 = 0; k < count; k++) {
    const scaled = theta * <f64>at<f32>(values, k);
    const j = at<u32>(indices, k);
    const row = matrixRow(M, stride, j);
    for (let l: u32 = 0; l <= k; l++) {
      const entry = row + ((<usize>at<u32>(indices, l)) << 3);
      store<f64>(entry, load<f64>(entry) + scaled * <f64>at<f32>(values, l));
    }
    put<f64>(bias, j, at<f64>(bias, j) + scaled * biasScale);
  }
  put<f64>(bias, x.featureCount, at<f64>(bias, x.featureCount) + theta * biasScale * biasScale);
}

/** Writes sqrt(theta) z_i as row k of the panels. */
export function packRow(panels: usize, k: u32, theta: f64, biasScale: f64, x: Rows, i: u32): void {
  const scale = sqrt(theta);
  const first = panels + <usize>k * ROW_BYTES;
  if (x.kind == RowKind.Dense) {
    const row = denseRow(x, i);
    for (let j: u32 = 0; j < x.featureCount; j++) putColumn(first, j, scale * <f64>at<f32>(row, j));
    for (let j = x.featureCount + 1; j < matrixStride(x.featureCount); j++) putColumn(first, j, 0);
  } else {
    for (let j: u32 = 0; j < matrixStride(x.featureCount); j++) putColumn(first, j, 0);
    const end = at<u32>(x.starts, i + 1);
    for (let at32 = at<u32>(x.starts, i); at32 < end; at32++) {
      putColumn(first, at<u32>(x.indices, at32), scale * <f64>at<f32>(x.values, at32));
    }
  }
  putColumn(first, x.featureCount, scale * biasScale);
}

function putColumn(first: usize, j: u32, value: f64): void {
  store<f64>(first + <usize>(j >> 2) * PANEL_BYTES + ((<usize>(j & 3)) << 3), value);
}

/** Adds the first `count` packed rows to M's tiles of panel p: rows 4p .. 4p+3, columns up to 4p+3. */
export function addTiles(M: usize, stride: u32, panels: usize, count: u32, p: u32): void {
  const left = panels + <usize>p * PANEL_BYTES;
  const end = left + <usize>count * ROW_BYTES;
  for (let q: u32 = 0; q <= p; q++) {
    addTile(matrixRow(M, stride, p * PANEL) + <usize>q * ROW_BYTES, (<usize>stride) << 3, left, end, panels + <usize>q * PANEL_BYTES);
  }
}

/** One tile: eight accumulators, six loads for eight multiplications of two lanes. */
function addTile(out: usize, rowBytes: usize, left: usize, end: usize, right: usize): void {
  let acc00 = f64x2.splat(0);
  let acc01 = f64x2.splat(0);
  let acc10 = f64x2.splat(0);
  let acc11 = f64x2.splat(0);
  let acc20 = f64x2.splat(0);
  let acc21 = f64x2.splat(0);
  let acc30 = f64x2.splat(0);
  let acc31 = f64x2.splat(0);
  while (left < end) {
    const b0 = v128.load(right);
    const b1 = v128.load(right, 16);
    const a0 = v128.load64_splat(left);
    acc00 = f64x2.add(acc00, f64x2.mul(a0, b0));
    acc01 = f64x2.add(acc01, f64x2.mul(a0, b1));
    const a1 = v128.load64_splat(left, 8);
    acc10 = f64x2.add(acc10, f64x2.mul(a1, b0));
    acc11 = f64x2.add(acc11, f64x2.mul(a1, b1));
    const a2 = v128.load64_splat(left, 16);
    acc20 = f64x2.add(acc20, f64x2.mul(a2, b0));
    acc21 = f64x2.add(acc21, f64x2.mul(a2, b1));
    const a3 = v128.load64_splat(left, 24);
    acc30 = f64x2.add(acc30, f64x2.mul(a3, b0));
    acc31 = f64x2.add(acc31, f64x2.mul(a3, b1));
    left += ROW_BYTES;
    right += ROW_BYTES;
  }
  addPair(out, acc00, acc01);
  addPair(out + rowBytes, acc10, acc11);
  addPair(out + 2 * rowBytes, acc20, acc21);
  addPair(out + 3 * rowBytes, acc30, acc31);
}

function addPair(out: usize, low: v128, high: v128): void {
  v128.store(out, f64x2.add(v128.load(out), low));
  v128.store(out, f64x2.add(v128.load(out, 16), high), 16);
}
