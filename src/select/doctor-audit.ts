// The audit of a model on a data set, whoever made it: its certificate, or why there is none, and how well it does on the rows.

import { HingeError } from "../base/errors.js";
import { auditOptions, kernelAuditOptions, oneClassAuditOptions, regressionAuditOptions } from "../base/options/data.js";
import type { Matrix } from "../data/matrix.js";
import { CalibratedClassifier } from "../estimators/calibrated-classifier.js";
import { KernelModel } from "../estimators/kernel-model.js";
import { KernelRegressor } from "../estimators/kernel-regression.js";
import { estimators, type Model, nameOf } from "../estimators/known.js";
import { LinearClassifier } from "../estimators/linear-classifier.js";
import { LinearOneClassSVM } from "../estimators/linear-one-class-svm.js";
import { LinearSVR } from "../estimators/linear-svr.js";
import type { Loaded } from "../estimators/load.js";
import { OneClassSVM } from "../estimators/one-class-svm.js";
import { Pipeline } from "../estimators/pipeline.js";
import { meanSquaredError, r2 } from "../metrics/numbers.js";
import type { KernelCertificate } from "../model/certificate.js";
import { certify } from "./audit.js";

export interface ModelAudit {
  /** The class of the model; of a pipeline, of what it ends in. */
  readonly estimator: string;
  /** Who wrote the file: theirs bring no certificate. */
  readonly origin: "hinge" | "LIBLINEAR or LIBSVM";
  readonly certificate: KernelCertificate | undefined;
  /** Why there is no certificate, where there is none. */
  readonly reason?: string;
  /** Constants of the training problem that the file does not hold and nobody gave. */
  readonly missing?: readonly string[];
  /** Rows predicted right, or inside of a one-class model; the errors of a regression. Nothing where the rows do not suit the model. */
  readonly figures: {
    readonly right?: number;
    readonly accuracy?: number;
    readonly inside?: number;
    readonly meanSquaredError?: number;
    readonly r2?: number;
  };
}

/** The options that the audit of a model takes; undefined where it is no model. */
export function auditTable(loaded: Loaded): { readonly fields: object; check(given: unknown): unknown } | undefined {
  const { model } = unwrapped(loaded);
  if (model instanceof LinearClassifier) return auditOptions;
  if (model instanceof LinearSVR) return regressionAuditOptions;
  if (model instanceof LinearOneClassSVM) return oneClassAuditOptions;
  return model instanceof KernelModel ? kernelAuditOptions : undefined;
}

/** Returns the audit on the rows that the model was trained on. Throws only where an option contradicts the model. */
export async function auditModel(loaded: Loaded, x: Matrix, y: Float64Array, options: object): Promise<ModelAudit> {
  const { model, stages } = unwrapped(loaded);
  const estimator = nameOf(model.constructor) ?? "model";
  if (!isModel(model)) {
    return {
      estimator,
      origin: "hinge",
      certificate: undefined,
      reason: `a ${estimator} solves no problem that could be judged`,
      figures: {},
    };
  }
  const origin = model.report.status === "unknown" ? "LIBLINEAR or LIBSVM" : "hinge";
  const known = { estimator, origin } as const;
  try {
    const rows = (stages === undefined ? x : await stages.transform(x)) as Matrix;
    const figures = await figuresOf(model, rows, y);
    return { ...known, ...(await judged(model, rows, y, options)), figures };
  } catch (error) {
    return { ...known, certificate: undefined, reason: reasonOf(error), figures: {} };
  }
}

/** The model inside of a pipeline, of what calibrates it, or of both. */
function unwrapped(loaded: Loaded): { model: Exclude<Loaded, Pipeline | CalibratedClassifier>; stages: Pipeline | undefined } {
  const inner = loaded instanceof CalibratedClassifier ? (loaded.model as Loaded) : loaded;
  const stages = inner instanceof Pipeline ? inner : undefined;
  return { model: (stages?.model ?? inner) as Exclude<Loaded, Pipeline | CalibratedClassifier>, stages };
}

function isModel(model: object): model is Model {
  return Object.values(estimators).some((kind) => model instanceof kind);
}

/** The message of an error that the rows or the model caused; others are thrown on. */
function reasonOf(error: unknown): string {
  if (error instanceof HingeError && (error.code === "bad-input" || error.code === "bad-model")) return error.message;
  throw error;
}

async function judged(
  model: Model,
  x: Matrix,
  y: Float64Array,
  options: object,
): Promise<Pick<ModelAudit, "certificate" | "reason" | "missing">> {
  const call = certify as (model: unknown, x: Matrix, ...rest: unknown[]) => Promise<KernelCertificate>;
  const isOneClass = model instanceof OneClassSVM || model instanceof LinearOneClassSVM;
  try {
    return { certificate: await call(model, x, ...(isOneClass ? [options] : [y, options])) };
  } catch (error) {
    if (!(error instanceof HingeError) || error.code !== "bad-option") return { certificate: undefined, reason: reasonOf(error) };
    const missing = /does not hold (.+); give/.exec(error.message)?.[1]?.split(" and ");
    if (missing !== undefined) return { certificate: undefined, reason: error.message, missing };
    if (/^the model was fitted with weights/.test(error.message)) return { certificate: undefined, reason: error.message };
    throw error;
  }
}

async function figuresOf(model: Model, x: Matrix, y: Float64Array): Promise<ModelAudit["figures"]> {
  const predicted: ArrayLike<unknown> = await model.predict(x);
  if (model instanceof LinearSVR || model instanceof KernelRegressor) {
    const numbers = predicted as Float64Array;
    return { meanSquaredError: meanSquaredError(y, numbers), r2: r2(y, numbers) };
  }
  const isOneClass = model instanceof OneClassSVM || model instanceof LinearOneClassSVM;
  let right = 0;
  for (let i = 0; i < predicted.length; i++) if (String(predicted[i]) === (isOneClass ? "1" : String(y[i]))) right++;
  return isOneClass ? { inside: right } : { right, accuracy: right / predicted.length };
}
