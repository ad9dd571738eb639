import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { coreUnderTest, shifts } from "../../core/instance.ts";
import { putRows } from "../../core/rows.ts";
import { normal } from "../../problems/generate.ts";

const random = new Random(3);
const rows = Array.from({ length: 11 }, (_, i) =>
  Array.from({ length: 13 }, () => (i === 4 || random.unit() < 0.4 ? 0 : Math.fround(normal(random)))),
);
const w = Array.from({ length: 13 }, () => normal(random));

/** The one order of additions that every way of predicting keeps. */
function plain(row: readonly number[], b: number): number {
  let sum = 0;
  row.forEach((value, j) => {
    sum += value * (w[j] as number);
  });
  return sum + b;
}

for (const kind of ["dense", "csr"] as const) {
  for (const shift of shifts) {
    for (const [from, to] of [
      [0, 11],
      [0, 0],
      [0, 1],
      [3, 10],
      [10, 11],
      [2, 7],
    ] as const) {
      test(`${kind}, rows ${from} to ${to}, shifted by ${shift}: the bits of the plain sum`, () => {
        const core = coreUnderTest();
        const x = putRows(core, kind, rows, 13, shift);
        const out = core.doubles([...rows.slice(from, to).map(() => 0), 77], shift);
        core.call.decisionRows?.(out, x, from, to, core.doubles(w, shift), -0.75);
        expect(core.readDoubles(out, to - from + 1)).toEqual([...rows.slice(from, to).map((row) => plain(row, -0.75)), 77]);
      });
    }
  }
}

test("no features at all leave the bias", () => {
  const core = coreUnderTest();
  const out = core.doubles([0, 0, 0, 0, 0]);
  core.call.decisionRows?.(out, putRows(core, "dense", [[], [], [], [], []], 0), 0, 5, core.doubles([]), 1.5);
  expect(core.readDoubles(out, 5)).toEqual([1.5, 1.5, 1.5, 1.5, 1.5]);
});

describe("several decision values a row", () => {
  const k = 5;
  const columns = Array.from({ length: 13 }, () => Array.from({ length: k }, () => normal(random)));
  const biases = Array.from({ length: k }, () => normal(random));
  const plainRow = (row: readonly number[]): number[] =>
    biases.map((b, m) => row.reduce((sum, value, j) => sum + value * (columns[j]?.[m] as number), 0) + b);

  for (const kind of ["dense", "csr"] as const) {
    for (const shift of shifts) {
      test(`${kind}, shifted by ${shift}: each has the bits of its plain sum`, () => {
        const core = coreUnderTest();
        const x = putRows(core, kind, rows, 13, shift);
        const out = core.doubles([...new Float64Array(8 * k).fill(3), 77], shift);
        core.call.decisionRowsWide?.(out, x, 2, 10, core.doubles(columns.flat(), shift), core.doubles(biases, shift), k);
        expect(core.readDoubles(out, 8 * k + 1)).toEqual([...rows.slice(2, 10).flatMap(plainRow), 77]);
      });
    }
  }
});
