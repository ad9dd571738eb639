// Plain data of a fitted kernel machine, and its form as JSON.

import * as v from "valibot";
import { HingeError } from "../base/errors.js";
import type { CustomKernel } from "../base/options/kernel.js";
import type { KernelCertificate } from "./certificate.js";
import { type FitProof, finite, finiteNumbers, header, isNumbers, kernelProof, modelFrom, proofOf, provenToJson, whole } from "./json.js";
import { pairCount } from "./libsvm-file.js";

export const kernelEstimators = ["SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM"] as const;
export type KernelEstimator = (typeof kernelEstimators)[number];

export const kernelNames = ["linear", "poly", "rbf", "sigmoid", "precomputed", "custom"] as const;

/** K(u, v) and its constants: u'v, (gamma u'v + coef0)^degree, exp(-gamma |u - v|^2), tanh(gamma u'v + coef0), given in advance, or a function of the user's own. */
export interface KernelConstants {
  readonly kind: (typeof kernelNames)[number];
  readonly gamma: number;
  readonly coef0: number;
  readonly degree: number;
  /** Of a precomputed kernel or a function: whether it was said to be positive semidefinite. */
  readonly psd?: boolean | undefined;
}

/**
 * How decision values make a prediction. With classes as in `Scheme` of linear models: `binary`, `ovo`, `ovr`. Without: `regression` predicts its one value,
 * `one_class` is 1 above 0 and -1 otherwise.
 */
export type KernelScheme = (typeof kernelSchemes)[number];
export const kernelSchemes = ["binary", "ovo", "ovr", "regression", "one_class"] as const;

/** Rows with a part in the model: of row i the entries starts[i] to starts[i + 1]. Under a precomputed kernel each has one, its training row (from 0) as index. */
export interface SupportVectors {
  readonly count: number;
  readonly starts: Uint32Array;
  readonly indices: Uint32Array;
  readonly values: Float32Array;
}

/** The constants of the problem that the model solves; undefined where the model comes from a file that does not hold them. */
export interface KernelProblemConstants {
  readonly C: number | undefined;
  readonly nu: number | undefined;
  readonly epsilon: number | undefined;
  /** false: a model without an intercept, `solver: "dcd"`. */
  readonly bias: "unregularised" | false | undefined;
  readonly weighted: boolean | undefined;
}

/** What a warm start needs to know besides the support vectors. */
export interface KernelState {
  /** One a support vector: the id of its training row, or the row's number where rows were given no ids. */
  readonly rowIds: readonly (number | string)[];
  /** Whether they are ids that were given. */
  readonly isNamed: boolean;
  /** One a decision value: what makes its coefficients dual variables. r of nu-SVC, 1 elsewhere. */
  readonly scales: Float64Array;
  /** Whether files hold it: `keepState`. */
  readonly isKept: boolean;
}

export type KernelModelData = FitProof<KernelCertificate> & {
  readonly estimator: KernelEstimator;
  readonly scheme: KernelScheme;
  /** Empty for regression and one-class. */
  readonly classes: readonly number[] | readonly string[];
  readonly kernel: KernelConstants;
  /** Of the kind "custom": the function itself, which files do not hold. */
  readonly custom?: CustomKernel | undefined;
  readonly featureCount: number;
  readonly vectors: SupportVectors;
  /** `columnCount` a vector. ovo: a vector of class a has one for every other class m, at m if m < a, else at m - 1; ovr: one a class. */
  readonly coefficients: Float64Array;
  /** ovo: how many vectors each class has; they follow each other in this order. Empty otherwise. */
  readonly vectorCounts: Uint32Array;
  /** One a decision value. */
  readonly biases: Float64Array;
  readonly problem: KernelProblemConstants;
  /** undefined in a model from a file that does not hold it. */
  readonly state: KernelState | undefined;
};

/** How many decision values a row has. */
export function kernelOutputs(scheme: KernelScheme, classCount: number): number {
  return scheme === "ovo" ? pairCount(classCount) : scheme === "ovr" ? classCount : 1;
}

/** How many coefficients a support vector has. */
export function columnCount(scheme: KernelScheme, classCount: number): number {
  return scheme === "ovo" ? classCount - 1 : scheme === "ovr" ? classCount : 1;
}

const counts = v.custom<number[]>((value) => isNumbers(value, (x) => Number.isSafeInteger(x) && x >= 0 && x < 2 ** 32));

const ids = v.custom<(number | string)[]>(
  (value) => Array.isArray(value) && value.findIndex((id) => typeof id !== "string" && !Number.isFinite(id)) < 0,
);

