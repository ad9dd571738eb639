// The audit of models that bring no dual point, and what it refuses. Models far from their optimum show whether the bound is the optimum's.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import {
  type AuditOptions,
  certify,
  LinearOneClassSVM,
  LinearSVC,
  LinearSVR,
  LogisticRegression,
  load,
  type RegressionAuditOptions,
} from "../../../src/index.ts";
import { multiClassSet, normal, sparseSet } from "../../problems/generate.ts";
import { rejected } from "../../thrown.ts";

const pair = sparseSet(200, 20, 6, 4);
const three = multiClassSet(150, 12, 5, 3, 6);

// The model's problems have the objectives P_k and the optima P*_k. The audit's bound D_k is the optimum's up to a gap of 1e-6, a tight fit
// with the objectives T_k is known up to 1e-9:  (1 - 1e-6) P*_k <= D_k <= P*_k <= T_k <= P*_k / (1 - 1e-9). So the gap (P_k - D_k) / P_k is
// at least (P_k - T_k) / P_k, and at most 1e-6 + 1e-9 above it, as T_k <= P_k; and so are the largest of each.
const TIGHT = 1e-9;

interface Fitted {
  readonly report: { readonly run: { readonly problems: readonly { readonly certificate: { readonly primal: number } }[] } | undefined };
}

function truth(model: Fitted, tight: Fitted): number {
  const best = tight.report.run?.problems ?? [];
  const shares = model.report.run?.problems.map(
    ({ certificate: { primal } }, k) => 1 - (best[k]?.certificate.primal ?? Number.NaN) / primal,
  );
  return Math.max(...(shares ?? []));
}

function expectTruth(gap: number, model: Fitted, tight: Fitted): void {
  const least = truth(model, tight);
  expect(least).toBeGreaterThan(1e-4);
  // Sums of some hundred terms, in two orders: 1e-12 is a thousand times their rounding.
  expect(gap).toBeGreaterThanOrEqual(least - 1e-12);
  expect(gap).toBeLessThanOrEqual(least + 1e-6 + TIGHT);
}

describe("a loaded classifier that is far from its optimum is told how far", () => {
  const early = { maxIterations: 2, tolerance: TIGHT };
  const late = { tolerance: TIGHT };

  for (const options of [
    { loss: "hinge" },
    { loss: "squared_hinge", solver: "dual" },
    { loss: "squared_hinge", solver: "dual", bias: "augmented", biasScale: 2, C: 0.3 },
    { loss: "squared_hinge", solver: "newton", bias: false },
    { penalty: "l1", maxIterations: 1 },
  ] as const) {
    test(`LinearSVC ${JSON.stringify(options)}`, async () => {
      const model = await LinearSVC.fit(pair.x, pair.y, { ...early, ...options });
      const tight = await LinearSVC.fit(pair.x, pair.y, { ...options, ...late, maxIterations: 100000 });
      const judged = await certify(await load(model.toBytes(), LinearSVC), pair.x, pair.y);
      expect(judged.primal).toBe(model.report.certificate.primal);
      expectTruth(judged.relativeGap, model, tight);
      const { C = 1, bias = "unregularised" } = options as { C?: number; bias?: NonNullable<AuditOptions["bias"]> };
      const given = { C, bias };
      expect(await certify(await load(model.toBytes("liblinear"), LinearSVC), pair.x, pair.y, given)).toEqual(judged);
    });
  }

  for (const options of [{ solver: "dual" }, { solver: "newton", bias: "unregularised" }, { penalty: "l1", maxIterations: 1 }] as const) {
    test(`LogisticRegression ${JSON.stringify(options)}`, async () => {
      const model = await LogisticRegression.fit(pair.x, pair.y, { ...early, ...options });
      const tight = await LogisticRegression.fit(pair.x, pair.y, { ...options, ...late, maxIterations: 100000 });
      const judged = await certify(await load(model.toBytes(), LogisticRegression), pair.x, pair.y);
      expectTruth(judged.relativeGap, model, tight);
    });
  }

  for (const options of [
    { loss: "squared_hinge", multiClass: "ovr", solver: "dual" },
    { loss: "squared_hinge", multiClass: "ovo", solver: "dual" },
    { loss: "hinge", multiClass: "ovo" },
    { loss: "hinge", multiClass: "crammer_singer" },
  ] as const) {
    test(`LinearSVC, three classes, weights, ${JSON.stringify(options)}`, async () => {
      const weights = { sampleWeight: three.y.map((_, i) => i % 3) };
      const model = await LinearSVC.fit(three.x, three.y, { ...early, ...options, ...weights });
      const tight = await LinearSVC.fit(three.x, three.y, { ...late, ...options, ...weights });
      expectTruth((await certify(await load(model.toBytes(), LinearSVC), three.x, three.y, weights)).relativeGap, model, tight);
    });
  }

  for (const options of [
    { multiClass: "ovr", solver: "dual" },
    { multiClass: "multinomial" },
    { multiClass: "multinomial", bias: "unregularised" },
  ] as const) {
    test(`LogisticRegression, three classes, ${JSON.stringify(options)}`, async () => {
      const model = await LogisticRegression.fit(three.x, three.y, { ...early, ...options });
      const tight = await LogisticRegression.fit(three.x, three.y, { ...late, ...options });
      expectTruth((await certify(await load(model.toBytes(), LogisticRegression), three.x, three.y)).relativeGap, model, tight);
    });
  }
});

