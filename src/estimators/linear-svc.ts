// LinearSVC: the linear support vector classifier, two classes.

import { HingeError, shown } from "../base/errors.js";
import { type PredictOptions, predictOptions } from "../base/options/data.js";
import { type CheckedLinearSvcOptions, type LinearSvcOptions, linearSvcOptions } from "../base/options/linear-svc.js";
import type { Status } from "../base/status.js";
import { encodeLabels, isList, type Label, type LabelsInput, rowWeights } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { writeLiblinearModel } from "../formats/liblinear-model.js";
import { modelToBytes } from "../formats/model-json.js";
import type { Certificate } from "../model/certificate.js";
import { checkLiblinearLabels, type LiblinearData, linearSvcFromLiblinear, linearSvcToLiblinear } from "../model/liblinear-file.js";
import { type LinearSvcData, type LinearSvcJson, linearSvcFromJson, linearSvcToJson } from "../model/linear-svc.js";
import { beginCall, memoryBytes, runTask, withMatrix, writeAtomic } from "../runtime/runtime.js";
import { dualDescentBytes } from "../solve/dual-descent.js";
import type { BinaryProblem, BinarySolution } from "../solve/problem.js";
import { decideLinear, decideOne, type RowInput } from "./linear-decision.js";

/** What is known about how a model came to be: everything if hinge made it, nothing if it comes from LIBLINEAR's file. */
export type FitReport = CertifiedReport | UnknownReport;

/** Of a model that hinge made. */
export interface CertifiedReport {
  readonly status: Status;
  /** The proof: objectives recomputed from raw data, apart from the solver. */
  readonly certificate: Certificate;
  /** How the fit went; undefined for a model loaded from a file. */
  readonly run: FitRun | undefined;
}

/** Of a model from a file that does not say how it was made. `certify(model, x, y, { C })` proves how good it is. */
export interface UnknownReport {
  readonly status: "unknown";
  readonly certificate: undefined;
  readonly run: undefined;
}

/** What `LinearSVC.fit` returns: a model whose certificate is known to be there. */
export type FittedLinearSVC<L extends Label = Label> = LinearSVC<L> & { readonly report: CertifiedReport };

export interface FitRun {
  readonly solver: "dual coordinate descent";
  /** Passes over the rows; passes over fewer, while the others were left alone, count for their share. */
  readonly iterations: number;
  /** Rows with a dual variable above zero: the ones that hold the model up. */
  readonly supportCount: number;
  readonly seconds: { readonly total: number; readonly certify: number };
  /** Of the matrix with its work space; 0 where the worker kept a copy of its own. */
  readonly memoryBytes: number;
}

type FitResult = BinarySolution & { status: Status; certificate: Certificate; certifySeconds: number };

/**
 * A fitted linear support vector classifier for two classes. Make one with `LinearSVC.fit`. Immutable.
 *
 * It minimises `1/2 |w|^2 + C sum loss`, where the bias is part of `w` if it is augmented.
 */
export class LinearSVC<L extends Label = Label> {
  /**
   * The two labels; a decision value above 0 means the second. Sorted, but in a model from LIBLINEAR's file: there the file's second
   * label, then its first, so that decision values have the file's signs.
   */
  readonly classes: readonly [L, L];
  /** One weight a feature. */
  readonly coefficients: Float64Array;
  readonly bias: number;
  readonly report: FitReport;
  /** One dual variable a training row; undefined for a model loaded from a file. */
  readonly dual: Float64Array | undefined;
  readonly #data: LinearSvcData;

  private constructor(data: LinearSvcData, run?: FitRun, dual?: Float64Array) {
    this.#data = data;
    this.classes = Object.freeze([...data.classes]) as unknown as readonly [L, L];
    this.coefficients = data.coefficients;
    this.bias = data.bias;
    const { status, certificate } = data;
    this.report = Object.freeze(certificate === undefined ? { status, certificate, run: undefined } : { status, certificate, run });
    this.dual = dual;
    Object.freeze(this);
  }

