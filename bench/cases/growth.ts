// How time grows, ours alone: an epoch of dual coordinate descent with the non-zeros, fits with rows, features, classes, C and threads. Slopes of log-log fits over two decades
// where there is one; exponents of fits depend on the data as much as on the solver, and are shown, not promised.

import { Random } from "../../src/base/random.ts";
import { Matrix } from "../../src/data/matrix.ts";
import { LinearSVC, readSvmlight, SVC } from "../../src/index.ts";
import { hingeVersion } from "../contenders/ours.ts";
import { type DataFile, firstRows } from "../data.ts";
import { solverOf } from "../in-memory.ts";
import { growth, median } from "../protocol.ts";
import { normal } from "../small-sets.ts";
import type { Case, CaseSettings, Row } from "./case.ts";

const PER_ROW = 100;
const FEATURES = 50_000;
const FITTING = { tolerance: 1e-3, timeLimitSeconds: 300 } as const;

export const growthCase: Case = {
  name: "growth",
  title: "How time grows",
  sets: ["covtype93k-bin.train", "a9a.train"],
  async run(files, settings) {
    const [covtype, adult] = ["covtype93k-bin.train", "a9a.train"].map((name) => files.find((file) => file.name === name));
    const rows = [await epochs(settings)];
    if (covtype !== undefined) rows.push(...(await withRows(covtype, settings)));
    rows.push(...(await withFeatures(settings)), await withClasses(settings));
    if (adult !== undefined) rows.push(...(await withCost(adult, settings)));
    if (covtype !== undefined) rows.push(...(await withThreads(covtype, settings)));
    return rows;
  },
};

interface Point {
  readonly at: number;
  readonly milliseconds: number;
}

/** Medians of `runs` after a warm-up, at every place. */
async function timed(
  places: readonly number[],
  runs: number,
  prepare: (place: number) => Promise<() => Promise<unknown>>,
): Promise<Point[]> {
  const points: Point[] = [];
  for (const at of places) {
    const once = await prepare(at);
    const list: number[] = [];
    for (let k = -1; k < runs; k++) {
      const started = performance.now();
      await once();
      if (k >= 0) list.push(performance.now() - started);
    }
    points.push({ at, milliseconds: median(list) });
  }
  return points;
}

function rowOf(data: string, over: string, what: string, points: readonly Point[], hasSlope: boolean): Row {
  const slope = hasSlope ? growth(points.map(({ at, milliseconds }) => [at, milliseconds])) : undefined;
  return { data, measure: "growth of time", contender: what, version: hingeVersion, over, points, ...slope };
}

/** From 10^5 to 10^8 non-zeros, rows of 100 out of 50,000 features. */
async function epochs({ runs, quick, say }: CaseSettings): Promise<Row> {
  const sizes = [1e5, 3e5, 1e6, 3e6, 1e7, 3e7, 1e8].slice(0, quick ? 4 : undefined);
  const points = await timed(sizes, Math.min(runs, 5), async (count) => {
    say(`growth epoch ${count}`);
    return solverOf(sparseRows(count / PER_ROW), { loss: "squared_hinge", C: 1, tolerance: 1e-300, maxIterations: 1 });
  });
  return rowOf("generated", "non-zeros", "an epoch of dual coordinate descent, one thread", points, true);
}

function sparseRows(rowCount: number): { x: Matrix; y: Float64Array } {
  const random = new Random(rowCount);
  const valueCount = rowCount * PER_ROW;
  const [values, indices, starts] = [new Float32Array(valueCount), new Uint32Array(valueCount), new Uint32Array(rowCount + 1)];
  const stride = FEATURES / PER_ROW;
  for (let i = 0, at = 0; i < rowCount; i++) {
    // One feature of every stretch: rising, none twice.
    for (let k = 0; k < PER_ROW; k++, at++) {
      indices[at] = Math.floor(stride * (k + random.unit()));
      values[at] = random.unit();
    }
    starts[i + 1] = at;
  }
  const x = new Matrix({ kind: "csr", rowCount, featureCount: FEATURES, valueCount }, { values, indices, starts });
  return { x, y: Float64Array.from({ length: rowCount }, () => (random.unit() < 0.5 ? -1 : 1)) };
}

/** Of the same data, ever more. */
async function withRows(file: DataFile, { runs, quick, say, used }: CaseSettings): Promise<Row[]> {
  const part = async (count: number): Promise<{ x: Matrix; y: Float64Array }> => {
    say(`growth ${file.name}, ${count} rows`);
    const first = firstRows(file, count);
    used(first);
    return readSvmlight(first.path);
  };
  const [few, many] = quick
    ? [
        [300, 1000],
        [300, 1000],
      ]
    : [
        [300, 1000, 3000, 10_000, 30_000],
        [900, 3000, 9000, 30_000, 90_000],
      ];
  const linear = await timed(many as number[], Math.min(runs, 3), async (count) => {
    const { x, y } = await part(count);
    return () => LinearSVC.fit(x, y, FITTING);
  });
  const kernel = await timed(few as number[], 1, async (count) => {
    const { x, y } = await part(count);
    return () => SVC.fit(x, y, { C: 10, gamma: 1, ...FITTING });
  });
  return [
    rowOf(file.name, "rows", "LinearSVC.fit, gap 1e-3", linear, true),
    rowOf(file.name, "rows", "SVC.fit, rbf, C 10, gamma 1, gap 1e-3", kernel, true),
  ];
}

