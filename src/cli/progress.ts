// What the live line says: of rows being read, of a fit, of a search, of folds.

import { log } from "../base/math.js";
import type { FoldDone } from "../base/options/cross-validate.js";
import type { ReadProgress } from "../base/options/data.js";
import type { KernelProgress, Progress } from "../base/options/fit.js";
import type { SearchProgress } from "../base/options/search.js";
import { counted, grouped } from "../base/words.js";
import { type Console, live } from "./console.js";
import { type Input, type InputFlags, type ReadSettings, readInput } from "./input.js";
import { brief, seconds } from "./text.js";

/** What readInput reads, with a live line of the rows so far. */
export async function readLive(
  console: Console,
  path: string,
  flags: InputFlags,
  { isQuiet, ...settings }: ReadSettings & { readonly isQuiet: boolean },
): Promise<Input> {
  const shown = live(console, ({ rowCount, seconds }: ReadProgress) => `read      ${counted(rowCount, "row")}, ${seconds.toFixed(1)} s`);
  return readInput(path, flags, { ...settings, ...(!isQuiet && { onProgress: shown.update }) }).finally(shown.end);
}

/** Of a fit whose iterations are `unit`s. */
export function fitText(unit: string, tolerance: number): (progress: Progress | KernelProgress) => string {
  const left = remaining(tolerance);
  return (progress) =>
    `train     ${problemsLeft(progress)}${unit} ${grouped(progress.iterations)}, ${wayLeft(progress)}, ${progress.seconds.toFixed(1)} s${left(progress)}`;
}

export function searchText({ done, total, remainingSeconds }: SearchProgress): string {
  return `search    ${grouped(done)} of ${counted(total, "fit")}, ${seconds(remainingSeconds)} left`;
}

export function foldText({ done, total, score }: FoldDone): string {
  return `cv        ${done} of ${counted(total, "fold")}, the last one ${brief(score)}`;
}

function wayLeft(progress: Progress | KernelProgress): string {
  if (progress.relativeGap !== null) return `gap ${brief(progress.relativeGap)}`;
  return `violation ${brief((progress as KernelProgress).violation)}`;
}

/** How long it will go on, by the problems that are done, or by how fast the gap of a single one falls; nothing where neither says anything. */
function remaining(tolerance: number): (progress: Progress | KernelProgress) => string {
  let first: { readonly gap: number; readonly seconds: number } | undefined;
  return ({ problems: { done, total }, relativeGap, seconds }) => {
    if (relativeGap !== null && Number.isFinite(relativeGap)) first ??= { gap: relativeGap, seconds };
    const byGap =
      first === undefined || relativeGap === null
        ? Number.NaN
        : ((seconds - first.seconds) * log(relativeGap / tolerance)) / log(first.gap / relativeGap);
    const rest = total > 1 ? (seconds * (total - done)) / done : byGap;
    return Number.isFinite(rest) && rest > 0 ? `, about ${rest.toFixed(rest < 10 ? 1 : 0)} s left` : "";
  };
}

function problemsLeft({ problems: { done, total } }: Pick<Progress, "problems">): string {
  return total === 1 ? "" : `problem ${done + 1} of ${total}, `;
}
