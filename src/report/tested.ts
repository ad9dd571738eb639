// Predictions as the report uses them: rows that can be judged, and a score of each class for each of them.

import { HingeError } from "../base/errors.js";
import { classesOf, type MetricLabel } from "../metrics/checked.js";
import { type RocCurve, rocCurve } from "../metrics/curves.js";
import { pairs } from "../model/schemes.js";
import type { ClassTest, NumberTest, TestedRows } from "./input.js";
import { counted, grouped } from "./text.js";

/** Predicted classes: only rows whose label and prediction are such. */
export interface TestedClasses {
  readonly y: readonly MetricLabel[];
  readonly predicted: readonly MetricLabel[];
  /** Those that occur, sorted. */
  readonly classes: readonly MetricLabel[];
  /** Rows that could not be judged. */
  readonly leftOut: number;
  readonly scores: TestedScores | undefined;
  readonly probabilities: TestedScores | undefined;
}

/** A score a class for the rows in which all of them are numbers. */
export interface TestedScores {
  /** Their places among the rows that were given. */
  readonly rows: readonly number[];
  readonly y: readonly MetricLabel[];
  readonly predicted: readonly MetricLabel[];
  readonly classes: readonly MetricLabel[];
  /** Of two classes one list, of the second; of more one a class. */
  readonly lists: readonly Float64Array[];
  readonly isProbability: boolean;
}

export function testedClasses(test: ClassTest): TestedClasses | undefined {
  const { y, predicted } = test;
  checkLengths(y, predicted);
  const rows = rowsWhere(y.length, (i) => isLabel(y[i]) && isLabel(predicted[i]));
  if (rows.length === 0) return undefined;
  const own = taken(y, rows) as MetricLabel[];
  const told = taken(predicted, rows) as MetricLabel[];
  const probabilities = scoresOf(test, rows, test.probabilities, true);
  const decision = scoresOf(test, rows, test.decision, false);
  return {
    ...{ y: own, predicted: told, classes: classesOf(own, told), leftOut: y.length - rows.length, probabilities },
    // Probabilities compare classes that decision values of several problems may not; of two classes both rank alike, and decision values tell more rows apart.
    scores: test.classes.length > 2 ? (probabilities ?? decision) : (decision ?? probabilities),
  };
}

/** Targets and predictions that are numbers. */
export interface TestedNumbers {
  readonly y: Float64Array;
  readonly predicted: Float64Array;
  readonly leftOut: number;
}

export function testedNumbers({ y, predicted }: NumberTest): TestedNumbers | undefined {
  checkLengths(y, predicted);
  const rows = rowsWhere(y.length, (i) => Number.isFinite(y[i]) && Number.isFinite(predicted[i]));
  if (rows.length === 0) return undefined;
  return { y: Float64Array.from(taken(y, rows)), predicted: Float64Array.from(taken(predicted, rows)), leftOut: y.length - rows.length };
}

function checkLengths(y: ArrayLike<unknown>, predicted: ArrayLike<unknown>): void {
  if (y.length === predicted.length) return;
  throw HingeError.input(`${predicted.length} predictions for ${y.length} rows of the report; there must be one a row`);
}

function isLabel(value: unknown): boolean {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
}

function rowsWhere(count: number, holds: (row: number) => boolean): number[] {
  return Array.from({ length: count }, (_, i) => i).filter(holds);
}

function taken<T>(list: ArrayLike<T>, rows: readonly number[]): T[] {
  return rows.map((row) => list[row] as T);
}

function scoresOf(
  { y, predicted, classes, scheme }: ClassTest,
  rows: readonly number[],
  values: ArrayLike<number> | undefined,
  isProbability: boolean,
): TestedScores | undefined {
  if (values === undefined || values.length === 0 || classes.length < 2) return undefined;
  const perRow = values.length / y.length;
  const name = isProbability ? "probabilities" : "decision values";
  const pairCount = (classes.length * (classes.length - 1)) / 2;
  const isOfPairs = !isProbability && classes.length > 2 && perRow === pairCount && (scheme === "ovo" || perRow !== classes.length);
  if (perRow !== classes.length && !(perRow === 1 && classes.length === 2) && !isOfPairs)
    throw HingeError.input(`${values.length} ${name} for ${y.length} rows and ${classes.length} classes of the report`);
  const isProper = (value: number): boolean => Number.isFinite(value) && (!isProbability || (value >= 0 && value <= 1));
  const usable = rows.filter((row) => Array.from({ length: perRow }, (_, m) => values[row * perRow + m] as number).every(isProper));
  if (usable.length === 0) return undefined;
  const column = (m: number): Float64Array => Float64Array.from(usable, (row) => values[row * perRow + m] as number);
  const lists =
    classes.length === 2 ? [column(perRow - 1)] : isOfPairs ? fromPairs(classes.length, values, usable) : classes.map((_, m) => column(m));
  const common = {
    y: taken<MetricLabel>(y as ArrayLike<MetricLabel>, usable),
    predicted: taken(predicted as ArrayLike<MetricLabel>, usable),
  };
  return { ...common, rows: usable, classes, lists, isProbability };
}

/** Of each class the votes of its pairs, and between equal votes the sum of its values, held below a vote. */
function fromPairs(classCount: number, values: ArrayLike<number>, rows: readonly number[]): Float64Array[] {
  const all = pairs(classCount);
  const votes = Array.from({ length: classCount }, () => new Float64Array(rows.length));
  const sums = votes.map((list) => list.slice());
  rows.forEach((row, i) => {
    all.forEach(([a, b], m) => {
      const value = values[row * all.length + m] as number;
      add(votes[value > 0 ? b : a], i, 1);
      add(sums[b], i, value);
      add(sums[a], i, -value);
    });
  });
  return votes.map((list, k) =>
    list.map((count, i) => {
      const sum = sums[k]?.[i] as number;
      return count + sum / (3 * (Math.abs(sum) + 1));
    }),
  );
}

function add(list: Float64Array | undefined, i: number, value: number): void {
  if (list !== undefined) list[i] = (list[i] as number) + value;
}

/** Whether there are rows of the class and others: curves need both. */
export function isMixed(y: readonly unknown[], label: unknown): boolean {
  return y.includes(label) && y.some((one) => one !== label);
}

/** A class and how well it is told from the rest. */
export interface ClassCurve {
  readonly label: MetricLabel;
  readonly roc: RocCurve;
}

/** The ROC curve of each of more than two classes against the rest; none of classes that no row has. */
export function classCurves({ scores }: TestedClasses): ClassCurve[] {
  if (scores === undefined || scores.classes.length < 3) return [];
  const { y, classes, lists } = scores;
  return classes.flatMap((label, k) =>
    isMixed(y, label) ? [{ label, roc: rocCurve(y, lists[k] as Float64Array, { positive: label }) }] : [],
  );
}

/** "1,000 held-out rows". */
export function rowsText(count: number, rows: TestedRows = "held-out"): string {
  return counted(count, `${rows} row`);
}

/** What else must be said of these rows. */
export function rowsNote(leftOut: number, rows: TestedRows = "held-out"): string {
  const seen = rows === "training" ? "The model was fitted on these very rows: on others it will do worse. " : "";
  const folds = rows === "cross-validated" ? "Each row was predicted by a model that had not seen it, fitted on the other folds. " : "";
  const out = leftOut === 0 ? "" : `${grouped(leftOut)} ${leftOut === 1 ? "row is" : "rows are"} left out: no proper label or prediction. `;
  return `${seen}${folds}${out}`.trim();
}
