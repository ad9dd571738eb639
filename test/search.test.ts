// Search is cross-validation of every point: the same scores as point by point without warm starts, the same best, at tolerance 1e-6.

import { describe, expect, test } from "vitest";
import { Random } from "../src/base/random.ts";
import {
  crossValidate,
  type GridPoint,
  LinearSVC,
  LinearSVR,
  LogisticRegression,
  logRange,
  NuSVC,
  Pipeline,
  pipeline,
  StandardScaler,
  SVC,
  SVR,
  search,
} from "../src/index.ts";
import { refined } from "../src/select/grid.ts";
import { rejected, thrown } from "./thrown.ts";

const random = new Random(8);
const x = Array.from({ length: 90 }, () => [4 * random.unit() - 2, 4 * random.unit() - 2, random.unit()]);
const y = x.map(([a = 0, b = 0]) => (a * a + b * b + 0.6 * random.unit() < 1.8 ? "in" : a > 0 ? "right" : "left"));
const t = x.map(([a = 0, b = 0]) => Math.sin(a) * b + 0.1 * random.unit());
const precise = { tolerance: 1e-6, folds: 3, seed: 2 } as const;

describe("equal to cross-validation of every point", () => {
  for (const [name, estimator, target, grid] of [
    ["LinearSVC", LinearSVC, y, { C: [10, 0.1, 1] }],
    ["LogisticRegression", LogisticRegression, y, { C: [0.1, 1, 10] }],
    ["LinearSVR", LinearSVR, t, { C: [0.1, 1], epsilon: [0.01, 0.2] }],
    ["SVC", SVC, y, { C: [0.5, 5, 50], gamma: [0.1, 1] }],
    ["NuSVC", NuSVC, y, { nu: [0.1, 0.2], gamma: [0.5] }],
    ["SVR", SVR, t, { C: [1, 10], gamma: [0.2, 0.8], epsilon: [0.05] }],
    ["a pipeline", pipeline(StandardScaler, SVC), y, { C: [1, 20], gamma: [0.1, 1] }],
  ] as const) {
    test(name, async () => {
      const found = await search(estimator as typeof SVC, x, target as string[], { ...precise, grid });
      const lists = Object.values(grid) as (readonly number[])[];
      expect(found.points).toHaveLength(lists.reduce((count, list) => count * list.length, 1));
      expect(found.ending).toBe("complete");
      for (const { point, score, folds } of found.points) {
        const alone = await crossValidate(estimator as typeof SVC, x, target as string[], { ...precise, ...(point as { C: number }) });
        expect(score).toBeCloseTo(alone.mean, 4);
        expect(folds).toHaveLength(3);
        for (const [k, { score: own }] of alone.folds.entries()) expect(folds[k]).toBeCloseTo(own, 4);
      }
      const most = Math.max(...found.points.map(({ score }) => score));
      expect(found.best?.score).toBe(most);
      const refit = await (estimator as typeof SVC).fit(x, target as string[], {
        tolerance: 1e-6,
        ...(found.best?.point as { C: number }),
      });
      expect(await (found.model as SVC).predict(x)).toEqual(await refit.predict(x));
    });
  }
});

test("surface, order and ties: C rises, and the smallest C of equally good ones is best", async () => {
  const { surface, points, best, model } = await search(SVC, x, y, { grid: { gamma: [1, 0.1], C: [100, 1, 10] }, folds: 3, refit: false });
  expect(model).toBeUndefined();
  expect([surface?.names, surface?.rows, surface?.columns]).toEqual([
    ["gamma", "C"],
    [0.1, 1],
    [1, 10, 100],
  ]);
  expect(points.map(({ point }) => [point.gamma, point.C])).toEqual([0.1, 1].flatMap((gamma) => [1, 10, 100].map((C) => [gamma, C])));
  points.forEach(({ point, score }) => {
    expect(surface?.scores[surface.rows.indexOf(point.gamma as number)]?.[surface.columns.indexOf(point.C as number)]).toBe(score);
  });
  const tied = await search(LinearSVC, [[0], [1], [0], [1], [0], [1]], ["a", "b", "a", "b", "a", "b"], {
    grid: { C: [50, 5, 500] },
    folds: 3,
  });
  expect(tied.points.map(({ score }) => score)).toEqual([1, 1, 1]);
  expect(tied.best?.point).toEqual({ C: 5 });
  expect(best?.score).toBe(Math.max(...points.map(({ score }) => score)));
  const errors = await search(SVR, x, t, { grid: { C: [0.01, 10] }, gamma: 0.5, scoring: "mean-squared-error" });
  expect(errors.best?.point).toEqual({ C: 10 });
});

