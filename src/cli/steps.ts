// The engine in a command that trains a kernel machine. Much code runs for a short while there, in every thread, and with two cores the engine's own threads, which compile it anew for speed, take the time of
// those that work: on letter they would use a second and a half. So functions have to run four times as long before that, and take less of others into themselves (docs/performance.md). Other
// commands do better without.

import { startPoolHere, thePool } from "../runtime/runtime.js";
import type { Console } from "./console.js";
import { canSetFlags, setFlags } from "./engine-flags.js";

export const stepsFlags = ["--interrupt-budget=528000", "--max-inlined-bytecode-size-cumulative=200"];

/**
 * To be called before anything was started. Engines take the code that was kept from the build only under the flags it was made with, so there is some of its own; without it, as
 * with another executable, which may know other flags, nothing is changed.
 */
export function turnToSteps({ keptCode }: Console): void {
  const code = keptCode?.("steps.code");
  if (code === undefined || !canSetFlags()) return;
  const { module, settings } = thePool(); // before there are other flags: kept code of the core would not be taken
  setFlags(stepsFlags);
  startPoolHere({ tasks: settings.tasks, workerCode: code, keptCore: () => module });
}
