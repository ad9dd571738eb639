// Search is cross-validation of every point: the same scores as point by point without warm starts, the same best, at tolerance 1e-6.

import { describe, expect, test } from "vitest";
import type { HeldOut } from "../src/base/options/cross-validate.ts";
import { Random } from "../src/base/random.ts";
import { takeList } from "../src/data/take-rows.ts";
import {
  crossValidate,
  folds,
  type GridPoint,
  LinearSVC,
  LinearSVR,
  LogisticRegression,
  logRange,
  MaxAbsScaler,
  matrix,
  NuSVC,
  NuSVR,
  Pipeline,
  pipeline,
  StandardScaler,
  SVC,
  SVR,
  search,
} from "../src/index.ts";
import { linesOf, refined } from "../src/select/grid.ts";
import { multiClassSet } from "./problems/generate.ts";
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

const kernelIn = ({ gamma, coef0, degree }: GridPoint = {}): string => JSON.stringify([gamma, coef0, degree]);

/** What each fold's models said of each row, in the order in which one thread gets to them: kernel by kernel, fold by fold, C rising. */
async function heldBy(estimator: unknown, target: unknown, options: object): Promise<HeldOut[]> {
  const all: HeldOut[] = [];
  const scoring = (held: HeldOut): number => {
    all.push(held);
    return 0;
  };
  await search(estimator as typeof SVC, x, target as string[], { threads: 1, refit: false, scoring, ...options } as never);
  return all;
}

describe("row by row: at tolerance 1e-6 the same predictions as fits of every point in every fold, but where decision values are next to nothing", () => {
  const sampleWeight = x.map((_, i) => [0, 0.5, 1, 3][i % 4] as number);
  for (const [name, estimator, target, grid, more] of [
    ["two classes", SVC, y.map((label) => (label === "in" ? 1 : -1)), { gamma: [0.1, 1], C: [0.5, 5, 500] }, {}],
    ["three, weighted", SVC, y, { gamma: [0.3], C: [0.5, 50] }, { sampleWeight, classWeight: "balanced" }],
    ["three, each against the rest", SVC, y, { gamma: [0.3], C: [0.5, 50] }, { multiClass: "ovr" }],
    ["without an intercept", SVC, y, { gamma: [0.3], C: [0.5, 50] }, { solver: "dcd" }],
    ["sigmoid", SVC, y, { gamma: [0.05], C: [0.5, 5] }, { kernel: "sigmoid" }],
    ["polynomial", SVC, y, { coef0: [0, 1], degree: [2, 3], C: [0.5, 5] }, { kernel: "poly", gamma: 0.5 }],
    ["NuSVC", NuSVC, y, { nu: [0.1, 0.2], gamma: [0.5] }, {}],
    ["SVR", SVR, t, { gamma: [0.2, 0.8], epsilon: [0.01, 0.1], C: [1, 10] }, {}],
    ["NuSVR", NuSVR, t, { nu: [0.3, 0.6], gamma: [0.2], C: [1, 10] }, {}],
    ["a gamma of each fold's own", SVC, y, { C: [1, 10] }, { gamma: "scale" }],
    ["a pipeline", pipeline(StandardScaler, [SVC, { kernel: "rbf" }]), y, { gamma: [0.1, 1], C: [1, 20] }, {}],
  ] as const) {
    test(name, async () => {
      const common = { tolerance: 1e-6, ...more };
      const parts = folds(typeof target[0] === "number" && estimator !== SVC ? x.length : (target as string[]), { count: 3, seed: 2 });
      const held = await heldBy(estimator, target, { ...common, grid, folds: 3, seed: 2 });
      // Kernel by kernel.
      const kernels = [...new Set(linesOf(grid).map(([point]) => kernelIn(point)))];
      const lines = kernels.flatMap((kernel) => linesOf(grid).filter(([point]) => kernelIn(point) === kernel));
      expect(held).toHaveLength(parts.length * lines.reduce((sum, line) => sum + line.length, 0));
      const chains = lines.flatMap((line) => parts.map((fold) => ({ line, fold })));
      let at = 0;
      for (const { line, fold } of chains) {
        for (const point of line) {
          const own = held[at++] as HeldOut;
          const weights = "sampleWeight" in more ? more.sampleWeight : x.map(() => 1);
          const options = { ...common, ...point, sampleWeight: takeList(weights as number[], fold.train) };
          const model = await (estimator as typeof SVC).fit(
            takeList(x as number[][], fold.train),
            takeList(target as string[], fold.train),
            options as never,
          );
          const rows = takeList(x as number[][], fold.test);
          const [decision, predicted] = [await model.decision(rows), await model.predict(rows)];
          expect(Array.from(own.y)).toEqual(takeList(target as string[], fold.test));
          const scale = decision.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
          const outputs = decision.length / rows.length;
          // 1/2 |w - w*|^2 is at most the gap, of this model and of the other; the same again for offsets. K(x, x) is 1, or a few times that.
          const { primal, relativeGap } = model.report.certificate;
          const near = relativeGap === null ? 0.01 * scale : 12 * Math.sqrt(2e-6 * Math.abs(primal)) + 1e-3 * scale;
          predicted.forEach((label, r) => {
            const values = Array.from(decision.subarray(r * outputs, (r + 1) * outputs));
            values.forEach((value, m) => {
              expect(Math.abs((own.decision[r * outputs + m] as number) - value), `${name} ${JSON.stringify(point)}`).toBeLessThanOrEqual(
                near,
              );
            });
            if (typeof label === "number" && estimator !== SVC) return;
            if (values.every((value) => Math.abs(value) >= 1e-5 * scale))
              expect(own.predicted[r], `${name} ${JSON.stringify(point)}`).toBe(label);
          });
        }
      }
    });
  }
});

