// The options of liblinearSearch that are not those of the fits.

import * as v from "valibot";
import { running, stopping } from "./fit.js";
import { type Checked, custom, type Input, integer, number, table } from "./table.js";

/** One value of C, and of epsilon for a regression, and what cross-validation said of it. */
export interface SearchedPoint {
  readonly C: number;
  /** Of a regression. */
  readonly epsilon?: number;
  /** Share of rows whose label is predicted right, or a regression's mean squared error; of rows that were not trained on. */
  readonly score: number;
}

const start = { ...number({ above: 0, default: 1, help: "" }), fallback: undefined };

export const liblinearSearchOptions = table("liblinearSearch", {
  folds: integer({ atLeast: 2, default: 5, help: "how many folds" }),
  startC: custom<number, number | undefined>({
    ...start,
    default: undefined,
    help: "where C begins; if not given, so small that no smaller C can be better",
  }),
  startEpsilon: custom<number, number | undefined>({
    ...start,
    default: undefined,
    help: "of a regression: the widest tube; if not given, 19/20 of the largest target",
  }),
  onPoint: custom<(point: SearchedPoint) => void, ((point: SearchedPoint) => void) | undefined>({
    schema: v.custom<(point: SearchedPoint) => void>((value) => typeof value === "function"),
    allowed: "a function",
    default: undefined,
    help: "called with every point and its score",
  }),
  timeLimitSeconds: { ...stopping.timeLimitSeconds, help: "give up after this long with the best point so far" },
  seed: { ...running.seed, help: "same seed, same folds, same result" },
  threads: running.threads,
  signal: { ...running.signal, help: "stops the search when aborted; the best point so far is returned" },
});

export type LiblinearSearchOptions = Input<typeof liblinearSearchOptions>;
export type CheckedLiblinearSearchOptions = Checked<typeof liblinearSearchOptions>;
