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

import { hasLabels, type LiblinearData, liblinearSolverTypes, weightColumns, weightRows } from "../model/liblinear-file.js";
import { COUNT, type HeaderGrammar, ModelHeader } from "./model-header.js";
import { ModelText, mostNumbers } from "./model-text.js";
import { formatGeneral } from "./printf.js";

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
    let at = line.from;
    let column = 0;
    for (; at < line.to && column < columns; column++) {
      const end = text.tokenEnd(at, line.to);
      weights[row * columns + column] = text.number(at, end, "a weight");
      at = text.skipBlanks(end, line.to);
    }
    if (column < columns || at < line.to) {
      text.fail(line.from, `a line of weights must have ${columns} of them by the header, got ${text.tokenCount(line)}`);
    }
  }
  const more = text.nextLine();
  if (more !== undefined)
    text.fail(more.from, `the header promises ${rows} lines of weights, here is one more; correct nr_feature or bias`);
  return weights;
}

// Digits that bring every double back exactly; the originals write as many.
const DIGITS = 17;

/** The bytes of the file, as LIBLINEAR 2.50 writes it. */
export function writeLiblinearModel(data: LiblinearData): Uint8Array {
  const { solverType, classCount, labels, featureCount, bias, rho, weights } = data;
  const lines = [`solver_type ${solverType}`, `nr_class ${classCount}`];
  if (labels !== undefined) lines.push(`label ${labels.join(" ")}`);
  lines.push(`nr_feature ${featureCount}`, `bias ${formatGeneral(bias, DIGITS)}`);
  if (rho !== undefined) lines.push(`rho ${formatGeneral(rho, DIGITS)}`);
  lines.push("w");
  const columns = weightColumns(solverType, classCount);
  for (let at = 0; at < weights.length; at += columns) {
    let line = "";
    for (let k = at; k < at + columns; k++) line += `${formatGeneral(weights[k] as number, DIGITS)} `;
    lines.push(line);
  }
  return new TextEncoder().encode(`${lines.join("\n")}\n`);
}
