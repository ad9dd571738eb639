// One door for every model file.

import { HingeError, shown } from "../base/errors.js";
import { suggestion } from "../base/nearest.js";
import { modelFromBytes } from "../formats/model-json.js";
import { readBytes } from "../runtime/runtime.js";
import { LinearSVC } from "./linear-svc.js";

const loaders: Readonly<Record<string, (json: unknown) => LinearSVC>> = { LinearSVC: LinearSVC.fromJSON };

/** Returns the model in a file (by path) or in bytes. Any bytes give a model or a `HingeError`. */
export async function load(source: string | Uint8Array): Promise<LinearSVC> {
  if (typeof source !== "string") return modelFrom(source);
  const bytes = await readBytes(source);
  try {
    return modelFrom(bytes);
  } catch (error) {
    throw error instanceof HingeError ? new HingeError(error.code, `${source}: ${error.message}`, undefined, { cause: error }) : error;
  }
}

function modelFrom(bytes: Uint8Array): LinearSVC {
  const json = modelFromBytes(bytes);
  const names = Object.keys(loaders);
  if (!Object.hasOwn(loaders, json.estimator)) {
    throw new HingeError("bad-model", `no estimator is called ${shown(json.estimator)}${suggestion(json.estimator, names)}`);
  }
  return (loaders[json.estimator] as (json: unknown) => LinearSVC)(json);
}
