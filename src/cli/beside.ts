// What the library has inside itself as text, the core and the workers' source, from files beside the command line: scripts/build.js puts this in the place of the generated modules. In the command
// line's own file they would be a quarter of what the engine reads at every start.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HingeError } from "../base/errors.js";

/** The numeric core for memory that threads share, in base64. */
export function coreShared(): string {
  return textOf("core.wasm", "base64");
}

/** src/worker.ts with everything it needs. */
export function workerSource(): string {
  return textOf("worker.js", "latin1");
}

function textOf(name: string, encoding: "base64" | "latin1"): string {
  const path = join(__dirname, name);
  try {
    return readFileSync(path, encoding);
  } catch (cause) {
    throw new HingeError("worker-failed", `${path}, a part of hinge, cannot be read; install hinge again`, undefined, { cause });
  }
}
