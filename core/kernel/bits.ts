// Values of the rbf kernel for rows of ones (counted.ts) that have few features for their ones: a row is a string of bits, and |u - v|^2 is how many of them differ.
//
//   bits        row v      | features 0 to 63 | 64 to 127 | ...       2 or 4 words of 64 bits
//   lanes       lane l     the same of a row that is wanted
//   argument    |u - v|^2 = sum over words of popcount(u ^ v)
//   value       table[argument], as in counted.ts: the same bits
//
// How long a value takes depends on the number of features alone, not on how many ones there are. Checked in test/unit/core/kernel-counted.test.ts.

import { Kernel } from "../layout/kernel";
import { Rows } from "../layout/rows";
import { at, put } from "../memory";
import { tableOf } from "./counted";

/** Words in the kernel's tile: 512 rows of four. */
const TILE_WORDS: u32 = 2048;

/** Writes the rows `ids` of the kernel down as bits. */
export function writeBits(k: Kernel, ids: usize, count: u32): void {
  const x = changetype<Rows>(k.rows);
  const bytes = (<usize>k.bitWords) << 3;
  for (let p: u32 = 0; p < count; p++) {
    const i = at<u32>(ids, p);
    const row = k.bits + <usize>i * bytes;
    memory.fill(row, 0, bytes);
    const end = at<u32>(x.starts, i + 1);
    for (let e = at<u32>(x.starts, i); e < end; e++) setBit(row, at<u32>(x.indices, e), true);
  }
}

/** Writes a feature of a lane down, or takes it away again. */
export function setLaneBit(k: Kernel, lane: u32, j: u32, isIn: bool): void {
  setBit(k.lanes + ((<usize>(lane * k.bitWords)) << 3), j, isIn);
}

function setBit(row: usize, j: u32, isIn: bool): void {
  const bit: u64 = (<u64>1) << (<u64>(j & 63));
  const word = at<u64>(row, j >>> 6);
  put<u64>(row, j >>> 6, isIn ? word | bit : word & ~bit);
}

/** As kernelRows. */
export function bitRows(k: Kernel, columns: usize, from: u32, to: u32): void {
  const words = k.bitWords;
  const step = TILE_WORDS / words;
  const table = tableOf(k);
  for (let begin = from; begin < to; begin += step) {
    const count = min(step, to - begin);
    gatherBits(k, columns + ((<usize>begin) << 2), count);
    for (let lane: u32 = 0; lane < k.laneCount; lane++) {
      const out = <usize>at<u32>(k.outs, lane) + ((<usize>begin) << 2);
      const own = k.lanes + ((<usize>(lane * words)) << 3);
      if (words == 2) valuesOfTwo(k.tile, load<u64>(own), load<u64>(own, 8), table, out, count);
      else valuesOfFour(k.tile, own, table, out, count);
    }
  }
}

/** The rows of `count` positions side by side into the tile. */
function gatherBits(k: Kernel, columns: usize, count: u32): void {
  const bytes = (<usize>k.bitWords) << 3;
  const bits = k.bits;
  let out = k.tile;
  for (const end = columns + ((<usize>count) << 2); columns < end; columns += 4) {
    const row = bits + <usize>load<u32>(columns) * bytes;
    v128.store(out, v128.load(row));
    if (bytes > 16) v128.store(out, v128.load(row, 16), 16);
    out += bytes;
  }
}

/** Rows of two words with a lane. */
function valuesOfTwo(row: usize, own0: u64, own1: u64, table: usize, out: usize, count: u32): void {
  const end = out + ((<usize>count) << 2);
  for (; out + 8 <= end; out += 8, row += 32) {
    const different0 = popcnt<u64>(load<u64>(row) ^ own0) + popcnt<u64>(load<u64>(row, 8) ^ own1);
    const different1 = popcnt<u64>(load<u64>(row, 16) ^ own0) + popcnt<u64>(load<u64>(row, 24) ^ own1);
    store<f32>(out, load<f32>(table + ((<usize>different0) << 2)));
    store<f32>(out, load<f32>(table + ((<usize>different1) << 2)), 4);
  }
  if (out == end) return;
  const different = popcnt<u64>(load<u64>(row) ^ own0) + popcnt<u64>(load<u64>(row, 8) ^ own1);
  store<f32>(out, load<f32>(table + ((<usize>different) << 2)));
}

/** Rows of four. */
function valuesOfFour(row: usize, own: usize, table: usize, out: usize, count: u32): void {
  const own0 = load<u64>(own);
  const own1 = load<u64>(own, 8);
  const own2 = load<u64>(own, 16);
  const own3 = load<u64>(own, 24);
  for (const end = out + ((<usize>count) << 2); out < end; out += 4, row += 32) {
    const low = popcnt<u64>(load<u64>(row) ^ own0) + popcnt<u64>(load<u64>(row, 8) ^ own1);
    const high = popcnt<u64>(load<u64>(row, 16) ^ own2) + popcnt<u64>(load<u64>(row, 24) ^ own3);
    store<f32>(out, load<f32>(table + ((<usize>(low + high)) << 2)));
  }
}
