// The progress of a fit, as its caller sees it.

import type { Progress } from "../base/options/fit.js";
import type { RunOptions } from "../runtime/pool.js";
import type { Outcome } from "../solve/stages.js";

/** The progress of all problems as one: passes so far, the worst gap of those under way, at most ten times a second. */
export class Tracker {
  readonly #report: ((progress: Progress) => void) | undefined;
  readonly #total: number;
  readonly #running = new Map<number, { iterations: number; relativeGap: number }>();
  #doneIterations = 0;
  #done = 0;
  #lastSeconds = -Infinity;

  constructor(total: number, report: ((progress: Progress) => void) | undefined) {
    this.#total = total;
    this.#report = report;
  }

  watch(index: number): RunOptions["onProgress"] {
    if (this.#report === undefined) return undefined;
    return ({ iterations, relativeGap, seconds }) => {
      this.#running.set(index, { iterations, relativeGap });
      if (seconds - this.#lastSeconds < REPORT_EVERY_SECONDS) return;
      this.#lastSeconds = seconds;
      const running = [...this.#running.values()];
      this.#report?.({
        iterations: running.reduce((sum, one) => sum + one.iterations, this.#doneIterations),
        relativeGap: running.reduce((worst, one) => Math.max(worst, one.relativeGap), 0),
        seconds,
        problems: { done: this.#done, total: this.#total },
      });
    };
  }

  finish(index: number, { stages }: Pick<Outcome<never>, "stages">): void {
    this.#running.delete(index);
    this.#done++;
    this.#doneIterations += stages.reduce((sum, { iterations }) => sum + iterations, 0);
  }
}

const REPORT_EVERY_SECONDS = 0.09; // a little less than what workers keep to, so that their reports are not all just too early