describe("problems of one model by methods with and without dual variables", () => {
  // Pairs of few rows are solved by descent, which has them, pairs of many by Newton, which has none.
  const random = new Random(12);
  const y = Array.from({ length: 90 }, (_, i) => (i < 8 ? 0 : i < 16 ? 1 : i < 50 ? 2 : 3));
  const x = y.map((label) => Array.from({ length: 20 }, (_, j) => Math.fround(normal(random) + (j === label ? 1 : 0))));

  test("leave a model with dual variables of all, and the audit agrees with the report", async () => {
    for (const C of [0.1, 10]) {
      const model = await LinearSVC.fit(x, y, { multiClass: "ovo", C });
      const problems = model.report.run?.problems ?? [];
      expect(new Set(problems.map(({ stages }) => stages.at(-1)?.solver))).toEqual(new Set(["dual coordinate descent", "Newton"]));
      const judged = await certify(model, x, y);
      expect(judged.primal).toBe(model.report.certificate.primal);
      // A fit looks for no better bound once it has one that is good enough, the audit does.
      expect(judged.dual).toBeGreaterThanOrEqual(model.report.certificate.dual);

      const decision = await model.decision(x);
      problems.forEach(({ positive, negative, stages }, k) => {
        if (stages.at(-1)?.solver !== "Newton") return;
        const expected = y.map((label, i) => {
          const sign = label === positive ? 1 : label === negative ? -1 : 0;
          return sign === 0 ? 0 : 2 * C * Math.max(0, 1 - sign * (decision[i * problems.length + k] as number));
        });
        const own = model.dual?.subarray(k * x.length, (k + 1) * x.length);
        expect(own).toHaveLength(x.length);
        own?.forEach((a, i) => {
          expect(a).toBeCloseTo(expected[i] as number, 10);
        });
      });
    }
  });
});

