// One WebAssembly memory: the arrays of a matrix at the bottom, and behind them regions that fits take and give back. The
// free list is kept here, on the host's side; the core only sees byte offsets.
//
//   0      64              end of the matrix                                 byteLength
//   | null | Rows, values, indices, starts | region | free | region | free … |

import { HingeError } from "../base/errors.js";

const PAGE = 65536;
const MOST_PAGES = 65536; // 4 GiB, the most that 32-bit offsets reach
const MOST_BYTES = PAGE * MOST_PAGES;

/** Everything begins at a multiple of this: a cache line. */
export const ALIGNMENT = 64;

export function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** A stretch of a memory. */
export interface Region {
  readonly offset: number;
  readonly byteLength: number;
}

export class RegionMemory {
  readonly memory: WebAssembly.Memory;
  #free: Region[] = [];
  // Of a memory that somebody holds who will not say when he drops it.
  #isWeighed = false;
  ballast: ArrayBuffer | undefined;

  constructor(shared: boolean) {
    try {
      this.memory = new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES, shared });
    } catch (cause) {
      throw new HingeError("out-of-memory", "no WebAssembly memory can be had; drop matrices that are no longer needed", undefined, {
        cause,
      });
    }
    this.reset();
  }

  get byteLength(): number {
    return this.memory.buffer.byteLength;
  }

  /** Makes everything free again. */
  reset(): void {
    this.#free = [{ offset: ALIGNMENT, byteLength: this.byteLength - ALIGNMENT }];
  }

  /** A region of at least `bytes`, from the first hole that holds it; the memory grows if none does. */
  take(bytes: number): Region {
    const wanted = aligned(Math.max(bytes, 1));
    let at = this.#free.findIndex((hole) => hole.byteLength >= wanted);
    if (at < 0) {
      this.#grow(wanted);
      at = this.#free.length - 1;
    }
    const hole = this.#free[at] as Region;
    const rest = hole.byteLength - wanted;
    this.#free.splice(at, 1, ...(rest > 0 ? [{ offset: hole.offset + wanted, byteLength: rest }] : []));
    return { offset: hole.offset, byteLength: wanted };
  }

  /** Gives a region back; neighbouring holes become one. */
  give(region: Region): void {
    const holes = [...this.#free, region].sort((a, b) => a.offset - b.offset);
    const merged: Region[] = [];
    for (const hole of holes) {
      const last = merged.at(-1);
      if (last !== undefined && last.offset + last.byteLength === hole.offset) {
        merged[merged.length - 1] = { offset: last.offset, byteLength: last.byteLength + hole.byteLength };
      } else {
        merged.push(hole);
      }
    }
    this.#free = merged;
  }

  /** Adds pages until the hole at the end holds `wanted` bytes. */
  #grow(wanted: number): void {
    const before = this.byteLength;
    const last = this.#free.at(-1);
    const open = last !== undefined && last.offset + last.byteLength === before ? last.byteLength : 0;
    const needed = before + wanted - open;
    const refuse = (cause?: unknown): never => {
      const what = `needs ${mebibytes(needed)} MiB of memory for its matrix and work space`;
      throw new HingeError(
        "out-of-memory",
        `this ${what}; at most ${mebibytes(MOST_BYTES)} MiB can be had. Use fewer rows or features`,
        undefined,
        { cause },
      );
    };
    if (needed > MOST_BYTES) refuse();
    try {
      this.memory.grow(Math.ceil((needed - before) / PAGE));
    } catch (cause) {
      refuse(cause);
    }
    this.give({ offset: before, byteLength: this.byteLength - before });
    if (this.#isWeighed) this.weigh();
  }

  /** Makes the collector count this memory from now on, whatever size it will have: now as so many bytes, where there is room in it that nobody has touched. */
  weigh(bytes = this.byteLength): void {
    this.#isWeighed = true;
    this.ballast = ballastFor(bytes);
  }
}

/**
 * V8 does not count what a shared WebAssembly memory holds, so it sees no reason to collect dropped ones and they pile up. An ArrayBuffer of the same size, whose pages are never touched and so never
 * resident, makes it count. It also makes the collector look, some tens of milliseconds of a thread's work, so there is none before it can be of use: beside a memory that will be dropped without a word,
 * or for a moment when it is dropped. None where there is no room for it.
 */
export function ballastFor(bytes: number): ArrayBuffer | undefined {
  try {
    return new ArrayBuffer(bytes);
  } catch {
    return undefined;
  }
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20);
}
