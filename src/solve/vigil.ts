// Whether steps still bring a kernel problem on. What they say they gained is from an F that is kept up to date step by step; what they did gain shows when F is made anew
// from the variables. Where the one is not the other, more steps of the same kind bring nothing; unless the gap has become much smaller all the same: near the end D hardly rises any more while P still comes down.
//
// F is made anew only after many steps without a smaller gap, twice as many each time, so that this costs little of a fit that is merely slow.
// Checked in test/unit/solve/vigil.test.ts.

/** The part of what steps say they gained that must be there, and the parts of the gap and of D that it must be. */
const TRUE_PART = 0.5;
const LEAST_OF_GAP = 1e-9;
const LEAST_OF_DUAL = 1e-7;
/** The part of the gap of the last time that it must be for steps to bring it on, whatever they gain. */
const MUCH_SMALLER = 0.5;

export class Vigil {
  readonly #first: number;
  /** Steps without a smaller gap after which to ask. */
  stretch: number;
  /** D, and the sum of all gains, when F was last known to be right. */
  #dual: number;
  #gained: number;
  /** P - D then; not a number where nobody knows. */
  #gap = Number.NaN;

  constructor(stretch: number, dual: number, gained: number) {
    this.#first = stretch;
    this.stretch = stretch;
    this.#dual = dual;
    this.#gained = gained;
  }

  /** Whether it has been asked before: the gap comes down, if at all, by hundreds of thousands of steps. */
  get isSlow(): boolean {
    return this.stretch > 2 * this.#first;
  }

  /** After F was made anew: whether steps did not gain what they said, or nothing beside D or `gap`, P - D, which is not much smaller than it was. */
  isAstray(dual: number, gained: number, gap: number): boolean {
    const isGaining =
      dual - this.#dual >= Math.max(TRUE_PART * (gained - this.#gained), LEAST_OF_GAP * gap, LEAST_OF_DUAL * Math.abs(dual));
    const isAstray = !isGaining && !(dual >= this.#dual && gap <= MUCH_SMALLER * this.#gap);
    this.#dual = dual;
    this.#gained = gained;
    this.#gap = gap;
    this.stretch *= 2;
    return isAstray;
  }
}
