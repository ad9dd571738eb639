// What holds for scaled rows of any kind.

import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { type Matrix, MaxAbsScaler, MinMaxScaler, matrix, Normalizer, type Scaler, StandardScaler, stopPool } from "../../src/index.ts";

afterAll(() => stopPool());

const runs = { seed: 12, numRuns: 40 };
/** The rounding of one float32 operation, relative. */
const ROUNDING = 2 ** -24;

// Sizes from 1/8 to 1000: where a spread exists, it is not lost against the size of the values.
const size = fc.oneof(
  fc.integer({ min: 1, max: 1000 }),
  fc.integer({ min: 1, max: 8 }).map((k) => k / 8),
);
const signed = fc.tuple(size, fc.constantFrom(-1, 1)).map(([x, sign]) => x * sign);
const mostlyZero = fc.oneof(fc.constant(0), fc.constant(0), signed);
const table = (value: fc.Arbitrary<number>): fc.Arbitrary<number[][]> =>
  fc.array(fc.tuple(value, value, value), { minLength: 2, maxLength: 20 });

const sparse = (rows: readonly number[][]) => rows.map((row) => [row.map((_, j) => j), row] as const);

function columnsOf(x: Matrix): number[][] {
  const columns = Array.from({ length: x.featureCount }, () => new Array<number>(x.rowCount).fill(0));
  for (let i = 0; i < x.rowCount; i++) {
    x.forEachInRow(i, (j, value) => {
      (columns[j] as number[])[i] = value + 0;
    });
  }
  return columns;
}

const transposed = (rows: readonly number[][]): number[][] => [0, 1, 2].map((j) => rows.map((row) => row[j] as number));

function expectClose(found: readonly number[][], expected: readonly number[][], tolerance: (x: number) => number): void {
  const wanted = expected.flat();
  found.flat().forEach((x, k) => {
    expect(Math.abs(x - (wanted[k] as number))).toBeLessThanOrEqual(tolerance(x));
  });
}

const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / list.length;
const isConstant = (list: readonly number[]): boolean => list.every((x) => x === list[0]);

describe("scaled features", () => {
  test("MinMaxScaler: reach both ends of the range and nothing beyond; constant ones its lower end", async () => {
    const ends = fc.tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: 1, max: 5 }));
    await fc.assert(
      fc.asyncProperty(table(signed), ends, async (rows, [low, width]) => {
        const scaler = await MinMaxScaler.fit(rows, { featureRange: [low, low + width] });
        for (const column of columnsOf(await scaler.transform(rows))) {
          expect(Math.min(...column)).toBe(low);
          expect(Math.max(...column)).toBe(isConstant(column) ? low : low + width);
        }
      }),
      runs,
    );
  });

  test("StandardScaler: have mean 0 and variance 1; constant ones are 0", async () => {
    await fc.assert(
      fc.asyncProperty(table(signed), async (rows) => {
        const scaler = await StandardScaler.fit(rows);
        for (const column of columnsOf(await scaler.transform(rows))) {
          // Each value, at most sqrt(20) for 20 rows, is rounded once.
          expect(Math.abs(mean(column))).toBeLessThan(8 * ROUNDING);
          if (isConstant(column)) expect(column[0]).toBe(0);
          else expect(Math.abs(mean(column.map((x) => x * x)) - 1)).toBeLessThan(8 * ROUNDING);
        }
      }),
      runs,
    );
  });

  test("MaxAbsScaler: have a largest size of 1, or are all 0", async () => {
    await fc.assert(
      fc.asyncProperty(table(mostlyZero), async (rows) => {
        const scaler = await MaxAbsScaler.fit(sparse(rows), {});
        for (const column of columnsOf(await scaler.transform(sparse(rows)))) {
          expect(Math.max(...column.map(Math.abs))).toBe(isConstant(column) && column[0] === 0 ? 0 : 1);
        }
      }),
      runs,
    );
  });

  test("come back by inverseTransform, to the rounding of what was scaled", async () => {
    await fc.assert(
      fc.asyncProperty(table(signed), async (rows) => {
        for (const scaler of [await MinMaxScaler.fit(rows), await StandardScaler.fit(rows), await MaxAbsScaler.fit(rows)]) {
          const back = columnsOf(await scaler.inverseTransform(await scaler.transform(rows)));
          // Scaled values are below 8 and rounded once; the way back multiplies that by at most 2000 and rounds again.
          expectClose(back, transposed(rows), () => 2 * 8 * 2000 * ROUNDING);
        }
      }),
      runs,
    );
  });
});

