import { expect, test } from "vitest";
import { Vigil } from "../../../src/solve/vigil.ts";

test("asks after as many steps without a gap that is a tenth smaller, twice as many each time", () => {
  const vigil = new Vigil(100, 0, 0, 0);
  expect(vigil.isDue(64, 1)).toBe(false);
  // The first gap counts as progress.
  expect(vigil.isDue(128, 0.95)).toBe(false);
  expect(vigil.isDue(164, 0.95)).toBe(true);
  expect(vigil.isAstray(164, 1, 1, 1)).toBe(false);
  expect(vigil.isDue(363, 0.95)).toBe(false);
  expect(vigil.isDue(364, 0.95)).toBe(true);
  expect(vigil.isDue(364, 0.9)).toBe(false);
  expect(vigil.isDue(563, 0.9)).toBe(false);
  expect(vigil.isDue(564, 0.9)).toBe(true);
});

test("steps are astray where less than half of what they say is there, or nothing beside the gap", () => {
  const vigil = new Vigil(100, 0, 5, 2);
  expect(vigil.isAstray(100, 6, 4, 1)).toBe(false);
  // Gained 1, said 3.
  expect(vigil.isAstray(200, 7, 7, 1)).toBe(true);
  // From there on: gained 2, said 2.
  expect(vigil.isAstray(300, 9, 9, 1)).toBe(false);
  // Nothing beside D, nothing beside the gap.
  expect(vigil.isAstray(400, 9 + 1e-8, 9 + 1e-8, 0)).toBe(true);
  expect(vigil.isAstray(450, 9.1, 9.1, 1e9)).toBe(true);
  expect(vigil.isAstray(500, Number.NaN, 10, 1)).toBe(true);
});

test("slow is who was asked twice", () => {
  const vigil = new Vigil(100, 0, 0, 0);
  expect(vigil.isSlow).toBe(false);
  vigil.isAstray(100, 1, 1, 1);
  expect(vigil.isSlow).toBe(false);
  vigil.isAstray(300, 2, 2, 1);
  expect(vigil.isSlow).toBe(true);
});
