// A search by the flags of the command line: the grid, and the search over it, which Ctrl-C ends with what it has.

import type { Command } from "commander";
import { HingeError } from "../base/errors.js";
import { type Grid, type SearchedName, searchedNames, searchOptions } from "../base/options/search.js";
import { table } from "../base/options/table.js";
import { grouped } from "../base/words.js";
import { logRange, type Search, search } from "../index.js";
import { type Console, INTERRUPTED, interruptible, live } from "./console.js";
import { type EstimatorName, estimators, learnerOn, type Trainable } from "./estimators.js";
import { checkFlags, type Fields, flagOf, plainValue } from "./flags.js";
import { addFoldFlags, foldsFrom, withFoldFlags } from "./folds.js";
import { type Input, labelsOf } from "./input.js";
import { searchText } from "./progress.js";

const GRID_HELP = "what to try, a:b:n for n values from a to b that are even in the exponent, or values with commas";
/** What is tried if nothing is said. */
const usual: Readonly<Record<"linear" | "kernel", Grid>> = {
  linear: { C: logRange(2 ** -5, 2 ** 5, 11) },
  kernel: { C: logRange(2 ** -5, 2 ** 15, 11), gamma: logRange(2 ** -15, 2 ** 3, 10) },
};

export const USUAL_HELP =
  "Without a grid: 11 values of C from 2^-5 to 2^5 for linear estimators and kernels without gamma; with one 11 of C from 2^-5 to 2^15 by 10 of gamma from 2^-15 to 2^3.";

/** The kernels that have what not all of them have. */
const kernelsWith: Readonly<Partial<Record<SearchedName, readonly string[]>>> = {
  gamma: ["rbf", "poly", "sigmoid"],
  coef0: ["poly", "sigmoid"],
  degree: ["poly"],
};

/** Of a grid: more is a slip of the hand, and would take all memory before the first fit. */
const MOST_POINTS = 100_000;

export function addGridFlags(command: Command): void {
  for (const name of searchedNames) command.option(`${flagOf(name)}-grid <values>`, `${name}: ${GRID_HELP}`);
  addFoldFlags(command);
  command.option("--refine <count>", "how often to look again around the best point (default 0)");
}

/** What is to be searched, and how; checked before anything is read. */
export interface Plan {
  readonly grid: Grid;
  readonly refine: number;
  readonly folds: ReturnType<typeof foldsFrom>;
}

export function planFrom(given: Readonly<Record<string, unknown>>, estimator: Trainable, options: Readonly<Record<string, unknown>>): Plan {
  const grid = gridFrom(given, estimator.options.fields as Fields, options);
  const { refine } = checkFlags(searchOptions, { grid, refine: plainValue(given.refine) });
  return { grid, refine, folds: foldsFrom(given, estimator, options) };
}

/** The grid that the flags say, else the usual one of this estimator without what was given as a single value. */
function gridFrom(given: Readonly<Record<string, unknown>>, fields: Fields, options: Readonly<Record<string, unknown>>): Grid {
  const kernel = String(options.kernel ?? fields.kernel?.fallback);
  const has = (name: SearchedName): boolean => fields[name] !== undefined && (kernelsWith[name]?.includes(kernel) ?? true);
  const asked: [SearchedName, number[]][] = [];
  for (const name of searchedNames) {
    const text = given[`${name.charAt(0).toLowerCase()}${name.slice(1)}Grid`];
    const flag = `${flagOf(name)}-grid`;
    if (text === undefined) continue;
    if (fields[name] === undefined)
      throw new HingeError("bad-option", `${flag} is not for this estimator; --estimator says which one is searched`);
    if (!has(name)) throw new HingeError("bad-option", `${flag} is not for --kernel ${kernel}, which has no ${name}`);
    if (options[name] !== undefined) throw new HingeError("bad-option", `${flagOf(name)} and ${flag} say two things; leave one out`);
    asked.push([name, valuesOf(String(text), flag, name, fields)]);
  }
  const usualOnes = Object.entries(has("gamma") ? usual.kernel : usual.linear) as [SearchedName, readonly number[]][];
  const chosen = asked.length > 0 ? asked : usualOnes.filter(([name]) => has(name) && options[name] === undefined);
  if (chosen.length === 0) {
    const example = fields.C === undefined ? "--nu-grid 0.1:0.5:5" : "--c-grid 0.1:10:5";
    throw new HingeError("bad-option", `there is nothing to search; give a grid such as ${example}`);
  }
  const points = chosen.reduce((product, [, values]) => product * values.length, 1);
  if (points > MOST_POINTS)
    throw new HingeError(
      "bad-option",
      `the grid has ${grouped(points)} points, at most ${grouped(MOST_POINTS)} are searched; give fewer values`,
    );
  return Object.fromEntries(chosen);
}

