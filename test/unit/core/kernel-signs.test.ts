// core/kernel/signs.ts: signs of decision values by float32 where that is sure, beside what wide products say.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { KernelUnderTest } from "../../core/kernel.ts";

const random = new Random(5);
const FEATURES = 12;
/** Far from the origin, near each other: |u - v|^2 from float32 products has lost most of its digits. */
const base = Array.from({ length: FEATURES }, () => 3 + random.unit());
const near = (by: number): number[] => base.map((value) => Math.fround(value + by * (random.unit() - 0.5)));
const vectors = Array.from({ length: 700 }, () => near(2));
const coefficients = vectors.map((row, v) => ((row[0] as number) > (base[0] as number) ? 1 : -1) * (1 + (v % 7)));

/** Rows nearer and nearer to the border, by halving between two that it lies between. */
function towardsTheBorder(decide: (rows: readonly number[][]) => number[]): number[][] {
  return Array.from({ length: 30 }, () => {
    let [low, high] = [near(2), near(2)];
    while ((decide([low])[0] as number) > 0) low = near(2);
    while ((decide([high])[0] as number) <= 0) high = near(2);
    const passed: number[][] = [];
    for (let k = 0; k < 24; k++) {
      const middle = low.map((value, j) => Math.fround((value + (high[j] as number)) / 2));
      passed.push(middle);
      if ((decide([middle])[0] as number) > 0) high = middle;
      else low = middle;
    }
    return passed;
  }).flat();
}

describe.each(["dense", "csr"] as const)("%s rows", (storage) => {
  const kernelOf = (rows: readonly (readonly number[])[], isWide: boolean): KernelUnderTest =>
    new KernelUnderTest({ rows: [...vectors, ...rows], storage, kind: "rbf", gamma: 0.4, isWide }, 200);
  const none = (rows: readonly unknown[]): number[] => rows.map(() => 0);
  const valuesBy = (isWide: boolean, rows: readonly number[][]): number[] =>
    kernelOf(rows, isWide)
      .decideRows(
        [vectors.length, rows.length],
        [...coefficients, ...none(rows)].map((value) => [value]),
        [0],
        [0.5],
      )
      .flat();
  const rows = [...towardsTheBorder((some) => valuesBy(true, some)), ...Array.from({ length: 300 }, () => near(3))];
  const wide = valuesBy(true, rows);
  const signs = kernelOf(rows, true).decideSigns([vectors.length, rows.length], [...coefficients, ...none(rows)], 0.5);

  test("have the signs that wide products say, also where narrow ones say another", () => {
    expect(signs.map(Math.sign)).toEqual(wide.map(Math.sign));
    const narrow = valuesBy(false, rows);
    expect(narrow.filter((value, i) => Math.sign(value) !== Math.sign(wide[i] as number)).length).toBeGreaterThan(10);
  });

  test("are told by narrow products where these are sure", () => {
    const wideOnes = signs.filter((value, i) => value === wide[i]).length;
    expect(wideOnes).toBeGreaterThan(100);
    expect(rows.length - wideOnes).toBeGreaterThan(250);
  });
});

test("rows whose squares float32 cannot hold, and kernels whose argument it cannot, are left to wide products", () => {
  for (const [scale, gamma] of [
    [1e20, 1e-41],
    [1, 1e5],
  ] as const) {
    const rows = vectors.slice(0, 20).map((row) => row.map((value) => value * scale));
    const kernel = new KernelUnderTest({ rows, storage: "csr", kind: "rbf", gamma, isWide: true });
    const own = coefficients.slice(0, 20);
    const wide = kernel
      .decideRows(
        [0, 20],
        own.map((value) => [value]),
        [0],
        [-0.25],
      )
      .flat();
    expect(kernel.decideSigns([0, 20], own, -0.25).map(Math.sign)).toEqual(wide.map(Math.sign));
  }
});
