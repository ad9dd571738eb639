// Texts and probabilities: the README's example as a whole command, the vectoriser in memory, and the log loss of calibrated models, all against scikit-learn.

import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { raceCalibration } from "../calibration-race.ts";
import { runCommand } from "../command.ts";
import { hingeVersion } from "../contenders/ours.ts";
import { PYTHON, scikitLearn } from "../contenders/scikit-learn.ts";
import { alternate, ratioOf } from "../protocol.ts";
import { raceVectorizers } from "../vectorizer-race.ts";
import type { Case, Row } from "./case.ts";

/** Those with classes and a test part. */
const sets =
  "20news a9a banking77 clinc150 connect-4 covtype93k covtype93k-bin dna kdd99 letter madelon mushrooms news20b pendigits phishing reuters-r52 satimage shuttle smsspam spambase splice sst2 usps";
const RAW = "20news-raw";

export const textCase: Case = {
  name: "text",
  title: "Texts and probabilities",
  sets: [RAW, ...sets.split(" ").flatMap((name) => [`${name}.train`, `${name}.test`])],
  async run(files, { runs, quick, say }) {
    const scratch = mkdtempSync(join(tmpdir(), "hinge-bench-"));
    const rows: Row[] = [];
    try {
      for (const file of files) {
        say(`text ${file.name}`);
        if (file.name === RAW) {
          rows.push(...(await raceExamples(file.path, runs)));
          rows.push(...(await raceVectorizers(join(file.path, "20news-bydate-train"), scratch, runs, quick ? 1 : undefined)));
        }
        const test = files.find(({ name }) => name === file.name.replace(/\.train$/, ".test"));
        if (file.name.endsWith(".train") && test !== undefined) rows.push(...(await raceCalibration(file, test, scratch)));
      }
    } finally {
      rmSync(scratch, { recursive: true });
    }
    return rows;
  },
  summary(rows) {
    const judged = rows.filter(({ isAsAsked }) => isAsAsked !== undefined);
    if (judged.length === 0) return [];
    const within = judged.filter(({ isAsAsked }) => isAsAsked === true).length;
    const data = `${judged.length} sets and methods`;
    return [{ data, contender: "hinge over scikit-learn", measure: "log loss at most 1 % or 0.002 above", within, ofAll: judged.length }];
  },
};

async function raceExamples(root: string, runs: number): Promise<Row[]> {
  const folders = ["train", "test"].map((part) => join(root, `20news-bydate-${part}`));
  const contenders = [
    {
      id: `hinge, ${availableParallelism()} threads`,
      version: hingeVersion,
      program: process.execPath,
      args: ["bench/text-ours.js", ...folders],
    },
    { id: "scikit-learn", version: scikitLearn.version, program: PYTHON, args: ["bench/contenders/scikit_text.py", ...folders] },
  ].filter(({ version }) => version !== undefined);
  const accuracies = new Map<string, number>();
  const timed = Object.fromEntries(
    contenders.map(({ id, program, args }) => [
      id,
      async (): Promise<number> => {
        const { milliseconds, stdout } = await runCommand(program, args);
        accuracies.set(id, Number(stdout));
        return milliseconds;
      },
    ]),
  );
  const times = await alternate<string>(timed, runs);
  const [first] = contenders.map(({ id }) => times[id]);
  return contenders.map(({ id, version, args }, k) => {
    const own = times[id];
    return {
      data: RAW,
      measure: "the README's example as a whole command: files of texts to the accuracy on the test part",
      contender: id,
      version,
      flags: args[0],
      accuracy: accuracies.get(id),
      ...own,
      ...(k > 0 && own !== undefined && first !== undefined && { timesOurs: ratioOf(own, first) }),
    };
  });
}
