// Many classes, each against the rest: their problems have rows and costs in common, and begin together, some classes a task (solve/rest-start.ts), where most of them end, too.

import { inLanes } from "../base/lanes.js";
import { judgedRestBytes } from "../certify/rest.js";
import type { Matrix } from "../data/matrix.js";
import { mostSquare } from "../data/row-squares.js";
import type { RunOptions } from "../runtime/pool.js";
import { prepareWorkers, runTask } from "../runtime/runtime.js";
import { planBinary, type SolverChoice } from "../solve/plan.js";
import type { BinarySolution } from "../solve/problem.js";
import { isForRest, type RestProblem } from "../solve/rest-descent.js";
import { type RestGroup, type RestStart, restStartBytes } from "../solve/rest-start.js";
import type { Outcome } from "../solve/stages.js";
import type { PosedProblems } from "./linear-problems.js";
import type { Tracker } from "./tracker.js";

/** Classes from which on one pass for several is worth it, and those of one task at most: not a matter of threads, so that the model is none either. */
const LEAST_CLASSES = 8;
const CLASSES_AT_ONCE = 16;
/** Stored values below which the fit is over before a task has gone to and fro. */
const LEAST_VALUES = 50_000;
/** Passes after which what is left is done better by each class alone, which leaves rows at rest; and the limit of a fit that has room for them. */
const MOST_SWEEPS = { hinge: 30, squared_hinge: 12, logistic: 20 };
const LEAST_LIMIT = 1000;
/** Work space of one task, and of all that are under way: they share a memory with the matrix. */
const MOST_BYTES = 2 ** 27;
const MOST_AT_ONCE = 2 ** 30;

/** Who hears of what comes of the classes. */
export interface Hearers {
  readonly tracker: Tracker;
  /** Takes the whole outcome of a problem that has ended. */
  put(index: number, outcome: Outcome<BinarySolution>, rowIds: Uint32Array): void;
}

/** Where a class that goes on alone begins, and what it took to get there. */
export interface Begun {
  readonly start: BinarySolution;
  readonly seconds: number;
  readonly certifySeconds: number;
}

/** Where classes that have not ended yet are to begin; undefined where the problems are others, or each is better solved by itself. */
export function beginTogether(
  x: Matrix,
  posed: PosedProblems,
  solver: SolverChoice,
  call: RunOptions,
  { tracker, put }: Hearers,
): Promise<readonly (Begun | undefined)[]> | undefined {
  const found = restProblem(x, posed, solver);
  if (found === undefined) return undefined;
  const { problem, why } = found;
  const groups = Math.ceil(posed.count / CLASSES_AT_ONCE);
  // Four classes to an instruction.
  const size = 4 * Math.ceil(posed.count / groups / 4);
  const rowCount = problem.rowIds.length;
  const alone = restStartBytes(rowCount, x.featureCount, size);
  if (alone > MOST_BYTES) return undefined;
  const judged = restStartBytes(rowCount, x.featureCount, size, judgedRestBytes(rowCount, x.featureCount, size));
  // Without room for the judge's float64 numbers every class goes on by itself.
  const isJudged = judged <= MOST_BYTES;
  const regionBytes = isJudged ? judged : alone;
  // There may be fewer tasks than threads here, and more when every class goes on by itself.
  prepareWorkers(Math.min(call.threads, posed.count));
  const atOnce = Math.min(call.threads, Math.max(1, Math.floor(MOST_AT_ONCE / regionBytes)));
  const parts = inLanes(Math.ceil(posed.count / size), atOnce, async (index) => {
    const first = index * size;
    const classes = Array.from({ length: Math.min(size, posed.count - first) }, (_, lane) => first + lane);
    const input: RestGroup = { ...problem, classes, seed: problem.seed + first, isJudged };
    const work = { task: "descend-together", matrix: x, regionBytes, input };
    const ended = await runTask<RestStart>(work, { ...call, onProgress: tracker.watch(first) });
    return classes.map((index, lane) => {
      const outcome = outcomeOf(ended, lane, why);
      if (outcome === undefined) return startOf(ended, lane);
      put(index, outcome, problem.rowIds);
      return undefined;
    });
  });
  return parts.then((begun) => begun.flat());
}

/** The part of an array that belongs to one of several classes. */
function partOf(all: Float64Array, lane: number, { ends }: RestStart): Float64Array {
  const size = all.length / ends.length;
  return all.subarray(lane * size, (lane + 1) * size);
}

/** Its dual variables are its own: a message takes along all that a view lies in. Descent makes w of them. */
function startOf(ended: RestStart, lane: number): Begun {
  const { seconds, certifySeconds, ends, passes } = ended;
  const alpha = partOf(ended.alpha, lane, ended).slice();
  const start = { w: new Float64Array(0), bias: 0, alpha, iterations: passes[lane] as number };
  return { start, seconds, certifySeconds: certifySeconds / ends.length };
}

/** What came of one of several classes, if it has ended. */
function outcomeOf(ended: RestStart, lane: number, why: string): Outcome<BinarySolution> | undefined {
  const { ends, seconds, certifySeconds } = ended;
  const end = ends[lane];
  if (end === undefined) return undefined;
  const { relativeGap } = end.certificate;
  const iterations = ended.passes[lane] as number;
  return {
    ...end,
    solution: { w: partOf(ended.w, lane, ended), bias: ended.biases[lane] as number, alpha: partOf(ended.alpha, lane, ended), iterations },
    stages: [{ solver: "dual coordinate descent", why: `${why}, with several classes at once`, iterations, relativeGap }],
    history: [{ seconds, iterations, relativeGap }],
    certifySeconds: certifySeconds / ends.length,
  };
}

interface FoundRest {
  readonly problem: Omit<RestProblem, "classes">;
  /** Why descent is the method for it. */
  readonly why: string;
}

function restProblem(x: Matrix, posed: PosedProblems, solver: SolverChoice): FoundRest | undefined {
  if (posed.scheme !== "ovr" || posed.count < LEAST_CLASSES || x.valueCount < LEAST_VALUES) return undefined;
  const one = posed.binary(0);
  const { loss, penalty, bias, biasScale, tolerance, stop, maxIterations, seed } = one;
  if (penalty !== "l2" || stop !== undefined || maxIterations < LEAST_LIMIT) return undefined;
  const [first] = planBinary(x, one, solver, false).stages;
  if (first?.solver !== "dual coordinate descent") return undefined;
  const { rowIds, classIds, costs } = posed.joint();
  const biasSquare = bias === "augmented" ? biasScale * biasScale : 0;
  if (!isForRest({ ...one, costs }, mostSquare(x, rowIds) + biasSquare)) return undefined;
  return { problem: { loss, bias, biasScale, tolerance, seed, rowIds, classIds, costs, maxIterations: MOST_SWEEPS[loss] }, why: first.why };
}
