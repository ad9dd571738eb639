import { expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { normal } from "../../problems/generate.ts";

const { call } = coreUnderTest();
const random = new Random(1);

test("softStep goes where the quadratic with its absolute value is least", () => {
  for (let k = 0; k < 500; k++) {
    const [u, q] = [normal(random), 3 * normal(random)];
    const [p, h] = [random.unit() * 2, random.unit() + 0.01];
    const value = (t: number): number => q * (t - u) + 0.5 * h * (t - u) ** 2 + p * Math.abs(t);
    const best = call.softStep?.(u, q, p, h) as number;
    for (const t of [0, u, best - 1e-3, best + 1e-3, normal(random), 100 * normal(random)]) {
      expect(value(best)).toBeLessThanOrEqual(value(t) + 1e-12 * (1 + Math.abs(value(t))));
    }
  }
});

test("softStep without curvature: to zero where the penalty wins, nowhere where the slope does", () => {
  expect(call.softStep?.(3, 0.5, 1, 0)).toBe(0);
  expect(call.softStep?.(3, -2, 1, 0)).toBe(3);
});

test("violationAt is the distance of 0 from the subdifferential", () => {
  expect(call.violationAt?.(2, -1.5, 1)).toBe(0.5);
  expect(call.violationAt?.(-2, 1.5, 1)).toBe(0.5);
  expect(call.violationAt?.(0, 1.5, 1)).toBe(0.5);
  expect(call.violationAt?.(0, -0.5, 1)).toBe(0);
});