describe("a loaded regression that is far from its optimum is told how far", () => {
  const random = new Random(7);
  const x = Array.from({ length: 120 }, () => Array.from({ length: 6 }, () => Math.fround(normal(random))));
  const y = x.map((row) => row.reduce((sum, value, j) => sum + value * (j - 2), 10) + normal(random));
  const problem = { C: 2, epsilon: 0.1 };

  for (const loss of ["squared_epsilon_insensitive", "epsilon_insensitive"] as const) {
    for (const [bias, centreTarget] of [
      ["unregularised", true],
      ["augmented", true],
      ["augmented", false],
      [false, true],
    ] as const) {
      test(`${loss}, bias ${bias}, centreTarget ${centreTarget}`, async () => {
        const options = { ...problem, loss, bias, centreTarget, solver: "dual", tolerance: TIGHT } as const;
        const model = await LinearSVR.fit(x, y, { ...options, maxIterations: 2 });
        const tight = await LinearSVR.fit(x, y, { ...options, solver: "auto" });
        const judged = await certify(await load(model.toBytes(), LinearSVR), x, y);
        expectTruth(judged.relativeGap, model, tight);
        const peer = await load(model.toBytes("liblinear"), LinearSVR);
        const given: RegressionAuditOptions = { ...problem, bias, centreTarget };
        // biasScale is 1, so the file keeps every bit of the bias.
        expect(await certify(peer, x, y, given)).toEqual(judged);
      });
    }
  }

  test("LIBLINEAR's files are taken not to be centred; a model that knows is asked for nothing else", async () => {
    const plain = await LinearSVR.fit(x, y, { ...problem, bias: "augmented", centreTarget: false });
    const centred = await LinearSVR.fit(x, y, { ...problem, bias: "augmented" });
    expect((await certify(await load(plain.toBytes("liblinear"), LinearSVR), x, y, problem)).relativeGap).toBeLessThanOrEqual(1e-3 + 1e-6);
    const peer = await load(centred.toBytes("liblinear"), LinearSVR);
    const asLiblinear = await certify(peer, x, y, problem);
    expect(asLiblinear).toEqual(await certify(peer, x, y, { ...problem, centreTarget: false }));
    // The targets lie about 10, so the bias does: regularised as it is, it costs about 50 more than without the centre.
    expect(asLiblinear.primal).toBeGreaterThan(centred.report.certificate.primal + 40);
    expect(await certify(centred, x, y, { centreTarget: true })).toEqual(await certify(centred, x, y));
    expect((await rejected(certify(centred, x, y, { centreTarget: false }))).message).toBe(
      "centreTarget must be the one that the model was fitted with, true, or left out, got false",
    );
    expect((await rejected(certify(plain, x, y, { centreTarget: true }))).message).toBe(
      "centreTarget must be the one that the model was fitted with, false, or left out, got true",
    );
    // Without an augmented bias nothing is taken off, whatever the option says.
    const free = await LinearSVR.fit(x, y, problem);
    for (const centreTarget of [true, false]) expect(await certify(free, x, y, { centreTarget })).toEqual(await certify(free, x, y));
  });
});

describe("what the audit refuses", () => {
  const sampleWeight = pair.y.map(() => 2);

  test("weights for a model that was fitted without, fitted here or loaded", async () => {
    const model = await LinearSVC.fit(pair.x, pair.y);
    const message = "the model was fitted without weights; certify it without classWeight or sampleWeight";
    for (const judged of [model, await load(model.toBytes(), LinearSVC)]) {
      for (const weights of [{ sampleWeight }, { classWeight: "balanced" }] as const) {
        const error = await rejected(certify(judged, pair.x, pair.y, weights));
        expect([error.code, error.message]).toEqual(["bad-option", message]);
      }
    }
    const told = "the model was fitted without weights; certify it without sampleWeight";
    expect((await rejected(certify(await LinearSVR.fit(pair.x, pair.y), pair.x, pair.y, { sampleWeight }))).message).toBe(told);
    expect((await rejected(certify(await LinearOneClassSVM.fit(pair.x), pair.x, { sampleWeight }))).message).toBe(told);
    // A file of LIBLINEAR does not tell.
    const loaded = await load(model.toBytes("liblinear"), LinearSVC);
    await certify(loaded, pair.x, pair.y, { C: 1, sampleWeight });
  });

  test("labels for a one-class model", async () => {
    const model = await LinearOneClassSVM.fit(pair.x, { nu: 0.2 });
    const message = "a one-class model has no labels or targets; leave y out: certify(model, x), or certify(model, x, { nu: 0.5 })";
    const loosely = certify as (...args: unknown[]) => Promise<unknown>;
    for (const args of [[pair.y], [Float64Array.from(pair.y)], [pair.y, { nu: 0.2 }], [undefined, { nu: 0.2 }]]) {
      const error = await rejected(loosely(model, pair.x, ...args));
      expect([error.code, error.message]).toEqual(["bad-input", message]);
    }
    await certify(model, pair.x, { nu: 0.2 });
  });
});
