// What the case "small" needs of a contender: a fit of plain arrays in this process.

import type { BiasForm, TrainedLinear } from "./contender.ts";

/** Dense rows with labels +1 and -1, under the hinge loss. */
export interface SmallProblem {
  readonly rows: readonly (readonly number[])[];
  readonly y: readonly number[];
  readonly C: number;
}

/** Tolerances of everybody in this race, each by its own meaning: down by about thirds. */
export const thirds: readonly number[] = [1, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5];

export interface InProcessContender {
  readonly id: string;
  /** Undefined if it is not installed. */
  readonly version: string | undefined;
  readonly threads: number;
  readonly form: BiasForm;
  readonly ladder: readonly number[];
  /** Loads what is loaded once, before anything is timed. */
  ready(): Promise<void>;
  /** The last of `count` fits, one after the other, with the milliseconds of one: one alone takes no longer than what disturbs it. Throws if it gives up without a model. */
  fit(problem: SmallProblem, tolerance: number, count: number): Promise<TrainedLinear>;
}
