// Reading svmlight files: whole commands against the peers, and inside a process with 1 and 2 threads.

import { readSvmlight } from "../../src/index.ts";
import { liblinear } from "../contenders/liblinear.ts";
import { hinge, idleNode } from "../contenders/ours.ts";
import { scikitLearn } from "../contenders/scikit-learn.ts";
import { type DataFile, generatedSet } from "../data.ts";
import { alternate, growth, median } from "../protocol.ts";
import type { Case, Row } from "./case.ts";

export const readCase: Case = {
  name: "read",
  title: "Reading svmlight files",
  sets: ["news20b.train", "kdd99.train", "usps.train"],
  async run(files, { runs, say }) {
    const rows: Row[] = [];
    const idle = await idleNode();
    for (const file of files) {
      say(`read ${file.name}`);
      rows.push(...(await wholeCommands(file, runs, idle.peakBytes)), await insideProcess(file, runs));
    }
    rows.push(await growthRow(runs, say));
    return rows;
  },
};

async function wholeCommands(file: DataFile, runs: number, idleBytes: number): Promise<Row[]> {
  const contenders = [hinge(1), hinge(2), liblinear, scikitLearn].filter(({ version }) => version !== undefined);
  const peaks = new Map<string, number>();
  const times = await alternate(
    Object.fromEntries(
      contenders.map(({ id, read }) => [
        id,
        async () => {
          const { milliseconds, peakBytes } = (await read?.(file)) ?? { milliseconds: Number.NaN, peakBytes: Number.NaN };
          peaks.set(id, Math.max(peaks.get(id) ?? 0, peakBytes));
          return milliseconds;
        },
      ]),
    ),
    runs,
  );
  const { x } = await readSvmlight(file.path);
  const matrixBytes = 8 * x.valueCount + 4 * (x.rowCount + 1) + 8 * x.rowCount;
  const ours = times[hinge(2).id]?.median ?? Number.NaN;
  return contenders.map(({ id, version, threads }) => ({
    data: file.name,
    contender: id,
    version,
    threads,
    measure: "whole command",
    ...times[id],
    megabytesPerSecond: file.bytes / 1e3 / (times[id]?.median ?? Number.NaN),
    timesOurs: (times[id]?.median ?? Number.NaN) / ours,
    peakMebibytes: (peaks.get(id) ?? Number.NaN) / 2 ** 20,
    beyondMatrixMebibytes: id.startsWith("hinge") ? ((peaks.get(id) ?? Number.NaN) - idleBytes - matrixBytes) / 2 ** 20 : undefined,
  }));
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
    oneThread: file.bytes / 1e3 / times.one.median,
    twoThreads: file.bytes / 1e3 / times.two.median,
    runs: [...times.one.runs, ...times.two.runs],
  };
}

/** Time over size, from 1 to 100 MB of generated text. */
async function growthRow(runs: number, say: (text: string) => void): Promise<Row> {
  const points: [number, number][] = [];
  for (const rowCount of [1000, 3000, 10_000, 30_000, 100_000]) {
    const file = generatedSet(rowCount, 50_000, 100);
    say(`read ${file.name}`);
    const list: number[] = [];
    for (let k = -1; k < runs; k++) {
      const started = performance.now();
      await readSvmlight(file.path, { threads: 2 });
      if (k >= 0) list.push(performance.now() - started);
    }
    points.push([file.bytes, median(list)]);
  }
  const { exponent, error } = growth(points);
  return { data: "generated", contender: "hinge", measure: "growth of time with size", points, exponent, error };
}
