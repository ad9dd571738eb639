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
import { classOf } from "../model/schemes.js";
import { spaceFor, type Task } from "../runtime/task.js";
import type { Ending } from "./drive.js";
import { Gram, gramBytes, runsOf } from "./gram.js";
import { KernelChain, kernelChainBytes } from "./kernel-chain.js";
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
  /** How decision values make one of how many classes, where only that is wanted. */
  readonly classes: { readonly scheme: "binary" | "ovo" | "ovr"; readonly count: number } | undefined;
}

/** The part of decision values that may be wrong; what float32 does to sums of up to 64 values, each as large as the largest; and to values that add up like the root of their squares. */
const MOST_OFF = 0.05;
const ROUGH_SUM = 64 * 2 ** -24;
const ROUGH_VALUES = 2 ** -24;

/** What every worker is given. */
export interface GridInput {
  /** Rows of the matrix: those of which kernel values are wanted, in an order that keeps together what is wanted together. */
  readonly order: Uint32Array;
  readonly folds: readonly GridFold[];
  /** Of any fold and of any line, the latter a multiple of 4. */
  readonly mostTested: number;
  readonly mostPoints: number;
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
  /** f64[points][tasks][rows held out], or, where classes are wanted, u32[points][rows held out]: which class. */
  readonly said: Float64Array | Uint32Array;
}

/** Work space of a worker. */
export function gridBytes(x: Matrix, { order, folds, mostTested, mostPoints }: GridInput): number {
  const tasks = folds.flatMap((fold) => fold.tasks);
  const most = tasks.reduce((largest, { places }) => Math.max(largest, places.length), 0);
  return (
    gramBytes(x, order.length) +
    machineSpace(most) +
    kernelChainBytes(most) +
    spaceFor(4 * most, 16 * most, 8 * most, 4 * mostTested, 8 * mostTested * mostPoints)
  );
}

/** Of one problem in a machine: nu-SVC and nu-SVR have two sides. */
function machineSpace(rowCount: number): number {
  return wholeRowsBytes(rowCount) + variablesBytes({ rowIds: { length: rowCount }, sides: { length: 2 } });
}

/** What chains work with. */
interface Place {
  /** With space for one machine. */
  readonly task: Task;
  readonly gram: Gram;
  readonly quick: KernelChain;
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
    last = { index: job.index, said: outcome };
  }
}

