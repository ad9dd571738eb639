// The estimators that the command line can train, by the word that names them.

import { HingeError } from "../base/errors.js";
import { suggestion } from "../base/nearest.js";
import { calibrateOptions } from "../base/options/calibrate.js";
import { nuSvcOptions, nuSvrOptions, oneClassOptions, svcOptions, svrOptions } from "../base/options/kernel.js";
import { linearOneClassOptions } from "../base/options/linear-one-class.js";
import { linearSvcOptions } from "../base/options/linear-svc.js";
import { linearSvrOptions } from "../base/options/linear-svr.js";
import { logisticRegressionOptions } from "../base/options/logistic-regression.js";
import { type Checked, type Field, shownDefault } from "../base/options/table.js";
import {
  type CertifiedReport,
  calibrate,
  columns,
  type KernelCertificate,
  KernelClassifier,
  LinearClassifier,
  LinearOneClassSVM,
  LinearSVC,
  LinearSVR,
  LogisticRegression,
  type Matrix,
  NuSVC,
  NuSVR,
  OneClassSVM,
  pipeline,
  type Recipe,
  type Scheme,
  SVC,
  SVR,
  TfidfVectorizer,
} from "../index.js";
import { type Input, labelsOf } from "./input.js";

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
  readonly threads: number | undefined;
}

export interface Trainable {
  readonly options: { readonly fields: object; check(given: unknown): CheckedFlags };
  /** What its iterations are. */
  readonly unit: "pass" | "step";
  /** Where what stands first in a row is its class, which not every file format can hold: throws unless a model of these can be saved under this name. */
  readonly checkSave?: (path: string, labels: Float64Array, scheme?: Scheme) => void;
  /** What a pipeline ends in that learns from tables; undefined where there is nothing to learn but the rows. */
  readonly learner?: unknown;
  fit(x: Matrix, y: Float64Array, options: object): Promise<Trained>;
}

const linear = { unit: "pass", checkSave: LinearClassifier.checkSave } as const;
const kernel = { unit: "step", checkSave: KernelClassifier.checkSave } as const;

/** By the words after --estimator. */
export const estimators = {
  "linear-svc": { ...linear, learner: LinearSVC, options: linearSvcOptions, fit: LinearSVC.fit },
  "logistic-regression": { ...linear, learner: LogisticRegression, options: logisticRegressionOptions, fit: LogisticRegression.fit },
  "linear-svr": { unit: "pass", learner: LinearSVR, options: linearSvrOptions, fit: LinearSVR.fit },
  "linear-one-class": { unit: "pass", options: linearOneClassOptions, fit: (x, _, options) => LinearOneClassSVM.fit(x, options) },
  svc: { ...kernel, learner: SVC, options: svcOptions, fit: SVC.fit },
  "nu-svc": { ...kernel, learner: NuSVC, options: nuSvcOptions, fit: NuSVC.fit },
  svr: { unit: "step", learner: SVR, options: svrOptions, fit: SVR.fit },
  "nu-svr": { unit: "step", learner: NuSVR, options: nuSvrOptions, fit: NuSVR.fit },
  "one-class-svm": { unit: "step", options: oneClassOptions, fit: (x, _, options) => OneClassSVM.fit(x, options) },
} satisfies Readonly<Record<string, Trainable>>;

type CalibrationMethod = Checked<typeof calibrateOptions>["method"];

export const CALIBRATE_HELP = `make probabilities of decision values, by cross-validation: ${calibrateOptions.fields.method.allowed}; for classifiers, saved as JSON`;

/** The value of --calibrate, checked before anything is read. */
export function calibrationFrom(given: unknown, name: EstimatorName, target: string): CalibrationMethod | undefined {
  if (given === undefined) return undefined;
  if ((estimators[name] as Trainable).checkSave === undefined)
    throw new HingeError("bad-option", `--calibrate is for classifiers, ${name} tells no classes apart; leave it out`);
  if (!target.endsWith(".json"))
    throw new HingeError(
      "bad-option",
      `a calibrated model is saved with its calibration, which only JSON holds: ${target} must end in .json`,
    );
  try {
    return calibrateOptions.check({ method: given }).method;
  } catch (error) {
    throw error instanceof HingeError ? new HingeError("bad-option", error.message.replace("method", "--calibrate")) : error;
  }
}

