// Predictions of models as their files say they are, whatever a fit would never make of them: coefficients that are 0, few or many classes, rows that lack little or nothing.

import { afterEach, describe, expect, test } from "vitest";
import { Random } from "../src/base/random.ts";
import { load, matrix, SVC, type SVR, startPool, stopPool } from "../src/index.ts";
import { labelsOf } from "../src/model/schemes.ts";
import { placementOf } from "../src/runtime/placement.ts";
import { memoryBytes, thePool } from "../src/runtime/runtime.ts";

interface Setting {
  readonly type: "c_svc" | "epsilon_svr" | "one_class";
  readonly classes?: number;
  readonly vectors: number;
  readonly features?: number;
  /** Parts of the coefficients that are 0, and of the values that are not. */
  readonly zeros?: number;
  readonly part?: number;
  /** Values are all 1: they are counted. */
  readonly ones?: boolean;
}

function rowsOf(random: Random, count: number, { features = 6, part = 1, ones = false }: Setting): number[][] {
  const value = (): number => (random.unit() < part ? (ones ? 1 : Math.fround(2 * random.unit() - 1.01)) : 0);
  return Array.from({ length: count }, () => Array.from({ length: features }, value));
}

function fileOf(random: Random, setting: Setting): string {
  const { type, classes = 2, vectors, zeros = 0 } = setting;
  const list = (count: number, item: (k: number) => number): string => Array.from({ length: count }, (_, k) => item(k)).join(" ");
  const lines = rowsOf(random, vectors, setting).map((row) => {
    const own = list(classes - 1, () => (random.unit() < zeros ? 0 : random.unit() - 0.5));
    return `${own} ${row.flatMap((value, j) => (value === 0 ? [] : [`${j + 1}:${value}`])).join(" ")}`;
  });
  const labels = list(classes, (k) => 3 * k - 2);
  const counts = list(classes, (k) => Math.floor(((k + 1) * vectors) / classes) - Math.floor((k * vectors) / classes));
  const head = ["svm_type", type, "\nkernel_type rbf\ngamma 0.3\nnr_class", classes, "\ntotal_sv", vectors]
    .join(" ")
    .replaceAll(" \n", "\n");
  const rho = list((classes * (classes - 1)) / 2, () => random.unit() - 0.5);
  return [head, `rho ${rho}`, ...(type === "c_svc" ? [`label ${labels}`, `nr_sv ${counts}`] : []), "SV", ...lines, ""].join("\n");
}

const settings: readonly Setting[] = [
  ...[0, 0.3, 1].flatMap((zeros) =>
    (["c_svc", "epsilon_svr", "one_class"] as const).flatMap((type) => [1, 9, 64].map((vectors) => ({ type, vectors, zeros }))),
  ),
  ...[3, 4, 8, 40].flatMap((classes) => [0, 0.8, 1].map((zeros) => ({ type: "c_svc" as const, classes, vectors: 2 * classes + 1, zeros }))),
  // Of dense rows, nearly all of it and hardly anything; more vectors than the core takes at a time.
  ...[0.95, 0.6, 0.05].map((part) => ({ type: "c_svc" as const, classes: 3, vectors: 515, features: 20, part })),
  ...[1, 0.5, 0.1].map((part) => ({ type: "c_svc" as const, vectors: 100, features: 20, part, ones: true, zeros: 0.2 })),
  { type: "c_svc", classes: 3, vectors: 517, features: 20, part: 0.3, ones: true },
  { type: "epsilon_svr", vectors: 0 },
  // Where classes take more memory than vectors.
  ...[5, 40].flatMap((classes) => [0, 1, 3].map((vectors) => ({ type: "c_svc" as const, classes, vectors, features: 1 }))),
];

describe("many rows are predicted as each alone, and classes are what decision values mean", () => {
  settings.forEach((setting, seed) => {
    test(JSON.stringify(setting), async () => {
      const random = new Random(seed);
      const bytes = new TextEncoder().encode(fileOf(random, setting));
      const [model, alone] = (await Promise.all([load(bytes), load(bytes)])) as [SVC | SVR, SVC | SVR];
      const outputs = model.biases.length;
      for (const count of [1, 7, 8, 9, 63, 64, 65, 130]) {
        // Rows may have features that the model has not.
        const x = rowsOf(random, count, { ...setting, features: (setting.features ?? 6) + (count % 3) });
        const decision = await model.decision(x);
        const predicted = Array.from((await model.predict(x)) as ArrayLike<number>);
        expect(predicted).toEqual(x.map((row) => alone.predictOne(row)));
        expect(Array.from(decision)).toEqual(x.flatMap((row) => Array.from(alone.decisionOne(row))));
        if ("multiClass" in model)
          expect(predicted).toEqual(labelsOf(model.multiClass, model.classes, decision, decision.length / outputs));
      }
    });
  });
});

