// What every solver of a one-class problem does with a problem before it begins.

import { sumOf } from "../base/sums.js";
import type { OneClassProblem, OneClassSolution } from "./problem.js";

/** N, what the dual variables add up to. */
export function totalOf({ nu, weights }: OneClassProblem): number {
  return nu * sumOf(weights);
}

/** The answer where all rows are empty: any dual variables will do. */
export function emptySolution({ nu, weights }: OneClassProblem, featureCount: number): OneClassSolution {
  return { w: new Float64Array(featureCount), rho: 0, alpha: weights.map((weight) => nu * weight), iterations: 0 };
}

/** What |D| would be if all rows pointed the same way: the scale of the gap's floor. */
export function sizeOf(squares: Float64Array, weights: Float64Array, total: number): number {
  let weighted = 0;
  let sum = 0;
  for (let k = 0; k < squares.length; k++) {
    weighted += (weights[k] as number) * (squares[k] as number);
    sum += weights[k] as number;
  }
  return sum > 0 ? (0.5 * total * total * weighted) / sum : 0;
}

/** The median of those that are not 0: a few rows far off do not move it. */
export function middleOf(squares: Float64Array): number {
  const sorted = squares.filter((square) => square > 0).sort();
  return sorted[sorted.length >> 1] ?? 1;
}
