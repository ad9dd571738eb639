// What a search over C asks of the data: folds, weights, where C begins, how a model is fitted and how its predictions are marked; for classes and for targets.

import { HingeError } from "../base/errors.js";
import type { CheckedLiblinearSearchOptions as SearchSettings } from "../base/options/liblinear-search.js";
import { linearSvcOptions } from "../base/options/linear-svc.js";
import { linearSvrOptions } from "../base/options/linear-svr.js";
import { logisticRegressionOptions } from "../base/options/logistic-regression.js";
import { sumOf } from "../base/sums.js";
import { type Fold, folds } from "../data/folds.js";
import { type LabelsInput, sampleWeights } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import { rowSquares } from "../data/row-squares.js";
import { LinearSVC } from "../estimators/linear-svc.js";
import { LinearSVR } from "../estimators/linear-svr.js";
import type { LogisticRegression } from "../estimators/logistic-regression.js";
import { checkedTargets } from "../estimators/regression-problem.js";
import { weightedMean } from "../solve/tube.js";
import { epsilons, firstC, firstRegressionC, LARGEST_C } from "./liblinear-rules.js";

/** A model as far as the search looks at it. */
export interface Fitted {
  readonly coefficients: Float64Array;
  /** Of a classifier; a regression has one. */
  readonly biases?: Float64Array;
  readonly bias?: number;
  readonly report: { readonly status: string };
  predict(x: Matrix): Promise<ArrayLike<unknown>>;
}

/** Values of C to be tried one after the other: a tube of a regression, all of a classifier. */
export interface Line {
  readonly epsilon?: number;
  readonly firstC: number;
}

/** What differs between classes and targets. */
export interface Subject {
  readonly folds: readonly Fold[];
  /** f64[rowCount] */
  readonly weights: Float64Array;
  readonly largestC: number;
  readonly lines: readonly Line[];
  fit(packed: Matrix, options: object): Promise<Fitted>;
  /** What a prediction adds to the score's sum. */
  mark(predicted: unknown, row: number): number;
  isBetter(score: number, than: number): boolean;
}

export function classification(
  estimator: typeof LinearSVC | typeof LogisticRegression,
  packed: Matrix,
  y: LabelsInput,
  fit: Record<string, unknown>,
  search: SearchSettings,
): Subject {
  const isSvc = estimator === LinearSVC;
  const { penalty, sampleWeight, bias, biasScale } = (isSvc ? linearSvcOptions : logisticRegressionOptions).check(fit);
  if (penalty !== "l2") refuse(`penalty ${JSON.stringify(penalty)}`);
  if (isSvc && linearSvcOptions.check(fit).loss !== "squared_hinge") refuse('loss "hinge"');
  if (search.startEpsilon !== undefined) throw new HingeError("bad-option", "startEpsilon is for LinearSVR: a classifier has no tube");
  const weights = sampleWeights(sampleWeight, packed.rowCount);
  const largestSquare = largestRowSquare(packed, weights, constantOf(bias, biasScale));
  const totalWeight = sumOf(weights);
  return {
    folds: folds(y, { count: search.folds, seed: search.seed, kind: "stratified" }),
    weights,
    largestC: LARGEST_C.classification,
    lines: [{ firstC: search.startC ?? firstC(isSvc ? "squared_hinge" : "logistic", { totalWeight, largestSquare }) }],
    fit: (rows, options) => estimator.fit(rows, y as never, options),
    mark: (predicted, row) => (predicted === y[row] ? 1 : 0),
    isBetter: (score, than) => score > than,
  };
}

export function regression(packed: Matrix, y: unknown, fit: Record<string, unknown>, search: SearchSettings): Subject {
  const { loss, bias, biasScale, centreTarget, sampleWeight } = linearSvrOptions.check(fit);
  if (loss !== "squared_epsilon_insensitive") refuse(`loss ${JSON.stringify(loss)}`);
  const targets = checkedTargets(y, packed.rowCount);
  const weights = sampleWeights(sampleWeight, packed.rowCount);
  const isCentred = bias === "unregularised" || (bias === "augmented" && centreTarget);
  const centre = isCentred ? weightedMean(targets, weights) : 0;
  const distances = targets.map((target, i) => ((weights[i] as number) > 0 ? Math.abs(target - centre) : 0));
  const largestSquare = largestRowSquare(packed, weights, constantOf(bias, biasScale));
  const widest = distances.reduce((most, distance) => Math.max(most, distance), 0);
  return {
    folds: folds(packed.rowCount, { count: search.folds, seed: search.seed, kind: "plain" }),
    weights,
    largestC: LARGEST_C.regression,
    lines: epsilons(widest, search.startEpsilon).map((epsilon) => ({
      epsilon,
      firstC: search.startC ?? firstRegressionC(distances, weights, epsilon, largestSquare),
    })),
    fit: (rows, options) => LinearSVR.fit(rows, targets, options),
    mark: (predicted, row) => ((predicted as number) - (targets[row] as number)) ** 2,
    isBetter: (score, than) => score < than,
  };
}

function refuse(what: string): never {
  throw new HingeError("bad-option", `liblinearSearch is for smooth losses with penalty "l2", got ${what}`);
}

/** The value of the feature whose weight is the bias. */
function constantOf(bias: string | false, biasScale: number): number {
  return bias === false ? 0 : bias === "unregularised" ? 1 : biasScale;
}

/** The largest |x_i|^2 of rows that have weight, `constant` being the value of one more feature. */
function largestRowSquare(x: Matrix, weights: Float64Array, constant: number): number {
  const taken = Uint32Array.from(weights.keys()).filter((i) => weights[i] !== 0);
  return rowSquares(x, taken).reduce((largest, square) => Math.max(largest, square), 0) + (taken.length > 0 ? constant * constant : 0);
}
