// Probabilities: fits as scikit-learn's (test/parity/scikit-learn), coupling by its own equations, and calibrated classifiers that predict what is most probable.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Random } from "../src/base/random.ts";
import { coupled } from "../src/calibration/coupling.ts";
import { fitIsotonic, isotonicAt } from "../src/calibration/isotonic.ts";
import { fitSigmoid } from "../src/calibration/sigmoid.ts";
import { sigmoid } from "../src/calibration/sums.ts";
import { fitTemperature } from "../src/calibration/temperature.ts";
import {
  CalibratedClassifier,
  calibrate,
  LinearSVC,
  LogisticRegression,
  load,
  logLoss,
  NuSVC,
  pipeline,
  StandardScaler,
  SVC,
  SVR,
  TfidfVectorizer,
} from "../src/index.ts";
import { rejected } from "./thrown.ts";

const folder = mkdtempSync(join(tmpdir(), "hinge-calibration-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Recorded {
  readonly cases: readonly { scores: number[]; labels: number[]; at: number[]; sigmoid: number[]; isotonic: number[] }[];
}
const recorded = JSON.parse(readFileSync("test/parity/scikit-learn/calibration.json", "utf8")) as Recorded;
const ones = (count: number): number[] => new Array<number>(count).fill(1);

describe("as scikit-learn", () => {
  for (const [k, { scores, labels, at, ...wanted }] of recorded.cases.entries()) {
    test(`case ${k}: sigmoid and isotonic`, () => {
      const curve = fitSigmoid(scores, labels, ones(scores.length));
      // Its minimiser stops where a gradient is below 1e-5: a few digits.
      for (const [j, score] of at.entries())
        expect(Math.abs(sigmoid(curve.slope * score + curve.offset) - (wanted.sigmoid[j] as number))).toBeLessThan(1e-4);
      const steps = fitIsotonic(scores, labels, ones(scores.length));
      for (const [j, score] of at.entries()) expect(isotonicAt(steps, score)).toBeCloseTo(wanted.isotonic[j] as number, 12);
    });
  }
});

describe("sigmoid", () => {
  test("no step in any direction loses less; the slope is never below 0", () => {
    for (const { scores, labels } of recorded.cases) {
      const weights = scores.map((_, i) => 0.5 + (i % 3));
      const { slope, offset } = fitSigmoid(scores, labels, weights);
      const positive = weights.reduce((sum, w, i) => sum + (labels[i] === 1 ? w : 0), 0);
      const negative = weights.reduce((sum, w) => sum + w, 0) - positive;
      const targets = labels.map((label) => (label === 1 ? (positive + 1) / (positive + 2) : 1 / (negative + 2)));
      const loss = (a: number, b: number): number =>
        scores.reduce((sum, score, i) => {
          const p = sigmoid(a * score + b);
          const t = targets[i] as number;
          return sum - (weights[i] as number) * (t * Math.log(p) + (1 - t) * Math.log(1 - p));
        }, 0);
      const own = loss(slope, offset);
      const size = Math.max(...scores.map(Math.abs));
      for (const [da, db] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
        [1, 1],
        [1, -1],
      ] as const) {
        for (const step of [1e-2, 1e-4])
          expect(loss(slope + (step * da) / size, offset + step * db)).toBeGreaterThanOrEqual(own - 1e-9 * own);
      }
      expect(slope).toBeGreaterThan(0);
      // Scores that rank the wrong way say nothing: a constant, the share of positives.
      const turned = fitSigmoid(
        scores.map((score) => -score),
        labels,
        weights,
      );
      expect(turned.slope).toBe(0);
      const share = weights.reduce((sum, w, i) => sum + w * (targets[i] as number), 0) / weights.reduce((sum, w) => sum + w, 0);
      expect(sigmoid(turned.offset)).toBeCloseTo(share, 12);
    }
  });

  test("weight 2 is the row twice, weight 0 the row absent; scores of any size", () => {
    const scores = [-3, -1, -0.5, 0.2, 0.4, 1, 2];
    const labels = [0, 0, 1, 0, 1, 1, 1];
    const weights = [1, 2, 1, 0, 1, 1, 3];
    const repeated = weights.flatMap((w, i) => new Array<number>(w).fill(i));
    const own = fitSigmoid(scores, labels, weights);
    const other = fitSigmoid(
      repeated.map((i) => scores[i] as number),
      repeated.map((i) => labels[i] as number),
      ones(repeated.length),
    );
    expect(own.slope).toBeCloseTo(other.slope, 10);
    expect(own.offset).toBeCloseTo(other.offset, 10);
    for (const size of [1e-200, 1e200]) {
      const scaled = fitSigmoid(
        scores.map((score) => score * size),
        labels,
        weights,
      );
      expect((scaled.slope * size) / own.slope).toBeCloseTo(1, 8);
    }
    // All apart: finite all the same.
    const apart = fitSigmoid([-2, -1, 1, 2], [0, 0, 1, 1], ones(4));
    expect(Number.isFinite(apart.slope)).toBe(true);
    expect(fitSigmoid([0, 0, 0], [1, 0, 1], ones(3)).slope).toBe(0);
  });
});

