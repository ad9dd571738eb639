// CalibratedClassifier: a fitted classifier, and what turns its decision values into probabilities. It predicts by these: what is most probable.

import { HingeError, shown } from "../base/errors.js";
import type { PredictOptions } from "../base/options/data.js";
import { type LoadOptions, loadOptions } from "../base/options/kernel.js";
import type { Interruption } from "../base/status.js";
import { type Calibrator, type Method, putProbabilities, type Shape } from "../calibration/calibrators.js";
import { isList, type Label, type LabelsInput } from "../data/labels.js";
import type { RecordOfOne } from "../data/one-row.js";
import { accuracy } from "../metrics/classes.js";
import { type CalibratedJson, calibratedFromJson, calibratedToJson } from "../model/calibrated.js";
import { outputCount, type Scheme } from "../model/linear-classifier.js";
import { classOf } from "../model/schemes.js";
import type { KernelClassifier } from "./kernel-classifier.js";
import { knownFromJson } from "./known.js";
import { LinearClassifier } from "./linear-classifier.js";
import type { RowInput } from "./linear-decision.js";
import { Pipeline } from "./pipeline.js";
import { StoredAsJson } from "./stored.js";

/** Whatever tells classes apart by decision values. */
export type ClassifierModel = LinearClassifier | KernelClassifier;

/** How decision values of this scheme stand for classes. */
export function shapeOf(scheme: Scheme): Shape {
  return scheme === "binary" ? "two" : scheme === "ovo" ? "pairs" : "each";
}

/** A classifier with probabilities. Make one with `calibrate`. Immutable. */
export class CalibratedClassifier<L extends Label = Label, X = unknown> extends StoredAsJson {
  /** The labels, in the order of the probabilities. */
  readonly classes: readonly L[];
  /** The classifier, fitted on all rows; or the pipeline that ends in it. */
  readonly model: ClassifierModel | Pipeline;
  readonly method: Method;
  /** How many folds' rows it was calibrated on, and what ended that before all were; undefined of a loaded one. */
  readonly calibration: { readonly folds: number; readonly ending: "complete" | Interruption } | undefined;
  readonly #calibrators: readonly Calibrator[];
  readonly #scheme: Scheme;

  /** @internal */
  constructor(
    model: ClassifierModel | Pipeline,
    method: Method,
    calibrators: readonly Calibrator[],
    calibration?: CalibratedClassifier["calibration"],
  ) {
    super();
    const own = (model instanceof Pipeline ? model.model : model) as ClassifierModel;
    this.model = model;
    this.method = method;
    this.calibration = calibration && Object.freeze(calibration);
    this.classes = own.classes as readonly L[];
    this.#calibrators = calibrators;
    this.#scheme = own.multiClass;
    Object.freeze(this);
  }

  get report(): ClassifierModel["report"] {
    return this.model.report as ClassifierModel["report"];
  }

  /** Returns the probability of every class for every row, row after row, in the order of `classes`. */
  async probabilities(x: X, options?: PredictOptions): Promise<Float64Array> {
    return this.#told(await this.decision(x, options));
  }

  /** Returns the same for one row. */
  async probabilitiesOne(row: RowInput | RecordOfOne | string): Promise<Float64Array> {
    return this.#told(await this.#decisionOne(row));
  }

  /** Returns the label of every row: the most probable; of several equally so the one that the model itself predicts, or that with the largest decision value. */
  async predict(x: X, options?: PredictOptions): Promise<L[]> {
    return this.#labels(await this.decision(x, options));
  }

  /** Returns the label of one row. */
  async predictOne(row: RowInput | RecordOfOne | string): Promise<L> {
    return this.#labels(await this.#decisionOne(row))[0] as L;
  }

  /** Returns the model's decision values, as they are. */
  decision(x: X, options?: PredictOptions): Promise<Float64Array> {
    return this.model.decision(x as never, options);
  }

