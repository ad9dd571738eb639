// Cross-validation against folds done by hand, and what a transformer inside a fold may see.

import { describe, expect, test } from "vitest";
import { Random } from "../src/base/random.ts";
import {
  accuracy,
  balancedAccuracy,
  crossValidate,
  f1,
  folds,
  type HeldOut,
  LinearSVC,
  LinearSVR,
  LogisticRegression,
  logLoss,
  MinMaxScaler,
  matrix,
  meanSquaredError,
  NuSVC,
  NuSVR,
  pipeline,
  r2,
  rocCurve,
  StandardScaler,
  SVC,
  SVR,
} from "../src/index.ts";
import { rejected } from "./thrown.ts";

/** Rows of classes that overlap, and targets. */
function set(count: number, labels: readonly string[]): { x: number[][]; y: string[]; t: number[] } {
  const random = new Random(5);
  const y = Array.from({ length: count }, (_, i) => labels[i % labels.length] as string);
  const x = y.map((label) => [labels.indexOf(label) + 2 * random.unit(), random.unit() - labels.indexOf(label), 5 * random.unit()]);
  return { x, y, t: x.map(([a = 0, b = 0]) => Math.sin(a) + b) };
}

const two = set(60, ["no", "yes"]);
const three = set(75, ["a", "b", "c"]);
const pick = <T>(list: readonly T[], rows: Uint32Array): T[] => Array.from(rows, (i) => list[i] as T);

describe("equal to fits by hand, fold by fold", () => {
  for (const [name, estimator, options] of [
    ["LinearSVC", LinearSVC, { C: 0.5 }],
    ["LogisticRegression", LogisticRegression, { C: 2 }],
    ["SVC", SVC, { C: 3, gamma: 0.3 }],
    ["NuSVC", NuSVC, { nu: 0.4, gamma: 0.3 }],
    ["a pipeline", pipeline(StandardScaler, SVC), { C: 3 }],
  ] as const) {
    for (const { x, y } of [two, three]) {
      test(`${name}, ${new Set(y).size} classes`, async () => {
        const given = folds(y, { count: 4, seed: 3 });
        const settings = { ...options, tolerance: 1e-6 };
        const result = await crossValidate(estimator as typeof SVC, x, y, { ...settings, folds: 4, seed: 3 });
        expect(result.ending).toBe("complete");
        expect(result.folds.map(({ fold }) => fold)).toEqual(given);
        for (const [k, { train, test: held }] of given.entries()) {
          const model = await (estimator as typeof SVC).fit(pick(x, train), pick(y, train), settings);
          const predicted = await model.predict(pick(x, held));
          expect(pick(result.predictions, held)).toEqual(predicted);
          expect(result.folds[k]?.score).toBe(accuracy(pick(y, held), predicted));
          const decision = await model.decision(pick(x, held));
          const outputs = decision.length / held.length;
          decision.forEach((value, at) => {
            const row = held[Math.floor(at / outputs)] as number;
            expect(Math.abs((result.decisions?.[row * outputs + (at % outputs)] as number) - value)).toBeLessThan(1e-4);
          });
        }
        expect(result.score).toBe(accuracy(y, result.predictions as string[]));
        expect(result.mean).toBeCloseTo(result.folds.reduce((sum, { score }) => sum + score, 0) / 4, 12);
      });
    }
  }

  for (const [name, estimator] of [
    ["LinearSVR", LinearSVR],
    ["SVR", SVR],
    ["NuSVR", NuSVR],
  ] as const) {
    test(`${name}: r2 of numbers`, async () => {
      const { x, t } = two;
      const result = await crossValidate(estimator as typeof SVR, x, t, { C: 5, folds: 3 });
      expect(result.score).toBeCloseTo(r2(t, result.predictions as number[]), 12);
      const errors = await crossValidate(estimator as typeof SVR, x, t, { C: 5, folds: 3, scoring: "mean-squared-error" });
      expect(errors.score).toBeCloseTo(meanSquaredError(t, result.predictions as number[]), 12);
      expect(errors.predictions).toEqual(result.predictions);
    });
  }
});

