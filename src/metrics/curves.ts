// How well scores rank the rows of one class above the others, and how true probabilities are. As scikit-learn's roc_curve, precision_recall_curve,
// average_precision_score, calibration_curve, brier_score_loss and log_loss; all with weights.
// Checked against recorded values of scikit-learn in test/metrics.test.ts.

import { HingeError, shown } from "../base/errors.js";
import { log } from "../base/math.js";
import {
  type CalibrationOptions,
  type CheckedCurveOptions,
  type CurveOptions,
  calibrationOptions,
  curveOptions,
  type MetricOptions,
  metricOptions,
} from "../base/options/metrics.js";
import { checkPair, classesOf, type MetricLabel, type MetricLabels, numbersOf, weightsOf } from "./checked.js";

/** From the highest threshold, above all scores, down to the lowest: rates of rows with a score of at least that. */
export interface RocCurve {
  /** Of the rows of other classes, the share that is taken for positive; rising from 0 to 1. */
  readonly falsePositiveRates: Float64Array;
  /** Of the positive rows, the share that is found. */
  readonly truePositiveRates: Float64Array;
  /** Falling; the first is Infinity. */
  readonly thresholds: Float64Array;
  /** The chance that a positive row scores higher than another, ties by half. */
  readonly area: number;
}

/** From the lowest threshold, at which all rows are found, to the highest; then a last point with precision 1 and recall 0. */
export interface PrCurve {
  readonly precisions: Float64Array;
  readonly recalls: Float64Array;
  /** Rising; one less than there are points. */
  readonly thresholds: Float64Array;
  /** The mean of the precisions, each by how much recall it adds. */
  readonly averagePrecision: number;
  /** Under straight lines between the points. */
  readonly area: number;
}

/** Returns the rates of false and true positives at every threshold of the scores, and the area under the curve. */
export function rocCurve(y: MetricLabels, scores: ArrayLike<number>, options?: CurveOptions): RocCurve {
  const { found, taken, thresholds, positives, others } = ranked(y, scores, curveOptions.check(options));
  if (others === 0) throw HingeError.input("all rows are positive: a ROC curve needs others to tell them from");
  const points = thresholds.length;
  const truePositiveRates = new Float64Array(points + 1);
  const falsePositiveRates = new Float64Array(points + 1);
  let area = 0;
  for (let k = 0; k < points; k++) {
    truePositiveRates[k + 1] = (found[k] as number) / positives;
    falsePositiveRates[k + 1] = ((taken[k] as number) - (found[k] as number)) / others;
    const width = (falsePositiveRates[k + 1] as number) - (falsePositiveRates[k] as number);
    area += 0.5 * width * ((truePositiveRates[k + 1] as number) + (truePositiveRates[k] as number));
  }
  // Spread over arguments they would be too many.
  const all = new Float64Array(thresholds.length + 1);
  all[0] = Infinity;
  all.set(thresholds, 1);
  return { falsePositiveRates, truePositiveRates, thresholds: all, area };
}

/** Returns precision and recall at every threshold of the scores, and the area under the curve in two ways. */
export function prCurve(y: MetricLabels, scores: ArrayLike<number>, options?: CurveOptions): PrCurve {
  const { found, taken, thresholds, positives } = ranked(y, scores, curveOptions.check(options));
  const points = thresholds.length;
  const precisions = new Float64Array(points + 1).fill(1);
  const recalls = new Float64Array(points + 1);
  let averagePrecision = 0;
  let area = 0;
  for (let k = 0; k < points; k++) {
    const at = points - 1 - k;
    precisions[at] = (found[k] as number) / (taken[k] as number);
    recalls[at] = (found[k] as number) / positives;
    const added = (recalls[at] as number) - (recalls[at + 1] as number);
    averagePrecision += added * (precisions[at] as number);
    area += 0.5 * added * ((precisions[at] as number) + (precisions[at + 1] as number));
  }
  return { precisions, recalls, thresholds: thresholds.slice().reverse(), averagePrecision, area };
}

