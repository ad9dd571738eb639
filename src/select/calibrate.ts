// Calibration: probabilities from the decision values that models have of rows which they were not fitted on, for the model that is fitted on all of them.

import { HingeError, shown } from "../base/errors.js";
import { type CalibrateOptions, calibrateOptions } from "../base/options/calibrate.js";
import { splitOptions } from "../base/options/table.js";
import { fitCalibrators } from "../calibration/calibrators.js";
import type { Label } from "../data/labels.js";
import { sampleWeights } from "../data/labels.js";
import { CalibratedClassifier, type ClassifierModel, shapeOf } from "../estimators/calibrated-classifier.js";
import { NuSVC, SVC } from "../estimators/kernel-classifier.js";
import { LinearSVC } from "../estimators/linear-svc.js";
import { LogisticRegression } from "../estimators/logistic-regression.js";
import { Pipeline, Recipe } from "../estimators/pipeline.js";
import { beginCall } from "../runtime/runtime.js";
import { crossValidate } from "./cross-validate.js";
import { estimatorOf, type Learner, type OptionsOf, type RowsOf, type TargetsOf, timeLeft } from "./fold-rows.js";

const classifiers: readonly unknown[] = [LinearSVC, LogisticRegression, SVC, NuSVC];

/** The labels that a learner's models tell apart. */
type LabelOf<E extends Learner> =
  Awaited<ReturnType<E["fit"]>> extends { readonly classes: readonly (infer L extends Label)[] } ? L : Label;

/**
 * Returns a classifier with probabilities: the estimator or pipeline fitted on all rows, and calibrators fitted on the decision values that models of the folds have of the rows they
 * were not fitted on. `calibrate(SVC, x, y, { C: 10 })`. Deterministic.
 */
export async function calibrate<E extends Learner>(
  estimator: E,
  x: RowsOf<E>,
  y: TargetsOf<E>,
  options?: CalibrateOptions & OptionsOf<E>,
): Promise<CalibratedClassifier<LabelOf<E>, RowsOf<E>>> {
  const { own, rest: fit } = splitOptions(calibrateOptions, options ?? {});
  const { method, folds, seed, threads, signal, timeLimitSeconds } = calibrateOptions.check(own);
  if (!classifiers.includes(estimatorOf(estimator)))
    throw HingeError.option(
      "the estimator to calibrate",
      "LinearSVC, LogisticRegression, SVC, NuSVC, or a pipeline that ends in one",
      estimator,
    );
  const { seconds } = beginCall({});
  const limits = { seed, threads, signal };
  const validated = await crossValidate(estimator, x, y, { ...fit, ...limits, timeLimitSeconds, folds } as never);
  if (validated.folds.length === 0)
    throw HingeError.input("stopped before a single fold was done: there are no decision values to calibrate with");
  const left = timeLeft(timeLimitSeconds, seconds);
  const model = (await estimator.fit(x, y, { ...fit, ...limits, timeLimitSeconds: left })) as ClassifierModel | Pipeline;
  const inner = (model instanceof Pipeline ? model.model : model) as ClassifierModel;
  const { classes } = inner;
  if (validated.decisions === undefined)
    throw HingeError.input(
      `a fold has not all of the ${classes.length} classes among the rows that it trains on; use fewer folds, or leave out classes with hardly any rows`,
    );
  const given = (estimator instanceof Recipe ? estimator.optionsWith(fit) : fit) as { readonly sampleWeight?: ArrayLike<number> };
  const weights = sampleWeights(given.sampleWeight, y.length);
  const numbers = new Map<Label, number>(classes.map((label, k) => [label, k]));
  const shape = shapeOf(inner.multiClass);
  // Rows that no fold tested have no decision value, and those of labels that weight 0 has taken away no class.
  const outputs = validated.decisions.length / y.length;
  const isHeld = (i: number): boolean => !Number.isNaN(validated.decisions?.[i * outputs]) && numbers.has(y[i]);
  const rows = Array.from({ length: y.length }, (_, i) => i).filter(isHeld);
  const held = {
    decisions: Float64Array.from(rows.flatMap((i) => Array.from(validated.decisions?.subarray(i * outputs, (i + 1) * outputs) ?? []))),
    classIds: rows.map((i) => numbers.get(y[i]) as number),
    weights: rows.map((i) => weights[i] as number),
    classCount: classes.length,
  };
  const unseen = classes.find((_, k) => !held.classIds.some((id, r) => id === k && (held.weights[r] as number) > 0));
  if (unseen !== undefined) throw HingeError.input(`no fold tests a row of class ${shown(unseen)}; use folds that test every row`);
  return new CalibratedClassifier<LabelOf<E>, RowsOf<E>>(model, method, fitCalibrators(method, shape, held));
}
