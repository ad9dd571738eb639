import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { coreUnderTest, shifts } from "../../core/instance.ts";
import { putRows } from "../../core/rows.ts";
import { normal } from "../../problems/generate.ts";

/** Rows with about half of their values zero, some rows wholly. */
function someRows(rowCount: number, featureCount: number): number[][] {
  const random = new Random(11);
  return Array.from({ length: rowCount }, (_, i) =>
    Array.from({ length: featureCount }, () => (i % 5 === 3 || random.unit() < 0.5 ? 0 : Math.fround(normal(random)))),
  );
}

const shapes = [
  [1, 0],
  [1, 1],
  [1, 7],
  [6, 5],
  [10, 33],
] as const;

for (const kind of ["dense", "csr"] as const) {
  describe(`${kind} rows`, () => {
    for (const [rowCount, featureCount] of shapes) {
      for (const shift of shifts) {
        test(`${rowCount} x ${featureCount}, shifted by ${shift}: length, dot, norm and axpy are those of the plain rows`, () => {
          const core = coreUnderTest();
          const rows = someRows(rowCount, featureCount);
          const x = putRows(core, kind, rows, featureCount, shift);
          const random = new Random(2);
          const w = Array.from({ length: featureCount }, () => normal(random));
          for (let i = 0; i < rowCount; i++) {
            const row = rows[i] as number[];
            const terms = row.map((value, j) => value * (w[j] as number));
            const rounding = (parts: number[]): number =>
              parts.length * Number.EPSILON * parts.reduce((sum, part) => sum + Math.abs(part), 0);
            const plain = (parts: number[]): number => parts.reduce((sum, part) => sum + part, 0);
            const squares = row.map((value) => value * value);
            const at = core.doubles(w, shift);

            expect(core.call.rowLength?.(x, i)).toBe(kind === "dense" ? featureCount : row.filter((value) => value !== 0).length);
            expect(Math.abs((core.call.rowDot?.(x, i, at) ?? NaN) - plain(terms))).toBeLessThanOrEqual(rounding(terms));
            expect(Math.abs((core.call.rowSquaredNorm?.(x, i) ?? NaN) - plain(squares))).toBeLessThanOrEqual(rounding(squares));
            core.call.rowAxpy?.(at, 2.5, x, i);
            expect(core.readDoubles(at, featureCount)).toEqual(row.map((value, j) => (w[j] as number) + 2.5 * value));
          }
        });
      }
    }

    test("values of a row begin where those of the one before it end, and so do those behind the last", () => {
      const core = coreUnderTest();
      const rows = someRows(6, 5);
      const x = putRows(core, kind, rows, 5);
      const bounds = Array.from({ length: 7 }, (_, i) => core.call.rowValues?.(x, i) ?? NaN);
      const stored = rows.map((row) => (kind === "dense" ? row : row.filter((value) => value !== 0)));
      stored.forEach((values, i) => {
        expect(Array.from(new Float32Array(core.buffer, bounds[i], values.length))).toEqual(values);
        expect((bounds[i + 1] as number) - (bounds[i] as number)).toBe(4 * values.length);
      });
    });

    test("reading ahead of the last row stays inside the padding that the host leaves", () => {
      const core = coreUnderTest();
      const x = putRows(core, kind, someRows(3, 4), 4);
      expect(core.call.touchRowStart?.(x, 2)).toBeTypeOf("number");
      expect(core.call.touchRowValues?.(x, 2)).toBeTypeOf("number");
    });
  });
}

test("a dense row begins where its number says", () => {
  const core = coreUnderTest();
  const x = putRows(core, "dense", someRows(4, 3), 3);
  expect((core.call.denseRow?.(x, 2) ?? 0) - (core.call.denseRow?.(x, 0) ?? 0)).toBe(2 * 3 * 4);
});
