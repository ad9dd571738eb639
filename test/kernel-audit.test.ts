// The audit of kernel machines as users meet it: fitted models, loaded ones, spoiled ones, and kernels without a gap.

import { describe, expect, test } from "vitest";
import { Random } from "../src/base/random.ts";
import type { JudgedKernelProblem } from "../src/certify/kernel.ts";
import { functionOf } from "../src/estimators/kernel-outputs.ts";
import {
  certify,
  type KernelCertificate,
  type KernelModel,
  type KernelProgress,
  load,
  matrix,
  NuSVC,
  NuSVR,
  OneClassSVM,
  SVC,
  SVR,
  startPool,
  stopPool,
} from "../src/index.ts";
import { certifyKernel } from "./certify-kernel.ts";
import { flatSet, multiClassSet, sparseSet } from "./problems/generate.ts";
import { rejected } from "./thrown.ts";

const set = sparseSet(200, 9, 5, 5);
const x = matrix(set.x, { featureCount: set.featureCount });
// A line and a wave: no function of low rank meets them all.
const targets = set.x.map(([indices, values], i) =>
  Array.from(indices, (j, k) => Math.cos(j) * (values[k] as number)).reduce((a, b) => a + b, Math.sin(3 * i)),
);
const many = multiClassSet(240, 8, 4, 4, 7);
const weights = set.y.map((_, i) => (i % 4) / 2);
const judge = certify as (model: unknown, x: unknown, ...rest: unknown[]) => Promise<KernelCertificate>;

const kernels = [
  { kernel: "rbf", gamma: 0.2 },
  { kernel: "linear" },
  { kernel: "poly", gamma: 0.3, coef0: 1, degree: 3 },
  { kernel: "sigmoid", gamma: 0.05, coef0: 0.1 },
] as const;

interface Case {
  readonly form: JudgedKernelProblem["form"];
  readonly y: ArrayLike<number> | undefined;
  readonly C?: number;
  readonly nu?: number;
  readonly epsilon?: number;
  train(options: object): Promise<KernelModel>;
}

const cases: readonly Case[] = [
  { form: "c_svc", y: set.y, C: 2, train: (options) => SVC.fit(x, set.y, { C: 2, ...options }) },
  { form: "nu_svc", y: set.y, nu: 0.4, train: (options) => NuSVC.fit(x, set.y, { nu: 0.4, ...options }) },
  { form: "epsilon_svr", y: targets, C: 2, epsilon: 0.1, train: (options) => SVR.fit(x, targets, { C: 2, epsilon: 0.1, ...options }) },
  { form: "nu_svr", y: targets, C: 2, nu: 0.3, train: (options) => NuSVR.fit(x, targets, { C: 2, nu: 0.3, ...options }) },
  { form: "one_class", y: undefined, nu: 0.3, train: (options) => OneClassSVM.fit(x, { nu: 0.3, ...options }) },
];

/** The same model judged by plain sums: no two rows are equal, so each vector is the row with its values. */
function plainly(model: KernelModel, { form, y, C = 1, nu = 0, epsilon = 0 }: Case, own: readonly number[] | undefined): KernelCertificate {
  const { kind } = model.kernel;
  const { starts, indices, values } = model.supportVectors;
  const keyOf = (features: ArrayLike<number>, numbers: ArrayLike<number>): string => `${Array.from(features)}|${Array.from(numbers)}`;
  const rowOf = new Map(set.x.map(([features, numbers], i) => [keyOf(features, Float32Array.from(numbers)), i]));
  const rowIds = set.y.map((_, i) => i).filter((i) => own?.[i] !== 0);
  const costs = rowIds.map((i) => C * (own?.[i] ?? 1));
  const all = new Float64Array(set.y.length);
  model.coefficients.forEach((value, s) => {
    const [from, to] = [starts[s] as number, starts[s + 1] as number];
    all[rowOf.get(keyOf(indices.subarray(from, to), values.subarray(from, to))) as number] = value;
  });
  const size = all.reduce((sum, value) => sum + Math.abs(value), 0);
  const r = form === "nu_svc" && size > 0 ? (nu * costs.reduce((a, b) => a + b, 0)) / size : 1;
  const kernel = functionOf(model.kernel);
  const problem = { form, kernel, rowIds, targets: rowIds.map((i) => y?.[i] ?? 0), costs, nu, epsilon };
  const gapless = kind === "sigmoid" ? "none" : undefined;
  const value = rowIds.map((i) => (all[i] as number) * r);
  return certifyKernel(x, { ...problem, gapless }, { value, bias: (model.biases[0] as number) * r });
}