test("at the default tolerance kernel values are float32, and models hardly differ", async () => {
  for (const [estimator, target, grid] of [
    [SVC, y, { gamma: [0.1, 1], C: [0.03, 0.5, 5, 500, 5000] }],
    [NuSVR, t, { nu: [0.5], gamma: [0.5], C: [1, 10] }],
    [SVR, t, { gamma: [0.5], C: [0.1, 1, 10, 100] }],
  ] as const) {
    const rough = await heldBy(estimator, target, { grid, folds: 3 });
    const fine = await heldBy(estimator, target, { grid, folds: 3, tolerance: 1e-6 });
    rough.forEach(({ decision }, k) => {
      const other = (fine[k] as HeldOut).decision;
      const scale = other.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      const off = decision.reduce((most, value, r) => Math.max(most, Math.abs(value - (other[r] as number))), 0);
      expect(off).toBeLessThan(0.1 * scale);
    });
  }
});

describe("a linear classifier of many classes, all in one pass", () => {
  const many = multiClassSet(200, 1200, 10, 6, 9);
  const rows = matrix(many.x, { featureCount: many.featureCount });
  const grid = { C: [0.01, 0.1, 0.5, 1, 4, 16, 64] };
  const whole = { grid, folds: 3, seed: 4, threads: 1, refit: false } as const;
  const set = [
    ["squared hinge", LinearSVC, { bias: false }],
    ["squared hinge, with a free bias", LinearSVC, {}],
    ["hinge, with a bias", LinearSVC, { loss: "hinge", bias: "augmented" }],
    ["hinge, with a free bias", LinearSVC, { loss: "hinge", classWeight: "balanced" }],
    [
      "weighted",
      LinearSVC,
      { bias: "augmented", classWeight: "balanced", sampleWeight: many.y.map((_, i) => [0, 0.5, 2][i % 3] as number) },
    ],
    ["a pipeline", pipeline(MaxAbsScaler, [LinearSVC, { bias: "augmented", onProgress: () => undefined }]), {}],
  ] as const;

  test.each(set)("%s: decision values are those of fits of every point", async (_, estimator, more) => {
    const told: HeldOut[][] = [[], []];
    // A tolerance below what float32 allows is solved point by point.
    const outcomes = await Promise.all(
      [1e-5, 1e-7].map((tolerance, k) => {
        const scoring = (held: HeldOut): number => {
          told[k]?.push(held);
          return 0;
        };
        return search(estimator as typeof LinearSVC, rows, many.y as number[], { ...whole, tolerance, scoring, ...more });
      }),
    );
    expect(outcomes[0]?.points.map(({ unconverged }) => unconverged)).toEqual(grid.C.map(() => 0));
    expect(told.map((list) => list.length)).toEqual([21, 21]);
    for (const { y: own } of told[1]?.filter((_, k) => k % 7 === 0) ?? []) {
      const [rough, fine] = told.map((list) => list.filter((held) => String(held.y) === String(own)));
      fine?.forEach(({ decision, weights }, k) => {
        const other = rough?.[k] as HeldOut;
        expect(other.weights).toEqual(weights);
        const scale = decision.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
        const off = decision.reduce((most, value, r) => Math.max(most, Math.abs(value - (other.decision[r] as number))), 0);
        // 1/2 |w - w*|^2 is at most 1e-5 of P, which is some hundred times |w|^2 at the smallest C and less above.
        expect(off, `C ${grid.C[k]}`).toBeLessThan(0.02 * scale);
      });
    }
  });

  test.each(set)("%s: accuracies are those of cross-validation, but for rows next to ties", async (_, estimator, more) => {
    const { points } = await search(estimator as typeof LinearSVC, rows, many.y as number[], { ...whole, ...more });
    for (const { point, folds: scores } of points) {
      const alone = await crossValidate(estimator as typeof LinearSVC, rows, many.y as number[], {
        ...{ folds: 3, seed: 4, tolerance: 1e-5 },
        ...more,
        C: point.C as number,
      });
      for (const [k, score] of scores.entries()) expect(Math.abs(score - (alone.folds[k]?.score as number))).toBeLessThanOrEqual(2 / 60);
    }
  });

  test("the same whatever the threads; a part of the rows that no worker has room for is no matter", async () => {
    const options = { ...whole, bias: false } as const;
    const [one, two] = await Promise.all([1, 2].map((threads) => search(LinearSVC, rows, many.y as number[], { ...options, threads })));
    expect(two?.points).toEqual(one?.points);
    expect(one?.points).toHaveLength(7);
  });

  test("stopped half way: the points that every fold got to are there", async () => {
    const controller = new AbortController();
    const stopped = await search(LinearSVC, rows, many.y as number[], {
      ...{ ...whole, bias: false, signal: controller.signal },
      onProgress: ({ done, total }) => {
        if (done >= 0.5 * total) controller.abort();
      },
    });
    expect(stopped.ending).toBe("aborted");
    expect(stopped.points.map(({ point }) => point.C)).toEqual([0.01, 0.1, 0.5, 1]);
    expect(stopped.best).toBeDefined();
  });

  test("where descent has not enough passes, or none at all, each point is fitted as ever", async () => {
    // Badly scaled columns: the fits hand over to Newton's method.
    const hard = many.x.map(
      ([indices, values]) => [indices, Array.from(values, (value, k) => value * 12 ** ((indices[k] as number) % 3))] as const,
    );
    for (const [own, more] of [
      [hard, {}],
      [hard, { maxIterations: 300 }],
      [many.x, { maxIterations: 2 }],
    ] as const) {
      const options = { folds: 3, seed: 4, bias: false, ...more } as const;
      const found = await search(LinearSVC, own as never, many.y as number[], { ...options, grid: { C: [1e-4, 1] }, refit: false });
      for (const { point, folds: scores, unconverged } of found.points) {
        const alone = await crossValidate(LinearSVC, own as never, many.y as number[], { ...options, C: point.C as number });
        const late = alone.folds.filter(({ status }) => status !== "converged").length;
        // One that begins from a smaller C may have enough passes where one that begins from nothing has not; two are too few for any.
        expect(unconverged).toBeLessThanOrEqual(late);
        if (late === alone.folds.length) expect(unconverged).toBe(late);
        for (const [k, score] of scores.entries()) expect(Math.abs(score - (alone.folds[k]?.score as number))).toBeLessThanOrEqual(2 / 60);
      }
    }
  });

  test("a fold that is not for it: the others are told once", async () => {
    const few = Uint32Array.from(many.y.flatMap((label, i) => (label < 3 && i >= 100 ? [i] : [])));
    const parts = [
      { train: Uint32Array.from({ length: 150 }, (_, i) => i), test: Uint32Array.from({ length: 50 }, (_, i) => i + 150) },
      { train: few, test: Uint32Array.from({ length: 50 }, (_, i) => i) },
    ];
    const seen: number[] = [];
    const found = await search(pipeline(MaxAbsScaler, [LinearSVC, { bias: false }]), rows, many.y as number[], {
      ...{ grid: { C: [0.1, 1, 10] }, folds: parts, threads: 1, refit: false },
      onProgress: ({ done, total, remainingSeconds }) => {
        seen.push(done);
        expect(total).toBe(6);
        expect(remainingSeconds).toBeGreaterThanOrEqual(0);
      },
    });
    expect(found.points).toHaveLength(3);
    expect(seen.at(-1)).toBe(6);
  });
});

