// Which model of hinge a model file of LIBSVM holds, and the file of a kernel machine.
//
// LIBSVM decides for the first class of a pair above 0 and for the second otherwise, hinge for the second above 0. So of two classes the file's labels are the
// classes from the last to the first, with the file's decision values; of more classes they keep their order, and decision values are the file's, turned round.
// Exact zeros and equal votes apart, both predict the same.

import { HingeError } from "../base/errors.js";
import { columnCount, type KernelConstants, type KernelEstimator, type KernelModelData, type SupportVectors } from "./kernel-model.js";
import {
  isClassification,
  type LibsvmData,
  type LibsvmEstimates,
  type LibsvmKernel,
  type LibsvmType,
  type LibsvmVectors,
  signOf,
  type VectorsForModel,
} from "./libsvm-file.js";

const estimators: Readonly<Record<LibsvmType, KernelEstimator>> = {
  c_svc: "SVC",
  nu_svc: "NuSVC",
  one_class: "OneClassSVM",
  epsilon_svr: "SVR",
  nu_svr: "NuSVR",
};

/** Which estimator of hinge the file holds a model of. */
export function estimatorOfLibsvm({ type }: LibsvmData): KernelEstimator {
  return estimators[type];
}

/** `featureCount`: at least so many, of which the support vectors may have none. */
export function kernelFromLibsvm(file: LibsvmData, estimator: KernelEstimator, featureCount = 0): KernelModelData {
  const { type, classCount, labels, rho, vectors, vectorCounts } = file;
  if (estimators[type] !== estimator) throw new HingeError("bad-model", `not a ${estimator} model but one of LIBSVM's type ${type}`);
  if (classCount < 2) throw new HingeError("bad-model", "this LIBSVM model has one class only; hinge cannot predict with it");
  const isTurned = labels !== undefined && classCount > 2;
  const sign = signOf(classCount);
  const { indices, coefficients, ...made } = vectors.forModel ?? forModel(vectors, sign, file.kernel.type === "precomputed");
  return {
    estimator,
    scheme: labels === undefined ? (type === "one_class" ? "one_class" : "regression") : isTurned ? "ovo" : "binary",
    classes: labels === undefined ? [] : isTurned ? Array.from(labels) : Array.from(labels).reverse(),
    kernel: kernelFrom(file.kernel),
    vectors: { count: vectors.count, starts: vectors.starts.slice(), indices, values: valuesFrom(file) },
    featureCount: Math.max(featureCount, made.featureCount),
    coefficients,
    vectorCounts: isTurned ? Uint32Array.from(vectorCounts ?? []) : new Uint32Array(0),
    biases: rho.map((value) => -sign * value + 0),
    problem: { C: undefined, nu: undefined, epsilon: undefined, bias: undefined, weighted: undefined },
    state: undefined,
    status: "unknown",
    certificate: undefined,
  };
}

/** By a plain loop: of many classes there are hundreds of thousands, and commands call this once. */
function turned(values: Float64Array, sign: number): Float64Array {
  const all = new Float64Array(values.length);
  for (let k = 0; k < all.length; k++) all[k] = sign * (values[k] as number) + 0;
  return all;
}

function kernelFrom(kernel: LibsvmKernel): KernelConstants {
  const constants = { gamma: 0, coef0: 0, degree: 0, ...kernel };
  const { gamma, coef0, degree } = constants;
  return { kind: kernel.type === "polynomial" ? "poly" : kernel.type, gamma, coef0, degree };
}

function forModel({ indices, values, coefficients }: LibsvmVectors, sign: number, isPrecomputed: boolean): VectorsForModel {
  let featureCount = 0;
  const columns = new Uint32Array(indices.length);
  for (let k = 0; k < columns.length; k++) {
    const feature = isPrecomputed ? (values[k] as number) : (indices[k] as number);
    if (feature === 0) throw new HingeError("bad-model", "a support vector has feature 0; features count from 1 in LIBSVM's files");
    if (feature > featureCount) featureCount = feature;
    columns[k] = feature - 1;
  }
  return { indices: columns, featureCount, coefficients: turned(coefficients, sign) };
}

function valuesFrom({ kernel, vectors: { values } }: LibsvmData): Float32Array {
  if (kernel.type === "precomputed") return new Float32Array(values.length).fill(1);
  return values instanceof Float32Array ? values : new Float32Array(values);
}

