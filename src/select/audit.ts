// The independent audit: judges a model on its training data, whoever made it.

import { HingeError, shown } from "../base/errors.js";
import type { ClassWeight } from "../base/options/fit.js";
import { linearSvcOptions } from "../base/options/linear-svc.js";
import { auditLinearSvc } from "../certify/audit.js";
import type { LabelsInput } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { binaryProblem, LinearSVC } from "../estimators/linear-svc.js";
import type { Certificate } from "../model/certificate.js";

/** The weights that the model was fitted with, if any. */
export interface AuditOptions {
  readonly classWeight?: ClassWeight;
  readonly sampleWeight?: ArrayLike<number>;
}

// Where a model brings no dual point, one is fitted for the bound; its own gap adds to the model's, so it must be small.
const BOUND_TOLERANCE = 1e-6;

/**
 * Returns the certificate of `model` on its training rows and labels, from raw data and apart from any solver. A model loaded
 * from a file has no dual point: one is fitted for the bound.
 */
export async function certify(model: LinearSVC, x: RowsInput | Matrix, y: LabelsInput, options: AuditOptions = {}): Promise<Certificate> {
  const { C, loss, bias, biasScale, weighted } = LinearSVC.problemOf(model);
  const { classWeight, sampleWeight } = options;
  if (weighted && classWeight === undefined && sampleWeight === undefined) {
    throw new HingeError("bad-option", "the model was fitted with weights; give the same classWeight or sampleWeight to certify");
  }
  const fitOptions = { C, loss, bias, biasScale, classWeight, sampleWeight, tolerance: BOUND_TOLERANCE };
  return auditLinearSvc(x, async (packed) => {
    const { classes, problem } = binaryProblem(packed, y, linearSvcOptions.check(fitOptions));
    if (classes[0] !== model.classes[0] || classes[1] !== model.classes[1]) {
      throw HingeError.input(`y has the classes ${classes.map(shown).join(" and ")}, the model ${model.classes.map(shown).join(" and ")}`);
    }
    if (packed.featureCount !== model.coefficients.length) {
      throw HingeError.input(
        `x has ${packed.featureCount} features, the model ${model.coefficients.length}; an audit needs the training rows`,
      );
    }
    const dual = model.dual ?? (await LinearSVC.fit(packed, y as readonly number[], fitOptions)).dual ?? new Float64Array();
    if (dual.length !== packed.rowCount) {
      throw HingeError.input(`x has ${packed.rowCount} rows, the model was fitted on ${dual.length}; an audit needs the training rows`);
    }
    const alpha = Float64Array.from(problem.rowIds, (row) => dual[row] as number);
    return { problem, point: { w: model.coefficients, bias: model.bias, alpha } };
  });
}
