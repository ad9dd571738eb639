// Fits the problems of a kernel machine on the pool, several at once, and puts their solutions together.

import { inLanes } from "../base/lanes.js";
import type { KernelProgress } from "../base/options/fit.js";
import type { CheckedKernelOptions } from "../base/options/kernel.js";
import { equalRows } from "../data/equal-rows.js";
import { type Matrix, rowStart } from "../data/matrix.js";
import type { KernelCertificate } from "../model/certificate.js";
import { gapless } from "../model/gapless.js";
import type { KernelConstants, KernelState, SupportVectors } from "../model/kernel-model.js";
import { Crew } from "../runtime/crew.js";
import { Pace } from "../runtime/pace.js";
import type { RunOptions } from "../runtime/pool.js";
import { isShared, runTask } from "../runtime/runtime.js";
import { offsetsOf, poseForm } from "../solve/kernel-forms.js";
import { kernelHelperBytes } from "../solve/kernel-helper.js";
import { kernelMachineBytes } from "../solve/kernel-machine.js";
import type { KernelProblem, KernelSolution } from "../solve/kernel-problem.js";
import { begunNear } from "../solve/kernel-start.js";
import type { Outcome } from "../solve/stages.js";
import { CustomValues, customOf } from "./custom-kernel.js";
import { functionOf } from "./kernel-outputs.js";
import type { KernelTask } from "./kernel-problems.js";
import type { KernelStart } from "./kernel-start.js";
import { type ProblemReport, reportOfProblem } from "./linear-fit.js";
import { type ProblemTitle, stopOf } from "./linear-problems.js";
import { merged } from "./merged-rows.js";
import { withQuickRows } from "./quick-rows.js";
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
  /** About its variables, where something is known of them. */
  readonly start: KernelStart | undefined;
}

type KernelSettings = CheckedKernelOptions & { readonly onProgress: ((progress: KernelProgress) => void) | undefined };

/** Solves all problems. */
export async function fitKernel(
  x: Matrix,
  kernel: KernelConstants,
  posed: KernelProblems,
  settings: KernelSettings,
  call: RunOptions,
): Promise<KernelFit> {
  const firstOf = kernel.kind === "precomputed" ? undefined : await equalRows(x, new Pace());
  return withQuickRows(x, kernel, (rows) => fitProblems(rows, kernel, { ...posed, firstOf }, settings, call));
}

async function fitProblems(
  x: Matrix,
  kernel: KernelConstants,
  posed: KernelProblems & { readonly firstOf: Uint32Array | undefined },
  settings: KernelSettings,
  call: RunOptions,
): Promise<KernelFit> {
  const lanes = Math.min(call.threads, posed.count);
  const parts: KernelPart[] = [];
  const problems: ProblemReport<KernelCertificate>[] = [];
  const tracker = new Tracker<KernelProgress>(posed.count, settings.onProgress);
  const custom = customOf(settings);
  const values = custom && new CustomValues(x, custom);
  await inLanes(posed.count, lanes, async (index) => {
    const whole = posed.pose(index);
    const { task, summed, toRows } = merged(whole, posed.firstOf);
    await values?.prepare(task.rowIds);
    const guess = posed.start && summed(posed.start.guess(index, whole));
    const problem = problemOf(x, kernel, values, task, settings, lanes, guess);
    const work = { task: "fit-kernel", matrix: x, regionBytes: kernelMachineBytes(problem, x), answer: values?.answer };
    const run = { ...call, onProgress: tracker.watch(index) };
    // Functions of the caller's run on the caller's thread: nobody can help with them.
    const helpers = values === undefined ? Math.floor(call.threads / lanes) - 1 : 0;
    const { solution, ...outcome } = await withHelpers(x, call, helpers, (crew) =>
      runTask<Outcome<KernelSolution, KernelCertificate>>({ ...work, input: { ...problem, crew } }, run),
    );
    tracker.finish(index, outcome);
    const { value, point } = solution;
    parts[index] = { rowIds: whole.rowIds, value: toRows(value), point: toRows(point), ...offsetsOf(task.form, solution) };
    problems[index] = reportOfProblem(posed.title(index), outcome);
  });
  return { parts, problems };
}

