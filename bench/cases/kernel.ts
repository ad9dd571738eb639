// Kernel machines (rbf) beside LIBSVM's programs and scikit-learn, at a gap of 1e-3: whole commands, fits in memory, memory. One set takes minutes, because svm-train
// does: --sets and --keep run it set by set.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSvmlight } from "../../src/index.ts";
import { scikitKernel, scikitVersion } from "../contenders/scikit-kernel.ts";
import { type DataFile, firstRows } from "../data.ts";
import { raceCommands } from "../kernel-commands.ts";
import { MOST_NUMBERS, raceInMemory } from "../kernel-in-memory.ts";
import type { RaceContext } from "../kernel-race.ts";
import { type KernelSet, kernelSets, problemText } from "../kernel-sets.ts";
import { kernelSummary } from "../kernel-summary.ts";
import { kernelVerdicts } from "../kernel-verdicts.ts";
import type { Case, CaseSettings, Row } from "./case.ts";

/** With --quick: enough rows to see that everything works. */
const QUICK_ROWS = 1000;

export const kernelCase: Case = {
  name: "kernel",
  title: "Kernel machines at a gap of 1e-3",
  sets: kernelSets.map(({ data }) => data),
  async run(files, settings) {
    const rows: Row[] = [];
    for (const file of files) {
      const set = kernelSets.find(({ data }) => data === file.name) as KernelSet;
      const part = settings.quick ? firstRows(file, QUICK_ROWS) : file;
      if (part !== file) settings.used(part);
      const folder = mkdtempSync(join(tmpdir(), "hinge-bench-"));
      try {
        rows.push(...(await onSet(set, part, folder, settings)));
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
    return rows;
  },
  summary: kernelSummary,
};

async function onSet(set: KernelSet, file: DataFile, folder: string, { runs, say, commandsOnly }: CaseSettings): Promise<Row[]> {
  say(`kernel ${file.name}: ${problemText(set)}`);
  const data = await readSvmlight(file.path);
  const context: RaceContext = { set, file, runs, say, verdictOn: await kernelVerdicts(set, data, say) };
  const commands = await raceCommands(context, data, folder);
  const width = data.x.featureCount;
  if (commandsOnly || set.commandsOnly === true || data.x.rowCount * width > MOST_NUMBERS) return [...commands.rows];
  const peer = scikitVersion === undefined ? undefined : await scikitKernel(file.path, width);
  const inMemory = await raceInMemory(context, data, width, peer, commands, folder);
  peer?.end();
  return [...commands.rows, ...inMemory.rows];
}