test("isotonic: never falls, pools by weight, equal scores are one", () => {
  const { scores, values } = fitIsotonic([3, 1, 2, 2, 5, 4], [0, 0, 1, 0, 1, 1], [1, 1, 3, 1, 1, 1]);
  expect(Array.from(scores)).toEqual([1, 2, 3, 4, 5]);
  expect(Array.from(values)).toEqual([0, 0.6, 0.6, 1, 1]);
  expect(isotonicAt({ scores, values }, 1.5)).toBeCloseTo(0.3, 12);
  const flat = fitIsotonic([1, 2, 3], [1, 0.5, 0], ones(3));
  expect(Array.from(flat.values)).toEqual([0.5, 0.5]);
});

test("temperature: the best factor, by comparison; 0 where values say nothing, bounded where rows are apart", () => {
  const random = new Random(3);
  const choices = Array.from({ length: 400 }, () => {
    const values = [random.unit() * 4, random.unit() * 4, random.unit() * 4];
    const odds = values.map((value) => Math.exp(0.7 * value));
    let at = random.unit() * odds.reduce((sum, one) => sum + one, 0);
    const right = odds.findIndex((one) => {
      at -= one;
      return at < 0;
    });
    return { values, right, weight: 1 + random.below(3) };
  });
  const loss = (b: number): number =>
    choices.reduce((sum, { values, right, weight }) => {
      const odds = values.map((value) => Math.exp(b * value));
      return sum - weight * Math.log((odds[right] as number) / odds.reduce((a, c) => a + c, 0));
    }, 0);
  const found = fitTemperature(choices);
  expect(Math.abs(found - 0.7)).toBeLessThan(0.2);
  for (const step of [-1e-3, 1e-3]) expect(loss(found + step)).toBeGreaterThan(loss(found));
  expect(fitTemperature([{ values: [1, 0], right: 1, weight: 1 }])).toBe(0);
  expect(fitTemperature([{ values: [1, 0], right: 0, weight: 1 }])).toBeLessThanOrEqual(30);
});

test("coupling: pairs that agree with probabilities give these; else the equations hold", () => {
  const random = new Random(9);
  for (const count of [3, 5, 12]) {
    const raw = Array.from({ length: count }, () => 0.05 + random.unit());
    const sum = raw.reduce((a, b) => a + b, 0);
    const wanted = raw.map((value) => value / sum);
    const pairs: number[] = [];
    for (let a = 0; a < count; a++)
      for (let b = a + 1; b < count; b++) pairs.push((wanted[b] as number) / ((wanted[a] as number) + (wanted[b] as number)));
    coupled(pairs, count).forEach((p, k) => {
      expect(p).toBeCloseTo(wanted[k] as number, 6);
    });
    const any = pairs.map(() => random.unit());
    const p = coupled(any, count);
    expect(p.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 10);
    const objective = (q: ArrayLike<number>): number => {
      let [value, at] = [0, 0];
      for (let a = 0; a < count; a++) {
        for (let b = a + 1; b < count; b++) {
          const ofB = any[at++] as number;
          value += 2 * (ofB * (q[a] as number) - (1 - ofB) * (q[b] as number)) ** 2;
        }
      }
      return value;
    };
    const own = objective(p);
    for (let k = 0; k < count; k++) {
      const moved = Float64Array.from(p);
      moved[k] = (moved[k] as number) + 1e-4;
      moved[(k + 1) % count] = (moved[(k + 1) % count] as number) - 1e-4;
      expect(objective(moved)).toBeGreaterThanOrEqual(own - 1e-15);
    }
    expect(p.every((one) => one >= 0)).toBe(true);
  }
});

const random = new Random(21);
const x = Array.from({ length: 150 }, () => [3 * random.unit() - 1.5, 3 * random.unit() - 1.5]);
const y = x.map(([a = 0, b = 0]) => (a + 0.5 * random.unit() > 0.4 ? "right" : b + 0.5 * random.unit() > 0.2 ? "up" : "down"));
const two = y.map((label) => (label === "right" ? 1 : -1));

