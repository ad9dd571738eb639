// Points of a search: all combinations of the values to try, in the order in which models are begun from each other.

import { HingeError } from "../base/errors.js";
import { exp, log } from "../base/math.js";
import { type Grid, type GridPoint, type SearchedName, searchedNames } from "../base/options/search.js";

/** Returns `count` numbers from `from` to `to`, each the same multiple of the one before: 0.01, 0.1, 1, 10 for (0.01, 10, 4). */
export function logRange(from: number, to: number, count: number): number[] {
  if (!(from > 0 && from < Infinity)) throw HingeError.option("from of logRange", "a finite number above 0", from);
  if (!(to > 0 && to < Infinity)) throw HingeError.option("to of logRange", "a finite number above 0", to);
  if (!(Number.isSafeInteger(count) && count >= 1)) throw HingeError.option("count of logRange", "a whole number of at least 1", count);
  const step = count === 1 ? 0 : log(to / from) / (count - 1);
  // The ends are what was asked for, and powers of ten or two come out as such.
  return Array.from({ length: count }, (_, k) => (k === 0 ? from : k === count - 1 ? to : tidy(from * exp(k * step))));
}

/** Without what rounding has added in the last digits. */
function tidy(value: number): number {
  const short = Number(value.toPrecision(14));
  const power = 2 ** Math.round(log(value) / Math.LN2);
  return Math.abs(power / value - 1) < 1e-13 ? power : short;
}

/** Along which models are begun from each other: fits of a small C are quick, and their solutions are near to those of the next. */
const ALONG: SearchedName = "C";

/** Points that differ in nothing but C, which rises. */
export type Line = readonly GridPoint[];

export function linesOf(grid: Grid): readonly Line[] {
  const names = searchedNames.filter((name) => grid[name] !== undefined);
  const across = names.filter((name) => name !== ALONG);
  let points: GridPoint[] = [{}];
  for (const name of across) points = points.flatMap((point) => sorted(grid[name]).map((value) => ({ ...point, [name]: value })));
  const along = grid[ALONG];
  return points.map((point) => (along === undefined ? [point] : sorted(along).map((C) => ({ ...point, C }))));
}

function sorted(list: readonly number[] = []): number[] {
  return [...list].sort((a, b) => a - b);
}

/** Values half as far apart around the best ones: between it and its neighbours, by their ratio where all are above 0, else by their difference; degrees stay whole. */
export function refined(grid: Grid, best: GridPoint, round: number): Grid {
  const entries = Object.entries(grid).map(([name, list]) => {
    const values = sorted(list);
    const own = best[name as SearchedName] as number;
    if (values.length === 1) return [name, [own]];
    const isRatio = (values[0] as number) > 0 && name !== "degree";
    const gap = isRatio
      ? log((values.at(-1) as number) / (values[0] as number)) / (values.length - 1)
      : ((values.at(-1) as number) - (values[0] as number)) / (values.length - 1);
    const half = gap / 2 ** round;
    const near = [-1, 0, 1].map((k) => (k === 0 ? own : isRatio ? own * exp(k * half) : own + k * half));
    const whole = name === "degree" ? [...new Set(near.map(Math.round))] : near;
    return [name, whole.filter((value) => value === own || (value >= 0 && (name !== "nu" || value <= 1)))];
  });
  return Object.fromEntries(entries) as Grid;
}
