// The model that has w = 0 beside a solution's dual variables. Dual methods keep w = sum a y x, which early on may be far worse than no model at all.

import { sumOf } from "../base/sums.js";
import type { BinarySolution, MultiClassSolution, RegressionProblem, RegressionSolution } from "./problem.js";
import { weightedMean } from "./tube.js";

export function binaryAtRest(solution: BinarySolution): BinarySolution {
  return { ...solution, w: new Float64Array(solution.w.length), bias: 0 };
}

export function jointAtRest(solution: MultiClassSolution): MultiClassSolution {
  return { ...solution, w: new Float64Array(solution.w.length), bias: new Float64Array(solution.bias.length) };
}

/** A free bias costs nothing: it predicts the mean, or the median where distances count as they are. */
export function regressionAtRest({ bias, loss, targets, costs }: RegressionProblem): (solution: RegressionSolution) => RegressionSolution {
  const middle = loss === "epsilon_insensitive" ? weightedMedian : weightedMean;
  return (solution) => ({
    ...solution,
    w: new Float64Array(solution.w.length),
    bias: bias === "unregularised" ? middle(targets, costs) : 0,
  });
}

/** The least target with at least half of the weight at or below it. */
function weightedMedian(targets: Float64Array, weights: Float64Array): number {
  const order = Uint32Array.from(targets, (_, k) => k).sort((a, b) => (targets[a] as number) - (targets[b] as number));
  const half = 0.5 * sumOf(weights);
  let below = 0;
  for (const k of order) {
    below += weights[k] as number;
    if (below >= half) return targets[k] as number;
  }
  return 0;
}
