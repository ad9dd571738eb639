// Kernel values of rows whose values are whole multiples of a unit: what whole numbers say exactly, and for every shape of block the same bits.

import { describe, expect, test } from "vitest";
import { exp32 } from "../../../src/base/float32.ts";
import { Random } from "../../../src/base/random.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { KernelUnderTest } from "../../core/kernel.ts";
import { putRows } from "../../core/rows.ts";

const { fround } = Math;
const tolerance = 2 ** -20;

interface Grid {
  readonly name: string;
  readonly perOne: number;
  /** The whole number of a value. */
  draw(random: Random): number;
  /** As the text of a file has it. */
  written(whole: number): number;
}

const grids: readonly Grid[] = [
  {
    name: "pixels over 255, six digits",
    perOne: 255,
    draw: (random) => (random.unit() < 0.8 ? 0 : Math.floor(256 * random.unit())),
    written: (whole) => Number((whole / 255).toPrecision(6)),
  },
  { name: "counts", perOne: 1, draw: (random) => (random.unit() < 0.6 ? 0 : Math.floor(50 * random.unit())), written: (whole) => whole },
  {
    name: "thousandths with signs, hardly a zero",
    perOne: 1000,
    draw: (random) => Math.floor(2001 * random.unit()) - 1000,
    written: (whole) => whole / 1000,
  },
];

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, k, j) => sum + k * (b[j] as number), 0);

for (const { name, perOne, draw, written } of grids) {
  // More positions than a tile has, an odd number of features, and rows without any.
  const [n, d] = [530, 37];
  const random = new Random(7);
  const wholes = Array.from({ length: n }, (_, i) => Array.from({ length: d }, () => (i % 50 === 3 ? 0 : draw(random))));
  const rows = wholes.map((row) => row.map(written));
  const columns = wholes.map((_, i) => (i * 7) % n);
  const unit = { perOne, tolerance };
  const product = (i: number, j: number): number =>
    fround(fround(dot(wholes[i] as number[], wholes[j] as number[])) / fround(perOne * perOne));

  describe.each(["dense", "csr"] as const)(`${name}, %s`, (storage) => {
    test("products are the whole numbers', rounded", () => {
      const kernel = new KernelUnderTest({ kind: "linear", rows, storage, unit }, 64);
      for (const ids of [[0, 1, 5, 9, 15, 22, 30, 41], [8], [2, 3, 4]]) {
        const expected = ids.map((i) => columns.map((j) => product(i, j)));
        expect(kernel.block(ids, columns)).toEqual(expected);
        expect(kernel.block(ids, columns, 5, 13).map((values) => values.slice(5))).toEqual(expected.map((values) => values.slice(5)));
      }
    });

    test("rbf is e^x of the distance that follows, 1 on the diagonal and the same from both sides", () => {
      const gamma = 3 / d;
      const kernel = new KernelUnderTest({ kind: "rbf", gamma, rows, storage, unit }, 64);
      const ids = [0, 1, 5, 9, 15, 22, 30, 41];
      const values = kernel.block(ids, columns);
      for (const [lane, i] of ids.entries()) {
        for (const [p, j] of columns.entries()) {
          const distance = fround(fround(product(i, i) + product(j, j)) - fround(2 * product(i, j)));
          const value = exp32(-fround(fround(gamma) * Math.max(distance, 0)));
          if (values[lane]?.[p] !== value) throw new Error(`K(${i}, ${j}) is ${values[lane]?.[p]} instead of ${value}`);
          if (i === j) expect(value).toBe(1);
        }
      }
      const [alone] = kernel.block([100], ids);
      expect(alone).toEqual(ids.map((_, lane) => values[lane]?.[columns.indexOf(100)]));
    });

    test("sixteen rows at a time have the bits of eight and eight", () => {
      for (const kind of ["rbf", "polynomial"] as const) {
        const kernel = new KernelUnderTest({ kind, gamma: 3 / d, coef0: 1, degree: 2, rows, storage, unit }, 64);
        const { together, apart } = kernel.two([0, 1, 5, 9, 15, 22, 30, 41], [8, 3, 6, 100, 529, 7, 60, 61], 3, 250);
        expect(together).toEqual(apart);
        expect(together[0]).not.toEqual(together[1]);
      }
    });

    test("is as near to float64 as sums in float32 are", () => {
      const setting = { kind: "rbf", gamma: 1 / d, rows, storage } as const;
      const ids = [0, 1, 5, 9, 15, 22, 30, 41];
      const exact = ids.map((i) =>
        columns.map((j) => Math.exp(-((rows[i] as number[]).reduce((sum, v, k) => sum + (v - (rows[j]?.[k] as number)) ** 2, 0) / d))),
      );
      const off = (values: number[][]): number =>
        Math.max(...values.flatMap((row, lane) => row.map((v, p) => Math.abs(v - (exact[lane]?.[p] as number)))));
      expect(off(new KernelUnderTest({ ...setting, unit }, 64).block(ids, columns))).toBeLessThan(1e-6);
    });

    test("lanes are left empty", () => {
      const kernel = new KernelUnderTest({ kind: "rbf", gamma: 0.5, rows, storage, unit }, 64);
      kernel.block([0, 1, 2, 4, 5, 6, 7, 8], columns);
      expect(
        kernel
          .lanes()
          .slice(0, 4 * (d + 1))
          .every((value) => value === 0),
      ).toBe(storage === "csr");
      // What dense rows leave is overwritten as a whole.
      expect(kernel.block([9], columns)).toEqual(
        new KernelUnderTest({ kind: "rbf", gamma: 0.5, rows, storage, unit }, 64).block([9], columns),
      );
    });
  });

  test(`${name}: every row is on the grid, and values say which grid it is`, () => {
    const core = coreUnderTest(64);
    const ids = core.words(Uint32Array.from(rows.keys()));
    for (const storage of ["dense", "csr"] as const) {
      const x = putRows(core, storage, rows, d);
      expect(core.call.misfit?.(x, ids, n, perOne, tolerance)).toBeNaN();
      if (perOne > 1) {
        const first = rows.flat().find((value) => Math.abs(value - Math.round(value)) > tolerance) as number;
        expect(core.call.misfit?.(x, ids, n, 1, tolerance)).toBe(fround(first));
      }
    }
    const kernel = new KernelUnderTest({ kind: "rbf", rows, storage: "dense", unit }, 64);
    expect(rows.every((_, i) => kernel.onGrid(i))).toBe(true);
  });
}

