// The estimators that the command line can train, by the word that names them.

import { HingeError } from "../base/errors.js";
import { suggestion } from "../base/nearest.js";
import { linearSvcOptions } from "../base/options/linear-svc.js";
import { logisticRegressionOptions } from "../base/options/logistic-regression.js";
import type { Field } from "../base/options/table.js";
import { LinearSVC, LogisticRegression } from "../index.js";

export const estimators = {
  "linear-svc": { options: linearSvcOptions, fit: LinearSVC.fit },
  "logistic-regression": { options: logisticRegressionOptions, fit: LogisticRegression.fit },
} as const;

export type EstimatorName = keyof typeof estimators;

export const ESTIMATOR_HELP = `what to train: ${Object.keys(estimators).join(" or ")} (default linear-svc)`;

export function estimatorName(given: unknown): EstimatorName {
  if (given === undefined) return "linear-svc";
  if (Object.hasOwn(estimators, given as string)) return given as EstimatorName;
  const names = Object.keys(estimators);
  throw new HingeError(
    "bad-option",
    `--estimator must be ${names.join(" or ")}, got ${JSON.stringify(given)}${suggestion(String(given), names)}`,
  );
}

/** Every option that any of them has; where they differ in what they allow, each is told. */
export function allFields(): Record<string, Field<unknown, unknown>> {
  const all: Record<string, Field<unknown, unknown>> = {};
  const tables = Object.entries(estimators).map(
    ([name, { options }]) => [name, options.fields as unknown as Record<string, Field<unknown, unknown>>] as const,
  );
  for (const field of new Set(tables.flatMap(([, fields]) => Object.keys(fields)))) {
    const owners = tables.filter(([, fields]) => Object.hasOwn(fields, field));
    const first = owners[0]?.[1][field] as Field<unknown, unknown>;
    const alike = owners.length === tables.length && owners.every(([, fields]) => fields[field]?.allowed === first.allowed);
    const allowed = alike ? first.allowed : owners.map(([name, fields]) => `${fields[field]?.allowed} (${name})`).join("; ");
    all[field] = { ...first, allowed };
  }
  return all;
}
