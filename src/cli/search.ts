// hinge search: the best C, gamma and so on by cross-validation over a grid, and the model of them.

import { Command } from "commander";
import { counted } from "../base/words.js";
import { type Console, INTERRUPTED, interruptible, live } from "./console.js";
import { allFields, ESTIMATOR_HELP, estimators, fitOn, type Trainable, testedName } from "./estimators.js";
import { addFlags, checkFlags, optionsFrom } from "./flags.js";
import { addGridFlags, planFrom, searched, USUAL_HELP } from "./grid.js";
import { addInputFlags, besideName, DATA_HELP, inputFlags, labelsOf, sizeOf } from "./input.js";
import { fitText, readLive } from "./progress.js";
import { checkLabelsFor, checkTarget } from "./target.js";
import { brief, line } from "./text.js";

export function searchCommand(console: Console): Command {
  const command = new Command("search")
    .description("Find the best options over a grid by cross-validation, and write down the model of them.")
    .argument("<data>", DATA_HELP)
    .argument("[model]", "where to write the model of the best point (default: the data file's name + .model.json, here)")
    .option("--estimator <name>", ESTIMATOR_HELP);
  addGridFlags(command);
  addFlags(command, allFields());
  addInputFlags(command);
  command.option("--json", "print one JSON object on stdout, with all points").option("--quiet", "print the best point only");
  command.addHelpText(
    "after",
    `\n${USUAL_HELP}\nCtrl-C and --time-limit-seconds end the search with the best point so far, whose model is written.`,
  );
  return command.action((data: string, model: string | undefined, given: Record<string, unknown>) => run(console, data, model, given));
}

async function run(console: Console, dataPath: string, modelPath: string | undefined, given: Record<string, unknown>): Promise<void> {
  const name = testedName(given.estimator);
  const estimator: Trainable = estimators[name];
  const options = optionsFrom(given, allFields());
  const settings = checkFlags(estimator.options, options);
  const plan = planFrom(given, estimator, options);
  const target = modelPath ?? besideName(dataPath, ".model.json");
  const flags = inputFlags(dataPath, given);
  await checkTarget(target, flags, options);
  const input = await readLive(console, dataPath, flags, { threads: settings.threads, isQuiet: given.quiet === true });
  labelsOf(input);
  checkLabelsFor(target, estimator, input, settings);
  const isQuiet = given.quiet === true;
  const told = given.json === true || isQuiet ? () => undefined : console.out;
  told(line("read", sizeOf(input)));

  const begun = performance.now();
  const found = await searched(console, name, input, options, { plan, isQuiet });
  if (found === undefined) return;
  const { best, points, surface, ending } = found;
  const took = (performance.now() - begun) / 1000;
  const words = Object.entries(best.point).map(([key, value]) => `${key} ${brief(value)}`);
  told(line("search", `${counted(points.length, "point")}, the best ${words.join(", ")}`, took));
  if (ending !== "complete")
    told(line("", `not all points are done: ${ending === "aborted" ? "interrupted" : "the time limit was reached"}`));
  told(line("", `score ${brief(best.score)} ± ${brief(best.deviation)}`));

  const shown = live(console, fitText(estimator.unit, settings.tolerance));
  const trained = (signal?: AbortSignal) =>
    fitOn(estimator, name, input, {
      ...{
        ...options,
        ...best.point,
        signal,
        timeLimitSeconds: ending === "complete" ? leftOf(options.timeLimitSeconds, took) : undefined,
      },
      ...(!isQuiet && { onProgress: shown.update }),
    });
  // After one Ctrl-C the next is not for us: it leaves at once.
  const model = await (ending === "aborted" ? trained() : interruptible(trained)).finally(shown.end);
  const { status } = model.report;
  await model.save(target);
  if (status !== "converged") told(line("train", `not converged (${status})`));
  told(line("wrote", target));
  if (isQuiet && given.json !== true) console.out(`${words.join(" ")} score ${best.score}\n`);
  if (given.json === true) console.out(`${JSON.stringify({ data: dataPath, best, points, surface, ending, status, model: target })}\n`);
  if (ending === "aborted" || status === "aborted") console.exit(INTERRUPTED);
}

/** What the search has left of the time that was given for all. */
function leftOf(limit: unknown, took: number): number | undefined {
  return limit === undefined ? undefined : Math.max(0, (limit as number) - took);
}
