// One-vs-one problems that share kernel values: the same models as one by one, and they stop, report and fail as others do.

import { expect, test } from "vitest";
import { Random } from "../src/base/random.ts";
import { planPairs } from "../src/estimators/kernel-pairs.ts";
import { matrix, NuSVC, SVC } from "../src/index.ts";

const random = new Random(11);
const labels = Array.from({ length: 300 }, (_, i) => i % 6);
const rows = labels.map((m) => Array.from({ length: 5 }, (_, j) => Math.round(8 * (Math.sin(m + j) + random.unit())) / 8));
const x = matrix(rows);
/** The same with features that say little, so that segments are kept. */
const longRows = rows.map((row, i) => [...row, ...Array.from({ length: 30 }, (_, j) => ((i * j) % 7) / 50)]);
const long = matrix(longRows);

test("six classes on one thread or four are solved together, on eight, or where rows are long, one by one", () => {
  const sizes = new Array(6).fill(50);
  expect(planPairs(x, sizes, 15, 1, 2 ** 27)).toEqual({ threads: 1, cacheBytes: 2 ** 27, keptBytes: 0 });
  expect(planPairs(long, sizes, 15, 1, 2 ** 27)).toEqual({ threads: 1, cacheBytes: 0.75 * 2 ** 27, keptBytes: 6 * 4 * 50 * 57 });
  expect(planPairs(long, sizes, 15, 4, 2 ** 27)?.cacheBytes).toBe(0.75 * 2 ** 25);
  expect(planPairs(x, sizes, 15, 8, 2 ** 27)).toBeUndefined();
  expect(planPairs(x, sizes, 2, 1, 2 ** 27)).toBeUndefined();
  const most = 2 ** 25 / (8 * 5);
  expect(planPairs(x, [most / 2, most / 2, 9], 3, 1, 2 ** 27)).toBeDefined();
  expect(planPairs(x, [most / 2, most / 2 + 1, 9], 3, 1, 2 ** 27)).toBeUndefined();
});

test("the same bytes as one by one, whatever the number of threads and the memory", async () => {
  for (const [estimator, data] of [
    [SVC, rows],
    [NuSVC, rows],
    [SVC, longRows],
    [NuSVC, longRows],
  ] as const) {
    const models = await Promise.all(
      [
        { threads: 1 },
        { threads: 2 },
        { threads: 8 },
        { threads: 1, cacheBytes: 1 },
        { threads: 1, cacheBytes: 200_000 },
        { threads: 1, shrinking: true, cacheBytes: 2 ** 24 },
      ].map(async (options) => JSON.stringify((await estimator.fit(data, labels, { gamma: 0.4, ...options })).toJSON())),
    );
    expect(new Set(models).size).toBe(1);
  }
});

test("the same bytes whatever the memory and the threads, where passes are made in float32 first", async () => {
  // 256 rows a problem and more.
  const many = Array.from({ length: 640 }, () => [random.unit(), random.unit(), random.unit()]);
  const four = many.map(([a = 0, b = 0]) => (a > 0.5 ? 2 : 0) + (a * b > 0.2 ? 1 : 0));
  const two = four.map((m) => m % 2);
  for (const settings of [
    { kernel: "linear", C: 0.001 },
    { gamma: 2, C: 10, stop: "violation", tolerance: 1e-6 },
    { gamma: 1, C: 100, tolerance: 1e-7 },
  ] as const) {
    for (const y of [four, two]) {
      const models = [];
      for (const options of [{ threads: 1 }, { threads: 2 }, { threads: 8 }, { cacheBytes: 1 }, { cacheBytes: 4e5 }])
        models.push(JSON.stringify((await SVC.fit(many, y, { ...settings, ...options })).toJSON()));
      expect(new Set(models).size, JSON.stringify(settings)).toBe(1);
    }
  }
});

test("progress counts the problems that are done", async () => {
  const seen: number[] = [];
  const chance = labels.map(() => Math.floor(6 * random.unit()));
  const { report } = await SVC.fit(x, chance, {
    C: 1e6,
    gamma: 0.01,
    tolerance: 1e-12,
    timeLimitSeconds: 1,
    threads: 1,
    onProgress: ({ problems }) => {
      expect(problems.total).toBe(15);
      seen.push(problems.done);
    },
  });
  expect(report.status).toBe("time-limit");
  expect(seen.length).toBeGreaterThan(0);
  expect([...seen].sort((a, b) => a - b)).toEqual(seen);
  for (const done of seen) expect(done).toBeLessThanOrEqual(15);
});

test("told to stop at once, in the midst, or by the clock: a model of all pairs all the same", async () => {
  const over = AbortSignal.abort();
  for (const [options, statuses] of [
    [{ signal: over }, ["aborted"]],
    [{ timeLimitSeconds: 1e-6 }, ["time-limit"]],
    [{ timeLimitSeconds: 0.02 }, ["time-limit", "converged"]],
  ] as const) {
    const model = await SVC.fit(x, labels, { C: 1e5, gamma: 2, tolerance: 1e-10, threads: 1, ...options });
    expect(statuses).toContain(model.report.status);
    expect(model.report.run?.problems).toHaveLength(15);
    expect(await model.predict(x)).toHaveLength(300);
    expect(model.report.certificate.relativeGap).toBeLessThanOrEqual(1);
  }
});

test("what onProgress throws is the outcome", async () => {
  const chance = labels.map(() => Math.floor(6 * random.unit()));
  const fitting = SVC.fit(x, chance, {
    C: 1e6,
    gamma: 0.01,
    tolerance: 1e-12,
    timeLimitSeconds: 20,
    threads: 1,
    onProgress: () => {
      throw new RangeError("enough");
    },
  });
  await expect(fitting).rejects.toThrow("enough");
});
