// Where the problems of many classes, each against the rest, begin: with what one descent for several classes at once has made of them in float32 (rest-descent.ts). Those that the judge is content
// with are done; each of the others goes on from there by itself, in float64.

import { type Interruption, isInterruption } from "../base/status.js";
import type { Certificate } from "../model/certificate.js";
import { clock } from "../runtime/clock.js";
import type { Task } from "../runtime/task.js";
import type { Ending } from "./drive.js";
import { RestDescent, type RestProblem, restBytes } from "./rest-descent.js";
import { type LateEnding, lateBytes, solveWithLate } from "./rest-late.js";

/** What proving asks of a judge of many classes (src/certify/rest.ts), whom the worker brings: solvers know none. */
export interface JudgeOfMany {
  /** f64[rows][lanes]: to be filled with dual variables; f64[rows]. */
  readonly alpha: Float64Array;
  readonly costs: Float64Array;
  /** Makes the dual variables feasible, and the weights that belong to them. */
  weigh(pause: () => Promise<unknown>): Promise<void>;
  /** y'a. */
  signedSum(lane: number): number;
  certify(biases: Float64Array, pause: () => Promise<unknown>): Promise<readonly Certificate[]>;
  /** What the same dual variables say of the model that has w = 0. */
  atRest(certificate: Certificate): Certificate;
  weightsOf(lane: number): Float64Array;
  alphaOf(lane: number): Float64Array;
}

export type MakeJudge = (
  task: Task,
  problem: Omit<RestProblem, "classIds" | "classes"> & Pick<RestDescent, "lanes" | "lanesOfRows">,
) => JudgeOfMany;

/** A group of classes, and whether there is room to end it: to go on with late ones, and to judge. */
export interface RestGroup extends RestProblem {
  readonly isJudged: boolean;
}

export interface RestStart {
  /** f64[classes][rows]: the dual variables. */
  readonly alpha: Float64Array;
  /** f64[classes][features] and f64[classes], of classes that were ended here. */
  readonly w: Float64Array;
  readonly biases: Float64Array;
  /** How those ended, and what the judge said of them; undefined for those that are to go on. */
  readonly ends: readonly (RestEnd | undefined)[];
  /** All that it took, and the judge's share. */
  readonly seconds: number;
  readonly certifySeconds: number;
  /** Passes over the rows that each of them took part in. */
  readonly passes: readonly number[];
}

export interface RestEnd {
  readonly certificate: Certificate;
  readonly status: "converged" | Interruption;
}

/** Work space without a judge, or with one who needs so much. */
export function restStartBytes(rowCount: number, featureCount: number, classes: number, judge?: number): number {
  const descent = restBytes(rowCount, featureCount, classes);
  return judge === undefined ? descent : descent + lateBytes(rowCount, featureCount, classes) + judge;
}

/** Goes on until all classes but a few are at the tolerance, or a limit or the caller says stop; then every class ends as it stands. Any point is one to begin from. */
export async function descendTogether(task: Task, group: RestGroup, makeJudge: MakeJudge): Promise<RestStart> {
  const began = clock();
  const rowCount = group.rowIds.length;
  const descent = new RestDescent(task, group);
  const { ending, passes } = group.isJudged
    ? await solveWithLate(descent, group, placeForLate(task, group))
    : await solveBriefly(descent, group);
  descent.settle();
  const solved = clock();
  const judged = group.isJudged ? await judgedBy(makeJudge, task, group, descent, ending) : NOTHING;
  const alpha = new Float64Array(group.classes.length * rowCount);
  for (const lane of group.classes.keys()) alpha.set(judged.alphaOf(lane) ?? descent.alpha(lane), lane * rowCount);
  const { w, biases } = judged;
  const ends = Array.from(group.classes, (_, lane) => judged.ends[lane]);
  const seconds = (clock() - began) / 1000;
  return { alpha, w, biases, ends, seconds, certifySeconds: seconds - (solved - began) / 1000, passes };
}

function placeForLate(task: Task, { rowIds, classes }: RestGroup): Task {
  return { ...task, space: task.space.part(lateBytes(rowIds.length, task.matrix.featureCount, classes.length)) };
}

async function solveBriefly(descent: RestDescent, { classes }: RestGroup): Promise<LateEnding> {
  const ending = await descent.solve();
  return { ending, passes: classes.map(() => descent.passes) };
}

interface JudgedGroup extends Pick<RestStart, "w" | "biases" | "ends"> {
  /** The dual variables that were judged. */
  alphaOf(lane: number): Float64Array | undefined;
}

const NOTHING: JudgedGroup = { w: new Float64Array(0), biases: new Float64Array(0), ends: [], alphaOf: () => undefined };

/** The models that the dual variables say, and what the judge says of them. He is heard to the end whoever says stop: it takes less time than anything else that would come of the classes. */
async function judgedBy(makeJudge: MakeJudge, task: Task, group: RestGroup, descent: RestDescent, ending: Ending): Promise<JudgedGroup> {
  const { classes, tolerance, bias, biasScale } = group;
  const { lanes, lanesOfRows } = descent;
  const { featureCount } = task.matrix;
  const judge = makeJudge(task, { ...group, lanes, lanesOfRows });
  let stop: Interruption | undefined = isInterruption(ending) ? ending : undefined;
  const pause = async (): Promise<void> => {
    stop ??= await task.checkpoint(() => ({ iterations: descent.passes, relativeGap: descent.gap }));
  };
  descent.putAlpha(judge.costs, judge.alpha);
  await judge.weigh(pause);
  const biasOf = (lane: number): number => {
    if (bias === "unregularised") return descent.bias(lane);
    return bias === "augmented" ? biasScale * (biasScale * judge.signedSum(lane)) + 0 : 0;
  };
  const biases = Float64Array.from(classes, (_, lane) => biasOf(lane));
  const certificates = await judge.certify(biases, pause);
  const w = new Float64Array(classes.length * featureCount);
  const ends = certificates.map((certificate, lane): RestEnd | undefined => {
    const isProven = certificate.relativeGap <= tolerance;
    if (!isProven && stop === undefined) return undefined;
    const still = judge.atRest(certificate);
    const isBetterStill = !isProven && still.relativeGap < certificate.relativeGap;
    if (isBetterStill) biases[lane] = 0;
    else w.set(judge.weightsOf(lane), lane * featureCount);
    return { certificate: isBetterStill ? still : certificate, status: isProven ? "converged" : (stop as Interruption) };
  });
  return { w, biases, ends, alphaOf: (lane) => (ends[lane] === undefined ? undefined : judge.alphaOf(lane)) };
}
