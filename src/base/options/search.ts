// The options of search that are not those of the fits.

import * as v from "valibot";
import { crossValidation } from "./cross-validate.js";
import { type Checked, custom, type Input, integer, table, toggle } from "./table.js";

/** What can be searched: the options of the estimators that are numbers. */
export const searchedNames = ["C", "nu", "epsilon", "gamma", "coef0", "degree"] as const;
export type SearchedName = (typeof searchedNames)[number];
/** Values to try, by option. */
export type Grid = { readonly [K in SearchedName]?: readonly number[] };
/** One point of a grid. */
export type GridPoint = { readonly [K in SearchedName]?: number };

/** What `onProgress` of a search receives when a point of a fold is done. */
export interface SearchProgress {
  /** Fits, of all points in all folds. */
  readonly done: number;
  readonly total: number;
  readonly seconds: number;
  /** As long as this will go on, by what has been done. */
  readonly remainingSeconds: number;
}

export const searchOptions = table("search", {
  grid: custom<Grid, Grid>({
    schema: v.custom<Grid>(isGrid),
    allowed: `an object of lists of different finite numbers for some of ${searchedNames.join(", ")}`,
    default: Object.freeze({}),
    help: "what to try: all combinations of these values. logRange(from, to, count) makes lists that are even in the exponent",
  }),
  refine: integer({
    atLeast: 0,
    atMost: 8,
    default: 0,
    help: "how often to look again around the best point, each time with half the distance between values",
  }),
  refit: toggle({ default: true, help: "fit a model with the best point on all rows" }),
  ...crossValidation,
  onProgress: custom<(progress: SearchProgress) => void, ((progress: SearchProgress) => void) | undefined>({
    schema: v.custom<(progress: SearchProgress) => void>((value) => typeof value === "function"),
    allowed: "a function",
    default: undefined,
    help: "called after every fit of the search",
  }),
  timeLimitSeconds: { ...crossValidation.timeLimitSeconds, help: "give up after this long with the best point so far" },
  signal: { ...crossValidation.signal, help: "stops when aborted; the best point so far is returned" },
});

function isGrid(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const isList = (list: unknown): boolean =>
    Array.isArray(list) && list.length > 0 && list.every(Number.isFinite) && new Set(list).size === list.length;
  return (
    Object.keys(value).length > 0 &&
    Object.entries(value).every(([name, list]) => (searchedNames as readonly string[]).includes(name) && isList(list))
  );
}

export type SearchOptions = Input<typeof searchOptions>;
export type CheckedSearchOptions = Checked<typeof searchOptions>;
