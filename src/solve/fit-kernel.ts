// A kernel problem in a worker: alone, or as one of many one-vs-one problems that share their kernel values.

import { allEnded } from "../base/lanes.js";
import type { Interruption } from "../base/status.js";
import type { KernelCertificate } from "../model/certificate.js";
import { together } from "../runtime/progress.js";
import type { TaskProgress } from "../runtime/protocol.js";
import type { Task } from "../runtime/task.js";
import { KernelMachine, type RowSources } from "./kernel-machine.js";
import type { KernelFunction, KernelProblem, KernelSolution } from "./kernel-problem.js";
import type { Stage } from "./plan.js";
import { PairRows, Segments } from "./segment-rows.js";
import { type Outcome, solveStages } from "./stages.js";

export type KernelOutcome = Outcome<KernelSolution, KernelCertificate>;

export function fitKernel(task: Task, problem: KernelProblem, sources?: RowSources): Promise<KernelOutcome> {
  // The gap from the solver's own F, with what float32 may have done to it; the independent judge costs as much as the fit and runs when it is asked for.
  const reason = problem.gapless;
  const judge = ({ primal, dual, relativeGap, violation }: KernelSolution): KernelCertificate =>
    reason === undefined ? { primal, dual, relativeGap } : { primal, dual, relativeGap: null, violation, reason };
  const method: Pick<Stage, "solver" | "why"> = problem.isFree
    ? { solver: "dual coordinate descent", why: "solver dcd: no intercept" }
    : { solver: "decomposition", why: "the method for kernels" };
  const stages: Stage[] = [{ ...method, passes: Infinity }];
  const tolerance = problem.stop === undefined ? problem.tolerance : undefined;
  return solveStages(task, stages, { ...problem, tolerance }, { make: (own) => new KernelMachine(own, problem, sources), judge });
}

/** What a worker is given that solves one-vs-one problems, some of them at a time. */
export interface PairsInput {
  readonly kernel: KernelFunction;
  /** The rows of each class. */
  readonly classes: readonly Uint32Array[];
  /** Problems under way at a time, and the work space of each. */
  readonly atOnce: number;
  readonly problemBytes: number;
  /** For segments that several problems use. */
  readonly keptBytes: number;
}

/** The next problem, which the caller's thread hands out. */
export interface NextPair {
  readonly index: number;
  /** Which classes its rows are of: first all of the one, then all of the other. */
  readonly pair: readonly [number, number];
  readonly problem: KernelProblem;
}

/** One that is done. */
export interface PairOutcome {
  readonly index: number;
  readonly outcome: KernelOutcome;
}

/** Solves problems as long as there are some to be had. Asks for each, and says on that occasion which one is done: its number and iterations. */
export async function fitPairs(task: Task, { kernel, classes, atOnce, problemBytes, keptBytes }: PairsInput): Promise<PairOutcome[]> {
  const segments = new Segments(task, kernel, classes, keptBytes);
  const done: PairOutcome[] = [];
  const running = new Map<number, () => TaskProgress>();
  const one = async (slot: number): Promise<void> => {
    const space = task.space.part(problemBytes);
    let last: PairOutcome | undefined;
    const checkpoint = (progress: () => TaskProgress): Promise<Interruption | undefined> => {
      running.set(slot, progress);
      return task.checkpoint(() => together(Array.from(running.values(), (said) => said())));
    };
    for (;;) {
      running.delete(slot);
      const next = (await task.ask(last && { index: last.index, stages: last.outcome.stages })) as NextPair | undefined;
      if (next === undefined) return;
      const sources: RowSources = () => {
        const rows = new PairRows(segments, next.pair);
        return { rows, exact: rows };
      };
      last = { index: next.index, outcome: await fitKernel({ ...task, space, checkpoint }, next.problem, sources) };
      done.push(last);
    }
  };
  await allEnded(Array.from({ length: atOnce }, (_, slot) => one(slot)));
  return done;
}