const withLabels = (one: Case): readonly unknown[] => (one.y === undefined ? [] : [one.y]);

for (const one of cases) {
  for (const kernel of kernels) {
    test(`${one.form}, ${kernel.kernel}: what plain float64 says, and about what the report says; with weights, too; JSON changes nothing`, async () => {
      for (const sampleWeight of [undefined, weights]) {
        const model = await one.train({ ...kernel, sampleWeight });
        const options = sampleWeight === undefined ? {} : { sampleWeight };
        const judged = await judge(model, x, ...withLabels(one), options);
        const plain = plainly(model, one, sampleWeight);
        // Some hundred terms in two orders, and kernel values right to some ulp.
        const size = Math.max(Math.abs(plain.primal), Math.abs(plain.dual));
        const slack = 1e-11 * size;
        expect(Math.abs(judged.primal - plain.primal)).toBeLessThanOrEqual(slack);
        // At rest the model is no dual point, and the audit finds a better one than what is nearest to none.
        if (model.supportVectors.count === 0) expect(judged.dual).toBeGreaterThan(plain.dual);
        else expect(Math.abs(judged.dual - plain.dual)).toBeLessThanOrEqual(slack);
        const { certificate } = model.report;
        // The report's is an upper bound from float32 kernel values; the model is what both are about.
        if (certificate === undefined) throw new Error("a fitted model has a certificate");
        expect(Math.abs(judged.primal - certificate.primal)).toBeLessThanOrEqual(1e-3 * size);
        if (plain.relativeGap === null || judged.relativeGap === null) {
          expect(kernel.kernel).toBe("sigmoid");
          expect(certificate.relativeGap).toBe(null);
        } else {
          if (model.supportVectors.count > 0) expect(Math.abs(judged.relativeGap - plain.relativeGap)).toBeLessThanOrEqual(1e-10);
          expect(judged.relativeGap).toBeLessThanOrEqual(1e-3 + 1e-6);
        }
        expect(await judge(await load(model.toBytes("json")), x, ...withLabels(one), options)).toEqual(judged);
      }
    });
  }
}

describe("several classes", () => {
  for (const multiClass of ["ovo", "ovr"] as const) {
    test(`${multiClass}: the worst problem, near what the report says`, async () => {
      const model = await SVC.fit(many.x, many.y, { C: 2, gamma: 0.2, multiClass, tolerance: 1e-5 });
      const judged = await certify(model, many.x, many.y);
      expect(judged.relativeGap).toBeLessThanOrEqual(1e-5 + 1e-6);
      const primals = (model.report.run?.problems ?? []).map(({ certificate }) => certificate.primal);
      const nearest = Math.min(...primals.map((primal) => Math.abs(primal / judged.primal - 1)));
      expect(nearest).toBeLessThanOrEqual(1e-5);
    });
  }

  test("nu-SVC, labels as words, weights of classes", async () => {
    const y = many.y.map((m) => ["ash", "elm", "fir", "oak"][m] as string);
    const classWeight = { ash: 2, oak: 0.5 };
    const model = await NuSVC.fit(many.x, y, { nu: 0.3, gamma: 0.2, classWeight });
    expect((await certify(model, many.x, y, { classWeight })).relativeGap).toBeLessThanOrEqual(1e-3 + 1e-6);
  });
});

test("the same bytes for 1, 2 and 7 threads, in memory and copied", async () => {
  const large = flatSet(1500, 12, 3);
  // Labels that mean nothing at a small C: nearly all rows hold the model up, and the audit has many blocks.
  const random = new Random(1);
  const y = large.y.map(() => (random.unit() < 0.5 ? 1 : -1));
  const model = await SVC.fit(large.x, y, { C: 0.1, gamma: 0.5 });
  expect(model.supportVectors.count).toBeGreaterThan(1200);
  const all = await Promise.all([1, 2, 7].map((threads) => certify(model, large.x, y, { threads })));
  expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
  const classes = await SVC.fit(many.x, many.y);
  const pairs = await Promise.all([1, 2, 7].map((threads) => certify(classes, many.x, many.y, { threads })));
  expect(new Set(pairs.map((one) => JSON.stringify(one))).size).toBe(1);
  stopPool();
  startPool({ sharedMemory: false });
  try {
    expect(await certify(model, large.x, y)).toEqual(all[0]);
    expect(await certify(classes, many.x, many.y)).toEqual(pairs[0]);
  } finally {
    stopPool();
  }
});

