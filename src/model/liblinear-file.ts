// What a model file of LIBLINEAR holds, as plain data, and which model of hinge it is.

import { HingeError } from "../base/errors.js";
import { transposed } from "../base/transposed.js";
import type { LinearClassifierData, Scheme } from "./linear-classifier.js";
import type { LinearOneClassData } from "./linear-one-class.js";
import type { LinearSvrData } from "./linear-svr.js";
import { plainLines, turnedLines, type WeightLines } from "./weight-lines.js";

export const liblinearSolverTypes = [
  "L2R_LR",
  "L2R_L2LOSS_SVC_DUAL",
  "L2R_L2LOSS_SVC",
  "L2R_L1LOSS_SVC_DUAL",
  "MCSVM_CS",
  "L1R_L2LOSS_SVC",
  "L1R_LR",
  "L2R_LR_DUAL",
  "L2R_L2LOSS_SVR",
  "L2R_L2LOSS_SVR_DUAL",
  "L2R_L1LOSS_SVR_DUAL",
  "ONECLASS_SVM",
] as const;

export type LiblinearSolverType = (typeof liblinearSolverTypes)[number];

export interface LiblinearData {
  readonly solverType: LiblinearSolverType;
  /** 2 for regression and one-class, which have no classes. */
  readonly classCount: number;
  /** One a class, in the file's order; undefined for regression and one-class. */
  readonly labels: Int32Array | undefined;
  readonly featureCount: number;
  /** Value of the constant feature that carries the bias; below 0: there is none. */
  readonly bias: number;
  /** The offset of a one-class model, undefined for all others. */
  readonly rho: number | undefined;
  /** Row by row, one row a feature and a last one for the constant feature if there is one; `weightColumns` a row. */
  readonly weights: Float64Array;
}

/** A file that is to be written: its weights may come some lines at a time. */
export interface LiblinearFile extends Omit<LiblinearData, "weights"> {
  readonly weights: Float64Array | WeightLines;
}

/** The weights of a file as lines. */
export function linesOf({ weights, solverType, classCount }: LiblinearFile): WeightLines {
  return weights instanceof Float64Array ? plainLines(weights, weightColumns(solverType, classCount)) : weights;
}

/** Whether models of this type have labels. */
export function hasLabels(solverType: LiblinearSolverType): boolean {
  return solverType !== "ONECLASS_SVM" && !solverType.includes("SVR");
}

/** One column a class; one in all for two classes, unless the classes were trained jointly. */
export function weightColumns(solverType: LiblinearSolverType, classCount: number): number {
  return classCount === 2 && solverType !== "MCSVM_CS" ? 1 : classCount;
}

/** One row a feature, and one for the constant feature. */
export function weightRows(featureCount: number, bias: number): number {
  return featureCount + (bias >= 0 ? 1 : 0);
}

type Kind = Pick<LinearClassifierData, "estimator"> & Pick<LinearClassifierData["problem"], "loss" | "penalty">;

/** What the classifiers among the types are called here. */
const kinds: Partial<Record<LiblinearSolverType, Kind>> = {
  L2R_LR: { estimator: "LogisticRegression", loss: "logistic", penalty: "l2" },
  L2R_LR_DUAL: { estimator: "LogisticRegression", loss: "logistic", penalty: "l2" },
  L1R_LR: { estimator: "LogisticRegression", loss: "logistic", penalty: "l1" },
  L2R_L2LOSS_SVC_DUAL: { estimator: "LinearSVC", loss: "squared_hinge", penalty: "l2" },
  L2R_L2LOSS_SVC: { estimator: "LinearSVC", loss: "squared_hinge", penalty: "l2" },
  L2R_L1LOSS_SVC_DUAL: { estimator: "LinearSVC", loss: "hinge", penalty: "l2" },
  L1R_L2LOSS_SVC: { estimator: "LinearSVC", loss: "squared_hinge", penalty: "l1" },
  MCSVM_CS: { estimator: "LinearSVC", loss: "hinge", penalty: "l2" },
};

/** Which estimator of hinge the file holds a model of; undefined if none: fewer than two classes. */
export function estimatorOf({
  solverType,
  classCount,
}: LiblinearData): (LinearClassifierData | LinearSvrData | LinearOneClassData)["estimator"] | undefined {
  if (solverType === "ONECLASS_SVM") return "LinearOneClassSVM";
  if (!hasLabels(solverType)) return "LinearSVR";
  return classCount >= 2 ? kinds[solverType]?.estimator : undefined;
}

/**
 * The classifier in the file. With one column LIBLINEAR decides for its first label above 0 and for the second otherwise, hinge for
 * classes[1] above 0 and for classes[0] otherwise: so the file's labels are the classes from the last to the first. With several columns
 * both take the largest value, the first of equal ones. Weights, decision values and predictions, ties included, are then
 * LIBLINEAR's own. C, class weights and how training ended are not in the file.
 */