test("features far from 0 at a large C: what float32 does to distances is known, and float64 takes over", async () => {
  for (const [shift, spread, gamma] of [
    [30, 1, 0.1],
    [300, 10, 1e-3],
    [3000, 100, 1e-5],
    [10, 1, 0.1],
  ] as const) {
    const far = Array.from({ length: 90 }, (_, i) => [shift + spread * Math.sin(i * 12.9)]);
    const heights = far.map(([value = 0]) => Math.sin((3 * (value - shift)) / spread));
    const sides = heights.map((height) => (height > 0.2 ? 1 : -1));
    const options = { folds: 3, seed: 1 } as const;
    for (const [estimator, target, more] of [
      [SVR, heights, { epsilon: 0.1 }],
      [SVC, sides, {}],
    ] as const) {
      const found = await search(estimator as typeof SVR, far, target, {
        ...options,
        ...more,
        grid: { C: [1, 1e4], gamma: [gamma] },
        refit: false,
      });
      for (const { point, score } of found.points) {
        const alone = await crossValidate(estimator as typeof SVR, far, target, { ...options, ...more, C: point.C as number, gamma });
        expect(Math.abs(score - alone.mean), `${shift} ${JSON.stringify(point)}`).toBeLessThan(estimator === SVC ? 0.04 : 0.02);
      }
    }
  }
});

