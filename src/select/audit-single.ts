// The audit of models with one problem: a regression, a half space.

import { HingeError } from "../base/errors.js";
import {
  type OneClassAuditOptions,
  oneClassAuditOptions,
  type RegressionAuditOptions,
  regressionAuditOptions,
} from "../base/options/data.js";
import { linearOneClassOptions } from "../base/options/linear-one-class.js";
import { linearSvrOptions } from "../base/options/linear-svr.js";
import { auditOneClass, auditRegression, onPackedRows } from "../certify/audit.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { LinearOneClassSVM, poseOneClass } from "../estimators/linear-one-class-svm.js";
import { LinearSVR } from "../estimators/linear-svr.js";
import { checkedTargets, poseRegression } from "../estimators/regression-problem.js";
import type { Certificate } from "../model/certificate.js";
import { BOUND_TOLERANCE, checkTrainingRows, knownConstant } from "./audit-input.js";

/** Of a regression. */
export function certifySvr(
  model: LinearSVR,
  x: RowsInput | Matrix,
  y: unknown,
  options: RegressionAuditOptions | undefined,
): Promise<Certificate> {
  const given = regressionAuditOptions.check(options);
  const { coefficients, bias, problem, status } = LinearSVR.dataOf(model);
  const { sampleWeight } = checkedWeights(problem.weighted, given);
  const form = given.bias ?? problem.bias;
  if (form !== problem.bias && (status !== "unknown" || problem.bias === false)) {
    throw HingeError.option("bias", `the one that the model was fitted with, ${JSON.stringify(problem.bias)}, or left out`, form);
  }
  const { loss, biasScale, centre } = problem;
  const C = knownConstant("C", problem.C, given.C);
  const epsilon = knownConstant("epsilon", problem.epsilon, given.epsilon);
  return onPackedRows(x, async (packed) => {
    checkTrainingRows(packed, model);
    // The problem that was solved is about targets without the centre, and a bias without it.
    const targets = checkedTargets(y, packed.rowCount).map((target) => target - centre);
    const asked = { C, epsilon, loss, bias: form, biasScale, centreTarget: false, sampleWeight, tolerance: BOUND_TOLERANCE };
    const { problem: posed } = poseRegression(packed.rowCount, targets, linearSvrOptions.check(asked));
    const needsDual = loss === "epsilon_insensitive" && model.dual === undefined;
    const dual = needsDual ? (await LinearSVR.fit(packed, targets, asked)).dual : model.dual;
    const beta = dual && Float64Array.from(posed.rowIds, (row) => dual[row] as number);
    return auditRegression(packed, posed, { w: coefficients, bias: bias - centre, beta });
  });
}

/** Of a one-class model. */
export function certifyHalfSpace(
  model: LinearOneClassSVM,
  x: RowsInput | Matrix,
  options: OneClassAuditOptions | undefined,
): Promise<Certificate> {
  const given = oneClassAuditOptions.check(options);
  const { coefficients, rho, problem } = LinearOneClassSVM.dataOf(model);
  const { sampleWeight } = checkedWeights(problem.weighted, given);
  const nu = knownConstant("nu", problem.nu, given.nu);
  return onPackedRows(x, async (packed) => {
    checkTrainingRows(packed, model);
    const asked = { nu, sampleWeight, tolerance: BOUND_TOLERANCE };
    const { problem: posed } = poseOneClass(packed.rowCount, linearOneClassOptions.check(asked));
    const dual = model.dual ?? ((await LinearOneClassSVM.fit(packed, asked)).dual as Float64Array);
    return auditOneClass(packed, posed, { w: coefficients, rho, alpha: Float64Array.from(posed.rowIds, (row) => dual[row] as number) });
  });
}

function checkedWeights<Given extends { readonly sampleWeight: ArrayLike<number> | undefined }>(
  weighted: boolean | undefined,
  given: Given,
): Given {
  if (weighted && given.sampleWeight === undefined) {
    throw new HingeError("bad-option", "the model was fitted with weights; give the same sampleWeight to certify");
  }
  return given;
}
