// The options of crossValidate that are not those of the fits.

import * as v from "valibot";
import { running, stopping } from "./fit.js";
import type { FoldOptions } from "./folds.js";
import { type Checked, custom, type Input, table } from "./table.js";

/** Which rows are trained on and which are tested. */
interface FoldRows {
  readonly train: Uint32Array;
  readonly test: Uint32Array;
}

/** How many folds, how they are made, or the folds themselves. */
export type FoldsInput = number | Omit<FoldOptions, "seed"> | readonly FoldRows[];

/** What a score is computed from: rows that were not trained on, and what the model said of them. */
export interface HeldOut {
  /** Labels or targets. */
  readonly y: ArrayLike<number | string>;
  readonly predicted: ArrayLike<number | string>;
  /** f64[rows][outputs]. */
  readonly decision: Float64Array;
  /** The model's labels; undefined for a regression. */
  readonly classes: readonly (number | string)[] | undefined;
  /** f64[rows][classes], of a model that has probabilities. */
  readonly probabilities: Float64Array | undefined;
  /** f64[rows]: sampleWeight, 1 if none was given. */
  readonly weights: Float64Array;
}

export const scoringNames = [
  "accuracy",
  "balanced-accuracy",
  "precision",
  "recall",
  "f1",
  "roc-area",
  "average-precision",
  "log-loss",
  "brier",
  "r2",
  "mean-squared-error",
  "mean-absolute-error",
  "squared-correlation",
] as const;

export type ScoringName = (typeof scoringNames)[number];
/** A metric by name, or a function of your own, the larger the better. */
export type Scoring = ScoringName | ((held: HeldOut) => number);

/** What `onFold` receives when a fold is done. */
export interface FoldDone {
  readonly done: number;
  readonly total: number;
  readonly score: number;
}

export const crossValidation = {
  folds: custom<FoldsInput, FoldsInput>({
    schema: v.custom<FoldsInput>(isFolds),
    allowed: 'a whole number of at least 2, options of folds(…) such as { kind: "time" }, or what folds(…) returned',
    default: 5,
    help: "how many folds, how they are made, or the folds themselves",
  }),
  scoring: custom<Scoring, Scoring | undefined>({
    schema: v.custom<Scoring>((value) => typeof value === "function" || scoringNames.includes(value as ScoringName)),
    allowed: `one of ${scoringNames.join(", ")}, or a function`,
    default: undefined,
    help: "what is measured; if not given, accuracy for classes and r2 for numbers. Of precision, recall and f1 the mean over the classes",
  }),
  timeLimitSeconds: { ...stopping.timeLimitSeconds, help: "give up after this long with the folds that are done" },
  seed: { ...running.seed, help: "same seed, same folds, same result" },
  threads: running.threads,
  signal: { ...running.signal, help: "stops when aborted; the folds that are done are returned" },
};

export const crossValidateOptions = table("crossValidate", {
  ...crossValidation,
  onFold: custom<(done: FoldDone) => void, ((done: FoldDone) => void) | undefined>({
    schema: v.custom<(done: FoldDone) => void>((value) => typeof value === "function"),
    allowed: "a function",
    default: undefined,
    help: "called when a fold is done, with its score",
  }),
});

function isFolds(value: unknown): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 2;
  if (!Array.isArray(value)) return typeof value === "object" && value !== null;
  const isRows = (rows: unknown): boolean => rows instanceof Uint32Array && rows.length > 0;
  return value.length > 0 && value.every((fold) => isRows(fold?.train) && isRows(fold?.test));
}

export type CrossValidateOptions = Input<typeof crossValidateOptions>;
export type CheckedCrossValidateOptions = Checked<typeof crossValidateOptions>;
