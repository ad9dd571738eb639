import { expect, test } from "vitest";
import { LinearSVC, LinearSVR, path, SVC, SVR } from "../../../src/index.ts";
import { sparseSet } from "../../problems/generate.ts";
import { rejected } from "../../thrown.ts";

const set = sparseSet(400, 60, 10, 8);
const Cs = [10, 0.1, 1, 100];

for (const loss of ["hinge", "squared_hinge"] as const) {
  test(`${loss}: the models of a path are those of the fits by themselves, in the order asked`, async () => {
    const options = { loss, tolerance: 1e-8 } as const;
    const models = await path(LinearSVC, set.x, set.y, Cs, options);
    for (const [k, C] of Cs.entries()) {
      const alone = await LinearSVC.fit(set.x, set.y, { ...options, C });
      const { primal, relativeGap } = models[k]?.report.certificate ?? { primal: Number.NaN, relativeGap: Number.NaN };
      expect(relativeGap).toBeLessThanOrEqual(1e-8);
      expect(Math.abs(primal - alone.report.certificate.primal)).toBeLessThanOrEqual(2e-8 * primal);
    }
  });
}

test("from the smallest C on, whatever order is asked: each model is the warm-started fit from the one below it", async () => {
  const options = { loss: "hinge", bias: false, tolerance: 1e-4 } as const;
  const [large, small] = await path(LinearSVC, set.x, set.y, [4, 1], options);
  const first = await LinearSVC.fit(set.x, set.y, { ...options, C: 1 });
  const second = await LinearSVC.fit(set.x, set.y, { ...options, C: 4, warmStart: first });
  expect(small?.coefficients).toEqual(first.coefficients);
  expect(large?.coefficients).toEqual(second.coefficients);
});

test("a path begun at each solution takes fewer passes than fits from nothing", async () => {
  const options = { loss: "hinge", bias: false } as const;
  const near = [1, 1.1, 1.2, 1.3];
  const models = await path(LinearSVC, set.x, set.y, near, options);
  let alone = 0;
  for (const C of near.slice(1)) alone += (await LinearSVC.fit(set.x, set.y, { ...options, C })).report.run?.iterations ?? Number.NaN;
  const together = models.slice(1).reduce((sum, model) => sum + (model.report.run?.iterations ?? Number.NaN), 0);
  expect(together).toBeLessThan(0.8 * alone);
});

test("a path of a regression goes over C and epsilon, in the order asked", async () => {
  const targets = set.y.map((sign, i) => sign + (i % 7) / 10);
  const points = [
    { C: 1, epsilon: 0 },
    { C: 0.1, epsilon: 0.5 },
    { C: 1, epsilon: 0.5 },
  ];
  const options = { loss: "epsilon_insensitive", tolerance: 1e-6 } as const;
  const models = await path(LinearSVR, set.x, targets, points, options);
  expect(models.map(({ C, epsilon }) => ({ C, epsilon }))).toEqual(points);
  for (const [k, point] of points.entries()) {
    const alone = await LinearSVR.fit(set.x, targets, { ...options, ...point });
    const { primal, relativeGap } = models[k]?.report.certificate ?? { primal: Number.NaN, relativeGap: Number.NaN };
    expect(relativeGap).toBeLessThanOrEqual(1e-6);
    expect(Math.abs(primal - alone.report.certificate.primal)).toBeLessThanOrEqual(2e-6 * primal);
  }
  expect((await path(LinearSVR, set.x, targets, [1, 2])).map(({ C }) => C)).toEqual([1, 2]);
  const error = await rejected(path(LinearSVR, set.x, targets, [{ C: 1, epsilon: -1 }]));
  expect(error.message).toMatch(/^Cs must be an array of finite numbers above 0, or of \{ C, epsilon \}, at least one/);
});

test("wrong arguments are refused", async () => {
  expect((await rejected(path(LinearSVC, set.x, set.y, [1], { C: 3 } as object))).message).toBe(
    "C is what a path goes through; leave it out of its options",
  );
  expect((await rejected(path(LinearSVC, set.x, set.y, [1, -1]))).message).toMatch(/at least one, got -1$/);
  expect((await rejected(path(LinearSVC, set.x, set.y, []))).message).toMatch(/at least one, got an array of 0$/);
  expect((await rejected(path(LinearSVC, set.x, set.y, []))).message).toMatch(/^Cs must be an array of finite numbers above 0/);
  expect((await rejected(path(LinearSVC, set.x, set.y, [1, -1]))).message).toMatch(/^Cs must be/);
  expect((await rejected(path({} as typeof LinearSVC, set.x, set.y, [1]))).message).toMatch(/^the estimator of a path must be/);
});

test("kernel machines: each model is the warm-started fit from the one below it, and takes fewer steps than one from nothing", async () => {
  const options = { gamma: 0.05, tolerance: 1e-4 };
  const [large, small] = await path(SVC, set.x, set.y, [2, 1], options);
  const first = await SVC.fit(set.x, set.y, { ...options, C: 1 });
  expect(small?.coefficients).toEqual(first.coefficients);
  expect(large?.coefficients).toEqual((await SVC.fit(set.x, set.y, { ...options, C: 2, warmStart: first })).coefficients);
  const alone = await SVC.fit(set.x, set.y, { ...options, C: 2 });
  expect(large?.report.run?.iterations).toBeLessThan(alone.report.run?.iterations ?? Number.NaN);
  const points = [
    { C: 1, epsilon: 0.1 },
    { C: 1, epsilon: 0.3 },
  ];
  const models = await path(SVR, set.x, set.y, points, options);
  expect(models.map((model) => model.toJSON().problem.epsilon)).toEqual([0.1, 0.3]);
});
