import { describe, expect, test } from "vitest";
import type { FoldOptions } from "../../../src/base/options/folds.ts";
import { folds } from "../../../src/data/folds.ts";
import type { LabelsInput } from "../../../src/data/labels.ts";
import { thrown } from "../../thrown.ts";

const labels = [2, 0, 0, 1, 2, 2, 0, 1, 1, 0, 2, 0, 2];
const testsOf = (rows: number | LabelsInput, options?: FoldOptions): number[][] => folds(rows, options).map(({ test }) => [...test]);

// scikit-learn 1.2.1, y = the labels above:
// python3 -c "from sklearn.model_selection import *; print([t.tolist() for _, t in StratifiedKFold(3).split(y, y)])" and so on.
describe("without shuffling, the folds of scikit-learn", () => {
  test("KFold(3)", () => {
    const expected = [
      [0, 1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10, 11, 12],
    ];
    expect(testsOf(13, { count: 3, shuffle: false })).toEqual(expected);
  });

  test("StratifiedKFold(3)", () => {
    const expected = [
      [0, 1, 2, 3, 4],
      [5, 6, 7, 10],
      [8, 9, 11, 12],
    ];
    expect(testsOf(labels, { count: 3, shuffle: false })).toEqual(expected);
    expect(testsOf(labels.map(String), { count: 3, shuffle: false })).toEqual(expected);
  });

  test("GroupKFold(3)", () => {
    const groups = [5, 5, 1, 1, 1, 9, 9, 9, 9, 2, 7, 7, 5];
    const expected = [
      [5, 6, 7, 8],
      [0, 1, 10, 11, 12],
      [2, 3, 4, 9],
    ];
    expect(testsOf(13, { kind: "grouped", count: 3, groups, shuffle: false })).toEqual(expected);
  });

  test("TimeSeriesSplit(3), and with gap=2", () => {
    const until = (end: number): number[] => Array.from({ length: end }, (_, k) => k);
    const made = (options: FoldOptions) => folds(13, options).map(({ train, test }) => [[...train], [...test]]);
    const blocks = [
      [4, 5, 6],
      [7, 8, 9],
      [10, 11, 12],
    ];
    expect(made({ kind: "time", count: 3 })).toEqual(blocks.map((block, k) => [until(4 + 3 * k), block]));
    expect(made({ kind: "time", count: 3, gap: 2 })).toEqual(blocks.map((block, k) => [until(2 + 3 * k), block]));
  });
});

describe("folds", () => {
  test("are five, stratified for labels and plain for a number of rows, unless options say otherwise", () => {
    const y = Array.from({ length: 10 }, (_, i) => (i < 5 ? "a" : "b"));
    expect(folds(y)).toEqual(folds(y, { kind: "stratified", count: 5, seed: 0, shuffle: true }));
    expect(folds(10)).toEqual(folds(10, { kind: "plain", count: 5, seed: 0, shuffle: true }));
    expect(folds(y, { kind: "plain" })).toEqual(folds(10));
  });

  test("are frozen, and leave what they were given alone", () => {
    const y = Object.freeze([1, 2, 1, 2]);
    const made = folds(y, { count: 2 });
    expect(Object.isFrozen(made) && made.every(Object.isFrozen)).toBe(true);
  });

  test("shuffled, keep to no order of the rows", () => {
    expect(testsOf(30, { count: 3 })).not.toEqual(testsOf(30, { count: 3, shuffle: false }));
  });
});

describe("folds refuse", () => {
  const three = { count: 3 };
  const refused: readonly [rows: unknown, options: unknown, code: string, message: string][] = [
    [4, {}, "bad-option", "count must be at most the number of rows, 4, got 5"],
    [0, {}, "bad-option", "count must be at most the number of rows, 0, got 5"],
    [9, { count: 1 }, "bad-option", "count must be a whole number at least 2, got 1"],
    [9, { kind: "random" }, "bad-option", 'kind must be "plain", "stratified", "grouped" or "time", got "random"'],
    [9, { folds: 3 }, "bad-option", 'folds has no option "folds"'],
    [2.5, {}, "bad-input", "folds need the number of rows or an array of labels, got 2.5"],
    [undefined, {}, "bad-input", "folds need the number of rows or an array of labels, got undefined"],
    [9, { kind: "stratified" }, "bad-input", "stratified folds need the labels, got the number of rows, 9"],
    [["a", "a", "a", "b", "b"], three, "bad-input", 'class "b" has 2 rows for 3 folds; use count: 2 or kind: "plain"'],
    [[0.5, 0.25, 0.125], three, "bad-input", 'class 0.125 has 1 row for 3 folds; use kind: "plain" or leave the class out'],
    [[1, 2, Number.NaN], three, "bad-input", "label of row 2 must be a finite number or a string, got NaN"],
    [9, { kind: "grouped" }, "bad-input", "grouped folds need groups: an array of one group a row"],
    [3, { kind: "grouped", count: 2, groups: [1, 2] }, "bad-input", "2 groups for 3 rows; there must be one a row"],
    [3, { kind: "grouped", ...three, groups: ["a", "b", "a"] }, "bad-option", "count must be at most the number of groups, 2, got 3"],
    [3, { kind: "grouped", ...three, groups: [1, null, 2] }, "bad-input", "group of row 1 must be a finite number or a string, got null"],
    [3, { kind: "grouped", ...three, groups: 7 }, "bad-option", "groups must be an array of one group a row, got 7"],
    [3, { ...three, groups: [1, 2, 3] }, "bad-option", 'groups is for kind: "grouped", these folds are plain'],
    [[1, 2, 3], { ...three, gap: 1 }, "bad-option", 'gap is for kind: "time", these folds are stratified'],
    [
      ...[3, { kind: "time", ...three }, "bad-input"],
      "3 time-ordered folds need 4 blocks of at least one row, got 3 rows; use fewer folds or a smaller gap",
    ] as [number, object, string, string],
    [
      ...[8, { kind: "time", ...three, gap: 2 }, "bad-input"],
      "3 time-ordered folds need a row before the first test block and its gap of 2, got 8 rows; use fewer folds or a smaller gap",
    ] as [number, object, string, string],
    [
      ...[2 ** 20, { count: 2 ** 20 }, "out-of-memory"],
      "1048576 folds of 1048576 rows list 1099511627776 row numbers; at most 4294967296 can be had. Use fewer folds",
    ] as [number, object, string, string],
  ];
  for (const [rows, options, code, message] of refused) {
    test(message, () => {
      const error = thrown(() => folds(rows as number, options as FoldOptions));
      expect([error.code, error.message]).toEqual([code, message]);
    });
  }
});
