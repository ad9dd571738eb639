// Where the problems of many classes, each against the rest, begin: with what one descent for several classes at once has made of them in float32 (rest-descent.ts). From there each
// goes on by itself, in float64, and is proven.

import type { Task } from "../runtime/task.js";
import { RestDescent, type RestProblem } from "./rest-descent.js";

export interface RestStart {
  /** f64[classes][rows]: the dual variables. */
  readonly alpha: Float64Array;
  /** Passes over the rows. */
  readonly passes: number;
}

/** Goes on until all classes but a few are at the tolerance, or a limit or the caller says stop: any point is one to begin from. */
export async function descendTogether(task: Task, problem: RestProblem): Promise<RestStart> {
  const descent = new RestDescent(task, problem);
  await descent.solve();
  descent.settle();
  const rowCount = problem.rowIds.length;
  const alpha = new Float64Array(problem.classes.length * rowCount);
  for (const lane of problem.classes.keys()) alpha.set(descent.alpha(lane), lane * rowCount);
  return { alpha, passes: descent.passes };
}
