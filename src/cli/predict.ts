// hinge predict: labels, or numbers, for the rows of a data file.

import { Command } from "commander";
import { predictOptions } from "../base/options/data.js";
import { counted } from "../base/words.js";
import {
  HingeError,
  KernelClassifier,
  LinearClassifier,
  LinearOneClassSVM,
  type Loaded,
  load,
  meanSquaredError,
  OneClassSVM,
  type PredictOptions,
  r2,
} from "../index.js";
import { checkWritable, writeAtomic } from "../runtime/runtime.js";
import type { Console } from "./console.js";
import { addFlags, checkFlags, type Fields, optionsFrom } from "./flags.js";
import { addInputFlags, DATA_HELP, type Input, inputFlags, readInput } from "./input.js";
import { holdsEstimates } from "./libsvm-estimates.js";
import { checkTakes, innermost, isRegression, knownOf } from "./model-input.js";
import { prepareFor } from "./prepare.js";
import { brief, line, percent } from "./text.js";

const fields = predictOptions.fields as unknown as Fields;

export function predictCommand(console: Console): Command {
  const command = new Command("predict")
    .description("Predict the labels or targets of a data file and compare them with its own.")
    .argument("<data>", `${DATA_HELP}; its labels or targets are only used for the comparison`)
    .argument("<model>", "model file of hinge, LIBLINEAR or LIBSVM")
    .argument("[out]", "where to write the predictions, one a line (default, and -: stdout)")
    .option("--probabilities", "write the probability of every class behind each label, and their names in the first line")
    .option("--json", "print one JSON object on stdout, with the predictions, and the probabilities asked for, unless they go to a file")
    .option("--quiet", "print nothing but the predictions, if they go to stdout, and complaints");
  addInputFlags(command, { hasModel: true });
  addFlags(command, fields);
  return command.action((data: string, model: string, out: string | undefined, given: Record<string, unknown>) =>
    predict(console, data, model, out === "-" ? undefined : out, given),
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
  await prepareFor([dataPath, modelPath], options.threads);
  // Workers read svmlight rows while this thread reads the model; how a table is read, the model says. If both are wrong, the model is what is complained about.
  const reading = flags.format === "svmlight" ? readInput(dataPath, flags, options) : undefined;
  reading?.catch(() => undefined);
  const model = await load(modelPath);
  if (!isPredictor(model))
    throw new HingeError("bad-model", `${modelPath}: this is no model but a scaler; hinge predict needs what hinge train wrote`);
  checkTakes(model, modelPath, dataPath, flags);
  if (given.probabilities === true) await checkProbabilities(model, modelPath);
  const input = await (reading ?? readInput(dataPath, flags, { ...options, known: knownOf(model) }));
  const started = performance.now();
  const { predicted, figures, shown } = await compared(model, input, options);
  const likely = given.probabilities === true ? await probabilitiesOf(model, input, options) : undefined;
  const seconds = (performance.now() - started) / 1000;
  const text =
    (likely === undefined ? "" : `label ${likely.classes.join(" ")}\n`) +
    Array.from(predicted, (value, i) => `${value}${behind(likely, i)}\n`).join("");
  if (outPath !== undefined) await writeAtomic(outPath, new TextEncoder().encode(text));

  const summary = line(shown[0], shown[1], seconds);
  if (given.json === true) {
    const destination = outPath === undefined ? { labels: Array.from(predicted as ArrayLike<unknown>), ...likely } : { out: outPath };
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
async function compared(model: Loaded, { x, y }: Input, options: PredictOptions): Promise<Comparison> {
  const predicted = await (model as unknown as Predictor).predict(x as never, options);
  if (y === undefined) return { predicted, figures: {}, shown: ["predicted", counted(predicted.length, "row")] };
  if (isRegression(model)) {
    const numbers = predicted as Float64Array;
    const figures = { meanSquaredError: meanSquaredError(y as Float64Array, numbers), score: r2(y as Float64Array, numbers) };
    return { predicted, figures, shown: ["error", `mean squared ${brief(figures.meanSquaredError)}, R^2 ${brief(figures.score)}`] };
  }
  let right = 0;
  for (let i = 0; i < predicted.length; i++) if (isSame(predicted[i], y[i])) right++;
  return { predicted, figures: { right, accuracy: right / predicted.length }, shown: ["accuracy", percent(right, predicted.length)] };
}

/** A label of numbers is the same however the file writes it. */
function isSame(predicted: unknown, label: unknown): boolean {
  const isWritten = typeof predicted === "number" && typeof label === "string" && label.trim() !== "";
  return isWritten ? predicted === Number(label) : String(predicted) === String(label);
}

interface Likely {
  readonly classes: readonly unknown[];
  /** Of every row the probability of each class. */
  readonly probabilities: readonly (readonly number[])[];
}

type WithProbabilities = { probabilities?(x: never, options: PredictOptions): Promise<Float64Array>; readonly classes: readonly unknown[] };

/** Throws if there are none to be had. */
async function checkProbabilities(model: Loaded, modelPath: string): Promise<void> {
  if (typeof (model as unknown as WithProbabilities).probabilities === "function") return;
  const remedy = (await holdsEstimates(modelPath))
    ? "LIBSVM's own estimates in its file are for hinge svm-predict -b 1"
    : "train with --estimator logistic-regression, or with --calibrate sigmoid";
  throw new HingeError("bad-model", `${modelPath}: this model has no probabilities; ${remedy}`);
}

async function probabilitiesOf(model: Loaded, { x }: Input, options: PredictOptions): Promise<Likely> {
  const own = model as unknown as Required<WithProbabilities>;
  const all = await own.probabilities(x as never, options);
  const count = own.classes.length;
  const rowOf = (i: number): number[] => Array.from(all.subarray(i * count, (i + 1) * count));
  return { classes: own.classes, probabilities: Array.from({ length: all.length / count }, (_, i) => rowOf(i)) };
}

const DIGITS = 6;

/** What stands behind the label of a row. */
function behind(likely: Likely | undefined, row: number): string {
  return likely?.probabilities[row]?.map((p) => ` ${Number(p.toPrecision(DIGITS))}`).join("") ?? "";
}

function isPredictor(model: Loaded): boolean {
  const last = innermost(model);
  return isRegression(model) || [LinearClassifier, LinearOneClassSVM, KernelClassifier, OneClassSVM].some((kind) => last instanceof kind);
}