/** By threshold, the highest first: the weight of all rows with at least that score, and of the positive ones among them. */
interface Ranked {
  readonly thresholds: Float64Array;
  readonly taken: Float64Array;
  readonly found: Float64Array;
  readonly positives: number;
  readonly others: number;
}

function ranked(y: MetricLabels, scores: ArrayLike<number>, options: CheckedCurveOptions): Ranked {
  checkPair(y, scores, "scores");
  const numbers = numbersOf("the score", scores);
  const isPositive = positivesOf(y, options.positive);
  const { weights } = weightsOf(options.sampleWeight, y.length);
  // Rows without weight are not there: their scores are no thresholds.
  const order = Uint32Array.from(weights.keys())
    .filter((i) => (weights[i] as number) > 0)
    .sort((a, b) => (numbers[b] as number) - (numbers[a] as number) || a - b);
  const thresholds: number[] = [];
  const taken: number[] = [];
  const found: number[] = [];
  let [all, positives] = [0, 0];
  order.forEach((i, k) => {
    all += weights[i] as number;
    if (isPositive[i]) positives += weights[i] as number;
    const next = order[k + 1];
    if (next !== undefined && numbers[next] === numbers[i]) return;
    thresholds.push(numbers[i] as number);
    taken.push(all);
    found.push(positives);
  });
  if (positives === 0) throw HingeError.input("no row is positive: there is nothing to find");
  return {
    ...{ thresholds: Float64Array.from(thresholds), taken: Float64Array.from(taken), found: Float64Array.from(found) },
    ...{ positives, others: isPositive.every((is, i) => is || weights[i] === 0) ? 0 : all - positives },
  };
}

/** Whether each row is of the positive class: the one given, or the second of two. */
function positivesOf(y: MetricLabels, given: MetricLabel | undefined): boolean[] {
  const classes = classesOf(y);
  if (given !== undefined && !classes.includes(given)) {
    throw HingeError.option("positive", `one of the labels, ${classes.map(shown).join(", ")}`, given);
  }
  if (given === undefined && classes.length > 2) {
    throw HingeError.input(`y has ${classes.length} classes; say with positive which of them is looked for`);
  }
  const positive = given ?? classes.at(-1);
  return Array.from(y as ArrayLike<MetricLabel>, (label) => label === positive);
}

/** How often what was said to be so likely came true. Bins without rows are left out. */
export interface CalibrationCurve {
  /** The mean probability of the rows of each bin. */
  readonly predicted: Float64Array;
  /** The share of them that is positive. */
  readonly observed: Float64Array;
  /** Their weight. */
  readonly weights: Float64Array;
}

/** Returns, for bins of probability, the mean probability and the share of rows that were positive: equal if the probabilities are true. */
export function calibrationCurve(y: MetricLabels, probabilities: ArrayLike<number>, options?: CalibrationOptions): CalibrationCurve {
  const { bins, strategy, positive, sampleWeight } = calibrationOptions.check(options);
  checkPair(y, probabilities, "probabilities");
  const numbers = probabilitiesOf(probabilities);
  const isPositive = positivesOf(y, positive);
  const { weights } = weightsOf(sampleWeight, y.length);
  const edges = Float64Array.from({ length: bins + 1 }, (_, k) => k / bins);
  if (strategy === "quantile") edges.set(quantiles(numbers, weights, edges));
  const [sums, hits, totals] = [new Float64Array(bins), new Float64Array(bins), new Float64Array(bins)];
  numbers.forEach((value, i) => {
    const weight = weights[i] as number;
    const bin = binOf(edges, value);
    sums[bin] = (sums[bin] as number) + weight * value;
    totals[bin] = (totals[bin] as number) + weight;
    if (isPositive[i]) hits[bin] = (hits[bin] as number) + weight;
  });
  const used = Array.from(totals.keys()).filter((bin) => (totals[bin] as number) > 0);
  return {
    predicted: Float64Array.from(used, (bin) => (sums[bin] as number) / (totals[bin] as number)),
    observed: Float64Array.from(used, (bin) => (hits[bin] as number) / (totals[bin] as number)),
    weights: Float64Array.from(used, (bin) => totals[bin] as number),
  };
}

