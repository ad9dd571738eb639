import { expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { normal } from "../../problems/generate.ts";

function projection(v: readonly number[], total: number): number[] {
  const core = coreUnderTest();
  const kept = core.doubles(v.map(() => 0));
  const theta = core.call.simplexLevel?.(core.doubles(v), v.length, Math.max(...v), total, kept) as number;
  return v.map((value) => Math.max(0, value - theta));
}

test("the sum is the total, and every other point of the simplex is on the far side: (v - p)'(z - p) <= 0", () => {
  const random = new Random(3);
  for (let trial = 0; trial < 300; trial++) {
    const k = 1 + random.below(12);
    const total = 10 ** (3 * random.unit() - 2);
    const v = Array.from({ length: k }, () => (trial % 3 === 0 ? random.below(3) : 3 * normal(random)));
    const p = projection(v, total);
    const size = Math.max(...v.map(Math.abs), total);
    expect(Math.abs(p.reduce((sum, value) => sum + value, 0) - total)).toBeLessThanOrEqual(4 * k * Number.EPSILON * size);
    // The corners suffice: the left side is linear in z.
    for (let corner = 0; corner < k; corner++) {
      const side = v.reduce((sum, value, q) => sum + (value - (p[q] as number)) * ((q === corner ? total : 0) - (p[q] as number)), 0);
      expect(side).toBeLessThanOrEqual(16 * k * Number.EPSILON * size * size);
    }
  }
});

test("a point of the simplex stays; one far outside goes to its corner", () => {
  expect(projection([0.25, 0.5, 0.25], 1)).toEqual([0.25, 0.5, 0.25]);
  expect(projection([0, 1e9, -3], 2)).toEqual([0, 2, 0]);
});

test("a total below the spacing of the doubles at the largest value goes to no class, not to all", () => {
  const p = projection([1e9, 0], 1e-9);
  expect(p[1]).toBe(0);
});
