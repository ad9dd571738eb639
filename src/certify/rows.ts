// What every judge needs: one row of a matrix against a vector in float64, plainly, and the relative gap of two objectives.

import type { Matrix } from "../data/matrix.js";

// Design of the relative gap (docs/notation.md): keeps it defined where both objectives are zero.
const FLOOR = 1e-12;

/** (P - D) / max(|P|, |D|, floor); zeroObjective is that of the zero model. */
export function relativeGap(primal: number, dual: number, zeroObjective: number): number {
  if (primal === dual) return 0;
  // Below zero only by rounding: weak duality holds for the exact values.
  return Math.max(0, primal - dual) / Math.max(Math.abs(primal), Math.abs(dual), FLOOR * zeroObjective);
}

/** x_i'w. */
export function rowTimes(x: Matrix, i: number, w: Float64Array): number {
  const { values, indices } = x;
  let sum = 0;
  if (x.kind === "dense") {
    const from = i * x.featureCount;
    for (let j = 0; j < x.featureCount; j++) sum += (values[from + j] as number) * (w[j] as number);
    return sum;
  }
  const to = x.starts[i + 1] as number;
  for (let k = x.starts[i] as number; k < to; k++) sum += (values[k] as number) * (w[indices[k] as number] as number);
  return sum;
}

/** Rows whose scores are computed together, class after class, so that one class's weights stay in the cache. */
const BLOCK = 1024;

/** Calls `visit` with the scores w_m'x_i + b_m of every row; w: f64[classes * features], class by class. The array is used again. */
export function forEachScores(
  x: Matrix,
  rowIds: ArrayLike<number>,
  { w, bias }: { readonly w: Float64Array; readonly bias: ArrayLike<number> },
  visit: (scores: Float64Array, k: number) => void,
): void {
  const classCount = bias.length;
  const block = new Float64Array(BLOCK * classCount);
  for (let first = 0; first < rowIds.length; first += BLOCK) {
    const count = Math.min(BLOCK, rowIds.length - first);
    for (let m = 0; m < classCount; m++) {
      const weights = w.subarray(m * x.featureCount, (m + 1) * x.featureCount);
      const b = bias[m] as number;
      for (let k = 0; k < count; k++) block[k * classCount + m] = rowTimes(x, rowIds[first + k] as number, weights) + b;
    }
    for (let k = 0; k < count; k++) visit(block.subarray(k * classCount, (k + 1) * classCount), first + k);
  }
}

/** u += scale * x_i. */
export function addRow(u: Float64Array, scale: number, x: Matrix, i: number): void {
  const { values, indices } = x;
  if (x.kind === "dense") {
    const from = i * x.featureCount;
    for (let j = 0; j < x.featureCount; j++) u[j] = (u[j] as number) + scale * (values[from + j] as number);
    return;
  }
  const to = x.starts[i + 1] as number;
  for (let k = x.starts[i] as number; k < to; k++) {
    const j = indices[k] as number;
    u[j] = (u[j] as number) + scale * (values[k] as number);
  }
}

/** |x_i|^2. */
export function rowSquare(x: Matrix, i: number): number {
  const [from, to] =
    x.kind === "dense" ? [i * x.featureCount, (i + 1) * x.featureCount] : [x.starts[i] as number, x.starts[i + 1] as number];
  let sum = 0;
  for (let k = from; k < to; k++) sum += (x.values[k] as number) * (x.values[k] as number);
  return sum;
}

export function sumOfSquares(v: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < v.length; k++) sum += (v[k] as number) * (v[k] as number);
  return sum;
}