describe("a spoiled model has a larger gap", () => {
  for (const one of cases) {
    test(one.form, async () => {
      const model = await one.train({ gamma: 0.2, tolerance: 1e-6 });
      const gapOf = async (spoil: (json: { coefficients: number[]; biases: number[] }) => void): Promise<number> => {
        const json = JSON.parse(JSON.stringify(model)) as { coefficients: number[]; biases: number[] };
        spoil(json);
        const { relativeGap } = await judge(await load(new TextEncoder().encode(JSON.stringify(json))), x, ...withLabels(one));
        return relativeGap as number;
      };
      const whole = await gapOf(() => undefined);
      expect(whole).toBeLessThanOrEqual(2e-6);
      const moved = await gapOf(({ biases }) => {
        biases[0] = (biases[0] as number) + 0.05;
      });
      const halved = await gapOf(({ coefficients }) => {
        coefficients[3] = 0.5 * (coefficients[3] as number);
      });
      const turned = await gapOf(({ coefficients }) => {
        coefficients[3] = -(coefficients[3] as number);
      });
      for (const gap of [moved, halved, turned]) expect(gap).toBeGreaterThan(10 * whole);
    });
  }
});

describe("models in LIBSVM's format", () => {
  for (const one of cases) {
    test(`${one.form}: 8 digits of the features are enough to find the rows; the constants must be given`, async () => {
      const model = await one.train({ gamma: 0.2 });
      const loaded = await load(model.toBytes("libsvm"));
      const { C, nu, epsilon } = one;
      const given = Object.fromEntries(Object.entries({ C, nu, epsilon }).filter(([, value]) => value !== undefined));
      const judged = await judge(loaded, x, ...withLabels(one), given);
      const whole = await judge(model, x, ...withLabels(one));
      const size = Math.abs(whole.primal);
      // Coefficients have 17 digits in the file.
      expect(Math.abs(judged.primal - whole.primal)).toBeLessThanOrEqual(1e-12 * size);
      expect(Math.abs(judged.dual - whole.dual)).toBeLessThanOrEqual(1e-12 * size);
      const error = await rejected(judge(loaded, x, ...withLabels(one)));
      const names = Object.keys(given).join(" and ");
      expect(error.code).toBe("bad-option");
      expect(error.message).toContain(`the model's file does not hold ${names}; give ${names.includes("and") ? "those" : "the one"}`);
    });
  }

  test("of three classes and more, in the file's order", async () => {
    const model = await SVC.fit(many.x, many.y, { C: 2, gamma: 0.2 });
    const loaded = await load(model.toBytes("libsvm"), SVC);
    const [judged, whole] = [await certify(loaded, many.x, many.y, { C: 2 }), await certify(model, many.x, many.y)];
    expect(Math.abs(judged.primal / whole.primal - 1)).toBeLessThanOrEqual(1e-12);
  });

  test("equal rows: of both classes, with different targets, with different weights", async () => {
    const rows = set.x.slice(0, 60).flatMap((row) => [row, row]);
    const labels = rows.map((_, i) => (i % 2 === 0 ? (set.y[i >> 1] as number) : i % 3 === 0 ? -1 : 1));
    const aims = rows.map((_, i) => (targets[i >> 1] as number) + (i % 2 === 0 ? 1 : -1));
    const sampleWeight = rows.map((_, i) => 1 + (i % 5));
    const both = await SVC.fit(rows, labels, { gamma: 0.2, sampleWeight, tolerance: 1e-6 });
    const file = await load(both.toBytes("libsvm"), SVC);
    expect((await certify(file, rows, labels, { C: 1, sampleWeight })).relativeGap).toBeLessThanOrEqual(1e-5);
    const line = await SVR.fit(rows, aims, { gamma: 0.2, tolerance: 1e-6 });
    const lineFile = await load(line.toBytes("libsvm"), SVR);
    expect((await certify(lineFile, rows, aims, { C: 1, epsilon: 0.1 })).relativeGap).toBeLessThanOrEqual(1e-5);
  });
});

