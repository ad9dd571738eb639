// Cross-validation: models that are each fitted without a part of the rows, and what they say of that part.

import { HingeError } from "../base/errors.js";
import { inLanes } from "../base/lanes.js";
import {
  type CheckedCrossValidateOptions,
  type CrossValidateOptions,
  crossValidateOptions,
  type HeldOut,
} from "../base/options/cross-validate.js";
import { splitOptions } from "../base/options/table.js";
import { type Interruption, isInterruption, type Status } from "../base/status.js";
import type { Fold } from "../data/folds.js";
import { beginCall, timeLeft } from "../runtime/runtime.js";
import {
  inFold,
  type Learner,
  type OptionsOf,
  onRows,
  type RowsOf,
  type Subject,
  scoreIn,
  spreadOf,
  subjectOf,
  type TargetsOf,
} from "./fold-rows.js";

/** One fold: how its model was fitted and what it scored. */
export interface FoldResult {
  readonly fold: Fold;
  readonly score: number;
  readonly status: Status | "unknown";
}

/** What `crossValidate` returns. */
export interface CrossValidation {
  /** Of all rows that were tested, taken together; NaN where none was, and where the score is of decision values and the folds did not all have the same classes. */
  readonly score: number;
  /** The mean of the folds' scores, and their standard deviation. */
  readonly mean: number;
  readonly deviation: number;
  readonly folds: readonly FoldResult[];
  /** What the model that had not seen the row said of it; undefined where no fold tested it. */
  readonly predictions: readonly (number | string | undefined)[];
  /** f64[rows][outputs]: the same model's decision values, NaN where no fold tested the row. undefined where the folds did not all have the same classes. */
  readonly decisions: Float64Array | undefined;
  readonly ending: "complete" | Interruption;
}

/**
 * Returns how well models predict what they have not seen: one model a fold, with the given options, tested on the fold's own rows. Folds are stratified for
 * classes and plain for numbers unless said otherwise, and run on all threads. Deterministic.
 */
export async function crossValidate<E extends Learner>(
  estimator: E,
  x: RowsOf<E>,
  y: TargetsOf<E>,
  options?: CrossValidateOptions & OptionsOf<E>,
): Promise<CrossValidation> {
  const { own, fit } = checkedOptions(options ?? {});
  const { seconds } = beginCall({});
  return onRows(estimator, x, async (rows) => {
    const subject = subjectOf(estimator, rows, y, fit, own);
    return summary(subject, await run(subject, own, seconds));
  });
}

/** @internal What the models of the folds say of the rows that they were not fitted on, fold by fold; folds that were interrupted are not there. */
export async function heldOutRows<E extends Learner>(
  estimator: E,
  x: RowsOf<E>,
  y: TargetsOf<E>,
  options: CrossValidateOptions & OptionsOf<E>,
): Promise<{ tested: { fold: Fold; held: HeldOut }[]; ending: "complete" | Interruption }> {
  const { own, fit } = checkedOptions(options);
  const { seconds } = beginCall({});
  const ran = await onRows(estimator, x, (rows) => run(subjectOf(estimator, rows, y, fit, own), own, seconds, false));
  const tested = ran.flatMap(({ fold, held }) => (held === undefined ? [] : [{ fold, held }]));
  return { tested, ending: (ran.find(({ held }) => held === undefined)?.status as Interruption | undefined) ?? "complete" };
}

/** The options of the cross-validation, checked, and those left for the fits. */
function checkedOptions(options: object): { own: CheckedCrossValidateOptions; fit: Record<string, unknown> } {
  const { own, rest: fit } = splitOptions(crossValidateOptions, options);
  for (const [name, instead] of [
    ["warmStart", "every fold begins from nothing"],
    ["onProgress", "use onFold"],
    ["keepState", "the models of the folds are not kept"],
    ["rowIds", "the models of the folds are not kept"],
  ] as const) {
    if (fit[name] !== undefined) throw new HingeError("bad-option", `${name} cannot be given to crossValidate: ${instead}`);
  }
  return { own: crossValidateOptions.check(own), fit };
}

