// The one-against-the-rest problems of a search, in a worker: in each fold all classes are solved at once (rest-descent.ts), then those that are late, and in the end those that still are one by one
// (dual-descent.ts), for one value of C after the other, and say at once what they think of the rows held out. Where descent leads nowhere the worker says how far it got, and whoever asked goes on point by point. Checked against fits of every point in test/search.test.ts.

import { type Interruption, isInterruption } from "../base/status.js";
import type { Matrix } from "../data/matrix.js";
import { classOf } from "../model/schemes.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { descentBytes } from "./descent.js";
import type { Ending } from "./drive.js";
import { DualDescent } from "./dual-descent.js";
import type { BinaryProblem } from "./problem.js";
import { RestDescent, type RestProblem, restBytes } from "./rest-descent.js";
import { lateBytes, solveWithLate } from "./rest-late.js";

/** What is trained on, with costs as they are at C = 1, and the rows held out. */
export interface LinearGridFold extends Pick<RestProblem, "rowIds" | "costs" | "classIds"> {
  readonly classCount: number;
  readonly test: Uint32Array;
}

/** What every worker is given. */
export interface LinearGridInput {
  readonly folds: readonly LinearGridFold[];
  readonly settings: Pick<RestProblem, "bias" | "biasScale" | "tolerance" | "maxIterations" | "seed"> &
    Pick<BinaryProblem, "shrinking"> & { readonly loss: keyof typeof MOST_SWEEPS };
  /** Whether classes are wanted, and no decision values. */
  readonly wantsClasses: boolean;
}

/** Values of C, rising, in one fold: what the caller's thread hands out. */
export interface LinearGridJob {
  readonly index: number;
  readonly fold: number;
  readonly Cs: readonly number[];
}

/** What came of one. */
export interface LinearGridOutcome {
  readonly index: number;
  /** Points that it got to. */
  readonly done: number;
  /** f64[points][rows held out][classes], or, where classes are wanted, u32[points][rows held out]. */
  readonly said: Float64Array | Uint32Array;
}

/** Who said stop, if anybody did, and what the job at hand had come to. */
export interface LinearGridEnding {
  readonly interruption: Interruption | undefined;
  readonly last?: LinearGridOutcome;
}

/** Passes over all classes after which those that are late are better solved alone, where rows can rest; in a fit (estimators/together.ts) it is half as many. */
const MOST_SWEEPS = { hinge: 60, squared_hinge: 24 };
/** Passes of one class after which another method should try. */
const MOST_PASSES = 300;

const largest = (numbers: readonly number[]): number => numbers.reduce((most, one) => Math.max(most, one), 0);

/** Of late classes: half of them together, or one alone. */
function fewBytes(rowCount: number, featureCount: number, classCount: number): number {
  return Math.max(lateBytes(rowCount, featureCount, classCount), descentBytes(rowCount, featureCount));
}

/** Work space of a worker. */
export function linearGridBytes(x: Matrix, { folds }: LinearGridInput): number {
  const together = largest(folds.map(({ rowIds, classCount }) => restBytes(rowIds.length, x.featureCount, classCount)));
  const few = largest(folds.map(({ rowIds, classCount }) => fewBytes(rowIds.length, x.featureCount, classCount)));
  const tested = largest(folds.map(({ test, classCount }) => spaceFor(4 * test.length, 4 * (classCount + 3) * test.length)));
  return spaceFor(together, few, tested);
}

/** Solves jobs as long as there are some to be had; each outcome is handed in when the next one is asked for. */
export async function searchLinear(task: Task, input: LinearGridInput): Promise<LinearGridEnding> {
  let last: LinearGridOutcome | undefined;
  for (;;) {
    const job = (await task.ask(last)) as LinearGridJob | undefined;
    if (job === undefined) return { interruption: await task.checkpoint(() => ({ iterations: 0, relativeGap: null })) };
    task.space.restart();
    const { interruption, outcome } = await run(task, input, job);
    if (interruption !== undefined) return { interruption, last: outcome };
    last = outcome;
  }
}

async function run(
  task: Task,
  input: LinearGridInput,
  { index, fold, Cs }: LinearGridJob,
): Promise<{ interruption?: Interruption; outcome: LinearGridOutcome }> {
  const { settings, wantsClasses } = input;
  const { rowIds, costs, classIds, classCount, test } = input.folds[fold] as LinearGridFold;
  const { space, matrix } = task;
  const at = (C: number): RestProblem => ({
    ...settings,
    ...{ rowIds, classIds, classes: Array.from({ length: classCount }, (_, k) => k) },
    costs: costs.map((cost) => C * cost),
    maxIterations: Math.min(settings.maxIterations, MOST_SWEEPS[settings.loss]),
  });
  const whole = new RestDescent(
    { ...task, space: space.part(restBytes(rowIds.length, matrix.featureCount, classCount)) },
    at(Cs[0] as number),
  );
  const few = { ...task, space: space.part(fewBytes(rowIds.length, matrix.featureCount, classCount)) };
  const ids = space.rawWords(test.length);
  ids.set(test);
  const scores = space.rawFloats((classCount + 3) * test.length);
  const said = new (wantsClasses ? Uint32Array : Float64Array)(Cs.length * test.length * (wantsClasses ? 1 : classCount));
  for (const [k, C] of Cs.entries()) {
    if (k > 0) whole.raise(C / (Cs[k - 1] as number));
    const ending = await solve(whole, at(C), few, settings);
    if (isInterruption(ending)) return { interruption: ending, outcome: { index, done: k, said } };
    if (ending !== "converged") return { outcome: { index, done: k, said } };
    const stride = whole.decide(ids, scores);
    for (let t = 0; t < test.length; t++) {
      const own = scores.subarray(t * stride, t * stride + classCount);
      if (wantsClasses) said[k * test.length + t] = classOf("ovr", classCount, own, 0);
      else said.set(own, (k * test.length + t) * classCount);
    }
  }
  return { outcome: { index, done: Cs.length, said } };
}

/** All classes; from where few are late, those; and each alone that a limited number of passes leaves. */
async function solve(whole: RestDescent, problem: RestProblem, few: Task, settings: LinearGridInput["settings"]): Promise<Ending> {
  let { ending, passes: made } = await solveWithLate(whole, problem, few);
  // Whoever was not looked at has only an estimate of its gap.
  if (ending === "iteration-limit") ending = await whole.measure();
  const passes = Math.min(MOST_PASSES, settings.maxIterations - largest(made));
  for (const lane of whole.late) {
    if (isInterruption(ending)) return ending;
    if (passes <= 0) return "iteration-limit";
    ending = await solveAlone(whole, lane, problem, few, { ...settings, maxIterations: passes });
    if (ending !== "converged") return ending;
  }
  return ending;
}

async function solveAlone(
  whole: RestDescent,
  lane: number,
  problem: RestProblem,
  alone: Task,
  settings: LinearGridInput["settings"],
): Promise<Ending> {
  alone.space.restart();
  const own: BinaryProblem = {
    ...{ ...problem, ...settings, penalty: "l2" },
    signs: Float32Array.from(problem.classIds, (id) => (id === problem.classes[lane] ? 1 : -1)),
  };
  const descent = new DualDescent(alone, own, { alpha: whole.alpha(lane) });
  const ending = await descent.solve();
  whole.put(lane, descent.solution());
  return ending;
}
