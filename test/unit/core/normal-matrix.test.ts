import { expect, test } from "vitest";
import { coreUnderTest, shifts } from "../../core/instance.ts";
import { putRows } from "../../core/rows.ts";
import { denseRows, sparseSet } from "../../problems/generate.ts";

const BIAS = 2.5;

for (const featureCount of [1, 3, 4, 7, 8, 30]) {
  for (const rowCount of [1, 5, 64]) {
    const x = denseRows(sparseSet(rowCount, featureCount, Math.ceil(featureCount / 2), 7)).map((row) => row.map(Math.fround));
    const theta = x.map((_, i) => 10 ** ((i % 5) - 2));
    const z = x.map((row) => [...row, BIAS]);

    for (const way of ["rows", "blocks of dense rows", "blocks of sparse rows"] as const) {
      for (const shift of shifts) {
        test(`${rowCount} rows of ${featureCount} features, ${way}, shifted by ${shift}: the plain sum`, () => {
          const core = coreUnderTest();
          const stride = core.call.matrixStride?.(featureCount) as number;
          expect(stride).toBe(4 * Math.ceil((featureCount + 1) / 4));
          const M = core.doubles(new Array(stride * stride).fill(1), shift);
          const rows = putRows(core, way === "blocks of dense rows" ? "dense" : "csr", x, featureCount, shift);
          if (way === "rows") for (const [i, value] of theta.entries()) core.call.addOuter?.(M, value, BIAS, rows, i);
          else {
            const panels = core.doubles(new Array(64 * stride).fill(Number.NaN), shift);
            for (const [i, value] of theta.entries()) core.call.packRow?.(panels, i, value, BIAS, rows, i);
            for (let p = 0; 4 * p < stride; p++) core.call.addTiles?.(M, stride, panels, rowCount, p);
          }
          const got = core.readDoubles(M, stride * stride);
          for (let j = 0; j <= featureCount; j++) {
            for (let k = 0; k <= j; k++) {
              const terms = z.map((row, i) => (theta[i] as number) * (row[j] as number) * (row[k] as number));
              const plain = terms.reduce((sum, term) => sum + term, 1);
              // n + 1 additions in any order, and at most four roundings in each term.
              const bound = (rowCount + 5) * Number.EPSILON * terms.reduce((sum, term) => sum + Math.abs(term), 1);
              expect(Math.abs((got[j * stride + k] as number) - plain)).toBeLessThanOrEqual(bound);
            }
          }
        });
      }
    }
  }
}
