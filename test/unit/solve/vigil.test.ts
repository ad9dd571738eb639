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
  expect(vigil.isAstray(9 + 1e-8, 9 + 1e-8, 1)).toBe(true);
  expect(vigil.isAstray(9.1, 9.1, 1e9)).toBe(true);
  expect(vigil.isAstray(Number.NaN, 10, 1)).toBe(true);
});

test("steps that make the gap much smaller are not astray, however little they gain", () => {
  const vigil = new Vigil(100, 4000, 1);
  expect(vigil.isAstray(4001, 2, 0.4)).toBe(false);
  expect(vigil.isAstray(4001, 2, 0.2)).toBe(false);
  expect(vigil.isAstray(4001, 2, 0.11)).toBe(true);
  // Where D falls it is not theirs.
  expect(vigil.isAstray(4000, 2, 0.01)).toBe(true);
});

test("slow is who was asked twice", () => {
  const vigil = new Vigil(100, 0, 0);
  expect(vigil.isSlow).toBe(false);
  vigil.isAstray(1, 1, 1);
  expect(vigil.isSlow).toBe(false);
  vigil.isAstray(2, 2, 1);
  expect(vigil.isSlow).toBe(true);
});
