import { expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { cholesky, solveCholesky } from "../../../src/solve/cholesky.ts";
import { normal } from "../../problems/generate.ts";

test("L L' is the matrix, and the solution solves", () => {
  const random = new Random(4);
  for (const size of [1, 2, 7, 20]) {
    const B = Array.from({ length: size }, () => Array.from({ length: size }, () => normal(random)));
    const entry = (i: number, j: number): number =>
      (i === j ? 1 : 0) + (B[i] as number[]).reduce((sum, value, q) => sum + value * (B[j]?.[q] as number), 0);
    const A = Float64Array.from({ length: size * size }, (_, at) => entry(Math.floor(at / size), at % size));
    const solution = Float64Array.from({ length: size }, () => normal(random));
    const right = solution.map((_, i) => solution.reduce((sum, value, j) => sum + (A[i * size + j] as number) * value, 0));
    cholesky(A, size);
    solveCholesky(A, right);
    // |I + B B'| is below 200 here, and so is its condition: 200 * 20 roundings.
    for (const [i, value] of solution.entries()) expect(Math.abs((right[i] as number) - value)).toBeLessThan(4000 * 10 * Number.EPSILON);
  }
});

test("a variable whose pivot is nothing but rounding stays where it is", () => {
  // The second row is the first: singular.
  const A = Float64Array.of(1, 1, 1, 1);
  cholesky(A, 2);
  const b = Float64Array.of(3, 3);
  solveCholesky(A, b);
  expect(b[0]).toBeCloseTo(3, 12);
  expect(Math.abs(b[1] as number)).toBeLessThan(1e-60);
});
