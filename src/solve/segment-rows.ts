// Kernel rows for many one-vs-one problems at once, in one thread. A row of the problem of classes a and b has two segments, its values with the rows of a and
// with those of b:
//
//   own      with the rows of its own class: the same for every problem of that class, so it is kept, as long as there is room
//   other    with the rows of the other class: of use to this problem alone
//
// Problems that want rows wait for each other: what all of them want is computed class by class, eight rows at a time, whichever problems they are for. Which
// are computed together changes the time, never a value.
// Checked in test/unit/solve/segment-rows.test.ts.

import type { Matrix } from "../data/matrix.js";
import { spaceFor, type Task } from "../runtime/task.js";
import type { RowSource } from "./custom-rows.js";
import type { KernelFunction } from "./kernel-problem.js";
import { KernelRows, kernelRowsBytes, LANES } from "./kernel-rows.js";

/** Rows that a problem waits for. */
interface Request {
  readonly rows: readonly number[];
  /** Where their first value goes. */
  readonly outs: readonly number[];
  readonly pair: readonly [number, number];
  isServed: boolean;
}

/** The values are written in fours. */
const PADDING = 3;

export function segmentsBytes(x: Matrix, classes: readonly Uint32Array[], keptBytes: number): number {
  return 2 * kernelRowsBytes(x) + spaceFor(4 * x.rowCount, ...classes.map(({ length }) => 4 * length), keptBytes);
}

export class Segments {
  readonly #task: Task;
  readonly #rows: KernelRows;
  readonly #exact: KernelRows;
  /** The rows of each class. */
  readonly #classes: readonly Uint32Array[];
  readonly #classOf: Uint32Array;
  /** By row of the matrix: where its own segment is if it is kept, otherwise 0; and where there is room for more. */
  readonly #kept: Uint32Array;
  #next: number;
  readonly #end: number;
  /** Problems that are being solved, and what those of them wait for that do. */
  #live = 0;
  #queue: Request[] = [];
  #served!: Promise<void>;
  #tell!: () => void;

