// hinge cv: how well a model would do on rows it has not seen, by cross-validation.

import { Command } from "commander";
import { crossValidateOptions, scoringNames } from "../base/options/cross-validate.js";
import { counted } from "../base/words.js";
import { crossValidate } from "../index.js";
import { type Console, interruptible } from "./console.js";
import { allFields, ESTIMATOR_HELP, estimatorName, estimators, learnerOn } from "./estimators.js";
import { addFlags, checkFlags, optionsFrom } from "./flags.js";
import { addInputFlags, DATA_HELP, inputFlags, labelsOf, readInput, sizeOf } from "./input.js";
import { brief, line } from "./text.js";

export function cvCommand(console: Console): Command {
  const command = new Command("cv")
    .description("Tell how well a model would do on rows that it has not seen, by cross-validation.")
    .argument("<data>", DATA_HELP)
    .option("--estimator <name>", ESTIMATOR_HELP)
    .option("--folds <count>", "how many parts the rows are cut into; each is predicted by a model of the others (default 5)")
    .option("--scoring <name>", `what is scored: ${scoringNames.join(", ")} (default accuracy, or r2 of a regression)`);
  addFlags(command, allFields());
  addInputFlags(command);
  command.option("--json", "print one JSON object on stdout").option("--quiet", "print the score only");
  return command.action((data: string, given: Record<string, unknown>) => cv(console, data, given));
}

async function cv(console: Console, dataPath: string, given: Record<string, unknown>): Promise<void> {
  const name = estimatorName(given.estimator);
  const estimator = estimators[name];
  const { threads, seed, timeLimitSeconds, ...options } = optionsFrom(given, allFields());
  checkFlags(estimator.options, options);
  const own = { folds: given.folds === undefined ? 5 : Number(given.folds), scoring: given.scoring, threads, seed, timeLimitSeconds };
  const asked = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  checkFlags(crossValidateOptions, asked);
  const flags = inputFlags(dataPath, given);
  const started = performance.now();
  const input = await readInput(dataPath, flags, { threads: threads as number | undefined });
  const y = labelsOf(input);
  const told = given.json === true || given.quiet === true ? () => undefined : console.out;
  told(line("read", sizeOf(input), (performance.now() - started) / 1000));
  const begun = performance.now();
  const result = await interruptible((signal) =>
    crossValidate(learnerOn(estimator, name, input) as never, input.x as never, y as never, { ...options, ...asked, signal } as never),
  );
  const seconds = (performance.now() - begun) / 1000;
  const { score, mean, deviation, folds, ending } = result;
  told(line("folds", folds.map((fold) => brief(fold.score)).join(" ")));
  told(line("score", `${brief(score)} of all rows; ${brief(mean)} ± ${brief(deviation)} over ${counted(folds.length, "fold")}`, seconds));
  if (ending !== "complete") told(line("", `not all folds are done: ${ending}`));
  if (given.quiet === true && given.json !== true) console.out(`${score}\n`);
  if (given.json === true)
    console.out(`${JSON.stringify({ data: dataPath, score, mean, deviation, folds: folds.map((fold) => fold.score), ending, seconds })}\n`);
  if (ending === "aborted") console.exit(130);
}
