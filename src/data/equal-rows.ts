// Which rows of a matrix hold the same. A few values of each row tell most rows apart; only those that these leave alike are looked at as a whole.

import { type Matrix, rowStart } from "./matrix.js";

/** Values of a row that tell it from most others. */
const BRIEF = 8;
/** Values looked at between two looks at the clock. */
const SLICE = 100_000;
const NONE = 0xffffffff;
const SIGN = 0x80000000;

/** Calls `work(from, to)` on [0, count), `size` at a time, and lets others have their turn between two of them. */
export interface Slices {
  inSlices(count: number, size: number, work: (from: number, to: number) => void): Promise<void>;
}

/** For each row the first one that holds the same; undefined if no two do. Stored zeros count as values. */
export async function equalRows(x: Matrix, pace: Slices): Promise<Uint32Array | undefined> {
  const n = x.rowCount;
  const words = new Uint32Array(x.values.buffer, x.values.byteOffset, x.values.length);
  const mask = 2 ** (32 - Math.clz32(4 * n)) - 1;
  const brief = new Uint32Array(n);
  const seen = new Uint8Array(mask + 1);
  await pace.inSlices(n, Math.ceil(SLICE / BRIEF), (from, to) => {
    for (let i = from; i < to; i++) {
      const slot = hashOf(x, words, i, BRIEF) & mask;
      brief[i] = slot;
      if ((seen[slot] as number) < 2) seen[slot] = (seen[slot] as number) + 1;
    }
  });
  const firstOf = new Uint32Array(n);
  const hashes = new Uint32Array(n);
  const table = new Uint32Array(mask + 1).fill(NONE);
  let isEqual = false;
  await pace.inSlices(n, Math.ceil(SLICE / (1 + x.valueCount / Math.max(1, n))), (from, to) => {
    for (let i = from; i < to; i++) {
      firstOf[i] = i;
      if (seen[brief[i] as number] === 1) continue;
      hashes[i] = hashOf(x, words, i, Infinity);
      let slot = (hashes[i] as number) & mask;
      for (; table[slot] !== NONE; slot = (slot + 1) & mask) {
        const other = table[slot] as number;
        if (hashes[other] === hashes[i] && holdSame(x, other, i)) break;
      }
      if (table[slot] === NONE) table[slot] = i;
      else {
        firstOf[i] = table[slot] as number;
        isEqual = true;
      }
    }
  });
  return isEqual ? firstOf : undefined;
}

/** A number made of at most `most` of the row's values, evenly spread. */
function hashOf(x: Matrix, words: Uint32Array, i: number, most: number): number {
  const from = rowStart(x, i);
  const count = rowStart(x, i + 1) - from;
  const step = Math.max(1, Math.floor(count / most));
  const isSparse = x.kind === "csr";
  let hash = Math.imul(count, 0x9e3779b1);
  for (let k = from; k < from + count; k += step) {
    if (isSparse) hash = Math.imul(hash ^ (x.indices[k] as number), 0x85ebca6b);
    // -0 is 0.
    const word = words[k] === SIGN ? 0 : (words[k] as number);
    hash = Math.imul(hash ^ word ^ (hash >>> 15), 0xc2b2ae35);
  }
  return (hash ^ (hash >>> 13)) >>> 0;
}

function holdSame(x: Matrix, i: number, j: number): boolean {
  const [a, b] = [rowStart(x, i), rowStart(x, j)];
  const count = rowStart(x, i + 1) - a;
  if (rowStart(x, j + 1) - b !== count) return false;
  for (let k = 0; k < count; k++) {
    if (x.values[a + k] !== x.values[b + k]) return false;
    if (x.kind === "csr" && x.indices[a + k] !== x.indices[b + k]) return false;
  }
  return true;
}
