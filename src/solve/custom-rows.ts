// Kernel values that the caller's own function gives: asked for block by block, float64 on the way, float32 in rows.

import type { Task } from "../runtime/task.js";
import type { AskedKernel, KernelFunction } from "./kernel-problem.js";
import { KernelRows, type RowSettings } from "./kernel-rows.js";
import type { RowSource } from "./row-source.js";

/** What a question is about: K of each of the rows with each of the columns. The answer is f64[rows][columns]. */
export interface ValuesQuestion {
  readonly rows: Uint32Array;
  readonly columns: Uint32Array;
}

/** The source for a kernel. `isExact`: for `addExact` alone. */
export function rowSource(task: Task, kernel: KernelFunction | AskedKernel, ids: Uint32Array, how: RowSettings = {}): RowSource {
  return kernel.kind === "custom" ? new CustomRows(task, kernel) : new KernelRows(task, kernel, ids, how);
}

/** Values of a question: many enough that its way there and back takes no time, few enough that a message is small. */
const MOST_VALUES = 2 ** 16;

class CustomRows implements RowSource {
  computed = 0;
  readonly isCostly = true;
  readonly diagonal: Float64Array;
  readonly #task: Task;
  #answer: Float64Array | undefined;
  #pending: Promise<void> | undefined;

  constructor(task: Task, { diagonal }: AskedKernel) {
    this.#task = task;
    this.diagonal = diagonal;
  }

  get pending(): Promise<void> | undefined {
    return this.#pending;
  }

  *fill(rows: readonly number[], outs: readonly number[], columns: Uint32Array, from: number, to: number): Generator<undefined, void> {
    const { space } = this.#task;
    yield* this.#blocks(rows, columns, from, to, (values, begin, count) => {
      // Rounding to float32 is what the assignment does.
      outs.forEach((out, lane) => {
        space.floatsAt(out + 4 * begin, count).set(values.subarray(lane * count, (lane + 1) * count));
      });
    });
    this.computed += rows.length * (to - from);
  }

  *addExact(
    rows: readonly number[],
    deltas: readonly number[],
    columns: Uint32Array,
    f: Float64Array,
    from: number,
    to: number,
  ): Generator<undefined, void> {
    yield* this.#blocks(rows, columns, from, to, (values, begin, count) => {
      deltas.forEach((delta, lane) => {
        for (let k = 0; k < count; k++) f[begin + k] = (f[begin + k] as number) + delta * (values[lane * count + k] as number);
      });
    });
  }

  *#blocks(
    rows: readonly number[],
    columns: Uint32Array,
    from: number,
    to: number,
    use: (values: Float64Array, begin: number, count: number) => void,
  ): Generator<undefined, void> {
    const share = Math.max(1, Math.floor(MOST_VALUES / rows.length));
    for (let begin = from; begin < to; begin += share) {
      const count = Math.min(share, to - begin);
      // Copies: the whole memory would travel with a part of it.
      const question: ValuesQuestion = { rows: Uint32Array.from(rows), columns: columns.slice(begin, begin + count) };
      do {
        this.#ask(question);
        yield;
      } while (this.#answer === undefined);
      use(this.#answer, begin, count);
    }
  }

  #ask(question: ValuesQuestion): void {
    this.#answer = undefined;
    this.#pending = this.#task.ask(question).then((answer) => {
      this.#answer = answer as Float64Array | undefined;
      this.#pending = undefined;
    });
  }
}
