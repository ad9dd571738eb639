// The folds of a data set, ready to be fitted: what a learner trains on in each, and what its model says of the rows held out.
//
// Of a plain estimator the rows are packed once and a fold's test rows have weight 0 in its fit, which is not to be there. The stages of a pipeline are fitted on the
// training rows alone, once a fold, however often the estimator behind them is fitted: no scaler or encoder sees a row that it will be tested on.

import { HingeError } from "../base/errors.js";
import type { CheckedCrossValidateOptions, FoldsInput, HeldOut } from "../base/options/cross-validate.js";
import type { Status } from "../base/status.js";
import { type Fold, folds as makeFolds } from "../data/folds.js";
import { isList, sampleWeights } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { countRows, takeList, takeRows } from "../data/take-rows.js";
import { NuSVR, SVR } from "../estimators/kernel-regression.js";
import { LinearSVR } from "../estimators/linear-svr.js";
import { LogisticRegression } from "../estimators/logistic-regression.js";
import { Recipe, throughStages } from "../estimators/pipeline.js";
import { checkedTargets } from "../estimators/regression-problem.js";
import type { Scheme } from "../model/linear-classifier.js";
import { labelsOf } from "../model/schemes.js";
import { withMatrix } from "../runtime/runtime.js";
import { type Scorer, scorerOf } from "./scoring.js";

/** A model as far as cross-validation looks at it. */
export interface FittedModel {
  readonly classes?: readonly (number | string)[] | undefined;
  /** How decision values make a class. */
  readonly multiClass?: Scheme | undefined;
  readonly report: { readonly status: Status | "unknown" };
  predict(x: never, options?: object): Promise<ArrayLike<number | string>>;
  readonly decision?: ((x: never, options?: object) => Promise<Float64Array>) | undefined;
  readonly probabilities?: ((x: never, options?: object) => Promise<Float64Array>) | undefined;
}

/** A class of models or a pipeline: what can be fitted. */
export interface Learner {
  // biome-ignore lint/suspicious/noExplicitAny: rows, labels and options are the learner's own; they are only passed through
  fit(x: any, y: any, options?: any): Promise<FittedModel>;
}

/** What a learner's `fit` takes as rows, as labels or targets, and as options. */
export type RowsOf<E extends Learner> = Parameters<E["fit"]>[0];
export type TargetsOf<E extends Learner> = Parameters<E["fit"]>[1];
export type OptionsOf<E extends Learner> = Omit<NonNullable<Parameters<E["fit"]>[2]>, "onProgress" | "warmStart" | "keepState" | "rowIds">;

/** Calls `use` with the rows where workers reach them; those of a pipeline as they are, for its first stage. */
export function onRows<T>(learner: Learner, x: unknown, use: (rows: unknown) => Promise<T>): Promise<T> {
  return learner instanceof Recipe ? use(x) : withMatrix(x as RowsInput | Matrix, use);
}

/** The estimator itself, without the stages before it. */
export function estimatorOf(learner: Learner): unknown {
  return learner instanceof Recipe ? learner.estimator : learner;
}

/** Rows, folds and how to score: everything checked before the first fit. */
export interface Subject {
  readonly rows: unknown;
  readonly y: ArrayLike<number | string>;
  readonly folds: readonly Fold[];
  readonly scorer: Scorer;
  /** f64[rows]; 1 where none were given. */
  readonly weights: Float64Array;
  prepare(fold: Fold, threads?: number): Promise<Prepared>;
  /** All rows as the estimator would see them in a fold: through stages that were fitted on its training rows. The same for every fold where there are no stages. */
  rowsIn(fold: Fold): Promise<unknown>;
}

/** One fold, ready for any number of fits. */
export interface Prepared {
  fit(options: object): Promise<FittedModel>;
  heldOut(model: FittedModel, threads: number | undefined): Promise<HeldOut>;
}

export function subjectOf(
  learner: Learner,
  rows: unknown,
  y: unknown,
  fit: Readonly<Record<string, unknown>>,
  { folds, scoring, seed }: Pick<CheckedCrossValidateOptions, "folds" | "scoring" | "seed">,
): Subject {
  const rowCount = countRows(rows);
  const estimator = estimatorOf(learner);
  const isRegression = ([LinearSVR, SVR, NuSVR] as unknown[]).includes(estimator);
  const targets: ArrayLike<number | string> = isRegression ? checkedTargets(y, rowCount) : checkedLabels(y, rowCount);
  // Those of the recipe hold unless others are given.
  const given = (learner instanceof Recipe ? learner.optionsWith(fit) : fit) as Readonly<Record<string, unknown>>;
  const isWeighted = given.sampleWeight !== undefined;
  const weights = sampleWeights(given.sampleWeight as ArrayLike<number> | undefined, rowCount);
  const scorer = scorerOf(scoring, {
    isRegression,
    classCount: isRegression ? 0 : new Set(Array.from(targets)).size,
    hasProbabilities: estimator === LogisticRegression,
  });
  return {
    ...{ rows, y: targets, scorer, weights },
    folds: foldsOf(folds, isRegression ? rowCount : targets, seed),
    async prepare(fold, threads) {
      const { train, test } = fold;
      const held = heldRows(targets, weights, test);
      if (!(learner instanceof Recipe)) {
        const options = { ...fit, sampleWeight: trainingWeights(weights, fold) };
        return prepared((own) => learner.fit(rows, targets, { ...options, ...own }), takeRows(rows, test), held);
      }
      const sampleWeight = isWeighted ? takeList(weights, train) : undefined;
      const own = await learner.prepare(takeRows(rows, train), sampleWeight, threads);
      const labels = takeList(targets, train);
      const tested = await throughStages(own.stages, takeRows(rows, test), { threads });
      const fitOne = (options: object) =>
        learner.fitPrepared(own.rows, labels, { ...fit, ...options, sampleWeight }) as Promise<FittedModel>;
      return prepared(fitOne, tested, held);
    },
    async rowsIn({ train }) {
      if (!(learner instanceof Recipe)) return rows;
      const sampleWeight = isWeighted ? takeList(weights, train) : undefined;
      const { stages } = await learner.prepare(takeRows(rows, train), sampleWeight);
      return throughStages(stages, rows);
    },
  };
}

