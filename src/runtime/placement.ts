// Where matrices live: in a memory of their own where memory can be shared with workers, in plain arrays where it cannot.

import { HingeError } from "../base/errors.js";
import { type Allocate, Matrix, type MatrixArrays, type MatrixShape } from "../data/matrix.js";
import { ROW_PADDING, rowKinds, rowsStruct } from "./layout.js";
import { ALIGNMENT, aligned, RegionMemory } from "./memory.js";
import { StructView } from "./struct.js";

/** Where a matrix lies: what its opaque slot holds, and what a worker needs to find it. */
export interface Placement {
  readonly home: RegionMemory;
  /** Byte offsets; indices and starts are 0 if dense. */
  readonly rows: number;
  readonly values: number;
  readonly indices: number;
  readonly starts: number;
}

/** Lays a matrix out at the bottom of an empty memory. */
export function placeIn(home: RegionMemory, shape: MatrixShape): { arrays: MatrixArrays; placement: Placement } {
  const sparse = shape.kind === "csr";
  const valueBytes = aligned(4 * shape.valueCount + ROW_PADDING);
  const startBytes = sparse ? aligned(4 * (shape.rowCount + 1)) : 0;
  const region = home.take(ALIGNMENT + valueBytes * (sparse ? 2 : 1) + startBytes);
  const values = region.offset + ALIGNMENT;
  const indices = sparse ? values + valueBytes : 0;
  const starts = sparse ? indices + valueBytes : 0;
  const placement = { home, rows: region.offset, values, indices, starts };
  new StructView(rowsStruct, home.memory.buffer, region.offset).assign({
    kind: rowKinds[shape.kind],
    rowCount: shape.rowCount,
    featureCount: shape.featureCount,
    values,
    indices,
    starts,
  });
  return { arrays: arraysAt(home.memory.buffer, shape, placement), placement };
}

/** The typed arrays of a placed matrix, as seen through `buffer`. */
export function arraysAt(buffer: ArrayBufferLike, shape: MatrixShape, at: Omit<Placement, "home">): MatrixArrays {
  const sparse = shape.kind === "csr";
  return {
    values: new Float32Array(buffer, at.values, shape.valueCount),
    indices: new Uint32Array(buffer, at.indices, sparse ? shape.valueCount : 0),
    starts: new Uint32Array(buffer, at.starts, sparse ? shape.rowCount + 1 : 0),
  };
}

/** Arrays at the bottom of `home`, which must be empty. */
export function allocateIn(home: RegionMemory): Allocate {
  return (shape) => {
    const { arrays, placement } = placeIn(home, shape);
    return { arrays, slot: placement };
  };
}

/** Plain arrays: for small matrices, and for where memory cannot be shared. A call copies them to where its worker is. */
export const allocatePlain: Allocate = (shape) => {
  const sparse = shape.kind === "csr";
  try {
    const arrays = {
      values: new Float32Array(shape.valueCount),
      indices: new Uint32Array(sparse ? shape.valueCount : 0),
      starts: new Uint32Array(sparse ? shape.rowCount + 1 : 0),
    };
    return { arrays, slot: undefined };
  } catch (cause) {
    throw new HingeError("out-of-memory", `no memory for ${shape.valueCount} values`, undefined, { cause });
  }
};

export function copyArrays(to: MatrixArrays, from: MatrixArrays): void {
  to.values.set(from.values);
  to.indices.set(from.indices);
  to.starts.set(from.starts);
}

export function placementOf(matrix: Matrix): Placement | undefined {
  return Matrix.slotOf(matrix) as Placement | undefined;
}

/**
 * Memories waiting for the next matrix. A memory packed for one call comes back here when the call ends, so that a thousand
 * fits in a row use one memory.
 */
export class MemoryShelf {
  #free: RegionMemory[] = [];
  #used = 0;
  readonly #shared: boolean;

  constructor(shared: boolean) {
    this.#shared = shared;
  }

  /** An empty memory, one that waits or a new one; undefined if so many are in use that plain arrays must do. */
  take(): RegionMemory | undefined {
    const home = this.#free.pop() ?? (this.#used < MOST_USED ? this.fresh() : undefined);
    if (home !== undefined) this.#used++;
    return home;
  }

  /** A memory that never comes back here, for matrices that the user holds; undefined if the system has no more. */
  fresh(): RegionMemory | undefined {
    try {
      return new RegionMemory(this.#shared);
    } catch (error) {
      if (error instanceof HingeError && error.code === "out-of-memory") return undefined;
      throw error;
    }
  }

  /** Takes a memory back; false if it is not wanted and should be forgotten everywhere. */
  give(home: RegionMemory): boolean {
    this.#used--;
    if (home.byteLength > LARGEST_KEPT || this.#free.length >= MOST_KEPT) {
      home.weigh();
      return false;
    }
    home.reset();
    this.#free.push(home);
    this.#free.sort((a, b) => a.byteLength - b.byteLength);
    return true;
  }
}

// A memory never shrinks, so a large one is not kept waiting: at most 8 times 32 MiB stay behind.
const LARGEST_KEPT = 32 * 2 ** 20;
const MOST_KEPT = 8;
// Browsers hand out little more than a hundred memories; calls beyond this many at once copy their rows instead.
const MOST_USED = 32;
