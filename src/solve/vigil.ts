// Whether steps still bring a kernel problem on. What they say they gained is from an F that is kept up to date step by step; what they did gain shows when F is made anew
// from the variables. Where the one is not the other, more steps of the same kind bring nothing.
//
// F is made anew only after many steps without a smaller gap, twice as many each time, so that this costs little of a fit that is merely slow.
// Checked in test/unit/solve/vigil.test.ts.

/** The part of what steps say they gained that must be there, and the parts of the gap and of D that it must be. */
const TRUE_PART = 0.5;
const LEAST_OF_GAP = 1e-9;
const LEAST_OF_DUAL = 1e-7;

export class Vigil {
  readonly #first: number;
  /** Steps without a smaller gap after which to ask. */
  stretch: number;
  /** D, and the sum of all gains, when F was last known to be right. */
  #dual: number;
  #gained: number;

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

  /** After F was made anew: whether steps did not gain what they said, or nothing beside D or `gap`, P - D. */
  isAstray(dual: number, gained: number, gap: number): boolean {
    const isAstray = !(
      dual - this.#dual >=
      Math.max(TRUE_PART * (gained - this.#gained), LEAST_OF_GAP * gap, LEAST_OF_DUAL * Math.abs(dual))
    );
    this.#dual = dual;
    this.#gained = gained;
    this.stretch *= 2;
    return isAstray;
  }
}
