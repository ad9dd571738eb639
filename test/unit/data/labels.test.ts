import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ClassWeight } from "../../../src/base/options/fit.ts";
import { encodeLabels, type LabelsInput, rowWeights } from "../../../src/data/labels.ts";
import { thrown } from "../../thrown.ts";

describe("encodeLabels", () => {
  const accepted: readonly [what: string, labels: LabelsInput, classes: readonly unknown[], ids: readonly number[]][] = [
    ["sorts numbers by value", [10, 9, -1, 10], [-1, 9, 10], [2, 1, 0, 2]],
    ["sorts strings by code unit", ["b", "a", "B", "ä", "a"], ["B", "a", "b", "ä"], [2, 1, 0, 3, 1]],
    ["keeps strings that look like numbers strings", ["10", "9"], ["10", "9"], [0, 1]],
    ["takes the empty string for a label", ["", "x"], ["", "x"], [0, 1]],
    ["takes -0 for 0", [-0, 0, 1], [0, 1], [0, 0, 1]],
    ["takes typed arrays of integers", Int8Array.of(1, -1, 1), [-1, 1], [1, 0, 1]],
    ["takes typed arrays of doubles", Float64Array.of(0.5, 0.25), [0.25, 0.5], [1, 0]],
    ["takes a single class", [7, 7], [7], [0, 0]],
    ["takes no rows", [], [], []],
  ];
  for (const [what, labels, classes, ids] of accepted) {
    test(what, () => {
      const encoded = encodeLabels(labels, labels.length);
      expect(encoded.classes).toEqual(classes);
      expect([...encoded.ids]).toEqual(ids);
    });
  }

  test("classes[ids] are the labels again, which stay as they were", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 3 })), (labels) => {
        const given = Object.freeze([...labels]);
        const { classes, ids } = encodeLabels(given, given.length);
        expect(Array.from(ids, (id) => classes[id])).toEqual(labels.map((label) => label + 0));
        expect(classes).toEqual([...new Set(classes)].sort((a, b) => Number(a) - Number(b)));
      }),
      { seed: 4 },
    );
  });

  const hole = [1, 1];
  delete hole[1];
  const refused: readonly [what: string, labels: unknown, message: string][] = [
    ["too few labels", [1], "1 labels for 2 rows; there must be one a row"],
    ["too many labels", [1, 2, 3], "3 labels for 2 rows; there must be one a row"],
    ["no array", "ab", 'y must be an array of labels, got "ab"'],
    ["undefined", undefined, "y must be an array of labels, got undefined"],
    ["a Set", new Set([1, 2]), "y must be an array of labels, got a Set of 2"],
    ["NaN", [1, Number.NaN], "label of row 1 must be a finite number or a string, got NaN"],
    ["infinity", Float32Array.of(1, Infinity), "label of row 1 must be a finite number or a string, got Infinity"],
    ["booleans", [true, false], "label of row 0 must be a finite number or a string, got true"],
    ["bigints", BigInt64Array.of(1n, 2n), "label of row 0 must be a finite number or a string, got 1n"],
    ["null", [1, null], "label of row 1 must be a finite number or a string, got null"],
    ["a hole", hole, "label of row 1 must be a finite number or a string, got undefined"],
    ["a string among numbers", [1, "1"], 'labels must be all numbers or all strings: row 0 has a number, row 1 has "1"'],
    ["a number among strings", ["a", 2], "labels must be all numbers or all strings: row 0 has a string, row 1 has 2"],
  ];
  for (const [what, labels, message] of refused) {
    test(`refuses ${what}`, () => {
      const error = thrown(() => encodeLabels(labels as LabelsInput, 2));
      expect([error.code, error.message]).toEqual(["bad-input", message]);
    });
  }
});

const weigh = (labels: LabelsInput, classWeight?: ClassWeight, sampleWeight?: ArrayLike<number>): number[] => [
  ...rowWeights(encodeLabels(labels, labels.length), classWeight, sampleWeight),
];

