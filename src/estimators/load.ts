// One door for every model file: what kind it is, its first word says.

import { HingeError, shown } from "../base/errors.js";
import { suggestion } from "../base/nearest.js";
import { markLength } from "../formats/byte-order-mark.js";
import { readLiblinearModel } from "../formats/liblinear-model.js";
import { readLibsvmModel } from "../formats/libsvm-model.js";
import { modelFromBytes } from "../formats/model-json.js";
import { quoted } from "../formats/position.js";
import { estimatorOf } from "../model/liblinear-file.js";
import { readBytes } from "../runtime/runtime.js";
import { LinearSVC } from "./linear-svc.js";
import { LogisticRegression } from "./logistic-regression.js";

/** Any model that a file can hold. */
export type AnyModel = LinearSVC | LogisticRegression;

/**
 * Returns the model in a file (by path) or in bytes: hinge's JSON, or a file of LIBLINEAR. Any bytes give a model or a `HingeError`.
 * A model of LIBLINEAR brings no certificate: `report.status` is "unknown", and `certify(model, x, y, { C })` proves it.
 */
export async function load(source: string | Uint8Array): Promise<AnyModel> {
  if (typeof source !== "string" && !(source instanceof Uint8Array))
    throw HingeError.input(`load takes a path or a Uint8Array, got ${shown(source)}`);
  if (typeof source !== "string") return modelFrom(source, "model");
  const bytes = await readBytes(source);
  try {
    return modelFrom(bytes, source);
  } catch (error) {
    // An error with a place names the file already.
    if (!(error instanceof HingeError) || error.where !== undefined) throw error;
    throw new HingeError(error.code, `${source}: ${error.message}`, undefined, { cause: error });
  }
}

function modelFrom(bytes: Uint8Array, name: string): AnyModel {
  const at = firstByte(bytes);
  if (beginsWith(bytes, at, "{")) return fromJson(bytes);
  if (beginsWith(bytes, at, "solver_type")) return fromLiblinear(bytes, name);
  if (beginsWith(bytes, at, "svm_type")) return fromLibsvm(bytes, name);
  let end = at;
  while (end < bytes.length && !BLANKS.includes(bytes[end] as number)) end++;
  throw new HingeError(
    "bad-model",
    `not a model file: it must begin with "{" (hinge), "solver_type" (LIBLINEAR) or "svm_type" (LIBSVM), got ${quoted(bytes, at, end)}`,
  );
}

function fromLiblinear(bytes: Uint8Array, name: string): AnyModel {
  const file = readLiblinearModel(bytes, name);
  return estimatorOf(file) === "LogisticRegression" ? LogisticRegression.fromLiblinear(file) : LinearSVC.fromLiblinear(file);
}

const loaders: Readonly<Record<string, (json: unknown) => AnyModel>> = {
  LinearSVC: LinearSVC.fromJSON,
  LogisticRegression: LogisticRegression.fromJSON,
};

function fromJson(bytes: Uint8Array): AnyModel {
  const json = modelFromBytes(bytes);
  const names = Object.keys(loaders);
  if (!Object.hasOwn(loaders, json.estimator)) {
    throw new HingeError("bad-model", `no estimator is called ${shown(json.estimator)}${suggestion(json.estimator, names)}`);
  }
  return (loaders[json.estimator] as (json: unknown) => AnyModel)(json);
}

/** Read all the same, so that a damaged file is called damaged. */
function fromLibsvm(bytes: Uint8Array, name: string): never {
  const { type, kernel } = readLibsvmModel(bytes, name);
  throw new HingeError(
    "bad-model",
    `this is a LIBSVM model of type ${type} with the kernel ${kernel.type}; hinge cannot predict with it yet`,
  );
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
