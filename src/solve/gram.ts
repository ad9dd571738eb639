// The kernel values of all rows with all rows, float32: for many problems that are about parts of the same rows. Rows and columns are in an order in which the parts that
// are wanted together lie next to each other, so that a part is copied in a few runs.

import type { Matrix } from "../data/matrix.js";
import { spaceFor, type Task, type WorkSpace } from "../runtime/task.js";
import type { KernelFunction } from "./kernel-problem.js";
import { KernelRows, kernelRowsBytes, LANES } from "./kernel-rows.js";

/** Values are written in fours. */
const strideOf = (count: number): number => 4 * Math.ceil((count + 3) / 4);

export function gramBytes(x: Matrix, count: number): number {
  return kernelRowsBytes(x) + spaceFor(4 * count, 4 * count * strideOf(count), 8 * count);
}

export class Gram {
  /** Sums in float64. */
  exact!: KernelRows;
  /** What values lack to the kernel's: 1 where they are those of rbf less 1. */
  lack = 0;
  readonly #task: Task;
  readonly #space: WorkSpace;
  readonly #order: Uint32Array;
  readonly #stride: number;
  readonly #memory: number;
  readonly #runs: Uint32Array;

  /** Of these rows of the task's matrix, in this order. */
  constructor(task: Task, order: Uint32Array) {
    const count = order.length;
    this.#task = task;
    this.#order = task.space.rawWords(count);
    this.#order.set(order);
    this.#stride = strideOf(count);
    this.#memory = task.space.rawFloats(count * this.#stride).byteOffset;
    this.#runs = task.space.rawWords(2 * count);
    this.#space = task.space.part(kernelRowsBytes(task.matrix));
  }

  /** Becomes that of another kernel; `isLess` where all variables will sum to 0. */
  *fill(kernel: KernelFunction, isLess: boolean): Generator<undefined, void> {
    this.#space.restart();
    const own = { ...this.#task, space: this.#space };
    const rows = new KernelRows(own, kernel, this.#order, { isLess });
    this.lack = isLess && kernel.kind === "rbf" ? 1 : 0;
    this.exact = new KernelRows(own, kernel, this.#order, { isExact: true });
    const count = this.#order.length;
    for (let begin = 0; begin < count; begin += LANES) {
      const ids = Array.from(this.#order.subarray(begin, begin + LANES));
      yield* rows.fill(
        ids,
        ids.map((_, lane) => this.rowAt(begin + lane)),
        this.#order,
        0,
        count,
      );
      yield;
    }
  }

  /** Where the row of a place in the order is. */
  rowAt(place: number): number {
    return this.#memory + 4 * place * this.#stride;
  }

  /** What copies the values of a row with those at these places to an address. */
  copier(places: Uint32Array): (place: number, out: number) => void {
    const list = runsOf(places);
    this.#runs.set(list.flatMap(({ from, to }) => [from, to - from]));
    const { core } = this.#task;
    return (place, out) => core.copyRuns(this.rowAt(places[place] as number), this.#runs.byteOffset, list.length, out);
  }
}

/** Places [from, to), which are those of a list from `begin` on. */
export interface Run {
  readonly begin: number;
  readonly from: number;
  readonly to: number;
}

/** Where the places of a list follow each other. */
export function runsOf(places: Uint32Array): Run[] {
  const runs: Run[] = [];
  for (let begin = 0; begin < places.length; ) {
    const from = places[begin] as number;
    let count = 1;
    while (begin + count < places.length && places[begin + count] === from + count) count++;
    runs.push({ begin, from, to: from + count });
    begin += count;
  }
  return runs;
}
