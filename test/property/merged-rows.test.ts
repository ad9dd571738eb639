// Rows that hold the same as one: nothing is lost on the way there and back, and the fit is the same problem.

import fc from "fast-check";
import { expect, test } from "vitest";
import { equalRows as find } from "../../src/estimators/equal-rows.ts";
import { merged } from "../../src/estimators/merged-rows.ts";
import { type Matrix, matrix, OneClassSVM, SVC, SVR } from "../../src/index.ts";
import { beginCall, withMatrix } from "../../src/runtime/runtime.ts";

const equalRows = (x: Matrix) => withMatrix(x, (packed) => find(packed, beginCall({ threads: 1 })));

const few = fc.integer({ min: -1, max: 1 });
const rowsOf = (least: number) =>
  fc
    .integer({ min: 1, max: 12 })
    .chain((d) => fc.array(fc.array(few, { minLength: d, maxLength: d }), { minLength: least, maxLength: 40 }));

test("equalRows finds the first row that holds the same, dense and sparse", async () => {
  await fc.assert(
    fc.asyncProperty(rowsOf(1), fc.boolean(), async (rows, isSparse) => {
      const sparse = rows.map((row) => Object.fromEntries(row.flatMap((value, j) => (value === 0 ? [] : [[j, value]]))));
      const x = isSparse ? matrix(sparse, { featureCount: rows[0]?.length ?? 0 }) : matrix(rows);
      const texts = rows.map((row) => row.join());
      const wanted = texts.map((text) => texts.indexOf(text));
      const found = await equalRows(x);
      expect(Array.from(found ?? wanted.keys())).toEqual(wanted);
    }),
  );
});

test("equalRows tells rows apart that differ in one value out of many", async () => {
  const rows = Array.from({ length: 300 }, (_, i) => Array.from({ length: 300 }, (_, j) => (i === j ? 2 : 1)));
  expect(await equalRows(matrix(rows))).toBeUndefined();
  const found = await equalRows(matrix([...rows, rows[7] as number[]]));
  expect(found?.[300]).toBe(7);
});

test("there and back: sums are kept, bounds are kept, equal rows with other targets stay apart", () => {
  const tasks = fc.array(fc.record({ first: fc.integer({ min: 0, max: 4 }), up: fc.boolean(), cost: fc.integer({ min: 1, max: 9 }) }), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(tasks, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 30, maxLength: 30 }), (rows, parts) => {
      const firstOf = Uint32Array.from(rows, ({ first }) => rows.findIndex((other) => other.first === first));
      const task = {
        form: "c_svc" as const,
        rowIds: Uint32Array.from(rows.keys()),
        targets: Float64Array.from(rows, ({ up }) => (up ? 1 : -1)),
        costs: Float64Array.from(rows, ({ cost }) => cost / 3),
        nu: 0,
        epsilon: 0,
      };
      const { task: fewer, summed, toRows } = merged(task, firstOf);
      const kinds = new Set(rows.map(({ first, up }) => `${first} ${up}`));
      expect(fewer.rowIds).toHaveLength(kinds.size);
      const v = fewer.costs.map((cost, g) => (fewer.targets[g] as number) * cost * (parts[g] as number));
      const back = toRows(v);
      back.forEach((value, k) => {
        expect(value * (task.targets[k] as number)).toBeGreaterThanOrEqual(0);
        expect(Math.abs(value)).toBeLessThanOrEqual(task.costs[k] as number);
      });
      // One subtraction a row, each of at most the sum: rounding by at most 2^-53 of it a row.
      summed(back).forEach((sum, g) => {
        expect(Math.abs(sum - (v[g] as number))).toBeLessThanOrEqual(rows.length * 2 ** -52 * (fewer.costs[g] as number));
      });
      expect(toRows(fewer.costs.map((cost, g) => cost * (fewer.targets[g] as number)))).toEqual(
        task.costs.map((cost, k) => cost * (task.targets[k] as number)),
      );
    }),
  );
});

test("a row twice is the row with weight 2, the same dual objective to the last bit", async () => {
  const rows = Array.from({ length: 24 }, (_, i) => [Math.sin(7 * i), Math.cos(3 * i)]);
  const labels = rows.map(([a = 0], i) => ((i * 5) % 7 < 3 === a > 0 ? "yes" : "no"));
  const targets = rows.map(([a = 0, b = 0]) => a * b);
  const twice = [...rows, ...rows.slice(0, 9)];
  const sampleWeight = rows.map((_, i) => (i < 9 ? 2 : 1));
  const unseen = [[0.3, -0.2]];
  for (const fitted of [
    [await SVC.fit(twice, [...labels, ...labels.slice(0, 9)], { gamma: 1 }), await SVC.fit(rows, labels, { gamma: 1, sampleWeight })],
    [await SVR.fit(twice, [...targets, ...targets.slice(0, 9)], { gamma: 1 }), await SVR.fit(rows, targets, { gamma: 1, sampleWeight })],
    [await OneClassSVM.fit(twice, { gamma: 1 }), await OneClassSVM.fit(rows, { gamma: 1, sampleWeight })],
  ]) {
    const [one, other] = await Promise.all(fitted.map((model) => model.decision(unseen)));
    expect(one?.[0]).toBeCloseTo(other?.[0] as number, 12);
    expect(fitted[0]?.report.certificate?.dual).toBe(fitted[1]?.report.certificate?.dual);
  }
});
