// Work that is over sooner than a message has come to a worker and back: it is done on the calling thread, where the platform can do that.
// How long it takes nobody knows beforehand, so it has a budget; what outgrows it is begun anew by a worker and gives the same bits.

import type { Work } from "./pool.js";

/** Milliseconds that a task may take on the calling thread. */
export const SMALL_MS = 8;

// Fits of 100 to 270 rows take 1.2 ms at the median where others fit in between, 0.4 to 0.9 one after the other (docs/performance.md).
const MOST_ROWS = 512;
const MOST_VALUES = 8192;
const MOST_FEATURES = 8192;
const MOST_BYTES = 2 ** 22;
const MOST_OPERATIONS = 2e6;

/** Tasks that begin anew as if nothing had happened; those that ask their caller, help others or search for long are not among them. */
export const startAnew: ReadonlySet<string> = new Set([
  "fit-linear-binary",
  "fit-linear-joint",
  "fit-linear-regression",
  "fit-linear-one-class",
  "fit-kernel",
  "certify-linear-binary",
  "certify-linear-joint",
  "certify-linear-regression",
  "certify-linear-one-class",
  "certify-kernel",
  "certify-kernel-scores",
  "equal-rows",
  "linear-decision",
  "kernel-decision",
  "column-statistics",
  "scale-columns",
  "normalize-rows",
]);

export function isSmall({ task, matrix, answer, regionBytes, operations = 0 }: Work): boolean {
  if (!startAnew.has(task) || answer !== undefined || regionBytes > MOST_BYTES || operations > MOST_OPERATIONS) return false;
  return matrix.rowCount <= MOST_ROWS && matrix.valueCount <= MOST_VALUES && matrix.featureCount <= MOST_FEATURES;
}

/** Thrown at a checkpoint by a task that has outgrown its budget. */
export class Outgrown extends Error {}