  /**
   * Returns the model that fits rows `x` with labels `y`, certified. Ends always: `report.status` says how.
   * Throws `HingeError` on wrong input before any work.
   */
  static async fit<L extends Label>(
    x: RowsInput | Matrix,
    y: LabelsInput & ArrayLike<L>,
    options?: LinearSvcOptions,
  ): Promise<FittedLinearSVC<L>> {
    const checked = linearSvcOptions.check(options);
    const call = beginCall(checked);
    return withMatrix(x, async (packed) => {
      const { classes, problem, weighted } = binaryProblem(packed, y, checked);
      const regionBytes = dualDescentBytes(problem.rowIds.length, packed.featureCount);
      const result = await runTask<FitResult>({ task: "fit-linear-svc", matrix: packed, regionBytes, input: problem }, call);
      const { C, loss, bias, biasScale } = checked;
      const { status, certificate, iterations } = result;
      const alpha = result.alpha ?? new Float64Array(problem.rowIds.length);
      const data: LinearSvcData = {
        estimator: "LinearSVC",
        classes,
        coefficients: result.w,
        bias: result.bias,
        problem: { C, loss, bias, biasScale, weighted },
        status,
        certificate: Object.freeze(certificate),
      };
      const run: FitRun = Object.freeze({
        solver: "dual coordinate descent",
        iterations,
        supportCount: alpha.reduce((count, a) => count + (a > 0 ? 1 : 0), 0),
        seconds: { total: call.seconds(), certify: result.certifySeconds },
        memoryBytes: memoryBytes(packed),
      });
      return new LinearSVC<L>(data, run, spread(alpha, problem.rowIds, packed.rowCount)) as FittedLinearSVC<L>;
    });
  }

