// liblinear-predict: LIBLINEAR's prediction program by its own flags, for model files of LIBLINEAR.

import { HingeError } from "../../base/errors.js";
import { readLiblinearModel } from "../../formats/liblinear-model.js";
import { formatGeneral } from "../../formats/printf.js";
import type { LiblinearData } from "../../model/liblinear-file.js";
import type { Console } from "../console.js";
import { compared } from "./evaluation.js";
import { outputsOf, shares } from "./liblinear-outputs.js";
import { atoi, checkFiles, parseFlags, Refusal, readData, readModelFile, runProgram, writeOutput } from "./program.js";

export function liblinearPredict(args: readonly string[], console: Console): Promise<number> {
  return runProgram("liblinear-predict", console, async () => {
    const flags = parseFlags(args, { valued: "b", bare: "q", weighted: false, unknown: (letter) => `unknown option: -${letter}` });
    const [dataPath, modelPath, outPath] = flags.files;
    if (dataPath === undefined || modelPath === undefined || outPath === undefined) throw new Refusal("", true);
    await checkFiles(dataPath, outPath);
    const file = modelIn(await readModelFile(modelPath), modelPath);
    const wantsShares = atoi(flags.values.get("b") ?? "0") !== 0;
    if (wantsShares && !["L2R_LR", "L1R_LR", "L2R_LR_DUAL"].includes(file.solverType))
      throw new Refusal("probability output is only supported for logistic regression");
    const { x, y } = await readData(dataPath, "refused");
    const outputs = await outputsOf(file, x);
    const behind = (i: number): string =>
      wantsShares
        ? shares(outputs, i, file.classCount)
            .map((share) => ` ${formatGeneral(share, 6)}`)
            .join("")
        : "";
    const lines = Array.from(outputs.values, (value, i) => `${formatGeneral(value, 17)}${behind(i)}\n`);
    await writeOutput(outPath, (wantsShares ? `labels ${file.labels?.join(" ")}\n` : "") + lines.join(""));
    const kind = file.labels === undefined && file.rho === undefined ? "numbers" : "classes";
    if (!flags.switches.has("q")) console.out(compared(kind, y, outputs.values));
  });
}

/** The original says of a file that it cannot read the same as of one that is not there; ours says why besides. */
function modelIn(bytes: Uint8Array, path: string): LiblinearData {
  try {
    return readLiblinearModel(bytes, path);
  } catch (error) {
    throw error instanceof HingeError ? new Refusal(`can't open model file ${path}\n${error.message}`) : error;
  }
}
