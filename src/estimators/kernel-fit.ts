// Fits the problems of a kernel machine on the pool, several at once, and puts their solutions together.

import { inLanes } from "../base/lanes.js";
import type { KernelProgress } from "../base/options/fit.js";
import type { CheckedKernelOptions } from "../base/options/kernel.js";
import { type Matrix, rowStart } from "../data/matrix.js";
import type { KernelCertificate } from "../model/certificate.js";
import type { KernelConstants, KernelState, SupportVectors } from "../model/kernel-model.js";
import { Crew } from "../runtime/crew.js";
import type { RunOptions } from "../runtime/pool.js";
import { isShared, runTask } from "../runtime/runtime.js";
import type { KernelOutcome } from "../solve/fit-kernel.js";
import type { PairOutcome, PairTerms } from "../solve/fit-pairs.js";
import { kernelHelperBytes } from "../solve/kernel-helper.js";
import { kernelMachineBytes } from "../solve/kernel-machine.js";
import { CustomValues, customOf } from "./custom-kernel.js";
import { equalRows } from "./equal-rows.js";
import { planPairs, runPairs } from "./kernel-pairs.js";
import { type ClassRows, type KernelPart, type PosedClass, type PosedProblems, Posing, pairPart } from "./kernel-posing.js";
import { type ProblemReport, reportOfProblem } from "./linear-fit.js";
import type { ProblemTitle } from "./linear-problems.js";
import { withQuickRows } from "./quick-rows.js";
import { Tracker } from "./tracker.js";

export interface KernelFit {
  readonly parts: readonly KernelPart[];
  readonly problems: readonly ProblemReport<KernelCertificate>[];
}

export interface KernelProblems extends PosedProblems {
  title(index: number): ProblemTitle;
  /** One-vs-one: which classes each problem is about, the rows of the first before those of the second, and what problems are made from. */
  readonly pairs?:
    | (Pick<PairTerms, "form" | "nu" | "hasBias"> & {
        readonly list: readonly (readonly [number, number])[];
        readonly classes: readonly ClassRows[];
      })
    | undefined;
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
  const firstOf = kernel.kind === "precomputed" ? undefined : await equalRows(x, call);
  return withQuickRows(x, kernel, async (rows) => {
    const custom = customOf(settings);
    const values = custom && new CustomValues(rows, custom);
    const posing = await Posing.of(rows, kernel, values, { ...posed, firstOf }, settings);
    const tracker = new Tracker<KernelProgress>(posed.count, settings.onProgress);
    const parts: KernelPart[] = [];
    const problems: ProblemReport<KernelCertificate>[] = [];
    const settle = (index: number, part: KernelPart, { solution: _, ...outcome }: KernelOutcome): void => {
      parts[index] = part;
      problems[index] = reportOfProblem(posed.title(index), outcome);
    };
    const job: Job = { x: rows, posing, posed, settings, call, tracker };
    for (const { index, part, outcome } of await fitTogether(job)) settle(index, part, outcome);
    const lanes = Math.min(call.threads, posed.count);
    await inLanes(posed.count, lanes, async (index) => {
      if (problems[index] !== undefined) return;
      const outcome = await fitAlone(job, index, values, lanes);
      settle(index, posing.part(index, outcome.solution), outcome);
    });
    return { parts, problems };
  });
}

/** More is not made use of: WebAssembly has 4 GiB, and the rows are there, too. */
const MOST_CACHE_BYTES = 2 * 2 ** 30;

/** What all problems of a fit share. */
interface Job {
  readonly x: Matrix;
  readonly posing: Posing;
  readonly posed: KernelProblems;
  readonly settings: KernelSettings;
  readonly call: RunOptions;
  readonly tracker: Tracker<KernelProgress>;
}

/** One-vs-one problems that share their kernel values, where that pays; those that were not begun when the caller said stop are missing. */
async function fitTogether({ x, posing, posed, settings, call, tracker }: Job): Promise<(PairOutcome & { part: KernelPart })[]> {
  const { kernel } = posing;
  if (posed.pairs === undefined || kernel.kind === "custom" || kernel.kind === "precomputed") return [];
  const { list, classes, form, ...rest } = posed.pairs;
  const own = classes.map((rows) => posing.classOf(rows));
  const sizes = own.map(({ rows }) => rows.rowIds.length);
  const plan = planPairs(x, sizes, posed.count, call.threads, Math.min(settings.cacheBytes, MOST_CACHE_BYTES));
  if (plan === undefined) return [];
  const pairOf = (index: number): [PosedClass, PosedClass] =>
    (list[index] as readonly [number, number]).map((m) => own[m]) as [PosedClass, PosedClass];
  const done = await runPairs(
    x,
    plan,
    {
      terms: { ...posing.terms(kernel), form, ...rest },
      ...{ classes: own.map(({ rows }) => rows), list },
      guesses: posed.start && list.map((_, index) => posing.guessOf(index, pairOf(index)) as Float64Array),
      onDone: ({ index, stages }) => tracker.finish(index, { stages }),
      watch: (thread) => tracker.watch(-1 - thread),
    },
    call,
  );
  return done.map((problem) => ({ ...problem, part: pairPart(pairOf(problem.index), form, problem.outcome.solution) }));
}

async function fitAlone(
  { x, posing, settings, call, tracker }: Job,
  index: number,
  values: CustomValues | undefined,
  lanes: number,
): Promise<KernelOutcome> {
  await values?.prepare(posing.rowsOf(index));
  const problem = posing.at(index, Math.min(settings.cacheBytes, MOST_CACHE_BYTES) / lanes);
  const work = { task: "fit-kernel", matrix: x, regionBytes: kernelMachineBytes(problem, x), answer: values?.answer };
  const run = { ...call, onProgress: tracker.watch(index) };
  // Functions of the caller's run on the caller's thread: nobody can help with them.
  const helpers = values === undefined ? Math.floor(call.threads / lanes) - 1 : 0;
  const outcome = await withHelpers(x, call, helpers, (crew) => runTask<KernelOutcome>({ ...work, input: { ...problem, crew } }, run));
  tracker.finish(index, outcome);
  return outcome;
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
  const work = { task: "help-kernel", matrix: x, regionBytes: kernelHelperBytes, input: { crew: memory }, isHelp: true };
  // One that still waits for its worker when all is done need not come.
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
  if (isPrecomputed) {
    for (let k = 0; k < count; k++) starts[k + 1] = k + 1;
    return { count, starts, indices: Uint32Array.from(rows), values: new Float32Array(count).fill(1) };
  }
  let most = 0;
  for (let k = 0; k < count; k++) most += rowStart(x, (rows[k] as number) + 1) - rowStart(x, rows[k] as number);
  const indices = new Uint32Array(most);
  const values = new Float32Array(most);
  const isDense = x.kind === "dense";
  let next = 0;
  for (let k = 0; k < count; k++) {
    const begin = rowStart(x, rows[k] as number);
    const end = rowStart(x, (rows[k] as number) + 1);
    for (let e = begin; e < end; e++) {
      const value = x.values[e] as number;
      if (value === 0) continue;
      indices[next] = isDense ? e - begin : (x.indices[e] as number);
      values[next++] = value;
    }
    starts[k + 1] = next;
  }
  return { count, starts, indices: indices.slice(0, next), values: values.slice(0, next) };
}
