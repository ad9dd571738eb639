// Kernel rows for many one-vs-one problems in one thread, which share what a row is worth with those of its own class: core/kernel/segments.ts brings rows in and
// keeps these segments. Checked in test/unit/solve/segment-rows.test.ts.

import type { Matrix } from "../data/matrix.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { COMPANY_SHARE_BYTES, companyShare } from "./company.js";
import type { KernelFunction } from "./kernel-problem.js";
import { KernelRows, kernelRowsBytes } from "./kernel-rows.js";
import type { CoreSegments, ExactSums, RowSource } from "./row-source.js";

export function segmentsBytes(x: Matrix, { unit }: KernelFunction, classes: readonly Uint32Array[], keptBytes: number): number {
  const rowCount = classes.reduce((sum, { length }) => sum + length, 0);
  return kernelRowsBytes(x, unit) + spaceFor(4 * rowCount, 4 * x.rowCount, 8, COMPANY_SHARE_BYTES, keptBytes);
}

/** What all problems of a thread share. */
export class Segments {
  readonly rows: KernelRows;
  readonly exact: KernelRows;
  readonly #classes: readonly Uint32Array[];
  readonly #kept: Uint32Array;
  readonly #room: Uint32Array;
  readonly companyShare: number;

  /** `keptBytes`: for segments that several problems use. */
  constructor(task: Task, kernel: KernelFunction, classes: readonly Uint32Array[], keptBytes: number) {
    const { space, matrix } = task;
    this.#classes = classes;
    const all = space.rawWords(classes.reduce((sum, { length }) => sum + length, 0));
    let count = 0;
    for (const rows of classes) {
      all.set(rows, count);
      count += rows.length;
    }
    this.rows = new KernelRows(task, kernel, all);
    this.exact = new KernelRows(task, kernel, all, { isExact: true });
    this.#kept = space.words(matrix.rowCount);
    this.#room = space.rawWords(2);
    this.companyShare = companyShare(space);
    const begin = space.rawBytes(keptBytes).byteOffset;
    this.#room.set([begin, begin + keptBytes]);
  }

  /** For a problem whose columns are those of one class and then those of another. */
  ofPair([first]: readonly [number, number]): CoreSegments {
    const { kernel, rows, ids } = this.rows.places;
    const split = (this.#classes[first] as Uint32Array).length;
    return { kernel, rows, ids, split, kept: this.#kept.byteOffset, room: this.#room.byteOffset };
  }
}

/** The rows of one problem, whose columns are those of one class and then those of another. */
export class PairRows implements RowSource {
  computed = 0;
  #segments: CoreSegments | undefined;
  readonly #shared: Segments;

  constructor(segments: Segments, pair: readonly [number, number]) {
    this.#shared = segments;
    this.#segments = segments.ofPair(pair);
  }

  get segments(): CoreSegments | undefined {
    return this.#segments;
  }

  get diagonal(): number | undefined {
    return this.#shared.rows.diagonal;
  }

  get isAptAlone(): boolean {
    return this.#shared.rows.isAptAlone;
  }

  get companyShare(): number {
    return this.#shared.companyShare;
  }

  reordered(): void {
    this.#segments = undefined;
  }

  // biome-ignore lint/correctness/useYield: what RowSource asks for; nothing here takes long enough to be worth a pause
  *fill(rows: readonly number[], outs: readonly number[], columns: Uint32Array, from: number, to: number): Generator<undefined, void> {
    this.computed += rows.length * (to - from);
    this.#shared.rows.fillAtOnce(rows, outs, columns, from, to);
  }

  // biome-ignore lint/correctness/useYield: as above
  *addExact(...args: Parameters<RowSource["addExact"]>): Generator<undefined, void> {
    for (const _ of this.#shared.exact.addExact(...args));
  }

  sumExact(sums: ExactSums): void {
    this.#shared.exact.sumAtOnce(sums);
  }
}
