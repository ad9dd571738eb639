// The originals' programs by their names. Each is a command of hinge and a command of its own: `hinge svm-train …` and `hinge-svm-train …`.

import type { Console } from "../console.js";
import { liblinearPredict } from "./liblinear-predict.js";
import { liblinearTrain } from "./liblinear-train.js";
import { svmPredict } from "./svm-predict.js";
import { svmScale } from "./svm-scale.js";
import { svmTrain } from "./svm-train.js";
import type { ProgramName } from "./usages.js";

export const dropIns: Readonly<Record<ProgramName, (args: readonly string[], console: Console) => Promise<number>>> = {
  "liblinear-train": liblinearTrain,
  "liblinear-predict": liblinearPredict,
  "svm-train": svmTrain,
  "svm-predict": svmPredict,
  "svm-scale": svmScale,
};
