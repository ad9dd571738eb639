// The values of a matrix as plain rows, for comparing.

import type { Matrix } from "../src/index.ts";

/** Row by row, as plain arrays, with zeros where nothing is stored. */
export function rowsOf(x: Matrix): number[][] {
  return Array.from({ length: x.rowCount }, (_, i) => {
    const row = new Array<number>(x.featureCount).fill(0);
    x.forEachInRow(i, (j, value) => {
      row[j] = value + 0;
    });
    return row;
  });
}
