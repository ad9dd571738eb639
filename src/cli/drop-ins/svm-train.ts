// svm-train: LIBSVM's training program by its own flags, with its lines and its files. -e is what it is there: the largest violation of the optimality conditions that is left.

import { basename } from "node:path";
import { Random } from "../../base/random.js";
import type { Matrix } from "../../data/matrix.js";
import { takeList, takeRows } from "../../data/take-rows.js";
import { KernelModel } from "../../estimators/kernel-model.js";
import { writeLibsvmModel } from "../../formats/libsvm-model.js";
import { formatGeneral } from "../../formats/printf.js";
import { NuSVC, NuSVR, OneClassSVM, SVC, SVR } from "../../index.js";
import { isClassification, type LibsvmData, type LibsvmEstimates } from "../../model/libsvm-file.js";
import { kernelToLibsvm } from "../../model/libsvm-models.js";
import { pairs } from "../../model/schemes.js";
import { writeAtomic } from "../../runtime/runtime.js";
import { libsvmFolds, normalMarks, pairEstimates, regressionScale } from "../../select/libsvm-estimates.js";
import type { Console } from "../console.js";
import { labelsOfNumbers, numberOf, type OrderedClasses, orderedClasses } from "./classes.js";
import { validated } from "./evaluation.js";
import { kernelValues } from "./precomputed.js";
import { atof, atoi, type Flags, parseFlags, Refusal, readData, runProgram } from "./program.js";

const types = ["c_svc", "nu_svc", "one_class", "epsilon_svr", "nu_svr"] as const;
const kernels = ["linear", "poly", "rbf", "sigmoid", "precomputed"] as const;

