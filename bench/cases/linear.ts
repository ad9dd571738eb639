// Time to a gap of 1e-3, solve only, one thread, C 1, no bias: ours against LIBLINEAR's solvers of the same problem, on data in memory
// (bench/in-memory-race.ts). Where there are several classes, hence problems, ours is timed on two threads, too.

import { linearSvcOptions } from "../../src/base/options/linear-svc.ts";
import { logisticRegressionOptions } from "../../src/base/options/logistic-regression.ts";
import { linearSvcSettings } from "../../src/estimators/linear-svc.ts";
import { logisticSettings } from "../../src/estimators/logistic-regression.ts";
import { type LabelledRows, LinearClassifier, LinearSVC, type Loaded, LogisticRegression, matrix, readSvmlight } from "../../src/index.ts";
import { type InMemoryPeer, liblinearLibrary, liblinearLibraryVersion } from "../contenders/liblinear-library.ts";
import type { DataFile } from "../data.ts";
import { BOUND, raceInMemory, raceSummary } from "../in-memory-race.ts";
import { problemsJudge } from "../linear-judge.ts";
import type { Case, CaseSettings, Row } from "./case.ts";

interface Problem {
  readonly name: string;
  readonly options: object;
  readonly logistic?: boolean;
  /** LIBLINEAR's -s. */
  readonly solvers: readonly number[];
  readonly multiOnly?: boolean;
}

export const linearProblems: readonly Problem[] = [
  { name: "hinge", options: { loss: "hinge" }, solvers: [3] },
  { name: "squared hinge", options: {}, solvers: [1, 2] },
  { name: "logistic", options: { multiClass: "ovr" }, logistic: true, solvers: [0, 7] },
  { name: "Crammer-Singer", options: { loss: "hinge", multiClass: "crammer_singer" }, solvers: [4], multiOnly: true },
  { name: "l1 squared hinge", options: { penalty: "l1" }, solvers: [5] },
  { name: "l1 logistic", options: { penalty: "l1", multiClass: "ovr" }, logistic: true, solvers: [6] },
];

export const linearCase: Case = {
  name: "linear",
  title: "Linear classifiers: time to a gap of 1e-3, one thread",
  sets: ["a9a", "w8a", "news20b", "20news", "reuters-r52", "clinc150", "sst2", "kdd99", "covtype93k", "connect-4", "usps", "mnist"].map(
    (name) => `${name}.train`,
  ),
  async run(files, settings) {
    const rows: Row[] = [];
    for (const file of files) rows.push(...(await onFile(file, settings)));
    return rows;
  },
  summary: (rows) =>
    raceSummary(
      rows,
      linearProblems.map(({ name }) => name),
    ),
};

async function onFile(file: DataFile, { runs, say }: CaseSettings): Promise<Row[]> {
  const read = await readSvmlight(file.path);
  const data = { ...read, x: matrix(read.x) };
  const classCount = new Set(data.y).size;
  const peer = liblinearLibraryVersion === undefined ? undefined : await liblinearLibrary(data);
  const rows: Row[] = [];
  for (const problem of linearProblems.filter(({ multiOnly }) => classCount > 2 || !multiOnly)) {
    say(`linear ${file.name} ${problem.name}`);
    rows.push(...(await raceOn(file.name, data, problem, peer, runs)));
  }
  peer?.end();
  return rows;
}

async function raceOn(name: string, data: LabelledRows, problem: Problem, peer: InMemoryPeer | undefined, runs: number): Promise<Row[]> {
  const options = { ...problem.options, C: 1, bias: false };
  const train = (more: object): Promise<LinearClassifier> =>
    (problem.logistic ? LogisticRegression : LinearSVC).fit(data.x, data.y, { ...options, threads: 1, ...more } as object);
  const settings = problem.logistic
    ? logisticSettings(logisticRegressionOptions.check(options))
    : linearSvcSettings(linearSvcOptions.check(options));
  const { gapOf } = problemsJudge(data, settings, await train(BOUND));
  const cell = {
    data: name,
    measure: problem.name,
    options,
    train,
    solvers: problem.solvers,
    // One problem alone has nothing for a second thread.
    onTwo: new Set(data.y).size > 2 && !problem.multiOnly,
    modelOf(loaded: Loaded): LinearClassifier {
      if (!(loaded instanceof LinearClassifier)) throw new Error("not a classifier");
      return loaded;
    },
    gapOf,
  };
  return raceInMemory(cell, peer, runs);
}
