// The originals' programs by their names, read when they are called. Each is a command of hinge and a command of its own: `hinge svm-train …` and `hinge-svm-train …`.

import type { Console } from "../console.js";
import type { ProgramName } from "./usages.js";

export const dropIns: Readonly<Record<ProgramName, (args: readonly string[], console: Console) => Promise<number>>> = {
  "liblinear-train": async (args, console) => (await import("./liblinear-train.js")).liblinearTrain(args, console),
  "liblinear-predict": async (args, console) => (await import("./liblinear-predict.js")).liblinearPredict(args, console),
  "svm-train": async (args, console) => (await import("./svm-train.js")).svmTrain(args, console),
  "svm-predict": async (args, console) => (await import("./svm-predict.js")).svmPredict(args, console),
  "svm-scale": async (args, console) => (await import("./svm-scale.js")).svmScale(args, console),
};
