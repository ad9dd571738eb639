// svm-predict: LIBSVM's prediction program by its own flags, for model files of LIBSVM.

import { readLibsvmModel } from "../../formats/libsvm-model.js";
import { formatGeneral } from "../../formats/printf.js";
import type { Console } from "../console.js";
import { prepareFor } from "../prepare.js";
import { compared } from "./evaluation.js";
import { hasFeatureZero, renumbered } from "./feature-zero.js";
import { kernelValues } from "./precomputed.js";
import { atoi, checkFiles, parseFlags, Refusal, readData, readModelFile, runProgram, writeOutput } from "./program.js";
import { predicted } from "./svm-outputs.js";

export function svmPredict(args: readonly string[], console: Console): Promise<number> {
  return runProgram("svm-predict", console, async () => {
    const flags = parseFlags(args, { valued: "b", bare: "q", weighted: false, unknown: (letter) => `Unknown option: -${letter}` });
    const [dataPath, modelPath, outPath] = flags.files;
    if (dataPath === undefined || modelPath === undefined || outPath === undefined) throw new Refusal("", true);
    await checkFiles(dataPath, outPath);
    const say = flags.switches.has("q") ? () => undefined : console.out;
    await prepareFor([dataPath, modelPath]);
    const stored = readLibsvmModel(await readModelFile(modelPath), modelPath, true);
    const hasEstimates = stored.probA !== undefined || stored.densityMarks !== undefined;
    const wanted = atoi(flags.values.get("b") ?? "0") !== 0;
    if (wanted && !hasEstimates) throw new Refusal("Model does not support probabiliy estimates");
    if (!wanted && hasEstimates) say("Model supports probability estimates, but disabled in prediction.\n");
    const isPrecomputed = stored.kernel.type === "precomputed";
    const read = await readData(dataPath, isPrecomputed || hasFeatureZero(stored) ? "always" : "taken");
    const x = isPrecomputed ? kernelValues(read.x) : read.x;
    const file = isPrecomputed || read.indexBase === 1 ? stored : renumbered(stored, 1);
    const { values, behind, head = "" } = await predicted(file, x, wanted, say);
    const lines = Array.from({ length: x.rowCount }, (_, i) => `${formatGeneral(values[i] as number, 17)}${behind?.(i) ?? ""}\n`);
    await writeOutput(outPath, head + lines.join(""));
    const isNumbers = file.type === "epsilon_svr" || file.type === "nu_svr";
    say(compared(isNumbers ? "numbers" : "classes", read.y, values, " (classification)"));
  });
}
