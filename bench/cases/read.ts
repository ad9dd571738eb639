// Reading svmlight files: whole commands against the peers, and inside a process with 1 and 2 threads.

import { readSvmlight } from "../../src/index.ts";
import { liblinear } from "../contenders/liblinear.ts";
import { hinge, hingeVersion, idleNode } from "../contenders/ours.ts";
import { scikitLearn } from "../contenders/scikit-learn.ts";
import { type DataFile, generatedSet } from "../data.ts";
import { alternate, growth, ratioOf, type Spread, spreadBy, spreadOf } from "../protocol.ts";
import type { Case, CaseSettings, Row } from "./case.ts";

export const readCase: Case = {
  name: "read",
  title: "Reading svmlight files",
  sets: ["news20b.train", "kdd99.train", "prsa.train", "usps.train", "mnist.train", "20news.train"],
  async run(files, { runs, quick, say, used }) {
    const rows: Row[] = [];
    const idle = await idleNode();
    for (const file of files) {
      say(`read ${file.name}`);
      rows.push(...(await wholeCommands(file, runs, idle.peakBytes)), await insideProcess(file, runs));
    }
    rows.push(await growthRow(runs, quick, say, used));
    return rows;
  },
};

async function wholeCommands(file: DataFile, runs: number, idleBytes: number): Promise<Row[]> {
  const contenders = [hinge(1), hinge(2), liblinear, scikitLearn].filter(({ version }) => version !== undefined);
  const peaks = new Map<string, number[]>();
  const times = await alternate(
    Object.fromEntries(
      contenders.map(({ id, read }) => [
        id,
        async () => {
          const { milliseconds, peakBytes } = (await read?.(file)) ?? { milliseconds: Number.NaN, peakBytes: Number.NaN };
          peaks.set(id, [...(peaks.get(id) ?? []), peakBytes]);
          return milliseconds;
        },
      ]),
    ),
    runs,
  );
  const { x } = await readSvmlight(file.path);
  const matrixBytes = 8 * x.valueCount + 4 * (x.rowCount + 1) + 8 * x.rowCount;
  return contenders.map(({ id, version, threads, readFlags }) => {
    const [own, ours] = [times[id] as Spread, times[hinge(2).id] as Spread];
    const peakBytes = (peaks.get(id) ?? []).slice(1); // the first is the warm-up's
    const beyond = spreadBy(peakBytes, (bytes) => (bytes - idleBytes - matrixBytes) / 2 ** 20);
    return {
      data: file.name,
      contender: id,
      version,
      flags: readFlags,
      threads,
      measure: "whole command",
      ...own,
      megabytesPerSecond: spreadBy(own.runs, (milliseconds) => file.bytes / 1e3 / milliseconds),
      timesOurs: own === ours ? undefined : ratioOf(own, ours),
      peakMebibytes: spreadBy(peakBytes, (bytes) => bytes / 2 ** 20),
      beyondMatrixMebibytes: id.startsWith("hinge") ? beyond : undefined,
    };
  });
}

async function insideProcess(file: DataFile, runs: number): Promise<Row> {
  const timed = (threads: number) => async () => {
    const started = performance.now();
    await readSvmlight(file.path, { threads });
    return performance.now() - started;
  };
  const times = await alternate({ one: timed(1), two: timed(2) }, runs);
  return {
    data: file.name,
    contender: "hinge",
    measure: "inside a process, MB/s with 1 and 2 threads",
    version: hingeVersion,
    oneThread: spreadBy(times.one.runs, (milliseconds) => file.bytes / 1e3 / milliseconds),
    twoThreads: spreadBy(times.two.runs, (milliseconds) => file.bytes / 1e3 / milliseconds),
  };
}

/** Time over size, from 1 to 100 MB of generated text. */
async function growthRow(runs: number, quick: boolean, say: CaseSettings["say"], used: CaseSettings["used"]): Promise<Row> {
  const points: { bytes: number; milliseconds: Spread }[] = [];
  for (const rowCount of [1000, 3000, 10_000, 30_000, 100_000].slice(0, quick ? 3 : undefined)) {
    const file = generatedSet(rowCount, 50_000, 100);
    say(`read ${file.name}`);
    used(file);
    const list: number[] = [];
    for (let k = -1; k < runs; k++) {
      const started = performance.now();
      await readSvmlight(file.path, { threads: 2 });
      if (k >= 0) list.push(performance.now() - started);
    }
    points.push({ bytes: file.bytes, milliseconds: spreadOf(list) });
  }
  const { exponent, error } = growth(points.map(({ bytes, milliseconds }) => [bytes, milliseconds.median]));
  const flags = "readSvmlight(path, { threads: 2 })";
  const measure = "growth of time with size, exponent and its standard error";
  return { data: "generated", contender: "hinge", version: hingeVersion, flags, measure, points, exponent, error };
}
