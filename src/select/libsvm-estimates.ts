// What svm-train -b 1 adds to a model: probability estimates by LIBSVM's own rule, with its five folds of rows in random order. For its files and its commands; `calibrate` is what
// everybody else wants, whose probabilities agree with its predictions.

import { Random } from "../base/random.js";
import { densityMarks, laplaceScale, libsvmSigmoid } from "../calibration/libsvm.js";
import type { Matrix } from "../data/matrix.js";
import { takeKernel, takeList, takeRows } from "../data/take-rows.js";
import type { NuSVC, SVC } from "../estimators/kernel-classifier.js";
import type { NuSVR, SVR } from "../estimators/kernel-regression.js";
import type { OneClassSVM } from "../estimators/one-class-svm.js";
import { pairs } from "../model/schemes.js";

const FOLDS = 5;

/** In LIBSVM's form, one number a pair of `labels`: a file of the model takes them as they are. */
export interface PairEstimates {
  readonly probA: Float64Array;
  readonly probB: Float64Array;
}

type FoldModel = SVC | NuSVC | SVR | NuSVR;

interface Settings {
  readonly options: object;
  /** Whether x holds kernel values. */
  readonly isPrecomputed?: boolean;
  readonly seed: number;
  /** Told of every model on the way: of which pair and fold it is, and what it was fitted to. Of rows with one label only there is none. */
  readonly onModel?: (model: FoldModel, at: { readonly pair: number; readonly fold: number; readonly y: ArrayLike<number> }) => void;
}

/** Estimates for every pair of labels, from models of that pair alone. `labels`: in the order of the file. */
export async function pairEstimates(
  estimator: typeof SVC | typeof NuSVC,
  x: Matrix,
  y: ArrayLike<number>,
  labels: readonly number[],
  { options, isPrecomputed = false, classWeight, seed, onModel }: Settings & { readonly classWeight?: ReadonlyMap<number, number> },
): Promise<PairEstimates> {
  const all = pairs(labels.length);
  const [probA, probB] = [new Float64Array(all.length), new Float64Array(all.length)];
  for (const [m, [a, b]] of all.entries()) {
    const rows = Uint32Array.from(Array.from({ length: y.length }, (_, i) => i).filter((i) => y[i] === labels[a] || y[i] === labels[b]));
    const cut = libsvmFolds(rows.length, FOLDS, new Random(seed, m));
    const decisions = new Float64Array(rows.length);
    // A fit refuses weights of classes that it has no rows of.
    const costs = classWeight && new Map([...classWeight].filter(([label]) => label === labels[a] || label === labels[b]));
    await Promise.all(
      cut.map(async ({ train, test }, fold) => {
        const [trainIds, testIds] = [takeList(rows, train), takeList(rows, test)];
        const own = takeList(Array.from(y), trainIds);
        const held = await heldDecisions(
          estimator,
          rowsOf(x, trainIds, trainIds, isPrecomputed),
          own,
          rowsOf(x, testIds, trainIds, isPrecomputed),
          labels[a] as number,
          costs === undefined ? options : { ...options, classWeight: costs },
          (model) => onModel?.(model, { pair: m, fold, y: own }),
        );
        for (const [k, at] of test.entries()) decisions[at] = held[k] as number;
      }),
    );
    const { A, B } = libsvmSigmoid(
      decisions,
      Array.from(rows, (i) => (y[i] === labels[a] ? 1 : 0)),
    );
    probA[m] = A;
    probB[m] = B;
  }
  return { probA, probB };
}

/** For the first label above 0; of rows that have one label only, that it is that label. */
async function heldDecisions(
  estimator: typeof SVC | typeof NuSVC,
  train: Matrix,
  y: readonly number[],
  test: Matrix,
  first: number,
  options: object,
  onModel?: (model: SVC | NuSVC) => void,
): Promise<ArrayLike<number>> {
  if (y.length === 0) return new Float64Array(test.rowCount);
  if (y.every((label) => label === y[0])) return new Float64Array(test.rowCount).fill(y[0] === first ? 1 : -1);
  const model = await estimator.fit(train, y as number[], options);
  onModel?.(model);
  const decisions = await model.decision(test);
  return model.classes[1] === first ? decisions : decisions.map((value) => -value);
}

/** The scale of what a regression's predictions are off by. */
export async function regressionScale(
  estimator: typeof SVR | typeof NuSVR,
  x: Matrix,
  y: ArrayLike<number>,
  { options, isPrecomputed = false, seed, onModel }: Settings,
): Promise<number> {
  const targets = Float64Array.from(y);
  const residuals = new Float64Array(targets.length);
  await Promise.all(
    libsvmFolds(targets.length, FOLDS, new Random(seed)).map(async ({ train, test }, fold) => {
      const own = takeList(targets, train);
      const model = await estimator.fit(rowsOf(x, train, train, isPrecomputed), own, options);
      onModel?.(model, { pair: 0, fold, y: own });
      const predicted = await model.predict(rowsOf(x, test, train, isPrecomputed));
      for (const [k, i] of test.entries()) residuals[i] = (targets[i] as number) - (predicted[k] as number);
    }),
  );
  return laplaceScale(residuals);
}

/** The marks of a one-class model; undefined where too few training rows are on one side of it. */
export async function normalMarks(model: OneClassSVM, x: Matrix): Promise<Float64Array | undefined> {
  return densityMarks(await model.decision(x));
}

/** Rows for a model of the rows `train`, to fit it or to ask it. */
export function rowsOf(x: Matrix, rowIds: Uint32Array, train: Uint32Array, isPrecomputed: boolean): Matrix {
  return isPrecomputed ? takeKernel(x, rowIds, train) : takeRows(x, rowIds);
}

/** Folds as LIBSVM and LIBLINEAR cut them: rows in random order, then in equal runs. */
export function libsvmFolds(rowCount: number, count: number, random: Random): { train: Uint32Array; test: Uint32Array }[] {
  const order = Uint32Array.from({ length: rowCount }, (_, i) => i);
  random.shuffle(order);
  return Array.from({ length: count }, (_, k) => {
    const [from, to] = [Math.floor((k * rowCount) / count), Math.floor(((k + 1) * rowCount) / count)];
    const train = new Uint32Array(rowCount - (to - from));
    train.set(order.subarray(0, from));
    train.set(order.subarray(to), from);
    return { train, test: order.slice(from, to) };
  });
}
