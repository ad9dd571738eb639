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
import { auditOneClass, auditRegression, withBound } from "../certify/audit.js";
import { zeroRegressionObjective } from "../certify/regression.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { LinearOneClassSVM, poseOneClass } from "../estimators/linear-one-class-svm.js";
import { LinearSVR } from "../estimators/linear-svr.js";
import { checkedTargets, poseRegression, type TargetsInput } from "../estimators/regression-problem.js";
import type { Certificate } from "../model/certificate.js";
import type { LinearSvrData } from "../model/linear-svr.js";
import { withMatrix } from "../runtime/runtime.js";
import { BOUND_TOLERANCE, checkNoLabels, checkTrainingRows, checkWeightsGiven, knownConstant } from "./audit-input.js";

/** Of a regression. */
export function certifySvr(
  model: LinearSVR,
  x: RowsInput | Matrix,
  y: unknown,
  options: RegressionAuditOptions | undefined,
): Promise<Certificate> {
  const given = regressionAuditOptions.check(options);
  const data = LinearSVR.dataOf(model);
  const { coefficients, bias, problem, status } = data;
  const { sampleWeight } = given;
  checkWeightsGiven(problem.weighted, "sampleWeight", sampleWeight !== undefined);
  const form = given.bias ?? problem.bias;
  if (form !== problem.bias && (status !== "unknown" || problem.bias === false)) {
    throw HingeError.option("bias", `the one that the model was fitted with, ${JSON.stringify(problem.bias)}, or left out`, form);
  }
  const { loss, biasScale } = problem;
  const C = knownConstant("C", problem.C, given.C);
  const epsilon = knownConstant("epsilon", problem.epsilon, given.epsilon);
  return withMatrix(x, async (packed) => {
    checkTrainingRows(packed, model);
    // The problem that was solved is about targets without the centre, and a bias without it.
    const asked = { C, epsilon, loss, bias: form, biasScale, centreTarget: false, sampleWeight, tolerance: BOUND_TOLERANCE };
    const pose = (targets: TargetsInput, centreTarget: boolean) =>
      poseRegression(packed.rowCount, targets, linearSvrOptions.check({ ...asked, centreTarget }));
    const centre = centreOf(data, given.centreTarget, () => pose(y as TargetsInput, true).centre);
    const targets = checkedTargets(y, packed.rowCount).map((target) => target - centre);
    const { problem: posed } = pose(targets, false);
    const { dual } = model;
    const beta = dual && Float64Array.from(posed.rowIds, (row) => dual[row] as number);
    const judged = await auditRegression(packed, posed, { w: coefficients, bias: bias - centre, beta });
    if (model.report.run !== undefined || judged.relativeGap <= BOUND_TOLERANCE) return judged;
    const { timeLimitSeconds, signal } = given;
    const tight = await LinearSVR.fit(packed, targets, { ...asked, timeLimitSeconds, signal });
    return withBound(judged, tight.report.certificate.dual, zeroRegressionObjective(posed));
  });
}

/** What was taken off the targets: what the model says or, where its file does not tell, what `centreTarget` says; `mean` is what it would take. */
function centreOf({ problem, status }: LinearSvrData, centreTarget: boolean | undefined, mean: () => number): number {
  const { centre } = problem;
  if (centreTarget === undefined) return centre;
  const wanted = centreTarget ? mean() : 0;
  if (status === "unknown" && centre === 0) return wanted;
  if ((wanted === 0) !== (centre === 0)) {
    throw HingeError.option("centreTarget", `the one that the model was fitted with, ${centre !== 0}, or left out`, centreTarget);
  }
  return centre;
}

/** Of a one-class model. `more`: an argument too many, as one who gives labels has it. */
export function certifyHalfSpace(
  model: LinearOneClassSVM,
  x: RowsInput | Matrix,
  options: OneClassAuditOptions | undefined,
  more: unknown,
): Promise<Certificate> {
  checkNoLabels(options, more);
  const given = oneClassAuditOptions.check(options);
  const { coefficients, rho, problem } = LinearOneClassSVM.dataOf(model);
  const { sampleWeight, timeLimitSeconds, signal } = given;
  checkWeightsGiven(problem.weighted, "sampleWeight", sampleWeight !== undefined);
  const nu = knownConstant("nu", problem.nu, given.nu);
  return withMatrix(x, async (packed) => {
    checkTrainingRows(packed, model);
    const asked = { nu, sampleWeight, tolerance: BOUND_TOLERANCE };
    const { problem: posed } = poseOneClass(packed.rowCount, linearOneClassOptions.check(asked));
    const dual = model.dual ?? ((await LinearOneClassSVM.fit(packed, { ...asked, timeLimitSeconds, signal })).dual as Float64Array);
    return auditOneClass(packed, posed, { w: coefficients, rho, alpha: Float64Array.from(posed.rowIds, (row) => dual[row] as number) });
  });
}
