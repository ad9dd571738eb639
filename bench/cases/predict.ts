// Predictions of kernel machines beside svm-predict and scikit-learn, on the test parts of the sets of the case "kernel": whole commands, and in memory. The model is what hinge train writes at its
// default tolerance; scikit-learn predicts with one that it fitted itself at its own.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSvmlight } from "../../src/index.ts";
import { scikitKernel, scikitVersion } from "../contenders/scikit-kernel.ts";
import { type DataFile, firstRows, namedSet } from "../data.ts";
import { hingeTrain } from "../kernel-commands.ts";
import { MOST_NUMBERS } from "../kernel-in-memory.ts";
import { racePredictions } from "../kernel-prediction.ts";
import { type KernelSet, kernelSets, problemText } from "../kernel-sets.ts";
import { predictionSummary } from "../kernel-summary.ts";
import type { Case, CaseSettings, Row } from "./case.ts";

const TOLERANCE = 1e-3;
/** With --quick: enough rows to see that everything works. */
const QUICK_ROWS = 1000;

export const predictCase: Case = {
  name: "predict",
  title: "Predictions of kernel machines",
  sets: kernelSets.flatMap(({ data, test }) => (test === undefined ? [] : [data])),
  async run(files, settings) {
    const rows: Row[] = [];
    for (const file of files) {
      const set = kernelSets.find(({ data }) => data === file.name) as KernelSet;
      const test = namedSet(settings.folder, set.test as string);
      if (test === undefined) continue;
      settings.used(test);
      const part = settings.quick ? firstRows(file, QUICK_ROWS) : file;
      if (part !== file) settings.used(part);
      const folder = mkdtempSync(join(tmpdir(), "hinge-bench-"));
      try {
        rows.push(...(await onSet(set, part, test, folder, settings)));
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
    return rows;
  },
  summary: predictionSummary,
};

async function onSet(set: KernelSet, file: DataFile, test: DataFile, folder: string, { runs, say }: CaseSettings): Promise<Row[]> {
  say(`predict ${test.name}: ${problemText(set)}`);
  await hingeTrain(set, file.path, folder, 2).train(TOLERANCE);
  const [{ x }, unseen] = [await readSvmlight(file.path), await readSvmlight(test.path)];
  const width = Math.max(x.featureCount, unseen.x.featureCount);
  const isDense = scikitVersion !== undefined && set.commandsOnly !== true && x.rowCount * width <= MOST_NUMBERS;
  const peer = isDense ? await scikitKernel(file.path, width, test.path) : undefined;
  await peer?.fit(set, TOLERANCE);
  try {
    return await racePredictions({ set, data: file.name, test, ...unseen, width, runs, folder }, peer);
  } finally {
    peer?.end();
  }
}
