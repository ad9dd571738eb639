// What a model file of LIBLINEAR holds, as plain data, and which of it is a LinearSVC.

import { HingeError } from "../base/errors.js";
import type { LinearSvcData } from "./linear-svc.js";

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

const losses: Partial<Record<LiblinearSolverType, "hinge" | "squared_hinge">> = {
  L2R_L2LOSS_SVC_DUAL: "squared_hinge",
  L2R_L2LOSS_SVC: "squared_hinge",
  L2R_L1LOSS_SVC_DUAL: "hinge",
};

/**
 * The classifier in the file. LIBLINEAR decides for its first label above 0 and for the second otherwise, hinge for classes[1] above 0
 * and for classes[0] otherwise. So the file's labels are the classes from the last to the first: weights, decision values and
 * predictions, ties included, are then LIBLINEAR's own. C, class weights and how training ended are not in the file.
 */
export function linearSvcFromLiblinear(file: LiblinearData): LinearSvcData {
  const { solverType, classCount, labels, featureCount, bias, weights } = file;
  const loss = losses[solverType];
  if (loss === undefined || classCount !== 2 || labels === undefined) {
    const classes = labels === undefined ? "" : ` with ${classCount} ${classCount === 1 ? "class" : "classes"}`;
    throw new HingeError("bad-model", `this is a LIBLINEAR model of type ${solverType}${classes}; hinge cannot predict with it yet`);
  }
  // A constant feature of value 0 is a bias of 0, whatever its weight.
  const biased = bias > 0;
  return {
    estimator: "LinearSVC",
    classes: [labels[1] as number, labels[0] as number],
    coefficients: weights.slice(0, featureCount),
    bias: biased ? (weights[featureCount] as number) * bias : 0,
    problem: { C: undefined, loss, bias: biased ? "augmented" : false, biasScale: biased ? bias : 1, weighted: undefined },
    status: "unknown",
    certificate: undefined,
  };
}

/** The file of a classifier; its labels must be ones that LIBLINEAR can hold. */
export function linearSvcToLiblinear({ classes, coefficients, bias, problem }: LinearSvcData): LiblinearData {
  checkLiblinearLabels(classes);
  const biased = problem.bias === "augmented";
  const weights = new Float64Array(coefficients.length + (biased ? 1 : 0));
  weights.set(coefficients);
  // bias is a rounded product of biasScale and a weight. Their quotient may be another weight, but one with the same product.
  if (biased) weights[coefficients.length] = bias / problem.biasScale;
  return {
    solverType: problem.loss === "hinge" ? "L2R_L1LOSS_SVC_DUAL" : "L2R_L2LOSS_SVC_DUAL",
    classCount: 2,
    labels: Int32Array.of(Number(classes[1]), Number(classes[0])),
    featureCount: coefficients.length,
    bias: biased ? problem.biasScale : -1,
    rho: undefined,
    weights,
  };
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
