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

/** A segment to be computed: of which row, and where to. */
interface Segment {
  readonly row: number;
  readonly out: number;
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
  /** Where the own segments of rows are that are kept, and where there is room for more. */
  readonly #kept = new Map<number, number>();
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
    for (const _ of this.#rows.fill(rows, outs, columns, from, to));
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

  /** Class by class in rising order: the up to three values that are written too many belong to the segment that follows. */
  #serve(requests: readonly Request[]): void {
    this.#classes.forEach((columns, m) => {
      const wanted: Segment[] = [];
      const copies: Segment[] = [];
      for (const { rows, outs, pair } of requests) {
        if (pair[0] !== m && pair[1] !== m) continue;
        const offset = pair[0] === m ? 0 : 4 * (this.#classes[pair[0]] as Uint32Array).length;
        rows.forEach((row, k) => {
          const out = (outs[k] as number) + offset;
          if (this.#classOf[row] !== m) wanted.push({ row, out });
          else if (this.#kept.has(row)) copies.push({ row, out });
          else {
            const kept = this.#roomFor(row, columns.length);
            wanted.push({ row, out: kept ?? out });
            if (kept !== undefined) copies.push({ row, out });
          }
        });
      }
      for (let k = 0; k < wanted.length; k += LANES) {
        const group = wanted.slice(k, k + LANES);
        this.fill(
          group.map(({ row }) => row),
          group.map(({ out }) => out),
          columns,
          0,
          columns.length,
        );
      }
      for (const { row, out } of copies) this.#task.core.copyFloats(this.#kept.get(row) as number, out, columns.length);
    });
    for (const request of requests) request.isServed = true;
  }

  /** Room for the own segment of a row, which is kept from now on; undefined if there is no more. */
  #roomFor(row: number, count: number): number | undefined {
    const bytes = 16 * Math.ceil((4 * (count + PADDING)) / 16);
    if (this.#next + bytes > this.#end) return undefined;
    this.#kept.set(row, this.#next);
    this.#next += bytes;
    return this.#kept.get(row);
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
