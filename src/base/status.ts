// How a fit ended. None of these is an error: the model is the best one found by then.

export const statuses = ["converged", "iteration-limit", "precision-limit", "time-limit", "aborted"] as const;

/**
 * - `converged`: the certified gap is at most the tolerance; with `stop: "violation"`, and where a kernel allows no gap, the violation is.
 * - `iteration-limit`: `maxIterations` was reached first.
 * - `precision-limit`: the numbers allow no better: the gap that was reached is in the certificate.
 * - `time-limit`: `timeLimitSeconds` was reached first.
 * - `aborted`: the `signal` was aborted.
 */
export type Status = (typeof statuses)[number];

/** Why a solver was told to stop before its own rule was met. */
export type Interruption = "time-limit" | "aborted";

/** Whether a fit was stopped from outside, before it was done. */
export function isInterruption(status: string): status is Interruption {
  return status === "aborted" || status === "time-limit";
}
