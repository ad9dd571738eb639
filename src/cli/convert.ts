// hinge convert: a model file in another format.

import { Command } from "commander";
import { load } from "../index.js";
import { checkWritable } from "../runtime/runtime.js";
import type { Console } from "./console.js";
import { holdsEstimates } from "./libsvm-estimates.js";
import { line } from "./text.js";

export function convertCommand(console: Console): Command {
  return new Command("convert")
    .description("Write a model file in another format: hinge's JSON, LIBLINEAR's or LIBSVM's.")
    .argument("<model>", "model file of hinge, LIBLINEAR or LIBSVM")
    .argument(
      "<out>",
      "where to write it: JSON if it ends in .json, otherwise LIBLINEAR's format for linear models and LIBSVM's for those with a kernel",
    )
    .option("--quiet", "print nothing but complaints")
    .action((model: string, out: string, given: Record<string, unknown>) => convert(console, model, out, given));
}

async function convert(console: Console, modelPath: string, outPath: string, given: Record<string, unknown>): Promise<void> {
  const model = await load(modelPath);
  await checkWritable(outPath);
  const loses = await holdsEstimates(modelPath);
  await model.save(outPath);
  if (loses)
    console.err(
      `${outPath} has no probability estimates: those in ${modelPath} are LIBSVM's own, which hinge svm-predict -b 1 reads there\n`,
    );
  if (given.quiet !== true) console.out(line("wrote", outPath));
}