/** Throws unless LIBSVM's files can hold a model with these labels. */
export function checkLibsvmLabels(labels: ArrayLike<number | string>): void {
  for (let k = 0; k < labels.length; k++) {
    const label = labels[k];
    if (typeof label === "number" && Number.isInteger(label) && Math.abs(label) < 2 ** 31) continue;
    throw new HingeError("bad-model", `LIBSVM's files hold only whole numbers as labels, got ${JSON.stringify(label)}; save as .json`);
  }
}

/** Throws unless LIBSVM's files can hold a model of this scheme. */
export function checkLibsvmScheme(scheme: string): void {
  if (scheme === "ovr")
    throw new HingeError("bad-model", 'LIBSVM\'s files hold one-vs-one models only, this is multiClass "ovr"; save as .json');
}

/** The file of a kernel machine, with probability estimates if there are any; throws if LIBSVM's files cannot hold it. */
export function kernelToLibsvm(data: KernelModelData, { probA, probB, densityMarks }: Partial<LibsvmEstimates> = {}): LibsvmData {
  const { estimator, scheme, classes, kernel, vectors, coefficients, vectorCounts, biases } = data;
  checkLibsvmScheme(scheme);
  if (kernel.kind === "custom")
    throw new HingeError(
      "bad-model",
      "LIBSVM's files hold no kernels that are functions; save as .json, and give the function again to load",
    );
  checkLibsvmLabels(classes);
  const type = (Object.keys(estimators) as LibsvmType[]).find((name) => estimators[name] === estimator) as LibsvmType;
  const isTurned = scheme === "ovo";
  const sign = isTurned ? -1 : 1;
  const order = scheme === "binary" ? bySign(coefficients) : Array.from({ length: vectors.count }, (_, i) => i);
  const columns = columnCount(scheme, classes.length);
  const positive = coefficients.reduce((count, value) => count + (value > 0 ? 1 : 0), 0);
  return {
    type,
    kernel: kernelTo(kernel, kernel.kind),
    classCount: isClassification(type) ? classes.length : 2,
    rho: biases.map((bias) => -sign * bias + 0),
    labels: isClassification(type) ? Int32Array.from((isTurned ? [...classes] : [...classes].reverse()) as number[]) : undefined,
    probA,
    probB,
    densityMarks,
    vectorCounts: isTurned ? vectorCounts : scheme === "binary" ? Uint32Array.of(positive, vectors.count - positive) : undefined,
    vectors: vectorsTo(vectors, order, coefficients, { columns, sign, isPrecomputed: kernel.kind === "precomputed" }),
  };
}

/** Of two classes the file has the first one's support vectors first: their coefficients are above 0. */
function bySign(coefficients: Float64Array): number[] {
  const all = Array.from(coefficients.keys());
  return [...all.filter((i) => (coefficients[i] as number) > 0), ...all.filter((i) => !((coefficients[i] as number) > 0))];
}

function kernelTo({ gamma, coef0, degree }: KernelConstants, kind: Exclude<KernelConstants["kind"], "custom">): LibsvmKernel {
  if (kind === "poly") return { type: "polynomial", degree, gamma, coef0 };
  if (kind === "rbf") return { type: "rbf", gamma };
  return kind === "sigmoid" ? { type: "sigmoid", gamma, coef0 } : { type: kind };
}

function vectorsTo(
  { count, starts, indices, values }: SupportVectors,
  order: readonly number[],
  coefficients: Float64Array,
  { columns, sign, isPrecomputed }: { columns: number; sign: number; isPrecomputed: boolean },
): LibsvmVectors {
  const own = { starts: new Uint32Array(count + 1), indices: new Uint32Array(values.length), values: new Float64Array(values.length) };
  const turned = new Float64Array(count * columns);
  let next = 0;
  order.forEach((i, at) => {
    for (let k = starts[i] as number; k < (starts[i + 1] as number); k++, next++) {
      const index = (indices[k] as number) + 1;
      own.indices[next] = isPrecomputed ? 0 : index;
      own.values[next] = isPrecomputed ? index : (values[k] as number);
    }
    own.starts[at + 1] = next;
    for (let m = 0; m < columns; m++) turned[at * columns + m] = sign * (coefficients[i * columns + m] as number) + 0;
  });
  return { count, coefficients: turned, ...own };
}