describe("no transformer sees a row that is held out", () => {
  test("the scaler of a fold has the extremes of its training rows", async () => {
    const { x, y } = two;
    // One row far out: a scaler that saw it would press all others together.
    const far = x.map((row, i) => (i === 7 ? [1e6, -1e6, 1e6] : row));
    const given = folds(y, { count: 4 });
    const seen: number[][][] = [];
    const real = MinMaxScaler.fit;
    try {
      MinMaxScaler.fit = async (rows, options) => {
        seen.push(rows as number[][]);
        return real.call(MinMaxScaler, rows, options);
      };
      await crossValidate(pipeline(MinMaxScaler, SVC), far, y, { folds: given, threads: 1 });
    } finally {
      MinMaxScaler.fit = real;
    }
    expect(seen).toHaveLength(4);
    for (const [k, rows] of seen.entries()) expect(rows).toEqual(pick(far, given[k]?.train as Uint32Array));
    expect(seen.filter((rows) => rows.some(([first]) => first === 1e6))).toHaveLength(3);
  });

  test("rows of a plain estimator that are held out change nothing", async () => {
    const { x, y } = three;
    const given = folds(y, { count: 3 });
    const held = (given[0] as { test: Uint32Array }).test;
    const moved = x.map((row, i) => (held.includes(i) ? row.map((value) => 100 * value + 7) : row));
    const models = await Promise.all([x, moved].map((rows) => crossValidate(SVC, rows, y, { folds: [given[0] as never], C: 2 })));
    // The same model: what it says of the same held-out row is the same, so rows moved back say the same.
    const model = await SVC.fit(pick(x, (given[0] as { train: Uint32Array }).train), pick(y, (given[0] as { train: Uint32Array }).train), {
      C: 2,
    });
    expect(pick(models[1]?.predictions ?? [], held)).toEqual(await model.predict(pick(moved, held)));
    expect(pick(models[0]?.predictions ?? [], held)).toEqual(await model.predict(pick(x, held)));
  });
});

test("weights: weight 0 is the row absent, in fits and in scores; weight 2 the row twice in scores", async () => {
  const { x, y } = two;
  const weight = y.map((_, i) => (i % 5 === 0 ? 0 : i % 3 === 0 ? 2 : 1));
  const given = folds(y, { count: 3 });
  const result = await crossValidate(SVC, x, y, { folds: given, C: 2, sampleWeight: weight });
  const present = Uint32Array.from(y.keys()).filter((i) => weight[i] !== 0);
  const place = new Map(Array.from(present, (row, k) => [row, k]));
  const without = given.map(({ train, test: held }) => ({
    train: train.filter((i) => weight[i] !== 0).map((i) => place.get(i) as number),
    test: held.filter((i) => weight[i] !== 0).map((i) => place.get(i) as number),
  }));
  const less = await crossValidate(SVC, pick(x, present), pick(y, present), { folds: without, C: 2, sampleWeight: pick(weight, present) });
  expect(pick(result.predictions, present)).toEqual(less.predictions);
  expect(result.score).toBeCloseTo(accuracy(y, result.predictions as string[], { sampleWeight: weight }), 12);
  expect(result.score).toBeCloseTo(less.score, 12);
});

test("scores by name, and by a function", async () => {
  const { x, y } = two;
  const common = { C: 1, folds: 3 } as const;
  const { predictions, decisions } = await crossValidate(LogisticRegression, x, y, common);
  for (const [scoring, wanted] of [
    ["balanced-accuracy", balancedAccuracy(y, predictions as string[])],
    ["f1", f1(y, predictions as string[])],
    ["roc-area", rocCurve(y, decisions as Float64Array, { positive: "yes" }).area],
  ] as const) {
    expect((await crossValidate(LogisticRegression, x, y, { ...common, scoring })).score).toBeCloseTo(wanted, 12);
  }
  let seen: HeldOut | undefined;
  const own = await crossValidate(LogisticRegression, x, y, {
    ...common,
    scoring: (held) => {
      seen = held;
      return held.y.length;
    },
  });
  expect(own.folds.map(({ score }) => score)).toEqual([20, 20, 20]);
  expect(own.score).toBe(60);
  const loss = await crossValidate(LogisticRegression, x, y, { ...common, scoring: "log-loss" });
  expect(loss.score).toBeCloseTo(logLoss(seen?.y as string[], seen?.probabilities as Float64Array), 12);
});

test("the same whatever the threads, packed or not, and with folds of time", async () => {
  const { x, y, t } = three;
  const one = await crossValidate(SVC, x, y, { C: 2, threads: 1, seed: 4 });
  for (const threads of [2, 7]) expect(await crossValidate(SVC, x, y, { C: 2, threads, seed: 4 })).toEqual(one);
  expect(await crossValidate(SVC, matrix(x), y, { C: 2, seed: 4 })).toEqual(one);
  expect((await crossValidate(SVC, x, y, { C: 2, seed: 5 })).folds).not.toEqual(one.folds);
  const time = await crossValidate(LinearSVR, x, t, { folds: { kind: "time", count: 4 } });
  expect(time.predictions.filter((value) => value === undefined)).toHaveLength(15);
  expect(time.decisions?.slice(0, 15).every(Number.isNaN)).toBe(true);
});

