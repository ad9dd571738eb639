import { describe, expect, test } from "vitest";
import { type CoreUnderTest, coreUnderTest } from "../../core/instance.ts";
import { putRows } from "../../core/rows.ts";
import { denseRows, sparseSet } from "../../problems/generate.ts";

const BIAS = 2.5;
const BLOCK = 64;

/** Rows in the core's memory as columns, beside what they are: z_i = (x_i, bias). */
function laidOut(rowCount: number, featureCount: number, kind: "dense" | "csr") {
  const core = coreUnderTest();
  const x = denseRows(sparseSet(rowCount, featureCount, Math.ceil(featureCount / 2), 11)).map((row) => row.map(Math.fround));
  const stride = 4 * Math.ceil((featureCount + 1) / 4);
  const rows = putRows(core, kind, x, featureCount);
  // A block before it, so that it is the second.
  const columns = core.doubles(new Float64Array(2 * BLOCK * stride));
  const block = core.call.blockAt?.(columns, 1, stride) as number;
  for (const i of x.keys()) core.call.putInColumns?.(block, i, rows, i, BIAS);
  return {
    core,
    block,
    stride,
    unknowns: featureCount + 1,
    z: x.map((row) => [...row, BIAS]),
    before: core.readDoubles(columns, BLOCK * stride),
  };
}

/** Numbers, one a row, and what is not a number behind them: nobody may look there but at the one that makes their count even. */
function perRow(core: CoreUnderTest, values: readonly number[]): number {
  const numbers = core.doubles([...values, ...new Array<number>(BLOCK - values.length).fill(Number.NaN)]);
  expect(core.call.endEvenly?.(numbers, values.length)).toBe(values.length + (values.length % 2));
  return numbers;
}

/** Compares with the sum of terms: n + 1 additions in any order, three roundings a term. */
function expectSum(got: number, terms: readonly number[]): void {
  const size = terms.reduce((sum, term) => sum + Math.abs(term), 1);
  const plain = terms.reduce((sum, term) => sum + term, 0);
  expect(Math.abs(got - plain)).toBeLessThanOrEqual((terms.length + 4) * Number.EPSILON * size);
}

for (const featureCount of [1, 3, 4, 7, 13, 30]) {
  for (const rowCount of [1, 5, 8, 63, 64]) {
    for (const kind of ["dense", "csr"] as const) {
      describe(`${rowCount} rows of ${featureCount} features, ${kind}`, () => {
        const values = (seed: number, count: number): number[] => Array.from({ length: count }, (_, k) => Math.sin(seed + 3 * k));

        test("are products with a vector", () => {
          const { core, block, z, unknowns, before } = laidOut(rowCount, featureCount, kind);
          expect(before.every((value) => value === 0)).toBe(true);
          const t = values(1, unknowns);
          const out = core.doubles(new Array<number>(BLOCK).fill(Number.NaN));
          core.call.columnProducts?.(out, block, core.doubles(t), unknowns, rowCount);
          const got = core.readDoubles(out, rowCount);
          for (const [i, row] of z.entries())
            expectSum(
              got[i] as number,
              row.map((value, j) => value * (t[j] as number)),
            );
        });

        test("are sums with numbers of their own", () => {
          const { core, block, z, unknowns, stride } = laidOut(rowCount, featureCount, kind);
          const scales = values(2, rowCount);
          const t = core.doubles(new Array<number>(stride).fill(1));
          core.call.addColumnSums?.(t, block, perRow(core, scales), stride, rowCount + (rowCount % 2));
          const got = core.readDoubles(t, unknowns);
          for (let j = 0; j < unknowns; j++)
            expectSum(got[j] as number, [1, ...z.map((row, i) => (row[j] as number) * (scales[i] as number))]);
        });

        test("are the lower triangle of M, and two sums beside it", () => {
          const { core, block, z, unknowns, stride } = laidOut(rowCount, featureCount, kind);
          const count = rowCount + (rowCount % 2);
          const theta = z.map((_, i) => 10 ** ((i % 5) - 2));
          const sides = [values(4, rowCount), values(5, rowCount)];
          const left = core.doubles(new Array<number>(BLOCK * (stride + 2)).fill(Number.NaN));
          core.call.scaleColumns?.(left, block, perRow(core, theta), unknowns, count);
          const places = [core.call.rightColumn?.(left, unknowns), core.call.centreColumn?.(left, unknowns)] as number[];
          for (const [k, place] of places.entries()) {
            const numbers = core.readDoubles(perRow(core, sides[k] as number[]), count);
            new Float64Array(core.buffer, place, count).set(numbers);
          }
          const M = core.doubles(new Array<number>(stride * stride).fill(1));
          const sums = [core.doubles(new Array<number>(stride).fill(1)), core.doubles(new Array<number>(stride).fill(1))];
          core.call.addColumnTiles?.(M, sums[0] as number, sums[1] as number, left, block, unknowns, stride, count);
          const got = core.readDoubles(M, stride * stride);
          // Nobody reads the row behind the last where there is one, but what is not a number has no business in it.
          expect(got.every(Number.isFinite)).toBe(true);
          for (let j = 0; j < unknowns; j++) {
            for (let k = 0; k <= j; k++)
              expectSum(got[j * stride + k] as number, [
                1,
                ...z.map((row, i) => (theta[i] as number) * (row[j] as number) * (row[k] as number)),
              ]);
            for (const [side, numbers] of sides.entries()) {
              const sum = core.readDoubles(sums[side] as number, stride)[j] as number;
              expectSum(sum, [1, ...z.map((row, i) => (row[j] as number) * (numbers[i] as number))]);
            }
          }
        });
      });
    }
  }
}
