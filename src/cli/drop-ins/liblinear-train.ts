// liblinear-train: LIBLINEAR's training program by its own flags, with its lines and its files. -e is what it is there: each method's own stopping rule.

import { basename } from "node:path";
import { inLanes } from "../../base/lanes.js";
import { Random } from "../../base/random.js";
import type { Matrix } from "../../data/matrix.js";
import { takeList, takeRows } from "../../data/take-rows.js";
import { writeLiblinearModel } from "../../formats/liblinear-model.js";
import { withMatrix, writeAtomic } from "../../runtime/runtime.js";
import { libsvmFolds } from "../../select/libsvm-estimates.js";
import type { Console } from "../console.js";
import { validated } from "./evaluation.js";
import { LANES, type Parameters, trained } from "./liblinear-fits.js";
import { methods } from "./liblinear-methods.js";
import { outputsOf } from "./liblinear-outputs.js";
import { searched } from "./liblinear-search.js";
import { atof, atoi, type Flags, parseFlags, Refusal, readData, runProgram } from "./program.js";

/** Of the folds: always the same, so that a command says the same twice. */
const SEED = 0;

/** Types of -s that -C can search for, and the one that it takes where none is given. */
const [SEARCHABLE, SEARCHED] = [[0, 2, 11], 2];

export function liblinearTrain(args: readonly string[], console: Console): Promise<number> {
  return runProgram("liblinear-train", console, async () => {
    const flags = parseFlags(args, { valued: "scpneBv", bare: "CRq", weighted: true, unknown: (letter) => `unknown option: -${letter}` });
    const folds = flags.values.has("v") ? atoi(flags.values.get("v") as string) : undefined;
    if (folds !== undefined && folds < 2) throw new Refusal("n-fold cross validation: n must >= 2", true);
    const [dataPath, modelPath] = flags.files;
    if (dataPath === undefined) throw new Refusal("", true);
    const isSearch = flags.switches.has("C");
    const solver = flags.values.has("s") ? atoi(flags.values.get("s") as string) : isSearch ? SEARCHED : 1;
    if (isSearch && !flags.values.has("s")) console.err("Solver not specified. Using -s 2\n");
    if (isSearch && !SEARCHABLE.includes(solver))
      throw new Refusal("Warm-start parameter search only available for -s 0, -s 2 and -s 11", true);
    const { x, y } = await readData(dataPath);
    const parameters = checked(flags, solver);
    const say = parameters.isQuiet ? () => undefined : console.out;
    const [C, p] = [flags.values.has("c") ? parameters.C : undefined, flags.values.has("p") ? parameters.p : undefined];
    if (isSearch) await searched(x, y, parameters, { folds: folds ?? 5, seed: SEED, startC: C, startEpsilon: p }, say, console);
    else if (folds !== undefined) console.out(await crossValidated(x, y, parameters, folds, say, console));
    else await modelled(x, y, parameters, modelPath ?? `${basename(dataPath)}.model`, say, console);
  });
}

/** In the original's order: of several mistakes it names the first. */
function checked(flags: Flags, solver: number): Parameters {
  const number = (letter: string, otherwise: number): number => {
    const text = flags.values.get(letter);
    return text === undefined ? otherwise : atof(text);
  };
  const refuse = (isWrong: boolean, message: string): void => {
    if (isWrong) throw new Refusal(`ERROR: ${message}`);
  };
  const method = methods[solver];
  const [eps, C, p, B] = [number("e", method?.epsilon ?? Infinity), number("c", 1), number("p", 0.1), number("B", -1)];
  const isBiasFree = flags.switches.has("R");
  refuse(!(eps > 0), "eps <= 0");
  refuse(!(C > 0), "C <= 0");
  refuse(method?.type === "L2R_L2LOSS_SVR" && !(p >= 0), "p < 0");
  refuse(method?.task === "one class" && B >= 0, "prob->bias >=0, but this is ignored in ONECLASS_SVM");
  refuse(isBiasFree && B !== 1, "To not regularize bias, must specify -B 1 along with -R");
  refuse(
    isBiasFree && ![0, 2, 5, 6, 11].includes(solver),
    "-R option supported only for solver L2R_LR, L2R_L2LOSS_SVC, L1R_L2LOSS_SVC, L1R_LR, and L2R_L2LOSS_SVR",
  );
  if (method === undefined) throw new Refusal("ERROR: unknown solver type");
  return { method, C, p, nu: number("n", 0.5), eps, B, isBiasFree, weights: flags.weights, isQuiet: flags.switches.has("q") };
}

async function modelled(
  x: Matrix,
  y: Float64Array,
  parameters: Parameters,
  target: string,
  say: (text: string) => void,
  console: Console,
): Promise<void> {
  const { file, told } = await trained(x, y, parameters, console.err);
  say(told);
  try {
    await writeAtomic(target, writeLiblinearModel(file));
  } catch {
    throw new Refusal(`can't save model to file ${target}`);
  }
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
  const cut = libsvmFolds(y.length, count, new Random(SEED));
  const predicted = new Float64Array(y.length);
  const parts = await inLanes(cut.length, LANES, async (k) => {
    const { train, test } = cut[k] as (typeof cut)[number];
    // Packed once for the problems of all classes.
    const { file, told } = await withMatrix(takeRows(x, train), (rows) => trained(rows, takeList(y, train), parameters, console.err));
    const { values } = await outputsOf(file, takeRows(x, test));
    for (const [at, i] of test.entries()) predicted[i] = values[at] as number;
    return told;
  });
  for (const told of parts) say(told);
  return validated(parameters.method.task === "regression" ? "numbers" : "classes", y, predicted);
}