async function run(subject: Subject, own: CheckedCrossValidateOptions, seconds: () => number, isScored = true): Promise<Ran[]> {
  const { folds, scorer } = subject;
  const { seed, signal, timeLimitSeconds, onFold, threads = Infinity } = own;
  // As many folds at a time as there are threads; a fit has more only where folds are few.
  const perFit = Math.max(1, Math.floor((own.threads ?? folds.length) / folds.length));
  let done = 0;
  return inLanes(folds.length, threads, async (k) => {
    const fold = folds[k] as Fold;
    const prepared = await subject.prepare(fold, perFit);
    const limits = { seed, threads: perFit, signal, timeLimitSeconds: timeLeft(timeLimitSeconds, seconds) };
    const model = await prepared.fit(limits).catch((error: unknown) => {
      throw inFold(k, error);
    });
    const { status } = model.report;
    if (isInterruption(status)) return { fold, status };
    const held = await prepared.heldOut(model, perFit);
    const score = isScored ? scoreIn(k, () => scorer.score(held)) : Number.NaN;
    onFold?.({ done: ++done, total: folds.length, score });
    return { fold, status, score, held };
  });
}

interface Ran {
  readonly fold: Fold;
  readonly status: Status | "unknown";
  /** Of a fold that was not interrupted. */
  readonly score?: number;
  readonly held?: HeldOut;
}

function summary({ y, scorer }: Subject, ran: readonly Ran[]): CrossValidation {
  const whole = ran.flatMap(({ fold, status, score, held }) =>
    score === undefined || held === undefined ? [] : [{ fold, status, score, held }],
  );
  const interrupted = ran.find(({ held }) => held === undefined)?.status as Interruption | undefined;
  const predictions = new Array<number | string | undefined>(y.length).fill(undefined);
  for (const { fold, held } of whole) for (const [k, row] of fold.test.entries()) predictions[row] = held.predicted[k];
  const areAlike = whole.every(({ held }) => JSON.stringify(held.classes) === JSON.stringify(whole[0]?.held.classes));
  const pooled = areAlike || scorer.isOfPredictions ? pool(whole.map(({ held }) => held)) : undefined;
  return {
    score: pooled === undefined ? Number.NaN : scorer.score(pooled),
    ...spreadOf(whole.map(({ score }) => score)),
    folds: whole.map(({ fold, status, score }) => ({ fold, status, score })),
    predictions,
    decisions: areAlike ? spread(y.length, whole) : undefined,
    ending: interrupted ?? "complete",
  };
}

/** All held-out rows as one. */
function pool(held: readonly HeldOut[]): HeldOut | undefined {
  const [first] = held;
  if (first === undefined) return undefined;
  const joined = (of: (one: HeldOut) => ArrayLike<number> | undefined): Float64Array =>
    Float64Array.from(held.flatMap((one) => Array.from(of(one) ?? [])));
  const list = (of: (one: HeldOut) => ArrayLike<number | string>): (number | string)[] => held.flatMap((one) => Array.from(of(one)));
  return {
    ...{ y: list(({ y }) => y), predicted: list(({ predicted }) => predicted), classes: first.classes },
    ...{ decision: joined(({ decision }) => decision), weights: joined(({ weights }) => weights) },
    probabilities: first.probabilities && joined(({ probabilities }) => probabilities),
  };
}

function spread(rowCount: number, whole: readonly { fold: Fold; held: HeldOut }[]): Float64Array | undefined {
  const [first] = whole;
  if (first === undefined) return undefined;
  const outputs = first.held.decision.length / first.fold.test.length;
  if (!Number.isInteger(outputs) || outputs === 0) return undefined;
  const decisions = new Float64Array(rowCount * outputs).fill(Number.NaN);
  for (const { fold, held } of whole) {
    for (const [k, row] of fold.test.entries()) decisions.set(held.decision.subarray(k * outputs, (k + 1) * outputs), row * outputs);
  }
  return decisions;
}
