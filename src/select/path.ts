// Models along C, each begun where the one before it ended.

import { HingeError, shown } from "../base/errors.js";
import type { LinearSvcOptions } from "../base/options/linear-svc.js";
import type { LogisticRegressionOptions } from "../base/options/logistic-regression.js";
import { onPackedRows } from "../certify/audit.js";
import type { Label, LabelsInput } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import type { FittedLinearSVC } from "../estimators/linear-svc.js";
import { LinearSVC } from "../estimators/linear-svc.js";
import { type FittedLogisticRegression, LogisticRegression } from "../estimators/logistic-regression.js";

/** Options of the fits, without those that the path itself gives. */
export type PathOptions<Options> = Omit<Options, "C" | "warmStart">;

/**
 * Returns one model for each of the prices `Cs`, in their order. They are fitted from the smallest to the largest, each from the solution
 * before it, which takes about as long as a few fits; every one is certified by itself.
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
export async function path(
  estimator: unknown,
  x: RowsInput | Matrix,
  y: unknown,
  Cs: readonly number[],
  options: object = {},
): Promise<unknown> {
  if (estimator !== LinearSVC && estimator !== LogisticRegression) {
    throw HingeError.option("the estimator of a path", "LinearSVC or LogisticRegression", estimator);
  }
  if (!Array.isArray(Cs) || Cs.length === 0 || !Cs.every((C) => typeof C === "number" && C > 0 && C < Infinity)) {
    throw HingeError.option("Cs", "an array of finite numbers above 0, at least one", shown(Cs));
  }
  const order = Cs.map((_, k) => k).sort((a, b) => (Cs[a] as number) - (Cs[b] as number));
  const models: (LinearSVC | LogisticRegression)[] = [];
  await onPackedRows(x, async (packed) => {
    let warmStart: LinearSVC | LogisticRegression | undefined;
    for (const k of order) {
      const settings = { ...options, C: Cs[k] as number, warmStart };
      const labels = y as LabelsInput & ArrayLike<Label>;
      warmStart = await (estimator === LinearSVC ? LinearSVC : LogisticRegression).fit(packed, labels, settings);
      models[k] = warmStart;
    }
  });
  return models;
}
