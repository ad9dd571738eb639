// Drives a solver that runs inside the core: slice after slice, with a look at the caller between two of them.

import type { Interruption } from "../base/status.js";
import { coreProgress } from "../runtime/layout.js";
import type { TaskProgress } from "../runtime/protocol.js";
import type { Task } from "../runtime/task.js";

/** How a solver's own work ended. */
export type Ending = "converged" | "iteration-limit" | "precision-limit" | Interruption;

/** Calls `advance` until the core's stopping rule holds, a limit is reached or the caller says stop. */
export async function drive({ checkpoint }: Task, progress: () => TaskProgress, advance: () => number): Promise<Ending> {
  for (;;) {
    const interruption = await checkpoint(progress);
    if (interruption !== undefined) return interruption;
    const said = advance();
    if (said === coreProgress.converged) return "converged";
    if (said === coreProgress.iterationLimit) return "iteration-limit";
    if (said === coreProgress.precisionLimit) return "precision-limit";
  }
}

/** A copy without negative zeros, which JSON cannot tell from zeros. */
export function plainZeros(values: Float64Array): Float64Array {
  const copy = values.slice();
  for (let k = 0; k < copy.length; k++) copy[k] = (copy[k] as number) + 0;
  return copy;
}
