// hinge search: the best C, gamma and so on by cross-validation over a grid, and the model of them.

import { Command } from "commander";
import { HingeError } from "../base/errors.js";
import type { SearchProgress } from "../base/options/search.js";
import { counted, grouped } from "../base/words.js";
import { search } from "../index.js";
import { checkWritable } from "../runtime/runtime.js";
import { type Console, interruptible, live } from "./console.js";
import { allFields, ESTIMATOR_HELP, estimatorName, estimators, learnerOn } from "./estimators.js";
import { addFlags, checkFlags, optionsFrom } from "./flags.js";
import { addGridFlags, gridFrom, USUAL_HELP } from "./grid.js";
import { addInputFlags, besideName, DATA_HELP, inputFlags, labelsOf, readInput, sizeOf } from "./input.js";
import { brief, line, seconds } from "./text.js";

export function searchCommand(console: Console): Command {
  const command = new Command("search")
    .description("Find the best options over a grid by cross-validation, and write down the model of them.")
    .argument("<data>", DATA_HELP)
    .argument("[model]", "where to write the model of the best point (default: the data file's name + .model.json, here)")
    .option("--estimator <name>", ESTIMATOR_HELP);
  addGridFlags(command);
  command
    .option("--folds <count>", "parts of the cross-validation (default 5)")
    .option("--refine <count>", "how often to look again around the best point (default 0)");
  addFlags(command, allFields());
  addInputFlags(command);
  command.option("--json", "print one JSON object on stdout, with all points").option("--quiet", "print the best point only");
  command.addHelpText("after", `\n${USUAL_HELP}`);
  return command.action((data: string, model: string | undefined, given: Record<string, unknown>) => run(console, data, model, given));
}

async function run(console: Console, dataPath: string, modelPath: string | undefined, given: Record<string, unknown>): Promise<void> {
  const name = estimatorName(given.estimator);
  const estimator = estimators[name];
  const options = optionsFrom(given, allFields());
  checkFlags(estimator.options, options);
  const grid = gridFrom(given, Object.keys(estimator.options.fields), options);
  const target = modelPath ?? besideName(dataPath, ".model.json");
  const flags = inputFlags(dataPath, given);
  await checkWritable(target);
  const input = await readInput(dataPath, flags, { threads: options.threads as number | undefined });
  const y = labelsOf(input);
  const told = given.json === true || given.quiet === true ? () => undefined : console.out;
  told(line("read", sizeOf(input)));
  const shown = live(
    console,
    ({ done, total, remainingSeconds }: SearchProgress) =>
      `search    ${grouped(done)} of ${counted(total, "fit")}, ${seconds(remainingSeconds)} left`,
  );
  const own = {
    ...{
      grid,
      ...(given.folds !== undefined && { folds: Number(given.folds) }),
      ...(given.refine !== undefined && { refine: Number(given.refine) }),
    },
    ...(given.quiet !== true && { onProgress: shown.update }),
  };
  const begun = performance.now();
  const { best, points, model, surface } = await interruptible((signal) =>
    search(learnerOn(estimator, name, input) as never, input.x as never, y as never, { ...options, ...own, signal } as never),
  );
  shown.end();
  if (best === undefined) throw new HingeError("bad-input", "stopped before a single point was done");
  const words = Object.entries(best.point).map(([key, value]) => `${key} ${brief(value)}`);
  told(line("search", `${counted(points.length, "point")}, the best ${words.join(", ")}`, (performance.now() - begun) / 1000));
  told(line("", `score ${brief(best.score)} ± ${brief(best.deviation)}`));
  if (given.quiet === true && given.json !== true) console.out(`${words.join(" ")} score ${best.score}\n`);
  if (model !== undefined) {
    await (model as unknown as { save(path: string): Promise<void> }).save(target);
    told(line("wrote", target));
  }
  if (given.json === true) console.out(`${JSON.stringify({ data: dataPath, best, points, surface, model: model && target })}\n`);
  if (model === undefined) console.exit(130);
}
