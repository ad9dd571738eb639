// Classes in the originals' order: as they appear in the data, but +1 before -1. A fit numbers its classes so that its own order is that one; files get the labels back.

import { checkCost, type Flags, Refusal, refuseIf } from "./program.js";

export interface OrderedClasses {
  /** In the order of the file. */
  readonly labels: readonly number[];
  /** f64[rows]: of two classes 1 for the first label and 0 for the second, which is how hinge counts; of more, the place of the label. */
  readonly numbers: Float64Array;
}

export function orderedClasses(y: ArrayLike<number>): OrderedClasses {
  const places = new Map<number, number>();
  for (let i = 0; i < y.length; i++) if (!places.has(labelOf(y, i))) places.set(labelOf(y, i), places.size);
  const found = [...places.keys()];
  const labels = found.length === 2 && found[0] === -1 && found[1] === 1 ? [1, -1] : found;
  return { labels, numbers: Float64Array.from({ length: y.length }, (_, i) => numberOf(labels, labelOf(y, i))) };
}

/** Labels are whole numbers to the originals: what is behind the point is dropped. Those that their files cannot hold become one and the same there. */
function labelOf(y: ArrayLike<number>, i: number): number {
  const label = Math.trunc(y[i] as number) + 0;
  if (Math.abs(label) < 2 ** 31) return label;
  throw new Refusal(
    `label ${y[i]} (row ${i + 1}) does not fit into a model file: labels of classes must be whole numbers from ${1 - 2 ** 31} to ${2 ** 31 - 1}; give the class another`,
  );
}

/** The number that a fit knows a label by. */
export function numberOf(labels: readonly number[], label: number): number {
  const place = labels.indexOf(label);
  return labels.length === 2 ? 1 - place : place;
}

/** What multiplies C of every class, by -w; `warn` hears of labels that no row has. */
export function classCosts(labels: readonly number[], C: number, weights: Flags["weights"], warn: (text: string) => void): number[] {
  const costs = labels.map(() => 1);
  for (const { label, weight } of weights) {
    refuseIf(!(weight >= 0 && weight < Infinity), `-w${label} must be a finite number of at least 0, got ${weight}`);
    const place = labels.indexOf(label);
    if (place < 0) warn(`WARNING: class label ${label} specified in weight is not found\n`);
    else costs[place] = (costs[place] as number) * weight;
  }
  return costs.map((cost, place) => {
    if (cost > 0) checkCost(C * cost, `-c times -w${labels[place]}`);
    return Math.max(cost, NEXT_TO_NOTHING);
  });
}

/** What rows cost that shall count for nothing: a fit has rows of every class that cost something. */
export const NEXT_TO_NOTHING = 1e-30;

/** The same by the numbers that a fit knows the labels by. */
export function costsByNumber(labels: readonly number[], costs: readonly number[]): Map<number, number> {
  return new Map(labels.map((label, place) => [numberOf(labels, label), costs[place] as number]));
}

/** Labels of a file that holds a fit's numbers. */
export function labelsOfNumbers(labels: readonly number[], numbers: ArrayLike<number>): Int32Array {
  return Int32Array.from(numbers, (number) => (labels.length === 2 ? labels[1 - number] : labels[number]) as number);
}

/** The first of the largest. */
export function placeOfLargest(list: Float64Array): number {
  let best = 0;
  for (let k = 1; k < list.length; k++) if ((list[k] as number) > (list[best] as number)) best = k;
  return best;
}
