// One problem of a search for one value of C after the other, each begun where the last one ended. As long as float32 values may stand for the kernel a chain solves them
// (kernel-chain.ts); from then on, and where the chain gives up, a machine that proves what it finds (kernel-machine.ts).

import { type Interruption, isInterruption } from "../base/status.js";
import { spaceFor, type Task } from "../runtime/task.js";
import type { Ending } from "./drive.js";
import type { Gram } from "./gram.js";
import type { GridConstants, GridInput, GridJob, GridTask } from "./grid-problem.js";
import { LEAST_ROUGH, rowsAreNear, scaleOf } from "./held-out-sums.js";
import { KernelChain, kernelChainBytes } from "./kernel-chain.js";
import { poseForm, withoutGap } from "./kernel-forms.js";
import { KernelMachine, variablesBytes } from "./kernel-machine.js";
import type { KernelProblem, KernelSolution } from "./kernel-problem.js";
import { begunNear, movedAlong } from "./kernel-start.js";
import { WholeRows, wholeRowsBytes } from "./whole-rows.js";

/** What paths work with, one after the other. */
export interface GridPlace {
  readonly gram: Gram;
  readonly quick: KernelChain;
  /** With space for one machine. */
  readonly task: Task;
}

/** Of one problem in a machine: nu-SVC and nu-SVR have two sides. */
function machineBytes(rowCount: number): number {
  return wholeRowsBytes(rowCount) + variablesBytes({ rowIds: { length: rowCount }, sides: { length: 2 } });
}

/** For problems of up to so many rows. */
export function gridPlaceBytes(rowCount: number): number {
  return spaceFor(kernelChainBytes(rowCount), machineBytes(rowCount));
}

export function gridPlace(task: Task, gram: Gram, rowCount: number): GridPlace {
  const { space } = task;
  return {
    gram,
    quick: new KernelChain({ ...task, space: space.part(kernelChainBytes(rowCount)) }, rowCount),
    task: { ...task, space: space.part(machineBytes(rowCount)) },
  };
}

/** What was found, and how that ended. */
export interface Solved {
  readonly status: Exclude<Ending, Interruption>;
  readonly solution: KernelSolution;
}

export class GridPath {
  readonly #place: GridPlace;
  readonly #input: GridInput;
  readonly #job: GridJob;
  readonly #own: GridTask;
  readonly #rowIds: Uint32Array;
  /** What solves it: the quick way as long as that leads anywhere. */
  #quick: KernelChain | undefined;
  #machine: KernelMachine | undefined;
  #last: { readonly solution: KernelSolution; readonly constants: GridConstants } | undefined;

  constructor(place: GridPlace, input: GridInput, job: GridJob, own: GridTask) {
    this.#place = place;
    this.#input = input;
    this.#job = job;
    this.#own = own;
    const { order, settings } = input;
    const { places, hasBias } = own;
    this.#rowIds = places.map((at) => order[at] as number);
    if (hasBias && settings.tolerance >= LEAST_ROUGH) this.#quick = place.quick;
  }

  /** The problem with the next constants, or who said stop. */
  async solve(constants: GridConstants): Promise<Solved | Interruption> {
    const found = (await this.#solveQuickly(constants)) ?? (await this.#solveByMachine(constants));
    if (typeof found !== "string") this.#last = { solution: found.solution, constants };
    return found;
  }

  async #solveQuickly(constants: GridConstants): Promise<Solved | Interruption | undefined> {
    const quick = this.#quick;
    if (quick === undefined) return undefined;
    if (this.#last === undefined) quick.begin(this.#posed(constants), this.#place.gram.copier(this.#own.places));
    else quick.raise(constants.scale / this.#last.constants.scale);
    const run = quick.solve();
    for (;;) {
      const { done, value } = run.next();
      if (done === true) {
        // Whoever was given up, or is too large for float32, is not tried again: a larger C is harder.
        if (value === undefined || !rowsAreNear(value.point, this.#job, scaleOf(this.#own, value))) this.#quick = undefined;
        return this.#quick && value && { status: "converged", solution: value };
      }
      const interruption = await this.#place.task.checkpoint(() => ({ iterations: 0, relativeGap: null }));
      if (interruption !== undefined) return interruption;
    }
  }

  async #solveByMachine(constants: GridConstants): Promise<Solved | Interruption> {
    const problem = this.#posed(constants);
    if (this.#machine?.canGoOn === true) this.#machine.goOn(problem);
    else this.#machine = this.#begin(problem);
    const status = await this.#machine.solve();
    return isInterruption(status) ? status : { status, solution: this.#machine.solution() };
  }

  #begin(problem: KernelProblem): KernelMachine {
    const { task, gram } = this.#place;
    const { places } = this.#own;
    task.space.restart();
    const copy = gram.copier(places);
    const store = new WholeRows(task, places.length, (place, out) => {
      copy(place, out);
      if (gram.lack !== 0) addTo(task.space.floatsAt(out, places.length), gram.lack);
    });
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
      ...withoutGap(gapless, settings.tolerance),
    };
  }

  /** Where the last solution leads. */
  #guess({ scale }: GridConstants, costs: Float64Array): Float64Array | undefined {
    if (this.#last === undefined) return undefined;
    const { solution, constants } = this.#last;
    return solution.point.map((value, k) => movedAlong(value, scale / constants.scale, costs[k] as number));
  }
}

function addTo(values: Float32Array, lack: number): void {
  for (let k = 0; k < values.length; k++) values[k] = (values[k] as number) + lack;
}