function valuesOf(text: string, flag: string, name: SearchedName, fields: Fields): number[] {
  const isRange = text.split(":").length === 3;
  const parts = text.split(isRange ? ":" : ",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (isRange) checkRange(parts, flag, text);
  else if (!parts.every(Number.isFinite)) throw HingeError.option(flag, "a:b:n, n values from a to b, or numbers with commas", text);
  const values = isRange ? logRange(...(parts as [number, number, number])) : parts;
  if (new Set(values).size < values.length) throw HingeError.option(flag, "different values", text);
  const field = fields[name] as Fields[string];
  const rule = table("a grid", { value: field });
  for (const value of values) {
    try {
      rule.check({ value });
    } catch {
      // Of gamma the words "scale" and "auto" are no points between others.
      throw HingeError.option(`every value of ${flag}`, field.allowed.replace(/^".*", or /, ""), value);
    }
  }
  return values;
}

/** Before the list is made, which may be longer than memory. */
function checkRange([from, to, count]: readonly number[], flag: string, text: string): void {
  const isPositive = (value = Number.NaN): boolean => value > 0 && value < Infinity;
  if (isPositive(from) && isPositive(to) && Number.isInteger(count) && isPositive(count) && (count as number) <= MOST_POINTS) return;
  throw HingeError.option(flag, `a:b:n with a and b above 0 and n a whole number from 1 to ${grouped(MOST_POINTS)}`, text);
}

/** A search that got somewhere. */
export type Found = Omit<Search<never>, "best" | "model"> & { readonly best: NonNullable<Search<never>["best"]> };

/**
 * Searches, with the live line unless `isQuiet`. Ctrl-C and the time limit end it with the points that are done; the model of the best one is for the caller to fit. Returns undefined, with the reason told and the exit
 * code set, where Ctrl-C came before the first one.
 */
export async function searched(
  console: Console,
  name: EstimatorName,
  input: Input,
  options: object,
  { plan, isQuiet }: { plan: Plan; isQuiet: boolean },
): Promise<Found | undefined> {
  const shown = live(console, searchText);
  const learner = learnerOn(estimators[name], name, input) as never;
  const own = { ...options, ...plan, refit: false, ...(!isQuiet && { onProgress: shown.update }) };
  const run = (signal: AbortSignal) => search(learner, input.x as never, labelsOf(input) as never, { ...own, signal } as never);
  const { best, ...rest } = await withFoldFlags(() => interruptible(run)).finally(shown.end);
  if (best !== undefined) {
    if (rest.ending === "aborted" && !isQuiet)
      console.err("interrupted; training with the best point so far, one more Ctrl-C leaves at once\n");
    return { best, ...rest };
  }
  if (rest.ending !== "aborted")
    throw new HingeError("bad-input", "--time-limit-seconds was over before a single point was done; give it more, or fewer values");
  console.err("interrupted before a single point was done: nothing is written\n");
  console.exit(INTERRUPTED);
  return undefined;
}
