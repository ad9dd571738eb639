import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { kernelStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { type KernelSetting, KernelUnderTest } from "../../core/kernel.ts";
import { putRows } from "../../core/rows.ts";

/** Rows of zeros and ones, of any length between none and all features: more positions than a tile has. */
function ones(n: number, d: number): number[][] {
  const random = new Random(5);
  return Array.from({ length: n }, (_, i) => {
    const part = i % 7 === 0 ? 0 : i % 7 === 1 ? 1 : random.unit();
    return Array.from({ length: d }, () => (random.unit() < part ? 1 : 0));
  });
}

const settings: Omit<KernelSetting, "rows" | "storage">[] = [
  { kind: "linear" },
  { kind: "polynomial", gamma: 0.3, coef0: 1, degree: 3 },
  { kind: "rbf", gamma: 0.07 },
  { kind: "rbf", gamma: 0.07, isLess: true },
  { kind: "rbf", gamma: -0.01 },
  { kind: "sigmoid", gamma: 0.1, coef0: -0.2 },
];

// More features than the table is filled with at a time, and as few as it has room for.
for (const [n, d] of [
  [60, 700],
  [600, 3],
] as const) {
  describe(`${n} rows of ${d} features`, () => {
    const rows = ones(n, d);
    const columns = rows.map((_, i) => (i * 7) % n);
    for (const setting of settings) {
      test(`${setting.kind}${setting.isLess ? " less 1" : ""}, gamma ${setting.gamma}: the bits of rows that are multiplied`, () => {
        const plain = new KernelUnderTest({ ...setting, rows, storage: "csr" }, 64);
        const counted = new KernelUnderTest({ ...setting, rows, storage: "csr", isCounted: true }, 64);
        for (const ids of [[0, 1, 5, 9, 15, 22, 30, 41], [8], [2, 3, 4]]) {
          expect(counted.block(ids, columns)).toEqual(plain.block(ids, columns));
          expect(counted.block(ids, columns, 5, 13)).toEqual(plain.block(ids, columns, 5, 13));
        }
      });
    }

    for (const setting of settings.filter(({ kind, isLess }) => kind !== "linear" && !isLess)) {
      test(`${setting.kind}, gamma ${setting.gamma}: sums of values that are looked up have the bits of all others`, () => {
        const plain = new KernelUnderTest({ ...setting, rows, storage: "csr" }, 64);
        const counted = new KernelUnderTest({ ...setting, rows, storage: "csr", isCounted: true }, 64);
        const one = rows.map((_, v) => [v - 20.5]);
        const two = rows.map((_, v) => [v % 3 === 0 ? 0 : v - 20.5, v % 2 === 0 ? 0 : 1 / (v + 1)]);
        // One row, fewer than sixteen, sixteen, and three times as many and some.
        for (const [first, count] of [
          [8, 1],
          [3, 9],
          [5, 16],
          [0, 53],
        ] as const) {
          expect(counted.decideRows([first, count], one, [0], [0.25], true)).toEqual(plain.decideRows([first, count], one, [0], [0.25]));
          expect(counted.decideRows([first, count], two, [1, 0], [0.25, 7])).toEqual(
            plain.decideRows([first, count], two, [1, 0], [0.25, 7]),
          );
          if (count > 16) continue;
          const sums = counted.decideRows([first, count], two, [1, 0], [0.25, 7], false, "sumCounted");
          expect(sums.map(([a, b]) => [(a as number) + 0.25, (b as number) + 7])).toEqual(
            plain.decideRows([first, count], two, [1, 0], [0.25, 7]),
          );
        }
      });
    }

    test("lanes are left empty, and the table behind them as it was", () => {
      const counted = new KernelUnderTest({ kind: "rbf", gamma: 0.5, rows, storage: "csr", isCounted: true }, 64);
      const before = counted.lanes();
      counted.block([0, 1, 2, 3, 4, 5, 6, 7], columns);
      expect(counted.lanes()).toEqual(before);
      expect(before.slice(0, 4 * d + 4).every((value) => value === 0)).toBe(true);
      expect(before.slice(4 * d + 4, 4 * d + 6)).toEqual([1, Math.fround(Math.exp(-0.5))]);
    });
  });
}

// As few features as lanes have room for, words that are full and begun, and more positions than the tile has rows.
for (const [d, n] of [
  [8, 1100],
  [64, 40],
  [127, 40],
  [128, 1030],
  [129, 40],
  [200, 520],
  [256, 40],
] as const) {
  describe(`${n} rows of ${d} features, as bits`, () => {
    const rows = ones(n, d);
    const columns = rows.map((_, i) => (i * 7) % n);
    for (const setting of settings.filter(({ kind }) => kind === "rbf")) {
      const words = d <= 128 ? 2 : 4;
      const kernelOf = (bitWords: number): KernelUnderTest =>
        new KernelUnderTest({ ...setting, rows, storage: "csr", isCounted: true, bitWords }, 64);
      test(`gamma ${setting.gamma}${setting.isLess ? ", less 1" : ""}: the bits of rows that are counted`, () => {
        const [counted, bits] = [kernelOf(0), kernelOf(words)];
        for (const ids of [[0, 1, 5, 9, 15, 22, 30, 39], [8], [2, 3, 4]]) {
          expect(bits.block(ids, columns)).toEqual(counted.block(ids, columns));
          expect(bits.block(ids, columns, 5, 13)).toEqual(counted.block(ids, columns, 5, 13));
        }
      });
    }

    test("lanes are left empty, and the table behind them as it was", () => {
      const bits = new KernelUnderTest({ kind: "rbf", gamma: 0.5, rows, storage: "csr", isCounted: true, bitWords: d <= 128 ? 2 : 4 }, 64);
      const before = bits.lanes();
      bits.block([0, 1, 2, 3, 4, 5, 6, 7], columns);
      expect(bits.lanes()).toEqual(before);
      expect(before.slice(0, 4 * d + 4).every((value) => value === 0)).toBe(true);
    });
  });
}

test("a bit of a lane is written down and taken away, and no other", () => {
  const bits = new KernelUnderTest({ kind: "rbf", rows: ones(4, 200), storage: "csr", isCounted: true, bitWords: 4 }, 64);
  const before = bits.lanes();
  const { kernel } = bits.places;
  const words = (): bigint[] => Array.from(new BigUint64Array(new Float32Array(bits.lanes()).buffer.slice(0, 8 * 32)));
  bits.core.call.setLaneBit?.(kernel, 3, 65, 1);
  bits.core.call.setLaneBit?.(kernel, 3, 127, 1);
  expect(words().flatMap((word, k) => (word === 0n ? [] : [[k, word]]))).toEqual([[13, (1n << 63n) | 2n]]);
  bits.core.call.setLaneBit?.(kernel, 3, 127, 0);
  expect(words()[13]).toBe(2n);
  bits.core.call.setLaneBit?.(kernel, 3, 65, 0);
  expect(bits.lanes()).toEqual(before);
});

test("the table lies behind the lanes, sixteen bytes a feature, and the feature that nobody has", () => {
  for (const d of [1, 3, 700]) {
    const rows = [new Array<number>(d).fill(1)];
    const counted = new KernelUnderTest({ kind: "rbf", gamma: 0.5, rows, storage: "csr", isCounted: true }, 64);
    const { kernel } = counted.places;
    const lanes = new StructView(kernelStruct, counted.core.buffer, kernel).get("lanes");
    expect(counted.core.call.tableOf?.(kernel)).toBe(lanes + 16 * (d + 1));
  }
});

test("ones are told from all else, wherever it is", () => {
  const core = coreUnderTest();
  for (const count of [0, 1, 3, 4, 9, 16, 35]) {
    const rows = new Array<number[]>(count).fill([0, 1]);
    expect(core.call.areOnes?.(putRows(core, "csr", rows, 2))).toBe(1);
    expect(core.call.areOnes?.(putRows(core, "dense", new Array<number[]>(count).fill([1, 1]), 2))).toBe(0);
    for (let k = 0; k < count; k++) {
      for (const other of [-1, 1 + 2 ** -23, 2, Number.NaN]) {
        expect(core.call.areOnes?.(putRows(core, "csr", rows.with(k, [0, other]), 2))).toBe(0);
      }
    }
  }
});
