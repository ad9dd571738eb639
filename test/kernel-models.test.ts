// The kernel machines as users meet them: fitted, predicting, saved and loaded.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Random } from "../src/base/random.ts";
import { explain, HingeError, load, matrix, NuSVC, NuSVR, OneClassSVM, SVC, SVR } from "../src/index.ts";
import { multiClassSet, sparseSet } from "./problems/generate.ts";

/** Milliseconds. */
const LONG = 240_000;

const folder = mkdtempSync(join(tmpdir(), "hinge-kernel-"));
afterAll(() => rmSync(folder, { recursive: true }));

const two = sparseSet(200, 8, 4, 5);
const many = multiClassSet(240, 8, 4, 4, 7);
const targets = two.x.map(([indices, values]) =>
  Array.from(indices, (j, k) => Math.cos(j) * (values[k] as number)).reduce((a, b) => a + b, 1),
);
const kernels = [
  { kernel: "rbf", gamma: 0.2 },
  { kernel: "linear" },
  { kernel: "poly", gamma: 0.3, coef0: 1, degree: 3 },
  { kernel: "sigmoid", gamma: 0.05, coef0: 0.1 },
] as const;

const fits = {
  "SVC, two classes": (options: object) => SVC.fit(two.x, two.y, { C: 2, ...options }),
  "SVC, four classes": (options: object) => SVC.fit(many.x, many.y, { C: 2, ...options }),
  "SVC, one against the rest": (options: object) => SVC.fit(many.x, many.y, { C: 2, multiClass: "ovr", ...options }),
  NuSVC: (options: object) => NuSVC.fit(many.x, many.y, { nu: 0.5, ...options }),
  SVR: (options: object) => SVR.fit(two.x, targets, { C: 2, epsilon: 0.05, ...options }),
  NuSVR: (options: object) => NuSVR.fit(two.x, targets, { C: 2, nu: 0.3, ...options }),
  OneClassSVM: (options: object) => OneClassSVM.fit(two.x, { nu: 0.2, ...options }),
};

for (const [name, train] of Object.entries(fits)) {
  describe(name, () => {
    for (const kernel of kernels) {
      // NuSVR with poly takes three fits of 7 s on an idle machine.
      test(
        `${kernel.kernel}: predictOne is predict, bit for bit; JSON brings everything back; threads change nothing`,
        async () => {
          const model = await train(kernel);
          const x = name.includes("two") || /SVR|One/.test(name) ? two.x : many.x;
          expect(model.report.status).toBe("converged");
          const decision = await model.decision(x);
          const outputs = model.biases.length;
          x.slice(0, 40).forEach((row, i) => {
            expect(model.decisionOne(row)).toEqual(decision.slice(i * outputs, (i + 1) * outputs));
          });
          // All of them, and by classes that the core made of decision values.
          expect(Array.from((await model.predict(x)) as ArrayLike<unknown>)).toEqual(x.map((row) => model.predictOne(row)));
          const again = await load(model.toBytes("json"));
          expect(JSON.stringify(again)).toBe(JSON.stringify(model));
          expect(await (again as typeof model).decision(x)).toEqual(decision);
          const others = await Promise.all([1, 7].map((threads) => train({ ...kernel, threads })));
          for (const other of others) expect(other.toBytes("json")).toEqual(model.toBytes("json"));
          expect(await model.decision(x, { threads: 1 })).toEqual(decision);
        },
        LONG,
      );
    }
  });
}

test("features far from 0, where terms of the sum are large and cancel: decision values are those of float64, one row or many", async () => {
  const far = Array.from({ length: 120 }, (_, i) => [10 + Math.sin(i), 10 + Math.cos(3 * i), 10 + Math.sin(i * i)]);
  const labels = far.map(([a = 0, b = 0]) => (a + b > 20 ? 1 : -1));
  const heights = far.map(([a = 0, b = 0]) => Math.sin(a) * b);
  for (const kernel of [
    { kernel: "poly", gamma: 1, coef0: 0, degree: 3 },
    { kernel: "rbf", gamma: 1e-4 },
    // Here it is enough that products are summed in float64.
    { kernel: "rbf", gamma: 0.1 },
  ] as const) {
    for (const model of [
      await SVC.fit(far, labels, { C: 1e4, ...kernel }),
      await SVR.fit(far, heights, { C: 1e4, epsilon: 0.01, ...kernel }),
    ]) {
      const decision = await model.decision(far);
      // One that finds out by itself how it has to predict.
      const alone = (await load(model.toBytes("json"))) as typeof model;
      for (const [i, row] of far.entries()) {
        expect(alone.decisionOne(row)[0]).toBe(decision[i]);
        const [told] = await explain(model, row);
        // A ten thousandth of their scale, 1 of classes and 20 of these heights, by some support vectors; others may be off a little more.
        expect(Math.abs((told?.decision as number) - (decision[i] as number))).toBeLessThan(4e-4 * (model instanceof SVC ? 1 : 20));
      }
    }
  }
});

test("classes are told apart, and predictions are labels", async () => {
  const model = await SVC.fit(
    many.x,
    many.y.map((label) => `class ${label}`),
    { C: 10 },
  );
  expect(model.classes).toEqual(["class 0", "class 1", "class 2", "class 3"]);
  expect(
    await model.score(
      many.x,
      many.y.map((label) => `class ${label}`),
    ),
  ).toBeGreaterThan(0.8);
  expect(model.predictOne(many.x[0] as never)).toBe((await model.predict(many.x))[0]);
  const rest = await SVC.fit(many.x, many.y, { C: 10, multiClass: "ovr" });
  expect(rest.biases.length).toBe(4);
  expect(await rest.score(many.x, many.y)).toBeGreaterThan(0.8);
});

