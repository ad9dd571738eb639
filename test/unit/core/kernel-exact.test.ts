import { expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { type KernelSetting, KernelUnderTest } from "../../core/kernel.ts";

const random = new Random(4);
const rows = Array.from({ length: 11 }, () => Array.from({ length: 6 }, () => (random.unit() < 0.5 ? Math.fround(random.unit()) : 0)));
const at = <T>(list: readonly T[], k: number): T => list[k] as T;
const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, j) => sum + value * at(b, j), 0);

const kernels: readonly [Omit<KernelSetting, "rows" | "storage">, (u: number[], v: number[]) => number][] = [
  [{ kind: "linear" }, dot],
  [{ kind: "rbf", gamma: 0.7 }, (u, v) => Math.exp(-0.7 * (dot(u, u) + dot(v, v) - 2 * dot(u, v)))],
  [{ kind: "polynomial", gamma: 0.5, coef0: 1, degree: 4 }, (u, v) => (0.5 * dot(u, v) + 1) ** 4],
  [{ kind: "sigmoid", gamma: 0.3, coef0: -0.2 }, (u, v) => Math.tanh(0.3 * dot(u, v) - 0.2)],
];

for (const [setting, value] of kernels) {
  for (const storage of ["dense", "csr"] as const) {
    test(`${setting.kind}, ${storage}: finishExact makes kernel values of dot products`, () => {
      const kernel = new KernelUnderTest({ ...setting, rows, storage, isWide: true });
      kernel.exact([2, 5, 7], 4).forEach((got, k) => {
        const wanted = value(at(rows, at([2, 5, 7], k)), at(rows, 4));
        expect(Math.abs((setting.kind === "rbf" ? Math.exp(got) : got) - wanted)).toBeLessThan(1e-14);
      });
    });

    test(`${setting.kind}, ${storage}: decideExact sums values in float64, each column to its own place`, () => {
      const kernel = new KernelUnderTest({ ...setting, rows, storage, isWide: true });
      const coefficients = rows.map((_, v) => [v - 3, 0.5 * v]);
      const got = kernel.decideExact([1, 4], coefficients, [1, 0], 2, 9);
      [1, 4].forEach((i, lane) => {
        for (const [column, place] of [
          [0, 1],
          [1, 0],
        ] as const) {
          const parts = rows.map((row, v) => (v < 2 || v >= 9 ? 0 : at(at(coefficients, v), column) * value(row, at(rows, i))));
          const wanted = parts.reduce((sum, part) => sum + part, 0);
          const size = parts.reduce((sum, part) => sum + Math.abs(part), 0);
          expect(Math.abs(at(at(got, lane), place) - wanted)).toBeLessThan(1e-14 * Math.max(1, size));
        }
      });
    });

    test(`${setting.kind}, ${storage}: addExact adds values in float64`, () => {
      const kernel = new KernelUnderTest({ ...setting, rows, storage, isWide: true });
      const ids = [2, 5, 7];
      const deltas = [0.5, -1, 3];
      const f = rows.map((_, t) => t);
      kernel.addExact(ids, deltas, f).forEach((got, t) => {
        const wanted = ids.reduce((sum, i, k) => sum + at(deltas, k) * value(at(rows, i), at(rows, t)), t);
        expect(Math.abs(got - wanted)).toBeLessThan(1e-13 * Math.max(1, Math.abs(wanted)));
      });
    });
  }
}

test("sumExact is addExact of eight at a time, without those that are 0", () => {
  for (const storage of ["dense", "csr"] as const) {
    for (const held of [0, 1, 8, 9, 11]) {
      const setting = { kind: "rbf", gamma: 0.7, rows, storage, isWide: true } as const;
      const values = rows.map((_, s) => (s < held ? Math.sin(s + 1) : 0)).reverse();
      const kernel = new KernelUnderTest(setting);
      let wanted = rows.map((_, t) => t);
      const ids = values.flatMap((value, s) => (value === 0 ? [] : [s]));
      for (let k = 0; k < ids.length; k += 8) {
        const group = ids.slice(k, k + 8);
        wanted = kernel.addExact(
          group,
          group.map((s) => at(values, s)),
          wanted,
        );
      }
      expect(
        kernel.sumExact(
          values,
          rows.map((_, t) => t),
        ),
      ).toEqual(wanted);
    }
  }
});

