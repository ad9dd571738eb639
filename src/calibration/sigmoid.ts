// The sigmoid that turns decision values into probabilities: p(f) = 1 / (1 + e^-(slope f + offset)), slope >= 0, with the least weighted log loss
//
//   F = -sum_i w_i (t_i log p(f_i) + (1 - t_i) log(1 - p(f_i)))        t_i = (N+ + 1) / (N+ + 2) for positive rows, 1 / (N- + 2) for the others, N the weight of each side
//
// Targets between 0 and 1 keep it finite where classes are apart (Platt 1999). Newton's method with steps that are halved until they gain, on logarithms that never overflow
// (Lin, Lin and Weng 2007). A slope below 0 would rank rows against the model: then the best constant is taken. Checked in test/calibration.test.ts.

import { exp, log, log1p } from "../base/math.js";
import { sigmoid } from "./sums.js";

export interface Sigmoid {
  readonly slope: number;
  readonly offset: number;
}

const MOST_STEPS = 100;
const LEAST_PART = 2 ** -40;

/** `isPositive`: 1 or 0 a row. `mayFall`: take the slope as it is. Some weight must be above 0. */
export function fitSigmoid(
  scores: ArrayLike<number>,
  isPositive: ArrayLike<number>,
  weights: ArrayLike<number>,
  { mayFall = false }: { mayFall?: boolean } = {},
): Sigmoid {
  const count = scores.length;
  let [positive, negative, size] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    if (isPositive[i] === 1) positive += weights[i] as number;
    else negative += weights[i] as number;
    size = Math.max(size, Math.abs(scores[i] as number));
  }
  const targets = Float64Array.from({ length: count }, (_, i) =>
    isPositive[i] === 1 ? (positive + 1) / (positive + 2) : 1 / (negative + 2),
  );
  const constant = bestConstant(targets, weights);
  if (size === 0) return constant;
  // On scores of size 1 both numbers are of one scale.
  const own = Float64Array.from({ length: count }, (_, i) => (scores[i] as number) / size);
  const { slope, offset } = minimum(own, targets, weights, constant);
  return slope > 0 || mayFall ? { slope: slope / size, offset } : constant;
}

function bestConstant(targets: Float64Array, weights: ArrayLike<number>): Sigmoid {
  let [sum, total] = [0, 0];
  for (let i = 0; i < targets.length; i++) {
    sum += (weights[i] as number) * (targets[i] as number);
    total += weights[i] as number;
  }
  return { slope: 0, offset: log(sum / (total - sum)) };
}

function minimum(scores: Float64Array, targets: Float64Array, weights: ArrayLike<number>, start: Sigmoid): Sigmoid {
  let { slope, offset } = start;
  let value = lossAt(scores, targets, weights, slope, offset);
  for (let step = 0; step < MOST_STEPS; step++) {
    let [g1, g2, h11, h12, h22] = [0, 0, 1e-12, 0, 1e-12];
    for (let i = 0; i < scores.length; i++) {
      const f = scores[i] as number;
      const p = sigmoid(slope * f + offset);
      const w = weights[i] as number;
      const d = w * (p - (targets[i] as number));
      const h = w * p * (1 - p);
      g1 += d * f;
      g2 += d;
      h11 += h * f * f;
      h12 += h * f;
      h22 += h;
    }
    const determinant = h11 * h22 - h12 * h12;
    const d1 = (h12 * g2 - h22 * g1) / determinant;
    const d2 = (h12 * g1 - h11 * g2) / determinant;
    const fall = g1 * d1 + g2 * d2;
    let part = 1;
    let next = lossAt(scores, targets, weights, slope + d1, offset + d2);
    while (!(next < value + 1e-4 * part * fall) && part > LEAST_PART) {
      part /= 2;
      next = lossAt(scores, targets, weights, slope + part * d1, offset + part * d2);
    }
    if (!(next < value)) break;
    slope += part * d1;
    offset += part * d2;
    value = next;
  }
  return { slope, offset };
}

function lossAt(scores: Float64Array, targets: Float64Array, weights: ArrayLike<number>, slope: number, offset: number): number {
  let sum = 0;
  for (let i = 0; i < scores.length; i++) {
    const z = slope * (scores[i] as number) + offset;
    // -t log p - (1 - t) log(1 - p), without e^z where that is large.
    const rest = log1p(exp(-Math.abs(z)));
    sum += (weights[i] as number) * (z >= 0 ? (1 - (targets[i] as number)) * z + rest : rest - (targets[i] as number) * z);
  }
  return sum;
}
