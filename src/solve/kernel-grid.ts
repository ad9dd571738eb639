// The kernel problems of a search, in a worker: many constants, several folds, the same rows. Kernel values are computed once a kernel (gram.ts); each problem of a fold
// takes its own from there, is solved for all values of C, one begun where the other ended (grid-path.ts), and says at once what it thinks of the rows held out
// (held-out-sums.ts). Which worker solves what changes the time, never a value. Checked against fits of every point in test/search.test.ts.

import type { Interruption } from "../base/status.js";
import type { Matrix } from "../data/matrix.js";
import { classOf } from "../model/schemes.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { Gram, gramBytes } from "./gram.js";
import { GridPath, type GridPlace, gridPlace, gridPlaceBytes } from "./grid-path.js";
import { type GridFold, type GridInput, type GridJob, type GridOutcome, mostRows } from "./grid-problem.js";
import { HeldOutSums, heldOutBytes, type SumLimits } from "./held-out-sums.js";
import type { KernelSolution } from "./kernel-problem.js";

/** Work space of a worker. */
export function gridBytes(x: Matrix, input: GridInput): number {
  const limits = limitsOf(input);
  return spaceFor(gramBytes(x, input.order.length), gridPlaceBytes(limits.trained), heldOutBytes(limits));
}

function limitsOf(input: GridInput): SumLimits {
  return { ...mostRows(input), solutions: input.mostPoints };
}

/** Solves jobs as long as there are some to be had; each outcome is handed in when the next one is asked for. Returns who said stop, if anybody did. */
export async function searchKernel(task: Task, input: GridInput): Promise<{ interruption: Interruption | undefined }> {
  const worker = new GridWorker(task, input);
  let last: GridOutcome | undefined;
  for (;;) {
    const job = (await task.ask(last)) as GridJob | undefined;
    if (job === undefined) return { interruption: await task.checkpoint(() => ({ iterations: 0, relativeGap: null })) };
    const outcome = await worker.run(job);
    if (typeof outcome === "string") return { interruption: outcome };
    last = outcome;
  }
}

class GridWorker {
  readonly #task: Task;
  readonly #input: GridInput;
  readonly #gram: Gram;
  readonly #place: GridPlace;
  readonly #sums: HeldOutSums;
  /** Whether all problems have variables that sum to 0, and so do not mind what is added to the kernel. */
  readonly #isLess: boolean;
  #kernelIndex = -1;

  constructor(task: Task, input: GridInput) {
    const limits = limitsOf(input);
    this.#task = task;
    this.#input = input;
    this.#isLess = input.folds.every(({ tasks }) => tasks.every(({ form, hasBias }) => hasBias && form !== "one_class"));
    this.#gram = new Gram(task, input.order);
    this.#place = gridPlace(task, this.#gram, limits.trained);
    this.#sums = new HeldOutSums(task, this.#gram, input.order, limits, input.settings.tolerance);
  }

  /** What is said of the rows held out, or who said stop. */
  async run(job: GridJob): Promise<GridOutcome | Interruption> {
    const { index, line } = job;
    const fold = this.#input.folds[job.fold] as GridFold;
    const { test, tasks } = fold;
    if (job.kernelIndex !== this.#kernelIndex) {
      this.#kernelIndex = -1;
      for (const _ of this.#gram.fill(job.kernel, this.#isLess)) {
        const interruption = await this.#task.checkpoint(() => ({ iterations: 0, relativeGap: null }));
        if (interruption !== undefined) return interruption;
      }
      this.#kernelIndex = job.kernelIndex;
    }
    const decisions = new Float64Array(line.length * tasks.length * test.length);
    const unproven = new Uint32Array(line.length);
    for (const [output, own] of tasks.entries()) {
      const path = new GridPath(this.#place, this.#input, job, own);
      const solutions: KernelSolution[] = [];
      for (const [k, constants] of line.entries()) {
        const found = await path.solve(constants);
        if (typeof found === "string") return found;
        solutions.push(found.solution);
        if (found.status !== "converged") unproven[k] = (unproven[k] as number) + 1;
      }
      const outs = line.map((_, k) =>
        decisions.subarray((k * tasks.length + output) * test.length, (k * tasks.length + output + 1) * test.length),
      );
      this.#sums.decide(own, solutions, test, outs, job);
    }
    return { index, said: said(fold, line.length, decisions), unproven };
  }
}

/** Decision values, f64[points][tasks][rows held out], or the classes that they mean, where only those are wanted. */
function said({ test, tasks, classes }: GridFold, points: number, decisions: Float64Array): GridOutcome["said"] {
  if (classes === undefined) return decisions;
  const one = new Float64Array(tasks.length);
  return Uint32Array.from({ length: points * test.length }, (_, at) => {
    const [k, t] = [Math.floor(at / test.length), at % test.length];
    for (let m = 0; m < one.length; m++) one[m] = decisions[(k * one.length + m) * test.length + t] as number;
    return classOf(classes.scheme, classes.count, one, 0);
  });
}
