// Model files in JSON: one object, UTF-8, a newline at the end.

import { HingeError } from "../base/errors.js";

/** The bytes of a model file. */
export function modelToBytes(json: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(json)}\n`);
}

/** What a model file holds: an object with a string `estimator`, not checked further. */
export function modelFromBytes(bytes: Uint8Array): { readonly estimator: string } {
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
