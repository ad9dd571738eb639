// How well classes are predicted: shares of rows, by class and over all. As scikit-learn's metrics of the same names; what divides by nothing is 0.
// Checked against recorded values of scikit-learn in test/metrics.test.ts.

import { HingeError, shown } from "../base/errors.js";
import { type AveragedOptions, averagedOptions, type MetricOptions, metricOptions } from "../base/options/metrics.js";
import { checkPair, classesOf, type MetricLabel, type MetricLabels, weightsOf } from "./checked.js";

/** Which classes are taken for which. */
export interface ConfusionMatrix {
  /** All labels that occur, sorted. */
  readonly classes: readonly MetricLabel[];
  /** counts[a][p]: the weight of the rows of class a that were predicted as class p. */
  readonly counts: readonly Float64Array[];
}

/** Returns how many rows of each class were predicted as each class, by weight. */
export function confusionMatrix(y: MetricLabels, predicted: MetricLabels, options?: MetricOptions): ConfusionMatrix {
  checkPair(y, predicted, "predicted");
  const { weights } = weightsOf(metricOptions.check(options).sampleWeight, y.length);
  const classes = classesOf(y, predicted);
  const place = new Map(classes.map((label, k) => [label, k]));
  const counts = classes.map(() => new Float64Array(classes.length));
  for (let i = 0; i < y.length; i++) {
    const row = counts[place.get(y[i] as MetricLabel) as number] as Float64Array;
    const at = place.get(predicted[i] as MetricLabel) as number;
    row[at] = (row[at] as number) + (weights[i] as number);
  }
  return { classes, counts };
}

/** Returns the share of rows whose label is predicted right, by weight. */
export function accuracy(y: MetricLabels, predicted: MetricLabels, options?: MetricOptions): number {
  checkPair(y, predicted, "predicted");
  const { weights, total } = weightsOf(metricOptions.check(options).sampleWeight, y.length);
  classesOf(y, predicted);
  let right = 0;
  for (let i = 0; i < y.length; i++) if (y[i] === predicted[i]) right += weights[i] as number;
  return right / total;
}

/** Returns the mean over the classes of the share of their rows that is predicted right: chance gives 1 / classes, however rare a class is. */
export function balancedAccuracy(y: MetricLabels, predicted: MetricLabels, options?: MetricOptions): number {
  const scores = classScores(confusionMatrix(y, predicted, options)).filter(({ support }) => support > 0);
  return scores.reduce((sum, { recall }) => sum + recall, 0) / scores.length;
}

/** How well one class is found. */
export interface ClassScores {
  readonly label: MetricLabel;
  /** Of the rows predicted as this class, the share that is of it. */
  readonly precision: number;
  /** Of the rows of this class, the share that is predicted as such. */
  readonly recall: number;
  /** Their harmonic mean. */
  readonly f1: number;
  /** The weight of the class's rows. */
  readonly support: number;
}

export type AveragedScores = Omit<ClassScores, "label" | "support">;

/** What `classReport` returns. */
export interface ClassReport {
  readonly classes: readonly ClassScores[];
  readonly accuracy: number;
  readonly balancedAccuracy: number;
  readonly macro: AveragedScores;
  readonly micro: AveragedScores;
  readonly weighted: AveragedScores;
}

/** Returns precision, recall and F1 of every class, and their averages. */
export function classReport(y: MetricLabels, predicted: MetricLabels, options?: MetricOptions): ClassReport {
  const classes = classScores(confusionMatrix(y, predicted, options));
  const average = (of: "macro" | "micro" | "weighted"): AveragedScores => averaged(y, predicted, of, options, classes);
  return {
    classes,
    accuracy: accuracy(y, predicted, options),
    balancedAccuracy: balancedAccuracy(y, predicted, options),
    ...{ macro: average("macro"), micro: average("micro"), weighted: average("weighted") },
  };
}

/** Returns, of the rows predicted as a class, the share that is of it; averaged, or of the `positive` class. */
export function precision(y: MetricLabels, predicted: MetricLabels, options?: AveragedOptions): number {
  return wanted(y, predicted, options).precision;
}

/** Returns, of the rows of a class, the share that is predicted as such; averaged, or of the `positive` class. */
export function recall(y: MetricLabels, predicted: MetricLabels, options?: AveragedOptions): number {
  return wanted(y, predicted, options).recall;
}

/** Returns the harmonic mean of precision and recall; averaged, or of the `positive` class. */
export function f1(y: MetricLabels, predicted: MetricLabels, options?: AveragedOptions): number {
  return wanted(y, predicted, options).f1;
}

function wanted(y: MetricLabels, predicted: MetricLabels, options: AveragedOptions | undefined): AveragedScores {
  const { average, positive, sampleWeight } = averagedOptions.check(options);
  const weighted = { sampleWeight };
  const classes = classScores(confusionMatrix(y, predicted, weighted));
  if (positive === undefined) return averaged(y, predicted, average ?? "macro", weighted, classes);
  const own = classes.find(({ label }) => label === positive);
  if (own === undefined) {
    const known = classes.map(({ label }) => shown(label)).join(", ");
    throw HingeError.option("positive", `one of the labels, ${known}`, positive);
  }
  return own;
}

function averaged(
  y: MetricLabels,
  predicted: MetricLabels,
  average: "macro" | "micro" | "weighted",
  options: MetricOptions | undefined,
  classes: readonly ClassScores[],
): AveragedScores {
  if (average === "micro") {
    // Each row is predicted once: what one class wins another has lost, and all three are the share predicted right.
    const share = accuracy(y, predicted, options);
    return { precision: share, recall: share, f1: share };
  }
  const weightOf = (own: ClassScores): number => (average === "macro" ? 1 : own.support);
  const total = classes.reduce((sum, own) => sum + weightOf(own), 0);
  const mean = (of: "precision" | "recall" | "f1"): number => classes.reduce((sum, own) => sum + weightOf(own) * own[of], 0) / total;
  return { precision: mean("precision"), recall: mean("recall"), f1: mean("f1") };
}

function classScores({ classes, counts }: ConfusionMatrix): ClassScores[] {
  return classes.map((label, k) => {
    const right = counts[k]?.[k] as number;
    const support = (counts[k] as Float64Array).reduce((sum, count) => sum + count, 0);
    const predicted = counts.reduce((sum, row) => sum + (row[k] as number), 0);
    return {
      label,
      precision: ratio(right, predicted),
      recall: ratio(right, support),
      f1: ratio(2 * right, support + predicted),
      support,
    };
  });
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