/** Learns from any input: rows as they are, tables through a pipeline that is saved with the model. */
export async function fitOn(
  estimator: Trainable,
  name: string,
  input: Input,
  options: object,
  calibration?: CalibrationMethod,
): Promise<Trained> {
  const y = labelsOf(input);
  if (calibration !== undefined) {
    // Its many fits have no progress that one line could tell.
    const settings = { ...options, onProgress: undefined, method: calibration };
    return (await calibrate(
      learnerOn(estimator, name, input) as never,
      input.x as never,
      y as never,
      settings as never,
    )) as unknown as Trained;
  }
  if (input.kind === "rows") return estimator.fit(input.x, y as Float64Array, options);
  return (await recipeOn(estimator, name, input).fit(input.x as never, y as never, options as never)) as unknown as Trained;
}

/** What cross-validation and search take: the estimator itself, or the pipeline that learns from the table. */
export function learnerOn(estimator: Trainable, name: string, input: Input): unknown {
  return input.kind === "table" ? recipeOn(estimator, name, input) : estimator.learner;
}

/** The pipeline that learns from a table: numbers filled and scaled, categories and words as features. */
function recipeOn({ learner }: Trainable, name: string, { x }: Input & { kind: "table" }): Recipe<never, never> {
  if (learner === undefined) throw new HingeError("bad-option", `${name} learns from svmlight files only, not from tables`);
  const texts = x.columns.filter(({ kind }) => kind === "text").map((column) => [column.name, TfidfVectorizer] as const);
  return pipeline(columns(Object.fromEntries(texts)), learner as typeof LinearSVC) as unknown as Recipe<never, never>;
}

export type EstimatorName = keyof typeof estimators;

/** For commands that test what was learnt: some estimators learn from rows without labels. */
export function testedName(given: unknown): EstimatorName {
  const name = estimatorName(given);
  const { learner }: Trainable = estimators[name];
  if (learner === undefined) throw new HingeError("bad-option", `${name} has nothing to be scored by: it learns from rows without labels`);
  return name;
}

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

/** Every option that any of them has; where they differ in what they allow, mean or take if nothing is given, each is told. */
export function allFields(): Record<string, Field<unknown, unknown>> {
  const all: Record<string, Field<unknown, unknown>> = {};
  const tables = Object.entries(estimators).map(
    ([name, { options }]) => [name, options.fields as unknown as Record<string, Field<unknown, unknown>>] as const,
  );
  for (const name of new Set(tables.flatMap(([, fields]) => Object.keys(fields)))) {
    const owners = tables.flatMap(([owner, fields]) => (fields[name] === undefined ? [] : [{ owner, field: fields[name] }]));
    const first = (owners[0] as (typeof owners)[number]).field;
    const byDefault = grouped(owners, (field) => shownDefault(field as Field<unknown>));
    const told = (field: Field<unknown, unknown>): string => {
      const usual = shownDefault(field as Field<unknown>);
      return byDefault.size === 1 || usual === "" ? field.allowed : `${field.allowed}, default ${usual}`;
    };
    const byRule = grouped(owners, told);
    const isCommon = byRule.size === 1 && owners.length === tables.length;
    all[name] = {
      ...first,
      help: [...grouped(owners, ({ help }) => help).keys()].join("; or "),
      allowed: isCommon ? first.allowed : [...byRule].map(([rule, names]) => `${rule} (${names.join(", ")})`).join("; "),
      // A switch is on or off for all of them alike; of a value, what help shows of a default is all that this one is for.
      fallback: first.flag === "switch" || byDefault.size === 1 ? first.fallback : undefined,
    };
  }
  return all;
}

/** Owners by what they say. */
function grouped(
  owners: readonly { readonly owner: string; readonly field: Field<unknown, unknown> }[],
  say: (field: Field<unknown, unknown>) => string,
): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { owner, field } of owners) groups.set(say(field), [...(groups.get(say(field)) ?? []), owner]);
  return groups;
}
