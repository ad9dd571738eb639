// What an audit is given, checked: the constants that a model may not know, and the rows that it was fitted on.

import { HingeError, shown } from "../base/errors.js";
import { isList, type Label } from "../data/labels.js";
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

/** Where each of the rows' classes is among the model's; throws unless they are the same. */
export function checkClasses(sorted: readonly Label[], classes: readonly Label[]): number[] {
  const order = sorted.map((label) => classes.indexOf(label));
  if (sorted.length !== classes.length || order.includes(-1)) {
    throw HingeError.input(`y has the classes ${listed(sorted)}, the model ${listed(classes)}`);
  }
  return order;
}

/** Throws if a one-class model is given labels in the place of the options, or an argument too many, as one who gives labels has it. */
export function checkNoLabels(options: unknown, more: unknown): void {
  if (isList(options) || more !== undefined) {
    throw HingeError.input("a one-class model has no labels or targets; leave y out: certify(model, x), or certify(model, x, { nu: 0.5 })");
  }
}

const MOST_LISTED = 5;

function listed(classes: readonly Label[]): string {
  if (classes.length > MOST_LISTED) return `${classes.slice(0, MOST_LISTED).map(shown).join(", ")}, …`;
  return `${classes.slice(0, -1).map(shown).join(", ")} and ${shown(classes.at(-1))}`;
}
