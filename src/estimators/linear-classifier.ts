// What all linear classifiers can do once they are fitted.

import { HingeError, shown } from "../base/errors.js";
import { type PredictOptions, predictOptions } from "../base/options/data.js";
import { isList, type Label, type LabelsInput } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { checkLiblinearLabels, checkLiblinearScheme, type LiblinearFile, linearToLiblinear } from "../model/liblinear-file.js";
import { type LinearClassifierData, type LinearClassifierJson, linearClassifierToJson, type Scheme } from "../model/linear-classifier.js";
import { classOf, labelsOf } from "../model/schemes.js";
import { LinearOutputs, type RowInput } from "./linear-decision.js";
import { formatOf, SavedModel } from "./model-file.js";
import { type FitReport, type FitRun, reportOf } from "./report.js";

/** A fitted linear classifier. Immutable. */
export abstract class LinearClassifier<L extends Label = Label> extends SavedModel<LinearClassifierJson> {
  /**
   * The labels: sorted, but in a model from LIBLINEAR's file. There they have the file's order, except that two classes with one decision
   * value are turned round, so that decision values have the file's signs.
   */
  readonly classes: readonly L[];
  /** How decision values make a class. */
  readonly multiClass: Scheme;
  /** Weights, one a feature, for one decision value after the other. */
  readonly coefficients: Float64Array;
  /** One a decision value. */
  readonly biases: Float64Array;
  readonly featureCount: number;
  /** The price that it was fitted with; undefined where its file does not hold it. */
  readonly C: number | undefined;
  readonly report: FitReport;
  /**
   * Dual variables, one a training row, for one problem after the other; one a row and class for joint problems. undefined for a model
   * loaded from a file, or found by a method that has none. Where only some of its problems were solved by such a method, theirs are those
   * that the margins m_i suggest: -C_i loss'(m_i).
   */
  readonly dual: Float64Array | undefined;
  readonly #data: LinearClassifierData;
  readonly #outputs: LinearOutputs;

  /** @internal */
  protected constructor(data: LinearClassifierData, run?: FitRun, dual?: Float64Array) {
    super();
    this.#data = data;
    this.classes = Object.freeze([...data.classes]) as readonly L[];
    this.multiClass = data.scheme;
    this.coefficients = data.coefficients;
    this.biases = data.biases;
    this.featureCount = data.featureCount;
    this.C = data.problem.C;
    this.report = reportOf(data, run);
    this.dual = dual;
    this.#outputs = new LinearOutputs(data.coefficients, data.biases, data.featureCount);
    Object.freeze(this);
  }

  /** Returns the label of every row. */
  async predict(x: RowsInput | Matrix, options?: PredictOptions): Promise<L[]> {
    const decision = await this.decision(x, options);
    return labelsOf(this.multiClass, this.classes, decision, decision.length / this.biases.length);
  }

  /**
   * Returns the decision values of every row, row after row: one a row for two classes, where above 0 means the second; one a class, of
   * which the largest wins; or one a pair of classes.
   */
  async decision(x: RowsInput | Matrix, options?: PredictOptions): Promise<Float64Array> {
    return this.#outputs.ofRows(x, predictOptions.check(options).threads);
  }

  /** Returns the label of one row, at once: an array of features, `[indices, values]` or `{index: value}`. */
  predictOne(row: RowInput): L {
    return this.classes[classOf(this.multiClass, this.classes.length, this.decisionOne(row), 0)] as L;
  }

  /** Returns the decision values of one row, at once; the same bits as `decision`. */
  decisionOne(row: RowInput): Float64Array {
    return this.#outputs.ofOne(row);
  }

  /** Returns the share of rows whose label is predicted right. */
  async score(x: RowsInput | Matrix, y: LabelsInput & ArrayLike<L>): Promise<number> {
    if (!isList(y)) throw HingeError.input(`y must be an array of labels, got ${shown(y)}`);
    const predicted = await this.predict(x);
    if (y.length !== predicted.length) throw HingeError.input(`${y.length} labels for ${predicted.length} rows; there must be one a row`);
    return predicted.reduce((right, label, i) => right + (label === y[i] ? 1 : 0), 0) / predicted.length;
  }

  /** @internal Throws unless a model with these labels, of rows or of classes, can be saved under this name. */
  static checkSave(path: string, labels: ArrayLike<Label>, scheme?: Scheme): void {
    if (formatOf(path) !== "liblinear") return;
    checkLiblinearLabels(labels);
    if (scheme !== undefined && isOfMany(labels)) checkLiblinearScheme(scheme);
  }

  /** Returns plain data for `JSON.stringify`. */
  toJSON(): LinearClassifierJson {
    return linearClassifierToJson(this.#data);
  }

  /** @internal */
  protected toLiblinear(): LiblinearFile {
    return linearToLiblinear(this.#data);
  }

  /** @internal The plain data, for the audit. */
  static dataOf(model: LinearClassifier): LinearClassifierData {
    return model.#data;
  }
}

/** Whether there are more than two different ones. */
function isOfMany(labels: ArrayLike<Label>): boolean {
  const first = labels[0];
  let k = 1;
  while (k < labels.length && labels[k] === first) k++;
  const second = labels[k];
  while (k < labels.length && (labels[k] === first || labels[k] === second)) k++;
  return k < labels.length;
}
