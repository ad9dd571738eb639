import { describe, expect, test } from "vitest";
import { smallSets } from "../../../bench/small-sets.ts";
import { LinearSVC, matrix } from "../../../src/index.ts";
import { unevenness } from "../../../src/solve/unevenness.ts";

const of = (rows: number[][]): number =>
  unevenness(
    matrix(rows),
    rows.map((_, i) => i),
  );

describe("the unevenness of columns", () => {
  test("is 1 where all are standardised, the mean square over the least variance elsewhere", () => {
    const even = [
      [1, 1],
      [1, -1],
      [-1, 1],
      [-1, -1],
    ];
    expect(of(even)).toBe(1);
    expect(of(even.map(([a = 0, b = 0]) => [a, 10 * b]))).toBe((1 + 100) / 2 / 1);
    expect(of(even.map(([a = 0, b = 0]) => [a + 7, b]))).toBe((50 + 1) / 2 / 1);
  });

  test("leaves constant columns out; where nothing varies it is 1", () => {
    expect(
      of([
        [5, 1],
        [5, -1],
      ]),
    ).toBe(1);
    expect(of([[5], [5]])).toBe(1);
    expect(of([[0.1], [0.1], [0.1]])).toBe(1);
  });

  test("is the same of sparse rows, and looks at the rows that are asked for only", () => {
    const rows = [
      [0, 2],
      [1, 0],
      [3, 0],
      [1e6, 1e6],
    ];
    const sparse = matrix([{ 1: 2 }, { 0: 1 }, { 0: 3 }, { 0: 1e6, 1: 1e6 }]);
    expect(unevenness(sparse, [0, 1, 2])).toBe(unevenness(matrix(rows), [0, 1, 2]));
    expect(unevenness(sparse, [0, 1, 2])).toBeCloseTo((10 / 3 + 4 / 3) / 2 / (8 / 9), 12);
  });
});

test("small sets with uneven columns go to the interior point at once, scaled ones to descent; both tell dual variables", async () => {
  const solvers = await Promise.all(
    smallSets().map(async ({ name, rows, y }) => {
      const { report, dual } = await LinearSVC.fit(rows, y, { loss: "hinge" });
      return [name.split(/\W/)[0], report.run?.solver, dual !== undefined];
    }),
  );
  expect(solvers).toEqual([
    ["iris", "interior point", true],
    ["generated", "dual coordinate descent", true],
    ["generated", "dual coordinate descent", true],
  ]);
});
