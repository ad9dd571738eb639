// Model files in JSON: one object, UTF-8, a newline at the end.

import { HingeError } from "../base/errors.js";
import { BACKSLASH, OPEN_LIST, OPEN_OBJECT, QUOTE } from "./ascii.js";

/** The bytes of a model file. */
export function modelToBytes(json: unknown): Uint8Array {
  try {
    return new TextEncoder().encode(`${JSON.stringify(json)}\n`);
  } catch (cause) {
    // JSON is made as one string, and strings end at half a gigabyte.
    throw new HingeError("out-of-memory", "the model is too large for JSON; save it in LIBLINEAR's format", undefined, { cause });
  }
}

/** What a model file holds: an object with a string `estimator`, not checked further. */
export function modelFromBytes(bytes: Uint8Array): { readonly estimator: string } {
  checkParts(bytes);
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new HingeError("bad-model", "not a model file of hinge: it is not JSON", undefined, { cause });
  }
  if (typeof json === "object" && json !== null && Object.hasOwn(json, "estimator")) {
    const { estimator } = json as { estimator: unknown };
    if (typeof estimator === "string") return json as { readonly estimator: string };
  }
  throw new HingeError("bad-model", 'not a model file of hinge: it has no "estimator"');
}

// Long lists of numbers are what models are made of; of all else they have little.
const MOST_PARTS = 10_000;

/** Refuses what is no model by its form before it is parsed: two bytes "[]" become some fifty of a list, "{}" of an object. */
function checkParts(bytes: Uint8Array): void {
  let parts = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      inText = !inText;
      parts++;
    } else if (inText) {
      if (byte === BACKSLASH) at++;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) parts++;
    if (parts > MOST_PARTS) {
      throw new HingeError("bad-model", `not a model file of hinge: it has more than ${MOST_PARTS} lists, objects and texts`);
    }
  }
}
