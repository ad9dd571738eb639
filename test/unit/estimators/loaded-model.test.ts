// What a loaded model needs before it predicts, by the core and by plain loops.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { Matrix } from "../../../src/data/matrix.ts";
import { coefficientsOf, gathered, gatheredByCore } from "../../../src/estimators/coefficients.ts";
import { surveyIn, surveyWithin, withSurvey } from "../../../src/estimators/row-survey.ts";
import { groupsOf } from "../../../src/estimators/vector-groups.ts";
import type { KernelModelData } from "../../../src/model/kernel-model.ts";
import { pairPlace, pairs } from "../../../src/model/schemes.ts";
import { placementOf } from "../../../src/runtime/placement.ts";
import { withMatrix } from "../../../src/runtime/runtime.ts";

function modelOf(random: Random, classCount: number, vectorCounts: readonly number[]): KernelModelData {
  const count = vectorCounts.reduce((sum, each) => sum + each, 0);
  return {
    scheme: "ovo",
    classes: Array.from({ length: classCount }, (_, m) => m),
    vectors: { count },
    vectorCounts: Uint32Array.from(vectorCounts),
    coefficients: Float64Array.from({ length: count * (classCount - 1) }, () => (random.unit() < 0.7 ? 0 : random.unit() - 0.5)),
  } as unknown as KernelModelData;
}

test("a pair of classes is where the list of all has it", () => {
  for (const classCount of [2, 3, 5, 26]) {
    expect(pairs(classCount).map(([a, b]) => pairPlace(a, b, classCount))).toEqual(pairs(classCount).map((_, k) => k));
  }
});

test("coefficients of a class are part of the decision values of its pairs", () => {
  const groups = groupsOf(modelOf(new Random(1), 4, [2, 0, 1, 3]));
  // (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)
  expect(groups.map(({ from, to, places }) => [from, to, ...places])).toEqual([
    [0, 2, 0, 1, 2],
    [2, 2, 0, 3, 4],
    [2, 3, 1, 3, 5],
    [3, 6, 2, 4, 5],
  ]);
});

test("they are gathered alike by the core and by a loop, few and many", () => {
  for (const counts of [[0, 0, 0], [1, 0, 5], [300, 0, 20, 7, 1], Array.from({ length: 30 }, (_, m) => 10 + m)]) {
    const model = modelOf(new Random(counts.length), counts.length, counts);
    const plain = gathered(model);
    expect(gatheredByCore(model)).toEqual(plain);
    expect(coefficientsOf(model)).toEqual(plain);
    expect(plain.starts.at(-1)).toBe(model.coefficients.filter((value) => value !== 0).length);
  }
});

describe("the largest square", () => {
  const random = new Random(3);
  const rows = Array.from({ length: 40 }, () => Array.from({ length: 7 }, () => (random.unit() < 0.3 ? 0 : random.unit() - 0.5)));
  const ids = Uint32Array.of(39, 3, 8);

  test("of rows in the core's memory, dense and sparse, and of those that are nowhere", async () => {
    const sparse = rows.map((row) => Object.fromEntries(row.flatMap((value, j) => (value === 0 ? [] : [[j, value]]))));
    for (const given of [rows, sparse]) {
      await withMatrix(given, async (placed) => {
        expect(placementOf(placed)).toBeDefined();
        const plain = new Matrix(placed, {
          values: placed.values.slice(),
          indices: placed.indices.slice(),
          starts: placed.starts.slice(),
        });
        expect(placementOf(plain)).toBeUndefined();
        for (const x of [placed, plain]) {
          for (const [base, per] of [
            [0, 1],
            [1, 25],
          ] as const) {
            const most = surveyIn(x, ids).largest(base, per);
            expect(most).toBeGreaterThan(surveyIn(x, [3]).largest(base, per));
            expect(surveyWithin(x, ids).largest(base, per)).toBe(most);
          }
          for (const perOne of [1, 2, 4, 10]) {
            const unit = { perOne, tolerance: 1e-6, mostPerOne: 1000 };
            expect(surveyWithin(x, ids).misfit(unit)).toBe(surveyIn(x, ids).misfit(unit));
          }
        }
      });
    }
  });

  test("of all rows of a sparse matrix", () => {
    const stored = rows.map((row) => row.filter((value) => value !== 0));
    const starts = Uint32Array.from([0, ...stored.map((_, i) => stored.slice(0, i + 1).flat().length)]);
    const values = Float32Array.from(stored.flat());
    const shape = { kind: "csr", rowCount: rows.length, featureCount: 7, valueCount: values.length } as const;
    const x = new Matrix(shape, { values, indices: new Uint32Array(values.length), starts });
    const all = Uint32Array.from(rows.keys());
    const plain = surveyIn(x, all);
    withSurvey(x, ({ largest, misfit }) => {
      expect(largest(0, 1)).toBe(plain.largest(0, 1));
      expect(largest(1, 25)).toBe(plain.largest(1, 25));
      for (const perOne of [1, 2, 4, 10]) {
        const unit = { perOne, tolerance: 1e-6, mostPerOne: 1000 };
        expect(misfit(unit)).toBe(plain.misfit(unit));
      }
    });
  });
});
