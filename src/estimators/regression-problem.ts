// From targets and options to the problem that a linear regression solves.

import { HingeError, shown } from "../base/errors.js";
import type { CheckedLinearSvrOptions } from "../base/options/linear-svr.js";
import { rowsWhere } from "../base/rows-where.js";
import { isList, sampleWeights } from "../data/labels.js";
import type { RegressionProblem } from "../solve/problem.js";
import { weightedMean } from "../solve/tube.js";
import { checkedCosts, gathered, stopOf } from "./linear-problems.js";

/** Targets as callers have them. */
export type TargetsInput =
  | readonly number[]
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array;

/** What poses the problem: the checked options, but for those of how to run. */
export type RegressionSettings = Pick<
  CheckedLinearSvrOptions,
  | "C"
  | "epsilon"
  | "loss"
  | "bias"
  | "biasScale"
  | "centreTarget"
  | "sampleWeight"
  | "tolerance"
  | "stop"
  | "maxIterations"
  | "shrinking"
  | "seed"
>;

export interface PosedRegression {
  readonly problem: RegressionProblem;
  /** What was taken off the targets: to be added to the bias of a solution. */
  readonly centre: number;
  readonly weighted: boolean;
}

export function poseRegression(rowCount: number, y: TargetsInput, settings: RegressionSettings): PosedRegression {
  const targets = checkedTargets(y, rowCount);
  const weights = sampleWeights(settings.sampleWeight, rowCount);
  const costs = checkedCosts(weights, settings.C);
  // A row of weight 0 is a row that is not there.
  const rowIds = rowsWhere(rowCount, (i) => (weights[i] as number) > 0);
  if (rowIds.length === 0) throw HingeError.input("all rows have weight 0; give one of them weight");
  const { epsilon, loss, bias, biasScale, tolerance, maxIterations, shrinking, seed } = settings;
  const stop = stopOf(settings);
  const taken = gathered(targets, rowIds);
  const takenCosts = gathered(costs, rowIds);
  const centre = bias === "augmented" && settings.centreTarget ? weightedMean(taken, takenCosts) : 0;
  checkProducts(taken, takenCosts, centre);
  return {
    problem: {
      ...{ epsilon, loss, bias, biasScale, tolerance, stop, maxIterations, shrinking, seed },
      rowIds,
      targets: taken.map((target) => target - centre),
      costs: takenCosts,
    },
    centre,
    weighted: settings.sampleWeight !== undefined,
  };
}

// Squares of targets, and of weights, which are sums of costs times them, must stay inside the doubles.
const MOST_TARGET = 1e100;

/** Each is within its own bounds; together they must be, too. */
function checkProducts(targets: Float64Array, costs: Float64Array, centre: number): void {
  for (let k = 0; k < targets.length; k++) {
    const product = (costs[k] as number) * Math.abs((targets[k] as number) - centre);
    if (!(product <= MOST_TARGET))
      throw HingeError.input(`C times a target must be at most ${MOST_TARGET}, got ${product}; scale the targets`);
  }
}

/** f64[rowCount]: the targets, every one a number that can be computed with. */
export function checkedTargets(y: unknown, rowCount: number): Float64Array {
  if (!isList(y)) throw HingeError.input(`y must be an array of numbers, got ${shown(y)}`);
  if (y.length !== rowCount) throw HingeError.input(`${y.length} targets for ${rowCount} rows; there must be one a row`);
  const targets = new Float64Array(rowCount);
  for (let i = 0; i < rowCount; i++) {
    const target = y[i];
    if (typeof target !== "number" || !(Math.abs(target) <= MOST_TARGET)) {
      throw HingeError.input(`target of row ${i} must be a number from -${MOST_TARGET} to ${MOST_TARGET}, got ${shown(target)}`);
    }
    targets[i] = target;
  }
  return targets;
}
