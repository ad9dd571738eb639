// What the library has inside itself as text, the core and the workers' source, from files beside the command line: scripts/build.js puts this in the place of the generated modules. In the command
// line's own file they would be a third of what the engine reads at every start.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The numeric core for memory that threads share, in base64. */
export function coreShared(): string {
  return readFileSync(join(__dirname, "core.wasm"), "base64");
}

/** src/worker.ts with everything it needs. */
export function workerSource(): string {
  return readFileSync(join(__dirname, "worker.js"), "latin1");
}
