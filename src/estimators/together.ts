// Many classes, each against the rest: their problems have rows and costs in common, and begin together, some classes a task (solve/rest-start.ts).

import { inLanes } from "../base/lanes.js";
import type { Matrix } from "../data/matrix.js";
import { mostSquare } from "../data/row-squares.js";
import type { RunOptions } from "../runtime/pool.js";
import { prepareWorkers, runTask } from "../runtime/runtime.js";
import { planBinary, type SolverChoice } from "../solve/plan.js";
import type { BinarySolution } from "../solve/problem.js";
import { isForRest, type RestProblem, restBytes } from "../solve/rest-descent.js";
import type { RestStart } from "../solve/rest-start.js";
import type { PosedProblems } from "./linear-problems.js";
import type { Tracker } from "./tracker.js";

/** Classes from which on one pass for several is worth it, and those of one task at most: not a matter of threads, so that the model is none either. */
const LEAST_CLASSES = 8;
const CLASSES_AT_ONCE = 16;
/** Stored values below which the fit is over before a task has gone to and fro. */
const LEAST_VALUES = 50_000;
/** Passes after which what is left is done better by each class alone, which leaves rows at rest; and the limit of a fit that has room for them. */
const MOST_SWEEPS = { hinge: 30, squared_hinge: 12 };
const LEAST_LIMIT = 1000;
/** Work space of one task. */
const MOST_BYTES = 2 ** 27;

/** A solution to begin from for every class; undefined where the problems are others, or each is better solved by itself. */
export function beginTogether(
  x: Matrix,
  posed: PosedProblems,
  solver: SolverChoice,
  call: RunOptions,
  tracker: Tracker,
): Promise<readonly BinarySolution[]> | undefined {
  const problem = restProblem(x, posed, solver);
  if (problem === undefined) return undefined;
  const groups = Math.ceil(posed.count / CLASSES_AT_ONCE);
  // Four classes to an instruction.
  const size = 4 * Math.ceil(posed.count / groups / 4);
  const regionBytes = restBytes(problem.rowIds.length, x.featureCount, size);
  if (regionBytes > MOST_BYTES) return undefined;
  const rowCount = problem.rowIds.length;
  // There may be fewer tasks than threads here, and more when every class goes on by itself.
  prepareWorkers(Math.min(call.threads, posed.count));
  const parts = inLanes(Math.ceil(posed.count / size), call.threads, async (index) => {
    const first = index * size;
    const classes = Array.from({ length: Math.min(size, posed.count - first) }, (_, lane) => first + lane);
    const input: RestProblem = { ...problem, classes, seed: problem.seed + first };
    const work = { task: "descend-together", matrix: x, regionBytes, input };
    const { alpha, passes } = await runTask<RestStart>(work, { ...call, onProgress: tracker.watch(first) });
    return classes.map((_, lane): BinarySolution => {
      // Each in memory of its own: a message takes along all that a view lies in. Descent makes w of them.
      const own = alpha.slice(lane * rowCount, (lane + 1) * rowCount);
      return { w: new Float64Array(0), bias: 0, alpha: own, iterations: passes };
    });
  });
  return parts.then((begun) => begun.flat());
}

function restProblem(x: Matrix, posed: PosedProblems, solver: SolverChoice): Omit<RestProblem, "classes"> | undefined {
  if (posed.scheme !== "ovr" || posed.count < LEAST_CLASSES || x.valueCount < LEAST_VALUES) return undefined;
  const one = posed.binary(0);
  const { loss, penalty, bias, biasScale, tolerance, stop, maxIterations, seed } = one;
  if (loss === "logistic" || penalty !== "l2" || stop !== undefined || maxIterations < LEAST_LIMIT) return undefined;
  if (planBinary(x, one, solver, false).stages[0]?.solver !== "dual coordinate descent") return undefined;
  const { rowIds, classIds, costs } = posed.joint();
  if (!isForRest(one, mostSquare(x, rowIds))) return undefined;
  return { loss, bias, biasScale, tolerance, seed, rowIds, classIds, costs, maxIterations: MOST_SWEEPS[loss] };
}
