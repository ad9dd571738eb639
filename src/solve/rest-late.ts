// Classes that are late in a descent of many at once (rest-descent.ts) go on without the others, again together, as long as there are passes left.

import type { Task } from "../runtime/task.js";
import type { Ending } from "./drive.js";
import { RestDescent, type RestProblem, restBytes } from "./rest-descent.js";

/** Work space of late ones: half of them at most. */
export function lateBytes(rowCount: number, featureCount: number, classCount: number): number {
  return restBytes(rowCount, featureCount, Math.ceil(classCount / 2));
}

/** How that ended, and the passes that each lane has taken part in. */
export interface LateEnding {
  readonly ending: Ending;
  readonly passes: readonly number[];
}

/** All classes; from where few are late, those. `few`: a task with space for them. */
export async function solveWithLate(whole: RestDescent, problem: RestProblem, few: Task): Promise<LateEnding> {
  let ending = await whole.solve();
  const passes = problem.classes.map(() => whole.passes);
  let left = problem.maxIterations - whole.passes;
  for (let { late } = whole; ending === "converged" && late.length > 0 && left > 0; { late } = whole) {
    few.space.restart();
    const classes = late.map((lane) => problem.classes[lane] as number);
    const part = new RestDescent(few, { ...problem, classes, maxIterations: left }, { other: whole, lanes: late });
    ending = await part.solve();
    whole.take(part, Array.from(late.keys()), late);
    for (const lane of late) passes[lane] = (passes[lane] as number) + part.passes;
    left -= part.passes;
  }
  return { ending, passes };
}
