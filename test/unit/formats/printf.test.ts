import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatGeneral } from "../../../src/formats/printf.ts";

// What glibc's printf prints.
const recorded: readonly [x: number, seventeen: string, eight: string][] = [
  [0, "0", "0"],
  [-0, "-0", "-0"],
  [1, "1", "1"],
  [-55, "-55", "-55"],
  [0.1, "0.10000000000000001", "0.1"],
  [1 / 3, "0.33333333333333331", "0.33333333"],
  [0.5, "0.5", "0.5"],
  [100, "100", "100"],
  [0.0001, "0.0001", "0.0001"],
  [0.00001, "1.0000000000000001e-05", "1e-05"],
  [12345678, "12345678", "12345678"],
  [99999999.5, "99999999.5", "1e+08"],
  [1e16, "10000000000000000", "1e+16"],
  [1e17, "1e+17", "1e+17"],
  [12345678900, "12345678900", "1.2345679e+10"],
  [-1.5e-300, "-1.5000000000000001e-300", "-1.5e-300"],
  [5e-324, "4.9406564584124654e-324", "4.9406565e-324"],
  [Number.MAX_VALUE, "1.7976931348623157e+308", "1.7976931e+308"],
  // Half way between two texts: the one whose last digit is even.
  [2 ** -25, "2.9802322387695312e-08", "2.9802322e-08"],
  [3 * 2 ** -25, "8.9406967163085938e-08", "8.9406967e-08"],
  [123456785, "123456785", "1.2345678e+08"],
  [-123456775, "-123456775", "-1.2345678e+08"],
  [1234567.25, "1234567.25", "1234567.2"],
  [1234567.75, "1234567.75", "1234567.8"],
];

describe("a number as printf writes it", () => {
  for (const [x, seventeen, eight] of recorded) {
    test(`${Object.is(x, -0) ? "-0" : x} is ${seventeen} under %.17g and ${eight} under %.8g`, () => {
      expect([formatGeneral(x, 17), formatGeneral(x, 8)]).toEqual([seventeen, eight]);
    });
  }

  test("comes back exactly from 17 digits, and from 8 the nearest such number, in few characters", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        const text = formatGeneral(x, 17);
        expect(Number(text)).toBe(x);
        expect(text).toMatch(/^-?\d+(\.\d*[1-9])?(e[+-]\d{2,3})?$/);
        const short = formatGeneral(x, 8);
        expect(formatGeneral(Number(short), 8)).toBe(short);
        expect(short.replace(/e.*|[-.]/g, "").replace(/^0+/, "").length).toBeLessThanOrEqual(8);
      }),
      { seed: 21, numRuns: 3000 },
    );
  });
});
