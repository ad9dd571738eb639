// How we measure: alternating runs after a warm-up, medians with their spread, on a machine that has little else to do.

import { execFileSync } from "node:child_process";
import { cpus, loadavg, release, totalmem, type, uptime } from "node:os";

/** A figure as measured again and again: every run, and what a table shows of them. */
export interface Spread {
  readonly runs: readonly number[];
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** Cells in which the peer needs less, in milliseconds, are shown and not counted. */
export const COUNTED = 500;

const LONG_RUN = 30_000;
export const VERY_LONG_RUN = 120_000;

/** How often a contender runs: `wanted` times, fewer where one run is long. */
function runsFor(milliseconds: number, wanted: number): number {
  if (milliseconds > VERY_LONG_RUN) return 1;
  return milliseconds > LONG_RUN ? Math.min(wanted, 3) : wanted;
}

/**
 * Runs the contenders in turn, again and again, every round in another order (`turnsOf`): one warm-up each, then `runs` of each. A contender returns its milliseconds. Who has just
 * run the very same, for a climb say, and took as long as `known` says, needs no other warm-up.
 */
export async function alternate<Name extends string>(
  contenders: Readonly<Record<Name, () => Promise<number>>>,
  runs: number,
  known: Readonly<Record<string, number>> = {},
): Promise<Record<Name, Spread>> {
  const names = Object.keys(contenders) as Name[];
  const lists = {} as Record<Name, number[]>;
  const wanted = {} as Record<Name, number>;
  for (const name of names) {
    wanted[name] = runsFor(known[name] ?? (await contenders[name]()), runs);
    lists[name] = [];
  }
  for (let round = 0; round < runs; round++) {
    for (const name of turnsOf(names, round)) {
      if (lists[name].length < wanted[name]) lists[name].push(await contenders[name]());
    }
  }
  return Object.fromEntries(names.map((name) => [name, spreadOf(lists[name])])) as Record<Name, Spread>;
}

/** Their order in a round: in twice as many rounds as there are contenders each comes after every other equally often, since what one leaves behind, garbage or cold caches, is for the next to pay. */
export function turnsOf<Name>(names: readonly Name[], round: number): Name[] {
  const first = Math.floor(round / 2) % Math.max(1, names.length);
  const turns = [...names.slice(first), ...names.slice(0, first)];
  return round % 2 === 0 ? turns : turns.reverse();
}

export function spreadOf(runs: readonly number[]): Spread {
  return { runs, median: median(runs), least: Math.min(...runs), most: Math.max(...runs) };
}

/** Another figure of the same runs, a throughput for instance. */
export function spreadBy(runs: readonly number[], figure: (run: number) => number): Spread {
  return spreadOf(runs.map(figure));
}

/** One contender's times over another's, round by round: what was slow for a while was slow for both. */
export function ratioOf(times: Spread, over: Spread): Spread {
  const rounds = Math.min(times.runs.length, over.runs.length);
  return spreadOf(Array.from({ length: rounds }, (_, k) => (times.runs[k] as number) / (over.runs[k] as number)));
}

/** The geometric mean. */
export function meanRatio(ratios: readonly number[]): number {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}

export function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** Slope of the straight line through (log x, log y), and its standard error. */
export function growth(points: readonly (readonly [x: number, y: number])[]): { exponent: number; error: number } {
  const xs = points.map(([x]) => Math.log(x));
  const ys = points.map(([, y]) => Math.log(y));
  const mean = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) / list.length;
  const [mx, my] = [mean(xs), mean(ys)];
  const sxx = xs.reduce((sum, x) => sum + (x - mx) ** 2, 0);
  const exponent = xs.reduce((sum, x, k) => sum + (x - mx) * ((ys[k] as number) - my), 0) / sxx;
  const residual = xs.reduce((sum, x, k) => sum + ((ys[k] as number) - my - exponent * (x - mx)) ** 2, 0);
  return { exponent, error: Math.sqrt(residual / Math.max(1, xs.length - 2) / sxx) };
}

/** Waits up to two minutes for a load average below 0.7; says so if it does not come. */
export async function quiet(): Promise<void> {
  for (let k = 0; k < 60; k++) {
    if ((loadavg()[0] ?? 0) < 0.7) return;
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
  process.stderr.write(`the machine is busy (load ${loadavg()[0]?.toFixed(2)}); figures will be noisy\n`);
}

/** What a figure must be read with. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGib: number;
  readonly system: string;
  /** When it was started: figures of one start may be compared, those of two are noise. */
  readonly booted: string;
  readonly node: string;
  readonly commit: string;
  readonly load: number;
  readonly date: string;
}

export function machine(): Machine {
  const git = (...args: string[]): string => execFileSync("git", args, { encoding: "utf8" }).trim();
  // Results and their page change while a case is run set by set.
  const changed = git("status", "--porcelain", "--", ".", ":!bench/results", ":!docs");
  const commit = `${git("rev-parse", "--short", "HEAD")}${changed === "" ? "" : "-dirty"}`;
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    booted: new Date(60_000 * Math.round((Date.now() - 1000 * uptime()) / 60_000)).toISOString(),
    node: process.version,
    commit,
    load: loadavg()[0] ?? Number.NaN,
    date: new Date().toISOString().slice(0, 10),
  };
}
