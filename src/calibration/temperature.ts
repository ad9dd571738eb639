// The one number that decision values are multiplied with before they are taken for logarithms of odds: the least weighted log loss over b >= 0 of
//
//   two classes, or pairs    p = 1 / (1 + e^(-b f))
//   one value a class        p_k = e^(b f_k) / sum_m e^(b f_m)
//
// Both are convex in b: Newton's method, halved where it does not gain (Guo and others 2017, where T = 1 / b). Checked in test/calibration.test.ts.

import { exp, log } from "../base/math.js";

/** A row's decision values, one an alternative, which of them is right, and how much it counts: pairs have f and 0. */
export interface Choice {
  readonly values: ArrayLike<number>;
  readonly right: number;
  readonly weight: number;
}

const MOST_STEPS = 100;
const LEAST_PART = 2 ** -40;

export function fitTemperature(choices: readonly Choice[]): number {
  const margins = choices.map(marginOf);
  const middle = middleOf(margins.map(Math.abs).filter((margin) => margin > 0));
  if (middle === undefined) return 1;
  // Where every row is on its side the loss falls for ever: then the row in the middle has odds of one more than there are rows to 1.
  const weight = choices.reduce((sum, choice) => sum + choice.weight, 0);
  if (margins.every((margin) => margin >= 0)) return log(weight + 1) / middle;
  let b = 1 / middle;
  let { value, slope, bend } = lossAt(choices, b);
  for (let step = 0; step < MOST_STEPS; step++) {
    const wanted = Math.max(b - slope / Math.max(bend, Number.MIN_VALUE), 0);
    if (wanted === b || !Number.isFinite(wanted)) break;
    let part = 1;
    let next = lossAt(choices, wanted);
    while (!(next.value < value) && part > LEAST_PART) {
      part /= 2;
      next = lossAt(choices, b + part * (wanted - b));
    }
    if (!(next.value < value)) break;
    b += part * (wanted - b);
    ({ value, slope, bend } = next);
  }
  return b;
}

/** How far the right value is above the largest of the others; below 0 where it is not. */
function marginOf({ values, right }: Choice): number {
  let most = -Infinity;
  for (let k = 0; k < values.length; k++) if (k !== right) most = Math.max(most, values[k] as number);
  return values.length < 2 ? 0 : (values[right] as number) - most;
}

function middleOf(list: readonly number[]): number | undefined {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
}

function lossAt(choices: readonly Choice[], b: number): { value: number; slope: number; bend: number } {
  let [value, slope, bend] = [0, 0, 0];
  for (const { values, right, weight } of choices) {
    let most = -Infinity;
    for (let k = 0; k < values.length; k++) most = Math.max(most, b * (values[k] as number));
    let [sum, mean, square] = [0, 0, 0];
    for (let k = 0; k < values.length; k++) {
      const f = values[k] as number;
      const e = exp(b * f - most);
      sum += e;
      mean += e * f;
      square += e * f * f;
    }
    mean /= sum;
    const own = values[right] as number;
    value += weight * (most + log(sum) - b * own);
    slope += weight * (mean - own);
    bend += weight * (square / sum - mean * mean);
  }
  return { value, slope, bend };
}