test("a precomputed kernel", async () => {
  const { x, y } = two;
  const gram = x.map((u) => x.map((v) => Math.exp(-0.3 * u.reduce((sum, value, j) => sum + (value - (v[j] as number)) ** 2, 0))));
  const given = await crossValidate(SVC, gram, y, { kernel: "precomputed", C: 2, tolerance: 1e-6 });
  const rbf = await crossValidate(SVC, x, y, { gamma: 0.3, C: 2, tolerance: 1e-6 });
  expect(given.predictions).toEqual(rbf.predictions);
});

test("stopped: the folds that are done are there", async () => {
  const { x, y } = two;
  const controller = new AbortController();
  const result = await crossValidate(SVC, x, y, {
    threads: 1,
    signal: controller.signal,
    onFold: ({ done }) => done === 2 && controller.abort(),
  });
  expect(result.ending).toBe("aborted");
  expect(result.folds).toHaveLength(2);
  expect(result.predictions.filter((label) => label !== undefined)).toHaveLength(24);
  const none = await crossValidate(SVC, x, y, { signal: AbortSignal.abort() });
  expect([none.ending, none.folds.length, none.decisions]).toEqual(["aborted", 0, undefined]);
});

test("folds whose models have other classes: decision values are not joined", async () => {
  const labels = ["a", "b,c", "a,b", "c"].flatMap((label) => Array.from({ length: 6 }, () => label));
  const own = labels.map((_, i) => [i % 6, Math.floor(i / 6)]);
  const part = (from: number): Uint32Array => Uint32Array.from({ length: 12 }, (_, k) => from + k);
  const parts = [
    { train: part(0), test: part(12) },
    { train: part(12), test: part(0) },
  ];
  const { score, decisions, predictions } = await crossValidate(SVC, own, labels, { folds: parts, scoring: () => 1 });
  expect([score, decisions]).toEqual([Number.NaN, undefined]);
  expect(predictions).not.toContain(undefined);
  expect((await crossValidate(SVC, own, labels, { folds: parts })).score).toBe(0);
});

test("a fold that cannot be scored is named", async () => {
  const own = Array.from({ length: 20 }, (_, i) => [i, i % 3]);
  const labels = own.map((_, i) => (i < 10 ? 0 : 1));
  const parts = [{ train: Uint32Array.from({ length: 15 }, (_, k) => k + 5), test: Uint32Array.from({ length: 5 }, (_, k) => k) }];
  const { message } = await rejected(crossValidate(LinearSVC, own, labels, { folds: parts, scoring: "roc-area" }));
  expect(message).toContain("the rows that fold 0 tests cannot be scored: ");
});

test("wrong input is told before any fit", async () => {
  const { x, y, t } = two;
  for (const [call, message] of [
    [() => crossValidate(SVC, x, y.slice(1)), "59 labels for 60 rows; there must be one a row"],
    [() => crossValidate(SVC, x, y, { folds: 1 }), "folds must be a whole number of at least 2"],
    [() => crossValidate(SVC, x, y, { scoring: "acuracy" as never }), "scoring must be one of accuracy, "],
    [() => crossValidate(SVC, x, y, { scoring: "r2" }), 'scoring: "r2" is for a regression, these are classes'],
    [() => crossValidate(SVR, x, t, { scoring: "f1" }), 'scoring: "f1" is for classes, this is a regression'],
    [
      () => crossValidate(SVC, x, y, { scoring: "log-loss" }),
      'scoring: "log-loss" needs probabilities, which of these models only LogisticRegression has',
    ],
    [() => crossValidate(SVC, three.x, three.y, { scoring: "roc-area" }), 'scoring: "roc-area" is for two classes, y has 3'],
    [() => crossValidate(SVC, x, y, { onProgress: () => undefined } as never), "onProgress cannot be given to crossValidate: use onFold"],
    [() => crossValidate(SVC, x, y, { gama: 1 } as never), 'SVC has no option "gama"; did you mean "gamma"?'],
    [
      () => crossValidate(SVC, x, y, { folds: [{ train: Uint32Array.of(0, 1), test: Uint32Array.of(1, 2) }] }),
      "row 1 is in both parts of fold 0; a row is trained on or tested, not both",
    ],
    [
      () => crossValidate(SVC, x, y, { folds: [{ train: Uint32Array.of(0, 1), test: Uint32Array.of(60) }] }),
      "the test part of fold 0 has row 60, x has 60 rows",
    ],
    [() => crossValidate(SVC, x, y, { folds: [folds(60)[0], { train: Uint32Array.of(0), test: Uint32Array.of(1) }] as never }), "fold 1: "],
    [() => crossValidate(SVC, x, y, { scoring: () => Number.NaN }), "what the scoring function returns must be a number, got NaN"],
  ] as const) {
    expect((await rejected(call())).message).toContain(message);
  }
});
