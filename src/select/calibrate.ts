// Calibration: probabilities from the decision values that models have of rows which they were not fitted on, for the model that is fitted on all of them.

import { HingeError, shown } from "../base/errors.js";
import { type CalibrateOptions, calibrateOptions } from "../base/options/calibrate.js";
import type { HeldOut } from "../base/options/cross-validate.js";
import { splitOptions } from "../base/options/table.js";
import { fitCalibrators, type Shape } from "../calibration/calibrators.js";
import type { Label } from "../data/labels.js";
import { sampleWeights } from "../data/labels.js";
import { CalibratedClassifier, type ClassifierModel, shapeOf } from "../estimators/calibrated-classifier.js";
import { NuSVC, SVC } from "../estimators/kernel-classifier.js";
import { LinearSVC } from "../estimators/linear-svc.js";
import { LogisticRegression } from "../estimators/logistic-regression.js";
import { Pipeline, Recipe } from "../estimators/pipeline.js";
import { outputCount } from "../model/linear-classifier.js";
import { pairs } from "../model/schemes.js";
import { beginCall, timeLeft } from "../runtime/runtime.js";
import { heldOutRows } from "./cross-validate.js";
import { estimatorOf, type Learner, type OptionsOf, type RowsOf, type TargetsOf } from "./fold-rows.js";

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
  given?: CalibrateOptions & OptionsOf<E>,
): Promise<CalibratedClassifier<LabelOf<E>, RowsOf<E>>> {
  const { own, rest: fit } = splitOptions(calibrateOptions, given ?? {});
  const { method, folds, seed, threads, signal, timeLimitSeconds } = calibrateOptions.check(own);
  for (const name of ["scoring", "onFold", "onProgress", "warmStart", "keepState", "rowIds"]) {
    if (fit[name] !== undefined)
      throw new HingeError("bad-option", `${name} cannot be given to calibrate, which fits a model a fold and one of all rows`);
  }
  if (!classifiers.includes(estimatorOf(estimator)))
    throw HingeError.option(
      "the estimator to calibrate",
      "LinearSVC, LogisticRegression, SVC, NuSVC, or a pipeline that ends in one",
      estimator,
    );
  const { seconds } = beginCall({});
  const limits = { seed, threads, signal };
  const { tested, ending } = await heldOutRows(estimator, x, y, { ...fit, ...limits, timeLimitSeconds, folds } as never);
  if (tested.length === 0)
    throw HingeError.input(
      "stopped before a single fold was done: there are no decision values to calibrate with, so there is no model; give it more time",
    );
  const left = timeLeft(timeLimitSeconds, seconds);
  const model = (await estimator.fit(x, y, { ...fit, ...limits, timeLimitSeconds: left })) as ClassifierModel | Pipeline;
  const inner = (model instanceof Pipeline ? model.model : model) as ClassifierModel;
  const { classes } = inner;
  const chosen = (estimator instanceof Recipe ? estimator.optionsWith(fit) : fit) as { readonly sampleWeight?: ArrayLike<number> };
  const weights = sampleWeights(chosen.sampleWeight, y.length);
  const numbers = new Map<Label, number>(classes.map((label, k) => [label, k]));
  const shape = shapeOf(inner.multiClass);
  const outputs = outputCount(inner.multiClass, classes.length);
  const decisions = new Float64Array(y.length * outputs).fill(Number.NaN);
  const places = new Map(pairs(classes.length).map(([a, b], m) => [`${a} ${b}`, m]));
  for (const { fold, held } of tested) {
    const ids = (held.classes ?? []).map((label) => numbers.get(label));
    for (const [k, row] of fold.test.entries())
      putDecisions(decisions.subarray(row * outputs, (row + 1) * outputs), shape, places, ids, held, k);
  }
  // Rows that no fold tested have no decision value, and those of labels that weight 0 has taken away no class.
  const isHeld = (i: number): boolean =>
    decisions.subarray(i * outputs, (i + 1) * outputs).some((f) => !Number.isNaN(f)) && numbers.has(y[i]);
  const rows = Array.from({ length: y.length }, (_, i) => i).filter(isHeld);
  const held = {
    decisions: Float64Array.from(rows.flatMap((i) => Array.from(decisions.subarray(i * outputs, (i + 1) * outputs)))),
    classIds: rows.map((i) => numbers.get(y[i]) as number),
    weights: rows.map((i) => weights[i] as number),
    classCount: classes.length,
  };
  const unseen = classes.find((_, k) => !held.classIds.some((id, r) => id === k && (held.weights[r] as number) > 0));
  if (unseen !== undefined) throw HingeError.input(`no fold tests a row of class ${shown(unseen)}; use folds that test every row`);
  return new CalibratedClassifier<LabelOf<E>, RowsOf<E>>(model, method, fitCalibrators(method, shape, held), {
    folds: tested.length,
    ending,
  });
}

/**
 * Writes row k's decision values to where the classes of all rows have them; `places`: of pairs of classes. A fold may lack classes, which are then without: `ids` are those that it has, undefined where the
 * model of all rows does not know them.
 */
function putDecisions(
  out: Float64Array,
  shape: Shape,
  places: ReadonlyMap<string, number>,
  ids: readonly (number | undefined)[],
  { decision, y }: HeldOut,
  k: number,
): void {
  const count = decision.length / y.length;
  const own = decision.subarray(k * count, (k + 1) * count);
  if (shape === "two") {
    out[0] = own[0] as number;
    return;
  }
  const put = (place: number | undefined, value: number): void => {
    if (place !== undefined) out[place] = value;
  };
  if (shape === "each") {
    // Two classes have one value between them.
    if (ids.length === 2) put(ids[0], -(own[0] as number));
    for (const [m, value] of own.entries()) put(ids[ids.length === 2 ? 1 : m], value);
    return;
  }
  for (const [m, [a, b]] of pairs(ids.length).entries()) put(places.get(`${ids[a]} ${ids[b]}`), own[m] as number);
}
