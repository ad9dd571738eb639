// LIBSVM's own program, from Debian. Single-threaded.

import { kernelConstants, type LibsvmKernel, libsvmKernels } from "../../src/model/libsvm-file.ts";
import { debianVersion, hasProgram } from "../command.ts";
import type { Contender } from "./contender.ts";

interface SvmTrainSettings {
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

export const svmTrain: Contender = {
  id: "svm-train",
  version: hasProgram("svm-train") ? debianVersion("libsvm-tools") : undefined,
  threads: 1,
  form: "unregularised",
};
