// LIBSVM's own program, from Debian. Single-threaded.

import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readLibsvmModel } from "../../src/formats/libsvm-model.ts";
import { kernelConstants, type LibsvmData, type LibsvmKernel, libsvmKernels } from "../../src/model/libsvm-file.ts";
import { type CommandRun, debianVersion, hasProgram, runCommand } from "../command.ts";
import type { Contender } from "./contender.ts";

const modelPath = join(tmpdir(), `hinge-bench-${process.pid}.libsvm`);

export interface SvmTrainSettings {
  readonly kernel: LibsvmKernel;
  readonly C: number;
  /** Its -e: the largest violation of the optimality conditions. */
  readonly tolerance: number;
  /** Its -p; with it a regression is fitted, else classes are. */
  readonly tube?: number;
  /** Its -m; 100 if not given, as by default. */
  readonly cacheMebibytes?: number;
}

/** The flags that say this. */
export function svmTrainFlags({ kernel, C, tolerance, tube, cacheMebibytes = 100 }: SvmTrainSettings): string[] {
  const letters = { degree: "-d", gamma: "-g", coef0: "-r" } as const;
  const constants = kernel as Partial<Record<keyof typeof letters, number>>;
  return [
    ...["-s", tube === undefined ? "0" : "3", "-t", String(libsvmKernels.indexOf(kernel.type))],
    ...kernelConstants[kernel.type].flatMap((name) => [letters[name], String(constants[name])]),
    ...(tube === undefined ? [] : ["-p", String(tube)]),
    ...["-c", String(C), "-e", String(tolerance), "-m", String(cacheMebibytes), "-q"],
  ];
}

/** File to model file, and what the model file holds. */
export async function runSvmTrain(path: string, settings: SvmTrainSettings): Promise<CommandRun & { flags: string; model: LibsvmData }> {
  const flags = svmTrainFlags(settings);
  const run = await runCommand("svm-train", [...flags, path, modelPath]);
  return { ...run, flags: `svm-train ${flags.join(" ")}`, model: readLibsvmModel(readFileSync(modelPath), modelPath) };
}

export const svmTrain: Contender = {
  id: "svm-train",
  version: hasProgram("svm-train") ? debianVersion("libsvm-tools") : undefined,
  threads: 1,
  form: "unregularised",
};