class GridWorker {
  readonly #task: Task;
  readonly #input: GridInput;
  readonly #gram: Gram;
  readonly #place: Place;
  readonly #scratch: {
    readonly rows: Uint32Array;
    readonly coefficients: Float32Array;
    readonly deltas: Float64Array;
    readonly tested: Uint32Array;
    readonly sums: Float64Array;
  };
  #kernelIndex = -1;

  constructor(task: Task, input: GridInput) {
    const { space } = task;
    const tasks = input.folds.flatMap((fold) => fold.tasks);
    const most = tasks.reduce((largest, { places }) => Math.max(largest, places.length), 0);
    this.#task = task;
    this.#input = input;
    this.#gram = new Gram(task, input.order);
    this.#place = {
      gram: this.#gram,
      quick: new KernelChain({ ...task, space: space.part(kernelChainBytes(most)) }, most),
      task: { ...task, space: space.part(machineSpace(most)) },
    };
    const { mostTested, mostPoints } = input;
    this.#scratch = {
      rows: space.rawWords(most),
      coefficients: space.rawFloats(4 * most),
      deltas: space.rawDoubles(most),
      tested: space.rawWords(mostTested),
      sums: space.rawDoubles(mostTested * mostPoints),
    };
  }

  /** What is said of the rows held out, or who said stop. */
  async run(job: GridJob): Promise<GridOutcome["said"] | Interruption> {
    const { line } = job;
    const { test, tasks, classes } = this.#input.folds[job.fold] as GridFold;
    if (job.kernelIndex !== this.#kernelIndex) {
      this.#kernelIndex = -1;
      for (const _ of this.#gram.fill(job.kernel)) {
        const interruption = await this.#task.checkpoint(() => ({ iterations: 0, relativeGap: null }));
        if (interruption !== undefined) return interruption;
      }
      this.#kernelIndex = job.kernelIndex;
    }
    const decisions = new Float64Array(line.length * tasks.length * test.length);
    for (const [output, own] of tasks.entries()) {
      const chain = new Chain(this.#place, this.#input, job, own);
      const solutions: KernelSolution[] = [];
      for (const constants of line) {
        const { status, solution } = await chain.solve(constants);
        if (isInterruption(status)) return status;
        solutions.push(solution);
      }
      const outs = line.map((_, k) =>
        decisions.subarray((k * tasks.length + output) * test.length, (k * tasks.length + output + 1) * test.length),
      );
      this.#decide(own, solutions, test, outs, job.mostDiagonal);
    }
    if (classes === undefined) return decisions;
    const one = new Float64Array(tasks.length);
    return Uint32Array.from({ length: line.length * test.length }, (_, at) => {
      const [k, t] = [Math.floor(at / test.length), at % test.length];
      for (let m = 0; m < one.length; m++) one[m] = decisions[(k * one.length + m) * test.length + t] as number;
      return classOf(classes.scheme, classes.count, one, 0);
    });
  }

  /** f(x) of the rows held out, for each of the solutions; those that are multiples of the one before are computed once. */
  #decide(
    { form, places }: GridTask,
    solutions: readonly KernelSolution[],
    test: Uint32Array,
    outs: readonly Float64Array[],
    mostDiagonal: number,
  ): void {
    const distinct: KernelSolution[] = [];
    const factors: number[] = [];
    for (const solution of solutions) {
      const factor = distinct.length === 0 ? undefined : multipleOf(solution.value, (distinct.at(-1) as KernelSolution).value);
      if (factor === undefined) distinct.push(solution);
      factors.push(factor ?? 1);
    }
    const sums = this.#sums(places, distinct, test, mostDiagonal);
    let at = -1;
    solutions.forEach((solution, k) => {
      if (solution === distinct[at + 1]) at++;
      const { bias, width } = offsetsOf(form, solution);
      // Of nu-SVC the model whose margin is 1 instead of r; r = 0 leaves it as it is.
      const margin = form === "nu_svc" && width > 0 ? width : 1;
      const factor = factors[k] as number;
      const out = outs[k] as Float64Array;
      const from = at * test.length;
      for (let t = 0; t < out.length; t++) out[t] = (factor * (sums[from + t] as number) + bias) / margin;
    });
  }

  /** f64[solutions][rows held out]: sum_s v_s K(x_s, x). As roughly as leaves decision values what they are. */
  #sums(places: Uint32Array, solutions: readonly KernelSolution[], test: Uint32Array, mostDiagonal: number): Float64Array {
    const own = this.#scratch.sums.subarray(0, 4 * Math.ceil(solutions.length / 4) * test.length).fill(0);
    const isExact = this.#input.settings.tolerance < LEAST_ROUGH;
    const isRough = ({ value }: KernelSolution): boolean => !isExact && ROUGH_SUM * mostOf(value) * mostDiagonal <= MOST_OFF;
    // Four at a time, with the rows that these four have: those of a large C have few.
    for (let first = 0; first < solutions.length; first += 4) {
      const four = solutions.slice(first, first + 4);
      if (four.every(isRough)) this.#addRoughly(places, four, test, own.byteOffset + 8 * first * test.length);
      else
        four.forEach(({ value }, k) => {
          const out = own.subarray((first + k) * test.length, (first + k + 1) * test.length);
          if (!isExact && isNear(value, mostDiagonal)) this.#addRows(places, value, test, out);
          else this.#addExactly(places, value, test, out);
        });
    }
    return own;
  }

  /** Up to four solutions; products and short sums in float32. */
  #addRoughly(places: Uint32Array, four: readonly KernelSolution[], test: Uint32Array, out: number): void {
    const { core } = this.#task;
    const { rows, coefficients } = this.#scratch;
    const values = four.map(({ value }) => value);
    let count = 0;
    for (let k = 0; k < places.length; k++) {
      let isUsed = false;
      for (let p = 0; p < 4; p++) {
        const value = p < values.length ? ((values[p] as Float64Array)[k] as number) : 0;
        coefficients[4 * count + p] = value;
        isUsed ||= value !== 0;
      }
      if (isUsed) rows[count++] = this.#gram.rowAt(places[k] as number);
    }
    for (const { begin, from, to } of runsOf(test))
      core.addRough(rows.byteOffset, coefficients.byteOffset, count, 4, from, to, out + 8 * begin, test.length);
  }

  /** One solution; kernel values in float32, sums in float64. */
  #addRows(places: Uint32Array, value: Float64Array, test: Uint32Array, out: Float64Array): void {
    const { core } = this.#task;
    const { rows, deltas } = this.#scratch;
    let count = 0;
    for (let k = 0; k < places.length; k++) {
      if (value[k] === 0) continue;
      rows[count] = this.#gram.rowAt(places[k] as number);
      deltas[count++] = value[k] as number;
    }
    // Sums of a run begin where position `from` would have its own.
    for (const { begin, from, to } of runsOf(test))
      core.addRows(out.byteOffset + 8 * (begin - from), rows.byteOffset, deltas.byteOffset, count, from, to);
  }

  /** One solution, all in float64. */
  #addExactly(places: Uint32Array, value: Float64Array, test: Uint32Array, out: Float64Array): void {
    const { order } = this.#input;
    const { tested } = this.#scratch;
    tested.set(test.map((place) => order[place] as number));
    const used = Array.from(places.keys()).filter((k) => value[k] !== 0);
    for (let begin = 0; begin < used.length; begin += LANES) {
      const group = used.slice(begin, begin + LANES);
      const ids = group.map((k) => order[places[k] as number] as number);
      const own = group.map((k) => value[k] as number);
      for (const _ of this.#gram.exact.addExact(ids, own, tested, out, 0, test.length));
    }
  }
}

function mostOf(values: Float64Array): number {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}

