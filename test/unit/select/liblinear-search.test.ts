import { describe, expect, test } from "vitest";
import { folds, LinearSVC, LinearSVR, LogisticRegression, liblinearSearch, type SearchedPoint } from "../../../src/index.ts";
import { epsilons, firstC, firstRegressionC } from "../../../src/select/liblinear-rules.ts";
import { sparseSet } from "../../problems/generate.ts";
import { rejected } from "../../thrown.ts";

const set = sparseSet(200, 30, 8, 3);
const targets = set.y.map((sign, i) => 3 * sign + (i % 7) / 10);

describe("the points", () => {
  test("C begins at the power of 2 at or below its formula", () => {
    // 1 / (3 * 5) = 0.0667, 1 / (2 * 3 * 5) = 0.0333
    expect(firstC("logistic", { totalWeight: 3, largestSquare: 5 })).toBe(2 ** -4);
    expect(firstC("squared_hinge", { totalWeight: 3, largestSquare: 5 })).toBe(2 ** -5);
    expect(firstC("logistic", { totalWeight: 4, largestSquare: 4 })).toBe(2 ** -4);
    expect(firstC("logistic", { totalWeight: 4, largestSquare: 0 })).toBe(1024);
  });

  test("of a regression, too", () => {
    // 0.01 * (1 * (3 - 1)^2 + 2 * (2 - 1)^2) / (8 * (3 + 4)^2 * 5) = 0.06 / 1960 = 3.06e-5, 2^-15 = 3.05e-5
    expect(firstRegressionC(Float64Array.of(3, 2), Float64Array.of(1, 2), 1, 5)).toBe(2 ** -15);
    expect(firstRegressionC(Float64Array.of(3, 2), Float64Array.of(1, 2), 3, 5)).toBe(2 ** 20);
  });

  test("tubes go from 19/20 of the largest target to 0", () => {
    const all = epsilons(10, undefined);
    expect(all).toHaveLength(20);
    expect(all.slice(0, 2)).toEqual([9.5, 9]);
    expect(all.at(-1)).toBe(0);
    expect(epsilons(10, 1.2)).toEqual([1, 0.5, 0]);
    expect(epsilons(10, 99)).toEqual(all);
    expect(epsilons(0, undefined)).toEqual([0]);
    expect(epsilons(0, 1)).toEqual([0]);
  });
});

