// LinearSVR: linear support vector regression.

import { HingeError } from "../base/errors.js";
import { type PredictOptions, predictOptions } from "../base/options/data.js";
import { type LinearSvrOptions, linearSvrOptions, type RegressionStart } from "../base/options/linear-svr.js";
import { passesBytes } from "../certify/passes.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { r2 } from "../metrics/numbers.js";
import { type LiblinearData, svrFromLiblinear, svrToLiblinear } from "../model/liblinear-file.js";
import { type LinearSvrData, type LinearSvrJson, linearSvrFromJson, linearSvrToJson } from "../model/linear-svr.js";
import { beginCall, withMatrix } from "../runtime/runtime.js";
import { planRegression } from "../solve/plan.js";
import type { RegressionProblem, RegressionSolution } from "../solve/problem.js";
import { fitSingle } from "./fit-single.js";
import { LinearOutputs, type RowInput } from "./linear-decision.js";
import { spread } from "./linear-problems.js";
import { SavedModel } from "./model-file.js";
import { checkedTargets, poseRegression, type TargetsInput } from "./regression-problem.js";
import { type CertifiedReport, type FitReport, type FitRun, reportOf } from "./report.js";

/** What `LinearSVR.fit` returns: a model whose certificate is known to be there. */
export type FittedLinearSVR = LinearSVR & { readonly report: CertifiedReport };

/**
 * A fitted linear support vector regression. Make one with `LinearSVR.fit`. Immutable.
 *
 * Minimises `1/2 |w|^2 + C sum loss(|w'x + b - y| - epsilon)`, where the bias is part of `w` if it is augmented and nothing is lost inside
 * the tube of half width epsilon.
 */
export class LinearSVR extends SavedModel<LinearSvrJson> {
  /** Weights, one a feature. */
  readonly coefficients: Float64Array;
  readonly bias: number;
  readonly featureCount: number;
  /** The price that it was fitted with; undefined where its file does not hold it. */
  readonly C: number | undefined;
  /** Half the width of the tube; undefined where its file does not hold it. */
  readonly epsilon: number | undefined;
  readonly report: FitReport;
  /** Dual variables, one a training row; undefined for a model loaded from a file, or found by a method that has none. */
  readonly dual: Float64Array | undefined;
  readonly #data: LinearSvrData;
  readonly #outputs: LinearOutputs;

  private constructor(data: LinearSvrData, run?: FitRun, dual?: Float64Array) {
    super();
    this.#data = data;
    this.coefficients = data.coefficients;
    this.bias = data.bias;
    this.featureCount = data.featureCount;
    this.C = data.problem.C;
    this.epsilon = data.problem.epsilon;
    this.report = reportOf(data, run);
    this.dual = dual;
    this.#outputs = new LinearOutputs(data.coefficients, Float64Array.of(data.bias), data.featureCount);
    Object.freeze(this);
  }

  /**
   * Returns the model that fits rows `x` with targets `y`, certified. Ends always: `report.status` says how.
   * Throws `HingeError` on wrong input before any work.
   */
  static async fit(x: RowsInput | Matrix, y: TargetsInput, options?: LinearSvrOptions): Promise<FittedLinearSVR> {
    const settings = linearSvrOptions.check(options);
    const call = beginCall(settings);
    return withMatrix(x, async (packed) => {
      const { rowCount, featureCount } = packed;
      const { problem, centre, weighted } = poseRegression(rowCount, y, settings);
      const { stages, regionBytes } = planRegression(packed, problem, settings.solver);
      const judging = passesBytes(problem.rowIds.length, packed.featureCount);
      const start = settings.warmStart && startOf(settings.warmStart, { problem, centre, C: settings.C, rowCount, featureCount });
      const { solution, proof, run } = await fitSingle<RegressionSolution>(
        packed,
        call,
        { task: "fit-linear-regression", regionBytes: judging + regionBytes, input: { problem, centre, stages, start } },
        { onProgress: settings.onProgress, dualOf: ({ beta }) => beta },
      );
      const { C, epsilon, loss, bias, biasScale } = settings;
      const data: LinearSvrData = {
        estimator: "LinearSVR",
        featureCount,
        coefficients: solution.w,
        bias: centre + solution.bias,
        problem: { C, epsilon, loss, bias, biasScale, centre, weighted },
        ...proof,
      };
      return new LinearSVR(data, run, solution.beta && spread(solution.beta, problem.rowIds, rowCount)) as FittedLinearSVR;
    });
  }

  /** Returns the prediction for every row. */
  predict(x: RowsInput | Matrix, options?: PredictOptions): Promise<Float64Array> {
    return this.#outputs.ofRows(x, predictOptions.check(options).threads);
  }

  /** Returns the prediction for one row, at once: an array of features, `[indices, values]` or `{index: value}`. The same bits as `predict`. */
  predictOne(row: RowInput): number {
    return this.#outputs.ofOne(row)[0] as number;
  }

  /**
   * Returns R^2, the share of the targets' variance that the predictions explain: 1 is perfect, 0 as good as their mean. Of targets that are
   * all equal it is 1 where all are predicted exactly and 0 otherwise.
   */
  async score(x: RowsInput | Matrix, y: TargetsInput): Promise<number> {
    const predicted = await this.predict(x);
    const targets = checkedTargets(y, predicted.length);
    return r2(targets, predicted);
  }

  /** Returns plain data for `JSON.stringify`. */
  toJSON(): LinearSvrJson {
    return linearSvrToJson(this.#data);
  }

  /** @internal */
  protected toLiblinear(): LiblinearData {
    return svrToLiblinear(this.#data);
  }

  /** Returns the model in what `JSON.parse` gave. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown): LinearSVR {
    return new LinearSVR(linearSvrFromJson(json));
  }

  /** @internal The model in LIBLINEAR's file. */
  static fromLiblinear(file: LiblinearData): LinearSVR {
    return new LinearSVR(svrFromLiblinear(file));
  }

  /** @internal The plain data, for the audit. */
  static dataOf(model: LinearSVR): LinearSvrData {
    return model.#data;
  }
}

/** What the solver begins at: dual variables at their bound grow in proportion to C, so all are scaled by the ratio of the prices. */
function startOf(
  model: RegressionStart,
  {
    problem,
    centre,
    C,
    rowCount,
    featureCount,
  }: { problem: RegressionProblem; centre: number; C: number; rowCount: number; featureCount: number },
): RegressionSolution {
  const { coefficients, bias, dual } = model;
  if (coefficients.length !== featureCount) {
    throw HingeError.input(`warmStart has ${coefficients.length} features, x has ${featureCount}; they must be as many`);
  }
  const ratio = C / (model.C ?? C);
  const beta = dual?.length === rowCount ? Float64Array.from(problem.rowIds, (row) => ratio * (dual[row] as number)) : undefined;
  return { w: coefficients.slice(), bias: bias - centre, beta, iterations: 0 };
}
