// Fits a kernel machine that is one problem over all rows: regression and one class.

import { HingeError } from "../base/errors.js";
import type { CheckedKernelOptions } from "../base/options/kernel.js";
import { rowsWhere } from "../base/rows-where.js";
import { sampleWeights } from "../data/labels.js";
import type { Matrix } from "../data/matrix.js";
import type { KernelCertificate } from "../model/certificate.js";
import type { KernelEstimator, KernelModelData } from "../model/kernel-model.js";
import type { LibsvmType } from "../model/libsvm-file.js";
import type { beginCall } from "../runtime/runtime.js";
import { customOf } from "./custom-kernel.js";
import { fitKernel, stateOf, vectorsOf } from "./kernel-fit.js";
import { kernelRun, proofOfProblems } from "./kernel-model.js";
import type { KernelPart } from "./kernel-posing.js";
import { type KernelTask, resolveKernel } from "./kernel-problems.js";
import { checkedRowIds, KernelStart } from "./kernel-start.js";
import { checkedCosts, gathered } from "./linear-problems.js";
import type { FitRun } from "./report.js";

export interface SingleSettings extends CheckedKernelOptions {
  readonly estimator: KernelEstimator;
  readonly form: LibsvmType;
  readonly scheme: "regression" | "one_class";
  readonly nu: number;
  readonly epsilon: number;
  /** What weights are multiplied with: C, or 1. */
  readonly scale: number;
  readonly C?: number;
  /** Whether there is an intercept; there is if it is not said. */
  readonly hasBias?: boolean;
}

export async function fitOneProblem(
  x: Matrix,
  targets: Float64Array,
  settings: SingleSettings,
  call: ReturnType<typeof beginCall>,
): Promise<{ data: KernelModelData; run: FitRun<KernelCertificate> }> {
  const { estimator, form, scheme, nu, epsilon, C, scale, hasBias = true } = settings;
  const weights = sampleWeights(settings.sampleWeight, x.rowCount) ?? new Float64Array(x.rowCount).fill(1);
  const costs = checkedCosts(weights, scale);
  const rowIds = rowsWhere(x.rowCount, (i) => (weights[i] as number) > 0);
  if (rowIds.length === 0) throw HingeError.input("all rows have weight 0; give some of them weight");
  const task: KernelTask = { form, rowIds, targets: gathered(targets, rowIds), costs: gathered(costs, rowIds), nu, epsilon, hasBias };
  const ownIds = checkedRowIds(settings.rowIds, x.rowCount);
  const start = settings.warmStart && new KernelStart(settings.warmStart, { x, estimator, scheme, classes: [], rowIds: ownIds, scale });
  const kernel = resolveKernel(settings, x, weights);
  const posed = { count: 1, rowIds, title: () => ({ positive: undefined, negative: undefined }), pose: () => task, start };
  const { parts, problems } = await fitKernel(x, kernel, posed, settings, call);
  const { value, bias, width } = parts[0] as KernelPart;
  const inUse = rowsWhere(rowIds.length, (k) => value[k] !== 0);
  const held = gatheredIds(rowIds, inUse);
  const data: KernelModelData = {
    estimator,
    scheme,
    classes: [],
    kernel,
    custom: customOf(settings),
    featureCount: x.featureCount,
    vectors: vectorsOf(x, held, kernel.kind === "precomputed"),
    coefficients: gathered(value, inUse),
    vectorCounts: new Uint32Array(0),
    biases: Float64Array.of(bias + 0),
    problem: {
      C,
      nu: form === "epsilon_svr" ? undefined : nu,
      epsilon: form === "epsilon_svr" ? epsilon : form === "nu_svr" ? width : undefined,
      bias: form === "one_class" ? undefined : hasBias ? "unregularised" : false,
      weighted: settings.sampleWeight !== undefined,
    },
    state: stateOf(held, [1], settings),
    ...proofOfProblems(problems),
  };
  return { data, run: kernelRun(x, call, problems, inUse.length) };
}

function gatheredIds(ids: Uint32Array, places: Uint32Array): Uint32Array {
  return places.map((k) => ids[k] as number);
}
