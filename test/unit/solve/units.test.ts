import { describe, expect, test } from "vitest";
import { matrix } from "../../../src/index.ts";
import type { KernelFunction } from "../../../src/solve/kernel-problem.ts";
import { KernelRows, kernelRowsBytes } from "../../../src/solve/kernel-rows.ts";
import { firstUnits, fittingUnit, misfitIn, placeUnits, type Unit, unitDot, unitsBytes, wholesOf } from "../../../src/solve/units.ts";
import { taskHere } from "../../solve-here.ts";

const rbf: KernelFunction = { kind: "rbf", gamma: 0.01, coef0: 0, degree: 0 };

/** Units that make 1 for these values, or undefined. */
function perOneOf(values: readonly number[], kernel = rbf, features = 40): number | undefined {
  const row = [...values, ...new Array<number>(Math.max(0, features - values.length)).fill(0)];
  row[features - 1] ||= 1;
  const most = row.reduce((sum, value) => sum + value * value, 0);
  // Stored either way, it is the same.
  const [dense, sparse] = [[row], [Object.fromEntries(row.flatMap((value, j) => (value === 0 ? [] : [[j, value]])))]].map((rows) => {
    const x = matrix(rows as number[][]);
    const found = firstUnits(kernel, x, Uint32Array.of(0), most).map((unit) =>
      fittingUnit(unit, { misfit: (own) => misfitIn(x, [0], own) }),
    );
    return found.find((unit) => unit !== undefined)?.perOne;
  });
  expect(sparse).toBe(dense);
  return dense;
}

describe("the unit that values are multiples of", () => {
  test("is the largest one of simple fractions, whatever is seen first", () => {
    const six = (whole: number): number => Number((whole / 255).toPrecision(6));
    expect(perOneOf([0, 1, -7, 300])).toBe(1);
    expect(perOneOf([0.5, 0.25, 3])).toBe(4);
    expect(perOneOf([0.2, 0.1, 0.02, 0.001])).toBe(1000);
    expect(perOneOf([51, 85, 17, 254, 1].map(six))).toBe(255);
    expect(perOneOf([1, 254, 17, 85, 51].map(six))).toBe(255);
    expect(perOneOf([51, 102, 204].map(six))).toBe(5);
    expect(perOneOf([-0.7333333, 0.06666667, 1])).toBe(15);
    expect(perOneOf([1 / 3, 1 / 7])).toBe(21);
    expect(perOneOf([])).toBe(1);
  });

  test("is found for decimals of three digits in any order, though they are near to other fractions, too", () => {
    for (const values of [
      [2.501, 0.123],
      [0.123, 2.501],
      [20.501, 0.123],
      [3.143, 2.719],
      [20.999, 0.001],
    ])
      expect(perOneOf(values)).toBe(1000);
  });

  test("there is none of numbers that are just any, or of too many digits", () => {
    expect(perOneOf([0.1230457, 0.7120311])).toBeUndefined();
    expect(perOneOf([Math.PI, Math.E])).toBeUndefined();
    expect(perOneOf([1 / 1009])).toBeUndefined();
    expect(perOneOf([0.0001])).toBeUndefined();
    expect(perOneOf([0.5, 1 / 997, 1 / 499])).toBeUndefined();
  });

  test("is of no use to linear and precomputed kernels, to few features, and to more than records have numbers for", () => {
    expect(perOneOf([1, 2], { ...rbf, kind: "linear" })).toBeUndefined();
    expect(perOneOf([1, 2], { ...rbf, kind: "precomputed" })).toBeUndefined();
    expect(perOneOf([1, 2], rbf, 32)).toBeUndefined();
    expect(perOneOf([1, 2], rbf, 33)).toBe(1);
    expect(perOneOf([1, 2], rbf, 2 ** 17)).toBe(1);
    // Features that no row has do not count.
    const rows = [[1, 2, ...new Array<number>(40).fill(0)]];
    expect(firstUnits(rbf, matrix(rows), Uint32Array.of(0), 5)).toEqual([]);
    expect(perOneOf([1, 2], rbf, 2 ** 17 + 1)).toBeUndefined();
  });

  test("is no smaller than 32 bits have room for", () => {
    expect(perOneOf([32000, 5])).toBe(1);
    expect(perOneOf([33000, 5])).toBeUndefined();
    expect(perOneOf([300, 0.01])).toBe(100);
    expect(perOneOf([400, 0.01])).toBeUndefined();
  });

  test("is taken from values only if kernel values are off by about 1e-5 or less", () => {
    const six = [0.996078, 0.992157, 0.00392157];
    const of = (gamma: number, kernel: Partial<KernelFunction> = {}): number | undefined => perOneOf(six, { ...rbf, gamma, ...kernel });
    expect([0.01, 1, 3, 100].map((gamma) => of(gamma))).toEqual([255, 255, 255, undefined]);
    expect([0.01, 100].map((gamma) => of(gamma, { kind: "sigmoid" }))).toEqual([255, undefined]);
    expect([1, 1000].map((gamma) => of(gamma, { kind: "polynomial", degree: 3, coef0: 1 }))).toEqual([255, 255]);
    // Multiples without any error are as good for every kernel.
    expect(perOneOf([0.5, 3], { ...rbf, gamma: 1e4 })).toBe(2);
  });
});