test("a regression follows its targets; nu sets the width of the tube", async () => {
  const model = await SVR.fit(two.x, targets, { C: 100, epsilon: 0.01, kernel: "linear" });
  expect(await model.score(two.x, targets)).toBeGreaterThan(0.99);
  const nu = await NuSVR.fit(two.x, targets, { C: 100, nu: 0.5, kernel: "linear" });
  expect(await nu.score(two.x, targets)).toBeGreaterThan(0.99);
});

test("one class: about nu of the rows are outside", async () => {
  const model = await OneClassSVM.fit(two.x, { nu: 0.2, gamma: 0.2, tolerance: 1e-5 });
  const outside = (await model.predict(two.x)).filter((sign) => sign < 0).length / two.x.length;
  expect(outside).toBeGreaterThan(0.1);
  expect(outside).toBeLessThanOrEqual(0.3);
});

test("a precomputed linear kernel is the linear kernel", async () => {
  const rows = two.x.map(([indices, values]) => {
    const row = new Array<number>(8).fill(0);
    Array.from(indices).forEach((j, k) => {
      row[j] = Math.fround(values[k] as number);
    });
    return row;
  });
  const gram = rows.map((u) => rows.map((v) => u.reduce((sum, value, j) => sum + value * (v[j] as number), 0)));
  const [given, linear] = [
    await SVC.fit(gram, two.y, { kernel: "precomputed", tolerance: 1e-6 }),
    await SVC.fit(rows, two.y, { kernel: "linear", tolerance: 1e-6 }),
  ];
  const [a, b] = [await given.decision(gram), await linear.decision(rows)];
  a.forEach((value, i) => {
    expect(Math.abs(value - (b[i] as number))).toBeLessThan(1e-2);
  });
  await expect(SVC.fit(rows, two.y, { kernel: "precomputed" })).rejects.toThrow(/one column a row: x has 200 rows and 8 columns/);
});

test("what nu allows is said before any work", async () => {
  const y = two.y.map((_, i) => (i < 20 ? 1 : 0));
  await expect(NuSVC.fit(two.x, y, { nu: 0.5 })).rejects.toThrow(/nu must be at most 0.2 for classes 0 and 1/);
  await expect(NuSVC.fit(two.x, y, { nu: 1.5 })).rejects.toThrow(HingeError);
});

test("gamma: scale and auto as scikit-learn has them", async () => {
  const x = matrix([
    [1, 0],
    [0, 3],
    [2, 2],
  ]);
  const values = [1, 0, 0, 3, 2, 2];
  const mean = values.reduce((a, b) => a + b) / 6;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 6;
  expect((await SVC.fit(x, [0, 1, 0])).kernel.gamma).toBeCloseTo(1 / (2 * variance), 12);
  expect((await SVC.fit(x, [0, 1, 0], { gamma: "auto" })).kernel.gamma).toBe(0.5);
  // A row of weight 0 is not there.
  const absent = await SVC.fit(
    [
      [1, 0],
      [0, 3],
      [2, 2],
      [9, 9],
    ],
    [0, 1, 0, 1],
    { sampleWeight: [1, 1, 1, 0] },
  );
  expect(absent.kernel.gamma).toBeCloseTo(1 / (2 * variance), 12);
});

describe("LIBSVM's files", () => {
  for (const kernel of kernels) {
    test(`${kernel.kernel}: five problems, there and back`, async () => {
      for (const [name, train] of Object.entries(fits)) {
        const model = await train(kernel);
        if (name.includes("rest")) {
          expect(() => model.toBytes("libsvm")).toThrow(/save as .json/);
          continue;
        }
        const x = name.includes("two") || /SVR|One/.test(name) ? two.x : many.x;
        // The zero model: a file without support vectors does not say how many features there are.
        if (model.supportVectors.count === 0) continue;
        const path = join(folder, "model");
        await model.save(path);
        const back = (await load(path)) as typeof model;
        expect(back.constructor).toBe(model.constructor);
        expect(back.report.status).toBe("unknown");
        const [a, b] = [await model.decision(x), await back.decision(x)];
        // Eight digits a feature.
        a.forEach((value, i) => {
          expect(Math.abs(value - (b[i] as number))).toBeLessThan(1e-4 * Math.max(1, Math.abs(value)));
        });
      }
    });
  }
});

test("helpers change nothing but the time: the same bytes for one, two and three threads, with rows enough for halves of passes", async () => {
  const random = new Random(5);
  const rows = Array.from({ length: 5000 }, () => Array.from({ length: 4 }, () => 2 * random.unit() - 1));
  const noisy = rows.map(([a = 0, b = 0, c = 0]) => Math.sign(a * b + 0.3 * c + 0.3 * (random.unit() - 0.5)) || 1);
  const x = matrix(rows);
  // Small enough for rows to give way to each other.
  const common = { gamma: 1, cacheBytes: 2e7, C: 2 };
  for (const [Estimator, y] of [
    [SVC, noisy],
    [SVR, rows.map(([a = 0, b = 0], i) => a * b + 0.1 * (noisy[i] as number))],
  ] as const) {
    const models = await Promise.all([1, 2, 3].map((threads) => Estimator.fit(x, y, { ...common, threads })));
    const [one, ...others] = models.map((model) => JSON.stringify(model));
    for (const other of others) expect(other === one).toBe(true);
    expect(models[0]?.report.status).toBe("converged");
  }
}, 60_000);