/** How many of the inner edges lie below the value: an edge belongs to the bin below it. */
function binOf(edges: Float64Array, value: number): number {
  let [low, high] = [1, edges.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edges[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Between the rows that have weight, on a straight line from one to the next. */
function quantiles(numbers: Float64Array, weights: Float64Array, shares: Float64Array): Float64Array {
  const sorted = numbers.filter((_, i) => (weights[i] as number) > 0).sort();
  return shares.map((share) => {
    const at = share * (sorted.length - 1);
    const below = Math.floor(at);
    const low = sorted[below] as number;
    return low + (at - below) * ((sorted[below + 1] ?? low) - low);
  });
}

function probabilitiesOf(probabilities: ArrayLike<number>): Float64Array {
  const numbers = numbersOf("the probability", probabilities);
  const odd = numbers.findIndex((p) => p < 0 || p > 1);
  if (odd >= 0) throw HingeError.input(`probability ${odd} must be between 0 and 1, got ${numbers[odd]}`);
  return numbers;
}

/** Returns the mean squared difference between the probability of the positive class and 1 where it is so, 0 where not. */
export function brierScore(y: MetricLabels, probabilities: ArrayLike<number>, options?: CurveOptions): number {
  const { positive, sampleWeight } = curveOptions.check(options);
  checkPair(y, probabilities, "probabilities");
  const numbers = probabilitiesOf(probabilities);
  const isPositive = positivesOf(y, positive);
  const { weights, total } = weightsOf(sampleWeight, y.length);
  return numbers.reduce((sum, p, i) => sum + (weights[i] as number) * (p - (isPositive[i] ? 1 : 0)) ** 2, 0) / total;
}

/** Probabilities are held this far from 0 and 1, where their logarithm is still a number. */
const LEAST = Number.EPSILON;

/**
 * Returns the mean of -log of the probability that was given to the row's own class. `probabilities` are those of the second of two classes, or of all `classes`
 * row by row, as `model.probabilities` returns them. `classes`: the labels in that order; if not given, those of y, sorted.
 */
export function logLoss(
  y: MetricLabels,
  probabilities: ArrayLike<number>,
  options?: MetricOptions & { readonly classes?: ArrayLike<MetricLabel> | undefined },
): number {
  const { classes: given, ...rest } = options ?? {};
  const { sampleWeight } = metricOptions.check(rest);
  const classes = given === undefined ? classesOf(y) : Array.from(given);
  const perRow = classes.length === 2 && probabilities?.length === y?.length ? 1 : classes.length;
  checkPair(y, probabilities, "probabilities", perRow);
  if (classes.length < 2) throw HingeError.input("y has one class only; give all labels as classes");
  const numbers = probabilitiesOf(probabilities);
  const { weights, total } = weightsOf(sampleWeight, y.length);
  const place = new Map(classes.map((label, k) => [label, k]));
  let sum = 0;
  for (let i = 0; i < y.length; i++) {
    const id = place.get(y[i] as MetricLabel);
    if (id === undefined) throw HingeError.input(`label of row ${i}, ${shown(y[i])}, is none of the classes`);
    const row =
      perRow === 1 ? [1 - (numbers[i] as number), numbers[i] as number] : Array.from(numbers.subarray(i * perRow, (i + 1) * perRow));
    const held = row.map((p) => Math.min(Math.max(p, LEAST), 1 - LEAST));
    const all = held.reduce((a, b) => a + b, 0);
    sum -= (weights[i] as number) * log((held[id] as number) / all);
  }
  return sum / total;
}