  /** Returns the label of every row. */
  async predict(x: RowsInput | Matrix, options?: PredictOptions): Promise<L[]> {
    const decision = await this.decision(x, options);
    return Array.from(decision, (value) => this.#label(value));
  }

  /** Returns the signed margin of every row: above 0 means the second class. */
  async decision(x: RowsInput | Matrix, options?: PredictOptions): Promise<Float64Array> {
    return decideLinear(x, this.coefficients, this.bias, predictOptions.check(options).threads);
  }

  /** Returns the label of one row, at once: an array of features, `[indices, values]` or `{index: value}`. */
  predictOne(row: RowInput): L {
    return this.#label(this.decisionOne(row));
  }

  /** Returns the signed margin of one row, at once; the same bits as `decision`. */
  decisionOne(row: RowInput): number {
    return decideOne(row, this.coefficients, this.bias);
  }

  /** Returns the share of rows whose label is predicted right. */
  async score(x: RowsInput | Matrix, y: LabelsInput & ArrayLike<L>): Promise<number> {
    if (!isList(y)) throw HingeError.input(`y must be an array of labels, got ${shown(y)}`);
    const predicted = await this.predict(x);
    if (y.length !== predicted.length) throw HingeError.input(`${y.length} labels for ${predicted.length} rows; there must be one a row`);
    return predicted.reduce((right, label, i) => right + (label === y[i] ? 1 : 0), 0) / predicted.length;
  }

  /**
   * Writes the model to a file, whole or not at all: as JSON where the name ends in .json, otherwise in LIBLINEAR's format, which holds
   * neither the certificate nor C, and of labels only whole numbers.
   */
  async save(path: string): Promise<void> {
    LinearSVC.checkSave(path, this.classes);
    await writeAtomic(path, this.toBytes(formatOf(path)));
  }

  /** @internal Throws unless a model with these labels can be saved under this name. */
  static checkSave(path: string, labels: ArrayLike<Label>): void {
    if (typeof path !== "string" || path === "") throw HingeError.option("the name of a model file", "a text that is not empty", path);
    if (formatOf(path) === "liblinear") checkLiblinearLabels(labels);
  }

  /** Returns the bytes that `save` writes; `load` reads them back. */
  toBytes(format: "json" | "liblinear" = "json"): Uint8Array {
    if (format === "json") return modelToBytes(this.toJSON());
    if (format === "liblinear") return writeLiblinearModel(linearSvcToLiblinear(this.#data));
    throw HingeError.option("the format", '"json" or "liblinear"', format);
  }

  /** Returns plain data for `JSON.stringify`. */
  toJSON(): LinearSvcJson {
    return linearSvcToJson(this.#data);
  }

  /** Returns the model in what `JSON.parse` gave. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown): LinearSVC {
    return new LinearSVC(linearSvcFromJson(json));
  }

  /** @internal The model in LIBLINEAR's file; throws `HingeError` if it is of another kind. */
  static fromLiblinear(file: LiblinearData): LinearSVC {
    return new LinearSVC(linearSvcFromLiblinear(file));
  }

  /** @internal The problem's constants, for the audit. */
  static problemOf(model: LinearSVC): LinearSvcData["problem"] {
    return model.#data.problem;
  }

  #label(decision: number): L {
    return this.classes[decision > 0 ? 1 : 0];
  }
}

function formatOf(path: string): "json" | "liblinear" {
  return path.endsWith(".json") ? "json" : "liblinear";
}

/** The binary problem that these rows, labels and options pose. */
export function binaryProblem(
  x: Matrix,
  y: LabelsInput,
  options: CheckedLinearSvcOptions,
): { classes: LinearSvcData["classes"]; problem: BinaryProblem; weighted: boolean } {
  const labels = encodeLabels(y, x.rowCount);
  const { classes, ids } = labels;
  if (classes.length !== 2) throw HingeError.input(wrongClassCount(classes));
  const weights = rowWeights(labels, options.classWeight, options.sampleWeight);
  const weighted = options.classWeight !== undefined || options.sampleWeight !== undefined;
  // A row of weight 0 is a row that is not there.
  const rowIds = Uint32Array.from(ids.keys()).filter((i) => (weights[i] as number) > 0);
  const { loss, tolerance, maxIterations, shrinking, seed, bias, biasScale } = options;
  const costs = Float64Array.from(rowIds, (i) => options.C * (weights[i] as number));
  const odd = costs.findIndex((cost) => !(cost >= LEAST_COST && cost <= MOST_COST));
  if (odd >= 0) {
    throw HingeError.input(`C times the weight of row ${rowIds[odd]} must be from ${LEAST_COST} to ${MOST_COST}, got ${costs[odd]}`);
  }
  const problem = {
    rowIds,
    signs: Float32Array.from(rowIds, (i) => (ids[i] === 1 ? 1 : -1)),
    costs,
    loss,
    penalty: "l2" as const,
    bias,
    biasScale,
    tolerance,
    maxIterations,
    shrinking,
    seed,
  };
  return { classes: classes as unknown as LinearSvcData["classes"], problem, weighted };
}

// Far enough from the ends of the doubles that squares and sums of dual variables stay inside.
const LEAST_COST = 1e-100;
const MOST_COST = 1e100;

const MOST_LISTED = 5;

function wrongClassCount(classes: readonly Label[]): string {
  if (classes.length === 1) return `y has one class only, ${shown(classes[0])}; LinearSVC needs two`;
  const listed = classes.slice(0, MOST_LISTED).map(shown).join(", ");
  return `LinearSVC separates two classes, y has ${classes.length}: ${listed}${classes.length > MOST_LISTED ? ", …" : ""}`;
}

/** One entry a row of the matrix, 0 for rows that took no part. */
function spread(alpha: Float64Array, rowIds: Uint32Array, rowCount: number): Float64Array {
  const dual = new Float64Array(rowCount);
  rowIds.forEach((row, k) => {
    dual[row] = alpha[k] as number;
  });
  return dual;
}