describe("kernels without a gap", () => {
  const gram = set.x.map((_, i) => set.x.map((_, j) => plainDot(i, j)));
  function plainDot(i: number, j: number): number {
    const [a, b] = [set.x[i], set.x[j]].map((row) => new Map(Array.from(row?.[0] ?? [], (feature, k) => [feature, row?.[1][k] as number])));
    return Math.fround([...(a ?? [])].reduce((sum, [feature, value]) => sum + value * (b?.get(feature) ?? 0), 0));
  }

  test("sigmoid: stopped by violation, which report, JSON and audit tell with the reason", async () => {
    for (const one of cases) {
      const seen: KernelProgress[] = [];
      const model = await one.train({
        kernel: "sigmoid",
        gamma: 0.1,
        coef0: -0.5,
        onProgress: (progress: KernelProgress) => seen.push(progress),
      });
      expect(model.report.status).toBe("converged");
      const { certificate } = model.report;
      const judged = await judge(model, x, ...withLabels(one));
      for (const found of [certificate, judged, ((await load(model.toBytes("json"))) as KernelModel).report.certificate]) {
        if (found?.relativeGap !== null) throw new Error("there is no gap");
        // The rule is 1e-3; the audit's kernel values are not those in float32 that the fit stopped by.
        expect(found.violation).toBeLessThanOrEqual(1e-3 + 1e-5);
        expect(found.reason).toContain("sigmoid");
      }
      for (const { relativeGap, violation } of seen) expect([relativeGap, typeof violation]).toEqual([null, "number"]);
    }
  });

  test("files: a certificate without a gap needs its violation and reason, and one with a gap has neither", async () => {
    const model = await SVC.fit(x, set.y, { kernel: "sigmoid", gamma: 0.1 });
    const json = JSON.parse(JSON.stringify(model)) as { certificate: Record<string, unknown> };
    const loaded = (certificate: unknown): Promise<unknown> =>
      load(new TextEncoder().encode(JSON.stringify({ ...json, certificate })), SVC);
    expect(Object.keys(json.certificate)).toEqual(["primal", "dual", "relativeGap", "violation", "reason"]);
    await loaded({ primal: 1, dual: 0.5, relativeGap: 0.5 });
    for (const wrong of [
      { primal: 1, dual: 0.5, relativeGap: null },
      { ...json.certificate, relativeGap: 0.5 },
      { ...json.certificate, reason: undefined },
      { ...json.certificate, violation: "0" },
    ]) {
      expect((await rejected(loaded(wrong))).code).toBe("bad-model");
    }
  });

  test("nu-SVC and one class are not taken for the zero model where v'Kv is below 0", async () => {
    // tanh(0.2 u'v - 2) is below 0 almost everywhere.
    for (const model of [
      await OneClassSVM.fit(x, { kernel: "sigmoid", gamma: 0.01, coef0: -2, nu: 0.3 }),
      await NuSVC.fit(x, set.y, { kernel: "sigmoid", gamma: 0.01, coef0: -2, nu: 0.3 }),
    ]) {
      expect(model.supportVectors.count).toBeGreaterThan(0);
      expect(model.report.certificate.relativeGap).toBe(null);
    }
  });

  test("a polynomial with a coef0 below 0", async () => {
    const model = await SVC.fit(x, set.y, { kernel: "poly", gamma: 0.1, coef0: -0.5, degree: 2 });
    expect(model.report.status).toBe("converged");
    expect(model.report.certificate).toMatchObject({ relativeGap: null });
  });

  test("precomputed: a gap if psd says so, in the audit as in the fit", async () => {
    const without = await SVC.fit(gram, set.y, { kernel: "precomputed" });
    expect(without.report.certificate).toMatchObject({ relativeGap: null });
    expect(await certify(without, gram, set.y)).toMatchObject({ relativeGap: null });
    const model = await SVC.fit(gram, set.y, { kernel: "precomputed", psd: true, tolerance: 1e-4 });
    expect(model.report.certificate.relativeGap).toBeLessThanOrEqual(1e-4);
    for (const one of [model, await load(model.toBytes("json"), SVC)]) {
      expect((await certify(one, gram, set.y)).relativeGap).toBeLessThanOrEqual(1e-4 + 1e-6);
    }
    const file = await load(model.toBytes("libsvm"), SVC);
    expect(await certify(file, gram, set.y, { C: 1 })).toMatchObject({ relativeGap: null });
    expect((await certify(file, gram, set.y, { C: 1, psd: true })).relativeGap).toBeLessThanOrEqual(1e-4 + 1e-6);
    // The same problem by its rows.
    const linear = await SVC.fit(x, set.y, { kernel: "linear", tolerance: 1e-4 });
    expect(Math.abs(model.report.certificate.primal / linear.report.certificate.primal - 1)).toBeLessThanOrEqual(3e-4);
  });
});

