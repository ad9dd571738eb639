// The grid of a search by the flags of the command line.

import type { Command } from "commander";
import { HingeError } from "../base/errors.js";
import { type Grid, type SearchedName, searchedNames } from "../base/options/search.js";
import { logRange } from "../index.js";
import { flagOf } from "./flags.js";

const GRID_HELP = "what to try, a:b:n for n values from a to b that are even in the exponent, or values with commas";
/** What is tried if nothing is said. */
const usual: Readonly<Record<"linear" | "kernel", Grid>> = {
  linear: { C: logRange(2 ** -5, 2 ** 5, 11) },
  kernel: { C: logRange(2 ** -5, 2 ** 15, 11), gamma: logRange(2 ** -15, 2 ** 3, 10) },
};

export const USUAL_HELP =
  "Without a grid: 11 values of C from 2^-5 to 2^5 for linear estimators; with a kernel 11 of C from 2^-5 to 2^15 by 10 of gamma from 2^-15 to 2^3.";

export function addGridFlags(command: Command): void {
  for (const name of searchedNames) command.option(`${flagOf(name)}-grid <values>`, `${name}: ${GRID_HELP}`);
}

/** The grid that the flags say, else the usual one of this estimator without what was given as a single value. */
export function gridFrom(given: Record<string, unknown>, fields: readonly string[], options: Record<string, unknown>): Grid {
  const asked: [SearchedName, number[]][] = [];
  for (const name of searchedNames) {
    const text = given[`${name.charAt(0).toLowerCase()}${name.slice(1)}Grid`];
    if (text === undefined) continue;
    if (!fields.includes(name))
      throw new HingeError("bad-option", `${flagOf(name)}-grid is not for this estimator; --estimator says which one is searched`);
    if (options[name] !== undefined)
      throw new HingeError("bad-option", `${flagOf(name)} and ${flagOf(name)}-grid say two things; leave one out`);
    asked.push([name, valuesOf(String(text), `${flagOf(name)}-grid`)]);
  }
  if (asked.length > 0) return Object.fromEntries(asked);
  const usualOnes = Object.entries(fields.includes("gamma") ? usual.kernel : usual.linear);
  const grid = Object.fromEntries(usualOnes.filter(([name]) => fields.includes(name) && options[name] === undefined));
  if (Object.keys(grid).length === 0)
    throw new HingeError("bad-option", "there is nothing to search; give a grid such as --c-grid 0.1:10:5");
  return grid;
}

function valuesOf(text: string, flag: string): number[] {
  const parts = text.split(":");
  const values = parts.length === 3 ? logRange(Number(parts[0]), Number(parts[1]), Number(parts[2])) : text.split(",").map(Number);
  if (values.length === 0 || values.some((value) => !Number.isFinite(value)) || /(^|[,:])\s*($|[,:])/.test(text))
    throw HingeError.option(flag, "a:b:n, n values from a to b, or numbers with commas", text);
  return [...values];
}
