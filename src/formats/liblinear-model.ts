// Model files of LIBLINEAR:
//
//   solver_type L2R_L2LOSS_SVC_DUAL
//   nr_class 2
//   label 1 -1              not for regression and one-class
//   nr_feature 13
//   bias -1                 value of the constant feature; below 0: none
//   rho 201.25              one-class only
//   w
//   0.35950028755298047     one line a feature, and a last one for the constant feature; one number a class, but one for two classes

import {
  hasLabels,
  type LiblinearData,
  type LiblinearFile,
  liblinearSolverTypes,
  linesOf,
  weightColumns,
  weightRows,
} from "../model/liblinear-file.js";
import { GeneralWriter } from "./general-writer.js";
import { COUNT, type HeaderGrammar, ModelHeader } from "./model-header.js";
import { ModelText, mostNumbers, type Span } from "./model-text.js";
import { isLong, numberLines, writeNumberLines } from "./number-lines.js";

const grammar: HeaderGrammar = {
  program: "LIBLINEAR",
  keys: ["solver_type", "nr_class", "label", "nr_feature", "bias", "rho"],
  closing: "w",
};

/** What the file holds; `name` is what errors call it. Any bytes give data or a `HingeError`. */
export function readLiblinearModel(bytes: Uint8Array, name: string): LiblinearData {
  const text = new ModelText(bytes, name);
  const header = ModelHeader.read(text, grammar);
  const solverType = header.word("solver_type", liblinearSolverTypes);
  const labelled = hasLabels(solverType);
  const classCount = header.whole("nr_class", labelled ? { ...COUNT, least: 1 } : { least: 2, most: 2 });
  if (!labelled) header.refuse(["label"], solverType);
  if (solverType !== "ONECLASS_SVM") header.refuse(["rho"], solverType);
  const featureCount = header.whole("nr_feature", COUNT);
  const bias = header.number("bias");
  return Object.freeze({
    solverType,
    classCount,
    labels: labelled ? header.labels("label", classCount) : undefined,
    featureCount,
    bias,
    rho: solverType === "ONECLASS_SVM" ? header.number("rho") : undefined,
    weights: readWeights(text, weightRows(featureCount, bias), weightColumns(solverType, classCount)),
  });
}

function readWeights(text: ModelText, rows: number, columns: number): Float64Array {
  if (rows * columns > mostNumbers(text.bytesLeft)) {
    text.failAtEnd(`the header promises ${rows * columns} weights, ${text.bytesLeft} bytes cannot hold them`);
  }
  const weights = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const line = text.nextLine();
    if (line === undefined) return text.failAtEnd(`the header promises ${rows} lines of weights, there are ${row}`);
    const only = columns === 1 ? text.onlyNumber(line) : Number.NaN;
    if (Number.isNaN(only)) readRow(text, line, weights.subarray(row * columns, (row + 1) * columns));
    else weights[row] = only;
  }
  const more = text.nextLine();
  if (more !== undefined)
    text.fail(more.from, `the header promises ${rows} lines of weights, here is one more; correct nr_feature or bias`);
  return weights;
}

/** Fills `row` with the numbers of a line, which must be as many. */
function readRow(text: ModelText, line: Span, row: Float64Array): void {
  let at = line.from;
  let column = 0;
  for (; at < line.to && column < row.length; column++) {
    const end = text.tokenEnd(at, line.to);
    row[column] = text.number(at, end, "a weight");
    at = text.skipBlanks(end, line.to);
  }
  if (column < row.length || at < line.to) {
    text.fail(line.from, `a line of weights must have ${row.length} of them by the header, got ${text.tokenCount(line)}`);
  }
}

/** The bytes of the file, as LIBLINEAR 2.50 writes it: 17 digits a number, which bring every double back exactly. */
export function writeLiblinearModel(file: LiblinearFile): Uint8Array {
  const out = headerOf(file);
  writeNumberLines(out, linesOf(file));
  return out.finish();
}

/** The same bytes in parts, by the workers where there are many. */
export async function* liblinearModelParts(file: LiblinearFile): AsyncGenerator<Uint8Array> {
  const lines = linesOf(file);
  if (!isLong(lines)) yield writeLiblinearModel(file);
  else {
    yield headerOf(file).finish();
    yield* numberLines(lines);
  }
}

/** Everything before the weights. */
function headerOf({ solverType, classCount, labels, featureCount, bias, rho }: LiblinearFile): GeneralWriter {
  const out = new GeneralWriter();
  out.text(`solver_type ${solverType}\nnr_class ${classCount}\n`);
  if (labels !== undefined) out.text(`label ${labels.join(" ")}\n`);
  out.text(`nr_feature ${featureCount}\nbias `);
  out.number(bias);
  if (rho !== undefined) {
    out.text("\nrho ");
    out.number(rho);
  }
  out.text("\nw\n");
  return out;
}
