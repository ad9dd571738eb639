import { expect, test } from "vitest";
import { coreUnderTest } from "../../core/instance.ts";

const { call } = coreUnderTest();

test("a start that is worth more than none stays as it is", () => {
  expect(call.startScale?.(3, 2)).toBe(1);
  expect(call.startScale?.(2, 2)).toBe(1);
  expect(call.startScale?.(0, 0)).toBe(1);
});

test("a start that is worth less goes to the top of t A - t^2 Q", () => {
  for (const [reward, quadratic] of [
    [1, 2],
    [1, 1e9],
    [0, 5],
    [-3, 5],
  ] as const) {
    const t = call.startScale?.(reward, quadratic) as number;
    const value = (at: number): number => at * reward - at * at * quadratic;
    for (const other of [0, 0.99 * t, 1.01 * t, 1]) expect(value(t)).toBeGreaterThanOrEqual(value(other));
    expect(t).toBeLessThan(0.5);
  }
});
