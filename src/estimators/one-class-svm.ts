// OneClassSVM: what most rows have in common, with a kernel.

import { HingeError } from "../base/errors.js";
import type { PredictOptions } from "../base/options/data.js";
import { type LoadOptions, loadOptions, type OneClassOptions, oneClassOptions } from "../base/options/kernel.js";
import type { Matrix } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import type { KernelCertificate } from "../model/certificate.js";
import { type KernelModelData, kernelModelFromJson } from "../model/kernel-model.js";
import type { LibsvmData } from "../model/libsvm-file.js";
import { kernelFromLibsvm } from "../model/libsvm-models.js";
import { beginCall, withMatrix } from "../runtime/runtime.js";
import { KernelModel } from "./kernel-model.js";
import { fitOneProblem } from "./kernel-single.js";
import type { RowInput } from "./linear-decision.js";
import type { CertifiedReport, FitRun } from "./report.js";

/** What `OneClassSVM.fit` returns. */
export type FittedOneClassSVM = OneClassSVM & { readonly report: CertifiedReport<KernelCertificate> };

/** A fitted one-class SVM: above 0 where most rows lie; `nu` bounds the share of rows beyond the border. Make one with `OneClassSVM.fit`. Immutable. */
export class OneClassSVM extends KernelModel {
  /** @internal */
  protected constructor(data: KernelModelData, run?: FitRun<KernelCertificate>) {
    super(data, run);
    Object.freeze(this);
  }

  /** Returns the model that fits rows `x`. Ends always: `report.status` says how. Throws `HingeError` on wrong input before any work. */
  static async fit(x: RowsInput | Matrix, options?: OneClassOptions): Promise<FittedOneClassSVM> {
    const checked = oneClassOptions.check(options);
    const call = beginCall(checked);
    return withMatrix(x, async (packed) => {
      if (packed.rowCount === 0) throw HingeError.input("there are no rows to fit");
      const settings = { ...checked, estimator: "OneClassSVM", form: "one_class", scheme: "one_class", epsilon: 0, scale: 1 } as const;
      const { data, run } = await fitOneProblem(packed, new Float64Array(packed.rowCount), settings, call);
      return new OneClassSVM(data, run) as FittedOneClassSVM;
    });
  }

  /** Returns 1 for every row inside, -1 for every row outside. */
  async predict(x: RowsInput | Matrix, options?: PredictOptions): Promise<Int8Array> {
    return Int8Array.from(await this.decision(x, options), (value) => (value > 0 ? 1 : -1));
  }

  /** Returns 1 or -1 for one row, at once: an array of features, `[indices, values]` or `{index: value}`. */
  predictOne(row: RowInput): 1 | -1 {
    return (this.decisionOne(row)[0] as number) > 0 ? 1 : -1;
  }

  /** Returns the model in what `JSON.parse` gave; a kernel that is a function is given again. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown, options?: LoadOptions): OneClassSVM {
    return new OneClassSVM(kernelModelFromJson(json, "OneClassSVM", loadOptions.check(options).kernel));
  }

  /** @internal The model in LIBSVM's file. */
  static fromLibsvm(file: LibsvmData, featureCount?: number): OneClassSVM {
    return new OneClassSVM(kernelFromLibsvm(file, "OneClassSVM", featureCount));
  }
}