test("classes of two whose values need wide products are those that the values mean, also of rows at the border", async () => {
  const random = new Random(17);
  const centre = Array.from({ length: 12 }, () => 3 + random.unit());
  const near = (by: number): number[] => centre.map((value) => Math.fround(value + by * (random.unit() - 0.5)));
  const vectors = Array.from({ length: 400 }, () => near(2));
  const text = vectors.map(
    (row, i) =>
      `${(row[1] as number) > (centre[1] as number) ? 1 + (i % 5) : -1 - (i % 3)} ${row.map((value, j) => `${j + 1}:${value}`).join(" ")}`,
  );
  const head = [
    "svm_type c_svc",
    "kernel_type rbf",
    "gamma 0.4",
    "nr_class 2",
    "total_sv 400",
    "rho 0.1",
    "label 7 -7",
    "nr_sv 200 200",
    "SV",
  ];
  const bytes = new TextEncoder().encode([...head, ...text, ""].join("\n"));
  const [model, alone] = (await Promise.all([load(bytes), load(bytes)])) as [SVC, SVC];
  const ends = Array.from({ length: 500 }, () => near(2));
  const sides = await model.decision(ends);
  const [low, high] = [-1, 1].map((side) => ends.filter((_, i) => Math.sign(sides[i] as number) === side)) as [number[][], number[][]];
  const rows = low.flatMap((row, k) => {
    let [a, b] = [row, high[k % high.length] as number[]];
    return Array.from({ length: 4 }, (_, step) => {
      for (let half = 0; half < 5 * step; half++) {
        const middle = a.map((value, j) => Math.fround((value + (b[j] as number)) / 2));
        if ((alone.decisionOne(middle)[0] as number) > 0) b = middle;
        else a = middle;
      }
      return a;
    });
  });
  const decision = await model.decision(rows);
  for (const x of [rows, matrix(rows)]) {
    const predicted = await model.predict(x, { threads: 2 });
    expect(predicted).toEqual(labelsOf("binary", model.classes, decision, rows.length));
    expect(predicted.filter((_, i) => i % 40 === 0)).toEqual(rows.filter((_, i) => i % 40 === 0).map((row) => alone.predictOne(row)));
  }
  expect(Math.min(...decision.map(Math.abs))).toBeLessThan(1e-4);
});

test("more decision values than wait in the shared memory at a time, by three threads", async () => {
  const random = new Random(99);
  const setting: Setting = { type: "c_svc", classes: 40, vectors: 81, zeros: 0.8 };
  const model = (await load(new TextEncoder().encode(fileOf(random, setting)))) as SVC;
  // 780 numbers a row: 2,688 rows fill 16 MiB.
  const x = rowsOf(random, 6000, setting);
  const decision = await model.decision(x, { threads: 3 });
  const outputs = model.biases.length;
  for (const i of [0, 63, 64, 2687, 2688, 2689, 5375, 5376, 5999]) {
    expect(Array.from(decision.subarray(i * outputs, (i + 1) * outputs))).toEqual(Array.from(model.decisionOne(x[i] as number[])));
  }
  const classes = await model.predict(x, { threads: 3 });
  expect(Array.from(classes)).toEqual(labelsOf(model.multiClass, model.classes, decision, x.length));
});

describe("predictions by several threads", () => {
  const random = new Random(5);
  const setting: Setting = { type: "c_svc", classes: 4, vectors: 600, features: 40 };
  const bytes = new TextEncoder().encode(fileOf(random, setting));
  const rows = rowsOf(random, 8000, setting);

  afterEach(() => stopPool());

  test("give back the memory that they took beside the rows", async () => {
    const model = (await load(bytes)) as SVC;
    const x = matrix(rows);
    expect(placementOf(x)).toBeDefined();
    await model.decision(x, { threads: 2 });
    const taken = memoryBytes(x);
    for (let k = 0; k < 12; k++) await model.decision(x, { threads: 2 });
    // A worker that comes later takes room to work in, once; what comes out would be there twelve times.
    const outBytes = 8 * x.rowCount * model.biases.length;
    expect(memoryBytes(x) - taken).toBeLessThan(6 * outBytes);
  });

  test("are by several threads", async () => {
    const model = (await load(bytes)) as SVC;
    await model.predict(rows, { threads: 3 });
    expect(thePool().workerCount).toBe(3);
  });

  test("that are stopped fail once, and nobody else hears of it", async () => {
    const model = (await load(bytes)) as SVC;
    const unheard: unknown[] = [];
    const listen = (reason: unknown): number => unheard.push(reason);
    process.on("unhandledRejection", listen);
    try {
      await model.predict(rows, { threads: 3 });
      for (let k = 0; k < 4; k++) {
        const running = model.predict(rows, { threads: 3 }).then(
          () => "done",
          (error: Error) => error.message,
        );
        await new Promise((resolve) => setTimeout(resolve, 8 * k));
        stopPool();
        expect(await running).toMatch(/done|stop/);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    } finally {
      process.off("unhandledRejection", listen);
    }
    expect(unheard).toEqual([]);
  });

  test("and fits go on where the memory of their rows is no longer shared", async () => {
    const x = matrix(rows.slice(0, 7000));
    expect(placementOf(x)).toBeDefined();
    const y = rows.slice(0, 7000).map((row) => ((row[0] as number) > 0 ? 1 : 0));
    stopPool();
    startPool({ sharedMemory: false });
    const model = await SVC.fit(x, y, { gamma: 0.01, maxIterations: 50 });
    expect((await model.predict(x)).length).toBe(7000);
  });
});
