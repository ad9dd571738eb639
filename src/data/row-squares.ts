// Squared lengths of rows.

import { type Matrix, rowStart } from "./matrix.js";

/** |x_i|^2 of some rows. */
export function rowSquares(x: Matrix, rowIds: Uint32Array): Float64Array {
  const { values } = x;
  const squares = new Float64Array(rowIds.length);
  for (let k = 0; k < squares.length; k++) {
    const row = rowIds[k] as number;
    const end = rowStart(x, row + 1);
    let square = 0;
    for (let at = rowStart(x, row); at < end; at++) square += (values[at] as number) * (values[at] as number);
    squares[k] = square;
  }
  return squares;
}

/** The largest of them, 0 of none. */
export function mostSquare(x: Matrix, rowIds: Uint32Array): number {
  return rowSquares(x, rowIds).reduce((most, square) => Math.max(most, square), 0);
}
