// Fits the problems of a kernel machine on the pool, several at once, and puts their solutions together.

import { inLanes } from "../base/lanes.js";
import type { KernelProgress } from "../base/options/fit.js";
import type { CheckedKernelOptions } from "../base/options/kernel.js";
import type { Matrix } from "../data/matrix.js";
import type { KernelCertificate } from "../model/certificate.js";
import { gapless } from "../model/gapless.js";
import type { KernelConstants, SupportVectors } from "../model/kernel-model.js";
import type { RunOptions } from "../runtime/pool.js";
import { runTask } from "../runtime/runtime.js";
import { offsetsOf, poseForm } from "../solve/kernel-forms.js";
import { kernelMachineBytes } from "../solve/kernel-machine.js";
import type { KernelProblem, KernelSolution } from "../solve/kernel-problem.js";
import type { Outcome } from "../solve/stages.js";
import { CustomValues, customOf } from "./custom-kernel.js";
import { functionOf } from "./kernel-outputs.js";
import type { KernelTask } from "./kernel-problems.js";
import { type ProblemReport, reportOfProblem } from "./linear-fit.js";
import { type ProblemTitle, stopOf } from "./linear-problems.js";
import { Tracker } from "./tracker.js";

/** What came out of one problem. */
export interface KernelPart {
  readonly rowIds: Uint32Array;
  /** One a row of the problem. */
  readonly value: Float64Array;
  /** The dual point behind the bound: `value`, unless the zero model was better. */
  readonly point: Float64Array;
  readonly bias: number;
  /** r of nu-SVC, the tube of nu-SVR. */
  readonly width: number;
}

export interface KernelFit {
  readonly parts: readonly KernelPart[];
  readonly problems: readonly ProblemReport<KernelCertificate>[];
}

export interface KernelProblems {
  readonly count: number;
  title(index: number): ProblemTitle;
  pose(index: number): KernelTask;
}

export async function fitKernel(
  x: Matrix,
  kernel: KernelConstants,
  posed: KernelProblems,
  settings: CheckedKernelOptions & { readonly onProgress: ((progress: KernelProgress) => void) | undefined },
  call: RunOptions,
): Promise<KernelFit> {
  const lanes = Math.min(call.threads, posed.count);
  const parts: KernelPart[] = [];
  const problems: ProblemReport<KernelCertificate>[] = [];
  const tracker = new Tracker<KernelProgress>(posed.count, settings.onProgress);
  const custom = customOf(settings);
  const values = custom && new CustomValues(x, custom);
  await inLanes(posed.count, lanes, async (index) => {
    const task = posed.pose(index);
    await values?.prepare(task.rowIds);
    const problem = problemOf(x, kernel, values, task, settings, lanes);
    const work = { task: "fit-kernel", matrix: x, regionBytes: kernelMachineBytes(problem, x), input: problem, answer: values?.answer };
    const run = { ...call, onProgress: tracker.watch(index) };
    const { solution, ...outcome } = await runTask<Outcome<KernelSolution, KernelCertificate>>(work, run);
    tracker.finish(index, outcome);
    parts[index] = { rowIds: task.rowIds, value: solution.value, point: solution.point, ...offsetsOf(task.form, solution) };
    problems[index] = reportOfProblem(posed.title(index), outcome);
  });
  return { parts, problems };
}

function problemOf(
  x: Matrix,
  kernel: KernelConstants,
  values: CustomValues | undefined,
  task: KernelTask,
  settings: CheckedKernelOptions,
  lanes: number,
): KernelProblem {
  const { tolerance, maxIterations, shrinking, cacheBytes } = settings;
  const reason = gapless(kernel);
  return {
    kernel: values === undefined ? functionOf(kernel) : { kind: "custom", diagonal: values.diagonal },
    rowIds: task.rowIds,
    tolerance,
    // Without a gap LIBSVM's rule is what is left, and tolerance is about that.
    stop: reason === undefined ? stopOf(settings) : { kind: "violation", epsilon: tolerance },
    maxIterations,
    shrinking,
    cacheBytes: cacheBytes / lanes,
    ...poseForm({ ...task, mostDiagonal: values?.mostDiagonal(task.rowIds) ?? mostDiagonal(x, kernel, task.rowIds) }),
    // Without duality a D of 0 does not say that the zero model is best.
    ...(reason === undefined ? {} : { gapless: reason, canRest: false }),
  };
}

/** The largest K(x_i, x_i), roughly: for the floor of the gap. */
function mostDiagonal(x: Matrix, { kind, gamma, coef0, degree }: KernelConstants, rowIds: Uint32Array): number {
  if (kind === "rbf") return 1;
  let most = 0;
  for (const i of rowIds) {
    let square = 0;
    x.forEachInRow(i, (j, value) => {
      if (kind === "precomputed") square = j === i ? value : square;
      else square += value * value;
    });
    let own = square;
    if (kind === "poly") {
      own = 1;
      for (let k = 0; k < degree; k++) own *= gamma * square + coef0;
    }
    most = Math.max(most, kind === "sigmoid" ? 1 : Math.abs(own));
  }
  return most;
}

/** Rows of a matrix as support vectors; under a precomputed kernel their numbers. */
export function vectorsOf(x: Matrix, rows: ArrayLike<number>, isPrecomputed: boolean): SupportVectors {
  const count = rows.length;
  const starts = new Uint32Array(count + 1);
  const indices: number[] = [];
  const values: number[] = [];
  for (let k = 0; k < count; k++) {
    if (isPrecomputed) {
      indices.push(rows[k] as number);
      values.push(1);
    } else {
      x.forEachInRow(rows[k] as number, (j, value) => {
        if (value === 0) return;
        indices.push(j);
        values.push(value);
      });
    }
    starts[k + 1] = indices.length;
  }
  return { count, starts, indices: Uint32Array.from(indices), values: Float32Array.from(values) };
}