describe("rowWeights", () => {
  test("are all 1 where nothing is said", () => {
    expect(weigh([1, -1, 1])).toEqual([1, 1, 1]);
  });

  test("multiply by class, by an object or a Map, leaving unnamed classes at 1", () => {
    expect(weigh([1, -1, 1], { "-1": 3 })).toEqual([1, 3, 1]);
    expect(
      weigh(
        [1, -1, 1],
        new Map([
          [1, 0.5],
          [-1, 4],
        ]),
      ),
    ).toEqual([0.5, 4, 0.5]);
    expect(weigh(["a", "b"], { b: 2 })).toEqual([1, 2]);
    expect(weigh([1, 2], new Map([["2", 5]]))).toEqual([1, 5]);
  });

  test("multiply class by sample weights, and take weights of 0", () => {
    expect(weigh([1, -1, 1, -1], { 1: 10 }, Float32Array.of(0.5, 2, 0, 1))).toEqual([5, 2, 0, 1]);
  });

  test("balanced gives every class the same total, and all rows together what they weighed before", () => {
    // 4 rows, 2 classes: 4 / (2 * 3) for the three, 4 / (2 * 1) for the one.
    expect(weigh(["a", "a", "a", "b"], "balanced")).toEqual([4 / 6, 4 / 6, 4 / 6, 2]);
  });

  test("balanced with whole sample weights equals rows repeated that often", () => {
    const rows = fc.array(fc.record({ label: fc.integer({ min: 0, max: 2 }), times: fc.integer({ min: 0, max: 4 }) }), { minLength: 1 });
    fc.assert(
      fc.property(rows, (given) => {
        const present = given.filter(({ label }) => given.some((other) => other.label === label && other.times > 0));
        fc.pre(present.length > 0);
        const weighted = weigh(
          present.map(({ label }) => label),
          "balanced",
          present.map(({ times }) => times),
        );
        const copies = present.flatMap(({ label, times }, i) => new Array<{ label: number; i: number }>(times).fill({ label, i }));
        const sums = present.map(() => 0);
        weigh(
          copies.map(({ label }) => label),
          "balanced",
        ).forEach((weight, k) => {
          sums[copies[k]?.i ?? -1]! += weight;
        });
        // Sums of whole numbers are exact, so the factors are equal; the copies' sum of up to 4 terms rounds up to 3 times,
        // the product once.
        weighted.forEach((weight, i) => {
          expect(Math.abs(weight - (sums[i] as number))).toBeLessThanOrEqual(4 * Number.EPSILON * weight);
        });
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  const refused: readonly [what: string, classWeight: ClassWeight | undefined, sampleWeight: unknown, message: string][] = [
    ["too few sample weights", undefined, [1, 1], "bad-input: 2 sample weights for 3 rows; there must be one a row"],
    ["a negative one", undefined, [1, -1, 1], "bad-input: sampleWeight of row 1 must be a finite number at least 0, got -1"],
    ["NaN", undefined, [1, 1, Number.NaN], "bad-input: sampleWeight of row 2 must be a finite number at least 0, got NaN"],
    ["infinity", undefined, [Infinity, 1, 1], "bad-input: sampleWeight of row 0 must be a finite number at least 0, got Infinity"],
    ["a string", undefined, ["1", 1, 1], 'bad-input: sampleWeight of row 0 must be a finite number at least 0, got "1"'],
    [
      "a class whose rows all weigh nothing",
      undefined,
      [1, 0, 0],
      'bad-input: class "rose" has only rows of weight 0; give one of them weight or leave the class out',
    ],
    [
      "a class of weight 0",
      { iris: 0 },
      undefined,
      'bad-input: class "iris" has only rows of weight 0; give one of them weight or leave the class out',
    ],
    [
      "a balanced class without weight",
      "balanced",
      [0, 1, 1],
      'bad-input: class "iris" has only rows of weight 0; give one of them weight or leave the class out',
    ],
    [
      "a sum of weights that overflows",
      undefined,
      [1, 1e308, 1e308],
      'bad-input: the weights of class "rose" add up to more than a double holds; use smaller ones',
    ],
    [
      "a product that overflows",
      { iris: 1e200 },
      [1e200, 1, 1],
      'bad-input: the weights of class "iris" add up to more than a double holds; use smaller ones',
    ],
    [
      "balanced sums that overflow",
      "balanced",
      [1, 1e308, 1e308],
      'bad-input: the weights of class "iris" add up to more than a double holds; use smaller ones',
    ],
    ["an unknown class", { tulip: 2 }, undefined, 'bad-option: classWeight names class "tulip", which no row has'],
    ["a mistyped class", { irs: 2 }, undefined, 'bad-option: classWeight names class "irs", which no row has; did you mean "iris"?'],
    ["a number where labels are strings", new Map([[5, 1]]), undefined, "bad-option: classWeight names class 5, which no row has"],
  ];
  for (const [what, classWeight, sampleWeight, message] of refused) {
    test(`refuse ${what}`, () => {
      const error = thrown(() => weigh(["iris", "rose", "rose"], classWeight, sampleWeight as number[] | undefined));
      expect(`${error.code}: ${error.message}`).toBe(message);
    });
  }

  test("suggest no number for a number, however alike they are spelt", () => {
    const error = thrown(() => weigh([1, -1], { "+1": 2 }));
    expect([error.code, error.message]).toEqual(["bad-option", 'classWeight names class "+1", which no row has']);
  });

  test("balanced refuses sums that overflow in the first class too, where the factor is no number", () => {
    const error = thrown(() => weigh(["a", "a", "b"], "balanced", [1e308, 1e308, 0.5]));
    expect(error.message).toBe('the weights of class "a" add up to more than a double holds; use smaller ones');
  });

  test("leave the sample weights as they were", () => {
    const given = Object.freeze([2, 3]);
    expect(weigh([0, 1], "balanced", given)).toEqual([2.5, 2.5]);
  });
});