  constructor(task: Task, kernel: KernelFunction, classes: readonly Uint32Array[], keptBytes: number) {
    const { space, matrix } = task;
    this.#task = task;
    this.#classes = classes.map((rows) => {
      const placed = space.rawWords(rows.length);
      placed.set(rows);
      return placed;
    });
    this.#classOf = new Uint32Array(matrix.rowCount);
    this.#kept = new Uint32Array(matrix.rowCount);
    const all = space.rawWords(matrix.rowCount);
    let count = 0;
    classes.forEach((rows, m) => {
      for (const row of rows) this.#classOf[row] = m;
      all.set(rows, count);
      count += rows.length;
    });
    this.#rows = new KernelRows(task, kernel, all.subarray(0, count));
    this.#exact = new KernelRows(task, kernel, all.subarray(0, count), { isExact: true });
    this.#next = space.rawBytes(keptBytes).byteOffset;
    this.#end = this.#next + keptBytes;
    this.#awaitNext();
  }

  /** K of each row of the matrix with itself, where that is known without computing it. */
  get diagonal(): Float64Array | undefined {
    return this.#rows.diagonal;
  }

  /** Kernel values computed so far. */
  get computed(): number {
    return this.#rows.computed;
  }

  /** Resolves when what is waited for now is there. */
  get served(): Promise<void> {
    return this.#served;
  }

  /** One more problem is being solved, or one less: those that wait do not wait for it any longer. */
  enter(): void {
    this.#live++;
  }

  leave(): void {
    this.#live--;
    this.#serveIfAllWait();
  }

  /** Puts a request in line; the last one of all problems has them all served. */
  put(request: Request): void {
    this.#queue.push(request);
    this.#serveIfAllWait();
  }

  /** Serves one that cannot wait. */
  serveAlone(request: Request): void {
    this.#queue = this.#queue.filter((other) => other !== request);
    this.#serve([request]);
  }

  /** Any rows with any columns, at once. */
  fill(rows: readonly number[], outs: readonly number[], columns: Uint32Array, from: number, to: number): void {
    this.#rows.fillAtOnce(rows, outs, columns, from, to);
  }

  /** f_t += sum of deltas K in float64, at once. */
  addExact(...args: Parameters<KernelRows["addExact"]>): void {
    for (const _ of this.#exact.addExact(...args));
  }

  #serveIfAllWait(): void {
    if (this.#queue.length === 0 || this.#queue.length < this.#live) return;
    const queue = this.#queue;
    this.#queue = [];
    this.#serve(queue);
    this.#tell();
    this.#awaitNext();
  }

  #awaitNext(): void {
    this.#served = new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  /**
   * Class by class in rising order: the up to three values that are written too many belong to the segment that follows. By plain loops: this
   * is asked for thousands of times, in processes that have just begun.
   */
  #serve(requests: readonly Request[]): void {
    const wanted = new Uint8Array(this.#classes.length);
    for (const { pair } of requests) wanted[pair[0]] = wanted[pair[1]] = 1;
    for (let m = 0; m < wanted.length; m++) if (wanted[m] === 1) this.#serveClass(m, requests);
    for (const request of requests) request.isServed = true;
  }

  /** The segments with rows of class m: those that are not there are computed, eight at a time, and then those that are kept are copied to where they are wanted. */
  #serveClass(m: number, requests: readonly Request[]): void {
    const columns = this.#classes[m] as Uint32Array;
    const count = columns.length;
    const { core } = this.#task;
    let group: number[] = [];
    let outs: number[] = [];
    const copied: number[] = [];
    const copies: number[] = [];
    for (const { rows, outs: starts, pair } of requests) {
      if (pair[0] !== m && pair[1] !== m) continue;
      const offset = pair[0] === m ? 0 : 4 * (this.#classes[pair[0]] as Uint32Array).length;
      for (let k = 0; k < rows.length; k++) {
        const row = rows[k] as number;
        const out = (starts[k] as number) + offset;
        const isOwn = this.#classOf[row] === m;
        let kept = isOwn ? (this.#kept[row] as number) : 0;
        if (kept === 0) {
          if (isOwn) kept = this.#roomFor(row, count);
          group.push(row);
          outs.push(kept === 0 ? out : kept);
        }
        if (kept !== 0) {
          copied.push(kept);
          copies.push(out);
        }
        if (group.length < LANES) continue;
        this.fill(group, outs, columns, 0, count);
        group = [];
        outs = [];
      }
    }
    if (group.length > 0) this.fill(group, outs, columns, 0, count);
    for (let k = 0; k < copies.length; k++) core.copyFloats(copied[k] as number, copies[k] as number, count);
  }

  /** Room for the own segment of a row, which is kept from now on; 0 if there is no more. */
  #roomFor(row: number, count: number): number {
    const bytes = 16 * Math.ceil((4 * (count + PADDING)) / 16);
    if (this.#next + bytes > this.#end) return 0;
    const kept = this.#next;
    this.#kept[row] = kept;
    this.#next += bytes;
    return kept;
  }
}

/** The rows of one problem, whose columns are those of one class and then those of another. */
export class PairRows implements RowSource {
  computed = 0;
  #pending: Promise<void> | undefined;
  #isReordered = false;
  readonly #segments: Segments;
  readonly #columns: Uint32Array;
  readonly #pair: readonly [number, number];

  constructor(segments: Segments, columns: Uint32Array, pair: readonly [number, number]) {
    this.#segments = segments;
    this.#columns = columns;
    this.#pair = pair;
  }

  get diagonal(): Float64Array | undefined {
    return this.#segments.diagonal;
  }

  get pending(): Promise<void> | undefined {
    return this.#pending;
  }

  reordered(): void {
    this.#isReordered = true;
  }

  *fill(rows: readonly number[], outs: readonly number[], columns: Uint32Array, from: number, to: number): Generator<undefined, void> {
    this.computed += rows.length * (to - from);
    if (columns !== this.#columns || this.#isReordered || from > 0 || to < columns.length) {
      this.#segments.fill(rows, outs, columns, from, to);
      return;
    }
    const request: Request = { rows, outs, pair: this.#pair, isServed: false };
    this.#segments.put(request);
    if (request.isServed) return;
    this.#pending = this.#segments.served;
    yield;
    this.#pending = undefined;
    // For who goes on without having waited.
    if (!request.isServed) this.#segments.serveAlone(request);
  }

  // biome-ignore lint/correctness/useYield: what RowSource asks for; nothing here takes long enough to be worth a pause
  *addExact(...args: Parameters<RowSource["addExact"]>): Generator<undefined, void> {
    this.#segments.addExact(...args);
  }
}
