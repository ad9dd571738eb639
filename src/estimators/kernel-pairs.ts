// One-vs-one problems of a kernel machine, one after the other in every thread: those of one class share its kernel values (solve/segment-rows.ts).

import { allEnded } from "../base/lanes.js";
import type { Matrix } from "../data/matrix.js";
import type { RunOptions } from "../runtime/pool.js";
import { isShared, runTask, withRoomBeside } from "../runtime/runtime.js";
import { spaceFor } from "../runtime/task.js";
import type { PairDone, PairOutcome, PairsInput } from "../solve/fit-pairs.js";
import { sideCount } from "../solve/kernel-forms.js";
import { problemBytes } from "../solve/kernel-machine.js";
import { isSoonComputed } from "../solve/kernel-rows.js";
import { segmentsBytes } from "../solve/segment-rows.js";

/** Of the memory for kernel rows: what is for segments that several problems use. */
const SHARED_PART = 0.25;
/** Multiplications of eight whole rows, beyond which they would keep a thread from listening for long. */
const MOST_VALUES = 2 ** 25;

/** Of memory for all threads, beyond which problems are solved one by one: WebAssembly has 4 GiB, and the rows are there, too. */
const MOST_BYTES = 2.5 * 2 ** 30;

/** How the problems are spread over threads and memory. */
export interface PairsPlan {
  readonly threads: number;
  /** For kernel rows of a thread: those of the problem it is at, and those that its problems share. */
  readonly cacheBytes: number;
  readonly keptBytes: number;
}

/** Undefined where it does not pay, few problems a thread, or where rows are so long that eight of them would keep a thread from listening. */
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
  if (8 * rows * width > MOST_VALUES) return undefined;
  const own = cacheBytes / threads;
  // Memory for what is soon computed again costs more than it saves.
  if (isSoonComputed(x)) return { threads, cacheBytes: own, keptBytes: 0 };
  // All own segments there can be, and no more than its part.
  const most = classSizes.reduce((sum, size) => sum + 4 * size * (size + 7), 0);
  const keptBytes = 16 * Math.floor(Math.min(SHARED_PART * own, most) / 16);
  return { threads, cacheBytes: (1 - SHARED_PART) * own, keptBytes };
}

/** What the threads are told. */
export interface PosedPairs extends Pick<PairsInput, "terms" | "classes" | "list" | "guesses"> {
  /** A problem is done; the rest of its outcome comes at the end. */
  onDone(done: PairDone): void;
  watch(thread: number): RunOptions["onProgress"];
}

/** Solves the problems; none if there is no memory for all threads at once. */
export async function runPairs(x: Matrix, plan: PairsPlan, posed: PosedPairs, call: RunOptions): Promise<PairOutcome[]> {
  const { terms, classes, list, guesses } = posed;
  const { threads, keptBytes, cacheBytes } = plan;
  const rowsOf = classes.map(({ rowIds }) => rowIds);
  // Not that of the largest: how many rows fit in falls with their length.
  const bytesOf = ([a, b]: readonly [number, number]): number =>
    problemBytes({
      rowIds: { length: (rowsOf[a]?.length ?? 0) + (rowsOf[b]?.length ?? 0) },
      sides: { length: sideCount(terms.form) },
      cacheBytes,
    });
  const mostBytes = list.reduce((most, pair) => Math.max(most, bytesOf(pair)), 0);
  const regionBytes = segmentsBytes(x, terms.kernel, rowsOf, keptBytes) + mostBytes;
  if (threads * regionBytes > MOST_BYTES) return [];
  const answer = (done: unknown): void => {
    for (const problem of done as PairDone[]) posed.onDone(problem);
  };
  const run = async (thread: number, turn: PairsInput["turn"]): Promise<PairOutcome[]> => {
    const input: PairsInput = { terms, classes, list, guesses, cacheBytes, keptBytes, turn };
    const work = { task: "fit-kernel-pairs", matrix: x, regionBytes, input, answer };
    return runTask<PairOutcome[]>(work, { ...call, onProgress: posed.watch(thread) });
  };
  const byAll = async (one: (thread: number) => Promise<PairOutcome[]>): Promise<PairOutcome[]> =>
    (await allEnded(Array.from({ length: threads }, (_, thread) => one(thread)))).flat();
  if (!isShared(x)) return byAll((thread) => run(thread, { first: thread, every: threads }));
  return withRoomBeside(x, spaceFor(4), ({ space }) => {
    const next = space.words(1);
    return byAll((thread) =>
      run(thread, { next: next.byteOffset }).catch((error: unknown) => {
        // The others end what they have begun.
        Atomics.store(next, 0, list.length);
        throw error;
      }),
    );
  });
}
