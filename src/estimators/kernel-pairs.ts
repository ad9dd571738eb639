// One-vs-one problems of a kernel machine, many at once in every thread: those of one class share its kernel values (solve/segment-rows.ts).

import { allEnded } from "../base/lanes.js";
import type { Matrix } from "../data/matrix.js";
import type { RunOptions } from "../runtime/pool.js";
import { runTask } from "../runtime/runtime.js";
import type { NextPair, PairOutcome, PairsInput } from "../solve/fit-kernel.js";
import { problemBytes } from "../solve/kernel-machine.js";
import type { KernelFunction, KernelProblem } from "../solve/kernel-problem.js";
import { segmentsBytes } from "../solve/segment-rows.js";

/** Problems under way at a time in a thread, at most: enough that there is something to do while the next ones are on their way. */
const MOST_AT_ONCE = 5;
/** Of the memory for kernel rows: what is for segments that several problems use. */
const SHARED_PART = 0.25;
/** Multiplications of eight whole rows, beyond which they would keep a thread from listening for long. */
const MOST_VALUES = 2 ** 25;

/** Of memory for all threads, beyond which problems are solved one by one: WebAssembly has 4 GiB, and the rows are there, too. */
const MOST_BYTES = 2.5 * 2 ** 30;

/** How the problems are spread over threads and memory. */
export interface PairsPlan {
  readonly threads: number;
  readonly atOnce: number;
  /** For kernel rows: of each problem, and those that a thread's problems share. */
  readonly cacheBytes: number;
  readonly keptBytes: number;
}

/** Undefined where it does not pay: few problems a thread, or so large ones that a thread has room for one of them only. */
export function planPairs(
  x: Matrix,
  classSizes: readonly number[],
  problemCount: number,
  threads: number,
  cacheBytes: number,
): PairsPlan | undefined {
  if (problemCount < 3 || problemCount < 2 * threads) return undefined;
  const [first = 0, second = 0] = [...classSizes].sort((a, b) => b - a);
  const rows = first + second;
  const width = x.valueCount / Math.max(1, x.rowCount);
  const own = cacheBytes / threads;
  // A quarter of a problem's rows is what is often wanted.
  const fitting = Math.floor(((1 - SHARED_PART) * own) / (rows * rows));
  const atOnce = Math.min(MOST_AT_ONCE, fitting, Math.ceil(problemCount / threads));
  if (atOnce < 2 || 8 * rows * width > MOST_VALUES) return undefined;
  // All own segments there can be, and no more than its part.
  const most = classSizes.reduce((sum, size) => sum + 4 * size * (size + 7), 0);
  const keptBytes = 16 * Math.floor(Math.min(SHARED_PART * own, most) / 16);
  return { threads, atOnce, cacheBytes: ((1 - SHARED_PART) * own) / atOnce, keptBytes };
}

/** What the threads are told. */
export interface PosedPairs {
  readonly kernel: KernelFunction;
  readonly classes: readonly Uint32Array[];
  /** Which classes each problem is about. */
  readonly list: readonly (readonly [number, number])[];
  pose(index: number): KernelProblem;
  /** A problem is done; the rest of its outcome comes at the end. */
  onDone(done: { readonly index: number; readonly stages: PairOutcome["outcome"]["stages"] }): void;
  watch(thread: number): RunOptions["onProgress"];
}

/** Solves the problems; those that were not begun when the caller said stop are missing. */
export async function runPairs(x: Matrix, plan: PairsPlan, posed: PosedPairs, call: RunOptions): Promise<PairOutcome[]> {
  const { list, classes } = posed;
  let next = 0;
  const answer = (about: unknown): NextPair | undefined => {
    if (about !== undefined) posed.onDone(about as Parameters<PosedPairs["onDone"]>[0]);
    if (next >= list.length) return undefined;
    const index = next++;
    return { index, pair: list[index] as readonly [number, number], problem: posed.pose(index) };
  };
  const { atOnce, keptBytes } = plan;
  const sides = posed.pose(0).sides;
  // Not that of the largest: how many rows fit in falls with their length.
  const bytesOf = ([a, b]: readonly [number, number]): number =>
    problemBytes({ rowIds: { length: (classes[a]?.length ?? 0) + (classes[b]?.length ?? 0) }, sides, cacheBytes: plan.cacheBytes });
  const mostBytes = list.reduce((most, pair) => Math.max(most, bytesOf(pair)), 0);
  const input: PairsInput = { kernel: posed.kernel, classes, atOnce, problemBytes: mostBytes, keptBytes };
  const regionBytes = segmentsBytes(x, posed.kernel, classes, keptBytes) + atOnce * mostBytes;
  if (plan.threads * regionBytes > MOST_BYTES) return [];
  const work = { task: "fit-kernel-pairs", matrix: x, regionBytes, input, answer };
  const done = await allEnded(
    Array.from({ length: plan.threads }, async (_, thread) => {
      try {
        return await runTask<PairOutcome[]>(work, { ...call, onProgress: posed.watch(thread) });
      } catch (error) {
        // The others end what they have begun.
        next = list.length;
        throw error;
      }
    }),
  );
  return done.flat();
}
