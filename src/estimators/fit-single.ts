// Fits the one problem of an estimator on the pool, and puts its report together.

import type { Progress } from "../base/options/fit.js";
import type { Matrix } from "../data/matrix.js";
import type { FitProof } from "../model/json.js";
import { type beginCall, memoryBytes, runTask } from "../runtime/runtime.js";
import type { Outcome } from "../solve/stages.js";
import { reportOfProblem } from "./linear-fit.js";
import type { FitRun } from "./report.js";
import { Tracker } from "./tracker.js";

/** What a worker is to do. */
export interface SingleWork {
  readonly task: string;
  readonly regionBytes: number;
  readonly input: unknown;
}

export interface SingleFit<Solution> {
  readonly solution: Solution;
  readonly proof: FitProof;
  readonly run: FitRun;
}

/** `dualOf`: the dual variables of a solution, for the count of those that are not zero. */
export async function fitSingle<Solution extends { readonly iterations: number }>(
  x: Matrix,
  call: ReturnType<typeof beginCall>,
  work: SingleWork,
  how: {
    readonly onProgress: ((progress: Progress) => void) | undefined;
    readonly dualOf: (solution: Solution) => Float64Array | undefined;
  },
): Promise<SingleFit<Solution>> {
  const tracker = new Tracker(1, how.onProgress);
  const { solution, ...outcome } = await runTask<Outcome<Solution>>({ ...work, matrix: x }, { ...call, onProgress: tracker.watch(0) });
  const { status, certificate, stages, certifySeconds } = outcome;
  // Dual variables of an interior point are all different from 0, however little.
  const dual = stages.at(-1)?.solver === "interior point" ? undefined : how.dualOf(solution);
  const run: FitRun = Object.freeze({
    solver: [...new Set(stages.map((stage) => stage.solver))].join(", "),
    iterations: stages.reduce((sum, { iterations }) => sum + iterations, 0),
    supportCount: dual?.reduce((sum, value) => sum + (value === 0 ? 0 : 1), 0),
    rowCount: x.rowCount,
    seconds: { total: call.seconds(), certify: certifySeconds },
    memoryBytes: memoryBytes(x),
    problems: Object.freeze([reportOfProblem({ positive: undefined, negative: undefined }, outcome)]),
  });
  return { solution, proof: { status, certificate }, run };
}