describe("what is most probable is what is predicted", () => {
  for (const method of ["sigmoid", "isotonic", "temperature"] as const) {
    for (const [name, estimator, target, options] of [
      ["LinearSVC, two classes", LinearSVC, two, {}],
      ["LinearSVC, each against the rest", LinearSVC, y, {}],
      ["LinearSVC, pairs", LinearSVC, y, { multiClass: "ovo" }],
      ["LinearSVC, jointly", LinearSVC, y, { multiClass: "crammer_singer", loss: "hinge" }],
      ["LogisticRegression", LogisticRegression, y, {}],
      ["SVC, two classes", SVC, two, { C: 10 }],
      ["SVC, pairs", SVC, y, { C: 10 }],
      ["SVC, each against the rest", SVC, y, { multiClass: "ovr" }],
      ["NuSVC", NuSVC, y, { nu: 0.2 }],
      ["a pipeline, weighted", pipeline(StandardScaler, SVC), y, { sampleWeight: y.map((_, i) => (i % 7 === 0 ? 0 : 1 + (i % 2))) }],
    ] as const) {
      test(`${name}, ${method}`, async () => {
        const model = await calibrate(estimator as typeof SVC, x, target as string[], { method, folds: 3, ...options } as never);
        const count = model.classes.length;
        const told = await model.probabilities(x as never);
        const predicted = await model.predict(x as never);
        const decision = await model.decision(x as never);
        expect(told).toHaveLength(x.length * count);
        predicted.forEach((label, i) => {
          const own = Array.from(told.subarray(i * count, (i + 1) * count));
          expect(own.every((p) => p >= 0 && p <= 1)).toBe(true);
          expect(own.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
          const most = Math.max(...own);
          expect(own[model.classes.indexOf(label)]).toBe(most);
          // Of equally probable classes that with the largest value.
          const tied = own.flatMap((p, m) => (p === most ? [m] : []));
          if (tied.length > 1 && decision.length === x.length * count) {
            const values = tied.map((m) => decision[i * count + m] as number);
            expect(decision[i * count + model.classes.indexOf(label)]).toBe(Math.max(...values));
          }
        });
        for (const i of [0, 7, 30]) {
          expect(await model.predictOne(x[i] as number[])).toBe(predicted[i]);
          expect(await model.probabilitiesOne(x[i] as number[])).toEqual(told.slice(i * count, (i + 1) * count));
        }
        // Better than shares of classes, on rows of which it has seen the labels at least.
        const shares = model.classes.map((label) => (target as unknown[]).filter((own) => own === label).length / x.length);
        const blind = logLoss(target as never, Float64Array.from(x.flatMap(() => shares)), { classes: model.classes });
        expect(logLoss(target as never, told, { classes: model.classes })).toBeLessThan(blind);
        const again = await load(model.toBytes(), CalibratedClassifier);
        expect(await again.probabilities(x)).toEqual(told);
        expect(JSON.stringify(again)).toBe(JSON.stringify(model));
      });
    }
  }
});

test("temperature changes no prediction of a scheme with a value a class; the same whatever the threads", async () => {
  const plain = await LinearSVC.fit(x, y, { C: 3 });
  const model = await calibrate(LinearSVC, x, y, { C: 3, method: "temperature" });
  expect(await model.predict(x)).toEqual(await plain.predict(x));
  const [one, seven] = await Promise.all([1, 7].map((threads) => calibrate(SVC, x, y, { threads })));
  expect(JSON.stringify(one)).toBe(JSON.stringify(seven));
});

test("texts, saved and loaded", async () => {
  const texts = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? `good day ${i}` : `bad night ${i}`));
  const model = await calibrate(
    pipeline(TfidfVectorizer, LinearSVC),
    texts,
    texts.map((_, i) => (i % 2 === 0 ? "good" : "bad")),
  );
  const path = join(folder, "mood.json");
  await model.save(path);
  const again = await load(path, CalibratedClassifier);
  expect(await again.predictOne("a good one")).toBe("good");
  const [bad = 0, good = 0] = await again.probabilitiesOne("a good one");
  expect(good).toBeGreaterThan(0.8);
  expect(good + bad).toBeCloseTo(1, 12);
  expect(
    await again.score(
      texts,
      texts.map((_, i) => (i % 2 === 0 ? "good" : "bad")),
    ),
  ).toBe(1);
});

test("wrong input", async () => {
  for (const [call, message] of [
    [
      () => calibrate(SVR as never, x as never, two as never),
      "the estimator to calibrate must be LinearSVC, LogisticRegression, SVC, NuSVC, or a pipeline that ends in one",
    ],
    [() => calibrate(SVC, x, y, { method: "platt" } as never), 'method must be "sigmoid", "isotonic" or "temperature"'],
    [() => calibrate(SVC, x, y, { gama: 1 } as never), 'did you mean "gamma"?'],
    [() => calibrate(SVC, x, y, { folds: [{ train: Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7), test: Uint32Array.of(8) }] }), "class"],
  ] as const) {
    expect((await rejected(call())).message).toContain(message);
  }
  const model = await calibrate(SVC, x, two);
  const json = JSON.parse(JSON.stringify(model));
  for (const [change, message] of [
    [{ calibrators: [] }, "calibrators is missing or wrong"],
    [{ method: "isotonic" }, "it must have 1 calibrators of the method isotonic"],
    [{ calibrators: [{ kind: "sigmoid", slope: -1, offset: 0 }] }, "calibrators"],
    [{ model: JSON.parse(JSON.stringify(await SVR.fit(x, two))) }, "tells no classes apart"],
  ] as const) {
    expect(() => CalibratedClassifier.fromJSON({ ...json, ...change })).toThrow(message);
  }
});
