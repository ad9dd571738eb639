// SVR and NuSVR: what they share, and how they are fitted.

import { HingeError } from "../base/errors.js";
import type { PredictOptions } from "../base/options/data.js";
import {
  type CheckedKernelOptions,
  type LoadOptions,
  loadOptions,
  type NuSvrOptions,
  nuSvrOptions,
  type SvrOptions,
  svrOptions,
} from "../base/options/kernel.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { r2 } from "../metrics/numbers.js";
import type { KernelCertificate } from "../model/certificate.js";
import { type KernelModelData, kernelModelFromJson } from "../model/kernel-model.js";
import type { LibsvmData } from "../model/libsvm-file.js";
import { kernelFromLibsvm } from "../model/libsvm-models.js";
import { beginCall, withMatrix } from "../runtime/runtime.js";
import { KernelModel } from "./kernel-model.js";
import { fitOneProblem } from "./kernel-single.js";
import type { RowInput } from "./linear-decision.js";
import { checkedTargets, type TargetsInput } from "./regression-problem.js";
import type { CertifiedReport, FitRun } from "./report.js";

/** A fitted kernel regression. Immutable. */
export abstract class KernelRegressor extends KernelModel {
  /** @internal */
  protected constructor(data: KernelModelData, run?: FitRun<KernelCertificate>) {
    super(data, run);
    Object.freeze(this);
  }

  /** Returns the predicted target of every row. */
  predict(x: RowsInput | Matrix, options?: PredictOptions): Promise<Float64Array> {
    return this.decision(x, options);
  }

  /** Returns the predicted target of one row, at once: an array of features, `[indices, values]` or `{index: value}`. */
  predictOne(row: RowInput): number {
    return this.decisionOne(row)[0] as number;
  }

  /** Returns R^2: 1 less the squared errors over those of the mean. */
  async score(x: RowsInput | Matrix, y: TargetsInput): Promise<number> {
    const predicted = await this.predict(x);
    return r2(checkedTargets(y, predicted.length), predicted);
  }
}

/** What `SVR.fit` returns. */
export type FittedSVR = SVR & { readonly report: CertifiedReport<KernelCertificate> };

/** A fitted epsilon-SVR: minimises `1/2 |w|^2 + C sum_i max(0, |w'phi(x_i) + b - y_i| - epsilon)`. Make one with `SVR.fit`. Immutable. */
export class SVR extends KernelRegressor {
  /** Returns the model that fits rows `x` with targets `y`. Ends always: `report.status` says how. Throws `HingeError` on wrong input before any work. */
  static async fit(x: RowsInput | Matrix, y: TargetsInput, options?: SvrOptions): Promise<FittedSVR> {
    const checked = svrOptions.check(options);
    const { data, run } = await fitRegression(x, y, {
      ...checked,
      estimator: "SVR",
      form: "epsilon_svr",
      nu: 0,
      hasBias: checked.solver !== "dcd",
    });
    return new SVR(data, run) as FittedSVR;
  }

  /** Returns the model in what `JSON.parse` gave; a kernel that is a function is given again. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown, options?: LoadOptions): SVR {
    return new SVR(kernelModelFromJson(json, "SVR", loadOptions.check(options).kernel));
  }

  /** @internal The model in LIBSVM's file. */
  static fromLibsvm(file: LibsvmData, featureCount?: number): SVR {
    return new SVR(kernelFromLibsvm(file, "SVR", featureCount));
  }
}

/** What `NuSVR.fit` returns. */
export type FittedNuSVR = NuSVR & { readonly report: CertifiedReport<KernelCertificate> };

/** A fitted nu-SVR: the tube is as wide as `nu` makes it. Make one with `NuSVR.fit`. Immutable. */
export class NuSVR extends KernelRegressor {
  /** Returns the model that fits rows `x` with targets `y`. Ends always: `report.status` says how. Throws `HingeError` on wrong input before any work. */
  static async fit(x: RowsInput | Matrix, y: TargetsInput, options?: NuSvrOptions): Promise<FittedNuSVR> {
    const checked = nuSvrOptions.check(options);
    const { data, run } = await fitRegression(x, y, { ...checked, estimator: "NuSVR", form: "nu_svr", epsilon: 0 });
    return new NuSVR(data, run) as FittedNuSVR;
  }

  /** Returns the model in what `JSON.parse` gave; a kernel that is a function is given again. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown, options?: LoadOptions): NuSVR {
    return new NuSVR(kernelModelFromJson(json, "NuSVR", loadOptions.check(options).kernel));
  }

  /** @internal The model in LIBSVM's file. */
  static fromLibsvm(file: LibsvmData, featureCount?: number): NuSVR {
    return new NuSVR(kernelFromLibsvm(file, "NuSVR", featureCount));
  }
}

interface RegressionSettings extends CheckedKernelOptions {
  readonly estimator: "SVR" | "NuSVR";
  readonly form: "epsilon_svr" | "nu_svr";
  readonly C: number;
  readonly nu: number;
  readonly epsilon: number;
  readonly hasBias?: boolean;
}

function fitRegression(
  x: RowsInput | Matrix,
  y: TargetsInput,
  settings: RegressionSettings,
): Promise<{ data: KernelModelData; run: FitRun<KernelCertificate> }> {
  const call = beginCall(settings);
  return withMatrix(x, async (packed) => {
    const targets = checkedTargets(y, packed.rowCount);
    if (packed.rowCount === 0) throw HingeError.input("there are no rows to fit");
    return fitOneProblem(packed, targets, { ...settings, scale: settings.C, scheme: "regression" }, call);
  });
}
