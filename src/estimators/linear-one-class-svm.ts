// LinearOneClassSVM: a half space that holds most of the rows, for finding outliers.

import { HingeError } from "../base/errors.js";
import { type PredictOptions, predictOptions } from "../base/options/data.js";
import { type LinearOneClassOptions, linearOneClassOptions, type OneClassStart } from "../base/options/linear-one-class.js";
import { rowsWhere } from "../base/rows-where.js";
import { passesBytes } from "../certify/passes.js";
import { sampleWeights } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { type LiblinearData, oneClassFromLiblinear, oneClassToLiblinear } from "../model/liblinear-file.js";
import {
  type LinearOneClassData,
  type LinearOneClassJson,
  linearOneClassFromJson,
  linearOneClassToJson,
} from "../model/linear-one-class.js";
import { beginCall, withMatrix } from "../runtime/runtime.js";
import { planOneClass } from "../solve/plan.js";
import type { OneClassProblem, OneClassSolution } from "../solve/problem.js";
import { fitSingle } from "./fit-single.js";
import { LinearOutputs, type RowInput } from "./linear-decision.js";
import { checkedCosts, gathered, spread, stopOf } from "./linear-problems.js";
import { SavedModel } from "./model-file.js";
import { type CertifiedReport, type FitReport, type FitRun, reportOf } from "./report.js";

/** What `LinearOneClassSVM.fit` returns: a model whose certificate is known to be there. */
export type FittedLinearOneClassSVM = LinearOneClassSVM & { readonly report: CertifiedReport };

/**
 * A fitted linear one-class support vector machine. Make one with `LinearOneClassSVM.fit`. Immutable.
 *
 * Minimises `1/2 |w|^2 - nu n rho + sum max(0, rho - w'x)` over w and rho: rows with `w'x` above rho are inside, as in LIBLINEAR. The half space is one that
 * does not hold the origin, so features should be such that ordinary rows lie on one side of it.
 */
export class LinearOneClassSVM extends SavedModel<LinearOneClassJson> {
  /** Weights, one a feature. */
  readonly coefficients: Float64Array;
  /** Rows with a larger `w'x` are inside; those that have just this are on the border, and outside. */
  readonly rho: number;
  readonly featureCount: number;
  /** undefined where the model's file does not hold it. */
  readonly nu: number | undefined;
  readonly report: FitReport;
  /** Dual variables, one a training row; undefined for a model loaded from a file. */
  readonly dual: Float64Array | undefined;
  readonly #data: LinearOneClassData;
  readonly #outputs: LinearOutputs;

  private constructor(data: LinearOneClassData, run?: FitRun, dual?: Float64Array) {
    super();
    this.#data = data;
    this.coefficients = data.coefficients;
    this.rho = data.rho;
    this.featureCount = data.featureCount;
    this.nu = data.problem.nu;
    this.report = reportOf(data, run);
    this.dual = dual;
    this.#outputs = new LinearOutputs(data.coefficients, Float64Array.of(-data.rho), data.featureCount);
    Object.freeze(this);
  }

  /**
   * Returns the model that fits rows `x`, certified. Ends always: `report.status` says how.
   * Throws `HingeError` on wrong input before any work.
   */
  static async fit(x: RowsInput | Matrix, options?: LinearOneClassOptions): Promise<FittedLinearOneClassSVM> {
    const settings = linearOneClassOptions.check(options);
    const call = beginCall(settings);
    return withMatrix(x, async (packed) => {
      const { rowCount, featureCount } = packed;
      const { problem, weighted } = poseOneClass(rowCount, settings);
      const { stages, regionBytes } = planOneClass(packed, problem);
      const judging = passesBytes(problem.rowIds.length, packed.featureCount);
      const start = settings.warmStart && startOf(settings.warmStart, problem, rowCount, featureCount);
      const { solution, proof, run } = await fitSingle<OneClassSolution>(
        packed,
        call,
        { task: "fit-linear-one-class", regionBytes: judging + regionBytes, input: { problem, stages, start } },
        { onProgress: settings.onProgress, dualOf: ({ alpha }) => alpha },
      );
      const data: LinearOneClassData = {
        estimator: "LinearOneClassSVM",
        featureCount,
        coefficients: solution.w,
        rho: solution.rho,
        problem: { nu: settings.nu, weighted },
        ...proof,
      };
      return new LinearOneClassSVM(data, run, spread(solution.alpha, problem.rowIds, rowCount)) as FittedLinearOneClassSVM;
    });
  }