  /** Returns the share of rows whose label is predicted right. */
  async score(x: X, y: LabelsInput & ArrayLike<L>, options?: PredictOptions): Promise<number> {
    if (!isList(y)) throw HingeError.input(`y must be an array of labels, got ${shown(y)}`);
    return accuracy(y, await this.predict(x, options));
  }

  async #decisionOne(row: RowInput | RecordOfOne | string): Promise<Float64Array> {
    const { model } = this;
    return model instanceof Pipeline ? model.decision(model.tableOf(row) as never) : model.decisionOne(row as RowInput);
  }

  #told(decision: Float64Array): Float64Array {
    const [shape, count, outputs] = [shapeOf(this.#scheme), this.classes.length, outputCount(this.#scheme, this.classes.length)];
    const rowCount = decision.length / outputs;
    const all = new Float64Array(rowCount * count);
    for (let i = 0; i < rowCount; i++) putProbabilities(this.#calibrators, shape, count, decision, i * outputs, all, i * count);
    return all;
  }

  #labels(decision: Float64Array): L[] {
    const [count, outputs] = [this.classes.length, outputCount(this.#scheme, this.classes.length)];
    const all = this.#told(decision);
    return Array.from({ length: decision.length / outputs }, (_, i) => {
      const most = all.subarray(i * count, (i + 1) * count).reduce((largest, p) => Math.max(largest, p), 0);
      const tied = Array.from({ length: count }, (_, m) => m).filter((m) => all[i * count + m] === most);
      return this.classes[tied.length === 1 ? (tied[0] as number) : this.#preferred(tied, decision, i * outputs)] as L;
    });
  }

  /** Of classes that are equally probable: the one that the model itself would say, or the one among them with the largest value. */
  #preferred(tied: readonly number[], decision: Float64Array, at: number): number {
    const own = classOf(this.#scheme, this.classes.length, decision, at);
    if (tied.includes(own) || shapeOf(this.#scheme) !== "each") return tied.includes(own) ? own : (tied[0] as number);
    return tied.reduce((best, m) => ((decision[at + m] as number) > (decision[at + best] as number) ? m : best));
  }

  /** Returns plain data for `JSON.stringify`. */
  toJSON(): CalibratedJson {
    const plain = this.#calibrators.map((own) =>
      own.kind === "isotonic" ? { kind: own.kind, scores: Array.from(own.scores), values: Array.from(own.values) } : own,
    );
    return calibratedToJson(this.method, plain, this.model.toJSON());
  }

  /** Returns the classifier in what `JSON.parse` gave; a kernel that is a function is given again. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown, options?: LoadOptions): CalibratedClassifier {
    const { method, calibrators, model: inner } = calibratedFromJson(json);
    const checked = loadOptions.check(options);
    const model = inner.estimator === "Pipeline" ? Pipeline.fromJSON(inner, checked) : knownFromJson(inner, checked);
    const own = model instanceof Pipeline ? model.model : model;
    if (!isClassifier(own))
      throw new HingeError("bad-model", `a ${shown(inner.estimator)} tells no classes apart; it cannot be calibrated`);
    const wanted = method === "temperature" ? 1 : own.biases.length;
    if (calibrators.length !== wanted || calibrators.some(({ kind }) => kind !== method))
      throw new HingeError("bad-model", `not a CalibratedClassifier of hinge: it must have ${wanted} calibrators of the method ${method}`);
    const doubles = calibrators.map(
      (one): Calibrator =>
        one.kind === "isotonic" ? { ...one, scores: Float64Array.from(one.scores), values: Float64Array.from(one.values) } : one,
    );
    return new CalibratedClassifier(model as ClassifierModel | Pipeline, method, doubles);
  }
}

function isClassifier(model: unknown): model is ClassifierModel {
  return model instanceof LinearClassifier || (typeof model === "object" && model !== null && "multiClass" in model && "classes" in model);
}
