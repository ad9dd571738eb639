// A number for what a row holds: rows that are equal have the same one, rows that are not have different ones but for one chance in 2^53.

import type { Matrix } from "./matrix.js";

/** One a row. With `digits`, of the values as a text of that many digits holds them. Zeros are as good as absent. */
export function rowKeys(x: Matrix, digits?: number): Float64Array {
  const keys = new Float64Array(x.rowCount);
  const asFloat = new Float32Array(1);
  const asWord = new Uint32Array(asFloat.buffer);
  for (let i = 0; i < x.rowCount; i++) {
    // Two hashes of 32 bits, by multiplication with odd numbers, the second one shaken besides; 53 bits of them are kept.
    let one = 0x811c9dc5;
    let two = 0x9e3779b9;
    const add = (word: number): void => {
      one = Math.imul(one ^ word, 0x01000193);
      two = Math.imul(two ^ word, 0x85ebca6b);
      one ^= one >>> 15;
      two ^= two >>> 13;
    };
    x.forEachInRow(i, (feature, value) => {
      if (value === 0) return;
      asFloat[0] = digits === undefined ? value : Number(value.toPrecision(digits));
      add(feature);
      add(asWord[0] as number);
    });
    keys[i] = (one >>> 0) * 2 ** 21 + (two >>> 11);
  }
  return keys;
}
