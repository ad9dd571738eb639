// Kernel machines from file to model on disk: hinge train against svm-train -m 1000, and what hinge train needs of memory.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LabelledRows } from "../src/index.ts";
import type { Row } from "./cases/case.ts";
import { hasProgram, runCommand } from "./command.ts";
import { hingeVersion } from "./contenders/ours.ts";
import { svmTrain, svmTrainFlags } from "./contenders/svm-train.ts";
import { type KernelRacer, type RaceContext, type RaceResult, raceKernel } from "./kernel-race.ts";
import { type KernelSet, problemText } from "./kernel-sets.ts";
import { type Spread, spreadBy, spreadOf } from "./protocol.ts";

const MEASURE =
  "whole command, file to model: hinge train and svm-train, 1000 MiB for kernel rows each, at a gap of 1e-3 by P - D_best, worst pair of classes";
export const AT_DEFAULT = "whole command, as above, at the gap that svm-train comes to with its default -e 0.001";
const SVM_TRAIN_DEFAULT = 1e-3;
const OURS_FIRST = 3e-3;
/** For kernel rows, of both. */
const CACHE_MEBIBYTES = 1000;
const MEBIBYTE = 2 ** 20;

/** The model that hinge train writes, in LIBSVM's format. */
export function ourModelPath(folder: string): string {
  return join(folder, "ours.model");
}

function estimatorFlags({ C, gamma, tube }: KernelSet): string[] {
  const own = tube === undefined ? ["--estimator", "svc"] : ["--estimator", "svr", "--epsilon", String(tube)];
  return [...own, "--c", String(C), "--gamma", String(gamma)];
}

/** What is known of the memory of one command. */
interface Footprint {
  readonly peakBytes: number[];
  wasmBytes: number;
}

export function hingeTrain(
  set: KernelSet,
  path: string,
  folder: string,
  threads: number,
  footprint: Footprint = { peakBytes: [], wasmBytes: 0 },
): KernelRacer {
  const model = ourModelPath(folder);
  const flagsAt = (tolerance: number): string[] => [
    ...estimatorFlags(set),
    ...["--tolerance", String(tolerance), "--threads", String(threads), "--cache-bytes", String(CACHE_MEBIBYTES * MEBIBYTE), "--json"],
  ];
  return {
    id: `hinge train, ${threads} ${threads === 1 ? "thread" : "threads"}`,
    version: hingeVersion,
    threads,
    start: OURS_FIRST,
    flags: (tolerance) => `hinge train ${flagsAt(tolerance).join(" ")}`,
    async train(tolerance) {
      const { milliseconds, peakBytes, stdout } = await runCommand(process.execPath, [
        ...["bin/hinge.js", "train", path, model],
        ...flagsAt(tolerance),
      ]);
      footprint.peakBytes.push(peakBytes);
      footprint.wasmBytes = Math.max(footprint.wasmBytes, (JSON.parse(stdout) as { run: { memoryBytes: number } }).run.memoryBytes);
      return { milliseconds, model };
    },
  };
}

export function svmTrainKernel({ C, gamma, tube, peerStart }: KernelSet, path: string, folder: string): KernelRacer | undefined {
  if (!hasProgram("svm-train")) return undefined;
  const model = join(folder, "theirs.model");
  const flagsAt = (tolerance: number): string[] =>
    svmTrainFlags({ kernel: { type: "rbf", gamma }, C, tolerance, cacheMebibytes: CACHE_MEBIBYTES, ...(tube !== undefined && { tube }) });
  return {
    id: "svm-train",
    version: svmTrain.version,
    threads: 1,
    start: peerStart,
    flags: (tolerance) => `svm-train ${flagsAt(tolerance).join(" ")}`,
    train: async (tolerance) => ({ ...(await runCommand("svm-train", [...flagsAt(tolerance), path, model])), model }),
  };
}

export async function raceCommands(context: RaceContext, rows: LabelledRows, folder: string): Promise<RaceResult> {
  const { set, file } = context;
  const [two, one]: [Footprint, Footprint] = [
    { peakBytes: [], wasmBytes: 0 },
    { peakBytes: [], wasmBytes: 0 },
  ];
  const ours = [hingeTrain(set, file.path, folder, 2, two), hingeTrain(set, file.path, folder, 1, one)] as const;
  const peer = svmTrainKernel(set, file.path, folder);
  const result = await raceKernel(context, { measure: MEASURE, part: "", ours, peer });
  const usual = await raceKernel(context, { measure: AT_DEFAULT, part: "-e 0.001", ours, peer, peerTolerance: SVM_TRAIN_DEFAULT });
  const nodeStart = await nodeAlone();
  const raced = result.rows.map((row) => (row.contender === "svm-train" ? row : { ...row, nodeAloneMilliseconds: nodeStart.median }));
  const memory: Row[] = [];
  for (const [racer, footprint] of [[ours[0], two] as const, [ours[1], one] as const]) {
    memory.push(await memoryRow(context, rows, folder, racer, result.tolerance, footprint));
  }
  return { ...result, rows: [...raced, ...usual.rows, ...memory] };
}

/** What Node itself needs to start and end. */
async function nodeAlone(): Promise<Spread> {
  const list: number[] = [];
  for (let k = 0; k < 5; k++) list.push((await runCommand(process.execPath, ["-e", "0"])).milliseconds);
  return spreadOf(list);
}

const ALLOWED_BESIDES = 64;

/** Peaks of all runs of a command, beside what an idle one has: the same command on four rows, with its pool started. */
async function memoryRow(
  { set, file }: RaceContext,
  { x }: LabelledRows,
  folder: string,
  racer: KernelRacer,
  tolerance: number,
  { peakBytes, wasmBytes }: Footprint,
): Promise<Row> {
  const few = join(folder, "few.svm");
  writeFileSync(few, "1 1:1\n-1 2:1\n1 1:1 2:0.5\n-1 1:0.5 2:1\n");
  const idle = await runCommand(process.execPath, [
    ...["bin/hinge.js", "train", few, join(folder, "few.model"), ...estimatorFlags(set)],
    ...["--threads", String(racer.threads)],
  ]);
  // Values and their features, where rows begin, labels.
  const dataMebibytes = (8 * x.valueCount + 4 * (x.rowCount + 1) + 8 * x.rowCount) / MEBIBYTE;
  const aboveIdle = spreadBy(peakBytes, (bytes) => (bytes - idle.peakBytes) / MEBIBYTE);
  const allowed = CACHE_MEBIBYTES + dataMebibytes + ALLOWED_BESIDES;
  return {
    data: file.name,
    measure:
      "memory of hinge train, MiB: peak resident size above that of the same command on four rows, which has its pool started, beside cacheBytes + data + 64 MiB; all runs",
    problem: problemText(set),
    contender: racer.id,
    version: racer.version,
    threads: racer.threads,
    flags: racer.flags(tolerance),
    peakMebibytes: spreadBy(peakBytes, (bytes) => bytes / MEBIBYTE),
    idleMebibytes: idle.peakBytes / MEBIBYTE,
    aboveIdle,
    allowed,
    within: aboveIdle.most <= allowed,
    dataMebibytes,
    wasmMebibytes: wasmBytes / MEBIBYTE,
  };
}
