// hinge predict: labels, or numbers, for the rows of a data file.

import { Command } from "commander";
import { predictOptions } from "../base/options/data.js";
import {
  HingeError,
  KernelClassifier,
  KernelRegressor,
  LinearClassifier,
  LinearOneClassSVM,
  LinearSVR,
  type Loaded,
  load,
  type Matrix,
  meanSquaredError,
  OneClassSVM,
  type PredictOptions,
  r2,
  readSvmlight,
} from "../index.js";
import { checkWritable, writeAtomic } from "../runtime/runtime.js";
import type { Console } from "./console.js";
import { addFlags, checkFlags, type Fields, optionsFrom } from "./flags.js";
import { brief, line, percent } from "./text.js";
import { indexBase } from "./train.js";

const fields = predictOptions.fields as unknown as Fields;

export function predictCommand(console: Console): Command {
  const command = new Command("predict")
    .description("Predict the labels or targets of a data file and compare them with its own.")
    .argument("<data>", "svmlight file; its labels or targets are only used for the comparison")
    .argument("<model>", "model file of hinge, LIBLINEAR or LIBSVM")
    .argument("[out]", "where to write the predictions, one a line (default: stdout)")
    .option("--index-base <base>", "number of the first feature in the file; 0 or 1 (default 1)")
    .option("--json", "print one JSON object on stdout, with the predictions unless they go to a file");
  addFlags(command, fields);
  return command.action((data: string, model: string, out: string | undefined, given: Record<string, unknown>) =>
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
  const options = checkFlags(predictOptions, optionsFrom(given, fields));
  if (outPath !== undefined) await checkWritable(outPath);
  // Workers read the rows while this thread reads the model. If both are wrong, the model is what is complained about.
  const reading = readSvmlight(dataPath, { indexBase: base, ...options });
  reading.catch(() => undefined);
  const model = await load(modelPath);
  const { x, y } = await reading;
  const started = performance.now();
  const { predicted, figures, shown } = await compared(model, x, y, modelPath, options);
  const seconds = (performance.now() - started) / 1000;
  const text = Array.from(predicted, (value) => `${value}\n`).join("");
  if (outPath !== undefined) await writeAtomic(outPath, new TextEncoder().encode(text));

  const summary = line(shown[0], shown[1], seconds);
  if (given.json === true) {
    const destination = outPath === undefined ? { labels: Array.from(predicted as ArrayLike<unknown>) } : { out: outPath };
    console.out(
      `${JSON.stringify({ data: dataPath, model: modelPath, rowCount: predicted.length, ...figures, seconds, ...destination })}\n`,
    );
  } else if (outPath === undefined) {
    console.out(text);
    console.err(summary);
  } else {
    console.out(summary + line("wrote", outPath));
  }
}

interface Comparison {
  readonly predicted: ArrayLike<unknown>;
  /** For --json. */
  readonly figures: Readonly<Record<string, number>>;
  /** The one that a reader wants first, with its name. */
  readonly shown: readonly [name: string, figure: string];
}

/** Predictions beside what the file says: the share of right labels, or how far numbers are off. */
async function compared(model: Loaded, x: Matrix, y: Float64Array, modelPath: string, options: PredictOptions): Promise<Comparison> {
  if (model instanceof LinearSVR || model instanceof KernelRegressor) {
    const predicted = await model.predict(x, options);
    const figures = { meanSquaredError: meanSquaredError(y, predicted), score: r2(y, predicted) };
    return { predicted, figures, shown: ["error", `mean squared ${brief(figures.meanSquaredError)}, R^2 ${brief(figures.score)}`] };
  }
  if (
    !(
      model instanceof LinearClassifier ||
      model instanceof LinearOneClassSVM ||
      model instanceof KernelClassifier ||
      model instanceof OneClassSVM
    )
  ) {
    throw new HingeError("bad-model", `${modelPath}: this is no model but a scaler; hinge predict needs what hinge train wrote`);
  }
  const predicted: ArrayLike<unknown> = await model.predict(x, options);
  let right = 0;
  for (let i = 0; i < predicted.length; i++) if (String(predicted[i]) === String(y[i])) right++;
  return { predicted, figures: { right, accuracy: right / predicted.length }, shown: ["accuracy", percent(right, predicted.length)] };
}
