// One door for every file of a model or a scaler: what kind it is, its first word says.

import { HingeError, shown } from "../base/errors.js";
import { type LoadOptions, loadOptions } from "../base/options/kernel.js";
import { markLength } from "../formats/byte-order-mark.js";
import { readLiblinearModel } from "../formats/liblinear-model.js";
import { readLibsvmModel } from "../formats/libsvm-model.js";
import { modelFromBytes } from "../formats/model-json.js";
import { quoted } from "../formats/position.js";
import { estimatorOf } from "../model/liblinear-file.js";
import { estimatorOfLibsvm } from "../model/libsvm-models.js";
import { readBytes } from "../runtime/runtime.js";
import { CalibratedClassifier } from "./calibrated-classifier.js";
import type { NuSVC, SVC } from "./kernel-classifier.js";
import type { NuSVR, SVR } from "./kernel-regression.js";
import { estimators, kernelEstimators, knownFromJson, type Model, noFunction, type Transformer, transformers } from "./known.js";
import type { LinearOneClassSVM } from "./linear-one-class-svm.js";
import type { LinearSVC } from "./linear-svc.js";
import type { LinearSVR } from "./linear-svr.js";
import type { LogisticRegression } from "./logistic-regression.js";
import type { OneClassSVM } from "./one-class-svm.js";
import { Pipeline } from "./pipeline.js";

/** Everything that a file can hold. Tell them apart by `instanceof`, or say to `load` which one it must be. */
export type Loaded = Model | Transformer | Pipeline | CalibratedClassifier;

/** A class whose files `load` reads. */
export interface LoadableClass<T extends Loaded> {
  readonly prototype: T;
}

/**
 * Returns the model or scaler in a file (by path) or in bytes: hinge's JSON, or a file of LIBLINEAR or LIBSVM. Any bytes give one or a
 * `HingeError`; so does a file that holds another `kind` than the one given. A model of theirs brings no certificate:
 * `report.status` is "unknown", and `certify(model, x, y, { C })` proves it. No file holds a kernel that is a function: `{ kernel }` gives it again.
 */
export function load(source: string | Uint8Array, options?: LoadOptions): Promise<Loaded>;
export function load(source: string | Uint8Array, kind: typeof LinearSVC): Promise<LinearSVC>;
export function load(source: string | Uint8Array, kind: typeof LogisticRegression): Promise<LogisticRegression>;
export function load(source: string | Uint8Array, kind: typeof LinearSVR): Promise<LinearSVR>;
export function load(source: string | Uint8Array, kind: typeof LinearOneClassSVM): Promise<LinearOneClassSVM>;
export function load(source: string | Uint8Array, kind: typeof SVC, options?: LoadOptions): Promise<SVC>;
export function load(source: string | Uint8Array, kind: typeof NuSVC, options?: LoadOptions): Promise<NuSVC>;
export function load(source: string | Uint8Array, kind: typeof SVR, options?: LoadOptions): Promise<SVR>;
export function load(source: string | Uint8Array, kind: typeof NuSVR, options?: LoadOptions): Promise<NuSVR>;
export function load(source: string | Uint8Array, kind: typeof OneClassSVM, options?: LoadOptions): Promise<OneClassSVM>;
export function load(source: string | Uint8Array, kind: typeof Pipeline, options?: LoadOptions): Promise<Pipeline>;
export function load(source: string | Uint8Array, kind: typeof CalibratedClassifier, options?: LoadOptions): Promise<CalibratedClassifier>;
export function load<T extends Loaded>(source: string | Uint8Array, kind: LoadableClass<T>, options?: LoadOptions): Promise<T>;
export async function load(
  source: string | Uint8Array,
  second?: LoadableClass<Loaded> | LoadOptions,
  third?: LoadOptions,
): Promise<Loaded> {
  if (typeof source !== "string" && !(source instanceof Uint8Array))
    throw HingeError.input(`load takes a path or a Uint8Array, got ${shown(source)}`);
  const isOptions = third === undefined && hasKeys(second);
  const kind = isOptions ? undefined : (second as LoadableClass<Loaded> | undefined);
  if (kind !== undefined && !isLoadable(kind)) {
    throw HingeError.option("the kind to load", `one of the classes ${Object.keys(classes).join(", ")}`, kind);
  }
  const options = loadOptions.check(isOptions ? second : third);
  if (typeof source !== "string") return checkKind(loadedFrom(source, "model", options), kind);
  const bytes = await readBytes(source);
  try {
    return checkKind(loadedFrom(bytes, source, options), kind);
  } catch (error) {
    // An error with a place names the file already.
    if (!(error instanceof HingeError) || error.where !== undefined) throw error;
    throw new HingeError(error.code, `${source}: ${error.message}`, undefined, { cause: error });
  }
}

