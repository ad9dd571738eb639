// What searches that share work have in common: lines of points in folds as chains, groups of folds that share their rows, and workers that ask for jobs.

import { allEnded, inLanes } from "../base/lanes.js";
import type { Interruption } from "../base/status.js";
import type { Fold } from "../data/folds.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import type { RunOptions, Work } from "../runtime/pool.js";
import { beginCall, runTask, timeLeft, withMatrix } from "../runtime/runtime.js";
import type { FoldScore, Subject } from "./fold-rows.js";
import type { Line } from "./grid.js";

/** Bytes for what all workers keep, where the caller does not say. */
export const MOST_BYTES = 1.5 * 2 ** 30;

/** What the caller of a search said of threads and time. */
export interface GridCall {
  readonly threads: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly timeLimitSeconds: number;
}

/** A line in a fold. */
export interface GridChain {
  readonly line: Line;
  readonly fold: number;
}

export interface GridScores {
  /** Of each chain, a score a point; undefined where the search did not get to. */
  readonly scores: readonly (readonly (FoldScore | undefined)[] | undefined)[];
  readonly interruption: Interruption | undefined;
}

/** How a part of the work ended; undefined where it cannot be done this way. */
export type Ended = { readonly interruption: Interruption | undefined } | undefined;

/**
 * Solves folds that share their rows together. Where each has its own (`hasStages`) they go side by side, round after round, so that whoever is stopped has whole points; together there is one
 * round, `undefined`, for everything. Stops at the first that cannot be done: what was done before stays done.
 */
export async function overFolds<Round>(
  { folds, rowsIn }: Subject,
  given: GridCall,
  hasStages: boolean,
  rounds: Iterable<Round>,
  solve: (x: Matrix, group: readonly number[], round: Round | undefined, limits: GridCall) => Promise<Ended>,
): Promise<Ended> {
  const call = beginCall(given);
  let [isPossible, interruption] = [true, undefined as Interruption | undefined];
  const run = async (group: readonly number[], round: Round | undefined, threads: number): Promise<void> => {
    if (interruption !== undefined || !isPossible) return;
    const rows = await rowsIn(folds[group[0] as number] as Fold);
    const limits = { threads, signal: given.signal, timeLimitSeconds: timeLeft(given.timeLimitSeconds, call.seconds) };
    const ended = await withMatrix(rows as RowsInput | Matrix, (x) => solve(x, group, round, limits));
    isPossible &&= ended !== undefined;
    interruption ??= ended?.interruption;
  };
  const all = folds.map((_, fold) => fold);
  if (hasStages) for (const round of rounds) await inLanes(all.length, call.threads, (fold) => run([fold], round, 1));
  else await run(all, undefined, call.threads);
  return isPossible ? { interruption } : undefined;
}

/** Runs as many workers as `threads`, each of which asks `answerOf()` for jobs; what one throws is thrown once the others have ended what they had begun, and `clear` leaves them nothing more. */
export async function inWorkers<Ending extends NonNullable<Ended>>(
  threads: number,
  work: Work,
  call: RunOptions,
  answerOf: () => (last: unknown) => unknown,
  clear: () => void,
): Promise<{ readonly endings: readonly Ending[]; readonly interruption: Interruption | undefined }> {
  const endings = await allEnded(
    Array.from({ length: threads }, async () => {
      try {
        return await runTask<Ending>({ ...work, answer: answerOf() }, call);
      } catch (error) {
        clear();
        throw error;
      }
    }),
  );
  return { endings, interruption: endings.find(({ interruption }) => interruption !== undefined)?.interruption };
}