interface Parameters {
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

type Fitted = SVC | NuSVC | OneClassSVM | SVR | NuSVR;

/** A model as its file has it, what was printed of it, and the model itself. */
interface Trained {
  readonly model: Fitted;
  readonly file: LibsvmData;
  readonly told: Told;
}

/** A text a problem, and one behind them. */
interface Told {
  readonly problems: readonly string[];
  readonly total: string;
}

export function svmTrain(args: readonly string[], console: Console): Promise<number> {
  return runProgram("svm-train", console, async () => {
    const flags = parseFlags(args, {
      valued: "stdgrnmcephbv",
      bare: "q",
      weighted: true,
      unknown: (letter) => `Unknown option: -${letter}`,
    });
    const number = (letter: string, otherwise: number): number => {
      const text = flags.values.get(letter);
      return text === undefined ? otherwise : atof(text);
    };
    const folds = flags.values.has("v") ? atoi(flags.values.get("v") as string) : undefined;
    if (folds !== undefined && folds < 2) throw new Refusal("n-fold cross validation: n must >= 2", true);
    const [dataPath, modelPath] = flags.files;
    if (dataPath === undefined) throw new Refusal("", true);
    const isPrecomputed = number("t", 2) === 4;
    const read = await readData(dataPath, { indexBase: isPrecomputed ? 0 : 1 });
    const x = isPrecomputed ? kernelValues(read.x) : read.x;
    const parameters = checked(flags, number, x.featureCount);
    const say = flags.switches.has("q") ? () => undefined : console.out;
    if (folds !== undefined) {
      console.out(await crossValidated(x, read.y, parameters, folds, say, console));
      return;
    }
    const { model, file, told } = await trained(x, read.y, parameters, console);
    const { estimates, said } = parameters.estimates
      ? await estimatesOf(model, x, read.y, parameters, console)
      : { estimates: {}, said: { before: [], behind: "" } };
    say(told.problems.map((text, m) => (said.before[m] ?? "") + text).join("") + told.total + said.behind);
    const target = modelPath ?? `${basename(dataPath)}.model`;
    try {
      await writeAtomic(target, writeLibsvmModel({ ...file, ...estimates }));
    } catch {
      throw new Refusal(`can't save model to file ${target}`);
    }
  });
}

/** In the original's order: of several mistakes it names the first. */
function checked(flags: Flags, number: (letter: string, otherwise: number) => number, featureCount: number): Parameters {
  const refuse = (isWrong: boolean, message: string): void => {
    if (isWrong) throw new Refusal(`ERROR: ${message}`);
  };
  const type = types[number("s", 0)];
  const kernel = kernels[number("t", 2)];
  refuse(type === undefined, "unknown svm type");
  refuse(kernel === undefined, "unknown kernel type");
  // 0 means 1 / features there.
  const given = number("g", 0);
  const gamma = given === 0 && featureCount > 0 ? 1 / featureCount : given;
  refuse(["poly", "rbf", "sigmoid"].includes(kernel as string) && gamma < 0, "gamma < 0");
  const degree = atoi(flags.values.get("d") ?? "3");
  refuse(kernel === "poly" && degree < 0, "degree of polynomial kernel < 0");
  const [cacheMegabytes, eps, C, nu, p] = [number("m", 100), number("e", 1e-3), number("c", 1), number("n", 0.5), number("p", 0.1)];
  refuse(!(cacheMegabytes > 0), "cache_size <= 0");
  refuse(!(eps > 0), "eps <= 0");
  refuse(["c_svc", "epsilon_svr", "nu_svr"].includes(type as string) && !(C > 0), "C <= 0");
  refuse(["nu_svc", "one_class", "nu_svr"].includes(type as string) && !(nu > 0 && nu <= 1), "nu <= 0 or nu > 1");
  refuse(type === "epsilon_svr" && !(p >= 0), "p < 0");
  const [shrinking, estimates] = [number("h", 1), number("b", 0)];
  refuse(shrinking !== 0 && shrinking !== 1, "shrinking != 0 and shrinking != 1");
  refuse(estimates !== 0 && estimates !== 1, "probability != 0 and probability != 1");
  return {
    ...{ type: type as Parameters["type"], kernel: kernel as Parameters["kernel"], degree, gamma, coef0: number("r", 0), C, nu, p },
    ...{ cacheMegabytes, eps, shrinking: shrinking === 1, estimates: estimates === 1, weights: flags.weights },
  };
}

function optionsOf({ type, kernel, degree, gamma, coef0, C, nu, p, cacheMegabytes, eps, shrinking }: Parameters): object {
  return {
    ...{ kernel, degree, gamma, coef0, shrinking, tolerance: eps, stop: "violation", cacheBytes: cacheMegabytes * 2 ** 20 },
    ...((type === "c_svc" || type === "epsilon_svr" || type === "nu_svr") && { C }),
    ...((type === "nu_svc" || type === "one_class" || type === "nu_svr") && { nu }),
    ...(type === "epsilon_svr" && { epsilon: p }),
  };
}

/** Weights by the numbers of classes. */
function classWeights(classes: OrderedClasses, { type, weights }: Parameters, console: Console): Map<number, number> {
  const own = new Map<number, number>();
  for (const { label, weight } of weights) {
    if (classes.labels.includes(label)) own.set(numberOf(classes.labels, label), (own.get(numberOf(classes.labels, label)) ?? 1) * weight);
    else if (type === "c_svc") console.err(`WARNING: class label ${label} specified in weight is not found\n`);
  }
  return own;
}

async function trained(x: Matrix, y: Float64Array, parameters: Parameters, console: Console): Promise<Trained> {
  const { type } = parameters;
  const options = optionsOf(parameters);
  if (type === "one_class") return plain(await OneClassSVM.fit(x, options), parameters, y);
  if (type === "epsilon_svr" || type === "nu_svr") {
    const model = await (type === "epsilon_svr" ? SVR : NuSVR).fit(x, y, options);
    return plain(model, parameters, y);
  }
  const classes = orderedClasses(y);
  if (classes.labels.length === 1) throw new Refusal("training data in only one class: there is nothing to tell apart");
  const weights = classWeights(classes, parameters, console);
  if (type === "nu_svc") checkNu(classes, parameters.nu);
  const model =
    type === "nu_svc"
      ? await NuSVC.fit(x, classes.numbers, options)
      : await SVC.fit(x, classes.numbers, { ...options, ...(weights.size > 0 && { classWeight: weights }) });
  const { file, told } = plain(model, parameters, classes.numbers, weights);
  return { model, file: { ...file, labels: labelsOfNumbers(classes.labels, file.labels as Int32Array) }, told };
}

/** The file with the numbers of classes, and what is told of it. */
function plain(model: Fitted, parameters: Parameters, y: ArrayLike<number>, weights: ReadonlyMap<number, number> = new Map()): Trained {
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

/** What svm-train prints of every problem, from the file and the report of the fit. */
function described(
  model: Fitted,
  file: LibsvmData,
  { type, C, nu }: Parameters,
  y: ArrayLike<number>,
  weights: ReadonlyMap<number, number>,
): Told {
  const costOf = (number: number): number => C * (weights.get(number) ?? 1);
  const problems = model.report.run?.problems ?? [];
  const texts = problems.map(({ stages, certificate }, m) => {
    const { values, rowCount, costs } = partOf(file, m, y, type === "c_svc" ? costOf : () => 1);
    const sum = values.reduce((total, { size }) => total + size, 0);
    // nu-SVC's variables are those of the problem divided by r, so that the margin is 1.
    const scale = type === "nu_svc" && sum > 0 ? sum / (nu * rowCount) : 1;
    const bound = type === "c_svc" ? 1 : type === "epsilon_svr" || type === "nu_svr" ? C : scale;
    const bounded = values.filter(({ size, cost }) => size >= bound * cost * (1 - 1e-12)).length;
    const iterations = stages.reduce((total, stage) => total + stage.iterations, 0);
    const first = {
      c_svc: costs[0] === costs[1] ? `nu = ${(sum / ((costs[0] as number) * rowCount)).toFixed(6)}\n` : "",
      nu_svc: `C = ${scale.toFixed(6)}\n`,
      one_class: "",
      epsilon_svr: `nu = ${(sum / (C * rowCount)).toFixed(6)}\n`,
      nu_svr: `epsilon = ${(KernelModel.dataOf(model).problem.epsilon ?? 0).toFixed(6)}\n`,
    }[type];
    return (
      `${".".repeat(Math.floor(iterations / 1000))}*\noptimization finished, #iter = ${iterations}\n${first}` +
      `obj = ${fixed(-certificate.dual * scale * scale)}, rho = ${fixed(file.rho[m] as number)}\nnSV = ${values.length}, nBSV = ${bounded}\n`
    );
  });
  return { problems: texts, total: isClassification(file.type) ? `Total nSV = ${file.vectors.count}\n` : "" };
}

/** Six digits behind the point; never -0. */
function fixed(value: number): string {
  return (Math.abs(value) < 5e-7 ? 0 : value).toFixed(6);
}

/** The support vectors of problem m, of a pair of classes or of all: sizes of their coefficients and what their loss costs. */
function partOf(
  { type, labels, classCount, vectors, vectorCounts }: LibsvmData,
  m: number,
  y: ArrayLike<number>,
  costOf: (number: number) => number,
): { values: { size: number; cost: number }[]; rowCount: number; costs: number[] } {
  const { count, coefficients } = vectors;
  if (!isClassification(type) || labels === undefined || vectorCounts === undefined) {
    const values = Array.from(coefficients, (value) => ({ size: Math.abs(value), cost: 1 })).filter(({ size }) => size > 0);
    return { values, rowCount: y.length, costs: [1, 1] };
  }
  const columns = coefficients.length / Math.max(1, count);
  const pair = pairs(classCount)[m] as readonly [number, number];
  const starts = [0];
  for (const size of vectorCounts) starts.push((starts.at(-1) as number) + size);
  const sides = [0, 1].map((side) => {
    const [own, other] = [pair[side] as number, pair[1 - side] as number];
    const column = classCount === 2 ? 0 : other > own ? other - 1 : other;
    return { own, column, cost: costOf(labels[own] as number) };
  });
  const values = sides.flatMap(({ own, column, cost }) => {
    const list: { size: number; cost: number }[] = [];
    for (let i = starts[own] as number; i < (starts[own + 1] as number); i++) {
      const size = Math.abs(coefficients[i * columns + column] as number);
      if (size > 0) list.push({ size, cost });
    }
    return list;
  });
  const isIn = (number: number): boolean => sides.some(({ own }) => labels[own] === number);
  const rowCount = Array.from(y).reduce((rows, number) => rows + (isIn(number) ? 1 : 0), 0);
  return { values, rowCount, costs: sides.map(({ cost }) => cost) };
}

/** Seeds of what the originals draw with rand(): always the same, so that a command gives the same file twice. */
const SEED = 0;

interface Estimated {
  readonly estimates: Partial<LibsvmEstimates>;
  /** What svm-train prints of the fits for them: of a pair of classes before its own, of a regression behind it. */
  readonly said: { readonly before: readonly string[]; readonly behind: string };
}

async function estimatesOf(model: Fitted, x: Matrix, y: Float64Array, parameters: Parameters, console: Console): Promise<Estimated> {
  if (model instanceof OneClassSVM) {
    const densityMarks = await normalMarks(model, x);
    if (densityMarks === undefined)
      console.err("WARNING: number of positive or negative decision values <5; too few to do a probability estimation.\n");
    return { estimates: { densityMarks }, said: { before: [], behind: "" } };
  }
  const told: string[][] = [];
  const options = optionsOf(parameters);
  if (model instanceof SVR || model instanceof NuSVR) {
    const scale = await regressionScale(model instanceof SVR ? SVR : NuSVR, x, y, {
      options,
      seed: SEED,
      onModel: (own, { fold, y }) => {
        told[fold] = plain(own, parameters, y).told.problems as string[];
      },
    });
    const behind = `Prob. model for test data: target value = predicted value + z,\nz: Laplace distribution e^(-|z|/sigma)/(2sigma),sigma= ${formatGeneral(scale, 6)}\n`;
    return { estimates: { probA: Float64Array.of(scale) }, said: { before: [], behind: told.flat().join("") + behind } };
  }
  const classes = orderedClasses(y);
  const weights = classWeights(classes, { ...parameters, type: "nu_svc" }, console);
  const order = classes.labels.map((label) => numberOf(classes.labels, label));
  const estimates = await pairEstimates(model instanceof SVC ? SVC : NuSVC, x, classes.numbers, order, {
    options: { ...options, ...(model instanceof SVC && weights.size > 0 && { classWeight: weights }) },
    seed: SEED,
    onModel: (own, { pair, fold, y }) => {
      const { problems, total } = plain(own, parameters, y, weights).told;
      told[pair] ??= [];
      (told[pair] as string[])[fold] = problems.join("") + total;
    },
  });
  return { estimates, said: { before: told.map((folds) => folds.join("")), behind: "" } };
}

async function crossValidated(
  x: Matrix,
  y: Float64Array,
  parameters: Parameters,
  wanted: number,
  say: (text: string) => void,
  console: Console,
): Promise<string> {
  const count = Math.min(wanted, y.length);
  if (count < wanted) console.err("WARNING: # folds > # data. Will use # folds = # data instead (i.e., leave-one-out cross validation)\n");
  const isClasses = parameters.type === "c_svc" || parameters.type === "nu_svc";
  const cut = isClasses && count < y.length ? classFolds(y, count) : libsvmFolds(y.length, count, new Random(SEED));
  const predicted = new Float64Array(y.length);
  const parts = await Promise.all(
    cut.map(async ({ train, test }) => {
      const own = takeRows(x, train);
      const { model, file, told } = await trained(own, takeList(y, train), parameters, console);
      const values = await predictions(model, file, takeRows(x, test));
      for (const [k, i] of test.entries()) predicted[i] = values[k] as number;
      return told;
    }),
  );
  for (const { problems, total } of parts) say(problems.join("") + total);
  return validated(isClasses || parameters.type === "one_class" ? "classes" : "numbers", y, predicted);
}

async function predictions(model: Fitted, { labels }: LibsvmData, x: Matrix): Promise<ArrayLike<number>> {
  const values = await model.predict(x);
  if (labels === undefined) return values as ArrayLike<number>;
  const order = [...labels];
  return Array.from(values as number[], (number) => (order.length === 2 ? order[1 - number] : order[number]) as number);
}

/** Folds with as many rows of every class as can be: LIBSVM's. */
function classFolds(y: Float64Array, count: number): { train: Uint32Array; test: Uint32Array }[] {
  const random = new Random(SEED);
  const folds: number[][] = Array.from({ length: count }, () => []);
  for (const label of new Set(y)) {
    const rows = Uint32Array.from([...y.keys()].filter((i) => y[i] === label));
    random.shuffle(rows);
    for (const [k, fold] of folds.entries()) {
      fold.push(...rows.subarray(Math.floor((k * rows.length) / count), Math.floor(((k + 1) * rows.length) / count)));
    }
  }
  return folds.map((rows) => {
    const test = Uint32Array.from(rows).sort();
    const isTest = new Uint8Array(y.length);
    for (const i of test) isTest[i] = 1;
    return { train: Uint32Array.from([...y.keys()].filter((i) => isTest[i] === 0)), test };
  });
}