test("memory that is too short for all kernel values: the search goes point by point, to the same end", async () => {
  const options = { grid: { C: [1, 10], gamma: [0.2, 1] }, folds: 3, refit: false, tolerance: 1e-6 } as const;
  const together = await search(SVC, x, y, options);
  const apart = await search(SVC, x, y, { ...options, cacheBytes: 1000 });
  expect(apart.points.map(({ folds }) => folds)).toEqual(together.points.map(({ folds }) => folds));
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
      if (done >= 7) controller.abort();
    },
  });
  // The points of a fold that differ in C alone are told together.
  expect(seen).toEqual([2, 4, 6, 8]);
  expect(found.ending).toBe("aborted");
  expect(found.points).toHaveLength(2);
  expect(found.best).toBeDefined();
  expect(found.model).toBeUndefined();
  const none = await search(SVC, x, y, { grid: { C: [1] }, signal: AbortSignal.abort() });
  expect([none.best, none.points, none.ending]).toEqual([undefined, [], "aborted"]);
});

test("features far from 0: kernel values too large for float32 are not taken for the kernel", async () => {
  const far = x.map((row) => row.map((value) => value + 1000));
  const labels = y.map((label) => (label === "in" ? 1 : -1));
  for (const tolerance of [1e-3, 1e-6]) {
    const found = await search(SVC, far, labels, { grid: { C: [0.1, 1] }, kernel: "linear", folds: 3, seed: 2, tolerance, refit: false });
    for (const { point, folds: scores } of found.points) {
      const alone = await crossValidate(SVC, far, labels, { kernel: "linear", folds: 3, seed: 2, tolerance, C: point.C });
      // Of 30 rows one or two may lie so near to 0 that a gap of 1e-3 does not tell on which side.
      alone.folds.forEach(({ score }, k) => {
        expect(Math.abs((scores[k] as number) - score)).toBeLessThanOrEqual(tolerance < 1e-4 ? 1e-9 : 0.07);
      });
    }
  }
});

test("a pipeline that is stopped has whole points, and its time limit is that of the whole search", async () => {
  const controller = new AbortController();
  const found = await search(pipeline(StandardScaler, SVC), x, y, {
    ...{ grid: { C: [1, 10], gamma: [0.2, 1] }, folds: 3, threads: 1, signal: controller.signal },
    onProgress: ({ done }) => {
      if (done >= 7) controller.abort();
    },
  });
  expect(found.ending).toBe("aborted");
  expect(found.points).toHaveLength(2);
});

