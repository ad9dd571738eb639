// Predictions of a kernel machine: hinge predict and svm-predict, whole commands with the same model file; predict of ours and of scikit-learn on dense rows in memory.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type LabelledRows, meanSquaredError, SVC, SVR } from "../src/index.ts";
import type { Row } from "./cases/case.ts";
import { hasProgram, runCommand } from "./command.ts";
import { hingeVersion } from "./contenders/ours.ts";
import { type ScikitKernel, scikitVersion } from "./contenders/scikit-kernel.ts";
import { svmTrain } from "./contenders/svm-train.ts";
import type { DataFile } from "./data.ts";
import { ourModelPath } from "./kernel-commands.ts";
import { flatRows } from "./kernel-in-memory.ts";
import { loadKernel } from "./kernel-judge.ts";
import type { KernelSet } from "./kernel-sets.ts";
import { alternate, ratioOf, type Spread } from "./protocol.ts";

interface Predictor {
  readonly id: string;
  readonly version: string | undefined;
  readonly threads: number;
  readonly flags: string;
  readonly isOurs: boolean;
  /** Milliseconds, and the labels. */
  run(): Promise<{ milliseconds: number; labels: ArrayLike<number> }>;
}

export interface Predicting extends LabelledRows {
  readonly set: KernelSet;
  /** What the model was fitted to. */
  readonly data: string;
  /** The rows to predict: their file; x and y are what it holds. */
  readonly test: DataFile;
  readonly width: number;
  readonly runs: number;
  /** Where the model of the last hinge train is. */
  readonly folder: string;
}

/** `peer` must have fitted its model before. */
export async function racePredictions(predicting: Predicting, peer: ScikitKernel | undefined): Promise<Row[]> {
  const { test, x, width, folder } = predicting;
  const modelPath = ourModelPath(folder);
  const model = await loadKernel(modelPath);
  if (!(model instanceof SVC || model instanceof SVR)) throw new Error(`no predictions of ${modelPath}`);
  const rows = flatRows(x, width);
  const out = join(folder, "labels.txt");
  const labelsIn = (): Float64Array => Float64Array.from(readFileSync(out, "utf8").trim().split("\n"), Number);
  const command = async (program: string, args: readonly string[]) => {
    const { milliseconds } = await runCommand(program, args);
    return { milliseconds, labels: labelsIn() };
  };
  const hinge = (threads: number): Predictor => ({
    id: `hinge predict, ${threads} ${threads === 1 ? "thread" : "threads"}`,
    version: hingeVersion,
    threads,
    flags: `hinge predict data model out --threads ${threads}`,
    isOurs: true,
    run: () => command(process.execPath, ["bin/hinge.js", "predict", test.path, modelPath, out, "--threads", String(threads)]),
  });
  const inMemory = (threads: number): Predictor => ({
    id: `${model instanceof SVC ? "SVC" : "SVR"} predict, ${threads} ${threads === 1 ? "thread" : "threads"}`,
    version: hingeVersion,
    threads,
    flags: `model.predict(rows, { threads: ${threads} })`,
    isOurs: true,
    async run() {
      const started = performance.now();
      const labels = (await model.predict(rows, { threads })) as ArrayLike<number>;
      return { milliseconds: performance.now() - started, labels };
    },
  });
  const svmPredict: Predictor = {
    ...{ id: "svm-predict", version: svmTrain.version, threads: 1, flags: "svm-predict data model out", isOurs: false },
    run: () => command("svm-predict", [test.path, modelPath, out]),
  };
  const scikit: Predictor | undefined = peer && {
    ...{ id: "scikit-learn predict", version: scikitVersion, threads: 1, flags: "model.predict(x), its own model", isOurs: false },
    async run() {
      const milliseconds = await peer.predict(out);
      return { milliseconds, labels: labelsIn() };
    },
  };
  const common = { predicting, supportVectors: model.supportVectors.count };
  return [
    ...(await raced(
      { ...common, measure: "prediction, whole command: test rows and model read, labels written", part: "prediction by command" },
      [hinge(2), hinge(1), ...(hasProgram("svm-predict") ? [svmPredict] : [])],
    )),
    ...(await raced(
      {
        ...common,
        measure: "prediction in memory, dense rows: ours of a flat Float32Array, its packing in the time",
        part: "prediction in memory",
      },
      [inMemory(2), inMemory(1), ...(scikit === undefined ? [] : [scikit])],
    )),
  ];
}

interface Race {
  readonly predicting: Predicting;
  readonly supportVectors: number;
  readonly measure: string;
  readonly part: string;
}

async function raced({ predicting, supportVectors, measure, part }: Race, predictors: readonly Predictor[]): Promise<Row[]> {
  const { set, data, test, y, runs } = predicting;
  const labels = new Map<string, ArrayLike<number>>();
  const times: Readonly<Record<string, Spread>> = await alternate<string>(
    Object.fromEntries(
      predictors.map(({ id, run }) => [
        id,
        async () => {
          const ran = await run();
          labels.set(id, ran.labels);
          return ran.milliseconds;
        },
      ]),
    ),
    runs,
  );
  const first = labels.get(predictors[0]?.id ?? "") as ArrayLike<number>;
  const peer = predictors.find(({ isOurs }) => !isOurs);
  return predictors.map(({ id, version, threads, flags, isOurs }) => {
    const own = labels.get(id) as ArrayLike<number>;
    return {
      data,
      measure,
      part,
      predicted: `${test.name}, ${y.length} rows`,
      contender: id,
      version,
      threads,
      flags,
      // scikit-learn predicts with the model that it fitted itself.
      ...(peer === undefined || !id.startsWith("scikit") ? { supportVectors } : {}),
      ...(set.tube === undefined
        ? { accuracy: shareOf(y.length, (i) => own[i] === y[i]) }
        : { meanSquaredError: meanSquaredError(y, Float64Array.from(own)) }),
      // Of numbers: no further from ours than the tube is wide.
      asOurs: shareOf(y.length, (i) => Math.abs((own[i] as number) - (first[i] as number)) <= (set.tube ?? 0)),
      ...(times[id] as Spread),
      ...(isOurs && peer !== undefined && { peerOverOurs: ratioOf(times[peer.id] as Spread, times[id] as Spread) }),
    };
  });
}

function shareOf(count: number, holds: (i: number) => boolean): number {
  let held = 0;
  for (let i = 0; i < count; i++) if (holds(i)) held++;
  return held / count;
}