export function linearFromLiblinear(file: LiblinearData, estimator: LinearClassifierData["estimator"]): LinearClassifierData {
  const { solverType, classCount, labels, featureCount, bias, weights } = file;
  const kind = kinds[solverType];
  if (kind?.estimator !== estimator || classCount < 2 || labels === undefined) {
    const classes = labels === undefined ? "" : ` with ${classCount} ${classCount === 1 ? "class" : "classes"}`;
    throw new HingeError("bad-model", `this is a LIBLINEAR model of type ${solverType}${classes}; hinge cannot predict with it yet`);
  }
  // A constant feature of value 0 is a bias of 0, whatever its weight.
  const biased = bias > 0;
  const columns = weightColumns(solverType, classCount);
  const coefficients = transposed(weights.subarray(0, columns * featureCount), featureCount, columns);
  const biases = new Float64Array(columns);
  if (biased) for (let m = 0; m < columns; m++) biases[m] = (weights[featureCount * columns + m] as number) * bias;
  const { loss, penalty } = kind;
  return {
    estimator,
    classes: columns === 1 ? Array.from(labels).reverse() : Array.from(labels),
    scheme: columns === 1 ? "binary" : solverType === "MCSVM_CS" ? "crammer_singer" : "ovr",
    featureCount,
    coefficients,
    biases,
    problem: { C: undefined, loss, penalty, bias: biased ? "augmented" : false, biasScale: biased ? bias : 1, weighted: undefined },
    status: "unknown",
    certificate: undefined,
  };
}

/** The file of a classifier; throws if LIBLINEAR's files cannot hold it. */
export function linearToLiblinear(data: LinearClassifierData): LiblinearFile {
  const { classes, scheme, featureCount, coefficients, biases, problem } = data;
  checkLiblinearLabels(classes);
  const biased = problem.bias !== false;
  // The file knows a bias only as the weight of a constant feature; a free one is that of the feature 1.
  const biasScale = problem.bias === "augmented" ? problem.biasScale : 1;
  // bias is a rounded product of biasScale and a weight. Their quotient may be another weight, but one with the same product.
  const last = biased ? biases.map((bias) => bias / biasScale) : undefined;
  return {
    solverType: typeOf(data),
    classCount: classes.length,
    labels: Int32Array.from(scheme === "binary" ? [...classes].reverse() : classes, Number),
    featureCount,
    bias: biased ? biasScale : -1,
    rho: undefined,
    weights: turnedLines(coefficients, biases.length, last),
  };
}

function typeOf({ scheme, problem: { loss, penalty } }: LinearClassifierData): LiblinearSolverType {
  checkLiblinearScheme(scheme);
  if (scheme === "crammer_singer") return "MCSVM_CS";
  if (loss === "hinge") return "L2R_L1LOSS_SVC_DUAL";
  if (loss === "logistic") return penalty === "l1" ? "L1R_LR" : "L2R_LR";
  return penalty === "l1" ? "L1R_L2LOSS_SVC" : "L2R_L2LOSS_SVC_DUAL";
}

/** Throws unless LIBLINEAR's files can hold models of several classes that are made so. */
export function checkLiblinearScheme(scheme: Scheme): void {
  if (scheme !== "ovo" && scheme !== "multinomial") return;
  const what = `LIBLINEAR's format cannot hold multiClass ${JSON.stringify(scheme)}`;
  throw new HingeError("bad-option", `${what}; save under a name that ends in .json`);
}

/** Throws unless LIBLINEAR's files can hold these labels. */
export function checkLiblinearLabels(labels: ArrayLike<number | string>): void {
  for (let k = 0; k < labels.length; k++) {
    const label = labels[k] as number | string;
    if (typeof label === "number" && label === (label | 0)) continue;
    throw new HingeError(
      "bad-option",
      `LIBLINEAR's format holds whole numbers as labels, got ${JSON.stringify(label)}; save under a name that ends in .json`,
    );
  }
}

/** The regression in the file. C, epsilon, weights and how training ended are not in it. */
export function svrFromLiblinear({ solverType, featureCount, bias, weights }: LiblinearData): LinearSvrData {
  const biased = bias > 0;
  return {
    estimator: "LinearSVR",
    featureCount,
    coefficients: weights.slice(0, featureCount),
    bias: biased ? (weights[featureCount] as number) * bias : 0,
    problem: {
      C: undefined,
      epsilon: undefined,
      loss: solverType === "L2R_L1LOSS_SVR_DUAL" ? "epsilon_insensitive" : "squared_epsilon_insensitive",
      bias: biased ? "augmented" : false,
      biasScale: biased ? bias : 1,
      centre: 0,
      weighted: undefined,
    },
    status: "unknown",
    certificate: undefined,
  };
}

/** The file of a regression. */
export function svrToLiblinear({ featureCount, coefficients, bias, problem }: LinearSvrData): LiblinearData {
  const biased = problem.bias !== false;
  const biasScale = problem.bias === "augmented" ? problem.biasScale : 1;
  return {
    solverType: problem.loss === "epsilon_insensitive" ? "L2R_L1LOSS_SVR_DUAL" : "L2R_L2LOSS_SVR_DUAL",
    classCount: 2,
    labels: undefined,
    featureCount,
    bias: biased ? biasScale : -1,
    rho: undefined,
    weights: Float64Array.from(biased ? [...coefficients, bias / biasScale] : coefficients),
  };
}

/** The one-class model in the file. A constant feature, which LIBLINEAR itself refuses to train with, moves rho. */
export function oneClassFromLiblinear({ featureCount, bias, rho, weights }: LiblinearData): LinearOneClassData {
  return {
    estimator: "LinearOneClassSVM",
    featureCount,
    coefficients: weights.slice(0, featureCount),
    rho: (rho ?? 0) - (bias > 0 ? (weights[featureCount] as number) * bias : 0),
    problem: { nu: undefined, weighted: undefined },
    status: "unknown",
    certificate: undefined,
  };
}

/** The file of a one-class model. */
export function oneClassToLiblinear({ featureCount, coefficients, rho }: LinearOneClassData): LiblinearData {
  return { solverType: "ONECLASS_SVM", classCount: 2, labels: undefined, featureCount, bias: -1, rho, weights: coefficients };
}
