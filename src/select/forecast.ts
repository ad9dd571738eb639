// What training would take: memory by what is known of the methods, time by short fits on samples of the data itself, on this machine. Samples grow until the
// time for them is spent; doctor-curve.ts goes on from there.

import { HingeError } from "../base/errors.js";
import { svcOptions } from "../base/options/kernel.js";
import { Random } from "../base/random.js";
import { rowsWhere } from "../base/rows-where.js";
import type { Matrix } from "../data/matrix.js";
import { takeList, takeRows } from "../data/take-rows.js";
import { NuSVC, SVC } from "../estimators/kernel-classifier.js";
import { NuSVR, SVR } from "../estimators/kernel-regression.js";
import { LinearOneClassSVM } from "../estimators/linear-one-class-svm.js";
import { LinearSVC } from "../estimators/linear-svc.js";
import { LinearSVR } from "../estimators/linear-svr.js";
import { LogisticRegression } from "../estimators/logistic-regression.js";
import { OneClassSVM } from "../estimators/one-class-svm.js";
import { clock } from "../runtime/clock.js";
import { extrapolated, type Growth, type SecondsRange, type TimedFit } from "./doctor-curve.js";
import { type LabelSummary, mostNu } from "./doctor-labels.js";

export interface EstimatorForecast {
  /** As --estimator names it. */
  readonly estimator: string;
  /** Of a fit of all rows with the default options. undefined where nothing was measured. */
  readonly seconds: SecondsRange | undefined;
  /** Bytes: work space besides the rows, kernel rows that are kept, the model in memory. */
  readonly memory: { readonly work: number; readonly cache: number; readonly model: number };
  readonly measured: readonly TimedFit[];
  /** What the fits were made with where the defaults cannot be had. */
  readonly settings: { readonly nu?: number };
  /** Why there is no time, where there is none. */
  readonly reason?: string;
}

export interface Forecast {
  /** Bytes of the rows in memory. */
  readonly rows: number;
  readonly estimators: readonly EstimatorForecast[];
}

/** Seconds that may be spent on the fits of one estimator: a kernel machine of few rows says little about many. */
const TRIAL_SECONDS = { linear: 0.12, kernel: 0.25 };

/** Returns what the estimators that suit the labels would take; nothing where there is nothing to learn from. */
export async function forecast(x: Matrix, y: Float64Array, labels: LabelSummary): Promise<Forecast> {
  const rows = x.kind === "dense" ? 4 * x.valueCount : 8 * x.valueCount + 4 * (x.rowCount + 1);
  const chosen = candidatesFor(labels);
  if (chosen.length === 0 || x.valueCount === 0) return { rows, estimators: [] };
  const labelled = rowsWhere(x.rowCount, (i) => !Number.isNaN(y[i] as number));
  const order = sampleOrder(y, labelled, labels);
  const estimators: EstimatorForecast[] = [];
  for (const candidate of chosen) {
    estimators.push(
      await forecastOne(candidate, {
        x,
        y,
        labels,
        order,
        rowCount: labelled.length,
        seconds: TRIAL_SECONDS[candidate.isKernel ? "kernel" : "linear"],
      }),
    );
  }
  return { rows, estimators };
}

interface Fitted {
  readonly report: { readonly status: string; readonly run?: { readonly supportCount: number | undefined } | undefined };
}

interface Candidate {
  readonly estimator: string;
  readonly isKernel: boolean;
  fit(x: Matrix, y: Float64Array, options: object): Promise<Fitted>;
}

const linear = (estimator: string, fit: Candidate["fit"]): Candidate => ({ estimator, isKernel: false, fit });
const kernel = (estimator: string, fit: Candidate["fit"]): Candidate => ({ estimator, isKernel: true, fit });

const candidates = {
  classes: [
    linear("linear-svc", LinearSVC.fit),
    linear("logistic-regression", LogisticRegression.fit),
    kernel("svc", SVC.fit),
    kernel("nu-svc", NuSVC.fit),
  ],
  numbers: [linear("linear-svr", LinearSVR.fit), kernel("svr", SVR.fit), kernel("nu-svr", NuSVR.fit)],
  single: [
    linear("linear-one-class", (x, _, options) => LinearOneClassSVM.fit(x, options)),
    kernel("one-class-svm", (x, _, options) => OneClassSVM.fit(x, options)),
  ],
  none: [],
} satisfies Readonly<Record<string, readonly Candidate[]>>;

