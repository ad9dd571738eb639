import { expect, test } from "vitest";
import { Outlook } from "../../../src/solve/outlook.ts";

/** The pass at which it says that it is too long, of a gap that falls by `factor` a pass; undefined if never within 200. */
function givenUpAt(factor: number, limit: number, tolerance: number): number | undefined {
  const outlook = new Outlook(limit, tolerance);
  for (let pass = 1, gap = 1; pass <= 200; pass++) {
    gap *= factor;
    if (outlook.isTooLong(pass, gap)) return pass;
    if (gap <= tolerance) return undefined;
  }
  return undefined;
}

test("a gap that falls so slowly that more passes than the limit are left is given up at the second look", () => {
  // From 0.9^16 = 0.185 to 1e-3 at 0.9 a pass: 49.6 passes.
  expect(givenUpAt(0.9, 49, 1e-3)).toBe(16);
  expect(givenUpAt(0.9, 50, 1e-3)).toBe(undefined);
});

test("one that does not fall at all is given up, whatever the limit", () => {
  expect(givenUpAt(1, 1e9, 1e-3)).toBe(16);
});

test("one that is there before the second look is not", () => {
  expect(givenUpAt(0.5, 0, 1e-3)).toBe(undefined);
});
