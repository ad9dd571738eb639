// One-vs-one problems of a kernel machine, many at once in every thread: those of one class share its kernel values (solve/segment-rows.ts).

import { allEnded } from "../base/lanes.js";
import type { Matrix } from "../data/matrix.js";
import type { RunOptions } from "../runtime/pool.js";
import { runTask } from "../runtime/runtime.js";
import type { PairDone, PairOutcome, PairsInput } from "../solve/fit-pairs.js";
import { sideCount } from "../solve/kernel-forms.js";
import { problemBytes } from "../solve/kernel-machine.js";
import { segmentsBytes } from "../solve/segment-rows.js";

/** Problems under way at a time in a thread, at most: enough that there is something to do while the numbers of the next ones are on their way. */
const MOST_AT_ONCE = 5;
/** Into how many parts a thread's share of what is left is cut: each asks for one of them at a time. */
const SHARES = 4;
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
export interface PosedPairs extends Pick<PairsInput, "terms" | "classes" | "list" | "guesses"> {
  /** A problem is done; the rest of its outcome comes at the end. */
  onDone(done: PairDone): void;
  watch(thread: number): RunOptions["onProgress"];
}

/** Solves the problems; those that were not begun when the caller said stop are missing. */
export async function runPairs(x: Matrix, plan: PairsPlan, posed: PosedPairs, call: RunOptions): Promise<PairOutcome[]> {
  const { terms, classes, list, guesses } = posed;
  const { atOnce, keptBytes, cacheBytes } = plan;
  let next = 0;
  // Many at first, so that nobody waits for an answer, and few in the end, so that nobody has much left when others are done.
  const answer = (done: unknown): number[] => {
    for (const problem of done as PairDone[]) posed.onDone(problem);
    const from = next;
    next += Math.ceil((list.length - next) / (SHARES * plan.threads));
    return Array.from({ length: next - from }, (_, k) => from + k);
  };
  const rowsOf = classes.map(({ rowIds }) => rowIds);
  // Not that of the largest: how many rows fit in falls with their length.
  const bytesOf = ([a, b]: readonly [number, number]): number =>
    problemBytes({
      rowIds: { length: (rowsOf[a]?.length ?? 0) + (rowsOf[b]?.length ?? 0) },
      sides: { length: sideCount(terms.form) },
      cacheBytes,
    });
  const mostBytes = list.reduce((most, pair) => Math.max(most, bytesOf(pair)), 0);
  const input: PairsInput = { terms, classes, list, guesses, atOnce, problemBytes: mostBytes, cacheBytes, keptBytes };
  const regionBytes = segmentsBytes(x, terms.kernel, rowsOf, keptBytes) + atOnce * mostBytes;
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