test("a precomputed kernel is as given", () => {
  const square = Array.from({ length: 5 }, (_, i) => Array.from({ length: 5 }, (_, j) => i + 2 * j));
  const kernel = new KernelUnderTest({ rows: square, storage: "csr", kind: "precomputed" });
  expect(kernel.addExact([1, 3], [2, 1], [0, 0, 0, 0, 0])).toEqual(square.map((_, t) => 2 * (1 + 2 * t) + (3 + 2 * t)));
});

test("decideLanes: plain sums, each column to its own place", () => {
  const kernel = new KernelUnderTest({ rows, storage: "csr", kind: "linear" });
  const coefficients = rows.map((_, v) => [v - 3, 0.5 * v]);
  const got = kernel.decide([1, 4], coefficients, [1, 0], 2, 9);
  [1, 4].forEach((i, lane) => {
    const sum = (m: number): number =>
      rows.reduce(
        (total, row, v) => (v < 2 || v >= 9 ? total : total + at(at(coefficients, v), m) * Math.fround(dot(row, at(rows, i)))),
        0,
      );
    // Column 0 belongs to place 1.
    expect(Math.abs(at(at(got, lane), 1) - sum(0))).toBeLessThan(1e-5);
    expect(Math.abs(at(at(got, lane), 0) - sum(1))).toBeLessThan(1e-5);
  });
});

test("decideOnly: where there is one decision value and every vector has its coefficient, the bits of decideTile", () => {
  for (const storage of ["dense", "csr"] as const) {
    const kernel = new KernelUnderTest({ rows, storage, kind: "rbf", gamma: 0.3 });
    const coefficients = rows.map((_, v) => [v - 3.5]);
    const wanted = kernel.decide([1, 4, 6], coefficients, [0], 2, 9).flat();
    expect(new Set(wanted).size).toBe(3);
    expect(kernel.decideOnly([1, 4, 6], coefficients, [0], 2, 9)).toEqual(wanted);
  }
});

for (const [setting, value] of kernels) {
  for (const [storage, isWide] of [
    ["dense", false],
    ["csr", false],
    ["csr", true],
  ] as const) {
    test(`${setting.kind}, ${storage}, ${isWide ? "float64" : "float32"}: decideRows is the sums of all vectors, with biases, for more rows than there are lanes`, () => {
      const kernel = new KernelUnderTest({ ...setting, rows, storage, isWide });
      const coefficients = rows.map((_, v) => [v - 3, v % 2 === 0 ? 0 : 0.5 * v]);
      const biases = [7, -2];
      const got = kernel.decideRows([1, 10], coefficients, [1, 0], biases);
      expect(got).toHaveLength(10);
      expect(kernel.decideRows([1, 10], coefficients, [1, 0], biases, false, "decideList")).toEqual(got);
      got.forEach((sums, k) => {
        const sum = (m: number): number =>
          rows.reduce((total, row, v) => total + at(at(coefficients, v), m) * value(at(rows, k + 1), row), 0);
        expect(Math.abs(at(sums, 1) - sum(0) - -2)).toBeLessThan(isWide ? 1e-12 : 1e-4);
        expect(Math.abs(at(sums, 0) - sum(1) - 7)).toBeLessThan(isWide ? 1e-12 : 1e-4);
      });
      expect(kernel.lanes().every((lane) => lane === 0) || storage === "dense").toBe(true);
    });
  }
}

for (const isWide of [false, true]) {
  test(`${isWide ? "float64" : "float32"}: decideRows without places has the same bits, where there is one decision value and every vector has a coefficient`, () => {
    // 11 vectors: two fours and three more; and one alone.
    for (const some of [rows, rows.slice(0, 1)]) {
      const kernel = new KernelUnderTest({ kind: "rbf", gamma: 0.7, rows: some, storage: "csr", isWide });
      const coefficients = some.map((_, v) => [v - 3.5]);
      const wanted = kernel.decideRows([0, some.length], coefficients, [0], [0.25]);
      expect(kernel.decideRows([0, some.length], coefficients, [0], [0.25], true)).toEqual(wanted);
    }
  });
}
