// The estimators that the command line can train, by the word that names them.

import { HingeError } from "../base/errors.js";
import { suggestion } from "../base/nearest.js";
import { linearOneClassOptions } from "../base/options/linear-one-class.js";
import { linearSvcOptions } from "../base/options/linear-svc.js";
import { linearSvrOptions } from "../base/options/linear-svr.js";
import { logisticRegressionOptions } from "../base/options/logistic-regression.js";
import type { Field } from "../base/options/table.js";
import {
  type CertifiedReport,
  type KernelCertificate,
  LinearOneClassSVM,
  LinearSVC,
  LinearSVR,
  LogisticRegression,
  type Matrix,
  type Scheme,
} from "../index.js";

/** What the command line needs of a fitted model. */
interface Trained {
  readonly report: CertifiedReport<KernelCertificate>;
  save(path: string): Promise<void>;
}

/** What the command line looks at itself. */
interface CheckedFlags {
  readonly tolerance: number;
  readonly stop?: string;
  readonly multiClass?: Exclude<Scheme, "binary">;
}

interface Trainable {
  readonly options: { readonly fields: object; check(given: unknown): CheckedFlags };
  /** Whether what stands first in a row is its class, which not every file format can hold. */
  readonly labels: boolean;
  fit(x: Matrix, y: Float64Array, options: object): Promise<Trained>;
}

export type EstimatorName = "linear-svc" | "logistic-regression" | "linear-svr" | "linear-one-class";

export const estimators: Readonly<Record<EstimatorName, Trainable>> = {
  "linear-svc": { options: linearSvcOptions, labels: true, fit: LinearSVC.fit },
  "logistic-regression": { options: logisticRegressionOptions, labels: true, fit: LogisticRegression.fit },
  "linear-svr": { options: linearSvrOptions, labels: false, fit: LinearSVR.fit },
  "linear-one-class": { options: linearOneClassOptions, labels: false, fit: (x, _, options) => LinearOneClassSVM.fit(x, options) },
};

export const ESTIMATOR_HELP = `what to train: ${listed(Object.keys(estimators))} (default linear-svc)`;

export function estimatorName(given: unknown): EstimatorName {
  if (given === undefined) return "linear-svc";
  if (Object.hasOwn(estimators, given as string)) return given as EstimatorName;
  const names = Object.keys(estimators);
  throw new HingeError(
    "bad-option",
    `--estimator must be ${listed(names)}, got ${JSON.stringify(given)}${suggestion(String(given), names)}`,
  );
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
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
