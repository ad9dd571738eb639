// From labels and options to the problems that a linear classifier solves: one, one a class, one a pair of classes, or a joint one.

import { HingeError, shown } from "../base/errors.js";
import type { ClassWeight } from "../base/options/fit.js";
import { rowsWhere } from "../base/rows-where.js";
import { type EncodedLabels, encodeLabels, type Label, type LabelsInput, rowWeights, sampleWeights } from "../data/labels.js";
import type { Scheme } from "../model/linear-classifier.js";
import { pairs } from "../model/schemes.js";
import { counting } from "../solve/counting.js";
import type { BinaryProblem, LinearProblemSettings, MultiClassProblem } from "../solve/problem.js";

/** What poses the problems: the checked options of an estimator, but for those of how to run. */
export interface LinearSettings extends LinearProblemSettings {
  readonly estimator: "LinearSVC" | "LogisticRegression";
  readonly multiClass: Exclude<Scheme, "binary">;
  readonly C: number;
  readonly classWeight: ClassWeight | undefined;
  readonly sampleWeight: ArrayLike<number> | undefined;
}

/** The problems of a fit. Each is made when it is asked for: all of them at once would take rows times classes of memory. */
export interface PosedProblems {
  readonly classes: readonly Label[];
  readonly scheme: Scheme;
  readonly weighted: boolean;
  /** Whether the gap says when they are solved, and not LIBLINEAR's own rule. */
  readonly isForGap: boolean;
  /** How many there are. */
  readonly count: number;
  /** What each of them separates, for reports. */
  title(index: number): ProblemTitle;
  /** One of them; undefined if they are joint. */
  binary(index: number): BinaryProblem;
  /** All classes at once. */
  joint(): MultiClassProblem;
}

/** What a problem separates: the positive class from the negative one, or from all others, or all classes from each other. */
export interface ProblemTitle {
  readonly positive: Label | undefined;
  readonly negative: Label | undefined;
}

export function poseProblems(rowCount: number, y: LabelsInput, settings: LinearSettings): PosedProblems {
  const { sampleWeight } = settings;
  const labels = encodeLabels(y, rowCount, sampleWeight && sampleWeights(sampleWeight, rowCount));
  const { classes, ids } = labels;
  if (classes.length === 0) throw HingeError.input("all rows have weight 0; give some of them weight");
  if (classes.length === 1) throw HingeError.input(`y has one class only, ${shown(classes[0])}; ${settings.estimator} needs two`);
  const { rowIds, costs } = weighedRows(labels, settings);
  const scheme = schemeOf(settings, classes.length);
  const pairList = scheme === "ovo" ? pairs(classes.length) : [];
  const shared = sharedSettings(settings);

  const binary = (index: number): BinaryProblem => {
    const [negative, positive] = pairList[index] ?? [undefined, scheme === "binary" ? 1 : index];
    const rows = negative === undefined ? rowIds : rowIds.filter((i) => ids[i] === negative || ids[i] === positive);
    const signs = new Float32Array(rows.length);
    for (let k = 0; k < rows.length; k++) signs[k] = ids[rows[k] as number] === positive ? 1 : -1;
    return {
      rowIds: rows,
      signs,
      // Nobody writes to them.
      costs: rows.length === costs.length ? costs : gathered(costs, rows),
      ...shared,
      // Problems draw from streams of their own, so that no two of them depend on which thread ran first.
      seed: settings.seed + index,
    };
  };
  return {
    classes,
    scheme,
    weighted: settings.classWeight !== undefined || sampleWeight !== undefined,
    isForGap: settings.stop === undefined,
    count: scheme === "ovr" ? classes.length : scheme === "ovo" ? pairList.length : 1,
    title: (index) => titleOf(classes, scheme, pairList, index),
    binary,
    joint: () => ({
      ...shared,
      rowIds,
      classIds: rowIds.map((i) => ids[i] as number),
      classCount: classes.length,
      costs: gathered(costs, rowIds),
    }),
  };
}

/** The rows that are there, and C times the weight of every row. A row of weight 0 is a row that is not there. */
function weighedRows(
  labels: EncodedLabels,
  { C, classWeight, sampleWeight }: LinearSettings,
): { rowIds: Uint32Array; costs: Float64Array } {
  const rowCount = labels.ids.length;
  if (classWeight === undefined && sampleWeight === undefined && isCost(C)) {
    return { rowIds: counting(new Uint32Array(rowCount)), costs: new Float64Array(rowCount).fill(C) };
  }
  const weights = rowWeights(labels, classWeight, sampleWeight);
  const costs = checkedCosts(weights, C);
  return { rowIds: rowsWhere(rowCount, (i) => (weights[i] as number) > 0), costs };
}

export function gathered(values: Float64Array, rows: Uint32Array): Float64Array {
  const picked = new Float64Array(rows.length);
  for (let k = 0; k < rows.length; k++) picked[k] = values[rows[k] as number] as number;
  return picked;
}

/** The number of each row of a problem where the row stands in the matrix. */
export function spread(values: Float64Array, rowIds: Uint32Array, rowCount: number): Float64Array {
  const all = new Float64Array(rowCount);
  for (let k = 0; k < rowIds.length; k++) all[rowIds[k] as number] = values[k] as number;
  return all;
}

function schemeOf({ multiClass }: LinearSettings, classCount: number): Scheme {
  return classCount === 2 && multiClass !== "crammer_singer" ? "binary" : multiClass;
}

function titleOf(classes: readonly Label[], scheme: Scheme, pairList: readonly [number, number][], index: number): ProblemTitle {
  const pair = scheme === "binary" ? ([0, 1] as const) : pairList[index];
  if (pair !== undefined) return { positive: classes[pair[1]], negative: classes[pair[0]] };
  return { positive: scheme === "ovr" ? classes[index] : undefined, negative: undefined };
}

/** LIBLINEAR's own rule, where the options ask for it: its epsilon is the tolerance. */
export function stopOf({ stop, tolerance }: { readonly stop: string; readonly tolerance: number }): LinearProblemSettings["stop"] {
  return stop === "violation" ? { kind: stop, epsilon: tolerance } : undefined;
}

function sharedSettings(settings: LinearProblemSettings): LinearProblemSettings {
  const { loss, penalty, bias, biasScale, tolerance, stop, maxIterations, shrinking, seed } = settings;
  return { loss, penalty, bias, biasScale, tolerance, stop, maxIterations, shrinking, seed };
}

// Far enough from the ends of the doubles that squares and sums of dual variables stay inside.
export const LEAST_COST = 1e-100;
export const MOST_COST = 1e100;

function isCost(cost: number): boolean {
  return cost >= LEAST_COST && cost <= MOST_COST;
}

/** C times the weight of every row. */
export function checkedCosts(weights: Float64Array, C: number): Float64Array {
  const costs = new Float64Array(weights.length);
  for (let i = 0; i < costs.length; i++) {
    const weight = weights[i] as number;
    const cost = C * weight;
    if (weight !== 0 && !isCost(cost)) {
      const what = C === 1 ? "the weight" : "C times the weight";
      throw HingeError.input(`${what} of row ${i} must be from ${LEAST_COST} to ${MOST_COST}, got ${cost}`);
    }
    costs[i] = cost;
  }
  return costs;
}
