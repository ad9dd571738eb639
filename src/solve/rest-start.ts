// Where the problems of many classes, each against the rest, begin: with what one descent for several classes at once has made of them in float32 (rest-descent.ts). Those that the judge is content
// with are done; each of the others goes on from there by itself, in float64.

import { isInterruption } from "../base/status.js";
import { judgedRestBytes, RestJudge } from "../certify/rest.js";
import type { Certificate } from "../model/certificate.js";
import { clock } from "../runtime/clock.js";
import type { Task } from "../runtime/task.js";
import { RestDescent, type RestProblem, restBytes } from "./rest-descent.js";
import { lateBytes, solveWithLate } from "./rest-late.js";

/** A group of classes, and whether there is room to judge it. */
export interface RestGroup extends RestProblem {
  readonly isJudged: boolean;
}

export interface RestStart {
  /** f64[classes][rows]: the dual variables. */
  readonly alpha: Float64Array;
  /** f64[classes][features] and f64[classes], of classes that are proven. */
  readonly w: Float64Array;
  readonly biases: Float64Array;
  /** What the judge said of those; undefined for all others. */
  readonly certificates: readonly (Certificate | undefined)[];
  /** All that it took, and the judge's share. */
  readonly seconds: number;
  readonly certifySeconds: number;
  /** Passes over the rows that each of them took part in. */
  readonly passes: readonly number[];
}

export function restStartBytes(rowCount: number, featureCount: number, classes: number, isJudged: boolean): number {
  const judged = isJudged ? judgedRestBytes(rowCount, featureCount, 4 * Math.ceil(classes / 4)) : 0;
  return restBytes(rowCount, featureCount, classes) + lateBytes(rowCount, featureCount, classes) + judged;
}

/** Goes on until all classes but a few are at the tolerance, or a limit or the caller says stop: any point is one to begin from. */
export async function descendTogether(task: Task, group: RestGroup): Promise<RestStart> {
  const began = clock();
  const rowCount = group.rowIds.length;
  const descent = new RestDescent(task, group);
  const few = { ...task, space: task.space.part(lateBytes(rowCount, task.matrix.featureCount, group.classes.length)) };
  const { ending, passes } = await solveWithLate(descent, group, few);
  descent.settle();
  const solved = clock();
  const proven = group.isJudged && !isInterruption(ending) ? await prove(task, group, descent) : NOTHING;
  const alpha = new Float64Array(group.classes.length * rowCount);
  for (const lane of group.classes.keys()) alpha.set(proven.alphaOf(lane) ?? descent.alpha(lane), lane * rowCount);
  const { w, biases } = proven;
  const certificates = Array.from(group.classes, (_, lane) => proven.certificates[lane]);
  const seconds = (clock() - began) / 1000;
  return { alpha, w, biases, certificates, seconds, certifySeconds: seconds - (solved - began) / 1000, passes };
}

interface Proven extends Pick<RestStart, "w" | "biases" | "certificates"> {
  /** The dual variables that were judged. */
  alphaOf(lane: number): Float64Array | undefined;
}

const NOTHING: Proven = { w: new Float64Array(0), biases: new Float64Array(0), certificates: [], alphaOf: () => undefined };

/** The model that the dual variables say, and what the judge says of it. */
async function prove(task: Task, group: RestGroup, descent: RestDescent): Promise<Proven> {
  const { classes, tolerance, bias, biasScale } = group;
  const { lanes, lanesOfRows } = descent;
  const { featureCount } = task.matrix;
  const judge = new RestJudge(task, { ...group, lanes, lanesOfRows });
  const goesOn = async (): Promise<boolean> =>
    (await task.checkpoint(() => ({ iterations: descent.passes, relativeGap: tolerance }))) === undefined;
  descent.putAlpha(judge.costs, judge.alpha);
  if (!(await judge.weigh(goesOn))) return NOTHING;
  const biasOf = (lane: number): number => {
    if (bias === "unregularised") return descent.bias(lane);
    return bias === "augmented" ? biasScale * (biasScale * judge.signedSum(lane)) + 0 : 0;
  };
  const biases = Float64Array.from(classes, (_, lane) => biasOf(lane));
  const judged = await judge.certify(biases, goesOn);
  if (judged === undefined) return NOTHING;
  const certificates = judged.map((certificate) => (certificate.relativeGap <= tolerance ? certificate : undefined));
  const w = new Float64Array(classes.length * featureCount);
  certificates.forEach((certificate, lane) => {
    if (certificate !== undefined) w.set(judge.weightsOf(lane), lane * featureCount);
  });
  return { w, biases, certificates, alphaOf: (lane) => (certificates[lane] === undefined ? undefined : judge.alphaOf(lane)) };
}