/** By the name under which files know them. */
const classes = { ...estimators, ...transformers, Pipeline, CalibratedClassifier } as const;

/** An object of options that says something; classes are functions. */
function hasKeys(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function isLoadable(kind: unknown): boolean {
  return (Object.values(classes) as unknown[]).includes(kind);
}

function checkKind(loaded: Loaded, kind: LoadableClass<Loaded> | undefined): Loaded {
  if (kind === undefined || loaded.constructor === kind) return loaded;
  throw new HingeError("bad-model", `this is a ${nameOf(loaded.constructor)}, a ${nameOf(kind)} was asked for; load another file`);
}

/** Not the class's own name, which the browser bundle shortens. */
function nameOf(kind: unknown): string | undefined {
  return Object.entries(classes).find(([, known]) => known === kind)?.[0];
}

function loadedFrom(bytes: Uint8Array, name: string, options: LoadOptions): Loaded {
  const at = firstByte(bytes);
  if (beginsWith(bytes, at, "{")) return fromJson(bytes, options);
  if (options.kernel !== undefined) throw noFunction();
  if (beginsWith(bytes, at, "solver_type")) return fromLiblinear(bytes, name);
  if (isLibsvmFile(bytes)) return fromLibsvm(bytes, name);
  let end = at;
  while (end < bytes.length && !BLANKS.includes(bytes[end] as number)) end++;
  throw new HingeError(
    "bad-model",
    `not a model file: it must begin with "{" (hinge), "solver_type" (LIBLINEAR) or "svm_type" (LIBSVM), got ${quoted(bytes, at, end)}`,
  );
}

function fromLiblinear(bytes: Uint8Array, name: string): Loaded {
  const file = readLiblinearModel(bytes, name);
  // One that holds none of them is refused by the first.
  return estimators[estimatorOf(file) ?? "LinearSVC"].fromLiblinear(file);
}

function fromJson(bytes: Uint8Array, options: LoadOptions): Loaded {
  const json = modelFromBytes(bytes);
  if (json.estimator === "CalibratedClassifier") return CalibratedClassifier.fromJSON(json, options);
  return json.estimator === "Pipeline"
    ? Pipeline.fromJSON(json, options)
    : knownFromJson(json, options, ["Pipeline", "CalibratedClassifier"]);
}

function fromLibsvm(bytes: Uint8Array, name: string): Loaded {
  const file = readLibsvmModel(bytes, name, true);
  return kernelEstimators[estimatorOfLibsvm(file)].fromLibsvm(file);
}

/** @internal Whether the bytes begin as a model file of LIBSVM does. */
export function isLibsvmFile(bytes: Uint8Array): boolean {
  return beginsWith(bytes, firstByte(bytes), "svm_type");
}

const BLANKS = [0x20, 0x09, 0x0a, 0x0d];

/** Behind a byte order mark and blanks. */
function firstByte(bytes: Uint8Array): number {
  let at = markLength(bytes);
  while (at < bytes.length && BLANKS.includes(bytes[at] as number)) at++;
  return at;
}

function beginsWith(bytes: Uint8Array, at: number, word: string): boolean {
  for (let k = 0; k < word.length; k++) if (bytes[at + k] !== word.charCodeAt(k)) return false;
  return true;
}