function candidatesFor(labels: LabelSummary): readonly Candidate[] {
  return candidates[labels.kind === "classes" && labels.classes.length === 1 ? "single" : labels.kind];
}

interface Subject {
  readonly x: Matrix;
  readonly y: Float64Array;
  readonly labels: LabelSummary;
  /** Rows of which any first few are a sample. */
  readonly order: Uint32Array;
  /** Rows with a label, of which a forecast is wanted. */
  readonly rowCount: number;
  /** That may be spent. */
  readonly seconds: number;
}

/** Work space that is not worth having for a forecast. */
const MOST_WORK_BYTES = 2 ** 29;

async function forecastOne(candidate: Candidate, subject: Subject): Promise<EstimatorForecast> {
  const { estimator, isKernel } = candidate;
  const settings = estimator === "nu-svc" ? feasibleNu(subject.labels) : {};
  const work = workBytes(subject, isKernel);
  const known = { estimator, settings };
  if (work > MOST_WORK_BYTES) {
    const reason = "its work space is too large for a trial";
    return { ...known, seconds: undefined, memory: { work, ...storeBytes(candidate, subject, 1) }, measured: [], reason };
  }
  try {
    const { measured, supportShare, startSeconds } = await timedFits(candidate, subject, settings);
    const seconds = extrapolated(measured, subject.rowCount, growthOf(subject, isKernel), startSeconds);
    return { ...known, seconds, memory: { work, ...storeBytes(candidate, subject, supportShare) }, measured };
  } catch (error) {
    if (!(error instanceof HingeError) || error.code === "internal") throw error;
    return { ...known, seconds: undefined, memory: { work, ...storeBytes(candidate, subject, 1) }, measured: [], reason: error.message };
  }
}

/** nu-SVC's default is infeasible where a class is small; somewhat below the limit, as samples have other shares. */
function feasibleNu(labels: LabelSummary): { nu?: number } {
  const most = labels.kind === "classes" ? mostNu(labels.classes) : 1;
  return most > 0.5 ? {} : { nu: Number((0.8 * most).toPrecision(2)) };
}

/** Rows of the first sample, and of a class in it. A kernel fit of fewer rows shows what a call costs, not what rows do. */
const LEAST_ROWS = { linear: 100, kernel: 400 };
const LEAST_OF_CLASS = 4;
/** The shortest limit of a fit: below it nothing would come to its end. */
const LEAST_SECONDS = 0.02;
/** A fit that takes less, or surprisingly long, is made twice, and the shorter time counts: this machine may have other things to do. */
const BRIEF_SECONDS = 0.015;

interface Timings {
  readonly measured: TimedFit[];
  /** Of the rows of the largest sample. */
  readonly supportShare: number;
  /** What the very first fit took more than the same one again: workers start, and code is compiled. */
  readonly startSeconds: number;
}

async function timedFits(candidate: Candidate, { x, y, labels, order, seconds: share }: Subject, settings: object): Promise<Timings> {
  const measured: TimedFit[] = [];
  let [supportShare, spent, startSeconds] = [1, 0, 0];
  const fitSome = async (rowIds: Uint32Array): Promise<TimedFit> => {
    const [rows, own] = [takeRows(x, rowIds), takeList(y, rowIds)];
    const timeLimitSeconds = Math.max(LEAST_SECONDS, share - spent);
    const started = clock();
    const { report } = await candidate.fit(rows, own, { ...settings, timeLimitSeconds });
    const seconds = (clock() - started) / 1000;
    spent += seconds;
    const isDone = report.status !== "time-limit";
    if (isDone) supportShare = (report.run?.supportCount ?? rowIds.length) / rowIds.length;
    return { rowCount: rowIds.length, seconds, isDone };
  };
  const classCount = labels.kind === "classes" ? labels.classes.length : 1;
  const least = Math.max(LEAST_ROWS[candidate.isKernel ? "kernel" : "linear"], LEAST_OF_CLASS * classCount);
  for (let rowCount = Math.min(order.length, least); ; rowCount = Math.min(order.length, 2 * rowCount)) {
    const rowIds = order.slice(0, rowCount).sort();
    const first = await fitSome(rowIds);
    let timed = first;
    const isFirst = measured.length === 0;
    const usual = (measured.at(-1)?.seconds ?? Infinity) * (candidate.isKernel ? 5 : 3);
    const isDoubtful = timed.seconds > usual;
    if (isDoubtful || (timed.isDone && (isFirst || timed.seconds < BRIEF_SECONDS) && spent + timed.seconds < share)) {
      const again = await fitSome(rowIds);
      if (isFirst) startSeconds = Math.max(0, timed.seconds - again.seconds);
      if (again.isDone && (isFirst || again.seconds < timed.seconds)) timed = again;
      // What something else on this machine took is not counted against the samples to come.
      if (isDoubtful) spent -= Math.max(0, first.seconds - timed.seconds);
    }
    measured.push(timed);
    const expected = timed.seconds * (candidate.isKernel ? 3 : 2);
    if (!timed.isDone || rowCount === order.length || spent + expected > share) return { measured, supportShare, startSeconds };
  }
}

