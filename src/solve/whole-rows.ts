// All kernel rows of a problem in memory, one below the other: no row is ever brought in, none gives way, none is set aside. For problems that are solved many times
// over, with other bounds.

import { spaceFor, type Task } from "../runtime/task.js";
import { LANES } from "./kernel-rows.js";
import type { KernelStore } from "./row-store.js";

/** Values of a row in memory: a multiple of what passes take at a time. */
export const wholeStride = (rowCount: number): number => 4 * Math.ceil(rowCount / 4);

export function wholeRowsBytes(rowCount: number): number {
  return spaceFor(4 * rowCount, 4 * rowCount, 4 * rowCount * wholeStride(rowCount));
}

export class WholeRows implements KernelStore {
  readonly rowOf: Uint32Array;
  readonly stamps: Uint32Array;
  readonly computed = 0;
  readonly segments = 0;
  readonly mostBeyond = LANES;
  readonly pending = undefined;
  readonly #task: Task;
  readonly #memory: number;
  readonly #stride: number;

  /** `fill` writes the row of a position to an address. */
  constructor(task: Task, rowCount: number, fill: (place: number, out: number) => void) {
    this.#task = task;
    this.#stride = wholeStride(rowCount);
    this.rowOf = task.space.rawWords(rowCount);
    this.stamps = task.space.words(rowCount);
    this.#memory = task.space.rawFloats(rowCount * this.#stride).byteOffset;
    for (let place = 0; place < rowCount; place++) {
      const out = this.#memory + 4 * place * this.#stride;
      fill(place, out);
      this.rowOf[place] = out;
    }
  }

  // biome-ignore lint/correctness/useYield: what KernelStore asks for; everything is there
  *diagonal(into: Float32Array): Generator<undefined, void> {
    const all = this.#task.space.floatsAt(this.#memory, into.length * this.#stride);
    for (let t = 0; t < into.length; t++) into[t] = all[t * this.#stride + t] as number;
  }

  holds(): boolean {
    return true;
  }

  companions(): number {
    return 0;
  }

  *bring(): Generator<undefined, void> {}

  *beyond(places: readonly number[]): Generator<undefined, number[]> {
    return places.map((place) => this.rowOf[place] as number);
  }

  permute(): void {
    throw new RangeError("rows that are all there are not put in another order");
  }

  reopen(): void {}

  surrender(): Float64Array {
    this.rowOf.fill(0);
    return this.#task.space.doublesAt(this.#memory, Math.floor((this.rowOf.length * this.#stride) / 2));
  }
}
