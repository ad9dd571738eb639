// hinge predict: labels for the rows of a data file.

import { Command } from "commander";
import { HingeError, LinearClassifier, load, readSvmlight } from "../index.js";
import { checkWritable, writeAtomic } from "../runtime/runtime.js";
import type { Console } from "./console.js";
import { line, percent } from "./text.js";
import { indexBase } from "./train.js";

export function predictCommand(console: Console): Command {
  return new Command("predict")
    .description("Predict the labels of a data file and compare them with its own.")
    .argument("<data>", "svmlight file; its labels are only used for the accuracy")
    .argument("<model>", "model file of hinge or LIBLINEAR")
    .argument("[out]", "where to write the labels, one a line (default: stdout)")
    .option("--index-base <base>", "number of the first feature in the file; 0 or 1 (default 1)")
    .option("--json", "print one JSON object on stdout, with the labels unless they go to a file")
    .action((data: string, model: string, out: string | undefined, given: Record<string, unknown>) =>
      predict(console, data, model, out, given),
    );
}

async function predict(
  console: Console,
  dataPath: string,
  modelPath: string,
  outPath: string | undefined,
  given: Record<string, unknown>,
): Promise<void> {
  const base = indexBase(given.indexBase);
  if (outPath !== undefined) await checkWritable(outPath);
  const model = await load(modelPath);
  if (!(model instanceof LinearClassifier)) {
    throw new HingeError("bad-model", `${modelPath}: this is no model but a scaler; hinge predict needs what hinge train wrote`);
  }
  const { x, y } = await readSvmlight(dataPath, { indexBase: base });
  const started = performance.now();
  const labels = await model.predict(x);
  const seconds = (performance.now() - started) / 1000;
  const right = labels.reduce((count: number, label, i) => count + (String(label) === String(y[i]) ? 1 : 0), 0);
  const text = labels.map((label) => `${label}\n`).join("");
  if (outPath !== undefined) await writeAtomic(outPath, new TextEncoder().encode(text));

  const summary = line("accuracy", percent(right, labels.length), seconds);
  if (given.json === true) {
    const destination = outPath === undefined ? { labels } : { out: outPath };
    console.out(
      `${JSON.stringify({ data: dataPath, model: modelPath, rowCount: labels.length, right, accuracy: right / labels.length, seconds, ...destination })}\n`,
    );
  } else if (outPath === undefined) {
    console.out(text);
    console.err(summary);
  } else {
    console.out(summary + line("wrote", outPath));
  }
}
