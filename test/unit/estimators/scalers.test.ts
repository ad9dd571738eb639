import { afterAll, describe, expect, test } from "vitest";
import {
  MaxAbsScaler,
  MinMaxScaler,
  matrix,
  Normalizer,
  StandardScaler,
  startPool,
  stopPool,
  type TransformOptions,
} from "../../../src/index.ts";
import { flatSet, sparseSet } from "../../problems/generate.ts";
import { scalerRows as rows, scalerWeights as weights } from "../../problems/scaler-rows.ts";
import { rowsOf } from "../../rows-of.ts";
import { rejected } from "../../thrown.ts";

afterAll(() => stopPool());

describe("what was learned can be read", () => {
  test("and is frozen", async () => {
    const minMax = await MinMaxScaler.fit(rows);
    expect([[...minMax.minimum], [...minMax.maximum], minMax.featureRange]).toEqual([
      [1e6, -2, 0, 4],
      [1e6 + 1, 7, 3, 4],
      [0, 1],
    ]);
    const standard = await StandardScaler.fit([[1], [3]]);
    expect([[...standard.mean], [...standard.variance], standard.featureCount]).toEqual([[2], [1], 1]);
    const maxAbs = await MaxAbsScaler.fit([[1], [-3]]);
    expect([...maxAbs.maxAbs]).toEqual([3]);
    expect([minMax, standard, maxAbs, await Normalizer.fit(rows)].every(Object.isFrozen)).toBe(true);
  });

  test("a row of weight 0 is absent", async () => {
    const scaler = await MinMaxScaler.fit([[0], [2], [100]], { sampleWeight: [1, 1, 0] });
    expect([...scaler.maximum]).toEqual([2]);
  });
});

describe("halves of StandardScaler", () => {
  const x = [
    [1, 5],
    [3, 5],
  ];
  test("withStd: false only subtracts", async () => {
    expect(rowsOf(await (await StandardScaler.fit(x, { withStd: false })).transform(x))).toEqual([
      [-1, 0],
      [1, 0],
    ]);
  });
  test("withMean: false only divides", async () => {
    expect(rowsOf(await (await StandardScaler.fit(x, { withMean: false })).transform(x))).toEqual([
      [1, 5],
      [3, 5],
    ]);
  });
});

describe("features", () => {
  test("that x does not have are zeros, dense and sparse", async () => {
    const scaler = await MinMaxScaler.fit([
      [1, 0, 2],
      [3, 4, 4],
    ]);
    expect(rowsOf(await scaler.transform([[2]]))).toEqual([[0.5, 0, -1]]);
    const maxAbs = await MaxAbsScaler.fit([{ 0: 2, 3: 5 }]);
    const narrow = await maxAbs.transform([{ 0: 1 }]);
    expect([narrow.kind, narrow.featureCount, rowsOf(narrow)]).toEqual(["csr", 4, [[0.5, 0, 0, 0]]]);
    expect(rowsOf(await (await Normalizer.fit([[1, 2]])).transform([[3]]))).toEqual([[1, 0]]);
  });

  test("that the scaler does not know are refused", async () => {
    for (const scaler of [await MinMaxScaler.fit([[1]]), await Normalizer.fit([[1]])]) {
      const error = await rejected(scaler.transform([[1, 2, 3]]));
      expect([error.code, error.message]).toEqual(["bad-input", "x has 3 features, the scaler knows 1; remove what it was not fitted on"]);
    }
  });
});

describe("sparse rows", () => {
  const nonNegative = [{ 0: 2, 2: 1 }, { 1: 4 }, { 0: 1, 1: 2 }];

  test("stay sparse where zeros stay zero", async () => {
    const scaled = await (await MinMaxScaler.fit(nonNegative)).transform(nonNegative);
    expect([scaled.kind, scaled.valueCount]).toEqual(["csr", 5]);
    expect(rowsOf(scaled)).toEqual([
      [1, 0, 1],
      [0, 1, 0],
      [0.5, 0.5, 0],
    ]);
    const symmetric = await MinMaxScaler.fit([{ 0: 0.7 }, { 0: -0.7 }], { featureRange: [-1, 1] });
    expect((await symmetric.transform([{ 0: 0.35 }])).kind).toBe("csr");
  });

  test("become dense with dense: true", async () => {
    const x = [{ 0: 1, 1: 2 }, { 0: 3 }];
    const minMax = await (await MinMaxScaler.fit(x, { dense: true })).transform(x);
    expect([minMax.kind, rowsOf(minMax)]).toEqual([
      "dense",
      [
        [0, 1],
        [1, 0],
      ],
    ]);
    const standard = await (await StandardScaler.fit(x, { dense: true })).transform([{ 0: 3 }]);
    expect([standard.kind, rowsOf(standard)]).toEqual(["dense", [[1, -1]]]);
  });

  test("are refused where scaling would make them dense, at fit and at transform", async () => {
    const mean = "StandardScaler would make sparse rows dense by subtracting the mean; use withMean: false to divide only, or dense: true";
    const offset =
      "MinMaxScaler would make sparse rows dense: feature 1, from 1 to 5, turns 0 into -0.25; " +
      "use MaxAbsScaler, a featureRange that keeps 0, or dense: true";
    const shifted = [{ 1: 1 }, { 1: 5 }];
    const standard = await StandardScaler.fit([[1], [2]]);
    const minMax = await MinMaxScaler.fit([
      [0, 1],
      [0, 5],
    ]);
    expect((await rejected(StandardScaler.fit(shifted))).message).toBe(mean);
    expect((await rejected(standard.transform([{ 0: 1 }]))).message).toBe(mean);
    expect((await rejected(MinMaxScaler.fit(shifted))).message).toBe(offset);
    expect((await rejected(minMax.transform(shifted))).message).toBe(offset);
    expect((await rejected(minMax.inverseTransform(shifted))).code).toBe("bad-option");
  });
});

