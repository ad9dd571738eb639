// explain: weights by feature, and what carried a prediction. Parts, rest and bias are the decision value.

import { describe, expect, test } from "vitest";
import {
  columns,
  explain,
  LinearOneClassSVM,
  LinearSVC,
  LinearSVR,
  MinMaxScaler,
  NuSVC,
  OneClassSVM,
  pipeline,
  StandardScaler,
  SVC,
  SVR,
} from "../src/index.ts";
import { rejected } from "./thrown.ts";

const x = Array.from({ length: 60 }, (_, i) => [Math.sin(i), Math.cos(3 * i), (i % 7) / 7, 0]);
const y = x.map(([a = 0, b = 0]) => (a > 0.3 ? "right" : b > 0 ? "up" : "down"));
const two = y.map((label) => (label === "right" ? 1 : -1));
const t = x.map(([a = 0, b = 0]) => 2 * a - 3 * b);
const row = [0.4, -0.2, 0.5, 0];

test("weights of a linear model: by class, by name, the largest first", async () => {
  const model = await LinearSVC.fit(x, y, { C: 10 });
  const names = ["east", "north", "week", "nothing"];
  const found = await explain(model, { count: 2, featureNames: names });
  expect(found.map(({ positive, negative }) => [positive, negative])).toEqual([
    ["down", undefined],
    ["right", undefined],
    ["up", undefined],
  ]);
  found.forEach(({ bias, up, down }, m) => {
    expect(bias).toBe(model.biases[m]);
    const w = Array.from(model.coefficients.subarray(4 * m, 4 * m + 4));
    const rising = (sign: number) =>
      [0, 1, 2, 3].filter((j) => sign * (w[j] as number) > 0).sort((a, b) => sign * ((w[b] as number) - (w[a] as number)));
    expect(up).toEqual(
      rising(1)
        .slice(0, 2)
        .map((feature) => ({ feature, name: names[feature], weight: w[feature] })),
    );
    expect(down).toEqual(
      rising(-1)
        .slice(0, 2)
        .map((feature) => ({ feature, name: names[feature], weight: w[feature] })),
    );
  });
  expect(found[1]?.up[0]?.name).toBe("east");
  const [binary] = await explain(await LinearSVC.fit(x, two));
  expect([binary?.positive, binary?.negative, binary?.up[0]?.name]).toEqual([1, -1, undefined]);
  const [slope] = await explain(await LinearSVR.fit(x, t, { epsilon: 0.01, C: 10 }));
  expect([slope?.positive, slope?.up[0]?.feature, slope?.down[0]?.feature]).toEqual([undefined, 0, 1]);
});

describe("what carried a prediction adds up to the decision value", () => {
  for (const [name, train] of [
    ["LinearSVC", () => LinearSVC.fit(x, y)],
    ["LinearOneClassSVM", () => LinearOneClassSVM.fit(x)],
    ["SVC rbf, three classes", () => SVC.fit(x, y, { gamma: 1 })],
    ["SVC, each against the rest", () => SVC.fit(x, y, { gamma: 1, multiClass: "ovr" })],
    ["SVC poly", () => SVC.fit(x, two, { kernel: "poly", gamma: 0.5, coef0: 1 })],
    ["SVC sigmoid", () => SVC.fit(x, two, { kernel: "sigmoid", gamma: 0.2, coef0: -0.1 })],
    ["SVC linear", () => SVC.fit(x, two, { kernel: "linear" })],
    ["a function", () => SVC.fit(x, two, { kernel: (u, v) => u.reduce((sum, value, k) => sum + value * (v[k] as number), 1), psd: true })],
    ["NuSVC", () => NuSVC.fit(x, y, { gamma: 1, nu: 0.2 })],
    ["SVR", () => SVR.fit(x, t, { gamma: 0.5 })],
    ["OneClassSVM", () => OneClassSVM.fit(x, { gamma: 0.5 })],
  ] as const) {
    test(name, async () => {
      const model = await train();
      const wanted = "decision" in model ? await model.decision([row]) : new Float64Array();
      const found = await explain(model as SVC, row, { count: 3 });
      expect(found).toHaveLength(wanted.length);
      found.forEach(({ decision, parts, rest, bias }, m) => {
        // predictions are made with float32 kernel values; of sums of sizes of coefficients they are off by some 2^-23.
        const size = Array.from(model.coefficients).reduce((sum, c) => sum + Math.abs(c), 1);
        expect(Math.abs(decision - (wanted[m] as number))).toBeLessThan(1e-6 * size);
        expect(parts.length).toBeLessThanOrEqual(3);
        expect(decision).toBeCloseTo(
          parts.reduce((sum, { part }) => sum + part, rest + bias),
          12,
        );
        parts.forEach(({ part }, k) => {
          expect(Math.abs(part)).toBeLessThanOrEqual(Math.abs(parts[k - 1]?.part ?? Infinity));
        });
      });
    });
  }
});

