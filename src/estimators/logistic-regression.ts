// LogisticRegression: the linear classifier whose decision values are log odds.

import type { PredictOptions } from "../base/options/data.js";
import { biasForm } from "../base/options/linear.js";
import {
  type CheckedLogisticRegressionOptions,
  type LogisticRegressionOptions,
  logisticRegressionOptions,
} from "../base/options/logistic-regression.js";
import { sigmoid, softMaximum, toSumOne } from "../calibration/sums.js";
import type { Label, LabelsInput } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { type LiblinearData, linearFromLiblinear } from "../model/liblinear-file.js";
import { linearClassifierFromJson } from "../model/linear-classifier.js";
import { type ClassifierSettings, fitClassifier } from "./fit-classifier.js";
import { LinearClassifier } from "./linear-classifier.js";
import type { RowInput } from "./linear-decision.js";
import { stopOf } from "./linear-problems.js";
import type { CertifiedReport } from "./report.js";

/** What `LogisticRegression.fit` returns: a model whose certificate is known to be there. */
export type FittedLogisticRegression<L extends Label = Label> = LogisticRegression<L> & { readonly report: CertifiedReport };

/**
 * A fitted logistic regression. Make one with `LogisticRegression.fit`. Immutable.
 *
 * Two classes: minimises `penalty(w) + C sum log(1 + exp(-y f(x)))`, with `1/2 |w|^2` or `|w|_1` as penalty, where the bias is part of `w`
 * if it is augmented. More classes: the multinomial likelihood of all of them, or one such problem a class.
 */
export class LogisticRegression<L extends Label = Label> extends LinearClassifier<L> {
  /**
   * Returns the model that fits rows `x` with labels `y`, certified. Ends always: `report.status` says how.
   * Throws `HingeError` on wrong input before any work.
   */
  static async fit<L extends Label>(
    x: RowsInput | Matrix,
    y: LabelsInput & ArrayLike<L>,
    options?: LogisticRegressionOptions,
  ): Promise<FittedLogisticRegression<L>> {
    const { data, run, dual } = await fitClassifier(x, y, logisticSettings(logisticRegressionOptions.check(options)));
    return new LogisticRegression<L>(data, run, dual) as FittedLogisticRegression<L>;
  }

  /**
   * Returns the probability of every class for every row, row after row in the order of `classes`. They add up to 1. One-vs-rest
   * probabilities are those of each class against the rest, divided by their sum.
   */
  async probabilities(x: RowsInput | Matrix, options?: PredictOptions): Promise<Float64Array> {
    const decision = await this.decision(x, options);
    const [outputs, classCount] = [this.biases.length, this.classes.length];
    const rowCount = decision.length / outputs;
    const all = new Float64Array(rowCount * classCount);
    for (let i = 0; i < rowCount; i++) this.#fill(all, i * classCount, decision, i * outputs);
    return all;
  }

  /** Returns the probability of every class for one row, at once; the same bits as `probabilities`. */
  probabilitiesOne(row: RowInput): Float64Array {
    const all = new Float64Array(this.classes.length);
    this.#fill(all, 0, this.decisionOne(row), 0);
    return all;
  }

  #fill(out: Float64Array, at: number, decision: Float64Array, from: number): void {
    const count = this.classes.length;
    if (this.multiClass === "binary") {
      const second = sigmoid(decision[from] as number);
      out[at] = sigmoid(-(decision[from] as number));
      out[at + 1] = second;
      return;
    }
    for (let m = 0; m < count; m++) {
      const value = decision[from + m] as number;
      out[at + m] = this.multiClass === "multinomial" ? value : sigmoid(value);
    }
    const own = out.subarray(at, at + count);
    if (this.multiClass === "multinomial") softMaximum(own);
    else toSumOne(own);
  }

  /** Returns the model in what `JSON.parse` gave. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown): LogisticRegression {
    return new LogisticRegression(linearClassifierFromJson(json, "LogisticRegression"));
  }

  /** @internal The model in LIBLINEAR's file; throws `HingeError` if it is of another kind. */
  static fromLiblinear(file: LiblinearData): LogisticRegression {
    return new LogisticRegression(linearFromLiblinear(file, "LogisticRegression"));
  }
}

/** The options as the settings of a fit. The multinomial problem has no l1 form; each class against the rest has. */
export function logisticSettings(options: CheckedLogisticRegressionOptions): ClassifierSettings {
  const multiClass = options.penalty === "l1" ? "ovr" : options.multiClass;
  const stop = stopOf(options);
  return { estimator: "LogisticRegression", loss: "logistic", ...options, stop, multiClass, bias: biasForm(options.bias, false) };
}
