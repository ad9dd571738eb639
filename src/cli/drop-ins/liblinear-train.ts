// liblinear-train: LIBLINEAR's training program by its own flags, with its lines and its files. -e is what it is there: each method's own stopping rule.

import { basename } from "node:path";
import { liblinearModelParts } from "../../formats/liblinear-model.js";
import { withMatrix } from "../../runtime/runtime.js";
import type { Console } from "../console.js";
import { crossValidated } from "./cross-validation.js";
import { type Parameters, trained } from "./liblinear-fits.js";
import { methods } from "./liblinear-methods.js";
import { outputsOf } from "./liblinear-outputs.js";
import { searched } from "./liblinear-search.js";
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

/** Types of -s that -C can search for, and the one that it takes where none is given. */
const [SEARCHABLE, SEARCHED] = [[0, 2, 11], 2];

export function liblinearTrain(args: readonly string[], console: Console): Promise<number> {
  return runProgram("liblinear-train", console, async () => {
    const flags = parseFlags(args, { valued: "scpneBv", bare: "CRq", weighted: true, unknown: (letter) => `unknown option: -${letter}` });
    const folds = foldsOfFlag(flags);
    const [dataPath, modelPath] = flags.files;
    if (dataPath === undefined) throw new Refusal("", true);
    const isSearch = flags.switches.has("C");
    const solver = flags.values.has("s") ? atoi(flags.values.get("s") as string) : isSearch ? SEARCHED : 1;
    if (isSearch && !flags.values.has("s")) console.err("Solver not specified. Using -s 2\n");
    if (isSearch && !SEARCHABLE.includes(solver))
      throw new Refusal("Warm-start parameter search only available for -s 0, -s 2 and -s 11", true);
    const { x, y } = await readData(dataPath, "refused");
    const parameters = checked(flags, solver);
    const say = parameters.isQuiet ? () => undefined : console.out;
    const [C, p] = [flags.values.has("c") ? parameters.C : undefined, flags.values.has("p") ? parameters.p : undefined];
    if (isSearch) {
      await searched(x, y, parameters, { folds: folds ?? 5, startC: C, startEpsilon: p }, say, console);
      return;
    }
    if (folds !== undefined) {
      const kind = parameters.method.task === "regression" ? "numbers" : "classes";
      const wanted = { folds, kind, isStratified: false, isPrecomputed: false, warn: console.err } as const;
      const { told, result } = await crossValidated(x, y, wanted, async (own, labels, tested) => {
        // Packed once for the problems of all classes.
        const { file, told } = await withMatrix(own, (rows) => trained(rows, labels, parameters, console.err));
        return { values: (await outputsOf(file, tested)).values, told };
      });
      say(told);
      console.out(result);
      return;
    }
    const { file, told } = await trained(x, y, parameters, console.err);
    say(told);
    await writeModelFile(modelPath ?? `${basename(dataPath)}.model`, liblinearModelParts(file));
  });
}

/** In the original's order: of several mistakes it names the first. */
function checked(flags: Flags, solver: number): Parameters {
  const number = (letter: string, otherwise: number): number => numberOfFlag(flags, letter, otherwise);
  const method = methods[solver];
  const [eps, C, p, B] = [number("e", method?.epsilon ?? Infinity), number("c", 1), number("p", 0.1), number("B", -1)];
  const isBiasFree = flags.switches.has("R");
  refuseIf(!(eps > 0), "eps <= 0");
  refuseIf(!(C > 0), "C <= 0");
  checkCost(C, "-c");
  refuseIf(method?.type === "L2R_L2LOSS_SVR" && !(p >= 0), "p < 0");
  refuseIf(method?.task === "one class" && B >= 0, "prob->bias >=0, but this is ignored in ONECLASS_SVM");
  refuseIf(isBiasFree && B !== 1, "To not regularize bias, must specify -B 1 along with -R");
  refuseIf(
    isBiasFree && ![0, 2, 5, 6, 11].includes(solver),
    "-R option supported only for solver L2R_LR, L2R_L2LOSS_SVC, L1R_L2LOSS_SVC, L1R_LR, and L2R_L2LOSS_SVR",
  );
  if (method === undefined) throw new Refusal("ERROR: unknown solver type");
  return { method, C, p, nu: number("n", 0.5), eps, B, isBiasFree, weights: flags.weights, isQuiet: flags.switches.has("q") };
}