test("a model at rest, w = 0, is proved by a dual point that the audit finds", async () => {
  for (const model of [await NuSVC.fit(x, set.y, { kernel: "linear", nu: 0.4 }), await OneClassSVM.fit(x, { kernel: "linear", nu: 0.3 })]) {
    expect(model.supportVectors.count).toBe(0);
    const judged = await judge(model, x, ...(model instanceof NuSVC ? [set.y] : []));
    expect(judged.primal).toBe(0);
    expect(judged.relativeGap).toBeLessThanOrEqual(1e-3);
  }
});

test("a model without support vectors: everything lies in the tube", async () => {
  const model = await SVR.fit(x, targets, { epsilon: 100 });
  expect(model.supportVectors.count).toBe(0);
  for (const one of [model, await load(model.toBytes("json"), SVR)])
    expect(await certify(one, x, targets)).toEqual({ primal: 0, dual: 0, relativeGap: 0 });
});

test("a model with w = 0 that is held up by its rows: both classes have the same ones", async () => {
  const rows = [
    [1, 0],
    [0, 1],
    [1, 0],
    [0, 1],
    [-1, -1],
    [-1, -1],
  ];
  const y = [1, 1, -1, -1, 1, -1];
  const model = await NuSVC.fit(rows, y, { kernel: "linear", nu: 0.8 });
  expect((await certify(model, rows, y)).relativeGap).toBeLessThanOrEqual(1e-3);
});

describe("what the audit refuses", () => {
  test("constants that the model has not, or has otherwise", async () => {
    const svc = await SVC.fit(x, set.y, { C: 2 });
    expect((await rejected(certify(svc, x, set.y, { C: 1 }))).message).toBe(
      "C must be the one that the model was fitted with, 2, or left out, got 1",
    );
    expect((await rejected(certify(svc, x, set.y, { nu: 0.5 }))).message).toBe("nu must be left out: SVC has none, got 0.5");
    const svr = await SVR.fit(x, targets);
    expect((await rejected(certify(svr, x, targets, { classWeight: "balanced" }))).message).toBe(
      'classWeight must be left out: SVR has no classes, got "balanced"',
    );
    const file = await load((await NuSVR.fit(x, targets)).toBytes("libsvm"), NuSVR);
    expect((await rejected(certify(file, x, targets))).message).toBe(
      "the model's file does not hold C and nu; give those it was trained with: certify(model, x, y, { C: 1, nu: 0.5 })",
    );
    const border = await load((await OneClassSVM.fit(x)).toBytes("libsvm"), OneClassSVM);
    expect((await rejected(certify(border, x))).message).toBe(
      "the model's file does not hold nu; give the one it was trained with: certify(model, x, { nu: 0.5 })",
    );
    const labels = "a one-class model has no labels or targets; leave y out: certify(model, x), or certify(model, x, { nu: 0.5 })";
    expect((await rejected(judge(border, x, set.y, { nu: 0.5 }))).message).toBe(labels);
  });

  test("weights where there were none, and none where there were", async () => {
    const [without, weighted] = [await SVC.fit(x, set.y), await SVC.fit(x, set.y, { classWeight: "balanced" })];
    expect((await rejected(certify(without, x, set.y, { sampleWeight: weights }))).message).toBe(
      "the model was fitted without weights; certify it without classWeight or sampleWeight",
    );
    expect((await rejected(certify(weighted, x, set.y))).message).toBe(
      "the model was fitted with weights; give the same classWeight or sampleWeight to certify",
    );
  });

  test("rows, labels and classes that are not those of the training", async () => {
    const model = await SVC.fit(x, set.y);
    const loaded = await load(model.toBytes("json"), SVC);
    const other = sparseSet(200, 9, 5, 6);
    const rows = matrix(other.x, { featureCount: 9 });
    expect((await rejected(certify(loaded, rows, other.y))).message).toMatch(
      /^support vector \d+ of the model is no row of x with its class and a weight above 0; an audit needs the training rows, labels and weights$/,
    );
    expect((await rejected(certify(model, matrix(set.x.slice(1), { featureCount: 9 }), set.y.slice(1)))).message).toBe(
      "x has 199 rows, the model was fitted on 200; an audit needs the training rows",
    );
    expect((await rejected(certify(model, matrix(set.x, { featureCount: 11 }), set.y))).message).toBe(
      "x has 11 features, the model 9; an audit needs the training rows",
    );
    expect(
      (
        await rejected(
          certify(
            model,
            x,
            set.y.map((label) => label + 5),
          ),
        )
      ).message,
    ).toBe("y has the classes 4 and 6, the model -1 and 1");
  });
});