test("weights in a recipe count as those that are given; rows drawn twice count twice", async () => {
  const sampleWeight = y.map((label) => (label === "in" ? 20 : 0.01));
  const inRecipe = await crossValidate(pipeline([SVC, { sampleWeight }]), x, y, { folds: 3, seed: 1 });
  const given = await crossValidate(SVC, x, y, { folds: 3, seed: 1, sampleWeight });
  expect(inRecipe.predictions).toEqual(given.predictions);
  const drawn = Uint32Array.from({ length: 80 }, (_, i) => (7 * i * i) % 60);
  const parts = [{ train: drawn, test: Uint32Array.from({ length: 30 }, (_, i) => 60 + i) }];
  const options = { gamma: 0.5, C: 1, folds: parts };
  expect((await crossValidate(SVC, x, y, options)).predictions).toEqual((await crossValidate(pipeline(SVC), x, y, options)).predictions);
});

test("all variables at their bounds: the offset is in the middle of what is as good", async () => {
  const labels = x.map(([a = 0]) => (a > 0 ? 1 : -1));
  const even = [...labels.keys()].filter((i) => labels[i] === 1).slice(0, 40);
  const odd = [...labels.keys()].filter((i) => labels[i] === -1).slice(0, 40);
  const rows = [...even, ...odd].map((i) => x[i] as number[]);
  const model = await SVC.fit(rows, [...even.map(() => 1), ...odd.map(() => -1)], { gamma: 1, C: 0.001 });
  expect(model.coefficients.every((v) => Math.abs(v) === 0.001)).toBe(true);
  expect(await model.score(rows, [...even.map(() => 1), ...odd.map(() => -1)])).toBeGreaterThan(0.9);
});

test("what the caller's functions throw is what the search is rejected with, and the pool goes on", async () => {
  const grid = { C: [1, 10], gamma: [0.2, 1] };
  const bad = (): never => {
    throw new RangeError("mine");
  };
  await expect(search(SVC, x, y, { grid, folds: 3, scoring: bad })).rejects.toThrow("mine");
  await expect(search(SVC, x, y, { grid, folds: 3, onProgress: bad })).rejects.toThrow("mine");
  expect((await search(SVC, x, y, { grid, folds: 3 })).ending).toBe("complete");
});

test("a fold that lacks a class: its models have fewer", async () => {
  const labels = x.map((_, i) => (i < 3 ? "rare" : i % 2 === 0 ? "even" : "odd"));
  const parts = [
    { train: Uint32Array.from({ length: 60 }, (_, i) => i + 30), test: Uint32Array.from({ length: 30 }, (_, i) => i) },
    { train: Uint32Array.from({ length: 60 }, (_, i) => i), test: Uint32Array.from({ length: 30 }, (_, i) => i + 60) },
  ];
  const options = { grid: { C: [1, 10] }, gamma: 1, folds: parts, refit: false } as const;
  const together = await search(SVC, x, labels, options);
  const apart = await search(SVC, x, labels, { ...options, cacheBytes: 1000 });
  expect(together.points.map(({ folds }) => folds)).toEqual(apart.points.map(({ folds }) => folds));
});

test("models that were not solved to the tolerance are counted", async () => {
  const some = { grid: { C: [0.01, 100], gamma: [1] }, folds: 3, refit: false } as const;
  const whole = await search(SVC, x, y, some);
  expect(whole.points.map(({ unconverged }) => unconverged)).toEqual([0, 0]);
  for (const cacheBytes of [undefined, 1000]) {
    const short = await search(SVC, x, y, { ...some, maxIterations: 4, cacheBytes });
    // All variables at their bounds is found at once.
    expect(short.points.at(-1)?.unconverged).toBe(3);
  }
});

test("what is wrong with a fold names it", async () => {
  const [first] = folds(90, { count: 3 });
  const lonely = { train: Uint32Array.of(0), test: Uint32Array.of(1) };
  for (const cacheBytes of [undefined, 1000]) {
    const options = { grid: { C: [1] }, folds: [first, lonely] as never, cacheBytes };
    expect((await rejected(search(SVC, x, y, options))).message).toContain("fold 1: ");
  }
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
