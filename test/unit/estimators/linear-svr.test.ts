import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { certify, HingeError, LinearSVR, load } from "../../../src/index.ts";
import { normal } from "../../problems/generate.ts";
import { rejected } from "../../thrown.ts";

const random = new Random(3);
const slope = [1.5, -2, 0, 0.5];
const x = Array.from({ length: 120 }, () => slope.map(() => Math.fround(normal(random))));
const line = (row: readonly number[]): number => row.reduce((sum, value, j) => sum + value * (slope[j] as number), 3);
const y = x.map((row) => line(row) + 0.1 * normal(random));
const losses = ["squared_epsilon_insensitive", "epsilon_insensitive"] as const;

describe("LinearSVR", () => {
  for (const loss of losses) {
    test(`${loss}: finds the line behind the rows, wherever the targets lie`, async () => {
      for (const offset of [0, 1e6]) {
        for (const bias of ["unregularised", "augmented"] as const) {
          const targets = y.map((target) => target + offset);
          const model = await LinearSVR.fit(x, targets, { loss, bias, C: 10, epsilon: 0.05, tolerance: 1e-6 });
          expect(model.report.status).toBe("converged");
          // 120 rows with noise of 0.1: a coefficient is off by about 0.1 / sqrt(120).
          model.coefficients.forEach((w, j) => {
            expect(Math.abs(w - (slope[j] as number))).toBeLessThan(0.05);
          });
          expect(Math.abs(model.bias - 3 - offset)).toBeLessThan(0.05);
          expect(await model.score(x, targets)).toBeGreaterThan(0.99);
          const certificate = await certify(model, x, targets);
          expect(certificate.relativeGap).toBeLessThanOrEqual(1e-6);
          expect(certificate.primal).toBeCloseTo(model.report.certificate.primal, 8);
        }
      }
    });

    test(`${loss}: weight 2 is the row twice, weight 0 the row absent`, async () => {
      const weights = y.map((_, i) => i % 3);
      const options = { loss, C: 0.5, epsilon: 0.1, tolerance: 1e-9 };
      const weighted = await LinearSVR.fit(x, y, { ...options, sampleWeight: weights });
      const repeated = x.flatMap((row, i) => Array.from({ length: i % 3 }, () => [row, y[i] as number] as const));
      const plain = await LinearSVR.fit(
        repeated.map(([row]) => row),
        repeated.map(([, target]) => target),
        options,
      );
      expect(Math.abs(weighted.report.certificate.primal - plain.report.certificate.primal)).toBeLessThanOrEqual(
        2e-9 * plain.report.certificate.primal,
      );
      expect((await certify(weighted, x, y, { sampleWeight: weights })).relativeGap).toBeLessThanOrEqual(1e-9);
      await expect(certify(weighted, x, y)).rejects.toThrow(/fitted with weights/);
    });

    test(`${loss}: comes back from JSON and LIBLINEAR's format, with the same predictions`, async () => {
      const model = await LinearSVR.fit(x, y, { loss, epsilon: 0.1 });
      const predicted = await model.predict(x);
      expect(Array.from(predicted, (_, i) => model.predictOne(x[i] as number[]))).toEqual([...predicted]);
      const again = await load(model.toBytes(), LinearSVR);
      expect(again.toJSON()).toEqual(model.toJSON());
      expect(again.report.certificate).toEqual(model.report.certificate);
      expect(await again.predict(x)).toEqual(predicted);
      const peer = await load(model.toBytes("liblinear"), LinearSVR);
      expect(await peer.predict(x)).toEqual(predicted);
      expect([peer.report.status, peer.C, peer.epsilon]).toEqual(["unknown", undefined, undefined]);
      const given = { C: 1, epsilon: 0.1, bias: "unregularised" } as const;
      expect((await certify(peer, x, y, given)).relativeGap).toBeLessThanOrEqual(1e-3 + 1e-6);
      expect((await rejected(certify(peer, x, y))).message).toMatch(/does not hold C; give the one it was trained with/);
    });

    test(`${loss}: begun at a model of another C it needs fewer passes and finds the same`, async () => {
      const options = { loss, epsilon: 0.1, solver: "dual", tolerance: 1e-4 } as const;
      const near = await LinearSVR.fit(x, y, { ...options, C: 1 });
      const cold = await LinearSVR.fit(x, y, { ...options, C: 1.05 });
      const warm = await LinearSVR.fit(x, y, { ...options, C: 1.05, warmStart: near });
      expect(warm.report.certificate.relativeGap).toBeLessThanOrEqual(1e-4);
      expect(warm.report.run?.iterations).toBeLessThan(cold.report.run?.iterations as number);
    });
  }

  test("the same bits with 1, 2 and 7 threads", async () => {
    const models = await Promise.all([1, 2, 7].map((threads) => LinearSVR.fit(x, y, { loss: "epsilon_insensitive", threads })));
    for (const model of models) expect(model.toJSON()).toEqual(models[0]?.toJSON());
  });

  test("targets that are all equal", async () => {
    const model = await LinearSVR.fit(x, new Array(120).fill(7));
    expect(Math.abs(model.bias - 7)).toBeLessThan(1e-9);
    expect(await model.score(x, new Array(120).fill(8))).toBe(0);
  });

  test("wrong input is told before any work", async () => {
    const told = async (targets: unknown, options?: object): Promise<string> => {
      const error = await rejected(LinearSVR.fit(x, targets as number[], options));
      expect(error).toBeInstanceOf(HingeError);
      return error.message;
    };
    expect(await told(y.slice(1))).toBe("119 targets for 120 rows; there must be one a row");
    expect(await told("targets")).toMatch(/^y must be an array of numbers, got/);
    expect(await told(y.map((target, i) => (i === 5 ? Number.NaN : target)))).toMatch(/^target of row 5 must be a number from -1e\+100/);
    expect(await told(y.map(String))).toMatch(/^target of row 0 must be a number/);
    expect(await told(y, { epsilon: -1 })).toMatch(/^epsilon must be a finite number at least 0/);
    expect(await told(y, { solver: "newton", loss: "epsilon_insensitive" })).toMatch(/^solver "newton" needs a smooth loss/);
    expect(await told(y, { sampleWeight: y.map(() => 0) })).toBe("all rows have weight 0; give one of them weight");
    expect(await told(y, { warmStart: { coefficients: new Float64Array(2), bias: 0 } })).toMatch(/^warmStart has 2 features, x has 4/);
    expect(await told(y, { centerTarget: true })).toMatch(/no option "centerTarget".*centreTarget/);
  });

  test("a JSON that is not quite one is refused with the field", async () => {
    const json = (await LinearSVR.fit(x, y)).toJSON();
    const told = (change: object): string => {
      try {
        LinearSVR.fromJSON({ ...json, ...change });
      } catch (error) {
        return (error as Error).message;
      }
      return "accepted";
    };
    expect(told({ coefficients: [1] })).toMatch(/coefficients is missing or wrong/);
    expect(told({ estimator: "LinearSVC" })).toMatch(/not a LinearSVR model of hinge but a LinearSVC/);
    expect(told({ problem: { ...json.problem, epsilon: undefined } })).toMatch(/problem is missing or wrong/);
    expect(told({ certificate: undefined })).toMatch(/certificate is missing or wrong/);
    expect(told({ extra: 1 })).toMatch(/extra is unknown here/);
    expect(told({})).toBe("accepted");
  });
});

test("targets and C whose product leaves the doubles are refused", async () => {
  const error = await rejected(LinearSVR.fit([[1], [2], [5]], [1e99, -1e99, 3], { C: 1e90 }));
  expect(error.message).toMatch(/^C times a target must be at most 1e\+100, got .*; scale the targets$/);
});

test("augmented, with weights: the centre is the weighted mean, so that weight 2 is the row twice", async () => {
  const rows = [
    [0, 1],
    [1, 2],
    [2, 0],
    [3, 1],
    [4, 5],
  ];
  const targets = [1000, 1001, 1004, 1003, 1010];
  const sampleWeight = [2, 1, 0, 3, 1];
  const repeated = sampleWeight.flatMap((weight, i) => new Array<number>(weight).fill(i));
  const options = { bias: "augmented", tolerance: 1e-9 } as const;
  const one = await LinearSVR.fit(rows, targets, { ...options, sampleWeight });
  const other = await LinearSVR.fit(
    repeated.map((i) => rows[i] as number[]),
    repeated.map((i) => targets[i] as number),
    options,
  );
  expect(Math.abs(one.report.certificate.primal / other.report.certificate.primal - 1)).toBeLessThan(1e-8);
});
