import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BRIEF, GeneralWriter } from "../../../src/formats/general-writer.ts";
import { formatGeneral } from "../../../src/formats/printf.ts";

function written(x: number): string {
  const out = new GeneralWriter();
  out.number(x);
  return new TextDecoder().decode(out.finish());
}

describe("a number written to bytes is what formatGeneral makes of it", () => {
  const powers = Array.from({ length: 60 }, (_, k) => Number(`1e${k - 35}`));
  // The digits of a double just below a power of ten begin with nines, those of some powers of ten as well (1e-23, 1e23).
  const beside = powers.flatMap((x) => [x, x * (1 - 2 ** -53), x * (1 + 2 ** -52), -x]);
  const edges = [0, -0, 5e-324, Number.MAX_VALUE, 0.1, 1 / 3, 2 ** -25, 3 * 2 ** -25, 2 ** 53 + 2, 99999999999999.98, 123456789.5];
  for (const x of [...edges, ...beside]) {
    test(`${Object.is(x, -0) ? "-0" : x}`, () => {
      expect(written(x)).toBe(formatGeneral(x, 17));
    });
  }

  test("for doubles of every size", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -30, max: 18 }), (x, k) => {
        expect(written(x)).toBe(formatGeneral(x, 17));
        const usual = (x % 1) * Number(`1e${k}`);
        expect(written(usual)).toBe(formatGeneral(usual, 17));
      }),
      { seed: 31, numRuns: 5000 },
    );
  });

  test("for doubles with few bits, many of which lie half way between two texts", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 80 }), (bits, shift) => {
        const x = bits * 2 ** -shift;
        expect(written(x)).toBe(formatGeneral(x, 17));
      }),
      { seed: 32, numRuns: 5000 },
    );
  });

  test("and texts of any length stand between", () => {
    const out = new GeneralWriter();
    let expected = "";
    for (let k = 0; k < 9000; k++) {
      const text = "x".repeat(k % 23);
      out.text(text);
      out.number(k / 7);
      expected += text + formatGeneral(k / 7, 17);
    }
    out.text("y".repeat(200_000));
    expect(new TextDecoder().decode(out.finish())).toBe(expected + "y".repeat(200_000));
  });
});

describe("so is one of eight digits", () => {
  const briefly = (x: number): string => {
    const out = new GeneralWriter();
    out.number(x, BRIEF);
    return new TextDecoder().decode(out.finish());
  };

  test("next to powers of ten, and half way between two texts", () => {
    const powers = Array.from({ length: 60 }, (_, k) => Number(`1e${k - 35}`));
    const beside = powers.flatMap((x) => [x, x * (1 - 2 ** -53), x * (1 + 2 ** -52), x * (1 - 5e-9), x * 0.99999999, -x]);
    for (const x of [0, -0, 0.5, 1, 12345678, 123456785, 1.00000005, 2 ** -9, 2 ** -25, 3 * 2 ** -25, ...beside])
      expect(briefly(x)).toBe(formatGeneral(x, 8));
  });

  test("for floats and doubles of every size", () => {
    const sizes = fc.integer({ min: -30, max: 18 });
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), sizes, (x, bits, k) => {
        for (const value of [x, Math.fround(x % 1), (x % 1) * Number(`1e${k}`), bits * 2 ** -Math.abs(k), bits / 1e7, bits / 1e9])
          if (Number.isFinite(value)) expect(briefly(value)).toBe(formatGeneral(value, 8));
      }),
      { seed: 33, numRuns: 5000 },
    );
  });
});

test("whole numbers are written digit by digit", () => {
  const out = new GeneralWriter();
  const numbers = [0, 1, 9, 10, 99, 100, 12345, 999_999_999, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
  for (const n of numbers) {
    out.whole(n);
    out.text(" ");
  }
  expect(new TextDecoder().decode(out.finish())).toBe(`${numbers.join(" ")} `);
});
