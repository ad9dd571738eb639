// From the parameters of svm-train to a model file, with LIBSVM's probability estimates where they are asked for, and what is printed of all of it.

import type { Matrix } from "../../data/matrix.js";
import { KernelModel } from "../../estimators/kernel-model.js";
import { formatGeneral } from "../../formats/printf.js";
import { NuSVC, NuSVR, OneClassSVM, SVC, SVR } from "../../index.js";
import type { LibsvmData, LibsvmEstimates } from "../../model/libsvm-file.js";
import { kernelToLibsvm } from "../../model/libsvm-models.js";
import { pairs } from "../../model/schemes.js";
import { normalMarks, pairEstimates, regressionScale } from "../../select/libsvm-estimates.js";
import { classCosts, costsByNumber, labelsOfNumbers, numberOf, type OrderedClasses, orderedClasses } from "./classes.js";
import { type Flags, Refusal, SEED, toleranceOf } from "./program.js";
import { described, type Fitted, type Told } from "./svm-lines.js";

/** By the numbers of -s and -t. */
export const types = ["c_svc", "nu_svc", "one_class", "epsilon_svr", "nu_svr"] as const;
export const kernels = ["linear", "poly", "rbf", "sigmoid", "precomputed"] as const;

export interface Parameters {
  readonly type: (typeof types)[number];
  readonly kernel: (typeof kernels)[number];
  readonly degree: number;
  readonly gamma: number;
  readonly coef0: number;
  readonly C: number;
  readonly nu: number;
  readonly p: number;
  readonly cacheMegabytes: number;
  readonly eps: number;
  readonly shrinking: boolean;
  readonly estimates: boolean;
  readonly weights: Flags["weights"];
}

/** A model as its file has it, what was printed of it, and the model itself. */
interface Trained {
  /** None where all rows are of one class: then that is all there is to say. */
  readonly model: Fitted | undefined;
  readonly file: LibsvmData;
  readonly told: Told;
}

function optionsOf({ type, kernel, degree, gamma, coef0, C, nu, p, cacheMegabytes, eps, shrinking }: Parameters): object {
  return {
    ...{ kernel, degree, gamma, coef0, shrinking, tolerance: toleranceOf(eps), stop: "violation", cacheBytes: cacheMegabytes * 2 ** 20 },
    ...((type === "c_svc" || type === "epsilon_svr" || type === "nu_svr") && { C }),
    ...((type === "nu_svc" || type === "one_class" || type === "nu_svr") && { nu }),
    ...(type === "epsilon_svr" && { epsilon: p }),
  };
}

/** A model's file, with estimates where they are asked for, and what is printed on the way; `warn`: what goes to stderr. */
export async function trained(
  x: Matrix,
  y: Float64Array,
  parameters: Parameters,
  warn: (text: string) => void,
): Promise<{ readonly model: Fitted | undefined; readonly file: LibsvmData; readonly told: string }> {
  const { model, file, told } = await fitted(x, y, parameters, warn);
  if (!parameters.estimates || model === undefined) return { model, file, told: told.problems.join("") + told.total };
  const { estimates, said } = await estimatesOf(model, x, y, parameters, warn);
  const problems = told.problems.map((text, m) => (said.before[m] ?? "") + text).join("");
  return { model, file: { ...file, ...estimates }, told: problems + told.total + said.behind };
}

async function fitted(x: Matrix, y: Float64Array, parameters: Parameters, warn: (text: string) => void): Promise<Trained> {
  const { type } = parameters;
  const options = optionsOf(parameters);
  if (type === "one_class") return plain(await OneClassSVM.fit(x, options), parameters, y);
  if (type === "epsilon_svr" || type === "nu_svr") {
    const model = await (type === "epsilon_svr" ? SVR : NuSVR).fit(x, y, options);
    return plain(model, parameters, y);
  }
  const classes = orderedClasses(y);
  if (classes.labels.length === 1) return singleClass(classes.labels[0] as number, parameters);
  const weights = weightsOf(classes, parameters, warn);
  if (type === "nu_svc") checkNu(classes, parameters.nu);
  const model =
    type === "nu_svc"
      ? await NuSVC.fit(x, classes.numbers, options)
      : await SVC.fit(x, classes.numbers, { ...options, classWeight: weights });
  const { file, told } = plain(model, parameters, classes.numbers, weights);
  return { model, file: { ...file, labels: labelsOfNumbers(classes.labels, file.labels as Int32Array) }, told };
}

