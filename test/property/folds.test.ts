// What holds for folds of any rows.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Fold, folds } from "../../src/data/folds.ts";

const seed = fc.nat();
const count = fc.integer({ min: 2, max: 7 });
const shuffle = fc.boolean();
const runs = { seed: 11, numRuns: 200 };

/** Rows dealt to 1 to 4 classes of at least `least` rows each, in random order. */
const labelsOf = (least: number): fc.Arbitrary<number[]> =>
  fc
    .array(fc.integer({ min: least, max: least + 9 }), { minLength: 1, maxLength: 4 })
    .map((sizes) => sizes.flatMap((size, label) => new Array<number>(size).fill(label)))
    .chain((labels) => fc.shuffledSubarray(labels, { minLength: labels.length }));

function expectPartition(made: readonly Fold[], rowCount: number): void {
  const rows = Array.from({ length: rowCount }, (_, i) => i);
  expect(made.flatMap(({ test }) => [...test]).sort((a, b) => a - b)).toEqual(rows);
  for (const { train, test } of made) {
    expect(test.length).toBeGreaterThan(0);
    expect([...test]).toEqual([...test].sort((a, b) => a - b));
    const tested = new Set(test);
    expect([...train]).toEqual(rows.filter((row) => !tested.has(row)));
  }
}

const spread = (sizes: readonly number[]): number => Math.max(...sizes) - Math.min(...sizes);

describe("folds", () => {
  test("plain: test parts of equal size partition the rows, train is the complement", () => {
    fc.assert(
      fc.property(fc.integer({ min: 7, max: 60 }), count, seed, shuffle, (rowCount, k, s, mixed) => {
        const made = folds(rowCount, { count: k, seed: s, shuffle: mixed });
        expect(made).toHaveLength(k);
        expectPartition(made, rowCount);
        expect(spread(made.map(({ test }) => test.length))).toBeLessThanOrEqual(1);
      }),
      runs,
    );
  });

  test("stratified: also every class, its rows in even shares", () => {
    fc.assert(
      fc.property(labelsOf(7), count, seed, shuffle, (labels, k, s, mixed) => {
        const made = folds(labels, { count: k, seed: s, shuffle: mixed });
        expectPartition(made, labels.length);
        expect(spread(made.map(({ test }) => test.length))).toBeLessThanOrEqual(1);
        for (const label of new Set(labels)) {
          expect(spread(made.map(({ test }) => test.filter((row) => labels[row] === label).length))).toBeLessThanOrEqual(1);
        }
      }),
      runs,
    );
  });

  test("grouped: no group is split, and no fold is larger than the smallest by more than one group", () => {
    const groupsOf = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 2, maxLength: 60 }).filter((list) => new Set(list).size >= 2);
    fc.assert(
      fc.property(groupsOf, count, seed, shuffle, (groups, most, s, mixed) => {
        const names = [...new Set(groups)];
        const made = folds(groups.length, { kind: "grouped", groups, count: Math.min(most, names.length), seed: s, shuffle: mixed });
        expectPartition(made, groups.length);
        for (const name of names) {
          expect(made.filter(({ test }) => test.some((row) => groups[row] === name))).toHaveLength(1);
        }
        // A group goes to the smallest fold, so a fold is above the smallest by no more than the last group that it got.
        const largest = Math.max(...names.map((name) => groups.filter((group) => group === name).length));
        expect(spread(made.map(({ test }) => test.length))).toBeLessThanOrEqual(largest);
      }),
      runs,
    );
  });

  test("time-ordered: the last blocks in turn, trained on everything before", () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 60 }), count, (rowCount, k) => {
        const made = folds(rowCount, { kind: "time", count: k });
        const size = Math.floor(rowCount / (k + 1));
        expect(made.flatMap(({ test }) => [...test])).toEqual(Array.from({ length: k * size }, (_, i) => rowCount - k * size + i));
        for (const { train, test } of made) {
          expect(test).toHaveLength(size);
          expect([...train]).toEqual(Array.from({ length: test[0] as number }, (_, i) => i));
        }
      }),
      runs,
    );
  });

  test("same seed, same folds; other seed, other folds", () => {
    const labels = Array.from({ length: 40 }, (_, i) => i % 3);
    const groups = Array.from({ length: 40 }, (_, i) => i % 20);
    const makers = [
      (s: number) => folds(40, { seed: s }),
      (s: number) => folds(labels, { seed: s }),
      (s: number) => folds(40, { kind: "grouped", groups, seed: s }),
    ];
    for (const make of makers) {
      const many = Array.from({ length: 20 }, (_, s) => make(s));
      expect(many).toEqual(Array.from({ length: 20 }, (_, s) => make(s)));
      expect(new Set(many.map((made) => made.map(({ test }) => test.join()).join("|"))).size).toBe(20);
    }
  });
});
