// The kernel problems of a search, in a worker: many constants, several folds, the same rows. Kernel values are computed once a kernel (gram.ts); each problem of a fold
// takes its own from there, is solved for all values of C, one begun where the other ended, and says at once what it thinks of the rows held out:
//
//   another C     variables at the bound go to the new one, the others stay (solve/kernel-start.ts mends the sums); F moves with them
//   the same      a model that C does not bind is that of every larger C
//
// Which worker solves what changes the time, never a value. Checked against fits of every point in test/search.test.ts.

import { type Interruption, isInterruption } from "../base/status.js";
import type { Matrix } from "../data/matrix.js";
import type { LibsvmType } from "../model/libsvm-file.js";
import { spaceFor, type Task } from "../runtime/task.js";
import type { Ending } from "./drive.js";
import { Gram, gramBytes } from "./gram.js";
import { offsetsOf, poseForm } from "./kernel-forms.js";
import { KernelMachine, variablesBytes } from "./kernel-machine.js";
import type { KernelFunction, KernelProblem, KernelSolution } from "./kernel-problem.js";
import { LANES } from "./kernel-rows.js";
import { begunNear } from "./kernel-start.js";
import { WholeRows, wholeRowsBytes } from "./whole-rows.js";

/** A problem of a fold, before its kernel and its constants. */
export interface GridTask {
  readonly form: LibsvmType;
  /** Places in the order. */
  readonly places: Uint32Array;
  readonly targets: Float64Array;
  readonly weights: Float64Array;
  readonly hasBias: boolean;
}

export interface GridFold {
  /** The rows held out: places in the order. */
  readonly test: Uint32Array;
  /** One a decision value. */
  readonly tasks: readonly GridTask[];
}

/** What every worker is given. */
export interface GridInput {
  /** Rows of the matrix: those of which kernel values are wanted, in an order that keeps together what is wanted together. */
  readonly order: Uint32Array;
  readonly folds: readonly GridFold[];
  readonly settings: Pick<KernelProblem, "tolerance" | "stop" | "maxIterations">;
}

/** Constants of a point. */
export interface GridConstants {
  /** What weights are multiplied with: C, or 1 for the forms without. */
  readonly scale: number;
  readonly nu: number;
  readonly epsilon: number;
}

/** Points of one kernel that differ in C, in one fold: what the caller's thread hands out. */
export interface GridJob {
  readonly index: number;
  /** Which kernel it is: values are kept until another one is asked for. */
  readonly kernelIndex: number;
  readonly kernel: KernelFunction;
  readonly gapless: string | undefined;
  readonly mostDiagonal: number;
  readonly fold: number;
  readonly line: readonly GridConstants[];
}

/** What came of one. */
export interface GridOutcome {
  readonly index: number;
  /** f64[points][rows held out][tasks]. */
  readonly decisions: Float64Array;
}

/** Work space of a worker. */
export function gridBytes(x: Matrix, { order, folds }: GridInput): number {
  const tasks = folds.flatMap((fold) => fold.tasks);
  const most = tasks.reduce((largest, { places }) => Math.max(largest, places.length), 0);
  const tested = folds.reduce((largest, { test }) => Math.max(largest, test.length), 0);
  return gramBytes(x, order.length) + problemSpace(most) + spaceFor(8 * tested, 8 * tested, 4 * LANES, 8 * LANES);
}

/** Of one problem: nu-SVC and nu-SVR have two sides. */
function problemSpace(rowCount: number): number {
  return wholeRowsBytes(rowCount) + variablesBytes({ rowIds: { length: rowCount }, sides: { length: 2 } });
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
    last = { index: job.index, decisions: outcome };
  }
}

class GridWorker {
  readonly #task: Task;
  readonly #input: GridInput;
  readonly #gram: Gram;
  readonly #problemTask: Task;
  readonly #sums: Float64Array;
  readonly #group: { readonly rows: Uint32Array; readonly deltas: Float64Array };
  #kernelIndex = -1;

  constructor(task: Task, input: GridInput) {
    const { space } = task;
    const tasks = input.folds.flatMap((fold) => fold.tasks);
    const most = tasks.reduce((largest, { places }) => Math.max(largest, places.length), 0);
    this.#task = task;
    this.#input = input;
    this.#gram = new Gram(task, input.order);
    this.#problemTask = { ...task, space: space.part(problemSpace(most)) };
    this.#sums = space.rawDoubles(input.folds.reduce((largest, { test }) => Math.max(largest, test.length), 0));
    this.#group = { rows: space.rawWords(LANES), deltas: space.rawDoubles(LANES) };
  }

