import { expect, test } from "vitest";
import { coreUnderTest } from "../../core/instance.ts";

const { call } = coreUnderTest();

test("the relative gap is the gap over the larger objective", () => {
  expect(call.relativeGap?.(1, 4, 3, 100)).toBe(0.25);
  expect(call.relativeGap?.(4, 1, -3, 100)).toBe(4 / 3);
});

test("it has a floor of 1e-12 times the objective of the zero model", () => {
  expect(call.relativeGap?.(1e-20, 1e-20, 0, 10)).toBe(1e-20 / 1e-11);
});
