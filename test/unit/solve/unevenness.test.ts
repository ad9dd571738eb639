import { describe, expect, test } from "vitest";
import { smallSets } from "../../../bench/small-sets.ts";
import { LinearSVC, matrix } from "../../../src/index.ts";
import { planBinary } from "../../../src/solve/plan.ts";
import type { BinaryProblem } from "../../../src/solve/problem.ts";
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

describe("the plan for a small set with uneven columns", () => {
  const rows = Array.from({ length: 40 }, (_, i) => [Math.sin(i), 1000 * Math.sin(i * i)]);
  const problem: BinaryProblem = {
    loss: "hinge",
    penalty: "l2",
    bias: "augmented",
    biasScale: 1,
    tolerance: 1e-3,
    maxIterations: 1000,
    shrinking: true,
    seed: 0,
    rowIds: Uint32Array.from(rows, (_, i) => i),
    signs: Float32Array.from(rows, (_, i) => (i % 2 === 0 ? 1 : -1)),
    costs: new Float64Array(rows.length).fill(1),
  };
  const solvers = (isWarm: boolean): string[] => planBinary(matrix(rows), problem, "auto", isWarm).stages.map(({ solver }) => solver);

  test("has descent behind the interior point, and the interior point again behind that", () => {
    expect(solvers(false)).toEqual(["interior point", "dual coordinate descent", "interior point"]);
  });

  test("begins with descent where there is a point to start from", () => {
    expect(solvers(true)).toEqual(["dual coordinate descent", "interior point"]);
  });
});