test("the largest whole numbers that there can be are multiplied and added up without a loss", () => {
  const most = 32767;
  const rows = [
    [most, 0, 0, 0],
    [-most, 0, 0, 0],
    [23170, 23170, 0, 0],
    [-23170, 23170, 0, 0],
    [0, 16383, 16383, 16383],
    [16383, -16383, 16383, 16383],
  ];
  for (const storage of ["dense", "csr"] as const) {
    const kernel = new KernelUnderTest({ kind: "linear", rows, storage, unit: { perOne: 1, tolerance } });
    expect(rows.every((_, i) => kernel.onGrid(i))).toBe(true);
    const ids = rows.map((_, i) => i);
    expect(kernel.block(ids, ids)).toEqual(rows.map((a) => rows.map((b) => fround(dot(a, b)))));
  }
});

test("every lane has products of its own, and rows have squares", () => {
  for (const storage of ["dense", "csr"] as const) {
    const rows = [
      [1.5, 0, 2],
      [0, 0, 0.25],
      [0, 3, 0],
    ];
    const kernel = new KernelUnderTest({ kind: "linear", rows, storage, unit: { perOne: 4, tolerance } });
    const lanes = [1, 2, 3, 4, 5, 6, 7, 8];
    expect(kernel.inUnits(0, [0.5, 1, 2], 0)).toEqual({ square: 6.25, products: lanes.map((lane) => 4.75 * lane) });
    expect(kernel.inUnits(1, [0.5, 1, 2], 1)).toEqual({ square: 0.0625, products: lanes.map((lane) => 0.5 * lane) });
    expect(kernel.inUnits(2, [0.5, 1, 2], 2)).toEqual({ square: 9, products: lanes.map((lane) => 3 * lane) });
  }
});

test("rows are off the grid by one value between multiples, or by too large ones", () => {
  const rows = [
    [0.5, 1],
    [0.5, 0.25],
    [0.5 + 9e-7, 1],
    [0.5 + 1.1e-6, 1],
    [100.5 + 5e-5, 0],
    [100.5 + 2e-4, 0],
    [16383.5, 0],
    [16384, 0],
    [12000, 12000],
    [Infinity, 0],
  ];
  const kernel = new KernelUnderTest({ kind: "rbf", rows: [[0, 0], ...rows], storage: "dense", unit: { perOne: 2, tolerance } });
  expect(rows.map((_, i) => kernel.onGrid(i + 1))).toEqual([true, false, true, false, false, false, true, false, false, false]);
});
