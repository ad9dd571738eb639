// File to model on disk at equal gap. LIBSVM's program only where its kind of solver makes sense: small sets, the hinge loss.

import { readSvmlight } from "../../src/index.ts";
import type { Contender, LinearProblem } from "../contenders/contender.ts";
import { liblinear } from "../contenders/liblinear.ts";
import { hinge } from "../contenders/ours.ts";
import { scikitLearn } from "../contenders/scikit-learn.ts";
import { svmTrain } from "../contenders/svm-train.ts";
import { judgesOf } from "../judge.ts";
import { type Racer, race } from "../race.ts";
import type { Case, Row } from "./case.ts";

const GAP = 1e-3;
const contenders: readonly Contender[] = [hinge(1), hinge(2), liblinear, scikitLearn, svmTrain];

export const trainCase: Case = {
  name: "train",
  title: "From file to model, at a gap of 1e-3",
  sets: ["news20b.train", "a9a.train", "phishing.train", "spambase.train"],
  async run(files, { runs, say }) {
    const rows: Row[] = [];
    for (const file of files) {
      for (const loss of ["hinge", "squared_hinge"] as const) {
        say(`train ${file.name} ${loss}`);
        rows.push(...(await raceOn({ file, loss, C: 1 }, runs)));
      }
    }
    return rows;
  },
};

async function raceOn(problem: LinearProblem, runs: number): Promise<Row[]> {
  const { x, y } = await readSvmlight(problem.file.path);
  const judgeFor = judgesOf({ x, y, loss: problem.loss, C: problem.C });
  const racers = contenders.flatMap((contender): Racer[] => {
    const { id, version, threads, form, ladder, trainLinear, suits } = contender;
    if (version === undefined || ladder === undefined || trainLinear === undefined || suits?.(problem) === false) return [];
    return [{ id, version, threads, form, ladder, train: (tolerance) => trainLinear.call(contender, problem, tolerance) }];
  });
  const figures = await race(racers, { gap: GAP, runs, ours: hinge(2).id, judgeFor });
  const measure = "file to model; every contender solves its own form of the bias and is judged by the bound of that form";
  return figures.map((figure) => ({ data: problem.file.name, loss: problem.loss, measure, ...figure }));
}