describe("wrong input", () => {
  const refused: readonly [what: string, call: () => Promise<unknown>, code: string, message: string][] = [
    [
      ...(["a range upside down", () => MinMaxScaler.fit(rows, { featureRange: [1, 0] }), "bad-option"] as const),
      "featureRange must be [minimum, maximum], two finite numbers in float32, the first below the second, got an array of 2",
    ],
    [
      ...(["an unknown option", () => StandardScaler.fit(rows, { withSTD: true } as object), "bad-option"] as const),
      'StandardScaler has no option "withSTD"; did you mean "withStd"?',
    ],
    [
      ...(["weights where none count", () => Normalizer.fit(rows, { sampleWeight: weights } as object), "bad-option"] as const),
      'Normalizer has no option "sampleWeight"',
    ],
    [
      ...(["too few weights", () => MaxAbsScaler.fit(rows, { sampleWeight: [1] }), "bad-input"] as const),
      "1 sample weights for 3 rows; there must be one a row",
    ],
    [
      ...(["a weight below 0", () => MaxAbsScaler.fit([[1]], { sampleWeight: [-1] }), "bad-input"] as const),
      "sampleWeight of row 0 must be a finite number at least 0, got -1",
    ],
    [
      ...(["no weight at all", () => MaxAbsScaler.fit([[1]], { sampleWeight: [0] }), "bad-input"] as const),
      "all rows have weight 0; give at least one of them weight",
    ],
    [
      ...(["threads at fit", () => MaxAbsScaler.fit([[1]], { threads: 1 } as object), "bad-option"] as const),
      'MaxAbsScaler has no option "threads"',
    ],
    [
      "a value that scaling makes too large",
      async () =>
        (await MaxAbsScaler.fit([[2 ** -100, 1]])).transform([
          [0, 1],
          [2 ** 100, 1],
        ]),
      "bad-input",
      "row 1, column 0 becomes 1.6069380442589903e+60: too large for float32; it is far from the rows that were fitted",
    ],
  ];
  for (const [what, call, code, message] of refused) {
    test(`${what}: ${message}`, async () => {
      const error = await rejected(call());
      expect([error.code, error.message]).toEqual([code, message]);
    });
  }
});

describe("bits", () => {
  test("are the same with 1, 2 and 7 threads, and where memory is not shared", async () => {
    const { x } = flatSet(9001, 400, 8); // enough values for seven blocks
    const held = matrix(x);
    const before = held.values.slice();
    const scale = async (options: TransformOptions): Promise<Float32Array> =>
      (await (await StandardScaler.fit(held)).transform(held, options)).values;
    const one = await scale({ threads: 1 });
    expect(Buffer.compare(Buffer.from((await scale({ threads: 2 })).slice().buffer), Buffer.from(one.slice().buffer))).toBe(0);
    expect(Buffer.compare(Buffer.from((await scale({ threads: 7 })).slice().buffer), Buffer.from(one.slice().buffer))).toBe(0);
    expect(Buffer.compare(Buffer.from(held.values.slice().buffer), Buffer.from(before.buffer))).toBe(0);
    stopPool();
    startPool({ sharedMemory: false });
    const alone = (await (await StandardScaler.fit(x)).transform(x)).values;
    stopPool();
    expect(Buffer.compare(Buffer.from(alone.slice().buffer), Buffer.from(one.slice().buffer))).toBe(0);
  });

  test("an error of one block leaves the pool in order", async () => {
    const data = new Float32Array(3_000_000).fill(1);
    data[10] = 1e30;
    data[2_999_999] = 1e30;
    const scaler = await MaxAbsScaler.fit([[1e-30]]);
    const error = await rejected(scaler.transform({ data, rowCount: 3_000_000, featureCount: 1 }, { threads: 4 }));
    expect(error.message).toContain("row 10, column 0 becomes");
    expect(rowsOf(await scaler.transform([[1e-30]]))).toEqual([[1]]);
  });

  test("sparse blocks land where they belong", async () => {
    const { x } = sparseSet(30_000, 60, 40, 2);
    const held = matrix(x);
    const scaler = await MaxAbsScaler.fit(held);
    const scaled = await scaler.transform(held, { threads: 3 });
    const wrong = scaled.values.findIndex(
      (value, k) => value !== Math.fround((held.values[k] as number) / (scaler.maxAbs[held.indices[k] as number] as number)),
    );
    expect([wrong, scaled.valueCount]).toEqual([-1, held.valueCount]);
  });
});