describe("the search", () => {
  test("marks each C by what folds predict that were not trained on it, and takes the first best", async () => {
    const { best, points, ending } = await liblinearSearch(LinearSVC, set.x, set.y, { startC: 0.25, seed: 4, folds: 3, tolerance: 1e-8 });
    expect(ending).toBe("complete");
    expect(points.slice(0, 3).map(({ C }) => C)).toEqual([0.25, 0.5, 1]);
    const parts = folds(set.y, { count: 3, seed: 4 });
    for (const { C, score } of points.slice(0, 3)) {
      let right = 0;
      for (const { train, test } of parts) {
        const sampleWeight = new Float64Array(set.y.length);
        for (const row of train) sampleWeight[row] = 1;
        const model = await LinearSVC.fit(set.x, set.y, { C, sampleWeight, tolerance: 1e-8 });
        const predicted = await model.predict(set.x);
        right += test.reduce((sum, row) => sum + (predicted[row] === set.y[row] ? 1 : 0), 0);
      }
      expect(score).toBe(right / set.y.length);
    }
    const most = Math.max(...points.map(({ score }) => score));
    expect(best).toBe(points.find(({ score }) => score === most));
  });

  test("ends when the models rest, and says when they do not", async () => {
    // Classes far apart: from some C on next to nothing is lost, and w stays.
    const apart = { x: [[90], [80], [-90], [-80], [70], [-70]], y: [1, 1, -1, -1, 1, -1] };
    const rested = await liblinearSearch(LinearSVC, apart.x, apart.y, { folds: 3, bias: false, tolerance: 1e-2 });
    expect(rested.isOpen).toBe(false);
    expect(rested.points.at(-1)?.C).toBeLessThan(1024);
    // Rows that contradict each other: a larger C always pulls a little more.
    const mixed = await liblinearSearch(LogisticRegression, apart.x, [1, -1, -1, 1, 1, -1], { folds: 2, tolerance: 1e-10 });
    expect(mixed.isOpen).toBe(true);
    expect(mixed.points.at(-1)?.C).toBe(1024);
  });

  test("of a regression: the least mean squared error over tubes and C", async () => {
    const { best, points } = await liblinearSearch(LinearSVR, set.x, targets, { startEpsilon: 0.5, startC: 2 ** 18, folds: 3 });
    const widest = Math.max(...targets.map((target) => Math.abs(target - targets.reduce((a, b) => a + b) / targets.length)));
    expect([...new Set(points.map(({ epsilon }) => epsilon))]).toEqual(epsilons(widest, 0.5).map((epsilon) => expect.closeTo(epsilon, 12)));
    expect(best.score).toBe(Math.min(...points.map(({ score }) => score)));
  });

  test("the same bits on one thread and on many, and onPoint sees every point", async () => {
    const seen: SearchedPoint[] = [];
    const options = { startEpsilon: 0.5, startC: 2 ** 19, folds: 4, seed: 9 };
    const one = await liblinearSearch(LinearSVR, set.x, targets, { ...options, threads: 1, onPoint: (point) => seen.push(point) });
    const many = await liblinearSearch(LinearSVR, set.x, targets, options);
    expect(many).toEqual(one);
    expect(seen).toEqual(one.points);
  });

  test("weight 2 is the row twice: the first C, too", async () => {
    const sampleWeight = set.y.map(() => 2);
    const { points } = await liblinearSearch(LinearSVC, set.x, set.y, { sampleWeight, folds: 2 });
    const plain = await liblinearSearch(LinearSVC, set.x, set.y, { folds: 2 });
    expect(points[0]?.C).toBe((plain.points[0]?.C ?? 0) / 2);
    expect(points[0]?.score).toBe(plain.points[0]?.score);
  });

  test("a start beyond the largest C is the largest C", async () => {
    expect((await liblinearSearch(LinearSVC, set.x, set.y, { startC: 1e6 })).points.map(({ C }) => C)).toEqual([1024]);
  });

  test("an abort gives the best so far", async () => {
    const abort = new AbortController();
    const { ending, points, best } = await liblinearSearch(LinearSVC, set.x, set.y, {
      signal: abort.signal,
      onPoint: () => abort.abort(),
    });
    expect(ending).toBe("aborted");
    expect(points).toEqual([best]);
    expect((await liblinearSearch(LinearSVC, set.x, set.y, { timeLimitSeconds: 1e-9 })).ending).toBe("time-limit");
  });

  test("wrong arguments are refused", async () => {
    const message = async (promise: Promise<unknown>): Promise<string> => (await rejected(promise)).message;
    expect(await message(liblinearSearch({} as typeof LinearSVC, set.x, set.y))).toMatch(/^the estimator of liblinearSearch must be/);
    expect(await message(liblinearSearch(LinearSVC, set.x, set.y, { loss: "hinge" }))).toMatch(/smooth losses .* got loss "hinge"/);
    expect(await message(liblinearSearch(LogisticRegression, set.x, set.y, { penalty: "l1" }))).toMatch(/got penalty "l1"/);
    expect(await message(liblinearSearch(LinearSVR, set.x, targets, { loss: "epsilon_insensitive" }))).toMatch(/got loss/);
    expect(await message(liblinearSearch(LinearSVC, set.x, set.y, { C: 1 } as object))).toMatch(/^C cannot be given .* startC says/);
    expect(await message(liblinearSearch(LinearSVC, set.x, set.y, { startEpsilon: 1 }))).toMatch(/^startEpsilon is for LinearSVR/);
    expect(await message(liblinearSearch(LinearSVC, set.x, set.y, { folds: 1 }))).toMatch(/^folds must be/);
    expect(await message(liblinearSearch(LinearSVC, set.x, set.y, { loos: "hinge" } as object))).toMatch(/^LinearSVC has no option "loos"/);
  });
});