  /** Returns 1 for every row inside and -1 for every row outside. */
  async predict(x: RowsInput | Matrix, options?: PredictOptions): Promise<Int8Array> {
    return Int8Array.from(await this.decision(x, options), (value) => (value > 0 ? 1 : -1));
  }

  /** Returns w'x - rho of every row: above 0 is inside. */
  decision(x: RowsInput | Matrix, options?: PredictOptions): Promise<Float64Array> {
    return this.#outputs.ofRows(x, predictOptions.check(options).threads);
  }

  /** Returns 1 or -1 for one row, at once: an array of features, `[indices, values]` or `{index: value}`. */
  predictOne(row: RowInput): 1 | -1 {
    return this.decisionOne(row) > 0 ? 1 : -1;
  }

  /** Returns w'x - rho of one row, at once; the same bits as `decision`. */
  decisionOne(row: RowInput): number {
    return this.#outputs.ofOne(row)[0] as number;
  }

  /** Returns plain data for `JSON.stringify`. */
  toJSON(): LinearOneClassJson {
    return linearOneClassToJson(this.#data);
  }

  /** @internal */
  protected toLiblinear(): LiblinearData {
    return oneClassToLiblinear(this.#data);
  }

  /** Returns the model in what `JSON.parse` gave. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown): LinearOneClassSVM {
    return new LinearOneClassSVM(linearOneClassFromJson(json));
  }

  /** @internal The model in LIBLINEAR's file. */
  static fromLiblinear(file: LiblinearData): LinearOneClassSVM {
    return new LinearOneClassSVM(oneClassFromLiblinear(file));
  }

  /** @internal The plain data, for the audit. */
  static dataOf(model: LinearOneClassSVM): LinearOneClassData {
    return model.#data;
  }
}

/** What poses the problem: the checked options, but for those of how to run. */
export type OneClassSettings = Pick<
  ReturnType<typeof linearOneClassOptions.check>,
  "nu" | "sampleWeight" | "tolerance" | "stop" | "maxIterations" | "shrinking" | "seed"
>;

/** The problem of these rows; throws `HingeError` where none of them counts. */
export function poseOneClass(rowCount: number, settings: OneClassSettings): { problem: OneClassProblem; weighted: boolean } {
  const weights = checkedCosts(sampleWeights(settings.sampleWeight, rowCount), 1);
  // A row of weight 0 is a row that is not there.
  const rowIds = rowsWhere(rowCount, (i) => (weights[i] as number) > 0);
  if (rowIds.length === 0) throw HingeError.input("there is no row of weight above 0; one-class needs one");
  const { nu, tolerance, maxIterations, shrinking, seed } = settings;
  const stop = stopOf(settings);
  const problem = { nu, tolerance, stop, maxIterations, shrinking, seed, rowIds, weights: gathered(weights, rowIds) };
  return { problem, weighted: settings.sampleWeight !== undefined };
}

/** What the solver begins at: the dual variables sum to nu n, so all are scaled by the ratio of the nus. */
function startOf(model: OneClassStart, problem: OneClassProblem, rowCount: number, featureCount: number): OneClassSolution | undefined {
  const { coefficients, rho, dual } = model;
  if (coefficients.length !== featureCount) {
    throw HingeError.input(`warmStart has ${coefficients.length} features, x has ${featureCount}; they must be as many`);
  }
  if (dual?.length !== rowCount) return undefined;
  const ratio = problem.nu / (model.nu ?? problem.nu);
  return { w: coefficients.slice(), rho, alpha: Float64Array.from(problem.rowIds, (row) => ratio * (dual[row] as number)), iterations: 0 };
}
