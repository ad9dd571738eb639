import { describe, expect, test } from "vitest";
import { HingeError, shown } from "../../../src/base/errors.ts";

describe("HingeError", () => {
  test("is an Error with a name, a code and the message as given", () => {
    const error = new HingeError("bad-input", "x has no rows");
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("HingeError");
    expect(error.code).toBe("bad-input");
    expect(error.message).toBe("x has no rows");
    expect(error.where).toBeUndefined();
    expect(String(error)).toBe("HingeError: x has no rows");
  });

  test("puts file, line and column before the message, and keeps them", () => {
    const where = { file: "a.svm", line: 3, column: 7 };
    const error = new HingeError("bad-file", "no", where);
    expect(error.message).toBe("a.svm:3:7: no");
    expect(error.where).toEqual(where);
  });

  test("keeps its cause", () => {
    const cause = new TypeError("below");
    expect(new HingeError("bad-model", "above", undefined, { cause }).cause).toBe(cause);
    expect(Object.hasOwn(new HingeError("bad-model", "above"), "cause")).toBe(false);
  });

  test("option() says the name, what is allowed and what was got", () => {
    const error = HingeError.option("C", "a finite number above 0", "1");
    expect(error.code).toBe("bad-option");
    expect(error.message).toBe('C must be a finite number above 0, got "1"');
  });

  test("input() has the code bad-input", () => {
    const error = HingeError.input("y is short");
    expect([error.code, error.message]).toEqual(["bad-input", "y is short"]);
  });
});

describe("shown", () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  const cases: readonly [what: string, value: unknown, text: string][] = [
    ["a string in quotes", "a", '"a"'],
    ["a line break inside a string as two characters", "a\nb", '"a\\nb"'],
    ["the empty string", "", '""'],
    ["a number", 1.5, "1.5"],
    ["NaN", Number.NaN, "NaN"],
    ["minus infinity", -Infinity, "-Infinity"],
    ["a bigint with its n", 12n, "12n"],
    ["undefined", undefined, "undefined"],
    ["null", null, "null"],
    ["true", true, "true"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
    ["a function without its source", () => 1, "a function"],
    ["an array by its length", [1, 2, 3], "an array of 3"],
    ["a typed array by its type", new Float32Array(2), "a Float32Array"],
    ["a typed array whose type begins with a vowel sound", new Int8Array(2), "an Int8Array"],
    ["an unsigned one, which does not", new Uint8Array(2), "a Uint8Array"],
    ["a DataView", new DataView(new ArrayBuffer(1)), "a DataView"],
    ["a Map by its size", new Map([[1, 2]]), "a Map of 1"],
    ["a Set by its size", new Set([1, 2]), "a Set of 2"],
    ["a plain object as JSON", { a: 1 }, '{"a":1}'],
    ["an object that contains itself", circle, "an object"],
    ["an object that JSON refuses", { a: 1n }, "an object"],
    ["an object that JSON leaves out", { toJSON: () => undefined }, "an object"],
  ];
  for (const [what, value, text] of cases) {
    test(`shows ${what}`, () => {
      expect(shown(value)).toBe(text);
    });
  }

  test("leaves 60 characters alone and cuts 61 to 60", () => {
    // Two of the characters are the quotes.
    expect(shown("x".repeat(58))).toBe(`"${"x".repeat(58)}"`);
    expect(shown("x".repeat(59))).toBe(`"${"x".repeat(58)}…`);
    expect(shown({ key: "y".repeat(200) })).toBe(`{"key":"${"y".repeat(51)}…`);
  });
});
