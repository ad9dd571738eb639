// svm-train: LIBSVM's training program by its own flags, with its lines and its files. -e is what it is there: the largest violation of the optimality conditions that is left.

import { basename } from "node:path";
import { MOST_DEGREE } from "../../base/options/kernel.js";
import type { Matrix } from "../../data/matrix.js";
import { libsvmModelParts } from "../../formats/libsvm-model.js";
import type { Console } from "../console.js";
import { prepareFor } from "../prepare.js";
import { turnToSteps } from "../steps.js";
import { labelsOfNumbers } from "./classes.js";
import { crossValidated, type FoldResult } from "./cross-validation.js";
import { renumbered } from "./feature-zero.js";
import { kernelValues } from "./precomputed.js";
import {
  atoi,
  checkCost,
  type Flags,
  foldsOfFlag,
  numberOfFlag,
  parseFlags,
  Refusal,
  readData,
  refuseIf,
  runProgram,
  writeModelFile,
} from "./program.js";
import { kernels, type Parameters, trained, types } from "./svm-fits.js";
import { predicted } from "./svm-outputs.js";

export function svmTrain(args: readonly string[], console: Console): Promise<number> {
  return runProgram("svm-train", console, async () => {
    const flags = parseFlags(args, {
      valued: "stdgrnmcephbv",
      bare: "q",
      weighted: true,
      unknown: (letter) => `Unknown option: -${letter}`,
    });
    const folds = foldsOfFlag(flags);
    const [dataPath, modelPath] = flags.files;
    if (dataPath === undefined) throw new Refusal("", true);
    const isPrecomputed = numberOfFlag(flags, "t", 2) === 4;
    turnToSteps(console);
    await prepareFor([dataPath]);
    const read = await readData(dataPath, isPrecomputed ? "always" : "taken");
    const x = isPrecomputed ? kernelValues(read.x) : read.x;
    const isFromZero = !isPrecomputed && read.indexBase === 0;
    // LIBSVM counts features by the largest index.
    const parameters = checked(flags, isFromZero ? x.featureCount - 1 : x.featureCount);
    const say = flags.switches.has("q") ? () => undefined : console.out;
    if (folds !== undefined) {
      const isStratified = parameters.type === "c_svc" || parameters.type === "nu_svc";
      const kind = isStratified || parameters.type === "one_class" ? "classes" : "numbers";
      const wanted = { folds, kind, isStratified, isPrecomputed, warn: console.err } as const;
      const { told, result } = await crossValidated(x, read.y, wanted, (own, y, tested) => foldResult(own, y, tested, parameters, console));
      say(told);
      console.out(result);
      return;
    }
    const { file, told } = await trained(x, read.y, parameters, console.err);
    say(told);
    await writeModelFile(modelPath ?? `${basename(dataPath)}.model`, libsvmModelParts(isFromZero ? renumbered(file, -1) : file));
  });
}

/** In the original's order: of several mistakes it names the first. */
function checked(flags: Flags, featureCount: number): Parameters {
  const number = (letter: string, otherwise: number): number => numberOfFlag(flags, letter, otherwise);
  const type = types[number("s", 0)];
  const kernel = kernels[number("t", 2)];
  refuseIf(type === undefined, "unknown svm type");
  refuseIf(kernel === undefined, "unknown kernel type");
  // 0 means 1 / features there.
  const given = number("g", 0);
  const gamma = given === 0 && featureCount > 0 ? 1 / featureCount : given;
  refuseIf(["poly", "rbf", "sigmoid"].includes(kernel as string) && gamma < 0, "gamma < 0");
  const degree = atoi(flags.values.get("d") ?? "3");
  refuseIf(kernel === "poly" && degree < 0, "degree of polynomial kernel < 0");
  refuseIf(kernel === "poly" && degree > MOST_DEGREE, `-d must be at most ${MOST_DEGREE}, got ${degree}`);
  const [cacheMegabytes, eps, C, nu, p] = [number("m", 100), number("e", 1e-3), number("c", 1), number("n", 0.5), number("p", 0.1)];
  refuseIf(!(cacheMegabytes > 0), "cache_size <= 0");
  refuseIf(!(eps > 0), "eps <= 0");
  refuseIf(["c_svc", "epsilon_svr", "nu_svr"].includes(type as string) && !(C > 0), "C <= 0");
  if (type !== "nu_svc" && type !== "one_class") checkCost(C, "-c");
  refuseIf(["nu_svc", "one_class", "nu_svr"].includes(type as string) && !(nu > 0 && nu <= 1), "nu <= 0 or nu > 1");
  refuseIf(type === "epsilon_svr" && !(p >= 0), "p < 0");
  const [shrinking, estimates] = [number("h", 1), number("b", 0)];
  refuseIf(shrinking !== 0 && shrinking !== 1, "shrinking != 0 and shrinking != 1");
  refuseIf(estimates !== 0 && estimates !== 1, "probability != 0 and probability != 1");
  return {
    ...{
      type: type as Parameters["type"],
      kernel: kernel as Parameters["kernel"],
      degree: kernel === "poly" ? degree : 0,
      gamma,
      coef0: number("r", 0),
      C,
      nu,
      p,
    },
    ...{ cacheMegabytes, eps, shrinking: shrinking === 1, estimates: estimates === 1, weights: flags.weights },
  };
}

async function foldResult(x: Matrix, y: Float64Array, tested: Matrix, parameters: Parameters, console: Console): Promise<FoldResult> {
  const { model, file, told } = await trained(x, y, parameters, console.err);
  // With estimates LIBSVM validates what svm-predict -b 1 would say: the most probable class.
  if (parameters.estimates && file.labels !== undefined)
    return { values: (await predicted(file, tested, true, () => undefined)).values, told };
  const values = model === undefined ? new Float64Array(tested.rowCount) : ((await model.predict(tested)) as ArrayLike<number>);
  return { values: file.labels === undefined ? values : labelsOfNumbers([...file.labels], values), told };
}
