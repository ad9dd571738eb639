// liblinear-train -C: the search for C, and for the tube of a regression, with the original's lines.

import { log } from "../../base/math.js";
import type { SearchedPoint } from "../../base/options/liblinear-search.js";
import type { Matrix } from "../../data/matrix.js";
import { formatGeneral } from "../../formats/printf.js";
import { LinearSVC, LinearSVR, LogisticRegression, liblinearSearch } from "../../index.js";
import { LARGEST_C } from "../../select/liblinear-rules.js";
import type { Console } from "../console.js";
import { classCosts, costsByNumber, orderedClasses } from "./classes.js";
import { possibleFolds } from "./cross-validation.js";
import { biasOf, type Parameters, stopping } from "./liblinear-fits.js";
import { SEED } from "./program.js";

interface SearchFlags {
  readonly folds: number;
  /** -c and -p, where they are given. */
  readonly startC: number | undefined;
  readonly startEpsilon: number | undefined;
}

/** The first and the last line are printed even under -q. */
export async function searched(
  x: Matrix,
  y: Float64Array,
  parameters: Parameters,
  { folds, startC, startEpsilon }: SearchFlags,
  say: (text: string) => void,
  console: Console,
): Promise<void> {
  console.out(`Doing parameter search with ${folds}-fold cross validation.\n`);
  const count = possibleFolds(folds, y.length, console.err);
  const isRegression = parameters.method.task === "regression";
  const largestC = isRegression ? LARGEST_C.regression : LARGEST_C.classification;
  let last: SearchedPoint | undefined;
  const endLine = (): void => {
    if (last !== undefined && last.C * 2 > largestC) say("WARNING: maximum C reached.\n");
  };
  const onPoint = (point: SearchedPoint): void => {
    if (last?.epsilon !== point.epsilon) endLine();
    last = point;
    say(lineOf(point));
  };
  const shared = { folds: count, seed: SEED, onPoint, ...(startC !== undefined && { startC }) };
  const options = { ...shared, ...biasOf(parameters), solver: "newton" as const, ...stopping(parameters.eps, undefined) };
  const { best } = isRegression
    ? await liblinearSearch(LinearSVR, x, y, {
        ...{ ...options, centreTarget: false },
        ...(startEpsilon !== undefined && startEpsilon > 0 && { startEpsilon }),
      })
    : await classSearch(x, y, parameters, options, console);
  endLine();
  const score = shownScore(best);
  console.out(
    isRegression
      ? `Best C = ${formatGeneral(best.C, 6)} Best p = ${formatGeneral(best.epsilon ?? 0, 6)}  CV MSE = ${score}\n`
      : `Best C = ${formatGeneral(best.C, 6)}  CV accuracy = ${score}%\n`,
  );
}

function classSearch(
  x: Matrix,
  y: Float64Array,
  { method, C, weights }: Parameters,
  options: object,
  console: Console,
): ReturnType<typeof liblinearSearch> {
  const { labels, numbers } = orderedClasses(y);
  const classWeight = costsByNumber(labels, classCosts(labels, C, weights, console.err));
  const all = { ...options, classWeight, multiClass: "ovr" as const };
  return method.type === "L2R_LR" ? liblinearSearch(LogisticRegression, x, numbers, all) : liblinearSearch(LinearSVC, x, numbers, all);
}

function lineOf(point: SearchedPoint): string {
  const power = (log(point.C) / Math.LN2).toFixed(2).padStart(7);
  if (point.epsilon === undefined) return `log2c=${power}\trate=${shownScore(point)}\n`;
  return `log2c=${power}\tp=${point.epsilon.toFixed(2).padStart(7)}\tMean squared error=${shownScore(point)}\n`;
}

/** Of classes in percent. */
function shownScore({ epsilon, score }: SearchedPoint): string {
  return formatGeneral(epsilon === undefined ? score * 100 : score, 6);
}
