// What svm-train -b 1 adds to a model file of LIBSVM, and hinge's models have no place for.

import { stat } from "node:fs/promises";
import { isLibsvmFile } from "../estimators/load.js";
import { readLibsvmModel } from "../formats/libsvm-model.js";
import { readBytes } from "../runtime/runtime.js";

/** Whether the file, which can be loaded, is one of LIBSVM's with probability estimates. */
export async function holdsEstimates(path: string): Promise<boolean> {
  // It was read before, and a pipe brings what it has only once.
  if (!(await stat(path)).isFile()) return false;
  const bytes = await readBytes(path);
  if (!isLibsvmFile(bytes)) return false;
  const { probA, densityMarks } = readLibsvmModel(bytes, path);
  return probA !== undefined || densityMarks !== undefined;
}
