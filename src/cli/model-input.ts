// What a model wants of a data file: its form, its columns, and how its labels are to be read.

import { HingeError } from "../base/errors.js";
import type { ColumnKind } from "../base/options/csv.js";
import {
  CalibratedClassifier,
  Columns,
  HashingVectorizer,
  Imputer,
  KernelRegressor,
  LinearSVR,
  type Loaded,
  OneHotEncoder,
  Pipeline,
  TfidfVectorizer,
} from "../index.js";
import { type InputFlags, type Known, listed } from "./input.js";
import { sourceName } from "./text.js";

/** What predicts in the end: behind a pipeline, and behind what makes probabilities. */
export function innermost(model: Loaded): unknown {
  const own = uncalibrated(model);
  return own instanceof Pipeline ? own.model : own;
}

export function isRegression(model: Loaded): boolean {
  const last = innermost(model);
  return last instanceof LinearSVR || last instanceof KernelRegressor;
}

/** How a table must be read for this model; undefined if it takes none. */
export function knownOf(model: Loaded): Known | undefined {
  const columns = columnsOf(firstStage(model));
  if (columns === undefined) return undefined;
  const { classes = [] } = model as { readonly classes?: readonly unknown[] };
  const isTexts = classes.some((label) => typeof label === "string");
  return { columns: new Map(columns), label: isTexts ? "text" : isRegression(model) ? "numeric" : undefined };
}

/** Throws unless the model can take files of this format. */
export function checkTakes(model: Loaded, modelPath: string, dataPath: string, { format }: Pick<InputFlags, "format">): void {
  const first = firstStage(model);
  if (first instanceof TfidfVectorizer || first instanceof HashingVectorizer)
    throw new HingeError("bad-model", `${modelPath}: this model takes bare texts, which no data file holds; use it in a program`);
  const known = knownOf(model);
  if (known === undefined && format !== "svmlight")
    throw new HingeError(
      "bad-model",
      `${modelPath}: this model takes svmlight files, not tables; hinge train on a CSV file makes one that does`,
    );
  if (known === undefined || format !== "svmlight") return;
  throw new HingeError(
    "bad-input",
    `${sourceName(dataPath)}: the model in ${modelPath} takes a table with the columns ${listed([...known.columns.keys()])}; this is read as svmlight; if it is a table, say --format csv or --format tsv`,
  );
}

function uncalibrated(model: Loaded): Loaded {
  return model instanceof CalibratedClassifier ? (model.model as Loaded) : model;
}

function firstStage(model: Loaded): unknown {
  const own = uncalibrated(model);
  return own instanceof Pipeline ? own.stages[0] : undefined;
}

function columnsOf(stage: unknown): Iterable<readonly [string, ColumnKind]> | undefined {
  if (stage instanceof Columns) return Object.entries(stage.kinds);
  if (stage instanceof OneHotEncoder) return [...stage.levels.keys()].map((name) => [name, "categorical"]);
  if (stage instanceof Imputer) return [...stage.fills].map(([name, fill]) => [name, typeof fill === "number" ? "numeric" : "categorical"]);
  return undefined;
}
