// The independent audit: judges a model on its training data, whoever made it.

import { HingeError, shown } from "../base/errors.js";
import {
  type AuditOptions,
  auditOptions,
  type KernelAuditOptions,
  type OneClassAuditOptions,
  type RegressionAuditOptions,
} from "../base/options/data.js";
import type { BiasForm } from "../base/options/linear.js";
import { linearSvcOptions } from "../base/options/linear-svc.js";
import { logisticRegressionOptions } from "../base/options/logistic-regression.js";
import { auditBinary, auditJoint, withBound } from "../certify/audit.js";
import { zeroObjective } from "../certify/linear.js";
import { multinomialZeroObjective } from "../certify/multinomial.js";
import type { Label, LabelsInput } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { type ClassifierSettings, fitClassifier } from "../estimators/fit-classifier.js";
import type { KernelClassifier } from "../estimators/kernel-classifier.js";
import { KernelModel } from "../estimators/kernel-model.js";
import type { KernelRegressor } from "../estimators/kernel-regression.js";
import { LinearClassifier } from "../estimators/linear-classifier.js";
import { LinearOneClassSVM } from "../estimators/linear-one-class-svm.js";
import { type PosedProblems, poseProblems } from "../estimators/linear-problems.js";
import { linearSvcSettings } from "../estimators/linear-svc.js";
import { LinearSVR } from "../estimators/linear-svr.js";
import { logisticSettings } from "../estimators/logistic-regression.js";
import { OneClassSVM } from "../estimators/one-class-svm.js";
import type { TargetsInput } from "../estimators/regression-problem.js";
import { type Certificate, type KernelCertificate, worstOf } from "../model/certificate.js";
import type { LinearClassifierData } from "../model/linear-classifier.js";
import { withMatrix } from "../runtime/runtime.js";
import { BOUND_TOLERANCE, checkClasses, checkNoLabels, checkTrainingRows, checkWeightsGiven, knownConstant } from "./audit-input.js";
import { certifyKernelModel } from "./audit-kernel.js";
import { certifyHalfSpace, certifySvr } from "./audit-single.js";

/**
 * Returns the certificate of `model` on its training rows and labels or targets, from raw data and apart from any solver: of several problems,
 * that of the one with the largest gap. A model that was fitted here brings the dual point of its fit. One loaded from a file has none:
 * where its weights alone do not suggest a good one, the problem is solved again, to a gap of 1e-6, and the bound is that solution's. A
 * kernel machine is its own dual point; its kernel values are computed in float64, on `threads`, and where the kernel allows no gap the certificate tells the
 * violation. A model from LIBLINEAR's or LIBSVM's file does not know its C, epsilon or nu: give them in the options.
 */
export function certify(model: LinearClassifier, x: RowsInput | Matrix, y: LabelsInput, options?: AuditOptions): Promise<Certificate>;
export function certify(model: LinearSVR, x: RowsInput | Matrix, y: TargetsInput, options?: RegressionAuditOptions): Promise<Certificate>;
export function certify(model: LinearOneClassSVM, x: RowsInput | Matrix, options?: OneClassAuditOptions): Promise<Certificate>;
export function certify(
  model: KernelClassifier,
  x: RowsInput | Matrix,
  y: LabelsInput,
  options?: KernelAuditOptions,
): Promise<KernelCertificate>;
export function certify(
  model: KernelRegressor,
  x: RowsInput | Matrix,
  y: TargetsInput,
  options?: KernelAuditOptions,
): Promise<KernelCertificate>;
export function certify(model: OneClassSVM, x: RowsInput | Matrix, options?: KernelAuditOptions): Promise<KernelCertificate>;
export async function certify(model: unknown, x: RowsInput | Matrix, y?: unknown, options?: object): Promise<KernelCertificate> {
  if (model instanceof LinearClassifier) return certifyClassifier(model, x, y as LabelsInput, options);
  if (model instanceof LinearSVR) return certifySvr(model, x, y, options);
  if (model instanceof LinearOneClassSVM) return certifyHalfSpace(model, x, y as OneClassAuditOptions | undefined, options);
  if (model instanceof OneClassSVM) {
    checkNoLabels(y, options);
    return certifyKernelModel(model, x, undefined, y as KernelAuditOptions | undefined);
  }
  if (model instanceof KernelModel) return certifyKernelModel(model, x, y, options);
  throw HingeError.input(`certify judges a fitted or loaded model, got ${shown(model)}`);
}

