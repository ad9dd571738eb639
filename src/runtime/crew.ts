// A loop over positions whose shares are taken by whichever thread is free: the one that leads it, and those that help.
//
//   lead    says what is to be done, opens the loop, takes shares until none is left, closes it, and waits for those that are still inside
//   help    sleeps until a loop is open, goes inside, looks whether it is still the same one, takes shares, goes out
//
// Who goes inside says so before looking, and who closes says so before counting: so nobody works on a loop that is being changed. Who took which share
// changes no value, as long as shares have nothing to do with each other.
// Checked in test/runtime/crew.test.ts.

import { HingeError } from "../base/errors.js";

// Words of the memory that all of them see.
const TURN = 0; // odd while a loop is open
const INSIDE = 1; // helpers at work
const NEXT = 2; // the first position that nobody has taken
const END = 3;
const SHARE = 4;
const OVER = 5; // 1: helpers may go; 2: one of them is lost
const CONSTANTS = 6;
const MOST_CONSTANTS = 6;

/** How long a helper sleeps before it looks after its messages, and the leader before it asks whether a helper is lost. */
const PATIENCE_MS = 5;
/** Sleeps of a leader after which a helper that has not come out is gone: a share takes milliseconds. A leader on the thread that would be told of it cannot hear of it. */
const MOST_SLEEPS = 4000;
/** Looks at a word before sleeping until it changes: going to sleep and being woken takes long, too. */
const LOOKS = 20_000;

/** What a share is done with. */
export type Share = (from: number, to: number) => void;

export class Crew {
  readonly #words: Int32Array;
  #standing: ((isOpen: boolean) => void) | undefined;

  constructor(shared: SharedArrayBuffer) {
    this.#words = new Int32Array(shared);
  }

  /** The memory of a new crew, to be sent to its leader and its helpers. */
  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(4 * (CONSTANTS + MOST_CONSTANTS));
  }

  /** Does `work` on [from, to), `share` positions at a time, together with those who help; they make it from the same `constants`, which are 32 bits each. */
  lead(constants: readonly number[], from: number, to: number, share: number, work: Share): void {
    if (to - from <= share) {
      if (from < to) work(from, to);
      return;
    }
    this.withdraw();
    this.#open(constants, from, to, share);
    try {
      this.#takeShares(work);
    } finally {
      this.#close();
    }
  }

  /**
   * Opens a loop without shares, unless it is open already, and leaves it open until the next one begins: helpers do once what they make of the `constants`,
   * which ends soon after `tell(false)`. They and the leader find each other by other means.
   */
  stand(constants: readonly number[], tell: (isOpen: boolean) => void): void {
    if (this.#standing !== undefined) return;
    tell(true);
    this.#open(constants, 0, 0, 0);
    this.#standing = tell;
  }

  /** Ends what `stand` began. */
  withdraw(): void {
    if (this.#standing === undefined) return;
    this.#standing(false);
    this.#standing = undefined;
    this.#close();
  }

  #open(constants: readonly number[], from: number, to: number, share: number): void {
    const words = this.#words;
    constants.forEach((constant, k) => {
      words[CONSTANTS + k] = constant;
    });
    words.set([to, share], END);
    Atomics.store(words, NEXT, from);
    Atomics.add(words, TURN, 1);
    Atomics.notify(words, TURN);
  }

  #close(): void {
    Atomics.add(this.#words, TURN, 1);
    this.#waitForHelpers();
  }

  /** Takes part in every loop until there are no more, or until `rest`, which is awaited every few milliseconds, says that it is time to go. */
  async help(workFor: (constants: readonly number[]) => Share, rest: () => Promise<boolean>): Promise<void> {
    const words = this.#words;
    while (Atomics.load(words, OVER) === 0) {
      const turn = Atomics.load(words, TURN);
      if (turn % 2 !== 0) this.#takePart(turn, workFor);
      this.#sleepWhile(TURN, turn);
      if (await rest()) return;
    }
  }

  /** Until the word has another value, or for some milliseconds. */
  #sleepWhile(word: number, value: number): void {
    for (let looks = 0; looks < LOOKS; looks++) if (Atomics.load(this.#words, word) !== value) return;
    Atomics.wait(this.#words, word, value, PATIENCE_MS);
  }

  /** There will be no more loops. */
  dismiss(): void {
    this.#end(1);
  }

  /** A helper is gone, perhaps in the middle of a share. */
  lose(): void {
    this.#end(2);
  }

  #end(how: number): void {
    Atomics.store(this.#words, OVER, how);
    Atomics.notify(this.#words, TURN);
    Atomics.notify(this.#words, INSIDE);
  }

  #takePart(turn: number, workFor: (constants: readonly number[]) => Share): void {
    const words = this.#words;
    Atomics.add(words, INSIDE, 1);
    try {
      if (Atomics.load(words, TURN) !== turn) return;
      const work = workFor(Array.from(words.subarray(CONSTANTS), (word) => word >>> 0));
      if (words[SHARE] === 0) work(0, 0);
      else this.#takeShares(work);
    } finally {
      Atomics.sub(words, INSIDE, 1);
      Atomics.notify(words, INSIDE);
    }
  }

  #takeShares(work: Share): void {
    const words = this.#words;
    const [end, share] = [words[END] as number, words[SHARE] as number];
    for (;;) {
      const from = Atomics.add(words, NEXT, share);
      if (from >= end) return;
      work(from, Math.min(from + share, end));
    }
  }

  #waitForHelpers(): void {
    const words = this.#words;
    let sleeps = 0;
    for (let inside = Atomics.load(words, INSIDE); inside !== 0; inside = Atomics.load(words, INSIDE)) {
      if (Atomics.load(words, OVER) === 2 || sleeps++ > MOST_SLEEPS) {
        throw new HingeError("worker-failed", "a worker that helped died. The data is unharmed; the call can be made again");
      }
      this.#sleepWhile(INSIDE, inside);
    }
  }
}
