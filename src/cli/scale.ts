// hinge scale: the features of a data file brought to one size, by ranges that are learnt once and kept for further files.

import { Command } from "commander";
import { HingeError } from "../base/errors.js";
import { suggestion } from "../base/nearest.js";
import { load, MaxAbsScaler, MinMaxScaler, Normalizer, StandardScaler, writeSvmlight } from "../index.js";
import { checkWritable, writeAtomic } from "../runtime/runtime.js";
import type { Console } from "./console.js";
import { flagOf, plainValue } from "./flags.js";
import { addInputFlags, DATA_HELP, type Input, type InputFlags, inputFlags, readInput, sizeOf } from "./input.js";
import { line } from "./text.js";

const scalers = { "min-max": MinMaxScaler, standard: StandardScaler, "max-abs": MaxAbsScaler, normalizer: Normalizer } as const;
type Scaler = MinMaxScaler | StandardScaler | MaxAbsScaler | Normalizer;

export function scaleCommand(console: Console): Command {
  const command = new Command("scale")
    .description("Scale the features of a svmlight file; learn the scaling once, use it for further files.")
    .argument("<data>", DATA_HELP)
    .argument("[out]", "where to write the scaled rows, as svmlight (default: stdout)")
    .option("--scaler <name>", `how: ${Object.keys(scalers).join(", ")} (default max-abs, which keeps zeros)`)
    .option("--lower <value>", "of min-max: what the smallest value of a feature becomes (default 0)")
    .option("--upper <value>", "of min-max: what the largest value of a feature becomes (default 1)")
    .option("--save <file>", "keep the scaling in this file, which must end in .json")
    .option("--with <file>", "take the scaling from this file, instead of learning it from these rows")
    .option("--dense", "of min-max and standard: let scaling move zeros, which makes sparse rows dense");
  addInputFlags(command);
  command.option("--quiet", "print nothing but the rows, if they go to stdout, and complaints");
  return command.action((data: string, out: string | undefined, given: Record<string, unknown>) => scale(console, data, out, given));
}

async function scale(console: Console, dataPath: string, outPath: string | undefined, given: Record<string, unknown>): Promise<void> {
  const name = (given.scaler ?? "max-abs") as keyof typeof scalers;
  if (!Object.hasOwn(scalers, name))
    throw new HingeError(
      "bad-option",
      `--scaler must be ${Object.keys(scalers).join(", ")}, got ${JSON.stringify(name)}${suggestion(name, Object.keys(scalers))}`,
    );
  const learning = ["scaler", "save", "lower", "upper", "dense"].filter((key) => given[key] !== undefined).map(flagOf);
  if (given.with !== undefined && learning.length > 0)
    throw new HingeError("bad-option", `--with takes a scaling that is there already, and learns none; leave out ${learning.join(", ")}`);
  const options = optionsOf(name, given);
  const flags = inputFlags(dataPath, given);
  if (flags.format !== "svmlight")
    throw new HingeError(
      "bad-option",
      "hinge scale takes svmlight files; the columns of a table are scaled by hinge train, which keeps the scaling with the model",
    );
  for (const path of [outPath, given.save as string | undefined]) if (path !== undefined) await checkWritable(path);
  const input = (await readInput(dataPath, flags)) as Input & { kind: "rows" };
  const scaler =
    given.with === undefined ? await inFlags<Scaler>(scalers[name].fit(input.x, options), flags) : await kept(String(given.with));
  const scaled = await inFlags(scaler.transform(input.x), flags);
  if (given.save !== undefined) await scaler.save(String(given.save));
  const bytes = writeSvmlight(scaled, input.y, { indexBase: flags.indexBase });
  if (outPath === undefined) console.out(new TextDecoder().decode(bytes));
  else await writeAtomic(outPath, bytes);
  if (given.quiet !== true && outPath !== undefined) console.out(line("scaled", sizeOf(input)) + line("wrote", outPath));
}

/** The options of the scaler that the flags say; those that it does not have are refused. */
function optionsOf(name: keyof typeof scalers, given: Readonly<Record<string, unknown>>): object {
  const [lower, upper] = [plainValue(given.lower ?? 0), plainValue(given.upper ?? 1)];
  const hasRange = given.lower !== undefined || given.upper !== undefined;
  if (hasRange && name !== "min-max") throw new HingeError("bad-option", `--lower and --upper are for --scaler min-max, this is ${name}`);
  for (const [flag, value] of Object.entries({ "--lower": lower, "--upper": upper }))
    if (!Number.isFinite(Math.fround(value as number)) || typeof value !== "number")
      throw HingeError.option(flag, "a finite number", value);
  if (Math.fround(lower as number) >= Math.fround(upper as number))
    throw new HingeError("bad-option", `--lower must be below --upper, got ${lower} and ${upper}`);
  if (given.dense === true && name !== "min-max" && name !== "standard")
    throw new HingeError("bad-option", `--dense is for --scaler min-max and standard; ${name} keeps zeros anyway`);
  return { ...(given.dense === true && { dense: true }), ...(hasRange && { featureRange: [lower, upper] }) };
}

/** What the scalers say of sparse rows in the words of the flags, with features counted as the file does. */
async function inFlags<T>(work: Promise<T>, { indexBase }: InputFlags): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const refused =
      error instanceof HingeError ? /^(MinMax|Standard)Scaler (would make sparse rows dense.*); use/.exec(error.message) : null;
    if (refused === null) throw error;
    const isMinMax = refused[1] === "MinMax";
    const why = (refused[2] as string).replace(/feature (\d+)/, (_, j: string) => `feature ${Number(j) + indexBase}`);
    const instead = `${isMinMax ? "--lower and --upper that keep 0, " : ""}--scaler max-abs, which keeps zeros, or --dense`;
    throw new HingeError("bad-option", `the scaler ${isMinMax ? "min-max" : "standard"} ${why}; learn it with ${instead}`);
  }
}

async function kept(path: string): Promise<Scaler> {
  const loaded: unknown = await load(path);
  const found = Object.values(scalers).find((kind) => loaded instanceof kind);
  if (found === undefined) throw new HingeError("bad-model", `${path}: this is no scaler; --with takes what --save wrote`);
  return loaded as Scaler;
}
