// Probabilities: fits as scikit-learn's (test/parity/scikit-learn), coupling by its own equations, and calibrated classifiers that predict what is most probable.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Random } from "../src/base/random.ts";
import { coupled } from "../src/calibration/coupling.ts";
import { fitIsotonic, isotonicAt, softened } from "../src/calibration/isotonic.ts";
import { fitSigmoid } from "../src/calibration/sigmoid.ts";
import { sigmoid } from "../src/calibration/sums.ts";
import { fitTemperature } from "../src/calibration/temperature.ts";
import {
  CalibratedClassifier,
  calibrate,
  explain,
  LinearSVC,
  LogisticRegression,
  load,
  logLoss,
  NuSVC,
  Pipeline,
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

test("isotonic, softened: never certain, still rising, the rest as it was", () => {
  const fitted = (scores: number[], targets: number[], weights = scores.map(() => 1)) =>
    Array.from(softened(fitIsotonic(scores, targets, weights), scores, weights).values);
  // Three rows of weight 1 below, two above.
  expect(fitted([1, 2, 3, 4, 5], [0, 0, 0, 1, 1])).toEqual([1 / 5, 1 / 5, 3 / 4, 3 / 4]);
  expect(fitted([1, 2, 3, 4], [0, 1, 0, 1])).toEqual([1 / 3, 0.5, 0.5, 1 - 1 / 3]);
  // The next step is nearer.
  expect(fitted([1, 2, 3, 4, 5, 6, 7], [0, 1, 0, 0, 0, 0, 1])).toEqual([0.2, 0.2, 0.2, 1 - 1 / 3]);
  expect(fitted([1, 2], [0, 0], [3, 5])).toEqual([0.1, 0.1]);
  expect(fitted([1, 2], [1, 1])).toEqual([0.75, 0.75]);
  expect(fitted([1], [1])).toEqual([1 - 1 / 3]);
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
  // Rows that are all right: odds of one more than there are rows to 1, in the middle of them.
  expect(fitTemperature([{ values: [2, 0], right: 0, weight: 3 }])).toBeCloseTo(Math.log(4) / 2, 12);
  const apart = [1, 2, 3, 1e6].map((value) => ({ values: [value, 0], right: 0, weight: 1 }));
  expect(fitTemperature(apart)).toBeCloseTo(Math.log(5) / 3, 12);
  expect(fitTemperature([{ values: [0, 0], right: 0, weight: 1 }])).toBe(1);
  expect(fitTemperature([])).toBe(1);
});

test.each([10, 50, 1000, 1e6])("temperature: a row that is right and far away (%d) changes nothing", (far) => {
  const random = new Random(8);
  const choices = Array.from({ length: 300 }, () => {
    const f = 2 * random.unit() - 1;
    return { values: [0, f], right: random.unit() < 1 / (1 + Math.exp(-4.5 * f)) ? 1 : 0, weight: 1 };
  });
  const alone = fitTemperature(choices);
  expect(Math.abs(alone - 4.5)).toBeLessThan(1.5);
  expect(fitTemperature([...choices, { values: [0, far], right: 1, weight: 1 }])).toBeCloseTo(alone, 6);
});

test("classes that cannot be told apart are equally probable, and predicted as the model says", async () => {
  const random = new Random(2);
  const x = Array.from({ length: 90 }, (_, i) => [i % 3 === 2 ? 9 : random.unit(), random.unit()]);
  const labels = x.map((_, i) => ["a", "b", "c"][i % 3] as string);
  const model = await calibrate(SVC, x, labels, { method: "isotonic" });
  const [told, predicted, plain] = [await model.probabilities(x), await model.predict(x), await (model.model as SVC).predict(x)];
  let equal = 0;
  for (let i = 0; i < x.length; i++) {
    const [a, b] = [told[3 * i] as number, told[3 * i + 1] as number];
    if (i % 3 === 2) continue;
    expect(Math.abs(a - b) === 0 || Math.abs(a - b) > 1e-10).toBe(true);
    if (a !== b) continue;
    equal++;
    expect(predicted[i]).toBe(plain[i]);
  }
  expect(equal).toBeGreaterThan(0);
});

describe("folds that lack a class", () => {
  const random = new Random(4);
  const centres = [
    [0, 0],
    [4, 0],
    [0, 4],
    [4, 4],
  ];
  const x = Array.from({ length: 81 }, (_, i) => (centres[i === 80 ? 3 : i % 3] as number[]).map((c) => c + random.unit()));
  // One row of "d" only: whichever fold tests it has never seen it.
  const y = x.map((_, i) => (i === 80 ? "d" : (["a", "b", "c"][i % 3] as string)));
  const plain = { folds: { kind: "plain" as const, count: 4 } };

  test.each(
    (["sigmoid", "isotonic", "temperature"] as const).flatMap((method) => [
      ["LinearSVC ovr", LinearSVC, method, {}] as const,
      ["LinearSVC ovo", LinearSVC, method, { multiClass: "ovo" }] as const,
      ["SVC ovo", SVC, method, {}] as const,
      ["LogisticRegression", LogisticRegression, method, {}] as const,
    ]),
  )("%s, %s", async (_, estimator, method, options) => {
    const model = await calibrate(estimator as typeof SVC, x, y, { ...plain, ...options, method } as never);
    expect(model.calibration).toEqual({ folds: 4, ending: "complete" });
    const told = await model.probabilities(x as never);
    expect(told.every((p) => p >= 0 && p <= 1)).toBe(true);
    const right = (await model.predict(x as never)).filter((label, i) => label === y[i]).length;
    expect(right).toBeGreaterThanOrEqual(80);
    expect(await (await load(model.toBytes(), CalibratedClassifier)).probabilities(x)).toEqual(told);
  });

  test("two classes in a fold of three: its one value is that of both", async () => {
    // Fold 0 tests all rows of "c", so its model tells "a" from "b" only.
    const [train, test] = [
      Uint32Array.from([...x.keys()].filter((i) => i >= 6 && (y[i] === "a" || y[i] === "b"))),
      Uint32Array.from([...x.keys()].filter((i) => y[i] === "c" || i < 6)),
    ];
    const others = {
      train: Uint32Array.from([...x.keys()].filter((i) => i % 2 === 0)),
      test: Uint32Array.from([...x.keys()].filter((i) => i % 2 === 1 && i > 6)),
    };
    const three = y.map((label) => (label === "d" ? "a" : label));
    for (const multiClass of ["ovr", "ovo"] as const) {
      const model = await calibrate(LinearSVC, x, three, { folds: [{ train, test }, others], multiClass });
      expect((await model.predict(x)).filter((label, i) => label === three[i]).length).toBeGreaterThanOrEqual(79);
    }
  });
});

test("explain looks through to the model", async () => {
  const x = [
    [0, 1],
    [1, 0],
    [0, 2],
    [2, 0],
    [0, 3],
    [3, 1],
  ];
  const model = await calibrate(LinearSVC, x, [0, 1, 0, 1, 0, 1], { folds: 3 });
  expect(await explain(model)).toEqual(await explain(model.model as LinearSVC));
  expect(await explain(model, [1, 0])).toEqual(await explain(model.model as LinearSVC, [1, 0]));
});

test("what ends it early is told; what it cannot take is refused before any work", async () => {
  const random = new Random(6);
  const x = Array.from({ length: 60 }, () => [random.unit(), random.unit()]);
  const y = x.map(([a]) => ((a as number) > 0.5 ? 1 : 0));
  for (const name of ["scoring", "onFold", "onProgress", "warmStart", "rowIds"]) {
    expect((await rejected(calibrate(SVC, x, y, { [name]: () => 0 } as never))).message).toContain(`${name} cannot be given to calibrate`);
  }
  const stopped = await rejected(calibrate(SVC, x, y, { signal: AbortSignal.abort() }));
  expect(stopped.message).toContain("before a single fold was done");
  // A fold whose rows all have weight 0 has nothing to be scored by, and need not be.
  const sampleWeight = x.map((_, i) => (i % 5 === 0 ? 0 : 1));
  const cut = Array.from({ length: 5 }, (_, k) => ({
    train: Uint32Array.from([...x.keys()].filter((i) => i % 5 !== k)),
    test: Uint32Array.from([...x.keys()].filter((i) => i % 5 === k)),
  }));
  expect((await calibrate(SVC, x, y, { folds: cut, sampleWeight })).calibration).toEqual({ folds: 5, ending: "complete" });
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
        const plain = await (model.model as SVC).predict(x as never);
        const scheme = ((model.model instanceof Pipeline ? model.model.model : model.model) as SVC).multiClass;
        expect(told).toHaveLength(x.length * count);
        predicted.forEach((label, i) => {
          const own = Array.from(told.subarray(i * count, (i + 1) * count));
          expect(own.every((p) => p >= 0 && p <= 1)).toBe(true);
          expect(own.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
          const most = Math.max(...own);
          expect(own[model.classes.indexOf(label)]).toBe(most);
          // Of equally probable classes that which the model itself says, else that with the largest value.
          const tied = own.flatMap((p, m) => (p === most ? [m] : []));
          if (tied.map((m) => model.classes[m]).includes(plain[i] as never)) expect(label).toBe(plain[i]);
          else if (tied.length > 1 && scheme !== "ovo" && scheme !== "binary") {
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
