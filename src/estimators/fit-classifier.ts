// The one way to fit a linear classifier: pose the problems, solve them on the pool, put data and report together.

import { HingeError } from "../base/errors.js";
import type { Progress } from "../base/options/fit.js";
import type { WarmStart } from "../base/options/linear.js";
import type { Status } from "../base/status.js";
import type { LabelsInput } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import type { LinearClassifierData } from "../model/linear-classifier.js";
import { outputCount } from "../model/linear-classifier.js";
import { beginCall, memoryBytes, withMatrix } from "../runtime/runtime.js";
import type { SolverChoice } from "../solve/plan.js";
import { fitLinear, type ProblemReport } from "./linear-fit.js";
import { type LinearSettings, poseProblems } from "./linear-problems.js";
import { LinearStart } from "./linear-start.js";
import type { FitRun } from "./report.js";

/** The checked options of a linear classifier. */
export interface ClassifierSettings extends LinearSettings {
  readonly solver: SolverChoice;
  readonly warmStart: WarmStart | undefined;
  readonly threads: number | undefined;
  readonly timeLimitSeconds: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

export interface FittedParts {
  readonly data: LinearClassifierData;
  readonly run: FitRun;
  readonly dual: Float64Array | undefined;
}

export function fitClassifier(x: RowsInput | Matrix, y: LabelsInput, settings: ClassifierSettings): Promise<FittedParts> {
  const { threads, timeLimitSeconds, signal, onProgress, solver, warmStart } = settings;
  const call = beginCall({ threads, timeLimitSeconds, signal });
  return withMatrix(x, async (packed) => {
    const posed = poseProblems(packed.rowCount, y, settings);
    const { classes, scheme, weighted } = posed;
    if (scheme === "multinomial" && solver === "dual") {
      throw new HingeError("bad-option", 'solver "dual" is for two classes or multiClass "ovr"; use "newton" for all classes at once');
    }
    if (scheme === "multinomial" && settings.stop !== undefined) {
      throw new HingeError("bad-option", 'LIBLINEAR has no rule for multiClass "multinomial"; use multiClass "ovr" or stop "gap"');
    }
    const outputs = outputCount(scheme, classes.length);
    const start = warmStart && new LinearStart(warmStart, { ...packed, classes, outputs, C: settings.C });
    const { coefficients, biases, dual, isSparse, problems, certifySeconds } = await fitLinear(
      packed,
      posed,
      { solver, start, onProgress },
      call,
    );
    const { estimator, C, loss, penalty, bias, biasScale } = settings;
    const data: LinearClassifierData = {
      estimator,
      classes: classes as readonly number[] | readonly string[],
      scheme,
      featureCount: packed.featureCount,
      coefficients,
      biases,
      problem: { C, loss, penalty, bias, biasScale, weighted },
      status: worstStatus(problems),
      certificate: worst(problems).certificate,
    };
    const stages = problems.flatMap((problem) => problem.stages);
    const run: FitRun = Object.freeze({
      solver: [...new Set(stages.map((stage) => stage.solver))].join(", "),
      iterations: stages.reduce((sum, { iterations }) => sum + iterations, 0),
      supportCount:
        isSparse && dual ? supportCount(dual, packed.rowCount, scheme === "crammer_singer" ? classes.length : undefined) : undefined,
      rowCount: packed.rowCount,
      seconds: { total: call.seconds(), certify: certifySeconds },
      memoryBytes: memoryBytes(packed),
      problems: Object.freeze(problems),
    });
    return { data, run, dual };
  });
}

/** The problem with the largest gap. */
function worst(problems: readonly ProblemReport[]): ProblemReport {
  return problems.reduce((most, problem) => (problem.certificate.relativeGap > most.certificate.relativeGap ? problem : most));
}

/** What stopped the fit, if anything did: abort before the clock before the count before the digits. */
function worstStatus(problems: readonly ProblemReport[]): Status {
  const order: readonly Status[] = ["aborted", "time-limit", "iteration-limit", "precision-limit", "converged"];
  return order.find((status) => problems.some((problem) => problem.status === status)) ?? "converged";
}

/** Rows with a dual variable that is not zero in any problem. */
function supportCount(dual: Float64Array, rowCount: number, columns: number | undefined): number {
  const holds = new Uint8Array(rowCount);
  const stride = columns ?? 1;
  for (let from = 0; from < dual.length; from += stride * rowCount)
    for (let k = 0; k < stride * rowCount; k++) if (dual[from + k] !== 0) holds[stride === 1 ? k : Math.floor(k / stride)] = 1;
  let count = 0;
  for (let i = 0; i < rowCount; i++) count += holds[i] as number;
  return count;
}
