// LIBLINEAR's own search for C, and for C and epsilon of a regression: cross-validation along C, each fold begun where its last C ended.
// liblinear-rules.ts says which points are tried and when it is over.

import { HingeError } from "../base/errors.js";
import { inLanes } from "../base/lanes.js";
import {
  type LiblinearSearchOptions,
  liblinearSearchOptions,
  type SearchedPoint,
  type CheckedLiblinearSearchOptions as SearchSettings,
} from "../base/options/liblinear-search.js";
import type { LinearSvcOptions } from "../base/options/linear-svc.js";
import type { LinearSvrOptions } from "../base/options/linear-svr.js";
import type { LogisticRegressionOptions } from "../base/options/logistic-regression.js";
import { splitOptions } from "../base/options/table.js";
import { type Interruption, isInterruption } from "../base/status.js";
import type { Fold } from "../data/folds.js";
import type { LabelsInput } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { LinearSVC } from "../estimators/linear-svc.js";
import { LinearSVR } from "../estimators/linear-svr.js";
import { LogisticRegression } from "../estimators/logistic-regression.js";
import type { TargetsInput } from "../estimators/regression-problem.js";
import { beginCall, timeLeft, withMatrix } from "../runtime/runtime.js";
import { trainingWeights } from "./fold-rows.js";
import { SAME, UNMOVED } from "./liblinear-rules.js";
import { classification, type Fitted, type Line, regression, type Subject } from "./search-subject.js";

export interface LiblinearSearch {
  /** The point of the best score, the first of several; its C and epsilon are options of a fit. */
  readonly best: SearchedPoint;
  /** All of them, as they were tried. */
  readonly points: readonly SearchedPoint[];
  /** Whether C grew to the largest that is tried while the models still moved: the best C may be larger. */
  readonly isOpen: boolean;
  readonly ending: "complete" | Interruption;
}

type Searched<Options> = LiblinearSearchOptions & Omit<Options, "C" | "epsilon" | "warmStart" | "onProgress">;

/**
 * Returns the C with which a classifier predicts best what it has not seen, by LIBLINEAR's search (`train -C`): from a C so small that no
 * smaller one can be better, doubled until the models rest. Of a LinearSVR it also searches epsilon, by the least mean squared error. For
 * smooth losses with the l2 penalty, which are those of LIBLINEAR's search. Folds are ours: stratified for classes, by `seed`.
 */
export function liblinearSearch(
  estimator: typeof LinearSVC,
  x: RowsInput | Matrix,
  y: LabelsInput,
  options?: Searched<LinearSvcOptions>,
): Promise<LiblinearSearch>;
export function liblinearSearch(
  estimator: typeof LogisticRegression,
  x: RowsInput | Matrix,
  y: LabelsInput,
  options?: Searched<LogisticRegressionOptions>,
): Promise<LiblinearSearch>;
export function liblinearSearch(
  estimator: typeof LinearSVR,
  x: RowsInput | Matrix,
  y: TargetsInput,
  options?: Searched<LinearSvrOptions>,
): Promise<LiblinearSearch>;
export async function liblinearSearch(
  estimator: unknown,
  x: RowsInput | Matrix,
  y: unknown,
  options: object = {},
): Promise<LiblinearSearch> {
  const { search, fit } = split(options);
  const known = [LinearSVC, LogisticRegression, LinearSVR] as const;
  const kind = known.find((one) => one === estimator);
  if (kind === undefined)
    throw HingeError.option("the estimator of liblinearSearch", "LinearSVC, LogisticRegression or LinearSVR", estimator);
  const { seconds } = beginCall({});
  return withMatrix(x, async (packed) => {
    const subject =
      kind === LinearSVR
        ? regression(packed, y, fit, search)
        : classification(kind as typeof LinearSVC | typeof LogisticRegression, packed, y as LabelsInput, fit, search);
    return searchAll(subject, search, trainerOf(packed, subject, fit, search, seconds));
  });
}

/** The options of the search, checked, and those left for the fits. */
function split(options: object): { search: SearchSettings; fit: Record<string, unknown> } {
  const { own, rest: fit } = splitOptions(liblinearSearchOptions, options);
  for (const [name, instead] of [
    ["C", "startC says where it begins"],
    ["epsilon", "startEpsilon says where it begins"],
    ["warmStart", "each fold begins where its last C ended"],
    ["onProgress", "use onPoint"],
  ] as const) {
    if (fit[name] !== undefined) throw new HingeError("bad-option", `${name} cannot be given to liblinearSearch: ${instead}`);
  }
  return { search: liblinearSearchOptions.check(own), fit };
}