describe("scaled rows", () => {
  const norms = {
    l1: (row: number[]) => row.reduce((sum, x) => sum + Math.abs(x), 0),
    l2: (row: number[]) => Math.sqrt(row.reduce((sum, x) => sum + x * x, 0)),
    max: (row: number[]) => Math.max(...row.map(Math.abs)),
  };
  for (const norm of ["l1", "l2", "max"] as const) {
    test(`Normalizer ${norm}: have norm 1, or are all 0`, async () => {
      await fc.assert(
        fc.asyncProperty(table(mostlyZero), async (rows) => {
          const columns = columnsOf(await (await Normalizer.fit(rows, { norm })).transform(rows));
          rows.forEach((row, i) => {
            const scaled = norms[norm](columns.map((column) => column[i] as number));
            if (row.every((x) => x === 0)) expect(scaled).toBe(0);
            else expect(Math.abs(scaled - 1)).toBeLessThan(4 * ROUNDING);
          });
        }),
        runs,
      );
    });
  }
});

describe("every scaler", () => {
  type Options = { sampleWeight?: number[] };
  type Rows = Parameters<typeof MaxAbsScaler.fit>[0];
  const scalers: readonly [name: string, fit: (x: Rows, options?: Options) => Promise<Scaler>][] = [
    ["MinMaxScaler, dense", (x, options) => MinMaxScaler.fit(x, { dense: true, featureRange: [-1, 2], ...options })],
    ["StandardScaler, dense", (x, options) => StandardScaler.fit(x, { dense: true, ...options })],
    ["StandardScaler without mean", (x, options) => StandardScaler.fit(x, { withMean: false, ...options })],
    ["MaxAbsScaler", (x, options) => MaxAbsScaler.fit(x, options)],
  ];
  for (const [name, make] of [...scalers, ["Normalizer", (x: Rows) => Normalizer.fit(x)] as const]) {
    test(`${name}: dense and sparse rows give the same scaler and the same values, bit for bit`, async () => {
      await fc.assert(
        fc.asyncProperty(table(mostlyZero), async (rows) => {
          const csrRows = matrix(sparse(rows), { featureCount: 3 });
          const [dense, csr] = await Promise.all([make(rows), make(csrRows)]);
          expect(csr.toJSON()).toEqual(dense.toJSON());
          const scaled = columnsOf(await dense.transform(rows));
          expect(columnsOf(await csr.transform(csrRows))).toEqual(scaled);
        }),
        runs,
      );
    });
  }

  for (const [name, make] of scalers) {
    test(`${name}: weights count like repeated rows`, async () => {
      const weighted = table(mostlyZero).chain((rows) =>
        fc.tuple(fc.constant(rows), fc.array(fc.nat({ max: 3 }), { minLength: rows.length, maxLength: rows.length })),
      );
      await fc.assert(
        fc.asyncProperty(weighted, async ([rows, given]) => {
          const sampleWeight = given.every((w) => w === 0) ? given.map(() => 1) : given;
          const repeated = rows.flatMap((row, i) => new Array<number[]>(sampleWeight[i] as number).fill(row));
          const [once, often] = await Promise.all([make(rows, { sampleWeight }), make(repeated)]);
          const [a, b] = [columnsOf(await once.transform(rows)), columnsOf(await often.transform(rows))];
          // Sums of up to 60 terms in another order: equal to rounding in float64, so to one rounding in float32.
          expectClose(a, b, (x) => 2 * ROUNDING * Math.max(1, Math.abs(x)));
        }),
        runs,
      );
    });
  }
});
