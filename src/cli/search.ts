// hinge search: the best C, gamma and so on by cross-validation over a grid, and the model of them.

import { basename } from "node:path";
import { Command } from "commander";
import { HingeError } from "../base/errors.js";
import { type Grid, type SearchedName, type SearchProgress, searchedNames } from "../base/options/search.js";
import { logRange, search } from "../index.js";
import { checkWritable } from "../runtime/runtime.js";
import { type Console, interruptible, live } from "./console.js";
import { allFields, ESTIMATOR_HELP, estimatorName, estimators, learnerOn } from "./estimators.js";
import { addFlags, checkFlags, flagOf, optionsFrom } from "./flags.js";
import { addInputFlags, DATA_HELP, inputFlags, labelsOf, readInput } from "./input.js";
import { brief, counted, grouped, line, seconds } from "./text.js";
import { sizeOf } from "./train.js";

const GRID_HELP = "what to try, a:b:n for n values from a to b that are even in the exponent, or values with commas";
/** What is tried if nothing is said. */
const usual: Readonly<Record<"linear" | "kernel", Grid>> = {
  linear: { C: logRange(2 ** -5, 2 ** 5, 11) },
  kernel: { C: logRange(2 ** -5, 2 ** 15, 11), gamma: logRange(2 ** -15, 2 ** 3, 10) },
};

export function searchCommand(console: Console): Command {
  const command = new Command("search")
    .description("Find the best options over a grid by cross-validation, and write down the model of them.")
    .argument("<data>", DATA_HELP)
    .argument("[model]", "where to write the model of the best point (default: the data file's name + .model.json, here)")
    .option("--estimator <name>", ESTIMATOR_HELP);
  for (const name of searchedNames) command.option(`${flagOf(name)}-grid <values>`, `${name}: ${GRID_HELP}`);
  command
    .option("--folds <count>", "parts of the cross-validation (default 5)")
    .option("--refine <count>", "how often to look again around the best point (default 0)");
  addFlags(command, allFields());
  addInputFlags(command);
  command.option("--json", "print one JSON object on stdout, with all points").option("--quiet", "print the best point only");
  command.addHelpText(
    "after",
    "\nWithout a grid: 11 values of C from 2^-5 to 2^5 for linear estimators; with a kernel 11 of C from 2^-5 to 2^15 by 10 of gamma from 2^-15 to 2^3.",
  );
  return command.action((data: string, model: string | undefined, given: Record<string, unknown>) => run(console, data, model, given));
}

async function run(console: Console, dataPath: string, modelPath: string | undefined, given: Record<string, unknown>): Promise<void> {
  const name = estimatorName(given.estimator);
  const estimator = estimators[name];
  const options = optionsFrom(given, allFields());
  checkFlags(estimator.options, options);
  const grid = gridFrom(given, Object.keys(estimator.options.fields), options);
  const target = modelPath ?? `${dataPath === "-" ? "stdin" : basename(dataPath)}.model.json`;
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

/** The grid that the flags say, else the usual one of this estimator without what was given as a single value. */
function gridFrom(given: Record<string, unknown>, fields: readonly string[], options: Record<string, unknown>): Grid {
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
