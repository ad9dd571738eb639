import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { columnStatistics } from "../../../src/data/column-statistics.ts";
import type { Matrix, MatrixShape } from "../../../src/data/matrix.ts";
import { packRows, type RowsInput } from "../../../src/data/pack.ts";
import { allocatePlain } from "../../../src/runtime/placement.ts";
import { thrown } from "../../thrown.ts";

const pack = (rows: RowsInput, featureCount?: MatrixShape["featureCount"]): Matrix => packRows(rows, allocatePlain, featureCount);
const ones = (count: number): Float64Array => new Float64Array(count).fill(1);
const sparse = (rows: number[][]): Matrix =>
  pack(
    rows.map((row) => [row.map((_, j) => j), row] as const),
    rows[0]?.length,
  );

describe("columnStatistics", () => {
  test("by hand, with weights", () => {
    const found = columnStatistics(
      pack([
        [1, 0, -2, 5],
        [3, 0, 0, 5],
        [9, 9, 9, 9],
      ]),
      Float64Array.of(1, 3, 0),
    );
    expect([...found.minimum]).toEqual([1, 0, -2, 5]);
    expect([...found.maximum]).toEqual([3, 0, 0, 5]);
    expect([...found.mean]).toEqual([2.5, 0, -0.5, 5]);
    expect([...found.variance]).toEqual([0.75, 0, 0.75, 0]);
  });

  test("large values with small spread, to 1e-9", () => {
    // Sixteenths above 1e6 are exact in float32; their sums, as integers, exact in float64: the truth without rounding.
    const random = new Random(3);
    const sixteenths = Array.from({ length: 5000 }, () => random.below(64));
    const sum = sixteenths.reduce((total, k) => total + k, 0);
    const squares = sixteenths.reduce((total, k) => total + k * k, 0);
    const mean = 1e6 + sum / 16 / 5000;
    const variance = (squares * 5000 - sum * sum) / 5000 ** 2 / 256;
    const found = columnStatistics(pack(sixteenths.map((k) => [1e6 + k / 16])), ones(5000));
    expect(Math.abs((found.mean[0] as number) - mean)).toBeLessThan(1e-9);
    expect(Math.abs((found.variance[0] as number) / variance - 1)).toBeLessThan(1e-9);
  });

  test("a constant feature that does not add up exactly has no spread", () => {
    const found = columnStatistics(pack(Array.from({ length: 1001 }, () => [0.1])), ones(1001).fill(1 / 3));
    expect([found.mean[0], found.variance[0]]).toEqual([Math.fround(0.1), 0]);
  });

  test("dense and CSR agree bit for bit, and with the naive formulas to rounding", () => {
    const value = fc.oneof(fc.constant(0), fc.integer({ min: -1000, max: 1000 }), fc.float({ min: -8, max: 8, noNaN: true }));
    const rowsOf = fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 30 });
    const given = rowsOf.chain((rows) =>
      fc.tuple(
        fc.constant(rows),
        fc.array(fc.double({ min: 0.5, max: 3, noNaN: true }), { minLength: rows.length, maxLength: rows.length }),
      ),
    );
    fc.assert(
      fc.property(given, ([rows, w]) => {
        const weights = Float64Array.from(w);
        const found = columnStatistics(pack(rows), weights);
        expect(columnStatistics(sparse(rows), weights)).toEqual(found);
        const total = w.reduce((a, b) => a + b, 0);
        for (let j = 0; j < 3; j++) {
          const column = rows.map((row) => row[j] as number);
          const mean = column.reduce((sum, x, i) => sum + (w[i] as number) * x, 0) / total;
          const variance = column.reduce((sum, x, i) => sum + (w[i] as number) * (x - mean) ** 2, 0) / total;
          // A few dozen roundings of terms up to 1000 and to 1000^2.
          expect(Math.abs((found.mean[j] as number) - mean)).toBeLessThan(100 * 2 ** -52 * 1000);
          expect(Math.abs((found.variance[j] as number) - variance)).toBeLessThan(100 * 2 ** -52 * 1000 ** 2);
          expect(found.minimum[j]).toBe(Math.min(...column) + 0);
          expect(found.maximum[j]).toBe(Math.max(...column) + 0);
        }
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  test("no feature at all gives no statistics", () => {
    expect(columnStatistics(pack([{}, {}]), ones(2)).mean).toHaveLength(0);
  });

  const refused: readonly [weights: number[], message: string][] = [
    [[0, 0], "all rows have weight 0; give at least one of them weight"],
    [[1e300, 1e300], "the sample weights must add up to 1e-100 to 1e+100, got 2e+300"],
    [[1e-300, 0], "the sample weights must add up to 1e-100 to 1e+100, got 1e-300"],
  ];
  for (const [weights, message] of refused) {
    test(`refuses: ${message}`, () => {
      const error = thrown(() => columnStatistics(pack([[1], [2]]), Float64Array.from(weights)));
      expect([error.code, error.message]).toEqual(["bad-input", message]);
    });
  }
});
