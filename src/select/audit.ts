// The independent audit: judges a model on its training data, whoever made it.

import { HingeError, shown } from "../base/errors.js";
import { type AuditOptions, auditOptions } from "../base/options/data.js";
import { linearSvcOptions } from "../base/options/linear-svc.js";
import { auditLinearSvc } from "../certify/audit.js";
import type { Label, LabelsInput } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { binaryProblem, LinearSVC } from "../estimators/linear-svc.js";
import type { Certificate } from "../model/certificate.js";

// Where a model brings no dual point, one is fitted for the bound; its own gap adds to the model's, so it must be small.
const BOUND_TOLERANCE = 1e-6;

/**
 * Returns the certificate of `model` on its training rows and labels, from raw data and apart from any solver. A model loaded
 * from a file has no dual point: one is fitted for the bound. A model from LIBLINEAR's file does not know its C: give it in the options.
 */
export async function certify(model: LinearSVC, x: RowsInput | Matrix, y: LabelsInput, options?: AuditOptions): Promise<Certificate> {
  if (!(model instanceof LinearSVC)) throw HingeError.input(`certify judges a fitted or loaded model, got ${shown(model)}`);
  const { loss, bias, biasScale, weighted, ...problem } = LinearSVC.problemOf(model);
  const { C: givenC, classWeight, sampleWeight } = auditOptions.check(options);
  if (weighted && classWeight === undefined && sampleWeight === undefined) {
    throw new HingeError("bad-option", "the model was fitted with weights; give the same classWeight or sampleWeight to certify");
  }
  const C = constantC(problem.C, givenC);
  const fitOptions = { C, loss, bias, biasScale, classWeight, sampleWeight, tolerance: BOUND_TOLERANCE };
  return auditLinearSvc(x, async (packed) => {
    const { classes, problem } = binaryProblem(packed, y, linearSvcOptions.check(fitOptions));
    const sign = orientation(model.classes, classes);
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
    return { problem, point: { w: model.coefficients.map((w) => sign * w), bias: sign * model.bias, alpha } };
  });
}

/** The C of the problem: the model's own, or the one given where it does not know it. */
function constantC(known: number | undefined, given: number | undefined): number {
  if (known !== undefined && given !== undefined && given !== known) {
    throw HingeError.option("C", `the one that the model was fitted with, ${known}, or left out`, given);
  }
  const C = known ?? given;
  if (C === undefined) {
    throw new HingeError(
      "bad-option",
      "the model's file does not hold C; give the one it was trained with: certify(model, x, y, { C: 1 })",
    );
  }
  return C;
}

/** 1 where both have the same classes in the same order, -1 where the order is the other one: f and -f then say the same. */
function orientation(classes: readonly Label[], sorted: readonly Label[]): 1 | -1 {
  if (classes[0] === sorted[0] && classes[1] === sorted[1]) return 1;
  if (classes[0] === sorted[1] && classes[1] === sorted[0]) return -1;
  throw HingeError.input(`y has the classes ${sorted.map(shown).join(" and ")}, the model ${classes.map(shown).join(" and ")}`);
}
