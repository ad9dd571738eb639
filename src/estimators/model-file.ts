// Under which name a model is saved, and in which format that is.

import { HingeError } from "../base/errors.js";

/** JSON where the name ends in .json, otherwise LIBLINEAR's format. Throws `HingeError` if it is no name. */
export function formatOf(path: string): "json" | "liblinear" {
  if (typeof path !== "string" || path === "") throw HingeError.option("the name of a model file", "a text that is not empty", path);
  return path.endsWith(".json") ? "json" : "liblinear";
}
