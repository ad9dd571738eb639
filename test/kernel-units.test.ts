// Rows whose values are multiples of a unit, pixels say, go another way through the core (core/kernel/units.ts): fits and predictions.

import { describe, expect, test } from "vitest";
import { exp32 } from "../src/base/float32.ts";
import { Random } from "../src/base/random.ts";
import { certify, load, matrix, SVC, SVR } from "../src/index.ts";

const random = new Random(11);
const FEATURES = 41;
/** Pictures: what a class has in common, and some noise, in 255ths with six digits. */
const wholes = Array.from({ length: 400 }, (_, i) =>
  Array.from({ length: FEATURES }, (_, j) => {
    const own = (j * (1 + (i % 3))) % 5 === 0 ? 160 : 0;
    return random.unit() < 0.3 ? Math.floor(256 * random.unit()) : own;
  }),
);
const pixel = (whole: number): number => Number((whole / 255).toPrecision(6));
const rows = wholes.map((row) => row.map(pixel));
const sparse = rows.map((row) => Object.fromEntries(row.flatMap((value, j) => (value === 0 ? [] : [[j, value]]))));
const labels = rows.map((_, i) => (random.unit() < 0.05 ? (i + 1) % 3 : i % 3));
const options = { C: 5, gamma: 0.1 };

const { fround } = Math;
/** K as whole numbers say it. */
function kernelOf(a: readonly number[], b: readonly number[], gamma: number): number {
  const dot = (u: readonly number[], v: readonly number[]): number =>
    fround(fround(u.reduce((sum, k, j) => sum + k * (v[j] as number), 0)) / fround(255 * 255));
  const distance = fround(fround(dot(a, a) + dot(b, b)) - fround(2 * dot(a, b)));
  return exp32(-fround(fround(gamma) * Math.max(distance, 0)));
}

describe("fits", () => {
  test("of dense and of sparse rows are the same, bit for bit, by one thread and by two, and the audit in float64 agrees", async () => {
    const dense = await SVC.fit(rows, labels, options);
    for (const [x, threads] of [
      [sparse, 1],
      [rows, 2],
      [matrix(sparse), 2],
    ] as const) {
      const other = await SVC.fit(x, labels, { ...options, threads });
      expect(other.toBytes("libsvm")).toEqual(dense.toBytes("libsvm"));
    }
    const audit = await certify(dense, rows, labels, { C: options.C });
    expect(audit.relativeGap).toBeLessThan(1.1e-3);
    expect(dense.report.status).toBe("converged");
  });

  test("see whole numbers only: what rows are off by within the tolerance changes no bit", async () => {
    const near = rows.map((row, i) => row.map((value, j) => value + ((i + j) % 5) * 1e-7));
    const [own, other] = [await SVC.fit(rows, labels, options), await SVC.fit(near, labels, options)];
    expect(other.toJSON().coefficients).toEqual(own.toJSON().coefficients);
    expect(other.biases).toEqual(own.biases);
    // And one value between multiples changes the way, and the bits.
    const off = rows.map((row, i) => (i === 0 ? row.with(0, (row[0] as number) + 2e-5) : row));
    const float = await SVC.fit(off, labels, options);
    expect(float.biases).not.toEqual(own.biases);
    expect(float.biases.map((bias, m) => Math.abs(bias - (own.biases[m] as number))).every((by) => by < 0.02)).toBe(true);
  });

  test("of other kernels, and down to small gaps", async () => {
    for (const kernel of [
      { kernel: "poly", gamma: 0.05, coef0: 1, degree: 2 },
      { kernel: "rbf", gamma: 0.3 },
    ] as const) {
      const model = await SVC.fit(rows, labels, { ...kernel, C: 1, tolerance: 1e-7 });
      expect(model.report.status).toBe("converged");
      expect((await certify(model, rows, labels, { C: 1 })).relativeGap).toBeLessThan(2e-7);
    }
    const targets = rows.map((row) => (row[0] as number) + 2 * (row[5] as number) ** 2);
    const model = await SVR.fit(sparse, targets, { gamma: 0.02, epsilon: 0.05, C: 3, tolerance: 1e-5 });
    expect((await certify(model, rows, targets, { C: 3, epsilon: 0.05 })).relativeGap).toBeLessThan(2e-5);
  });
});

describe("predictions", () => {
  const file = (vectors: readonly (readonly number[])[]): Uint8Array => {
    const lines = vectors.map(
      (row, i) => `${((i * 5) % 7) - 3} ${row.flatMap((value, j) => (value === 0 ? [] : [`${j + 1}:${value}`])).join(" ")}`,
    );
    return new TextEncoder().encode(
      [
        "svm_type epsilon_svr",
        "kernel_type rbf",
        "gamma 0.07",
        "nr_class 2",
        `total_sv ${vectors.length}`,
        "rho 0.25",
        "SV",
        ...lines,
        "",
      ].join("\n"),
    );
  };
  const vectorsOf = (count: number): number[][] =>
    rows.slice(0, count).map((row, i) => row.map((value, j) => ((i + j) % 3 === 0 ? value : 0)));
  const vectors = vectorsOf(90);
  const vectorWholes = wholes.slice(0, 90).map((row, i) => row.map((k, j) => ((i + j) % 3 === 0 ? k : 0)));
  /** On the grid and off it, in turns of all lengths. */
  const mixed = rows.map((row, i) => (i % 7 < i % 5 ? row.with(3, 0.1234567 + i) : row));

  test("are sums of what whole numbers say", async () => {
    const model = (await load(file(vectors))) as SVR;
    const decision = await model.decision(rows);
    rows.forEach((_, i) => {
      const sum = vectorWholes.reduce((all, v, k) => all + (((k * 5) % 7) - 3) * kernelOf(v, wholes[i] as number[], 0.07), 0);
      expect(decision[i]).toBe(sum - 0.25);
    });
  });

  test.each([1, 8, 9, 16, 17, 63, 64, 65, 400])("of %d rows, some of them off the grid, are those of each alone", async (count) => {
    const [model, alone] = (await Promise.all([load(file(vectors)), load(file(vectors))])) as [SVR, SVR];
    for (const x of [mixed.slice(0, count), mixed.slice(-count), sparse.slice(0, count)]) {
      const decision = await model.decision(x);
      expect(Array.from(decision)).toEqual(x.map((row) => alone.decisionOne(row)[0]));
    }
  });

  test("of more support vectors than are finished together", async () => {
    const [model, alone] = (await Promise.all([load(file(vectorsOf(390))), load(file(vectorsOf(390)))])) as [SVR, SVR];
    const decision = await model.decision(rows);
    expect(Array.from(decision)).toEqual(rows.map((row) => alone.decisionOne(row)[0]));
  });

  test("are the same in a matrix that threads share, which is predicted by several of them", async () => {
    const model = (await load(file(vectors))) as SVR;
    const many = Array.from({ length: 9000 }, (_, i) => mixed[i % mixed.length] as number[]);
    const decision = await model.decision(matrix(many), { threads: 2 });
    many.forEach((row, i) => {
      if (i % 97 === 0) expect(decision[i]).toBe(model.decisionOne(row)[0]);
    });
    expect(Array.from(decision.subarray(0, 400))).toEqual(Array.from(decision.subarray(400, 800)));
  });

  test("of rows with more features than the model's file has", async () => {
    const model = (await load(file(vectors.map((row) => row.slice(0, 36))))) as SVR;
    const decision = await model.decision(mixed);
    expect(Array.from(decision)).toEqual(mixed.map((row) => model.decisionOne(row)[0]));
  });
});
