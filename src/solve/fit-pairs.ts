// One-vs-one problems in a worker, one after the other, which share their kernel values (segment-rows.ts): posed here, from what their classes hold, so that threads need not wait for the one that
// called them. Each takes the next problem that nobody has; where they share no memory, every so many-th. docs/performance.md says what that is worth.

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
  /** For the kernel rows of a problem. */
  readonly cacheBytes: number;
  /** For segments that several problems use. */
  readonly keptBytes: number;
  /** Where the next turn is that nobody has, u32 in the memory that threads share; or the first turn of this thread, and how far it is from each to the next. */
  readonly turn: { readonly next: number } | { readonly first: number; readonly every: number };
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

/** Solves problems as long as there are some to be had, and says which ones are done. */
export async function fitPairs(task: Task, input: PairsInput): Promise<PairOutcome[]> {
  const { terms, classes, list, keptBytes } = input;
  const rowsOf = classes.map(({ rowIds }) => rowIds);
  const segments = new Segments(task, terms.kernel, rowsOf, keptBytes);
  const own = { ...task, space: task.space.rest() };
  const turns = largestFirst(input);
  const next = numbers(task, input);
  const teller = tellerOf(task);
  const done: PairOutcome[] = [];
  for (let turn = next(); turn < list.length; turn = next()) {
    const index = turns[turn] as number;
    const sources: RowSources = () => {
      const rows = new PairRows(segments, list[index] as readonly [number, number]);
      return { rows, exact: rows };
    };
    const outcome = await fitKernel(own, posePair(input, index), sources);
    teller.tell({ index, stages: outcome.stages });
    done.push({ index, outcome });
  }
  teller.end();
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

/** The problems in the order of their sizes, or, where these are equal, in their own: who has a large one last keeps all others waiting. */
function largestFirst({ classes, list }: PairsInput): number[] {
  const sizes = list.map((pair) => pair.reduce((sum, m) => sum + (classes[m]?.rowIds.length ?? 0), 0));
  return [...list.keys()].sort((a, b) => (sizes[b] as number) - (sizes[a] as number) || a - b);
}

/** Gives turns that nobody else has. */
function numbers({ space }: Task, { turn }: PairsInput): () => number {
  if ("next" in turn) {
    const taken = space.wordsAt(turn.next, 1);
    return () => Atomics.add(taken, 0, 1);
  }
  let next = turn.first - turn.every;
  return () => {
    next += turn.every;
    return next;
  };
}

/** Tells the calling thread of problems, without waiting for it: what is done while it is busy it is told together. It need not hear of the last ones: they are what it is given next. */
function tellerOf(task: Task): { tell(problem: PairDone): void; end(): void } {
  let untold: PairDone[] = [];
  let isTelling = false;
  const tellAll = async (): Promise<void> => {
    isTelling = true;
    while (untold.length > 0) {
      const about = untold;
      untold = [];
      await task.ask(about);
    }
    isTelling = false;
  };
  return {
    tell: (problem) => {
      untold.push(problem);
      if (!isTelling) void tellAll();
    },
    end: () => {
      untold = [];
    },
  };
}
