// Long work on the calling thread in slices, for what cannot go to a worker: between two of them timers fire, messages come in and
// pages are drawn.

import { clock } from "./clock.js";

/** The longest stretch of work; a page that is drawn 60 times a second has 16 ms for everything. */
const SLICE_MS = 8;

export class Pace {
  #since = clock();

  /** To be awaited every millisecond or so: lets the others have their turn if it is time. */
  async rest(): Promise<void> {
    if (clock() - this.#since < SLICE_MS) return;
    await othersTurn();
    this.#since = clock();
  }

  /** Calls `work(from, to)` on [0, count), `size` at a time. */
  async inSlices(count: number, size: number, work: (from: number, to: number) => void): Promise<void> {
    for (let from = 0; from < count; from += size) {
      work(from, Math.min(count, from + size));
      await this.rest();
    }
  }
}

/** A message to ourselves comes behind all that waits already; timers would wait four milliseconds each in browsers. */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => {
      port2.close();
      resolve();
    };
    port1.postMessage(null);
  });
}
