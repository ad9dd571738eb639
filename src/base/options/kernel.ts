// The options of the kernel machines: SVC, NuSVC, SVR, NuSVR, OneClassSVM.

import * as v from "valibot";
import { type KernelProgress, running as plainRunning, stopping, weighting } from "./fit.js";
import { linearFields, warmStartOf } from "./linear.js";
import { type Checked, custom, type Input, integer, number, oneOf, table, toggle } from "./table.js";

/** Of a polynomial: higher powers leave float32 at once. */
export const MOST_DEGREE = 100;

const gammaSchema = v.union([v.picklist(["scale", "auto"]), v.pipe(v.number(), v.finite(), v.minValue(0))]);

const kernelNames = ["rbf", "linear", "poly", "sigmoid", "precomputed"] as const;

/**
 * A kernel of your own: K(u, v) of two rows, `featureCount` values each, sparse or not. Called on the thread that called `fit` or `predict`. It must return a finite
 * number, the same one for the same rows whichever comes first; it must neither keep the arrays, which are used again for other rows, nor change them.
 */
export type CustomKernel = (u: Float32Array, v: Float32Array) => number;

type KernelOption = (typeof kernelNames)[number] | CustomKernel;

const customKernel = v.custom<CustomKernel>((value) => typeof value === "function");

const kernelFields = {
  kernel: custom<KernelOption, KernelOption>({
    schema: v.union([v.picklist(kernelNames), customKernel]),
    allowed: `${kernelNames.map((name) => JSON.stringify(name)).join(", ")}, or a function of two rows`,
    default: "rbf",
    help: "rbf: exp(-gamma |u - v|^2); linear: u'v; poly: (gamma u'v + coef0)^degree; sigmoid: tanh(gamma u'v + coef0); precomputed: x holds the kernel values themselves, one column a training row; a function (u, v) => number: your own",
    flag: "value",
  }),
  gamma: custom<"scale" | "auto" | number, "scale" | "auto" | number>({
    schema: gammaSchema,
    allowed: '"scale", "auto", or a finite number of at least 0',
    default: "scale",
    help: "constant of rbf, poly and sigmoid; scale: 1 / (features times the variance of all values), auto: 1 / features",
    flag: "value",
  }),
  degree: integer({ atLeast: 0, atMost: MOST_DEGREE, default: 3, help: "of poly" }),
  coef0: number({ default: 0, help: "constant of poly and sigmoid" }),
  psd: toggle({
    default: false,
    help: "of precomputed and of a function: the kernel is positive semidefinite, so the fit stops on the gap and proves it. A kernel that is not, as sigmoid and poly with a coef0 below 0, has no gap: the fit then stops by violation",
  }),
};

const running = {
  ...plainRunning,
  onProgress: custom<(progress: KernelProgress) => void, ((progress: KernelProgress) => void) | undefined>({
    schema: v.custom<(progress: KernelProgress) => void>((value) => typeof value === "function"),
    allowed: plainRunning.onProgress.allowed,
    default: undefined,
    help: plainRunning.onProgress.help,
  }),
};

const solving = {
  tolerance: {
    ...stopping.tolerance,
    help: "stop when the relative duality gap is at most this; where the kernel allows no gap, when no pair of variables gains more, as LIBSVM's -e",
  },
  stop: oneOf(["gap", "violation"], {
    default: "gap",
    help: "what tolerance is about: the relative gap, or LIBSVM's own rule, of which it is the -e",
  }),
  maxIterations: custom<number, number | undefined>({
    ...integer({ atLeast: 1, default: 1, help: "" }),
    default: undefined,
    help: "give up after this many steps with the best model so far; ten million if not given, or a hundred a row if that is more",
    flag: "value",
  }),
  timeLimitSeconds: stopping.timeLimitSeconds,
  shrinking: linearFields.shrinking,
  cacheBytes: number({
    atLeast: 0,
    default: 200 * 2 ** 20,
    help: "memory for kernel rows that are kept, 2 GiB of it at most; changes the time, not the model",
  }),
};