/** By the numbers of classes. LIBSVM has weights for c_svc alone, and says nothing of them elsewhere. */
function weightsOf({ labels }: OrderedClasses, { type, C, weights }: Parameters, warn: (text: string) => void): Map<number, number> {
  return costsByNumber(labels, classCosts(labels, C, type === "c_svc" ? weights : [], warn));
}

/** LIBSVM takes rows of one class, and writes a model that knows nothing else. */
function singleClass(label: number, { type, kernel, degree, gamma, coef0 }: Parameters): Trained {
  const vectors = {
    count: 0,
    coefficients: new Float64Array(0),
    starts: new Uint32Array(1),
    indices: new Uint32Array(0),
    values: new Float64Array(0),
  };
  const file: LibsvmData = {
    ...{ type, kernel: { type: kernel === "poly" ? "polynomial" : kernel, degree, gamma, coef0 }, classCount: 1, rho: new Float64Array(0) },
    ...{ labels: Int32Array.of(label), vectorCounts: new Uint32Array(1), vectors },
    ...{ probA: undefined, probB: undefined, densityMarks: undefined },
  };
  const told = { problems: ["WARNING: training data in only one class. See README for details.\n"], total: "Total nSV = 0\n" };
  return { model: undefined, file, told };
}

/** The file with the numbers of classes, and what is told of it. */
function plain(
  model: Fitted,
  parameters: Parameters,
  y: ArrayLike<number>,
  weights: ReadonlyMap<number, number> = new Map(),
): Trained & { readonly model: Fitted } {
  const file = kernelToLibsvm(KernelModel.dataOf(model));
  return { model, file, told: described(model, file, parameters, y, weights) };
}

function checkNu({ labels, numbers }: OrderedClasses, nu: number): void {
  const sizes = labels.map((label) => numbers.reduce((count, number) => count + (number === numberOf(labels, label) ? 1 : 0), 0));
  for (const [a, b] of pairs(labels.length)) {
    const [one, two] = [sizes[a] as number, sizes[b] as number];
    if ((nu * (one + two)) / 2 > Math.min(one, two)) throw new Refusal("ERROR: specified nu is infeasible");
  }
}

interface Estimated {
  readonly estimates: Partial<LibsvmEstimates>;
  /** What svm-train prints of the fits for them: of a pair of classes before its own, of a regression behind it. */
  readonly said: { readonly before: readonly string[]; readonly behind: string };
}

async function estimatesOf(
  model: Fitted,
  x: Matrix,
  y: Float64Array,
  parameters: Parameters,
  warn: (text: string) => void,
): Promise<Estimated> {
  if (model instanceof OneClassSVM) {
    const densityMarks = await normalMarks(model, x);
    if (densityMarks === undefined)
      warn("WARNING: number of positive or negative decision values <5; too few to do a probability estimation.\n");
    return { estimates: { densityMarks }, said: { before: [], behind: "" } };
  }
  const told: string[][] = [];
  const [options, isPrecomputed] = [optionsOf(parameters), parameters.kernel === "precomputed"];
  if (model instanceof SVR || model instanceof NuSVR) {
    const scale = await regressionScale(model instanceof SVR ? SVR : NuSVR, x, y, {
      ...{ options, isPrecomputed },
      seed: SEED,
      onModel: (own, { fold, y }) => {
        told[fold] = plain(own, parameters, y).told.problems as string[];
      },
    });
    const behind = `Prob. model for test data: target value = predicted value + z,\nz: Laplace distribution e^(-|z|/sigma)/(2sigma),sigma= ${formatGeneral(scale, 6)}\n`;
    return { estimates: { probA: Float64Array.of(scale) }, said: { before: [], behind: told.flat().join("") + behind } };
  }
  const classes = orderedClasses(y);
  // What is wrong with them was said when the model was trained.
  const weights = weightsOf(classes, parameters, () => undefined);
  const order = classes.labels.map((label) => numberOf(classes.labels, label));
  const estimates = await pairEstimates(model instanceof SVC ? SVC : NuSVC, x, classes.numbers, order, {
    ...{ options, isPrecomputed },
    ...(model instanceof SVC && { classWeight: weights }),
    seed: SEED,
    onModel: (own, { pair, fold, y }) => {
      const { problems, total } = plain(own, parameters, y, weights).told;
      told[pair] ??= [];
      (told[pair] as string[])[fold] = problems.join("") + total;
    },
  });
  return { estimates, said: { before: told.map((folds) => folds.join("")), behind: "" } };
}
