// Linear regression: time to a gap of 1e-3, solve only, one thread, C 1, epsilon 0.1, no bias, ours against LIBLINEAR's solvers of the same problem, on data
// in memory (bench/in-memory-race.ts).

import { linearSvrOptions } from "../../src/base/options/linear-svr.ts";
import { certifyRegression } from "../../src/certify/regression.ts";
import { poseRegression } from "../../src/estimators/regression-problem.ts";
import { LinearSVR, type Loaded, matrix, readSvmlight } from "../../src/index.ts";
import { liblinearLibrary, liblinearLibraryVersion } from "../contenders/liblinear-library.ts";
import { BOUND, raceInMemory, raceSummary } from "../in-memory-race.ts";
import type { Case, Row } from "./case.ts";

const problems = [
  { name: "tube", loss: "epsilon_insensitive", solvers: [13] },
  { name: "squared tube", loss: "squared_epsilon_insensitive", solvers: [11, 12] },
] as const;

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
      for (const { name, loss, solvers } of problems) {
        say(`regression ${file.name} ${name}`);
        const options = { loss, C: 1, epsilon: 0.1, bias: false } as const;
        const train = (more: object): Promise<LinearSVR> => LinearSVR.fit(data.x, data.y, { ...options, threads: 1, ...more });
        const { problem } = poseRegression(data.x.rowCount, data.y, linearSvrOptions.check(options));
        const bound = (await train(BOUND)).report.certificate?.dual ?? Number.NaN;
        const cell = {
          data: file.name,
          measure: name,
          options,
          train,
          solvers,
          onTwo: false,
          modelOf(loaded: Loaded): LinearSVR {
            if (!(loaded instanceof LinearSVR)) throw new Error("not a regression");
            return loaded;
          },
          gapOf({ coefficients }: LinearSVR): number {
            const w = new Float64Array(data.x.featureCount);
            w.set(coefficients);
            const { primal } = certifyRegression(data.x, problem, { w, bias: 0, beta: undefined });
            return (primal - bound) / primal;
          },
        };
        rows.push(...(await raceInMemory(cell, peer, runs)));
      }
      peer?.end();
    }
    return rows;
  },
  summary: (rows) =>
    raceSummary(
      rows,
      problems.map(({ name }) => name),
    ),
};
