import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isDigit, parseDecimal, shortDecimal } from "../../../src/formats/decimal.ts";

const encoder = new TextEncoder();

/** The number in `text`, which is parsed with other numbers right before and after it, so that reading too far shows. */
function parse(text: string): number {
  const bytes = encoder.encode(text);
  const surrounded = new Uint8Array(bytes.length + 4);
  surrounded.set(encoder.encode("7-"));
  surrounded.set(bytes, 2);
  surrounded.set(encoder.encode("9e"), 2 + bytes.length);
  return parseDecimal(surrounded, 2, 2 + bytes.length);
}

const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 25 });
const sign = fc.constantFrom("", "+", "-");
const mantissa = fc.oneof(
  digits,
  digits.map((whole) => `${whole}.`),
  digits.map((fraction) => `.${fraction}`),
  fc.tuple(digits, digits).map(([whole, fraction]) => `${whole}.${fraction}`),
);
const exponent = fc.oneof(
  fc.constant(""),
  fc.tuple(fc.constantFrom("e", "E"), sign, fc.integer({ min: 0, max: 400 })).map(([e, s, k]) => e + s + k),
);
const written = fc.tuple(sign, mantissa, exponent).map((parts) => parts.join(""));

describe("a decimal number", () => {
  test("is what Number makes of the same text, for generated texts", () => {
    fc.assert(
      fc.property(written, (text) => {
        expect(parse(text)).toBe(Number(text));
      }),
      { seed: 6, numRuns: 5000 },
    );
  });

  test("comes back exactly from every way JavaScript writes a double", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: 1, max: 21 }), (x, precision) => {
        for (const text of [String(x), x.toExponential(), x.toPrecision(precision)]) expect(parse(text)).toBe(Number(text));
      }),
      { seed: 7, numRuns: 2000 },
    );
  });

  const edges = [
    // Where the short way, mantissa times power of ten, stops being exact: mantissas about 2^53, powers about 10^22.
    ...["9007199254740991", "9007199254740992", "9007199254740993", "9007199254740993e22", "9007199254740991e-22"],
    ...["1e22", "1e23", "1e-22", "1e-23", "0.0000000000000000000001", "123456789012345678901234567890"],
    // Half way between two doubles, and just beside.
    ...["1.00000000000000011102230246251565404", "1.00000000000000011102230246251565405"],
    ...["1.7976931348623157e308", "1.7976931348623159e308", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324"],
    ...["0", "-0", "+0", "-0.0e5", "0e999", "0e-999", "00012", "-.5", "5.", "1e+05", "1E5", "1e0000000000000000000000005"],
  ];
  for (const text of edges) {
    test(`${text} is read as Number reads it`, () => {
      expect(parse(text)).toBe(Number(text));
    });
  }

  test("too large for a double is infinite, by mantissa and by exponent", () => {
    expect(parse("1e309")).toBe(Infinity);
    expect(parse("-1e999999999999999999999")).toBe(-Infinity);
    expect(parse("9".repeat(400))).toBe(Infinity);
  });

  test("may have hundreds of thousands of digits", () => {
    expect(parse(`0.${"3".repeat(300_000)}`)).toBe(1 / 3);
  });
});

describe("anything else is NaN", () => {
  const wrong = [
    ...["", "+", "-", ".", "+.", "-.", "e", "e5", ".e5", "1e", "1e+", "1e-", "1e.5", "1e5.0", "1e5e5"],
    ...["0x10", "0b1", "0o7", "nan", "NaN", "inf", "Infinity", "-Infinity", "1_0", "1,5", "1n", "1f", "0x", "1d5"],
    ...[" 1", "1 ", "\t1", "1\n", "--1", "+-1", "1-", "1+1", "1..2", "1.2.3", "1:2", "one", "١", "½", "1\0"],
  ];
  for (const text of wrong) {
    test(`${JSON.stringify(text)} is NaN`, () => {
      expect(parse(text)).toBeNaN();
    });
  }

  test("for generated texts, everything that the grammar does not generate", () => {
    const grammar = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."019.+-eExX _"), maxLength: 7 }), (text) => {
        expect(parse(text)).toBe(grammar.test(text) ? Number(text) : Number.NaN);
      }),
      { seed: 8, numRuns: 5000 },
    );
  });

  test("of 256 bytes, the digits are digits and no other byte is, nor is the end of the bytes", () => {
    const found = Array.from({ length: 256 }, (_, byte) => byte).filter(isDigit);
    expect(String.fromCharCode(...found)).toBe("0123456789");
    expect(isDigit(undefined)).toBe(false);
  });
});

describe("a short number, read without knowing where it ends", () => {
  const after = fc.constantFrom("", " ", "\n", ":3", "x", "-");

  test("is what Number makes of it, and the cursor is behind it; what is none leaves the cursor", () => {
    let shortOnes = 0;
    fc.assert(
      fc.property(written, after, (text, more) => {
        const cursor = { at: 1 };
        const value = shortDecimal(encoder.encode(`7${text}${more}`), cursor);
        const isShort = /^-?(?=[.]?[0-9])[0-9]*[.]?[0-9]*$/.test(text) && text.replace(/[^0-9]/g, "").length <= 15;
        expect(value).toBe(isShort ? Number(text) : Number.NaN);
        expect(cursor.at).toBe(isShort ? 1 + text.length : 1);
        if (isShort) shortOnes++;
      }),
      { seed: 8, numRuns: 5000 },
    );
    expect(shortOnes).toBeGreaterThan(300);
  });

  test("is none of these", () => {
    for (const text of ["", "-", ".", "-.", "+1", "e5", "1e5", "1.5E3", "nan", " 1", "1234567890123456", "0000000000000001"]) {
      const cursor = { at: 0 };
      expect(shortDecimal(encoder.encode(text), cursor), text).toBeNaN();
      expect(cursor.at).toBe(0);
    }
  });
});