/** Two clouds that overlap, in ever more dimensions; the distance of their means stays. */
async function withFeatures({ runs, quick, say }: CaseSettings): Promise<Row[]> {
  const widths = quick ? [10, 30] : [10, 30, 100, 300, 1000];
  const clouds = (width: number, rowCount: number, classCount: number): { data: Float32Array; y: number[] } => {
    const random = new Random(width + classCount);
    const y = Array.from({ length: rowCount }, (_, i) => i % classCount);
    const data = new Float32Array(rowCount * width);
    for (let i = 0; i < rowCount; i++) {
      for (let j = 0; j < width; j++)
        data[i * width + j] = normal(random) + (j % classCount === y[i] ? 2 / Math.sqrt(width / classCount) : 0);
    }
    return { data, y };
  };
  const prepared = async (width: number, once: (x: Parameters<typeof SVC.fit>[0], y: number[]) => Promise<unknown>) => {
    say(`growth ${width} features`);
    const { data, y } = clouds(width, 3000, 2);
    const x = { data, rowCount: y.length, featureCount: width };
    return () => once(x as never, y);
  };
  const linear = await timed(widths, Math.min(runs, 3), (width) => prepared(width, (x, y) => LinearSVC.fit(x, y, FITTING)));
  const kernel = await timed(widths, Math.min(runs, 3), (width) => prepared(width, (x, y) => SVC.fit(x, y, { ...FITTING })));
  return [
    rowOf("generated, 3,000 rows", "features", "LinearSVC.fit, gap 1e-3", linear, true),
    rowOf("generated, 3,000 rows", "features", "SVC.fit, rbf, defaults, gap 1e-3", kernel, true),
  ];
}

/** As many rows of every class, so that a problem more is a problem as large. */
async function withClasses({ runs, quick, say }: CaseSettings): Promise<Row> {
  const points = await timed(quick ? [2, 4] : [2, 5, 10, 30, 100, 200], Math.min(runs, 3), async (classCount) => {
    say(`growth ${classCount} classes`);
    const { x } = sparseRows(6000);
    const y = Float64Array.from({ length: 6000 }, (_, i) => i % classCount);
    return () => LinearSVC.fit(x, y, FITTING);
  });
  return rowOf("generated, 6,000 rows", "classes", "LinearSVC.fit, each against the rest, gap 1e-3", points, true);
}

async function withCost(file: DataFile, { runs, quick, say }: CaseSettings): Promise<Row[]> {
  const { x, y } = await readSvmlight(quick ? firstRows(file, 1000).path : file.path);
  const small = await readSvmlight(firstRows(file, quick ? 1000 : 10_000).path);
  const costs = [0.01, 0.1, 1, 10, 100];
  say(`growth ${file.name}, C`);
  const linear = await timed(costs, Math.min(runs, 3), async (C) => () => LinearSVC.fit(x, y, { ...FITTING, C }));
  const kernel = await timed(costs, 1, async (C) => () => SVC.fit(small.x, small.y, { ...FITTING, C, gamma: 0.01 }));
  return [
    rowOf(file.name, "C", "LinearSVC.fit, gap 1e-3", linear, false),
    rowOf(`${file.name}, 10,000 rows`, "C", "SVC.fit, rbf, gamma 0.01, gap 1e-3", kernel, false),
  ];
}

async function withThreads(file: DataFile, { quick, say }: CaseSettings): Promise<Row[]> {
  const { x, y } = await readSvmlight(firstRows(file, quick ? 1000 : 10_000).path);
  say(`growth ${file.name}, threads`);
  const kernel = await timed([1, 2], 1, async (threads) => () => SVC.fit(x, y, { C: 10, gamma: 1, ...FITTING, threads }));
  const many = sparseRows(6000);
  const labels = Float64Array.from({ length: 6000 }, (_, i) => i % 10);
  const linear = await timed([1, 2], 3, async (threads) => () => LinearSVC.fit(many.x, labels, { ...FITTING, threads }));
  return [
    rowOf(`${file.name}, 10,000 rows`, "threads", "SVC.fit, rbf, one problem, gap 1e-3", kernel, false),
    rowOf("generated, 6,000 rows", "threads", "LinearSVC.fit, ten classes, gap 1e-3", linear, false),
  ];
}
