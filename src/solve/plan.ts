// Which method solves a problem, and which one takes over where it stalls.
//
// Coordinate descent is the fastest way to a gap of 1e-3 on most data, and may need for ever where columns are badly scaled or C is
// large. Newton and interior point methods need a number of passes that hardly depends on either. What they would cost can be told
// beforehand; so descent is given about that much work, and if it is not done by then, the other one takes over from where it stands.
// Together they never cost more than about twice the better of the two.

import type { Matrix } from "../data/matrix.js";
import { dualDescentBytes } from "./dual-descent.js";
import type { BinaryProblem, MultiClassProblem } from "./problem.js";

/** A method, as reports name it. */
export type SolverName = "dual coordinate descent";

/** What an estimator's option `solver` says. */
export type SolverChoice = "auto" | "dual" | "newton" | "interior-point";

/** One method of a plan. */
export interface Stage {
  readonly solver: SolverName;
  /** Why it was chosen, for the report. */
  readonly why: string;
  /** Passes over the rows after which the next stage takes over; Infinity for the last. */
  readonly passes: number;
}

export interface Plan {
  readonly stages: readonly Stage[];
  /** Work space for the largest of them. */
  readonly regionBytes: number;
}

/** The plan for a binary problem. */
export function planBinary(x: Matrix, { rowIds }: BinaryProblem, _choice: SolverChoice): Plan {
  const stages: Stage[] = [{ solver: "dual coordinate descent", why: "the only method so far", passes: Infinity }];
  return { stages, regionBytes: dualDescentBytes(rowIds.length, x.featureCount) };
}

/** The plan for all classes at once. */
export function planJoint(x: Matrix, { rowIds }: MultiClassProblem): Plan {
  return { stages: [], regionBytes: rowIds.length * x.featureCount };
}
