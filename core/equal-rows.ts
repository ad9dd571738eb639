// Which rows of a matrix hold the same, and some rows of it side by side in a matrix of their own. Checked in test/property/merged-rows.test.ts and
// test/property/fewer-rows.test.ts.

import { RowKind, Rows } from "./layout/rows";
import { at, put } from "./memory";
import { rowLength } from "./rows";

const EMPTY: u32 = 0;

/**
 * For rows i of [from, to), which follow those that were looked at before, firstOf[i]: the first row that holds the same. Returns how many have an earlier one. Stored zeros
 * count as values. hashes: u32[n]. table: u32[mask + 1], zeros at first, at least twice as many as rows: a row, counted from 1, at the hash of what it holds or behind.
 */
export function equalRows(x: Rows, firstOf: usize, hashes: usize, table: usize, mask: u32, from: u32, to: u32): u32 {
  let copies: u32 = 0;
  for (let i = from; i < to; i++) {
    const hash = hashOf(x, i);
    put<u32>(hashes, i, hash);
    let slot = hash & mask;
    let first = i;
    for (;;) {
      const entry = at<u32>(table, slot);
      if (entry == EMPTY) {
        put<u32>(table, slot, i + 1);
        break;
      }
      if (at<u32>(hashes, entry - 1) == hash && holdSame(x, entry - 1, i)) {
        first = entry - 1;
        copies++;
        break;
      }
      slot = (slot + 1) & mask;
    }
    put<u32>(firstOf, i, first);
  }
  return copies;
}

/** Two chains, one of values and one of features, so that neither waits for the other. */
function hashOf(x: Rows, i: u32): u32 {
  const length = rowLength(x, i);
  const begin = rowOffset(x, i);
  let value = x.values + begin;
  const end = value + ((<usize>length) << 2);
  let index = x.indices + begin;
  const isSparse = x.kind == RowKind.Csr;
  let a: u32 = length;
  let b: u32 = 0x9e3779b1;
  for (; value < end; value += 4, index += 4) {
    // -0 is 0: with 0 added it is, too.
    a = (rotl<u32>(a, 15) ^ reinterpret<u32>(load<f32>(value) + 0)) * 0xc2b2ae35;
    if (isSparse) b = (rotl<u32>(b, 13) ^ load<u32>(index)) * 0x85ebca6b;
  }
  a ^= rotl<u32>(b, 7) * 0x27d4eb2f;
  a ^= a >> 15;
  a *= 0x2c1b3c6d;
  return a ^ (a >> 12);
}

function rowOffset(x: Rows, i: u32): usize {
  return (<usize>(x.kind == RowKind.Dense ? i * x.featureCount : at<u32>(x.starts, i))) << 2;
}

function holdSame(x: Rows, i: u32, j: u32): bool {
  const length = rowLength(x, i);
  if (rowLength(x, j) != length) return false;
  const one = rowOffset(x, i);
  const other = rowOffset(x, j);
  for (let k: u32 = 0; k < length; k++) {
    if (at<f32>(x.values + one, k) != at<f32>(x.values + other, k)) return false;
    if (x.kind == RowKind.Csr && at<u32>(x.indices + one, k) != at<u32>(x.indices + other, k)) return false;
  }
  return true;
}

/** The rows of `ids`, one behind the other, into the arrays of `out`, which has room for them: `count` of them, of the same kind. */
export function gatherRows(x: Rows, ids: usize, count: u32, out: Rows): void {
  let next: u32 = 0;
  if (x.kind == RowKind.Csr) put<u32>(out.starts, 0, 0);
  for (let k: u32 = 0; k < count; k++) {
    const i = at<u32>(ids, k);
    const length = rowLength(x, i);
    const from = rowOffset(x, i);
    const to = (<usize>next) << 2;
    memory.copy(out.values + to, x.values + from, (<usize>length) << 2);
    next += length;
    if (x.kind != RowKind.Csr) continue;
    memory.copy(out.indices + to, x.indices + from, (<usize>length) << 2);
    put<u32>(out.starts, k + 1, next);
  }
}
