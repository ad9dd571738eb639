// Decision values of a linear model for a block of rows, by the core.

import { spaceFor, type Task } from "../runtime/task.js";

export interface LinearDecisionInput {
  readonly from: number;
  readonly to: number;
  /** f64[features of the matrix]. */
  readonly w: Float64Array;
  readonly bias: number;
}

export function linearDecisionBytes(rowCount: number, featureCount: number): number {
  return spaceFor(8 * rowCount, 8 * featureCount);
}

export function linearDecision({ core, space, rows }: Task, { from, to, w, bias }: LinearDecisionInput): { decision: Float64Array } {
  const out = space.doubles(to - from);
  const weights = space.doubles(w.length);
  weights.set(w);
  core.decisionRows(out.byteOffset, rows, from, to, weights.byteOffset, bias);
  return { decision: out.slice() };
}
