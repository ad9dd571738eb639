// What an audit is given, checked: the constants that a model may not know, and the rows that it was fitted on.

import { HingeError } from "../base/errors.js";
import type { Matrix } from "../data/matrix.js";
import type { FitReport } from "../estimators/report.js";

/** A model that was not fitted here brings no dual point: one is fitted for the bound, and its gap adds to the model's, so it must be small. */
export const BOUND_TOLERANCE = 1e-6;

/** A constant of the problem: the model's own, or the one given where it does not know it. */
export function knownConstant(name: "C" | "epsilon" | "nu", known: number | undefined, given: number | undefined): number {
  if (known !== undefined && given !== undefined && given !== known) {
    throw HingeError.option(name, `the one that the model was fitted with, ${known}, or left out`, given);
  }
  const value = known ?? given;
  if (value === undefined) {
    const example = name === "nu" ? "certify(model, x, { nu: 0.5 })" : `certify(model, x, y, { ${name}: ${name === "C" ? 1 : 0.1} })`;
    throw new HingeError("bad-option", `the model's file does not hold ${name}; give the one it was trained with: ${example}`);
  }
  return value;
}

/** Throws unless weights are given where the model was fitted with some, and none where it was not. `names`: what they are called. */
export function checkWeightsGiven(weighted: boolean | undefined, names: string, given: boolean): void {
  if (weighted === true && !given) {
    throw new HingeError("bad-option", `the model was fitted with weights; give the same ${names} to certify`);
  }
  if (weighted === false && given) {
    throw new HingeError("bad-option", `the model was fitted without weights; certify it without ${names}`);
  }
}

/** Throws unless these can be the rows that the model was fitted on. */
export function checkTrainingRows(x: Matrix, model: { readonly featureCount: number; readonly report: FitReport }): void {
  if (x.featureCount !== model.featureCount) {
    throw HingeError.input(`x has ${x.featureCount} features, the model ${model.featureCount}; an audit needs the training rows`);
  }
  const rowCount = model.report.run?.rowCount ?? x.rowCount;
  if (rowCount !== x.rowCount) {
    throw HingeError.input(`x has ${x.rowCount} rows, the model was fitted on ${rowCount}; an audit needs the training rows`);
  }
}
