// Whether a descent is worth going on with, where another method stands behind it: its gap falls by about the same factor in equal numbers of passes.

import { log } from "../base/math.js";

/** Passes between two looks. */
const STRIDE = 8;

export class Outlook {
  readonly #limit: number;
  readonly #tolerance: number;
  #seen = 0;
  #gap = Number.NaN;

  /** limit: passes that may be left at most. */
  constructor(limit: number, tolerance: number) {
    this.#limit = limit;
    this.#tolerance = tolerance;
  }

  /** Told of passes and gap, says whether more passes than the limit are left if the gap goes on falling as since the last look. */
  isTooLong(passes: number, gap: number): boolean {
    if (passes < this.#seen + STRIDE) return false;
    const before = { passes: this.#seen, gap: this.#gap };
    this.#seen = passes;
    this.#gap = gap;
    if (Number.isNaN(before.gap) || gap <= this.#tolerance) return false;
    if (!(gap < before.gap)) return true;
    return ((passes - before.passes) * log(this.#tolerance / gap)) / log(gap / before.gap) > this.#limit;
  }
}
