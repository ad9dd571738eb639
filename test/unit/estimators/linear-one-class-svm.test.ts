import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { certify, HingeError, LinearOneClassSVM, load } from "../../../src/index.ts";
import { normal } from "../../problems/generate.ts";
import { rejected } from "../../thrown.ts";

const random = new Random(9);
const x = Array.from({ length: 200 }, () => [2 + normal(random), 3 + normal(random), normal(random)].map(Math.fround));

describe("LinearOneClassSVM", () => {
  test("weights whose squares leave the doubles are refused", async () => {
    const message = "bad-input: the weight of row 1 must be from 1e-100 to 1e+100, got";
    for (const weight of [1e200, 1e-200]) {
      const { code, message: said } = await rejected(LinearOneClassSVM.fit([[1], [2]], { sampleWeight: [1, weight] }));
      expect(`${code}: ${said}`).toBe(`${message} ${weight}`);
    }
  });

  for (const nu of [0.05, 0.5, 1]) {
    test(`nu ${nu}: at most that share outside, certified`, async () => {
      const model = await LinearOneClassSVM.fit(x, { nu, tolerance: 1e-6 });
      expect(model.report.status).toBe("converged");
      expect((await certify(model, x)).relativeGap).toBeLessThanOrEqual(1e-6);
      const decision = await model.decision(x);
      const scale = Math.abs(model.rho);
      // Rows on the border to within the tolerance belong to neither side.
      expect(decision.filter((value) => value < -1e-3 * scale).length).toBeLessThanOrEqual(nu * 200);
      expect(model.dual?.filter((a) => a > 0).length).toBeGreaterThanOrEqual(Math.floor(nu * 200));
      const predicted = await model.predict(x);
      expect([...predicted]).toEqual(Array.from(decision, (value) => (value > 0 ? 1 : -1)));
      expect(x.slice(0, 20).map((row) => model.predictOne(row))).toEqual([...predicted.slice(0, 20)]);
    });
  }

  test("weight 2 is the row twice, weight 0 the row absent", async () => {
    const weights = x.map((_, i) => i % 3);
    const options = { nu: 0.3, tolerance: 1e-9 };
    const weighted = await LinearOneClassSVM.fit(x, { ...options, sampleWeight: weights });
    const repeated = x.flatMap((row, i) => Array.from({ length: i % 3 }, () => row));
    const plain = await LinearOneClassSVM.fit(repeated, options);
    const [a, b] = [weighted.report.certificate.primal, plain.report.certificate.primal];
    expect(Math.abs(a - b)).toBeLessThanOrEqual(2e-9 * Math.abs(b));
    expect((await certify(weighted, x, { sampleWeight: weights })).relativeGap).toBeLessThanOrEqual(1e-9);
  });

  test("comes back from JSON and LIBLINEAR's format, with the same decisions", async () => {
    const model = await LinearOneClassSVM.fit(x, { nu: 0.2 });
    const decision = await model.decision(x);
    const again = await load(model.toBytes(), LinearOneClassSVM);
    expect(again.toJSON()).toEqual(model.toJSON());
    const peer = await load(model.toBytes("liblinear"), LinearOneClassSVM);
    expect(await peer.decision(x)).toEqual(decision);
    expect((await certify(peer, x, { nu: 0.2 })).relativeGap).toBeLessThanOrEqual(1e-3 + 1e-6);
    expect((await rejected(certify(peer, x))).message).toMatch(/does not hold nu/);
  });

  test("begun at a model of another nu it finds the same", async () => {
    const near = await LinearOneClassSVM.fit(x, { nu: 0.2 });
    const warm = await LinearOneClassSVM.fit(x, { nu: 0.21, warmStart: near });
    expect(warm.report.certificate.relativeGap).toBeLessThanOrEqual(1e-3);
  });

  test("wrong input is told before any work", async () => {
    const told = async (options: object): Promise<string> => {
      const error = await rejected(LinearOneClassSVM.fit(x, options));
      expect(error).toBeInstanceOf(HingeError);
      return error.message;
    };
    expect(await told({ nu: 0 })).toMatch(/^nu must be a finite number above 0 and at most 1, got 0/);
    expect(await told({ nu: 1.5 })).toMatch(/^nu must be/);
    expect(await told({ sampleWeight: x.map(() => 0) })).toMatch(/^there is no row of weight above 0/);
    expect(await told({ warmStart: { coefficients: new Float64Array(2), rho: 1 } })).toMatch(/^warmStart has 2 features, x has 3/);
  });
});
