// One-vs-one problems in a worker, some at a time, which share their kernel values (segment-rows.ts): posed here, from what their classes hold, so that all that goes from thread to
// thread is which of them are whose. docs/performance.md says what that is worth.

import { allEnded } from "../base/lanes.js";
import type { Interruption } from "../base/status.js";
import { together } from "../runtime/progress.js";
import type { TaskProgress } from "../runtime/protocol.js";
import type { Task } from "../runtime/task.js";
import { fitKernel, type KernelOutcome } from "./fit-kernel.js";
import type { RowSources } from "./kernel-machine.js";
import type { KernelFunction, KernelProblem } from "./kernel-problem.js";
import { type KernelTerms, poseKernel } from "./pose-kernel.js";
import { PairRows, Segments } from "./segment-rows.js";

/** The rows of a class. */
export interface PairClass {
  readonly rowIds: Uint32Array;
  /** What each of them costs. */
  readonly costs: Float64Array;
  /** The largest K of one with itself, roughly. */
  readonly mostDiagonal: number;
}

/** What the problems are made from. */
export interface PairTerms extends KernelTerms<KernelFunction> {
  readonly form: "c_svc" | "nu_svc";
  readonly nu: number;
  readonly hasBias: boolean;
}

/** What a worker is given that solves such problems. */
export interface PairsInput {
  readonly terms: PairTerms;
  readonly classes: readonly PairClass[];
  /** Which classes each problem is about: the second are its positive rows. */
  readonly list: readonly (readonly [number, number])[];
  /** Where each begins, if something is known of that. */
  readonly guesses: readonly Float64Array[] | undefined;
  /** Problems under way at a time, the work space of each, and what of it is for kernel rows. */
  readonly atOnce: number;
  readonly problemBytes: number;
  readonly cacheBytes: number;
  /** For segments that several problems use. */
  readonly keptBytes: number;
}

/** One that is done. */
export interface PairOutcome {
  readonly index: number;
  readonly outcome: KernelOutcome;
}

/** What is said of it as soon as it is. */
export interface PairDone {
  readonly index: number;
  readonly stages: KernelOutcome["stages"];
}

/** Solves problems as long as there are some to be had. Asks for their numbers, some at a time, and says on that occasion which ones are done. */
export async function fitPairs(task: Task, input: PairsInput): Promise<PairOutcome[]> {
  const { terms, classes, list, atOnce, problemBytes, keptBytes } = input;
  const rowsOf = classes.map(({ rowIds }) => rowIds);
  const segments = new Segments(task, terms.kernel, rowsOf, keptBytes);
  const done: PairOutcome[] = [];
  const running = new Map<number, () => TaskProgress>();
  const next = numbers(task);
  const one = async (slot: number): Promise<void> => {
    const space = task.space.part(problemBytes);
    const checkpoint = (progress: () => TaskProgress): Promise<Interruption | undefined> => {
      running.set(slot, progress);
      return task.checkpoint(() => together(Array.from(running.values(), (said) => said())));
    };
    for (;;) {
      running.delete(slot);
      const index = await next.take();
      if (index === undefined) return;
      const sources: RowSources = () => {
        const rows = new PairRows(segments, list[index] as readonly [number, number]);
        return { rows, exact: rows };
      };
      const outcome = await fitKernel({ ...task, space, checkpoint }, posePair(input, index), sources);
      next.isDone({ index, stages: outcome.stages });
      done.push({ index, outcome });
    }
  };
  await allEnded(Array.from({ length: atOnce }, (_, slot) => one(slot)));
  return done;
}

/** The problem of two classes: the rows of the first before those of the second. */
function posePair(
  { terms: { form, nu, hasBias, ...terms }, classes, list, guesses, cacheBytes }: PairsInput,
  index: number,
): KernelProblem {
  const [first, second] = (list[index] as readonly [number, number]).map((m) => classes[m]) as [PairClass, PairClass];
  const split = first.rowIds.length;
  const rowCount = split + second.rowIds.length;
  const rowIds = new Uint32Array(rowCount);
  rowIds.set(first.rowIds);
  rowIds.set(second.rowIds, split);
  const costs = new Float64Array(rowCount);
  costs.set(first.costs);
  costs.set(second.costs, split);
  const targets = new Float64Array(rowCount).fill(-1, 0, split).fill(1, split);
  const mostDiagonal = Math.max(first.mostDiagonal, second.mostDiagonal);
  return poseKernel(terms, { form, rowIds, targets, costs, nu, epsilon: 0, mostDiagonal, hasBias }, cacheBytes, guesses?.[index]);
}

/** The numbers of problems that this thread has been given, for whoever is free: undefined when there are no more. */
function numbers(task: Task): { take(): Promise<number | undefined>; isDone(problem: PairDone): void } {
  let own: number[] = [];
  let told: PairDone[] = [];
  let asking: Promise<void> | undefined;
  let isOver = false;
  const ask = async (): Promise<void> => {
    const about = told;
    told = [];
    own = ((await task.ask(about)) as number[] | undefined) ?? [];
    isOver = own.length === 0;
    asking = undefined;
  };
  return {
    take: async () => {
      while (own.length === 0 && !isOver) {
        asking ??= ask();
        await asking;
      }
      return own.shift();
    },
    isDone: (problem) => {
      told.push(problem);
    },
  };
}
