// How linear models go to a file: under which name, in which format.

import { HingeError } from "../base/errors.js";
import { liblinearModelParts, writeLiblinearModel } from "../formats/liblinear-model.js";
import { modelToBytes } from "../formats/model-json.js";
import type { LiblinearFile } from "../model/liblinear-file.js";
import { writeAtomic } from "../runtime/runtime.js";

/** JSON where the name ends in .json, otherwise LIBLINEAR's format. Throws `HingeError` if it is no name. */
export function formatOf(path: string): "json" | "liblinear" {
  if (typeof path !== "string" || path === "") throw HingeError.option("the name of a model file", "a text that is not empty", path);
  return path.endsWith(".json") ? "json" : "liblinear";
}

/** A model that hinge's JSON and LIBLINEAR's files can hold. */
export abstract class SavedModel<Json extends object> {
  /**
   * Writes the model to a file, whole or not at all: as JSON where the name ends in .json, otherwise in LIBLINEAR's format, which holds
   * neither the certificate nor the constants of the problem, and of labels only whole numbers.
   */
  async save(path: string): Promise<void> {
    const format = formatOf(path);
    const parts = format === "liblinear" ? liblinearModelParts(this.toLiblinear()) : [this.toBytes(format)];
    await writeAtomic(path, parts);
  }

  /** Returns the bytes that `save` writes; `load` reads them back. */
  toBytes(format: "json" | "liblinear" = "json"): Uint8Array {
    if (format === "json") return modelToBytes(this.toJSON());
    if (format === "liblinear") return writeLiblinearModel(this.toLiblinear());
    throw HingeError.option("the format", '"json" or "liblinear"', format);
  }

  /** Returns plain data for `JSON.stringify`. */
  abstract toJSON(): Json;

  /** @internal The model as LIBLINEAR's file has it; throws `HingeError` if those cannot hold it. */
  protected abstract toLiblinear(): LiblinearFile;
}
