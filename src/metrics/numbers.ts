// How well numbers are predicted. As scikit-learn's metrics; squaredCorrelation as svm-predict prints it.
// Checked against recorded values in test/metrics.test.ts.

import { type MetricOptions, metricOptions } from "../base/options/metrics.js";
import { checkPair, numbersOf, weightsOf } from "./checked.js";

/** Returns the mean of the squared errors. */
export function meanSquaredError(y: ArrayLike<number>, predicted: ArrayLike<number>, options?: MetricOptions): number {
  return meanOf(y, predicted, options, (target, value) => (value - target) ** 2);
}

/** Returns the mean size of the errors. */
export function meanAbsoluteError(y: ArrayLike<number>, predicted: ArrayLike<number>, options?: MetricOptions): number {
  return meanOf(y, predicted, options, (target, value) => Math.abs(value - target));
}

/** Returns R^2: 1 less the squared errors over those of the mean. Where all targets are equal: 1 if they are predicted exactly, else 0. */
export function r2(y: ArrayLike<number>, predicted: ArrayLike<number>, options?: MetricOptions): number {
  const { targets, values, weights, total } = checked(y, predicted, options);
  const mean = meanBy(targets, weights, total);
  let left = 0;
  let all = 0;
  targets.forEach((target, i) => {
    left += (weights[i] as number) * (target - (values[i] as number)) ** 2;
    all += (weights[i] as number) * (target - mean) ** 2;
  });
  return all > 0 ? 1 - left / all : left === 0 ? 1 : 0;
}

/** Returns the square of the correlation of targets and predictions: 1 where one is a straight line of the other; 0 where either is constant. */
export function squaredCorrelation(y: ArrayLike<number>, predicted: ArrayLike<number>, options?: MetricOptions): number {
  const { targets, values, weights, total } = checked(y, predicted, options);
  const [meanTarget, meanValue] = [meanBy(targets, weights, total), meanBy(values, weights, total)];
  let [both, own, other] = [0, 0, 0];
  targets.forEach((target, i) => {
    const [a, b, weight] = [target - meanTarget, (values[i] as number) - meanValue, weights[i] as number];
    both += weight * a * b;
    own += weight * a * a;
    other += weight * b * b;
  });
  return own > 0 && other > 0 ? (both / own) * (both / other) : 0;
}

function checked(y: ArrayLike<number>, predicted: ArrayLike<number>, options: MetricOptions | undefined) {
  checkPair(y, predicted, "predicted");
  return {
    ...{ targets: numbersOf("the target", y), values: numbersOf("the prediction", predicted) },
    ...weightsOf(metricOptions.check(options).sampleWeight, y.length),
  };
}

function meanOf(
  y: ArrayLike<number>,
  predicted: ArrayLike<number>,
  options: MetricOptions | undefined,
  error: (target: number, value: number) => number,
): number {
  const { targets, values, weights, total } = checked(y, predicted, options);
  return targets.reduce((sum, target, i) => sum + (weights[i] as number) * error(target, values[i] as number), 0) / total;
}

/** Counted from the first, so that a large offset takes no digits away. */
function meanBy(list: Float64Array, weights: Float64Array, total: number): number {
  const first = list[0] as number;
  return first + list.reduce((sum, value, i) => sum + (weights[i] as number) * (value - first), 0) / total;
}
