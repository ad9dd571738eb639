import { describe, expect, test } from "vitest";
import { flowers, species } from "../../../data/iris.ts";
import { certify, HingeError, LinearSVC, LogisticRegression, load } from "../../../src/index.ts";
import { classOf, pairs } from "../../../src/model/schemes.ts";
import { rejected } from "../../thrown.ts";

describe("from decision values to a class", () => {
  test("the largest value wins, the first of equal ones", () => {
    expect(classOf("ovr", 3, [0, 1, 0.5], 0)).toBe(1);
    expect(classOf("ovr", 3, [9, 9, -1, -1, -2], 2)).toBe(0);
    expect(classOf("multinomial", 2, [-3, -2], 0)).toBe(1);
  });

  test("pairs vote: (0, 1), (0, 2), (1, 2), above 0 for the second", () => {
    expect(pairs(3)).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
    ]);
    expect(classOf("ovo", 3, [1, 1, -1], 0)).toBe(1); // 1, 2, 1
    expect(classOf("ovo", 3, [-1, -1, 1], 0)).toBe(0); // 0, 0, 2
  });

  test("of equally many votes the larger sum decides, then the first class", () => {
    expect(classOf("ovo", 3, [1, -2, 0.5], 0)).toBe(0); // 1, 0, 2: sums 1, 0.5, -1.5
    expect(classOf("ovo", 3, [1, -1, 1], 0)).toBe(0); // 1, 0, 2: all sums 0
  });
});

describe("irises of three species", () => {
  for (const multiClass of ["ovr", "ovo"] as const) {
    for (const loss of ["hinge", "squared_hinge"] as const) {
      test(`${multiClass}, ${loss}: every problem is certified, and the audit agrees`, async () => {
        const model = await LinearSVC.fit(flowers, species, { multiClass, loss, tolerance: 1e-6 });
        expect(model.report.status).toBe("converged");
        expect(model.classes).toEqual(["setosa", "versicolor", "virginica"]);
        const { problems } = model.report.run ?? { problems: [] };
        expect(problems).toHaveLength(3);
        for (const { certificate, stages, history } of problems) {
          expect(certificate.relativeGap).toBeLessThanOrEqual(1e-6);
          expect(stages.length).toBeGreaterThanOrEqual(1);
          expect(history.at(-1)?.relativeGap).toBe(certificate.relativeGap);
        }
        expect(model.report.certificate.relativeGap).toBe(Math.max(...problems.map(({ certificate }) => certificate.relativeGap)));
        expect(await certify(model, flowers, species)).toEqual(model.report.certificate);
        expect(await model.score(flowers, species)).toBeGreaterThan(0.9);
      });
    }

    test(`${multiClass}: the same bytes with 1, 2 and 7 threads, and after saving`, async () => {
      const models = [1, 2, 7].map((threads) => LinearSVC.fit(flowers, species, { multiClass, threads }));
      const [first, ...others] = (await Promise.all(models)).map((model) => model.toBytes());
      for (const other of others) expect(other).toEqual(first);
      const again = await load(first as Uint8Array);
      expect(again.toBytes()).toEqual(first);
    });

    test(`${multiClass}: predictOne and decisionOne are predict and decision`, async () => {
      const model = await LinearSVC.fit(flowers, species, { multiClass });
      const decision = await model.decision(flowers);
      expect(decision).toHaveLength(3 * flowers.length);
      expect(Float64Array.from(flowers.flatMap((row) => [...model.decisionOne(row)]))).toEqual(decision);
      expect(flowers.map((row) => model.predictOne(row))).toEqual(await model.predict(flowers));
    });
  }

  test("each class against the rest is the binary problem of that class", async () => {
    const model = await LinearSVC.fit(flowers, species, { tolerance: 1e-9 });
    const isVirginica = species.map((name) => (name === "virginica" ? 1 : 0));
    const alone = await LinearSVC.fit(flowers, isVirginica, { tolerance: 1e-9 });
    const third = model.report.run?.problems[2]?.certificate.primal ?? Number.NaN;
    expect(Math.abs(third - alone.report.certificate.primal)).toBeLessThan(2e-9 * third);
  });

  test("weight 0 is the row absent, weight 2 the row twice", async () => {
    const sampleWeight = flowers.map((_, i) => (i % 5 === 0 ? 0 : i % 7 === 0 ? 2 : 1));
    const weighted = await LinearSVC.fit(flowers, species, { sampleWeight, tolerance: 1e-9 });
    const rows = flowers.flatMap((_, i) => new Array<number>(sampleWeight[i] as number).fill(i));
    const plain = await LinearSVC.fit(
      rows.map((i) => flowers[i] as (typeof flowers)[number]),
      rows.map((i) => species[i] as string),
      { tolerance: 1e-9 },
    );
    weighted.report.run?.problems.forEach(({ certificate }, k) => {
      const other = plain.report.run?.problems[k]?.certificate.primal ?? Number.NaN;
      expect(Math.abs(certificate.primal - other)).toBeLessThan(2e-9 * other);
    });
  });

  test("one-vs-rest goes to LIBLINEAR's file and back, pairs do not", async () => {
    const ids = species.map((name) => ["setosa", "versicolor", "virginica"].indexOf(name));
    const model = await LinearSVC.fit(flowers, ids);
    const again = await load(model.toBytes("liblinear"), LinearSVC);
    expect(again.classes).toEqual([0, 1, 2]);
    expect(await again.decision(flowers)).toEqual(await model.decision(flowers));
    const judged = await certify(again, flowers, ids, { C: 1, bias: "unregularised" });
    expect(judged.relativeGap).toBeLessThanOrEqual(1e-3);
    const ovo = await LinearSVC.fit(flowers, ids, { multiClass: "ovo" });
    expect(() => ovo.toBytes("liblinear")).toThrow(
      /^LIBLINEAR's format cannot hold multiClass "ovo"; save under a name that ends in \.json$/,
    );
  });

  test("a warm start from another C finds the same optimum; from other classes or features it is refused", async () => {
    const cold = await LinearSVC.fit(flowers, species, { C: 2, tolerance: 1e-9 });
    const from = await LinearSVC.fit(flowers, species, { C: 1 });
    const warm = await LinearSVC.fit(flowers, species, { C: 2, tolerance: 1e-9, warmStart: from });
    const [a, b] = [cold.report.certificate, warm.report.certificate];
    expect(Math.max(a.relativeGap, b.relativeGap)).toBeLessThanOrEqual(1e-9);
    const other = await LinearSVC.fit(flowers.slice(0, 100), species.slice(0, 100));
    expect((await rejected(LinearSVC.fit(flowers, species, { warmStart: other }))).message).toBe(
      'warmStart has the classes "setosa", "versicolor", y has "setosa", "versicolor", "virginica"; they must be the same',
    );
    const narrow = flowers.map(([a, b]) => [a as number, b as number]);
    const narrowModel = await LinearSVC.fit(narrow, species);
    expect((await rejected(LinearSVC.fit(flowers, species, { warmStart: narrowModel }))).message).toBe(
      "warmStart has 2 features, x has 4; they must be as many",
    );
    await expect(LinearSVC.fit(flowers, species, { warmStart: {} as never })).rejects.toThrow(HingeError);
  });
});

