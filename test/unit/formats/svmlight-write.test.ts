import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shortestFloat } from "../../../src/formats/number-text.ts";
import { writeSvmlight } from "../../../src/formats/svmlight-write.ts";
import { thrown } from "../../thrown.ts";

const written = (...args: Parameters<typeof writeSvmlight>): string => new TextDecoder().decode(writeSvmlight(...args));

describe("rows as svmlight text", () => {
  test("have features from 1, zeros left out, numbers in their shortest form", () => {
    expect(
      written(
        [
          [0.1, 0, 3],
          [0, -0, 0],
        ],
        [1, -1.5],
      ),
    ).toBe("1 1:0.1 3:3\n-1.5\n");
  });

  test("have features from 0 and query ids if asked", () => {
    expect(written([{ 4: 0.5 }, { 0: 1 }], [1, 2], { indexBase: 0, queries: [7, 8] })).toBe("1 qid:7 4:0.5\n2 qid:8 0:1\n");
  });

  const wrong: readonly [what: string, y: unknown, options: object, message: string][] = [
    [
      "labels that are words",
      ["a", "b"],
      {},
      'bad-input: y at row 0 must be a finite number; svmlight files hold no other labels, got "a"',
    ],
    [
      "infinite labels",
      [1, Infinity],
      {},
      "bad-input: y at row 1 must be a finite number; svmlight files hold no other labels, got Infinity",
    ],
    ["too few labels", [1], {}, "bad-input: y has 1 values for 2 rows; there must be one a row"],
    ["no labels", undefined, {}, "bad-input: y must be an array of one number a row, got undefined"],
    ["half a query", [1, 2], { queries: [1, 0.5] }, "bad-input: queries at row 1 must be a whole number from 0, got 0.5"],
    ["too many queries", [1, 2], { queries: [1, 2, 3] }, "bad-input: queries has 3 values for 2 rows; there must be one a row"],
    ["an index base of 2", [1, 2], { indexBase: 2 }, "bad-option: indexBase must be 0 or 1, got 2"],
  ];
  for (const [what, y, options, message] of wrong) {
    test(`are refused with ${what}`, () => {
      const error = thrown(() => writeSvmlight([[1], [2]], y as number[], options));
      expect(`${error.code}: ${error.message}`).toBe(message);
    });
  }
});

describe("the shortest text of a float32", () => {
  test("reads back to the same bits, and no shorter number of digits does", () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (x) => {
        const text = shortestFloat(x);
        expect(Math.fround(Number(text))).toBe(x);
        const digits = text
          .replace(/e.*/, "")
          .replace(/[-.]/g, "")
          .replace(/^0+|0+$/g, "").length;
        for (let fewer = 1; fewer < digits; fewer++) expect(Math.fround(Number(x.toPrecision(fewer)))).not.toBe(x);
      }),
      { seed: 20, numRuns: 3000 },
    );
  });

  for (const [x, text] of [
    [Math.fround(0.1), "0.1"],
    [2 ** -149, "1e-45"],
    [-0, "-0"],
    [16777216, "16777216"],
    [3.4028234663852886e38, "3.4028235e+38"],
  ] as const) {
    test(`of ${x} is ${text}`, () => {
      expect(shortestFloat(x)).toBe(text);
    });
  }
});
