// The folds of cross-validation by the flags of the command line.

import type { Command } from "commander";
import { HingeError } from "../base/errors.js";
import { foldOptions } from "../base/options/folds.js";
import { custom, oneOf, table } from "../base/options/table.js";
import type { Trainable } from "./estimators.js";
import { checkFlags, plainValue } from "./flags.js";

type Kind = "plain" | "stratified";

const foldFlags = table("folds", {
  folds: foldOptions.fields.count,
  foldsKind: custom<Kind, Kind | undefined>({
    ...oneOf(["plain", "stratified"], { default: "plain", help: "" }),
    default: undefined,
    help: "plain: any row anywhere; stratified: every class spread evenly (default stratified for classes, plain for numbers)",
  }),
});

export function addFoldFlags(command: Command): void {
  command
    .option("--folds <count>", "how many parts the rows are cut into; each is predicted by a model of the others (default 5)")
    .option("--folds-kind <name>", foldFlags.fields.foldsKind.help);
}

/** The folds that the flags say; with them, `options` of the fits that no fold can have are refused. */
export function foldsFrom(
  given: Readonly<Record<string, unknown>>,
  estimator: Trainable,
  options: Readonly<Record<string, unknown>>,
): { count: number; kind: Kind | undefined } {
  const { folds: count, foldsKind: kind } = checkFlags(foldFlags, { folds: plainValue(given.folds), foldsKind: given.foldsKind });
  if (kind === "stratified" && estimator.checkSave === undefined)
    throw new HingeError("bad-option", "--folds-kind stratified spreads classes, and this estimator learns none; use plain");
  if (options.keepState !== undefined) throw new HingeError("bad-option", "--keep-state is for hinge train: models of folds are not kept");
  return { count, kind };
}

const inFlags: readonly (readonly [said: RegExp, flag: string])[] = [
  [/^count must be/, "--folds must be"],
  [/use count: (\d+)/, "use --folds $1"],
  [/kind: "plain"/, "--folds-kind plain"],
  [/^scoring: "([\w-]+)"/, "--scoring $1"],
  [/only LogisticRegression has/, "only --estimator logistic-regression has"],
];

/** What the library says of folds and scores once it sees the rows, in the words of the flags. */
export async function withFoldFlags<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HingeError)) throw error;
    const message = inFlags.reduce((text, [said, flag]) => text.replace(said, flag), error.message);
    throw message === error.message ? error : new HingeError(error.code, message);
  }
}