test("whole numbers of values, one at a time, are the core's", () => {
  const unit: Unit = { perOne: 4, tolerance: 2 ** -20, mostPerOne: 1000 };
  expect(wholesOf(Float32Array.of(0.25, -1.5, 0, 8191.75), unit)).toEqual(Float64Array.of(1, -6, 0, 32767));
  expect(wholesOf(Float32Array.of(0.25, 0.3), unit)).toBeUndefined();
  expect(wholesOf(Float32Array.of(8192), unit)).toBeUndefined();
  expect(wholesOf(Float32Array.of(6000, 6000), unit)).toBeUndefined();
  expect(unitDot(7, unit)).toBe(7 / 16);
  expect(unitDot(2 ** 24 + 1, { ...unit, perOne: 3 })).toBe(Math.fround(2 ** 24 / 9));
});

test("records have all the room that they need, and no more is written", () => {
  for (const features of [1, 2, 3, 4, 5, 33, 34, 35, 36]) {
    for (const isDense of [true, false]) {
      const full = Array.from({ length: 3 }, (_, i) => Array.from({ length: features }, (_, j) => i + j + 1));
      // Sparse, every second feature is there: a record each.
      const x = matrix(
        isDense ? full : full.map((row) => Object.fromEntries(row.flatMap((value, j) => (j % 2 === 0 ? [[j, value]] : [])))),
      );
      const bytes = unitsBytes(x);
      const task = taskHere(x, bytes + 256)();
      const ids = task.space.rawWords(3);
      ids.set([0, 1, 2]);
      const space = task.space.part(bytes);
      const guard = task.space.rawBytes(64).fill(7);
      placeUnits({ core: task.core, space }, task.rows, x, ids, { perOne: 1, tolerance: 0, mostPerOne: 1 });
      expect(guard).toEqual(new Uint8Array(64).fill(7));
    }
  }
});

describe.each(["dense", "csr"] as const)("kernel rows of a matrix that is %s", (kind) => {
  const wholes = Array.from({ length: 30 }, (_, i) =>
    Array.from({ length: 35 }, (_, j) => ((i * j + j * j) % 7 < 4 ? 0 : (i * 7 + j) % 11)),
  );
  const rows = wholes.map((row) => row.map((k) => k / 10));
  const x =
    kind === "dense" ? matrix(rows) : matrix(rows.map((row) => Object.fromEntries(row.flatMap((v, j) => (v === 0 ? [] : [[j, v]])))));
  const all = Uint32Array.from(rows.keys());

  test("are in units where the kernel says so, whichever rows they are for", () => {
    const unit: Unit = { perOne: 10, tolerance: 2 ** -20, mostPerOne: 1000 };
    expect(x.kind).toBe(kind);
    for (const ids of [all, all.slice(3, 20).reverse()]) {
      const values = (own: Unit | undefined): Float32Array => {
        const task = taskHere(x, kernelRowsBytes(x, own) + 10_000)();
        const list = task.space.rawWords(ids.length);
        list.set(ids);
        const source = new KernelRows(task, { kind: "sigmoid", gamma: 1, coef0: 0, degree: 0, isWide: false, unit: own }, list);
        const out = task.space.rawFloats(ids.length + 3);
        for (const _ of source.fill([ids[0] as number], [out.byteOffset], list, 0, ids.length));
        return out.slice(0, ids.length);
      };
      const products = Array.from(ids, (i) =>
        (wholes[i] as number[]).reduce((sum, k, j) => sum + k * (wholes[ids[0] as number]?.[j] as number), 0),
      );
      const inUnits = values(unit);
      const plain = values(undefined);
      products.forEach((product, p) => {
        expect(inUnits[p]).toBeCloseTo(Math.tanh(product / 100), 6);
        expect(plain[p]).toBeCloseTo(Math.tanh(product / 100), 6);
      });
      // Sums of rounded tenths are not what whole numbers say: two ways were gone.
      expect(inUnits).not.toEqual(plain);
    }
  });
});
