// Whether steps still bring a kernel problem on. What they say they gained is from an F that is kept up to date step by step; what they did gain shows when F is made anew
// from the variables. Where the one is not the other, more steps of the same kind bring nothing.
//
// F is made anew only after many steps without a smaller gap, twice as many each time, so that this costs little of a fit that is merely slow.
// Checked in test/unit/solve/vigil.test.ts.

/** The part by which the gap must have become smaller, the part of what steps say they gained that must be there, and the parts of the gap and of D that it must be. */
const GAP_PART = 0.9;
const TRUE_PART = 0.5;
const LEAST_OF_GAP = 1e-9;
const LEAST_OF_DUAL = 1e-7;

export class Vigil {
  readonly #first: number;
  #stretch: number;
  #until: number;
  #bestGap = Infinity;
  /** D, and the sum of all gains, when F was last known to be right. */
  #dual: number;
  #gained: number;

  /** `stretch`: steps without a smaller gap after which to ask. */
  constructor(stretch: number, steps: number, dual: number, gained: number) {
    this.#first = stretch;
    this.#stretch = stretch;
    this.#until = steps + stretch;
    this.#dual = dual;
    this.#gained = gained;
  }

  /** Whether F should be made anew. `gap`: the relative one, or the violation where there is none. */
  isDue(steps: number, gap: number): boolean {
    if (gap <= GAP_PART * this.#bestGap) {
      this.#bestGap = gap;
      this.#until = steps + this.#stretch;
    }
    return steps >= this.#until;
  }

  /** Whether it has been asked before: the gap comes down, if at all, by hundreds of thousands of steps. */
  get isSlow(): boolean {
    return this.#stretch > 2 * this.#first;
  }

  /** After F was made anew: whether steps did not gain what they said, or nothing beside D or `gap`, P - D. */
  isAstray(steps: number, dual: number, gained: number, gap: number): boolean {
    const isAstray = !(
      dual - this.#dual >=
      Math.max(TRUE_PART * (gained - this.#gained), LEAST_OF_GAP * gap, LEAST_OF_DUAL * Math.abs(dual))
    );
    this.#dual = dual;
    this.#gained = gained;
    this.#stretch *= 2;
    this.#until = steps + this.#stretch;
    return isAstray;
  }
}
