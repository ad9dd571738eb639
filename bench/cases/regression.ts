// Linear regression: time to a gap of 1e-3, solve only, one thread, C 1, epsilon 0.1, no bias; from file to model on the largest set; and, with the options'
// defaults, what is certified when 1e-3 and 1e-6 are asked for.

import { type LabelledRows, LinearSVR, matrix, readSvmlight } from "../../src/index.ts";
import { liblinearLibrary, liblinearLibraryVersion } from "../contenders/liblinear-library.ts";
import { hingeVersion } from "../contenders/ours.ts";
import { raceSummary } from "../in-memory-race.ts";
import { type RegressionProblem, raceFiles, raceSolvers } from "../regression-race.ts";
import type { Case, Row } from "./case.ts";

const problems: readonly RegressionProblem[] = [
  { name: "tube", loss: "epsilon_insensitive", solvers: [13] },
  { name: "squared tube", loss: "squared_epsilon_insensitive", solvers: [11, 12] },
];
/** The set on which reading counts. */
const FROM_FILE = "prsa.train";

export const regressionCase: Case = {
  name: "regression",
  title: "Linear regression: time to a gap of 1e-3, one thread",
  sets: ["cadata", "cpusmall", "abalone", "kin40k", "bodyfat", "prsa", "20news"].map((name) => `${name}.train`),
  async run(files, { runs, say }) {
    const rows: Row[] = [];
    for (const file of files) {
      const read = await readSvmlight(file.path);
      const data = { ...read, x: matrix(read.x) };
      const peer = liblinearLibraryVersion === undefined ? undefined : await liblinearLibrary(data);
      for (const problem of problems) {
        say(`regression ${file.name} ${problem.name}`);
        rows.push(...(await raceSolvers(file.name, data, problem, peer, runs)));
        rows.push(...(await certified(file.name, data, problem)));
      }
      peer?.end();
      for (const problem of file.name === FROM_FILE ? problems : []) {
        say(`regression ${file.name} ${problem.name}, from file to model`);
        rows.push(...(await raceFiles(file, data, problem, runs)));
      }
    }
    return rows;
  },
  summary: (rows) =>
    raceSummary(
      rows,
      problems.map(({ name }) => name),
    ),
};

async function certified(name: string, { x, y }: LabelledRows, { loss }: RegressionProblem): Promise<Row[]> {
  const rows: Row[] = [];
  for (const tolerance of [undefined, 1e-6]) {
    const { report } = await LinearSVR.fit(x, y, { loss, ...(tolerance !== undefined && { tolerance }) });
    const { relativeGap } = report.certificate;
    rows.push({
      ...{ data: name, contender: "hinge", version: hingeVersion, measure: "certified, defaults: C 1, epsilon 0, a free bias" },
      ...{
        loss,
        asked: tolerance ?? "default, 0.001",
        gap: relativeGap,
        reached: relativeGap <= (tolerance ?? 1e-3),
        status: report.status,
      },
      ...{ seconds: report.run?.seconds.total },
    });
  }
  return rows;
}
