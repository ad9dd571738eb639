import { expect, test } from "vitest";
import { Vigil } from "../../../src/solve/vigil.ts";

test("asks after twice as many steps each time", () => {
  const vigil = new Vigil(100, 0, 0);
  expect(vigil.stretch).toBe(100);
  vigil.isAstray(1, 1, 1);
  expect(vigil.stretch).toBe(200);
  vigil.isAstray(2, 2, 1);
  expect(vigil.stretch).toBe(400);
});

test("steps are astray where less than half of what they say is there, or nothing beside the gap", () => {
  const vigil = new Vigil(100, 5, 2);
  expect(vigil.isAstray(6, 4, 1)).toBe(false);
  // Gained 1, said 3.
  expect(vigil.isAstray(7, 7, 1)).toBe(true);
  // From there on: gained 2, said 2.
  expect(vigil.isAstray(9, 9, 1)).toBe(false);
  // Nothing beside D, nothing beside the gap.
  expect(vigil.isAstray(9 + 1e-8, 9 + 1e-8, 0)).toBe(true);
  expect(vigil.isAstray(9.1, 9.1, 1e9)).toBe(true);
  expect(vigil.isAstray(Number.NaN, 10, 1)).toBe(true);
});

test("slow is who was asked twice", () => {
  const vigil = new Vigil(100, 0, 0);
  expect(vigil.isSlow).toBe(false);
  vigil.isAstray(1, 1, 1);
  expect(vigil.isSlow).toBe(false);
  vigil.isAstray(2, 2, 1);
  expect(vigil.isSlow).toBe(true);
});