test("a class that only rows of weight 0 have is not there", async () => {
  const rows = [
    [0, 1],
    [1, 1],
    [4, 0],
    [5, 1],
    [9, 9],
    [8, 9],
  ];
  const labels = ["a", "a", "b", "b", "c", "c"];
  const sampleWeight = [1, 1, 1, 1, 0, 0];
  const model = await LinearSVC.fit(rows, labels, { sampleWeight });
  expect(model.classes).toEqual(["a", "b"]);
  const without = await LinearSVC.fit(rows.slice(0, 4), labels.slice(0, 4));
  expect(model.coefficients).toEqual(without.coefficients);
  expect((await certify(model, rows, labels, { sampleWeight })).relativeGap).toBeLessThanOrEqual(1e-3);
  const error = await rejected(LinearSVC.fit(rows, labels, { sampleWeight: new Float64Array(6) }));
  expect(error.message).toBe("all rows have weight 0; give some of them weight");
});

test("a warm start from LIBLINEAR's file, where classes stand in another order, begins near the end", async () => {
  for (const [labels, text] of [
    [[1, 1, 2, 2], "solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 1 2\n"],
    [[1, 1, 2, 3], "solver_type L2R_L2LOSS_SVC\nnr_class 3\nlabel 3 1 2\n"],
  ] as const) {
    const rows = [
      [0, 1],
      [1, 3],
      [4, 0],
      [5, 1],
    ];
    const options = { bias: false, solver: "dual", tolerance: 1e-6 } as const;
    const aim = await LinearSVC.fit(rows, labels, { ...options, tolerance: 1e-9 });
    const order = [...text.matchAll(/label (.*)/g)][0]?.[1]?.split(" ").map(Number) ?? [];
    const columns = aim.biases.length;
    const weight = (label: number, j: number): number =>
      (columns === 1 ? -1 : 1) *
      (aim.coefficients[(columns === 1 ? 0 : (aim.classes as readonly number[]).indexOf(label)) * 2 + j] as number);
    const lines = [0, 1].map((j) => (columns === 1 ? [0] : order).map((label) => weight(label, j)).join(" "));
    const file = new TextEncoder().encode(`${text}nr_feature 2\nbias -1\nw\n${lines.join("\n")}\n`);
    const loaded = (await load(file)) as LinearSVC;
    const warm = await LinearSVC.fit(rows, labels, { ...options, solver: "newton", warmStart: loaded });
    const cold = await LinearSVC.fit(rows, labels, { ...options, solver: "newton" });
    expect(warm.report.run?.iterations).toBeLessThan(cold.report.run?.iterations ?? 0);
    expect(warm.report.certificate.relativeGap).toBeLessThanOrEqual(1e-6);
  }
});

test('solver "dual" is refused for all classes at once', async () => {
  const rows = [
    [0, 1],
    [1, 3],
    [4, 0],
  ];
  const error = await rejected(LogisticRegression.fit(rows, [1, 2, 3], { solver: "dual" }));
  expect(error.message).toMatch(/^solver "dual" is for two classes or multiClass "ovr"/);
  await LogisticRegression.fit(rows, [1, 2, 3], { solver: "dual", multiClass: "ovr" });
});