async function certifyClassifier(
  model: LinearClassifier,
  x: RowsInput | Matrix,
  y: LabelsInput,
  options: AuditOptions | undefined,
): Promise<Certificate> {
  const { C: givenC, bias, classWeight, sampleWeight, ...limits } = auditOptions.check(options);
  const data = withBias(LinearClassifier.dataOf(model), bias);
  checkWeightsGiven(data.problem.weighted, "classWeight or sampleWeight", classWeight !== undefined || sampleWeight !== undefined);
  const given = { C: knownConstant("C", data.problem.C, givenC), classWeight, sampleWeight, tolerance: BOUND_TOLERANCE, ...limits };
  return withMatrix(x, async (packed) => {
    const settings = settingsOf(data, given);
    const posed = poseProblems(packed.rowCount, y, settings);
    const judged = inOrder(data, posed.classes);
    checkTrainingRows(packed, model);
    const certificates = await judgeAll(packed, posed, { ...judged, dual: model.dual });
    const worst = worstOf(certificates);
    // A model that was fitted here brings the dual point of its fit, or weights that suggest it.
    if (model.report.run !== undefined || worst.relativeGap <= BOUND_TOLERANCE) return worst;
    const { problems } = (await fitClassifier(packed, y, settings)).run;
    return worstOf(problems.map(({ certificate: { dual } }, k) => withBound(certificates[k] as Certificate, dual, zeroOf(posed, k))));
  });
}

/** What the zero model of a problem costs. */
function zeroOf(posed: PosedProblems, index: number): number {
  if (posed.scheme === "multinomial") return multinomialZeroObjective(posed.joint());
  return zeroObjective(posed.scheme === "crammer_singer" ? { costs: posed.joint().costs, loss: "hinge" } : posed.binary(index));
}

/** The model with the form of the bias that was given, where it does not know its own. */
function withBias(data: LinearClassifierData, bias: BiasForm | undefined): LinearClassifierData {
  const { problem, status } = data;
  if (bias === undefined || bias === problem.bias) return data;
  if (status !== "unknown" || problem.bias === false) {
    const own = JSON.stringify(problem.bias);
    throw HingeError.option("bias", `the one that the model was fitted with, ${own}, or left out`, bias);
  }
  return { ...data, problem: { ...problem, bias } };
}

/** The settings of the fit that the model comes from, or would come from. */
function settingsOf({ estimator, scheme, problem }: LinearClassifierData, given: GivenConstants): ClassifierSettings {
  const { loss, penalty, bias, biasScale } = problem;
  if (estimator === "LogisticRegression") {
    const multiClass = scheme === "ovr" ? scheme : "multinomial";
    return logisticSettings(logisticRegressionOptions.check({ ...given, penalty, bias, biasScale, multiClass }));
  }
  const multiClass = scheme === "ovo" || scheme === "crammer_singer" ? scheme : "ovr";
  return linearSvcSettings(linearSvcOptions.check({ ...given, loss, penalty, bias, biasScale, multiClass }));
}

interface GivenConstants {
  readonly C: number;
  readonly classWeight: AuditOptions["classWeight"];
  readonly sampleWeight: AuditOptions["sampleWeight"];
  readonly tolerance: number;
  readonly timeLimitSeconds: number;
  readonly signal: AbortSignal | undefined;
}

interface JudgedModel {
  readonly coefficients: Float64Array;
  readonly biases: Float64Array;
  readonly dual: Float64Array | undefined;
}

async function judgeAll(x: Matrix, posed: PosedProblems, { coefficients, biases, dual }: JudgedModel): Promise<Certificate[]> {
  const d = x.featureCount;
  if (posed.scheme === "crammer_singer" || posed.scheme === "multinomial") {
    const problem = posed.joint();
    const k = problem.classCount;
    const alpha = dual && gathered(dual, problem.rowIds, k);
    return [await auditJoint(x, { kind: posed.scheme, problem, point: { w: coefficients, bias: biases, alpha } })];
  }
  const certificates: Certificate[] = [];
  for (let index = 0; index < posed.count; index++) {
    const problem = posed.binary(index);
    const alpha = dual && gathered(dual.subarray(index * x.rowCount, (index + 1) * x.rowCount), problem.rowIds, 1);
    const w = coefficients.slice(index * d, (index + 1) * d);
    certificates.push(await auditBinary(x, problem, { w, bias: biases[index] as number, alpha }));
  }
  return certificates;
}

/** The `columns` numbers of each of these rows. */
function gathered(dual: Float64Array, rowIds: Uint32Array, columns: number): Float64Array {
  const alpha = new Float64Array(rowIds.length * columns);
  rowIds.forEach((row, k) => {
    alpha.set(dual.subarray(row * columns, (row + 1) * columns), k * columns);
  });
  return alpha;
}

/** Weights and biases as they would be with sorted classes: a file may have another order. */
function inOrder(data: LinearClassifierData, sorted: readonly Label[]): { coefficients: Float64Array; biases: Float64Array } {
  const { classes, scheme, coefficients, biases, featureCount } = data;
  const order = checkClasses(sorted, classes);
  if (order.every((from, to) => from === to)) return { coefficients, biases };
  // Two classes the other way round: f and -f then say the same.
  if (scheme === "binary") return { coefficients: coefficients.map((w) => -w), biases: biases.map((b) => -b) };
  const turned = new Float64Array(coefficients.length);
  order.forEach((from, to) => {
    turned.set(coefficients.subarray(from * featureCount, (from + 1) * featureCount), to * featureCount);
  });
  return { coefficients: turned, biases: Float64Array.from(order, (from) => biases[from] as number) };
}
