// A fit in a worker: goes through the stages of a plan until the judge is content, and remembers how it went.

import type { Status } from "../base/status.js";
import type { Certificate, KernelCertificate } from "../model/certificate.js";
import { clock } from "../runtime/clock.js";
import type { Task } from "../runtime/task.js";
import type { SolverName, Stage } from "./plan.js";
import { better, type Judged, type ProvableSolver, solveProven } from "./proven.js";

/** How a stage went. */
export interface StageReport<C extends KernelCertificate = Certificate> {
  readonly solver: SolverName;
  readonly why: string;
  /** Passes over the rows; passes over fewer, while the others were left alone, count for their share. */
  readonly iterations: number;
  /** What it proved in the end; null where there is no gap. */
  readonly relativeGap: C["relativeGap"];
}

/** The gap as it was known at a moment. */
export interface GapPoint<C extends KernelCertificate = Certificate> {
  readonly seconds: number;
  readonly iterations: number;
  readonly relativeGap: C["relativeGap"];
}

/** What a fit of one problem gives. */
export interface Outcome<Solution, C extends KernelCertificate = Certificate> {
  readonly solution: Solution;
  readonly certificate: C;
  readonly status: Status;
  readonly stages: readonly StageReport<C>[];
  readonly history: readonly GapPoint<C>[];
  readonly certifySeconds: number;
}

/** What the stages are to reach together. */
export interface Goal {
  /** On the relative gap; undefined where the solver's own rule decides. */
  readonly tolerance: number | undefined;
  /** Passes over the rows, of all stages together. */
  readonly maxIterations: number;
}

/** Makes the solver of a stage, which begins at `start` if there is one and may make so many passes. */
export type MakeSolver<Solution> = (
  task: Task,
  stage: Pick<Stage, "solver" | "rival">,
  start: Solution | undefined,
  passes: number,
) => ProvableSolver<Solution>;

/** A problem as the stages see it. */
export interface Method<Solution, C extends KernelCertificate = Certificate> {
  readonly make: MakeSolver<Solution>;
  readonly judge: (solution: Solution) => C;
  readonly start?: Solution | undefined;
  /** The same dual variables beside the model that has w = 0: a dual method that is stopped early may know no better one. */
  readonly atRest?: (solution: Solution) => Solution;
}

export async function solveStages<Solution extends { readonly iterations: number }, C extends KernelCertificate = Certificate>(
  task: Task,
  plan: readonly Stage[],
  goal: Goal,
  how: Method<Solution, C>,
): Promise<Outcome<Solution, C>> {
  const stages: StageReport<C>[] = [];
  const history = new History<C>();
  let certifySeconds = 0;
  let iterations = 0;
  let before = 0;
  let best: Judged<Solution, C> | undefined;
  let start = how.start;
  const judge = (solution: Solution): C => {
    const started = clock();
    const certificate = how.judge(solution);
    certifySeconds += (clock() - started) / 1000;
    history.add(before + solution.iterations, certificate.relativeGap);
    return certificate;
  };
  for (const [k, stage] of plan.entries()) {
    const passes = Math.min(stage.passes, goal.maxIterations - iterations);
    task.space.restart();
    before = iterations;
    const solver = how.make(watched(task, history, before), stage, stage.isAnew === true ? how.start : start, passes);
    const { status, ...stood } = await solveProven(solver, judge, goal.tolerance);
    iterations += stood.iterations;
    const { solution, certificate } = stood;
    stages.push({ solver: stage.solver, why: stage.why, iterations: stood.iterations, relativeGap: certificate.relativeGap });
    best = better({ solution, certificate }, best);
    const isLast = k === plan.length - 1 || iterations >= goal.maxIterations;
    const isStuck = status === "iteration-limit" || status === "precision-limit";
    if (!isStuck || isLast) {
      if (status !== "converged") best = better(best, atRest(best.solution, how, judge));
      // A last stage with a limit of its own is there because another had no digits left.
      const isOut = status === "iteration-limit" && stage.passes < goal.maxIterations - before;
      return { status: isOut ? "precision-limit" : status, stages, history: history.points(), certifySeconds, ...best };
    }
    start = best.solution;
  }
  throw new RangeError("a plan must have a stage");
}

function atRest<Solution, C extends KernelCertificate>(
  solution: Solution,
  how: Method<Solution, C>,
  judge: Method<Solution, C>["judge"],
): Judged<Solution, C> | undefined {
  const still = how.atRest?.(solution);
  return still && { solution: still, certificate: judge(still) };
}

/** The task, with every checkpoint's progress remembered and counted from the beginning of the fit. */
function watched<C extends KernelCertificate>(task: Task, history: History<C>, before: number): Task {
  return {
    ...task,
    checkpoint: (progress) => {
      const { iterations, ...rest } = progress();
      // A solver whose judge proves gaps tells gaps on the way.
      history.add(before + iterations, rest.relativeGap as C["relativeGap"]);
      return task.checkpoint(() => ({ iterations: before + iterations, ...rest }));
    },
  };
}

/** Gap over time, thinned out so that it never grows large. */
class History<C extends KernelCertificate> {
  readonly #startedAt = clock();
  #points: GapPoint<C>[] = [];
  #every = 1;
  #seen = 0;

  add(iterations: number, relativeGap: C["relativeGap"]): void {
    const last = this.#points.at(-1);
    if (last !== undefined && last.iterations === iterations && last.relativeGap === relativeGap) return;
    if (this.#seen++ % this.#every !== 0) return;
    this.#points.push({ seconds: (clock() - this.#startedAt) / 1000, iterations, relativeGap });
    if (this.#points.length < MOST_POINTS) return;
    this.#points = this.#points.filter((_, k) => k % 2 === 0);
    this.#every *= 2;
  }

  points(): readonly GapPoint<C>[] {
    return this.#points;
  }
}

const MOST_POINTS = 256;
