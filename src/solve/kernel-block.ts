// A few variables of a kernel problem, solved among themselves by the core (core/kernel/block.ts).

import { blockStruct } from "../runtime/layout.js";
import type { StructView } from "../runtime/struct.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { type GainingVariables, putAt } from "./kernel-choice.js";
import { LANES } from "./kernel-rows.js";
import type { KernelStore } from "./row-store.js";

const MOST = 2 * LANES;

export const blockBytes = spaceFor(blockStruct.size, 4 * MOST * MOST, ...new Array(6).fill(8 * MOST));

/** A variable: of which side, at which position. */
export interface Member {
  readonly side: number;
  readonly place: number;
}

/** What came of a block. */
export interface Moves {
  readonly steps: number;
  readonly gained: number;
  /** Where the kernel rows of the variables that moved are, and by how much they did. */
  readonly rows: readonly number[];
  readonly deltas: readonly number[];
}

export class Block {
  readonly #task: Task;
  readonly #state: StructView<keyof typeof blockStruct.offsets>;
  readonly #matrix: Float32Array;
  readonly #f: Float64Array;
  readonly #value: Float64Array;
  readonly #lo: Float64Array;
  readonly #hi: Float64Array;
  readonly #epsilon: number;

  constructor(task: Task, epsilon: number) {
    const { space } = task;
    const many = (): Float64Array => space.rawDoubles(MOST);
    this.#task = task;
    this.#epsilon = epsilon;
    this.#state = space.struct(blockStruct);
    this.#matrix = space.rawFloats(MOST * MOST);
    [this.#f, this.#value, this.#lo, this.#hi] = [many(), many(), many(), many()];
    this.#state.assign({
      ...{ matrix: this.#matrix.byteOffset, f: this.#f.byteOffset, value: this.#value.byteOffset, lo: this.#lo.byteOffset },
      ...{ hi: this.#hi.byteOffset, up: many().byteOffset, low: many().byteOffset, epsilon },
    });
  }

  /** Solves the members, in the order of their sides, among themselves and moves them; F is left to the caller. */
  solve(
    members: readonly Member[],
    sides: readonly GainingVariables[],
    f: Float64Array,
    store: Pick<KernelStore, "rowOf">,
    { tolerance, stepLimit }: { tolerance: number; stepLimit: number },
  ): Moves {
    const count = members.length;
    const rows = members.map(({ place }) => store.rowOf[place] as number);
    members.forEach(({ side, place }, a) => {
      const own = sides[side] as GainingVariables;
      const row = this.#task.space.floatsAt(rows[a] as number, f.length);
      this.#f[a] = f[place] as number;
      this.#value[a] = own.value[place] as number;
      this.#lo[a] = own.lo[place] as number;
      this.#hi[a] = own.hi[place] as number;
      for (let b = 0; b < count; b++) this.#matrix[a * count + b] = row[(members[b] as Member).place] as number;
    });
    const split = members.reduce((sum, { side }) => sum + (side === 0 ? 1 : 0), 0);
    this.#state.assign({ size: count, split, tolerance, stepLimit: Math.min(stepLimit, 0xffffffff) });
    this.#task.core.solveBlock(this.#state.pointer);
    const moved: { row: number; delta: number }[] = [];
    members.forEach(({ side, place }, a) => {
      const own = sides[side] as GainingVariables;
      const value = this.#value[a] as number;
      const delta = value - (own.value[place] as number);
      if (delta === 0) return;
      putAt(own, place, value, this.#epsilon);
      moved.push({ row: rows[a] as number, delta });
    });
    return {
      steps: this.#state.get("steps"),
      gained: this.#state.get("gained"),
      rows: moved.map(({ row }) => row),
      deltas: moved.map(({ delta }) => delta),
    };
  }
}