/** Linear methods need more passes the more rows there are; kernel machines compare rows with rows. */
function growthOf({ labels, rowCount }: Subject, isKernel: boolean): Growth {
  if (!isKernel) return { least: 0.8, most: 1.5, surplus: 1 };
  const fits = 4 * largestProblem(labels, rowCount) ** 2 <= svcOptions.fields.cacheBytes.fallback;
  return { least: 1.2, most: 2.1, surplus: fits ? 1 : 2 };
}

/** Rows of the largest problem: of several classes, that of the two largest. */
function largestProblem(labels: LabelSummary, rowCount: number): number {
  if (labels.kind !== "classes" || labels.classes.length < 3) return rowCount;
  const sizes = labels.classes.map(({ count }) => count).sort((a, b) => b - a);
  return (sizes[0] as number) + (sizes[1] as number);
}

/** Numbers that a method keeps, in bytes: a record of some doubles a row, and some vectors of one double a feature and output. */
const RECORD_BYTES = 48;
const VECTORS = 6;
/** Rows that a kernel compares with others at once, spread out into all features. */
const LANES = 8;

function workBytes({ x, labels }: Subject, isKernel: boolean): number {
  if (isKernel) return 2 * RECORD_BYTES * largestProblem(labels, x.rowCount) + 4 * LANES * (x.featureCount + 1);
  return RECORD_BYTES * x.rowCount + 8 * VECTORS * (x.featureCount + 1) * outputs(labels);
}

/** Decision values of a linear model: one for two classes, one a class for more. */
function outputs(labels: LabelSummary): number {
  return labels.kind === "classes" && labels.classes.length > 2 ? labels.classes.length : 1;
}

function storeBytes({ isKernel }: Candidate, { x, labels }: Subject, supportShare: number): { cache: number; model: number } {
  if (!isKernel) return { cache: 0, model: 8 * (x.featureCount + 1) * outputs(labels) };
  const cache = Math.min(svcOptions.fields.cacheBytes.fallback, 4 * largestProblem(labels, x.rowCount) ** 2);
  const columns = labels.kind === "classes" ? Math.max(1, labels.classes.length - 1) : 1;
  const vectorBytes = 8 * columns + (8 * x.valueCount) / x.rowCount + 4;
  return { cache, model: Math.round(supportShare * x.rowCount * vectorBytes) };
}

/** Rows that samples are taken from, at most: more than can be fitted in so short a time. */
const MOST_SAMPLED = 50_000;

/** Rows in an order of which any first part is a sample: two of each class, then every class by its share. */
function sampleOrder(y: Float64Array, labelled: Uint32Array, labels: LabelSummary): Uint32Array {
  const random = new Random(0);
  const rows = spread(labelled, random);
  random.shuffle(rows);
  if (labels.kind !== "classes") return rows;
  const sizes = new Map<number, number>();
  for (const row of rows) sizes.set(y[row] as number, (sizes.get(y[row] as number) ?? 0) + 1);
  const seen = new Map<number, number>();
  const keyed = Array.from(rows, (row) => {
    const label = y[row] as number;
    const rank = seen.get(label) ?? 0;
    seen.set(label, rank + 1);
    return { row, key: rank < 2 ? -1 : rank / (sizes.get(label) as number) };
  });
  return Uint32Array.from(
    keyed.sort((a, b) => a.key - b.key),
    ({ row }) => row,
  );
}

/** All of the rows, or many of them, one from each stretch of equal length. */
function spread(rows: Uint32Array, random: Random): Uint32Array {
  if (rows.length <= MOST_SAMPLED) return rows.slice();
  return Uint32Array.from(
    { length: MOST_SAMPLED },
    (_, k) => rows[Math.floor(((k + random.unit()) * rows.length) / MOST_SAMPLED)] as number,
  );
}
