// hinge predict: labels, or numbers, for the rows of a data file.

import { Command } from "commander";
import { predictOptions } from "../base/options/data.js";
import { counted } from "../base/words.js";
import {
  CalibratedClassifier,
  HingeError,
  KernelClassifier,
  KernelRegressor,
  LinearClassifier,
  LinearOneClassSVM,
  LinearSVR,
  type Loaded,
  load,
  meanSquaredError,
  OneClassSVM,
  Pipeline,
  type PredictOptions,
  r2,
} from "../index.js";
import { checkWritable, writeAtomic } from "../runtime/runtime.js";
import type { Console } from "./console.js";
import { addFlags, checkFlags, type Fields, optionsFrom } from "./flags.js";
import { addInputFlags, DATA_HELP, type Input, inputFlags, readInput } from "./input.js";
import { brief, line, percent } from "./text.js";

const fields = predictOptions.fields as unknown as Fields;

export function predictCommand(console: Console): Command {
  const command = new Command("predict")
    .description("Predict the labels or targets of a data file and compare them with its own.")
    .argument("<data>", `${DATA_HELP}; its labels or targets are only used for the comparison`)
    .argument("<model>", "model file of hinge, LIBLINEAR or LIBSVM")
    .argument("[out]", "where to write the predictions, one a line (default: stdout)")
    .option("--probabilities", "write the probability of every class behind each label, and their names in the first line")
    .option("--json", "print one JSON object on stdout, with the predictions unless they go to a file")
    .option("--quiet", "print nothing but the predictions, if they go to stdout, and complaints");
  addInputFlags(command);
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
  const flags = inputFlags(dataPath, given);
  const options = checkFlags(predictOptions, optionsFrom(given, fields));
  if (outPath !== undefined) await checkWritable(outPath);
  // Workers read the rows while this thread reads the model. If both are wrong, the model is what is complained about.
  const reading = readInput(dataPath, flags, options);
  reading.catch(() => undefined);
  const model = await load(modelPath);
  const input = await reading;
  const started = performance.now();
  const { predicted, figures, shown } = await compared(model, input, modelPath, options);
  const likely = given.probabilities === true ? await probabilitiesOf(model, input, modelPath, options) : undefined;
  const seconds = (performance.now() - started) / 1000;
  const text = (likely?.head ?? "") + Array.from(predicted, (value, i) => `${value}${likely?.behind(i) ?? ""}\n`).join("");
  if (outPath !== undefined) await writeAtomic(outPath, new TextEncoder().encode(text));

  const summary = line(shown[0], shown[1], seconds);
  if (given.json === true) {
    const destination = outPath === undefined ? { labels: Array.from(predicted as ArrayLike<unknown>) } : { out: outPath };
    console.out(
      `${JSON.stringify({ data: dataPath, model: modelPath, rowCount: predicted.length, ...figures, seconds, ...destination })}\n`,
    );
  } else if (outPath === undefined) {
    console.out(text);
    if (given.quiet !== true) console.err(summary);
  } else if (given.quiet !== true) console.out(summary + line("wrote", outPath));
}

interface Comparison {
  readonly predicted: ArrayLike<unknown>;
  /** For --json; none where the file has nothing to compare with. */
  readonly figures: Readonly<Record<string, number>>;
  /** The one that a reader wants first, with its name. */
  readonly shown: readonly [name: string, figure: string];
}

/** What predicts; a pipeline does it for what it ends in. */
type Predictor = { predict(x: never, options: PredictOptions): Promise<ArrayLike<unknown>> };

/** Predictions beside what the file says: the share of right labels, or how far numbers are off. */
async function compared(model: Loaded, { kind, x, y }: Input, modelPath: string, options: PredictOptions): Promise<Comparison> {
  const last = innermost(model);
  const isRegression = last instanceof LinearSVR || last instanceof KernelRegressor;
  if (!isRegression && !isLabeller(last))
    throw new HingeError("bad-model", `${modelPath}: this is no model but a scaler; hinge predict needs what hinge train wrote`);
  if (kind === "table" && !(model instanceof Pipeline || model instanceof CalibratedClassifier))
    throw new HingeError(
      "bad-model",
      `${modelPath}: this model takes svmlight files, not tables; hinge train on a CSV file makes one that does`,
    );
  const predicted = await (model as unknown as Predictor).predict(x as never, options);
  if (y === undefined) return { predicted, figures: {}, shown: ["predicted", counted(predicted.length, "row")] };
  if (isRegression) {
    const numbers = predicted as Float64Array;
    const figures = { meanSquaredError: meanSquaredError(y as Float64Array, numbers), score: r2(y as Float64Array, numbers) };
    return { predicted, figures, shown: ["error", `mean squared ${brief(figures.meanSquaredError)}, R^2 ${brief(figures.score)}`] };
  }
  let right = 0;
  for (let i = 0; i < predicted.length; i++) if (String(predicted[i]) === String(y[i])) right++;
  return { predicted, figures: { right, accuracy: right / predicted.length }, shown: ["accuracy", percent(right, predicted.length)] };
}

/** What stands behind every label. */
async function probabilitiesOf(
  model: Loaded,
  { x }: Input,
  modelPath: string,
  options: PredictOptions,
): Promise<{ head: string; behind(row: number): string }> {
  const own = model as unknown as { probabilities?(x: never, options: PredictOptions): Promise<Float64Array>; classes: readonly unknown[] };
  if (typeof own.probabilities !== "function")
    throw new HingeError(
      "bad-model",
      `${modelPath}: this model has no probabilities; train with --estimator logistic-regression, or calibrate it`,
    );
  const all = await own.probabilities(x as never, options);
  const count = own.classes.length;
  return {
    head: `label ${own.classes.join(" ")}\n`,
    behind: (i) => Array.from(all.subarray(i * count, (i + 1) * count), (p) => ` ${Number(p.toPrecision(6))}`).join(""),
  };
}

/** What predicts in the end: behind a pipeline, and behind what makes probabilities. */
function innermost(model: Loaded): unknown {
  const own = model instanceof CalibratedClassifier ? model.model : model;
  return own instanceof Pipeline ? own.model : own;
}

function isLabeller(model: unknown): boolean {
  return [LinearClassifier, LinearOneClassSVM, KernelClassifier, OneClassSVM].some((kind) => model instanceof kind);
}
