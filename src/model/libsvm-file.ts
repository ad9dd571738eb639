// What a model file of LIBSVM holds, as plain data.

export const libsvmTypes = ["c_svc", "nu_svc", "one_class", "epsilon_svr", "nu_svr"] as const;
export type LibsvmType = (typeof libsvmTypes)[number];

export const libsvmKernels = ["linear", "polynomial", "rbf", "sigmoid", "precomputed"] as const;

/** K(u, v) with its constants. A precomputed one is known by the numbers of the training rows only. */
export type LibsvmKernel =
  | { readonly type: "linear" | "precomputed" }
  | { readonly type: "polynomial"; readonly degree: number; readonly gamma: number; readonly coef0: number }
  | { readonly type: "rbf"; readonly gamma: number }
  | { readonly type: "sigmoid"; readonly gamma: number; readonly coef0: number };

/** Support vectors as the file holds them: of row i the entries starts[i] to starts[i + 1] of indices and values. */
export interface LibsvmVectors {
  readonly count: number;
  /** Row by row, `classCount - 1` a support vector. */
  readonly coefficients: Float64Array;
  readonly starts: Uint32Array;
  /** As in the file, rising within a row: features count from 1; under a precomputed kernel 0 is the only one. */
  readonly indices: Uint32Array;
  /** Files keep 8 digits, more than float32 holds; float32 where they were read for a model. Under a precomputed kernel: the number of the training row, from 1. */
  readonly values: Float64Array | Float32Array;
  /** What a model makes of these, where the core has made it already. */
  readonly forModel?: VectorsForModel | undefined;
}

export interface VectorsForModel {
  /** Features count from 0, and there are so many. */
  readonly indices: Uint32Array;
  readonly featureCount: number;
  /** With the signs that pairs of classes have in hinge. */
  readonly coefficients: Float64Array;
}

/** What coefficients and thresholds of LIBSVM's are multiplied with: of more than two classes hinge's decision values have the other sign (libsvm-models.ts). */
export function signOf(classCount: number): 1 | -1 {
  return classCount > 2 ? -1 : 1;
}

/** What svm-train -b 1 adds: a file has those of its type, or none. */
export interface LibsvmEstimates {
  /** One a pair of classes, or the one of a regression. */
  readonly probA: Float64Array | undefined;
  /** One a pair of classes; none of a regression. */
  readonly probB: Float64Array | undefined;
  /** Ten, of a one-class model. */
  readonly densityMarks: Float64Array | undefined;
}

export interface LibsvmData extends LibsvmEstimates {
  readonly type: LibsvmType;
  readonly kernel: LibsvmKernel;
  /** 2 for regression and one-class, which have no classes. */
  readonly classCount: number;
  /** One a pair of classes: (0, 1), (0, 2), …, (1, 2), … */
  readonly rho: Float64Array;
  /** One a class, in the file's order; undefined for regression and one-class. */
  readonly labels: Int32Array | undefined;
  /** Support vectors of each class, which follow each other in this order; undefined for regression and one-class. */
  readonly vectorCounts: Uint32Array | undefined;
  readonly vectors: LibsvmVectors;
}

/** How many marks there are. */
export const DENSITY_MARKS = 10;

export function isClassification(type: LibsvmType): boolean {
  return type === "c_svc" || type === "nu_svc";
}

export function pairCount(classCount: number): number {
  return (classCount * (classCount - 1)) / 2;
}

/** Constants that a kernel has, in the order in which files name them. */
export const kernelConstants: Readonly<Record<LibsvmKernel["type"], readonly ("degree" | "gamma" | "coef0")[]>> = {
  linear: [],
  polynomial: ["degree", "gamma", "coef0"],
  rbf: ["gamma"],
  sigmoid: ["gamma", "coef0"],
  precomputed: [],
};