function prepared(fit: Prepared["fit"], x: unknown, held: Pick<HeldOut, "y" | "weights">): Prepared {
  const rows = x as never;
  return {
    fit,
    async heldOut(model, threads) {
      const { classes, multiClass } = model;
      // What `predict` says, without computing decision values twice.
      // What a linear regression predicts is its decision value.
      const decision =
        (await model.decision?.(rows, { threads })) ?? Float64Array.from((await model.predict(rows, { threads })) as ArrayLike<number>);
      const predicted =
        classes === undefined || multiClass === undefined ? decision : labelsOf(multiClass, classes, decision, held.y.length);
      return { ...held, classes, decision, predicted, probabilities: await model.probabilities?.(rows, { threads }) };
    },
  };
}

function checkedLabels(y: unknown, rowCount: number): ArrayLike<number | string> {
  if (!isList(y)) throw HingeError.input("y must be an array of labels");
  if (y.length !== rowCount) throw HingeError.input(`${y.length} labels for ${rowCount} rows; there must be one a row`);
  return y as ArrayLike<number | string>;
}

/** The mean of the folds' scores, and their standard deviation. */
export function spreadOf(scores: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return { mean, deviation: Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length) };
}

/** What is known of the rows that a fold tests. */
export function heldRows(y: ArrayLike<number | string>, weights: Float64Array, test: Uint32Array): Pick<HeldOut, "y" | "weights"> {
  return { y: takeList(y, test), weights: takeList(weights, test) };
}

/** What a scorer says of decision values, row after row, and of the labels that they mean. */
export function scoreOf(
  scorer: Scorer,
  held: Pick<HeldOut, "y" | "weights">,
  decision: Float64Array,
  { classes, scheme }: { readonly classes: HeldOut["classes"]; readonly scheme: Scheme | undefined },
): number {
  const predicted = classes === undefined || scheme === undefined ? decision : labelsOf(scheme, classes, decision, held.y.length);
  return scorer.score({ ...held, classes, decision, predicted, probabilities: undefined });
}

/** What a scorer that asks for nothing else says of labels. */
export function scoreOfLabels(
  scorer: Scorer,
  held: Pick<HeldOut, "y" | "weights">,
  classes: HeldOut["classes"],
  ids: ArrayLike<number>,
): number {
  const predicted = Array.from(ids, (id) => classes?.[id] as number | string);
  return scorer.score({ ...held, classes, decision: new Float64Array(), predicted, probabilities: undefined });
}

/** What went wrong with the rows of a fold, with its number; anything else as it is. */
export function inFold(fold: number, error: unknown): unknown {
  return error instanceof HingeError && error.code === "bad-input" && error.where === undefined
    ? new HingeError("bad-input", `fold ${fold}: ${error.message}`, undefined, { cause: error })
    : error;
}

/** What a scorer says of a fold; what it cannot be asked there names the fold. */
export function scoreIn<T>(fold: number, score: () => T): T {
  try {
    return score();
  } catch (error) {
    if (!(error instanceof HingeError)) throw error;
    throw new HingeError("bad-input", `the rows that fold ${fold} tests cannot be scored: ${error.message}`, undefined, { cause: error });
  }
}

/** A score, and whether the model that made it was solved to the tolerance. */
export interface FoldScore {
  readonly score: number;
  readonly isConverged: boolean;
}

/** Rows that a fold does not train on have weight 0 in its fit: they are not there. */
export function trainingWeights(weights: Float64Array, { train }: Fold): Float64Array {
  const own = new Float64Array(weights.length);
  // A row that is drawn twice counts twice.
  for (const row of train) own[row] = (own[row] as number) + (weights[row] as number);
  return own;
}

function foldsOf(given: FoldsInput, rows: number | ArrayLike<number | string>, seed: number): readonly Fold[] {
  const rowCount = typeof rows === "number" ? rows : rows.length;
  if (typeof given === "number") return makeFolds(rows as number, { count: given, seed });
  if (!Array.isArray(given)) return makeFolds(rows as number, { ...(given as object), seed });
  for (const [k, { train, test }] of (given as readonly Fold[]).entries()) {
    for (const [part, list] of Object.entries({ train, test })) {
      const odd = list.find((row) => row >= rowCount);
      if (odd !== undefined) throw HingeError.input(`the ${part} part of fold ${k} has row ${odd}, x has ${rowCount} rows`);
    }
    const trained = new Set(train);
    const both = test.find((row) => trained.has(row));
    if (both !== undefined) throw HingeError.input(`row ${both} is in both parts of fold ${k}; a row is trained on or tested, not both`);
  }
  return given as readonly Fold[];
}
