// hinge cv: how well a model would do on rows it has not seen, by cross-validation.

import { Command } from "commander";
import { HingeError } from "../base/errors.js";
import { crossValidateOptions, scoringNames } from "../base/options/cross-validate.js";
import { counted } from "../base/words.js";
import { crossValidate } from "../index.js";
import { type Console, INTERRUPTED, interruptible, live } from "./console.js";
import { allFields, ESTIMATOR_HELP, estimators, learnerOn, testedName } from "./estimators.js";
import { addFlags, checkFlags, optionsFrom } from "./flags.js";
import { addFoldFlags, foldsFrom, withFoldFlags } from "./folds.js";
import { addInputFlags, DATA_HELP, inputFlags, labelsOf, sizeOf } from "./input.js";
import { foldText, readLive } from "./progress.js";
import { brief, line } from "./text.js";

export function cvCommand(console: Console): Command {
  const command = new Command("cv")
    .description("Tell how well a model would do on rows that it has not seen, by cross-validation.")
    .argument("<data>", DATA_HELP)
    .option("--estimator <name>", ESTIMATOR_HELP);
  addFoldFlags(command);
  command.option("--scoring <name>", `what is scored: ${scoringNames.join(", ")} (default accuracy, or r2 of a regression)`);
  addFlags(command, allFields());
  addInputFlags(command);
  command.option("--json", "print one JSON object on stdout").option("--quiet", "print the score only");
  return command.action((data: string, given: Record<string, unknown>) => cv(console, data, given));
}

async function cv(console: Console, dataPath: string, given: Record<string, unknown>): Promise<void> {
  const name = testedName(given.estimator);
  const estimator = estimators[name];
  const { threads, seed, timeLimitSeconds, ...options } = optionsFrom(given, allFields());
  checkFlags(estimator.options, options);
  const own = { folds: foldsFrom(given, estimator, options), scoring: given.scoring, threads, seed, timeLimitSeconds };
  const asked = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  checkFlags(crossValidateOptions, asked);
  const flags = inputFlags(dataPath, given);
  const started = performance.now();
  const input = await readLive(console, dataPath, flags, { threads: threads as number | undefined, isQuiet: given.quiet === true });
  const y = labelsOf(input);
  const told = given.json === true || given.quiet === true ? () => undefined : console.out;
  told(line("read", sizeOf(input), (performance.now() - started) / 1000));
  const begun = performance.now();
  const shown = live(console, foldText);
  const settings = { ...options, ...asked, ...(given.quiet !== true && { onFold: shown.update }) };
  const learner = learnerOn(estimator, name, input) as never;
  const run = (signal: AbortSignal) => crossValidate(learner, input.x as never, y as never, { ...settings, signal } as never);
  const result = await withFoldFlags(() => interruptible(run)).finally(shown.end);
  const seconds = (performance.now() - begun) / 1000;
  const { score, mean, deviation, folds, ending } = result;
  if (folds.length === 0) {
    if (ending !== "aborted")
      throw new HingeError("bad-input", "--time-limit-seconds was over before a single fold was done; give it more");
    console.err("interrupted before a single fold was done: there is no score\n");
    console.exit(INTERRUPTED);
    return;
  }
  told(line("folds", folds.map((fold) => brief(fold.score)).join(" ")));
  told(line("score", `${brief(score)} of all rows; ${brief(mean)} ± ${brief(deviation)} over ${counted(folds.length, "fold")}`, seconds));
  if (ending !== "complete") told(line("", `not all folds are done: ${ending}`));
  if (given.quiet === true && given.json !== true) console.out(`${score}\n`);
  if (given.json === true)
    console.out(`${JSON.stringify({ data: dataPath, score, mean, deviation, folds: folds.map((fold) => fold.score), ending, seconds })}\n`);
  if (ending === "aborted") console.exit(INTERRUPTED);
}
