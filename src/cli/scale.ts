// hinge scale: the features of a data file brought to one size, by ranges that are learnt once and kept for further files.

import { Command } from "commander";
import { HingeError } from "../base/errors.js";
import { suggestion } from "../base/nearest.js";
import { load, type Matrix, MaxAbsScaler, MinMaxScaler, Normalizer, StandardScaler, writeSvmlight } from "../index.js";
import { checkWritable, writeAtomic } from "../runtime/runtime.js";
import type { Console } from "./console.js";
import { addInputFlags, DATA_HELP, inputFlags, readInput, sizeOf } from "./input.js";
import { line } from "./text.js";

const scalers = { "min-max": MinMaxScaler, standard: StandardScaler, "max-abs": MaxAbsScaler, normalizer: Normalizer } as const;
type Scaler = MinMaxScaler | StandardScaler | MaxAbsScaler | Normalizer;

export function scaleCommand(console: Console): Command {
  const command = new Command("scale")
    .description("Scale the features of a svmlight file; learn the scaling once, use it for further files.")
    .argument("<data>", DATA_HELP)
    .argument("[out]", "where to write the scaled rows, as svmlight (default: stdout)")
    .option("--scaler <name>", `how: ${Object.keys(scalers).join(", ")} (default max-abs, which keeps zeros)`)
    .option("--save <file>", "keep the scaling in this file, which must end in .json")
    .option("--with <file>", "take the scaling from this file, instead of learning it from these rows")
    .option("--dense", "let scaling move zeros, which makes sparse rows dense");
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
  if (given.with !== undefined && (given.scaler !== undefined || given.save !== undefined))
    throw new HingeError("bad-option", "--with takes a scaling that is there already; --scaler and --save are for learning one");
  for (const path of [outPath, given.save as string | undefined]) if (path !== undefined) await checkWritable(path);
  const input = await readInput(dataPath, inputFlags(dataPath, given));
  if (input.kind === "table")
    throw new HingeError(
      "bad-option",
      "hinge scale takes svmlight files; the columns of a table are scaled by hinge train, which keeps the scaling with the model",
    );
  const scaler = given.with === undefined ? await learnt(name, input.x, given.dense === true) : await kept(String(given.with));
  const scaled = await scaler.transform(input.x);
  if (given.save !== undefined) await scaler.save(String(given.save));
  const bytes = writeSvmlight(scaled, input.y, { indexBase: inputFlags(dataPath, given).indexBase });
  if (outPath === undefined) console.out(new TextDecoder().decode(bytes));
  else await writeAtomic(outPath, bytes);
  if (given.quiet !== true && outPath !== undefined) console.out(line("scaled", sizeOf(input)) + line("wrote", outPath));
}

function learnt(name: keyof typeof scalers, x: Matrix, dense: boolean): Promise<Scaler> {
  const options = dense && (name === "min-max" || name === "standard") ? { dense } : {};
  return scalers[name].fit(x, options as never);
}

async function kept(path: string): Promise<Scaler> {
  const loaded: unknown = await load(path);
  const found = Object.values(scalers).find((kind) => loaded instanceof kind);
  if (found === undefined) throw new HingeError("bad-model", `${path}: this is no scaler; --with takes what --save wrote`);
  return loaded as Scaler;
}