test("the same whatever the threads", async () => {
  const run = (threads: number) => search(SVC, x, y, { grid: { C: [1, 10], gamma: [0.2, 1] }, folds: 3, threads, refit: false });
  const one = await run(1);
  for (const threads of [2, 7]) expect(await run(threads)).toEqual(one);
});

test("coarse to fine: around the best, half as far, and never the same point twice", async () => {
  const found = await search(SVC, x, y, { grid: { C: logRange(0.1, 1000, 3), gamma: logRange(0.01, 1, 3) }, folds: 3, refine: 2 });
  expect(found.points.length).toBeGreaterThan(9);
  expect(new Set(found.points.map(({ point }) => JSON.stringify(point))).size).toBe(found.points.length);
  expect(found.points.length).toBeLessThanOrEqual(9 + 2 * 8);
  expect(found.best?.score).toBeGreaterThanOrEqual(Math.max(...found.points.slice(0, 9).map(({ score }) => score)));
  const near = (grid: object, point: GridPoint, round: number) => refined(grid, point, round);
  expect(near({ C: [1, 100] }, { C: 1 }, 1).C?.map((C) => Number(C.toPrecision(6)))).toEqual([0.1, 1, 10]);
  expect(near({ epsilon: [0, 0.4] }, { epsilon: 0 }, 1).epsilon).toEqual([0, 0.2]);
  expect(near({ nu: [0.4, 0.9] }, { nu: 0.9 }, 1).nu?.length).toBe(2);
  expect(near({ degree: [2, 4] }, { degree: 2 }, 1).degree).toEqual([1, 2, 3]);
  expect(near({ C: [3] }, { C: 3 }, 1).C).toEqual([3]);
});

test("progress, and stopped: what was done is there", async () => {
  const seen: number[] = [];
  const controller = new AbortController();
  const found = await search(SVC, x, y, {
    grid: { C: [1, 10], gamma: [0.2, 1] },
    ...{ folds: 3, threads: 1, signal: controller.signal },
    onProgress: ({ done, total, remainingSeconds }) => {
      seen.push(done);
      expect(total).toBe(12);
      expect(remainingSeconds).toBeGreaterThanOrEqual(0);
      if (done === 7) controller.abort();
    },
  });
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(found.ending).toBe("aborted");
  expect(found.points).toHaveLength(2);
  expect(found.best).toBeDefined();
  expect(found.model).toBeUndefined();
  const none = await search(SVC, x, y, { grid: { C: [1] }, signal: AbortSignal.abort() });
  expect([none.best, none.points, none.ending]).toEqual([undefined, [], "aborted"]);
});

test("a pipeline's search ends in a pipeline", async () => {
  const { model } = await search(pipeline(StandardScaler, SVC), x, y, { grid: { C: [1, 10] }, gamma: 0.5 });
  expect(model).toBeInstanceOf(Pipeline);
  expect((await model?.predict(x))?.length).toBe(90);
});

test("logRange", () => {
  expect(logRange(0.01, 10, 4)).toEqual([0.01, 0.1, 1, 10]);
  expect(logRange(2 ** -5, 2 ** 15, 11)).toEqual(Array.from({ length: 11 }, (_, k) => 2 ** (2 * k - 5)));
  expect(logRange(8, 1, 4)).toEqual([8, 4, 2, 1]);
  expect(logRange(3, 9, 1)).toEqual([3]);
  expect(thrown(() => logRange(0, 1, 2)).message).toBe("from of logRange must be a finite number above 0, got 0");
  expect(thrown(() => logRange(1, 2, 0)).message).toBe("count of logRange must be a whole number of at least 1, got 0");
});

test("wrong input is told before any fit", async () => {
  for (const [options, message] of [
    [{}, "grid must be an object such as { C: [1, 10] }, got undefined"],
    [{ grid: { C: [] } }, "grid must be an object of lists of different finite numbers for some of C, nu, "],
    [{ grid: { C: [1, 1] } }, "grid must be an object of lists of different finite numbers"],
    [{ grid: { gama: [1] } }, "grid must be an object of lists of different finite numbers"],
    [{ grid: { nu: [0.1] } }, "grid has nu, this estimator can search C, gamma, coef0, degree"],
    [{ grid: { C: [1] }, C: 2 }, "C is in the grid and given besides; leave one of them out"],
    [{ grid: { C: [1] }, warmStart: {} }, "warmStart cannot be given to search"],
    [{ grid: { C: [-1] } }, "C must be a finite number above 0, got -1"],
  ] as const) {
    expect((await rejected(search(SVC, x, y, options as never))).message).toContain(message);
  }
  expect((await rejected(search({ fit: SVC.fit }, x, y, { grid: { C: [1] } }))).message).toContain(
    "the estimator of a search must be one that is fitted to labels or targets",
  );
});
