import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { type KernelSetting, KernelUnderTest } from "../../core/kernel.ts";

const random = new Random(11);
const rows = Array.from({ length: 23 }, () =>
  Array.from({ length: 13 }, () => (random.unit() < 0.4 ? Math.fround(2 * random.unit() - 1) : 0)),
);
const at = <T>(list: readonly T[], k: number): T => list[k] as T;
const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, j) => sum + value * at(b, j), 0);
const columns = Array.from({ length: 23 }, (_, k) => (k * 7) % 23);

const settings: Omit<KernelSetting, "rows" | "storage">[] = [
  { kind: "linear" },
  { kind: "polynomial", gamma: 0.5, coef0: 1, degree: 3 },
  { kind: "rbf", gamma: 0.7 },
  { kind: "sigmoid", gamma: 0.3, coef0: -0.2 },
];

function wanted({ kind, gamma = 1, coef0 = 0, degree = 3 }: Omit<KernelSetting, "rows" | "storage">, u: number[], v: number[]): number {
  if (kind === "linear") return dot(u, v);
  if (kind === "rbf") return Math.exp(-gamma * u.reduce((sum, value, j) => sum + (value - at(v, j)) ** 2, 0));
  const z = gamma * dot(u, v) + coef0;
  return kind === "sigmoid" ? Math.tanh(z) : z ** degree;
}

for (const setting of settings) {
  for (const isWide of [false, true]) {
    describe(`${setting.kind}${isWide ? ", wide" : ""}`, () => {
      const dense = new KernelUnderTest({ ...setting, rows, storage: "dense", isWide });
      const sparse = new KernelUnderTest({ ...setting, rows, storage: "csr", isWide });

      test("values are those of the formula", () => {
        for (const ids of [[0, 3, 5, 8, 9, 14, 20, 22], [7], [1, 2, 3, 4, 5]]) {
          sparse.block(ids, columns).forEach((line, lane) => {
            line.forEach((value, k) => {
              const exact = wanted(setting, at(rows, at(ids, lane)), at(rows, at(columns, k)));
              expect(Math.abs(value - exact)).toBeLessThan(2e-6 * Math.max(1, Math.abs(exact)));
            });
          });
        }
      });

      test("one value of K(u, v): dense or sparse, either way round, whatever the lanes and cuts", () => {
        const all = rows.map((_, i) => i);
        const full = all.map((i) => at(sparse.block([i], all), 0));
        for (const i of all) for (const j of all) expect(at(at(full, i), j)).toBe(at(at(full, j), i));
        expect(dense.block([0, 1, 2, 3, 4, 5, 6, 7], all)).toEqual(full.slice(0, 8));
        expect(dense.block([5, 2], all)).toEqual([full[5], full[2]]);
        // By itself: four positions at a time, the last ones fewer; from any of them on.
        for (const i of all) expect(dense.block([i], all)).toEqual([full[i]]);
        expect(dense.block([3], all, 8, 21)[0]?.slice(8, 21)).toEqual(full[3]?.slice(8, 21));
        expect(sparse.block([4, 2, 9], all, 0, 4)).toEqual([full[4], full[2], full[9]]);
        const tail = sparse.block([6, 1], all, 5).map((line) => line.slice(5));
        expect(tail).toEqual([full[6]?.slice(5), full[1]?.slice(5)]);
        if (setting.kind === "rbf") for (const i of all) expect(at(at(full, i), i)).toBe(1);
      });

      test("lanes of sparse rows are left empty", () => {
        expect(sparse.lanes().every((value) => value === 0)).toBe(true);
      });
    });
  }
}

test("precomputed: the row's own numbers", () => {
  const square = Array.from({ length: 9 }, (_, i) => Array.from({ length: 9 }, (_, j) => (i * j) % 5));
  for (const storage of ["dense", "csr"] as const) {
    const kernel = new KernelUnderTest({ rows: square, storage, kind: "precomputed" });
    expect(kernel.block([2, 7], [8, 0, 3, 4, 1])).toEqual([
      [8, 0, 3, 4, 1].map((j) => at(at(square, 2), j)),
      [8, 0, 3, 4, 1].map((j) => at(at(square, 7), j)),
    ]);
  }
});

test("wide sums keep a distance of 1 between rows of size 1e5", () => {
  const far = [
    [1e5, 3, 0],
    [1e5, 2, 0],
    [1e5, 3, 1],
  ];
  const values = new KernelUnderTest({ rows: far, storage: "csr", kind: "rbf", gamma: 0.5, isWide: true }).block([0], [0, 1, 2])[0] ?? [];
  expect(values[0]).toBe(1);
  for (const value of values.slice(1)) expect(Math.abs(value - Math.exp(-0.5))).toBeLessThan(1e-6);
});

test("wideDots: sums in float64 at one of four places", () => {
  const kernel = new KernelUnderTest({ rows, storage: "csr", kind: "linear", isWide: true });
  expect(kernel.wide([3, 8], 5, 2)).toEqual([3, 8].map((i) => rows[i]?.reduce((sum, value, j) => sum + at(at(rows, 5), j) * value, 0)));
});