const solver = oneOf(["auto", "smo", "dcd"], {
  default: "auto",
  help: "smo: pairs of variables, a free intercept; dcd: one variable at a time, which solves another problem, that of a model without an intercept. auto: smo",
});

/** A fitted kernel machine: which one it must be is for the estimator to check. */
export interface KernelStartModel {
  readonly kernel: { readonly kind: string };
  readonly supportVectors: { readonly count: number };
  readonly coefficients: Float64Array;
}

const starting = {
  warmStart: warmStartOf<KernelStartModel>(
    ["kernel", "supportVectors", "coefficients"],
    "a model of the same estimator and classes, of another C, nu or epsilon or of other rows, to begin from; changes the time, not the optimum",
  ),
  keepState: toggle({ default: false, help: "write into JSON files which training rows the support vectors are, for warm starts" }),
  rowIds: custom<ArrayLike<number | string>, ArrayLike<number | string> | undefined>({
    schema: v.custom<ArrayLike<number | string>>(
      (value) => Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView)),
    ),
    allowed: "an array of one number or string a row",
    default: undefined,
    help: "names of the rows, all different, by which warmStart finds them again; by their number and what they hold if not given",
  }),
};

const nu = (help: string) => number({ above: 0, atMost: 1, default: 0.5, help });
const multiClass = oneOf(["ovo", "ovr"], {
  default: "ovo",
  help: "three classes or more: one problem a pair of classes (ovo), or each class against the rest (ovr)",
});
const epsilon = number({ atLeast: 0, default: 0.1, help: "half the width of the tube around the targets in which nothing is lost" });

export const svcOptions = table("SVC", {
  C: linearFields.C,
  ...kernelFields,
  multiClass,
  ...weighting,
  solver,
  ...solving,
  ...starting,
  ...running,
});
export const nuSvcOptions = table("NuSVC", {
  nu: nu("at most this share of the rows lie inside the margin, and at least this share are support vectors"),
  ...kernelFields,
  multiClass,
  ...weighting,
  ...solving,
  ...starting,
  ...running,
});
export const svrOptions = table("SVR", {
  C: linearFields.C,
  epsilon,
  ...kernelFields,
  sampleWeight: weighting.sampleWeight,
  solver,
  ...solving,
  ...starting,
  ...running,
});
export const nuSvrOptions = table("NuSVR", {
  C: linearFields.C,
  nu: nu(
    "at most this share of the rows lie outside the tube, and at least this share are support vectors; the tube's width follows from it",
  ),
  ...kernelFields,
  sampleWeight: weighting.sampleWeight,
  ...solving,
  ...starting,
  ...running,
});
export const oneClassOptions = table("OneClassSVM", {
  nu: nu("at most this share of the rows lie beyond the border, and at least this share are support vectors"),
  ...kernelFields,
  sampleWeight: { ...weighting.sampleWeight, help: "how much each row counts: weight 2 is the row twice, weight 0 the row absent" },
  ...solving,
  ...starting,
  ...running,
});

/** What a model file does not hold. */
export const loadOptions = table("load", {
  kernel: custom<CustomKernel, CustomKernel | undefined>({
    schema: customKernel,
    allowed: "a function of two rows",
    default: undefined,
    help: "the function of a model whose kernel is one",
  }),
});
export type LoadOptions = Input<typeof loadOptions>;

export type SvcOptions = Input<typeof svcOptions>;
export type NuSvcOptions = Input<typeof nuSvcOptions>;
export type SvrOptions = Input<typeof svrOptions>;
export type NuSvrOptions = Input<typeof nuSvrOptions>;
export type OneClassOptions = Input<typeof oneClassOptions>;
/** What all of them have. */
export type CheckedKernelOptions = Omit<Checked<typeof svcOptions>, "C" | "multiClass" | "classWeight" | "solver">;
