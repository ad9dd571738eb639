// Time to gap: every contender climbs its whole ladder of tolerances, and each model is judged by (P - D_best) / P. Linear problems in memory on one thread against LIBLINEAR's
// best solver; kernel machines as whole commands on two threads against svm-train -m 1000. One run a point: the shape is what they show, ratios are in the other cases.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linearSvcOptions } from "../../src/base/options/linear-svc.ts";
import { linearSvcSettings } from "../../src/estimators/linear-svc.ts";
import { type LinearClassifier, LinearSVC, load, matrix, readSvmlight } from "../../src/index.ts";
import { liblinearLibrary, liblinearLibraryVersion } from "../contenders/liblinear-library.ts";
import { hingeVersion } from "../contenders/ours.ts";
import type { DataFile } from "../data.ts";
import { hingeTrain, svmTrainKernel } from "../kernel-commands.ts";
import type { KernelRacer } from "../kernel-race.ts";
import { type KernelSet, kernelSets, problemText } from "../kernel-sets.ts";
import { kernelVerdicts } from "../kernel-verdicts.ts";
import { problemsJudge } from "../linear-judge.ts";
import type { Case, CaseSettings, Row } from "./case.ts";

const TOLERANCES = [0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5];
const THEIRS = [10, 1, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4];
const KERNEL_TOLERANCES = [0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4];
const KERNEL_THEIRS = [1, 0.1, 0.01, 1e-3, 1e-4];
/** A point that takes longer, in milliseconds, is a contender's last. */
const LONG = 20_000;
/** The fits whose dual values are the bounds. */
const BOUND = { tolerance: 1e-6, timeLimitSeconds: 60 };

const linearSets = ["a9a.train", "sst2.train", "news20b.train", "covtype93k-bin.train"];
const linearKinds = [
  { name: "hinge loss", options: { loss: "hinge", C: 1, bias: false }, solver: 3 },
  { name: "squared hinge loss", options: { loss: "squared_hinge", C: 1, bias: false }, solver: 1 },
] as const;
const machines = ["satimage.train", "pendigits.train", "letter.train", "usps.train"];

export const curvesCase: Case = {
  name: "curves",
  title: "Time to gap",
  sets: [...linearSets, ...machines],
  async run(files, settings) {
    const rows: Row[] = [];
    for (const file of files) {
      const set = kernelSets.find(({ data }) => data === file.name);
      if (linearSets.includes(file.name)) rows.push(...(await linearCurves(file, settings)));
      else if (set !== undefined) rows.push(...(await kernelCurves(set, file, settings)));
    }
    return rows;
  },
};

interface Point {
  readonly tolerance: number;
  readonly milliseconds: number;
  readonly gap: number;
}

/** Until one takes too long, or there is nothing left to gain. */
async function climbAll(ladder: readonly number[], step: (tolerance: number) => Promise<Omit<Point, "tolerance">>): Promise<Point[]> {
  const points: Point[] = [];
  for (const tolerance of ladder) {
    const point = await step(tolerance);
    points.push({ tolerance, ...point });
    if (point.milliseconds > LONG || point.gap <= 1e-5) break;
  }
  return points;
}

async function linearCurves(file: DataFile, { say, quick }: CaseSettings): Promise<Row[]> {
  const read = await readSvmlight(file.path);
  const data = { ...read, x: matrix(read.x) };
  const peer = liblinearLibraryVersion === undefined ? undefined : await liblinearLibrary(data);
  const path = join(tmpdir(), `hinge-bench-${process.pid}.model`);
  const rows: Row[] = [];
  for (const { name, options, solver } of linearKinds.slice(0, quick ? 1 : undefined)) {
    say(`curves ${file.name} ${name}`);
    const train = (more: object): Promise<LinearClassifier> => LinearSVC.fit(data.x, data.y, { ...options, threads: 1, ...more });
    const { gapOf } = problemsJudge(data, linearSvcSettings(linearSvcOptions.check(options)), await train(BOUND));
    await train({ tolerance: 0.1 }); // compiled on the way
    const common = { data: file.name, measure: "linear, solve only, one thread", problem: `${name}, C 1, no bias` };
    const ours = await climbAll(TOLERANCES, async (tolerance) => {
      const model = await train({ tolerance });
      const { total, certify } = model.report.run?.seconds ?? { total: Number.NaN, certify: 0 };
      return { milliseconds: 1000 * (total - certify), gap: gapOf(model) };
    });
    rows.push({ ...common, contender: "hinge", version: hingeVersion, points: ours });
    if (peer === undefined) continue;
    const theirs = await climbAll(THEIRS, async (tolerance) => {
      const milliseconds = await peer.train(solver, 1, tolerance, path);
      return { milliseconds, gap: milliseconds === Infinity ? Infinity : gapOf((await load(path)) as LinearClassifier) };
    });
    rows.push({ ...common, contender: `liblinear -s ${solver}`, version: liblinearLibraryVersion, points: theirs });
  }
  rmSync(path, { force: true });
  peer?.end();
  return rows;
}

async function kernelCurves(set: KernelSet, file: DataFile, { say }: CaseSettings): Promise<Row[]> {
  say(`curves ${file.name}: ${problemText(set)}`);
  const folder = mkdtempSync(join(tmpdir(), "hinge-bench-"));
  try {
    const verdictOn = await kernelVerdicts(set, await readSvmlight(file.path), say);
    const climbed = async (racer: KernelRacer, ladder: readonly number[]): Promise<Row> => {
      const points = await climbAll(ladder, async (tolerance) => {
        const { milliseconds, model } = await racer.train(tolerance);
        return { milliseconds, gap: model === undefined ? Infinity : (await verdictOn(model)).gap };
      });
      const measure = "kernel machines, whole command, two threads of ours";
      return { data: file.name, measure, problem: problemText(set), contender: racer.id, version: racer.version, points };
    };
    const peer = svmTrainKernel(set, file.path, folder);
    const rows = [await climbed(hingeTrain(set, file.path, folder, 2), KERNEL_TOLERANCES)];
    if (peer !== undefined) rows.push(await climbed(peer, KERNEL_THEIRS));
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