test("support vectors are named by their training rows, the nearest first under an rbf kernel of one class", async () => {
  const model = await SVC.fit(x, two, { gamma: 5, C: 100 });
  const [found] = await explain(model, x[7] as number[], { count: 60 });
  for (const { vector, id, kernel, coefficient, part } of found?.parts ?? []) {
    expect(id).toBe(model.supportIds?.[vector]);
    const distance = (x[id as number] as number[]).reduce((sum, value, j) => sum + (value - ((x[7] as number[])[j] as number)) ** 2, 0);
    expect(kernel).toBeCloseTo(Math.exp(-5 * distance), 5);
    expect(part).toBe(coefficient * kernel);
  }
});

test("a precomputed kernel", async () => {
  const gram = x.map((a) => x.map((b) => a.reduce((sum, value, k) => sum + value * (b[k] as number), 0)));
  const model = await SVC.fit(gram, two, { kernel: "precomputed", psd: true });
  const [found] = await explain(model, gram[3] as number[]);
  expect(found?.decision).toBeCloseTo((await model.decision([gram[3] as number[]]))[0] as number, 4);
});

test("a pipeline: names of its columns, and rows as its predictOne takes them", async () => {
  const table = {
    rowCount: 6,
    columns: [
      { name: "age", kind: "numeric", values: Float64Array.of(20, 30, 40, 50, 60, 70), missingCount: 0 },
      { name: "city", kind: "categorical", levels: ["Bern", "Rome"], codes: Uint32Array.of(0, 0, 0, 1, 1, 1), missingCount: 0 },
    ],
  } as const;
  const labels = ["a", "a", "a", "b", "b", "b"];
  const model = await pipeline(columns({ age: StandardScaler }), LinearSVC).fit(table, labels);
  const [weights] = await explain(model as never);
  expect([...(weights?.up ?? []), ...(weights?.down ?? [])].map(({ name }) => name).sort()).toEqual(["age", "city = Bern", "city = Rome"]);
  const [parts] = await explain(model as never, { age: 65, city: "Rome" });
  const one = {
    rowCount: 1,
    columns: [
      { ...table.columns[0], values: Float64Array.of(65) },
      { ...table.columns[1], codes: Uint32Array.of(1) },
    ],
  } as const;
  expect(parts?.decision).toBeCloseTo((await model.decision(one))[0] as number, 10);
  expect(await model.predictOne({ age: 65, city: "Rome" })).toBe("b");
  expect(await model.predictOne({ age: 21, city: "Bern" })).toBe("a");
  expect((await rejected(model.predictOne({ age: "old", city: "Rome" }))).message).toBe(
    'column "age" of the row must be a number, got "old"',
  );
  expect((await rejected(model.predictOne([1, 2]))).message).toContain("a row must be an object such as");
  const plain = await pipeline(MinMaxScaler, SVC).fit(x, y, { C: 10 });
  expect(await plain.predictOne(row)).toBe((await plain.predict([row]))[0]);
  const [carried] = await explain(plain as never, row);
  expect(carried?.decision).toBeCloseTo((await plain.decision([row]))[0] as number, 4);
});

test("wrong input", async () => {
  const kernel = await SVC.fit(x, two);
  const linear = await LinearSVC.fit(x, two);
  const scaled = await pipeline(StandardScaler, LinearSVC).fit(x, two);
  for (const [call, message] of [
    [
      () => explain(kernel as never),
      "a kernel machine has no weights of features; give a row: explain(model, row) names the support vectors that carried its prediction",
    ],
    [() => explain({} as never), "explain takes a fitted or loaded model, got"],
    [() => explain(linear, { featureNames: ["a"] }), "featureNames must be 4 names, one a feature, got"],
    [() => explain(linear, { count: 0 }), "count must be"],
    [() => explain(linear, [1, 2, 3, 4, 5]), "features"],
    [() => explain(linear, row, { top: 3 } as never), "top"],
    [() => explain(linear, { cuont: 3 } as never), 'did you mean "count"?'],
    [() => explain(scaled, { cuont: 3 } as never), 'did you mean "count"?'],
  ] as const) {
    expect((await rejected(call())).message).toContain(message);
  }
});
