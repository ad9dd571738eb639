// The progress of a fit, as its caller sees it.

import type { KernelProgress, Progress } from "../base/options/fit.js";
import type { RunOptions } from "../runtime/pool.js";
import { together } from "../runtime/progress.js";
import type { TaskProgress } from "../runtime/protocol.js";

/** The progress of all problems as one: passes so far, the worst gap of those under way, at most ten times a second. */
export class Tracker<P extends Progress | KernelProgress = Progress> {
  readonly #report: ((progress: P) => void) | undefined;
  readonly #total: number;
  readonly #running = new Map<number, TaskProgress>();
  #doneIterations = 0;
  #done = 0;
  #lastSeconds = -Infinity;

  constructor(total: number, report: ((progress: P) => void) | undefined) {
    this.#total = total;
    this.#report = report;
  }

  /** `before`: passes that the problem has behind it. */
  watch(index: number, before = 0): RunOptions["onProgress"] {
    if (this.#report === undefined) return undefined;
    return ({ seconds, ...progress }) => {
      this.#running.set(index, { ...progress, iterations: progress.iterations + before });
      if (seconds - this.#lastSeconds < REPORT_EVERY_SECONDS) return;
      this.#lastSeconds = seconds;
      const done: TaskProgress = { iterations: this.#doneIterations, relativeGap: 0 };
      // Linear fits tell gaps, and kernel machines violations with them: P is what the caller of either expects.
      this.#report?.({
        ...together([done, ...this.#running.values()]),
        seconds,
        problems: { done: this.#done, total: this.#total },
      } as P);
    };
  }

  finish(index: number, { stages }: { readonly stages: readonly { readonly iterations: number }[] }): void {
    this.#running.delete(index);
    this.#done++;
    this.#doneIterations += stages.reduce((sum, { iterations }) => sum + iterations, 0);
  }
}

const REPORT_EVERY_SECONDS = 0.09; // a little less than what workers keep to, so that their reports are not all just too early
