// The worker's side of a task: the matrix in memory, a region to work in, and a checkpoint to call between two slices of work.

import type { Interruption } from "../base/status.js";
import type { Matrix } from "../data/matrix.js";
import type { Core } from "./core.js";
import { aligned, type Region } from "./memory.js";
import type { TaskProgress } from "./protocol.js";
import { Column, type Struct, StructView } from "./struct.js";

export interface Task {
  readonly core: Core;
  readonly matrix: Matrix;
  /** Byte offset of the matrix's Rows struct. */
  readonly rows: number;
  readonly space: WorkSpace;
  /**
   * To be called between two slices of work, every few milliseconds: lets messages in, reports progress at a bounded rate,
   * and says whether to stop.
   */
  checkpoint(progress: () => TaskProgress): Promise<Interruption | undefined>;
  /**
   * What `Work.answer` on the caller's thread says to this, which must survive structured cloning. Undefined if the task is told to stop meanwhile: the next
   * checkpoint says why, or that nothing is the matter, and the question can be asked again.
   */
  ask(about: unknown): Promise<unknown>;
}

/** What a worker can do: a name for each function from input to result. */
// biome-ignore lint/suspicious/noExplicitAny: each task knows its own input; the pool's caller names both
export type TaskTable = Readonly<Record<string, (task: Task, input: any) => Promise<unknown> | unknown>>;

/** Structs in a row: where they begin, and each field as a column. */
export interface Table<Name extends string> {
  readonly pointer: number;
  column(name: Name): Column;
}

/** Arrays laid out one after the other in a region: zero at first, or, where all will be written, as they happen to be. */
export class WorkSpace {
  readonly #buffer: ArrayBufferLike;
  readonly #start: number;
  readonly #end: number;
  #next: number;

  constructor(buffer: ArrayBufferLike, region: Region) {
    this.#buffer = buffer;
    this.#start = region.offset;
    this.#next = region.offset;
    this.#end = region.offset + region.byteLength;
  }

  /** Everything laid out so far is no longer needed. */
  restart(): void {
    this.#next = this.#start;
  }

  /** A part of it, for somebody who begins anew as often as he likes. */
  part(bytes: number): WorkSpace {
    return new WorkSpace(this.#buffer, { offset: this.#take(bytes), byteLength: bytes });
  }

  /** All that is left of it, for somebody else. */
  rest(): WorkSpace {
    return new WorkSpace(this.#buffer, { offset: this.#next, byteLength: this.#end - this.#next });
  }

  doubles(count: number): Float64Array {
    return this.rawDoubles(count).fill(0);
  }

  rawDoubles(count: number): Float64Array {
    return new Float64Array(this.#buffer, this.#take(8 * count), count);
  }

  rawFloats(count: number): Float32Array {
    return new Float32Array(this.#buffer, this.#take(4 * count), count);
  }

  rawBytes(count: number): Uint8Array {
    return new Uint8Array(this.#buffer, this.#take(count), count);
  }

  words(count: number): Uint32Array {
    return this.rawWords(count).fill(0);
  }

  rawWords(count: number): Uint32Array {
    return new Uint32Array(this.#buffer, this.#take(4 * count), count);
  }

  /** Bytes elsewhere in the memory. */
  bytesAt(offset: number, count: number): Uint8Array {
    return new Uint8Array(this.#buffer, offset, count);
  }

  floatsAt(offset: number, count: number): Float32Array {
    return new Float32Array(this.#buffer, offset, count);
  }

  wordsAt(offset: number, count: number): Uint32Array {
    return new Uint32Array(this.#buffer, offset, count);
  }

  doublesAt(offset: number, count: number): Float64Array {
    return new Float64Array(this.#buffer, offset, count);
  }

  struct<Name extends string>(struct: Struct<Name>): StructView<Name> {
    return new StructView(struct, this.#buffer, this.#zeroed(struct.size));
  }

  /** `count` structs in a row. */
  table<Name extends string>(struct: Struct<Name>, count: number): Table<Name> {
    return this.#tableAt(struct, count, this.#zeroed(struct.size * count));
  }

  rawTable<Name extends string>(struct: Struct<Name>, count: number): Table<Name> {
    return this.#tableAt(struct, count, this.#take(struct.size * count));
  }

  #tableAt<Name extends string>(struct: Struct<Name>, count: number, pointer: number): Table<Name> {
    return { pointer, column: (name) => new Column(struct, name, this.#buffer, pointer, count) };
  }

  #zeroed(bytes: number): number {
    const pointer = this.#take(bytes);
    clearBytes(this.#buffer, pointer, aligned(bytes));
    return pointer;
  }

  #take(bytes: number): number {
    const pointer = this.#next;
    this.#next += aligned(bytes);
    if (this.#next > this.#end) throw new RangeError(`work space is ${this.#next - this.#end} bytes short`);
    return pointer;
  }
}

/** Engines fill shared memory element by element: large ones (docs/performance.md). `bytes`: a multiple of eight. */
function clearBytes(buffer: ArrayBufferLike, offset: number, bytes: number): void {
  new BigUint64Array(buffer, offset, bytes / 8).fill(0n);
}

/** Makes all numbers 0. */
export function clear({ buffer, byteOffset, byteLength }: Float64Array): void {
  clearBytes(buffer, byteOffset, byteLength);
}

/** Bytes of a WorkSpace that is to hold arrays of these byte lengths. */
export function spaceFor(...byteLengths: readonly number[]): number {
  return byteLengths.reduce((sum, bytes) => sum + aligned(bytes), 0);
}