/** Rows below which a fit is over before a helper has come. */
const LEAST_FOR_HELPERS = 2000;

/** Runs a task with other threads that help it, as long as it runs. */
async function withHelpers<T>(
  x: Matrix,
  call: RunOptions,
  count: number,
  run: (crew: SharedArrayBuffer | undefined) => Promise<T>,
): Promise<T> {
  if (count <= 0 || x.rowCount < LEAST_FOR_HELPERS || !isShared(x)) return run(undefined);
  const memory = Crew.memory();
  const crew = new Crew(memory);
  const led = run(memory);
  const work = { task: "help-kernel", matrix: x, regionBytes: kernelHelperBytes, input: { crew: memory } };
  // One that still waits for a worker when all is done need not come.
  const over = new AbortController();
  const helpers = Array.from({ length: count }, () =>
    runTask(work, { ...call, signal: over.signal, onProgress: undefined }).catch(() => crew.lose()),
  );
  try {
    return await led;
  } finally {
    crew.dismiss();
    over.abort();
    await Promise.all(helpers);
  }
}

function problemOf(
  x: Matrix,
  kernel: KernelConstants,
  values: CustomValues | undefined,
  task: KernelTask,
  settings: CheckedKernelOptions,
  lanes: number,
  guess: Float64Array | undefined,
): KernelProblem {
  const { tolerance, maxIterations, shrinking, cacheBytes } = settings;
  const reason = gapless(kernel);
  const posed = poseForm({ ...task, mostDiagonal: values?.mostDiagonal(task.rowIds) ?? mostDiagonal(x, kernel, task.rowIds) });
  return {
    kernel: values === undefined ? functionOf(kernel) : { kind: "custom", diagonal: values.diagonal },
    rowIds: task.rowIds,
    tolerance,
    // Without a gap LIBSVM's rule is what is left, and tolerance is about that.
    stop: reason === undefined ? stopOf(settings) : { kind: "violation", epsilon: tolerance },
    maxIterations,
    shrinking,
    cacheBytes: cacheBytes / lanes,
    ...posed,
    isWarm: guess !== undefined,
    sides: guess === undefined ? posed.sides : begunNear(posed.sides, guess, posed.isFree),
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

/** What a warm start from the model will want to know: which rows its support vectors are. `scales`: of its problems. */
export function stateOf(
  rows: ArrayLike<number>,
  scales: ArrayLike<number>,
  { rowIds, keepState }: { readonly rowIds: ArrayLike<number | string> | undefined; readonly keepState: boolean },
): KernelState {
  const ids = Array.from(rows, (row) => (rowIds === undefined ? row : (rowIds[row] as number | string)));
  return { rowIds: Object.freeze(ids), isNamed: rowIds !== undefined, scales: Float64Array.from(scales), isKept: keepState };
}

/** Rows of a matrix as support vectors; under a precomputed kernel their numbers. */
export function vectorsOf(x: Matrix, rows: ArrayLike<number>, isPrecomputed: boolean): SupportVectors {
  const count = rows.length;
  const starts = new Uint32Array(count + 1);
  let most = 0;
  for (let k = 0; k < count; k++) most += isPrecomputed ? 1 : rowStart(x, (rows[k] as number) + 1) - rowStart(x, rows[k] as number);
  const indices = new Uint32Array(most);
  const values = new Float32Array(most);
  let next = 0;
  const add = (j: number, value: number): void => {
    if (value === 0) return;
    indices[next] = j;
    values[next++] = value;
  };
  for (let k = 0; k < count; k++) {
    if (isPrecomputed) add(rows[k] as number, 1);
    else x.forEachInRow(rows[k] as number, add);
    starts[k + 1] = next;
  }
  return { count, starts, indices: indices.slice(0, next), values: values.slice(0, next) };
}