function trainerOf(packed: Matrix, subject: Subject, fit: object, search: SearchSettings, seconds: () => number): Trainer {
  const { seed, threads, signal, timeLimitSeconds } = search;
  const weights = subject.folds.map((fold) => trainingWeights(subject.weights, fold));
  return {
    packed,
    subject,
    threads: threads ?? Infinity,
    fit({ epsilon }, C, k, warmStart) {
      const left = timeLeft(timeLimitSeconds, seconds);
      const point = { C, ...(epsilon !== undefined && { epsilon }), sampleWeight: weights[k], warmStart };
      return subject.fit(packed, { ...fit, seed, threads, signal, timeLimitSeconds: left, ...point });
    },
  };
}

/** Line by line; one that is interrupted ends them all. */
async function searchAll(subject: Subject, search: SearchSettings, trainer: Trainer): Promise<LiblinearSearch> {
  const points: SearchedPoint[] = [];
  let ending: LiblinearSearch["ending"] = "complete";
  let isOpen = false;
  for (const line of subject.lines) {
    const ended = await searchLine(trainer, line, (point) => {
      points.push(point);
      search.onPoint?.(point);
    });
    if (ended === "open") isOpen = true;
    else if (ended !== "rested") {
      ending = ended;
      break;
    }
  }
  const [first = NOTHING] = points;
  return {
    best: points.reduce((best, point) => (subject.isBetter(point.score, best.score) ? point : best), first),
    points,
    isOpen,
    ending,
  };
}

/** What a search has found that was stopped before its first point. */
const NOTHING: SearchedPoint = Object.freeze({ C: Number.NaN, score: Number.NaN });

interface Trainer {
  readonly packed: Matrix;
  readonly subject: Subject;
  /** Folds at a time. */
  readonly threads: number;
  fit(line: Line, C: number, fold: number, warmStart: Fitted | undefined): Promise<Fitted>;
}

/** All values of C of one line: until the models rest, or C is the largest. */
async function searchLine(trainer: Trainer, line: Line, take: (point: SearchedPoint) => void): Promise<"rested" | "open" | Interruption> {
  const { subject, threads } = trainer;
  const { epsilon, firstC } = line;
  let models: readonly Fitted[] = [];
  let unmoved = 0;
  for (let C = Math.min(firstC, subject.largestC); C <= subject.largestC; C *= 2) {
    const before = models;
    models = await inLanes(subject.folds.length, threads, (k) => trainer.fit(line, C, k, before[k]));
    const interruption = models.find(({ report }) => isInterruption(report.status))?.report.status;
    if (interruption !== undefined) return interruption as Interruption;
    take({ C, ...(epsilon !== undefined && { epsilon }), score: await scoreOf(trainer, models) });
    unmoved = before.length > 0 && models.every((model, k) => distance(model, before[k] as Fitted) <= SAME) ? unmoved + 1 : 0;
    if (unmoved === UNMOVED) return "rested";
  }
  return "open";
}

/** The weighted mean of the marks of all rows, each from the model that has not seen it. */
async function scoreOf({ packed, subject, threads }: Trainer, models: readonly Fitted[]): Promise<number> {
  const { folds, weights, mark } = subject;
  const sums = await inLanes(folds.length, threads, async (k) => {
    const { test } = folds[k] as Fold;
    const predicted = await (models[k] as Fitted).predict(packed);
    return test.reduce((sum, row) => sum + ((weights[row] as number) > 0 ? (weights[row] as number) * mark(predicted[row], row) : 0), 0);
  });
  const total = folds.reduce((sum, { test }) => sum + test.reduce((own, row) => own + (weights[row] as number), 0), 0);
  return sums.reduce((sum, own) => sum + own, 0) / total;
}

function distance(a: Fitted, b: Fitted): number {
  let sum = 0;
  for (const [own, other] of [
    [a.coefficients, b.coefficients],
    [biasesOf(a), biasesOf(b)],
  ] as const) {
    for (let j = 0; j < own.length; j++) sum += ((own[j] as number) - (other[j] as number)) ** 2;
  }
  return Math.sqrt(sum);
}

function biasesOf({ biases, bias = 0 }: Fitted): ArrayLike<number> {
  return biases ?? [bias];
}
