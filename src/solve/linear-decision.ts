// Decision values of a linear model for a block of rows, by the core.

import { spaceFor, type Task } from "../runtime/task.js";

export interface LinearDecisionInput {
  readonly from: number;
  readonly to: number;
  /** f64[features of the matrix][outputs]: the weights of a feature side by side. */
  readonly w: Float64Array;
  /** f64[outputs]. */
  readonly biases: Float64Array;
}

export function linearDecisionBytes(rowCount: number, featureCount: number, outputs: number): number {
  return spaceFor(8 * rowCount * outputs, 8 * featureCount * outputs, 8 * outputs);
}

/** f64[rows][outputs]. */
export function linearDecision({ core, space, rows }: Task, { from, to, w, biases }: LinearDecisionInput): { decision: Float64Array } {
  const outputs = biases.length;
  const out = space.rawDoubles((to - from) * outputs);
  const weights = space.rawDoubles(w.length);
  const offsets = space.rawDoubles(outputs);
  weights.set(w);
  offsets.set(biases);
  if (outputs === 1) core.decisionRows(out.byteOffset, rows, from, to, weights.byteOffset, biases[0] as number);
  else core.decisionRowsWide(out.byteOffset, rows, from, to, weights.byteOffset, offsets.byteOffset, outputs);
  return { decision: out.slice() };
}
