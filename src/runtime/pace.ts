// Long work on the calling thread in slices, for what cannot go to a worker: between two of them timers fire, messages come in and
// pages are drawn.

import { clock } from "./clock.js";

/** The longest stretch of work; a page that is drawn 60 times a second has 16 ms for everything. */
const SLICE_MS = 8;

/** Pieces of work between two looks at the clock, at most. */
const MOST_PIECES = 256;

export class Pace {
  #since = clock();
  #looked = this.#since;
  #pieces = 0;
  #every = 1;

  /** To be awaited every millisecond or so: lets the others have their turn if it is time. */
  async rest(): Promise<void> {
    if (clock() - this.#since < SLICE_MS) return;
    await othersTurn();
    this.#since = clock();
  }

  /** Whether it is time to rest; to be asked after every piece of work, however short or long: where they are short the clock is looked at now and then only. */
  isDue(): boolean {
    if (++this.#pieces < this.#every) return false;
    this.#pieces = 0;
    const now = clock();
    const passed = now - this.#looked;
    this.#looked = now;
    this.#every = passed > 1 ? 1 : Math.min(2 * this.#every, MOST_PIECES);
    return now - this.#since >= SLICE_MS;
  }

  /** Calls `work(from, to)` on [0, count), `size` at a time. */
  async inSlices(count: number, size: number, work: (from: number, to: number) => void): Promise<void> {
    for (let from = 0; from < count; from += size) {
      work(from, Math.min(count, from + size));
      await this.rest();
    }
  }
}

// As it is when the library is loaded: tests that put a clock of their own in its place later do not stop us.
export const immediate: ((callback: () => void) => unknown) | undefined = typeof setImmediate === "function" ? setImmediate : undefined;

/**
 * In Node an immediate comes behind all that waits already. Elsewhere a message to ourselves does; timers would wait four milliseconds each in browsers. A channel
 * takes half a millisecond to make, but one that is used again keeps other ports waiting.
 */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (immediate !== undefined) {
      immediate(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => {
      port2.close();
      resolve();
    };
    port1.postMessage(null);
  });
}
