// What must hold for every data set: equivalences, not numbers. Both sides are solved to a gap of 1e-9, so their objectives
// differ by at most that, relatively; 2e-9 is allowed where both sides are inexact.

import fc from "fast-check";
import { expect, test } from "vitest";
import { LinearSVC, type LinearSvcOptions, type RowsInput } from "../../src/index.ts";

const TOLERANCE = 1e-9;
const runs = { numRuns: 30, seed: 20261115 };

const problem = fc.tuple(fc.integer({ min: 2, max: 14 }), fc.integer({ min: 1, max: 6 })).chain(([rowCount, featureCount]) =>
  fc.record({
    x: fc.array(
      fc.array(
        fc.integer({ min: -8, max: 8 }).map((k) => k / 4),
        { minLength: featureCount, maxLength: featureCount },
      ),
      {
        minLength: rowCount,
        maxLength: rowCount,
      },
    ),
    y: fc.array(fc.constantFrom(-1, 1), { minLength: rowCount, maxLength: rowCount }).map((labels) => [1, -1, ...labels.slice(2)]),
    loss: fc.constantFrom("hinge" as const, "squared_hinge" as const),
    bias: fc.constantFrom("augmented" as const, false as const),
    C: fc.constantFrom(0.1, 1, 3),
  }),
);

async function objective(x: RowsInput, y: readonly number[], options: LinearSvcOptions): Promise<number> {
  const model = await LinearSVC.fit(x, y, { tolerance: TOLERANCE, maxIterations: 1_000_000, ...options });
  expect(model.report.status).toBe("converged");
  return model.report.certificate.primal;
}

function near(a: number, b: number): void {
  expect(Math.abs(a - b)).toBeLessThanOrEqual(2 * TOLERANCE * Math.max(Math.abs(a), Math.abs(b)));
}

/** A property of all problems. */
function always(name: string, check: (data: typeof problem extends fc.Arbitrary<infer T> ? T : never) => Promise<void>): void {
  test(name, () => fc.assert(fc.asyncProperty(problem, check), runs));
}

always("shrinking changes the path, not the answer", async ({ x, y, ...options }) => {
  near(await objective(x, y, { ...options, shrinking: true }), await objective(x, y, { ...options, shrinking: false }));
});

always("another seed finds the same optimum", async ({ x, y, ...options }) => {
  near(await objective(x, y, { ...options, seed: 1 }), await objective(x, y, { ...options, seed: 987654321 }));
});

always("sparse rows mean the same as dense ones", async ({ x, y, ...options }) => {
  const sparse = x.map((row) => Object.fromEntries(row.flatMap((value, j) => (value === 0 ? [] : [[j, value]]))));
  near(await objective(x, y, options), await objective(sparse, y, options));
});

always("the order of rows and columns does not matter", async ({ x, y, ...options }) => {
  const turned = x.map((row) => [...row].reverse()).reverse();
  near(await objective(x, y, options), await objective(turned, [...y].reverse(), options));
});

always("swapping the labels turns the model around", async ({ x, y, ...options }) => {
  near(
    await objective(x, y, options),
    await objective(
      x,
      y.map((label) => -label),
      options,
    ),
  );
});

always("weight 2 is the row twice, weight 0 the row absent", async ({ x, y, ...options }) => {
  const weights = x.map((_, i) => (i < 2 ? 1 : i % 3));
  const repeated = weights.flatMap((weight, i) => Array.from({ length: weight }, () => i));
  near(
    await objective(x, y, { ...options, sampleWeight: weights }),
    await objective(
      repeated.map((i) => x[i] as number[]),
      repeated.map((i) => y[i] as number),
      options,
    ),
  );
});

always("a class weight is a sample weight on all rows of the class", async ({ x, y, ...options }) => {
  near(
    await objective(x, y, { ...options, classWeight: { "1": 2, "-1": 0.5 } }),
    await objective(x, y, { ...options, sampleWeight: y.map((label) => (label === 1 ? 2 : 0.5)) }),
  );
});

always("balanced classes weigh alike", async ({ x, y, ...options }) => {
  const count = (label: number): number => y.filter((other) => other === label).length;
  near(
    await objective(x, y, { ...options, classWeight: "balanced" }),
    await objective(x, y, { ...options, sampleWeight: y.map((label) => y.length / (2 * count(label))) }),
  );
});

always("a column of zeros changes nothing", async ({ x, y, ...options }) => {
  near(
    await objective(x, y, options),
    await objective(
      x.map((row) => [...row, 0]),
      y,
      options,
    ),
  );
});

always("rows times s with C / s^2 have their optimum divided by s^2", async ({ x, y, C, loss }) => {
  const scaled = x.map((row) => row.map((value) => 4 * value));
  near(await objective(x, y, { C, loss, bias: false }), 16 * (await objective(scaled, y, { C: C / 16, loss, bias: false })));
});

always("the same seed gives the same bytes", async ({ x, y, ...options }) => {
  const [first, second] = await Promise.all([0, 1].map(() => LinearSVC.fit(x, y, options)));
  expect(first?.toBytes()).toEqual(second?.toBytes());
});

always("predictOne and decisionOne agree with predict and decision bit for bit, dense or sparse", async ({ x, y, ...options }) => {
  const model = await LinearSVC.fit(x, y, options);
  const decision = await model.decision(x);
  const sparse = x.map((row) => Object.fromEntries(row.flatMap((value, j) => (value === 0 ? [] : [[j, value]]))));
  expect(await model.decision(sparse)).toEqual(decision);
  expect(Float64Array.from(x.flatMap((row) => [...model.decisionOne(row)]))).toEqual(decision);
  expect(Float64Array.from(sparse.flatMap((row) => [...model.decisionOne(row)]))).toEqual(decision);
  expect(x.map((row) => model.predictOne(row))).toEqual(await model.predict(x));
});

always("a saved model predicts what the fitted one did", async ({ x, y, ...options }) => {
  const model = await LinearSVC.fit(x, y, options);
  const copy = LinearSVC.fromJSON(JSON.parse(JSON.stringify(model)));
  expect(await copy.decision(x)).toEqual(await model.decision(x));
  expect(copy.toBytes()).toEqual(model.toBytes());
});
