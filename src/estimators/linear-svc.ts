// LinearSVC: the linear support vector classifier.

import { biasForm } from "../base/options/linear.js";
import { type CheckedLinearSvcOptions, type LinearSvcOptions, linearSvcOptions } from "../base/options/linear-svc.js";
import type { Label, LabelsInput } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { type LiblinearData, linearFromLiblinear } from "../model/liblinear-file.js";
import { linearClassifierFromJson } from "../model/linear-classifier.js";
import { type ClassifierSettings, fitClassifier } from "./fit-classifier.js";
import { LinearClassifier } from "./linear-classifier.js";
import { stopOf } from "./linear-problems.js";
import type { CertifiedReport } from "./report.js";

/** What `LinearSVC.fit` returns: a model whose certificate is known to be there. */
export type FittedLinearSVC<L extends Label = Label> = LinearSVC<L> & { readonly report: CertifiedReport };

/**
 * A fitted linear support vector classifier. Make one with `LinearSVC.fit`. Immutable.
 *
 * Two classes: minimises `penalty(w) + C sum loss`, with `1/2 |w|^2` or `|w|_1` as penalty, where the bias is part of `w` if it is
 * augmented. More classes: one such problem a class or a pair of classes, or the joint problem of Crammer and Singer.
 */
export class LinearSVC<L extends Label = Label> extends LinearClassifier<L> {
  /**
   * Returns the model that fits rows `x` with labels `y`, certified. Ends always: `report.status` says how.
   * Throws `HingeError` on wrong input before any work.
   */
  static async fit<L extends Label>(
    x: RowsInput | Matrix,
    y: LabelsInput & ArrayLike<L>,
    options?: LinearSvcOptions,
  ): Promise<FittedLinearSVC<L>> {
    const { data, run, dual } = await fitClassifier(x, y, linearSvcSettings(linearSvcOptions.check(options)));
    return new LinearSVC<L>(data, run, dual) as FittedLinearSVC<L>;
  }

  /** Returns the model in what `JSON.parse` gave. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown): LinearSVC {
    return new LinearSVC(linearClassifierFromJson(json, "LinearSVC"));
  }

  /** @internal The model in LIBLINEAR's file; throws `HingeError` if it is of another kind. */
  static fromLiblinear(file: LiblinearData): LinearSVC {
    return new LinearSVC(linearFromLiblinear(file, "LinearSVC"));
  }
}

/** The options as the settings of a fit. */
export function linearSvcSettings(options: CheckedLinearSvcOptions): ClassifierSettings {
  return {
    estimator: "LinearSVC",
    ...options,
    stop: stopOf(options),
    bias: biasForm(options.bias, options.multiClass !== "crammer_singer"),
  };
}