/** Whether rounding kernel values to float32 does little to decision values, whose scale is about 1, or that of targets if it is less. */
function isNear(values: Float64Array, mostDiagonal: number): boolean {
  let squares = 0;
  for (const value of values) squares += value * value;
  return ROUGH_VALUES * Math.sqrt(squares) * mostDiagonal <= MOST_OFF;
}

/** How near to its bound a variable is there. */
const AT_BOUND = 1 - 1e-9;
/** The tolerance below which float32 kernel values are not good enough to stand for the kernel, and machines prove what they find. */
const LEAST_ROUGH = 1e-4;

/** One problem for one value of C after the other. */
class Chain {
  readonly #place: Place;
  readonly #input: GridInput;
  readonly #job: GridJob;
  readonly #own: GridTask;
  readonly #rowIds: Uint32Array;
  /** What solves it: the quick way as long as that leads anywhere. */
  #quick: KernelChain | undefined;
  #machine: KernelMachine | undefined;
  #last: { readonly solution: KernelSolution; readonly constants: GridConstants } | undefined;

  constructor(place: Place, input: GridInput, job: GridJob, own: GridTask) {
    this.#place = place;
    this.#input = input;
    this.#job = job;
    this.#own = own;
    const { order, settings } = input;
    const { places, hasBias } = own;
    this.#rowIds = places.map((at) => order[at] as number);
    if (hasBias && settings.tolerance >= LEAST_ROUGH) this.#quick = place.quick;
  }

  async solve(constants: GridConstants): Promise<{ status: Ending; solution: KernelSolution }> {
    const found = (await this.#solveQuickly(constants)) ?? (await this.#solveByMachine(constants));
    this.#last = { solution: found.solution, constants };
    return found;
  }

  async #solveQuickly(constants: GridConstants): Promise<{ status: Ending; solution: KernelSolution } | undefined> {
    const quick = this.#quick;
    if (quick === undefined) return undefined;
    if (this.#last === undefined) quick.begin(this.#posed(constants), this.#place.gram.copier(this.#own.places));
    else quick.raise(constants.scale / this.#last.constants.scale);
    const run = quick.solve();
    for (;;) {
      const { done, value } = run.next();
      if (done === true) {
        // Whoever was given up, or is too large for float32, is not tried again: a larger C is harder.
        if (value === undefined || !isNear(value.point, this.#job.mostDiagonal)) this.#quick = undefined;
        return this.#quick && value && { status: "converged", solution: value };
      }
      const status = await this.#place.task.checkpoint(() => ({ iterations: 0, relativeGap: null }));
      if (status !== undefined) return { status, solution: nothing };
    }
  }

  async #solveByMachine(constants: GridConstants): Promise<{ status: Ending; solution: KernelSolution }> {
    const problem = this.#posed(constants);
    if (this.#machine?.canGoOn === true) this.#machine.goOn(problem);
    else this.#machine = this.#begin(problem);
    return { status: await this.#machine.solve(), solution: this.#machine.solution() };
  }

  #begin(problem: KernelProblem): KernelMachine {
    const { task, gram } = this.#place;
    const { places } = this.#own;
    task.space.restart();
    const store = new WholeRows(task, places.length, gram.copier(places));
    return new KernelMachine(task, problem, () => ({ store, exact: gram.exact }));
  }

  #posed(constants: GridConstants): KernelProblem {
    const { form, targets, weights, hasBias } = this.#own;
    const { kernel, gapless, mostDiagonal } = this.#job;
    const { settings } = this.#input;
    const costs = weights.map((weight) => constants.scale * weight);
    const posed = poseForm({ form, targets, costs, nu: constants.nu, epsilon: constants.epsilon, mostDiagonal, hasBias });
    const guess = this.#guess(constants, costs);
    return {
      ...settings,
      ...posed,
      ...{ kernel, rowIds: this.#rowIds, shrinking: false, cacheBytes: 0 },
      isWarm: guess !== undefined,
      sides: guess === undefined ? posed.sides : begunNear(posed.sides, guess, posed.isFree),
      // Without a gap LIBSVM's rule is what is left, and tolerance is about that; nor does a D of 0 say that the zero model is best.
      ...(gapless === undefined ? {} : { gapless, canRest: false, stop: { kind: "violation" as const, epsilon: settings.tolerance } }),
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

/** Of a problem that was interrupted. */
const nothing: KernelSolution = {
  ...{
    value: new Float64Array(),
    point: new Float64Array(),
    rho: [0],
    primal: 0,
    dual: 0,
    relativeGap: 1,
    violation: 0,
    iterations: 0,
    kernelValues: 0,
  },
};

/** What these are the multiple of, if there is one number for all of them. */
function multipleOf(values: Float64Array, others: Float64Array): number | undefined {
  let factor: number | undefined;
  for (let k = 0; k < values.length; k++) {
    const [value, other] = [values[k] as number, others[k] as number];
    if (other === 0 ? value !== 0 : factor !== undefined && value !== factor * other) return undefined;
    if (other !== 0) factor ??= value / other;
  }
  return factor ?? 1;
}