const schema = v.pipe(
  v.strictObject({
    ...header,
    estimator: v.picklist(kernelEstimators),
    problem: v.strictObject({
      C: v.optional(finite),
      nu: v.optional(finite),
      epsilon: v.optional(finite),
      bias: v.optional(v.union([v.literal("unregularised"), v.literal(false)])),
      weighted: v.optional(v.boolean()),
    }),
    ...kernelProof,
    featureCount: whole,
    scheme: v.picklist(kernelSchemes),
    classes: v.union([v.array(finite), v.array(v.string())]),
    kernel: v.strictObject({ kind: v.picklist(kernelNames), gamma: finite, coef0: finite, degree: whole, psd: v.optional(v.boolean()) }),
    vectors: v.strictObject({ count: whole, starts: counts, indices: counts, values: finiteNumbers }),
    coefficients: finiteNumbers,
    vectorCounts: counts,
    biases: finiteNumbers,
    state: v.optional(v.strictObject({ rowIds: ids, isNamed: v.boolean(), scales: finiteNumbers })),
  }),
  v.forward(
    v.check(({ scheme, classes }) =>
      hasClasses(scheme) ? classes.length >= 2 && new Set<number | string>(classes).size === classes.length : classes.length === 0,
    ),
    ["classes"],
  ),
  v.forward(
    v.check(({ vectors, featureCount }) => isRows(vectors, featureCount)),
    ["vectors"],
  ),
  v.forward(
    v.check(({ scheme, classes, vectors, coefficients }) => coefficients.length === vectors.count * columnCount(scheme, classes.length)),
    ["coefficients"],
  ),
  v.forward(
    v.check(
      ({ scheme, classes, vectors, vectorCounts }) =>
        vectorCounts.length === (scheme === "ovo" ? classes.length : 0) && (scheme !== "ovo" || sum(vectorCounts) === vectors.count),
    ),
    ["vectorCounts"],
  ),
  v.forward(
    v.check(
      ({ scheme, classes, biases, problem }) =>
        biases.length === kernelOutputs(scheme, classes.length) && (problem.bias !== false || biases.every((bias) => bias === 0)),
    ),
    ["biases"],
  ),
  v.forward(
    v.check(
      ({ state, vectors, biases }) =>
        state === undefined ||
        (state.rowIds.length === vectors.count &&
          state.scales.length === biases.length &&
          (state.isNamed || state.rowIds.every((id) => Number.isSafeInteger(id) && (id as number) >= 0))),
    ),
    ["state"],
  ),
);

function hasClasses(scheme: KernelScheme): boolean {
  return scheme === "binary" || scheme === "ovo" || scheme === "ovr";
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function isRows(rows: { count: number; starts: number[]; indices: number[]; values: number[] }, featureCount: number): boolean {
  const { count, starts, indices, values } = rows;
  if (starts.length !== count + 1 || starts[0] !== 0 || starts[count] !== values.length || indices.length !== values.length) return false;
  for (let i = 0; i < count; i++) {
    const [from, to] = [starts[i] as number, starts[i + 1] as number];
    if (from > to) return false;
    for (let k = from; k < to; k++) {
      if ((indices[k] as number) >= featureCount || (k > from && (indices[k] as number) <= (indices[k - 1] as number))) return false;
    }
  }
  return true;
}

/** What `JSON.stringify` writes for the model. */
export type KernelModelJson = v.InferOutput<typeof schema>;

export function kernelModelToJson(data: KernelModelData): KernelModelJson {
  const { scheme, classes, kernel, vectors, coefficients, vectorCounts, biases, state } = data;
  return {
    ...provenToJson(data),
    scheme,
    classes: [...classes] as number[] | string[],
    kernel: { ...kernel },
    vectors: {
      count: vectors.count,
      starts: Array.from(vectors.starts),
      indices: Array.from(vectors.indices),
      values: Array.from(vectors.values),
    },
    coefficients: Array.from(coefficients),
    vectorCounts: Array.from(vectorCounts),
    biases: Array.from(biases),
    ...(state?.isKept && { state: { rowIds: [...state.rowIds], isNamed: state.isNamed, scales: Array.from(state.scales) } }),
  };
}

/** The model in `json`, checked field by field; throws `HingeError` if anything is not as it must be. `custom`: the function of a model whose kernel is one. */
export function kernelModelFromJson(json: unknown, estimator: KernelEstimator, custom?: CustomKernel): KernelModelData {
  const read = modelFrom(schema, json, estimator);
  if (read.estimator !== estimator) throw new HingeError("bad-model", `not a ${estimator} model of hinge but a ${read.estimator}`);
  const { kind } = read.kernel;
  if (kind === "custom" && custom === undefined)
    throw new HingeError("bad-option", `the kernel of this ${estimator} is a function, which no file holds; give it again as { kernel }`);
  if (kind !== "custom" && custom !== undefined)
    throw new HingeError("bad-option", `kernel is for models whose kernel is a function, this ${estimator} has ${kind}; leave it out`);
  const { C, nu, epsilon, bias, weighted } = read.problem;
  return {
    estimator,
    scheme: read.scheme,
    classes: read.classes,
    kernel: read.kernel,
    custom,
    featureCount: read.featureCount,
    vectors: {
      count: read.vectors.count,
      starts: Uint32Array.from(read.vectors.starts),
      indices: Uint32Array.from(read.vectors.indices),
      values: Float32Array.from(read.vectors.values),
    },
    coefficients: Float64Array.from(read.coefficients),
    vectorCounts: Uint32Array.from(read.vectorCounts),
    biases: Float64Array.from(read.biases),
    problem: { C, nu, epsilon, bias, weighted },
    state: read.state && { ...read.state, scales: Float64Array.from(read.state.scales), isKept: true },
    ...proofOf(read.status, read.certificate),
  };
}
