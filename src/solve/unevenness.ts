// How far columns are from being scaled: what makes coordinate descent slow.
//
//   mean_j E[x_j^2] / min_j Var[x_j]        over columns that vary; 1 for standardised columns, at least 1 for all others
//
// Descent's number of passes grows with the condition of X'X, whose largest eigenvalue is at most the sum of E[x_j^2], offsets included, and whose
// smallest is at most the smallest variance, once the bias has taken the offsets away.

import { type Matrix, rowStart } from "../data/matrix.js";

export function unevenness(x: Matrix, rowIds: ArrayLike<number>): number {
  const { kind, featureCount, values, indices } = x;
  const sums = new Float64Array(featureCount);
  const squares = new Float64Array(featureCount);
  for (let k = 0; k < rowIds.length; k++) {
    const row = rowIds[k] as number;
    const from = rowStart(x, row);
    const to = rowStart(x, row + 1);
    for (let at = from; at < to; at++) {
      const j = kind === "dense" ? at - from : (indices[at] as number);
      const value = values[at] as number;
      sums[j] = (sums[j] as number) + value;
      squares[j] = (squares[j] as number) + value * value;
    }
  }
  let total = 0;
  let least = Infinity;
  let varying = 0;
  for (let j = 0; j < featureCount; j++) {
    const square = (squares[j] as number) / rowIds.length;
    const variance = square - ((sums[j] as number) / rowIds.length) ** 2;
    // What is left of a constant column is rounding.
    if (variance <= ROUNDING * square) continue;
    total += square;
    least = Math.min(least, variance);
    varying++;
  }
  return varying === 0 ? 1 : total / varying / least;
}

const ROUNDING = 1e-12;
