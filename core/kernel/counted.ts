// Kernel values of sparse rows whose values are all 1 (categories, words that are there or not): products are counted, and there are so few different ones that the kernel is looked up.
//
//   lanes       feature j | u0_j u1_j ... u7_j |          0 or 1, in 16 bits each: half as many bytes and no multiplications; and one feature more that nobody has
//   row v       counts    +=  those of its features, four at a time; the last few are filled up with the one that nobody has, since lengths are what no processor foresees
//   argument    of rbf |u - v|^2 = |u|^2 + |v|^2 - 2 u'v, of others u'v: a whole number, at most the number of features that any of them has
//   value       table[argument], made once a kernel by the very functions that other rows go through (functions.ts)
//
// Whole numbers this small are exact in float32, so values are the bits that rows.ts would compute. Sums of predictions count sixteen rows at a time: counted-sums.ts. Both are checked in test/unit/core/kernel-counted.test.ts.

import { Kernel, KernelKind } from "../layout/kernel";
import { RowKind, Rows } from "../layout/rows";
import { at, put } from "../memory";
import { finishLane } from "./functions";

const LANES: u32 = 8;
const TILE: u32 = 512;

/** Whether rows are sparse and all their values 1; ends soon where they are not. */
export function areOnes(x: Rows): bool {
  if (x.kind != RowKind.Csr) return false;
  const one = f32x4.splat(1);
  let values = x.values;
  const end = values + ((<usize>at<u32>(x.starts, x.rowCount)) << 2);
  while (values + 64 <= end) {
    const low = v128.or(v128.xor(v128.load(values), one), v128.xor(v128.load(values, 16), one));
    const high = v128.or(v128.xor(v128.load(values, 32), one), v128.xor(v128.load(values, 48), one));
    if (v128.any_true(v128.or(low, high))) return false;
    values += 64;
  }
  for (; values < end; values += 4) if (load<f32>(values) != 1) return false;
  return true;
}

/** The other half of the memory of the lanes, behind the feature that nobody has: room for f32[4 featureCount - 4]. */
export function tableOf(k: Kernel): usize {
  return k.lanes + ((<usize>changetype<Rows>(k.rows).featureCount + 1) << 4);
}

/** Fills the table, for arguments below `size`, and up to three numbers more; to be called once, before any values are wanted. */
export function countedTable(k: Kernel, size: u32): void {
  const table = tableOf(k);
  const isRbf = k.kind == KernelKind.Rbf;
  for (let begin: u32 = 0; begin < size; begin += TILE) {
    const count = min(TILE, size - begin);
    // Either |v|^2 of rows that have nothing in common with one of no features at all, or products.
    for (let p: u32 = 0; p < count; p++) {
      put<f32>(k.tile, p, isRbf ? 0 : <f32>(begin + p));
      put<f32>(k.tileSquares, p, <f32>(begin + p));
    }
    finishLane(k, k.tile, table + ((<usize>begin) << 2), 0, count);
  }
}

/** As kernelRows. */
export function countedRows(k: Kernel, columns: usize, from: u32, to: u32): void {
  const table = tableOf(k);
  for (let begin = from; begin < to; begin += TILE) {
    const count = min(TILE, to - begin);
    countedArguments(k, columns + ((<usize>begin) << 2), count);
    for (let lane: u32 = 0; lane < k.laneCount; lane++) {
      const out = <usize>at<u32>(k.outs, lane) + ((<usize>begin) << 2);
      lookUp(table, k.tile + ((<usize>lane) << 1), out, count);
    }
  }
}

/** The arguments of eight lanes with `count` rows, at most TILE, position by position, into the tile: u16[count][8]. Reads up to three indices behind those of a row, and makes nothing of them. */
function countedArguments(k: Kernel, columns: usize, count: u32): void {
  const x = changetype<Rows>(k.rows);
  const lanes = k.lanes;
  const isRbf = k.kind == KernelKind.Rbf;
  const squares = laneSquares(k);
  const none = x.featureCount;
  let out = k.tile;
  for (let p: u32 = 0; p < count; p++) {
    const c = at<u32>(columns, p);
    const begin = at<u32>(x.starts, c);
    const size = at<u32>(x.starts, c + 1) - begin;
    let index = x.indices + ((<usize>begin) << 2);
    const end = index + ((<usize>(size & ~3)) << 2);
    let sum0 = i16x8.splat(0);
    let sum1 = sum0;
    for (; index < end; index += 16) {
      sum0 = i16x8.add(sum0, v128.load(lanes + ((<usize>load<u32>(index)) << 4)));
      sum1 = i16x8.add(sum1, v128.load(lanes + ((<usize>load<u32>(index, 4)) << 4)));
      sum0 = i16x8.add(sum0, v128.load(lanes + ((<usize>load<u32>(index, 8)) << 4)));
      sum1 = i16x8.add(sum1, v128.load(lanes + ((<usize>load<u32>(index, 12)) << 4)));
    }
    const left = size & 3;
    sum0 = i16x8.add(sum0, v128.load(lanes + ((<usize>select<u32>(load<u32>(index), none, left > 0)) << 4)));
    sum1 = i16x8.add(sum1, v128.load(lanes + ((<usize>select<u32>(load<u32>(index, 4), none, left > 1)) << 4)));
    sum0 = i16x8.add(sum0, v128.load(lanes + ((<usize>select<u32>(load<u32>(index, 8), none, left > 2)) << 4)));
    const dots = i16x8.add(sum0, sum1);
    v128.store(out, isRbf ? i16x8.sub(i16x8.add(squares, i16x8.splat(<i16>size)), i16x8.add(dots, dots)) : dots);
    out += 16;
  }
}

/** |u|^2 of the lanes, in 16 bits each; what does not fit comes out right in the end, as the argument does. */
function laneSquares(k: Kernel): v128 {
  for (let lane: u32 = 0; lane < LANES; lane++) put<u16>(k.dots, lane, <u16>at<f32>(k.laneSquares, lane));
  return v128.load(k.dots);
}

function lookUp(table: usize, arguments8: usize, out: usize, count: u32): void {
  const end = out + ((<usize>count) << 2);
  for (; out + 16 <= end; out += 16, arguments8 += 64) {
    store<f32>(out, at<f32>(table, <u32>load<u16>(arguments8)));
    store<f32>(out, at<f32>(table, <u32>load<u16>(arguments8, 16)), 4);
    store<f32>(out, at<f32>(table, <u32>load<u16>(arguments8, 32)), 8);
    store<f32>(out, at<f32>(table, <u32>load<u16>(arguments8, 48)), 12);
  }
  for (; out < end; out += 4, arguments8 += 16) store<f32>(out, at<f32>(table, <u32>load<u16>(arguments8)));
}
