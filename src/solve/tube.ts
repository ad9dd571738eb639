// What every solver of a regression does with a problem before it begins, and with an answer in the end.

import type { RegressionProblem, RegressionSolution } from "./problem.js";

/** A regression with its offset taken off the targets. */
export interface CentredTargets {
  /** f64[rows]: the targets less `centre`. */
  readonly targets: Float64Array;
  /** To be added to the bias: the targets' weighted mean if the bias is free, so that their offset takes no digits away; else 0. */
  readonly centre: number;
  /** P of w = 0 that predicts `centre`: the scale of the gap's floor. */
  readonly zeroObjective: number;
}

export function centreTargets({ targets, costs, loss, epsilon, bias }: RegressionProblem): CentredTargets {
  const centre = bias === "unregularised" ? weightedMean(targets, costs) : 0;
  const centred = new Float64Array(targets.length);
  const isPlain = loss === "epsilon_insensitive";
  let zeroObjective = 0;
  for (let k = 0; k < centred.length; k++) {
    const target = (targets[k] as number) - centre;
    centred[k] = target;
    const e = Math.max(0, Math.abs(target) - epsilon);
    zeroObjective += (costs[k] as number) * (isPlain ? e : e * e);
  }
  return { targets: centred, centre, zeroObjective };
}

/** The mean of the targets, counted from the first of them, so that a large offset takes no digits away; 0 where there are none. */
export function weightedMean(targets: Float64Array, weights: Float64Array): number {
  const first = targets[0] ?? 0;
  let sum = 0;
  let total = 0;
  for (let k = 0; k < targets.length; k++) {
    sum += (weights[k] as number) * ((targets[k] as number) - first);
    total += weights[k] as number;
  }
  return total > 0 ? first + sum / total : 0;
}

/** The answer where a constant that costs nothing has all targets in its tube, so that P = D = 0; undefined elsewhere. */
export function constantSolution({ targets, epsilon, bias }: RegressionProblem, featureCount: number): RegressionSolution | undefined {
  let least = Infinity;
  let most = -Infinity;
  for (let k = 0; k < targets.length; k++) {
    least = Math.min(least, targets[k] as number);
    most = Math.max(most, targets[k] as number);
  }
  const isFree = bias === "unregularised";
  const isInside = isFree ? most - least <= 2 * epsilon : Math.max(most, -least) <= epsilon;
  if (!isInside && targets.length > 0) return undefined;
  const constant = isFree && targets.length > 0 ? least + 0.5 * (most - least) : 0;
  return { w: new Float64Array(featureCount), bias: constant, beta: new Float64Array(targets.length), iterations: 0 };
}
