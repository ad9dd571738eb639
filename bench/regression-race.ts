// Linear regression, ours against LIBLINEAR at equal gap: solve only, on data in memory, and from file to model by the two programs.

import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linearSvrOptions } from "../src/base/options/linear-svr.ts";
import { certifyRegression } from "../src/certify/regression.ts";
import { poseRegression } from "../src/estimators/regression-problem.ts";
import { type LabelledRows, LinearSVR, type Loaded } from "../src/index.ts";
import type { Row } from "./cases/case.ts";
import { debianVersion, hasProgram, runCommand } from "./command.ts";
import type { InMemoryPeer } from "./contenders/liblinear-library.ts";
import { hingeVersion } from "./contenders/ours.ts";
import type { DataFile } from "./data.ts";
import { BOUND, raceInMemory } from "./in-memory-race.ts";
import { type Racer, race } from "./race.ts";

export interface RegressionProblem {
  readonly name: string;
  readonly loss: "epsilon_insensitive" | "squared_epsilon_insensitive";
  /** LIBLINEAR's -s. */
  readonly solvers: readonly number[];
}

const OPTIONS = { C: 1, epsilon: 0.1, bias: false } as const;
const GAP = 1e-3;

/** Judges any weights of one problem by P - D_best. */
async function judgeOf({ x, y }: LabelledRows, { loss }: RegressionProblem): Promise<(weights: Float64Array) => number> {
  const options = { ...OPTIONS, loss };
  const { problem } = poseRegression(x.rowCount, y, linearSvrOptions.check(options));
  const { dual } = (await LinearSVR.fit(x, y, { ...options, ...BOUND })).report.certificate;
  return (weights) => {
    const w = new Float64Array(x.featureCount);
    w.set(weights.subarray(0, w.length));
    const { primal } = certifyRegression(x, problem, { w, bias: 0, beta: undefined });
    return (primal - dual) / primal;
  };
}

export async function raceSolvers(
  name: string,
  data: LabelledRows,
  problem: RegressionProblem,
  peer: InMemoryPeer | undefined,
  runs: number,
): Promise<Row[]> {
  const options = { ...OPTIONS, loss: problem.loss };
  const gapOf = await judgeOf(data, problem);
  const cell = {
    data: name,
    measure: problem.name,
    options,
    train: (more: object): Promise<LinearSVR> => LinearSVR.fit(data.x, data.y, { ...options, threads: 1, ...more }),
    solvers: problem.solvers,
    onTwo: false,
    modelOf(loaded: Loaded): LinearSVR {
      if (!(loaded instanceof LinearSVR)) throw new Error("not a regression");
      return loaded;
    },
    gapOf: ({ coefficients }: LinearSVR): number => gapOf(coefficients),
  };
  return raceInMemory(cell, peer, runs);
}

/** Whole commands: reading, solving, writing the model. */
export async function raceFiles(file: DataFile, data: LabelledRows, problem: RegressionProblem, runs: number): Promise<Row[]> {
  const gapOf = await judgeOf(data, problem);
  const peers = hasProgram("liblinear-train") ? problem.solvers.map((solver) => liblinear(file, solver)) : [];
  const figures = await race([hinge(file, problem), ...peers], {
    gap: GAP,
    runs,
    ours: "hinge train",
    judgeFor: async () => ({ judge: (w) => ({ gap: gapOf(w) }) }),
  });
  return figures.map((figure) => ({ data: file.name, loss: problem.loss, measure: "file to model, whole commands", ...figure }));
}

const modelPath = join(tmpdir(), `hinge-bench-${process.pid}.model`);

function hinge({ path }: DataFile, { loss }: RegressionProblem): Racer {
  return {
    ...{ id: "hinge train", version: hingeVersion, threads: 2, form: "none" as const, ladder: [0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3] },
    async train(tolerance) {
      const { C, epsilon, bias } = OPTIONS;
      const flags = [
        "--loss",
        loss,
        "--c",
        `${C}`,
        "--epsilon",
        `${epsilon}`,
        "--bias",
        `${bias}`,
        "--tolerance",
        `${tolerance}`,
        "--threads",
        "2",
      ];
      const { milliseconds, peakBytes } = await runCommand(process.execPath, [
        ...["bin/hinge.js", "train", path, modelPath, "--estimator", "linear-svr"],
        ...flags,
      ]);
      return { milliseconds, peakBytes, ...weightsOf(modelPath), flags: `hinge train --estimator linear-svr ${flags.join(" ")}` };
    },
  };
}

function liblinear({ path }: DataFile, solver: number): Racer {
  return {
    ...{ id: `liblinear-train -s ${solver}`, version: debianVersion("liblinear-tools"), threads: 1, form: "none" as const },
    ladder: [10, 3, 1, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5],
    async train(tolerance) {
      const flags = ["-s", `${solver}`, "-c", `${OPTIONS.C}`, "-p", `${OPTIONS.epsilon}`, "-e", `${tolerance}`, "-q"];
      const { milliseconds, peakBytes } = await runCommand("liblinear-train", [...flags, path, modelPath]);
      return { milliseconds, peakBytes, ...weightsOf(modelPath), flags: `liblinear-train ${flags.join(" ")}` };
    },
  };
}

/** Both programs write LIBLINEAR's file. */
function weightsOf(path: string): { w: Float64Array; bias: number } {
  const [, body = ""] = readFileSync(path, "utf8").split(/^w$/m);
  return { w: Float64Array.from(body.trim().split(/\s+/), Number), bias: 0 };
}