  /** f64[points][rows held out][tasks], or who said stop. */
  async run(job: GridJob): Promise<Float64Array | Interruption> {
    const { line } = job;
    const { test, tasks } = this.#input.folds[job.fold] as GridFold;
    if (job.kernelIndex !== this.#kernelIndex) {
      this.#kernelIndex = -1;
      for (const _ of this.#gram.fill(job.kernel)) {
        const interruption = await this.#task.checkpoint(() => ({ iterations: 0, relativeGap: null }));
        if (interruption !== undefined) return interruption;
      }
      this.#kernelIndex = job.kernelIndex;
    }
    const decisions = new Float64Array(line.length * test.length * tasks.length);
    for (const [output, own] of tasks.entries()) {
      const chain = new Chain(this.#problemTask, this.#gram, this.#input, job, own);
      let before: KernelSolution | undefined;
      for (const [k, constants] of line.entries()) {
        const { status, solution } = await chain.solve(constants);
        if (isInterruption(status)) return status;
        const at = (point: number): number => point * test.length * tasks.length + output;
        if (before !== undefined && isSame(solution, before)) {
          for (let t = 0; t < test.length; t++) decisions[at(k) + t * tasks.length] = decisions[at(k - 1) + t * tasks.length] as number;
          continue;
        }
        before = solution;
        const sums = this.#decide(own, solution, test);
        for (let t = 0; t < test.length; t++) decisions[at(k) + t * tasks.length] = sums[t] as number;
      }
    }
    return decisions;
  }

  /** f(x) of the rows held out. */
  #decide({ form, places }: GridTask, solution: KernelSolution, test: Uint32Array): Float64Array {
    const { core } = this.#task;
    const { bias, width } = offsetsOf(form, solution);
    // Of nu-SVC the model whose margin is 1 instead of r; r = 0 leaves it as it is.
    const factor = form === "nu_svc" && width > 0 ? 1 / width : 1;
    const sums = this.#sums.subarray(0, test.length).fill(0);
    const { rows, deltas } = this.#group;
    let held = 0;
    const flush = (): void => {
      for (let begin = 0; begin < test.length; ) {
        let end = begin + 1;
        while (end < test.length && test[end] === (test[end - 1] as number) + 1) end++;
        const from = test[begin] as number;
        // Sums of a run begin where position `from` would have its own.
        core.addRows(sums.byteOffset + 8 * (begin - from), rows.byteOffset, deltas.byteOffset, held, from, from + end - begin);
        begin = end;
      }
      held = 0;
    };
    solution.value.forEach((value, k) => {
      if (value === 0) return;
      rows[held] = this.#gram.rowAt(places[k] as number);
      deltas[held++] = value;
      if (held === LANES) flush();
    });
    flush();
    return sums.map((sum) => factor * (sum + bias));
  }
}

/** How near to its bound a variable is there. */
const AT_BOUND = 1 - 1e-9;

/** One problem for one value of C after the other. */
class Chain {
  readonly #task: Task;
  readonly #gram: Gram;
  readonly #input: GridInput;
  readonly #job: GridJob;
  readonly #own: GridTask;
  #machine: KernelMachine | undefined;
  #last: { readonly solution: KernelSolution; readonly constants: GridConstants } | undefined;

  constructor(task: Task, gram: Gram, input: GridInput, job: GridJob, own: GridTask) {
    this.#task = task;
    this.#gram = gram;
    this.#input = input;
    this.#job = job;
    this.#own = own;
  }

  async solve(constants: GridConstants): Promise<{ status: Ending; solution: KernelSolution }> {
    const problem = this.#posed(constants);
    if (this.#machine?.canGoOn === true) this.#machine.goOn(problem);
    else this.#machine = this.#begin(problem);
    const status = await this.#machine.solve();
    const solution = this.#machine.solution();
    this.#last = { solution, constants };
    return { status, solution };
  }

  #begin(problem: KernelProblem): KernelMachine {
    const { space } = this.#task;
    const { places } = this.#own;
    space.restart();
    const store = new WholeRows(this.#task, places.length, this.#gram.copier(places));
    return new KernelMachine(this.#task, problem, () => ({ store, exact: this.#gram.exact }));
  }

  #posed(constants: GridConstants): KernelProblem {
    const { form, places, targets, weights, hasBias } = this.#own;
    const { kernel, gapless, mostDiagonal } = this.#job;
    const { order, settings } = this.#input;
    const costs = weights.map((weight) => constants.scale * weight);
    const posed = poseForm({ form, targets, costs, nu: constants.nu, epsilon: constants.epsilon, mostDiagonal, hasBias });
    const guess = this.#guess(constants, costs);
    return {
      ...settings,
      ...posed,
      ...{ kernel, rowIds: places.map((place) => order[place] as number), shrinking: false, cacheBytes: 0 },
      isWarm: guess !== undefined,
      sides: guess === undefined ? posed.sides : begunNear(posed.sides, guess, posed.isFree),
      ...(gapless === undefined ? {} : { gapless, canRest: false }),
    };
  }

  /** Where the last solution leads. */
  #guess({ scale }: GridConstants, costs: Float64Array): Float64Array | undefined {
    if (this.#last === undefined) return undefined;
    const { solution, constants } = this.#last;
    const ratio = scale / constants.scale;
    return solution.point.map((value, k) => {
      const cost = costs[k] as number;
      return Math.abs(value) * ratio >= AT_BOUND * cost ? Math.sign(value) * cost : value;
    });
  }
}

function isSame(one: KernelSolution, other: KernelSolution): boolean {
  return one.rho.every((rho, k) => rho === other.rho[k]) && one.value.every((value, k) => value === other.value[k]);
}
