// What all kernel machines can do once they are fitted.

import { HingeError } from "../base/errors.js";
import { type PredictOptions, predictOptions } from "../base/options/data.js";
import type { Status } from "../base/status.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { libsvmModelParts, writeLibsvmModel } from "../formats/libsvm-model.js";
import { modelToBytes } from "../formats/model-json.js";
import { type KernelCertificate, worstOf } from "../model/certificate.js";
import type { FitProof } from "../model/json.js";
import {
  type KernelConstants,
  type KernelModelData,
  type KernelModelJson,
  kernelModelToJson,
  type SupportVectors,
} from "../model/kernel-model.js";
import { kernelToLibsvm } from "../model/libsvm-models.js";
import { type beginCall, memoryBytes, writeAtomic } from "../runtime/runtime.js";
import { type Outputs, outputsOf } from "./kernel-outputs.js";
import type { RowInput } from "./linear-decision.js";
import type { ProblemReport } from "./linear-fit.js";
import { type FitReport, type FitRun, reportOf } from "./report.js";

/** A fitted kernel machine. */
export abstract class KernelModel {
  readonly kernel: KernelConstants;
  readonly featureCount: number;
  /** The rows that hold the model up, as flat sparse rows. */
  readonly supportVectors: SupportVectors;
  /** The training row of each support vector: its number, or the id that it was given; undefined in a model from a file that was not told to keep them. */
  readonly supportIds: readonly (number | string)[] | undefined;
  /** What each support vector has in each problem that it has a part in. */
  readonly coefficients: Float64Array;
  /** One a decision value. */
  readonly biases: Float64Array;
  readonly report: FitReport<KernelCertificate>;
  readonly #data: KernelModelData;
  /** Made when first asked for: who only saves a model does not need it. */
  #outputs: Outputs | undefined;

  /** @internal */
  protected constructor(data: KernelModelData, run?: FitRun<KernelCertificate>) {
    this.#data = data;
    this.kernel = Object.freeze({ ...data.kernel });
    this.featureCount = data.featureCount;
    this.supportVectors = data.vectors;
    this.supportIds = data.state?.rowIds;
    this.coefficients = data.coefficients;
    this.biases = data.biases;
    this.report = reportOf(data, run);
  }

  /**
   * Returns the decision values of every row, row after row: one a row for two classes, where above 0 means the second, for regression and for one class; one a
   * class, of which the largest wins; or one a pair of classes.
   */
  async decision(x: RowsInput | Matrix, options?: PredictOptions): Promise<Float64Array> {
    return this.#predictor().ofRows(x, predictOptions.check(options).threads);
  }

  /** Returns the decision values of one row, at once; the same bits as `decision`. */
  decisionOne(row: RowInput): Float64Array {
    return this.#predictor().ofOne(row);
  }

  /** @internal The number of the class of every row, of two or one-vs-one, where that comes cheaper than decision values. */
  protected votes(x: RowsInput | Matrix, options: PredictOptions | undefined): Promise<Uint32Array> | undefined {
    return this.#predictor().votesOf?.(x, predictOptions.check(options).threads);
  }

  #predictor(): Outputs {
    this.#outputs ??= outputsOf(this.#data);
    return this.#outputs;
  }

  /**
   * Writes the model to a file, whole or not at all: as JSON where the name ends in .json, otherwise in LIBSVM's format, which holds neither the certificate nor
   * the constants of the problem, of labels only whole numbers, and of features 8 digits.
   */
  async save(path: string): Promise<void> {
    await writeAtomic(path, path.endsWith(".json") ? this.toBytes("json") : libsvmModelParts(kernelToLibsvm(this.#data)));
  }

  /** Returns the bytes that `save` writes; `load` reads them back. */
  toBytes(format: "json" | "libsvm" = "json"): Uint8Array {
    if (format === "json") return modelToBytes(this.toJSON());
    if (format === "libsvm") return writeLibsvmModel(kernelToLibsvm(this.#data));
    throw HingeError.option("the format", '"json" or "libsvm"', format);
  }

  /** Returns plain data for `JSON.stringify`. */
  toJSON(): KernelModelJson {
    return kernelModelToJson(this.#data);
  }

  /** @internal The plain data, for the audit. */
  static dataOf(model: KernelModel): KernelModelData {
    return model.#data;
  }
}

/** What stopped the fit, if anything did, and the proof of the problem with the largest gap. */
export function proofOfProblems(problems: readonly ProblemReport<KernelCertificate>[]): FitProof<KernelCertificate> {
  const order: readonly Status[] = ["aborted", "time-limit", "iteration-limit", "precision-limit", "converged"];
  const status = order.find((one) => problems.some((problem) => problem.status === one)) ?? "converged";
  return { status, certificate: worstOf(problems.map(({ certificate }) => certificate)) };
}

export function kernelRun(
  x: Matrix,
  call: ReturnType<typeof beginCall>,
  problems: readonly ProblemReport<KernelCertificate>[],
  supportCount: number,
): FitRun<KernelCertificate> {
  const stages = problems.flatMap((problem) => problem.stages);
  return Object.freeze({
    solver: [...new Set(stages.map((stage) => stage.solver))].join(", "),
    iterations: stages.reduce((sum, { iterations }) => sum + iterations, 0),
    supportCount,
    rowCount: x.rowCount,
    seconds: { total: call.seconds(), certify: 0 },
    memoryBytes: memoryBytes(x),
    problems: Object.freeze(problems),
  });
}
