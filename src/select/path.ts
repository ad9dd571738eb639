// Models along C, and of regressions along epsilon, each begun where the one before it ended.

import { HingeError } from "../base/errors.js";
import type { SvcOptions, SvrOptions } from "../base/options/kernel.js";
import type { LinearSvcOptions } from "../base/options/linear-svc.js";
import type { LinearSvrOptions } from "../base/options/linear-svr.js";
import type { LogisticRegressionOptions } from "../base/options/logistic-regression.js";
import type { Label, LabelsInput } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { type FittedSVC, SVC } from "../estimators/kernel-classifier.js";
import { type FittedSVR, SVR } from "../estimators/kernel-regression.js";
import type { FittedLinearSVC } from "../estimators/linear-svc.js";
import { LinearSVC } from "../estimators/linear-svc.js";
import { type FittedLinearSVR, LinearSVR } from "../estimators/linear-svr.js";
import { type FittedLogisticRegression, LogisticRegression } from "../estimators/logistic-regression.js";
import type { TargetsInput } from "../estimators/regression-problem.js";
import { withMatrix } from "../runtime/runtime.js";

/** Options of the fits, without those that the path itself gives. */
export type PathOptions<Options> = Omit<Options, "C" | "warmStart">;

/** One stop of a regression's path. */
export interface RegressionPoint {
  readonly C: number;
  readonly epsilon: number;
}

/**
 * Returns one model for each of the prices `Cs`, in their order; of a regression also for pairs of C and epsilon. They are fitted from the smallest C
 * to the largest, at the same C from the widest tube to the narrowest, each from the solution before it, which takes about as long as a
 * few fits; every one is certified by itself.
 */
export function path<L extends Label>(
  estimator: typeof LinearSVC,
  x: RowsInput | Matrix,
  y: LabelsInput & ArrayLike<L>,
  Cs: readonly number[],
  options?: PathOptions<LinearSvcOptions>,
): Promise<FittedLinearSVC<L>[]>;
export function path<L extends Label>(
  estimator: typeof LogisticRegression,
  x: RowsInput | Matrix,
  y: LabelsInput & ArrayLike<L>,
  Cs: readonly number[],
  options?: PathOptions<LogisticRegressionOptions>,
): Promise<FittedLogisticRegression<L>[]>;
export function path(
  estimator: typeof LinearSVR,
  x: RowsInput | Matrix,
  y: TargetsInput,
  points: readonly number[] | readonly RegressionPoint[],
  options?: PathOptions<LinearSvrOptions>,
): Promise<FittedLinearSVR[]>;
export function path<L extends Label>(
  estimator: typeof SVC,
  x: RowsInput | Matrix,
  y: LabelsInput & ArrayLike<L>,
  Cs: readonly number[],
  options?: PathOptions<SvcOptions>,
): Promise<FittedSVC<L>[]>;
export function path(
  estimator: typeof SVR,
  x: RowsInput | Matrix,
  y: TargetsInput,
  points: readonly number[] | readonly RegressionPoint[],
  options?: PathOptions<SvrOptions>,
): Promise<FittedSVR[]>;
export async function path(
  estimator: unknown,
  x: RowsInput | Matrix,
  y: unknown,
  points: readonly (number | RegressionPoint)[],
  options: object = {},
): Promise<unknown> {
  const known = [LinearSVC, LogisticRegression, LinearSVR, SVC, SVR] as const;
  const kind = known.find((one) => one === estimator);
  if (kind === undefined)
    throw HingeError.option("the estimator of a path", "LinearSVC, LogisticRegression, LinearSVR, SVC or SVR", estimator);
  const given = (["C", "warmStart"] as const).find((name) => (options as Record<string, unknown>)[name] !== undefined);
  if (given !== undefined) throw new HingeError("bad-option", `${given} is what a path goes through; leave it out of its options`);
  const stops = checkedStops(points, kind === LinearSVR || kind === SVR);
  const order = stops.map((_, k) => k).sort((a, b) => isBefore(stops[a] as Stop, stops[b] as Stop));
  const models: unknown[] = [];
  await withMatrix(x, async (packed) => {
    let warmStart: unknown;
    for (const k of order) {
      const settings = { ...options, ...stops[k], warmStart } as object;
      warmStart = await kind.fit(packed, y as never, settings);
      models[k] = warmStart;
    }
  });
  return models;
}

interface Stop {
  readonly C: number;
  readonly epsilon?: number;
}

function isBefore(a: Stop, b: Stop): number {
  return a.C - b.C || (b.epsilon ?? 0) - (a.epsilon ?? 0);
}

/** The one that is no stop, or all of them if there is none. */
function firstWrong(points: unknown, stops: readonly (Stop | undefined)[]): unknown {
  const k = stops.indexOf(undefined);
  return Array.isArray(points) && k >= 0 ? points[k] : points;
}

function checkedStops(points: unknown, isRegression: boolean): Stop[] {
  const isPrice = (C: unknown): C is number => typeof C === "number" && C > 0 && C < Infinity;
  const stops = Array.isArray(points)
    ? points.map((point: unknown) => (isPrice(point) ? { C: point } : isRegression ? stopOf(point) : undefined))
    : [];
  if (stops.length > 0 && stops.every((stop) => stop !== undefined)) return stops as Stop[];
  const pairs = isRegression ? ", or of { C, epsilon }" : "";
  throw HingeError.option("Cs", `an array of finite numbers above 0${pairs}, at least one`, firstWrong(points, stops));

  function stopOf(point: unknown): Stop | undefined {
    const { C, epsilon } = (point ?? {}) as Partial<RegressionPoint>;
    return isPrice(C) && typeof epsilon === "number" && epsilon >= 0 && epsilon < Infinity ? { C, epsilon } : undefined;
  }
}
