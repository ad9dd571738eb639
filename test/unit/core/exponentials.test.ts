import { expect, test } from "vitest";
import { coreUnderTest } from "../../core/instance.ts";

/** The distance of two float64 numbers above 0, in steps from one to the next. */
function steps(a: number, b: number): number {
  const [p, q] = new BigInt64Array(Float64Array.of(a, b).buffer) as unknown as [bigint, bigint];
  return Number(p > q ? p - q : q - p);
}

test("exponentials: within 2 ulp of e^x, 1 at 0, 0 below the normal numbers, finite above", () => {
  const core = coreUnderTest();
  const constants = core.take(304);
  core.call.putExponentials?.(constants);
  const x = Float64Array.from({ length: 20_000 }, (_, k) => -707.5 + (1416 * k) / 20_000);
  const at = core.doubles(x);
  core.call.exponentials?.(at, at + 8 * x.length, constants);
  const got = core.readDoubles(at, x.length);
  // The host's own is within 1 ulp.
  expect(Math.max(...got.map((value, k) => steps(value, Math.exp(x[k] as number))))).toBeLessThanOrEqual(3);
  const ends = core.doubles([0, -0, -709, -1e300, -Infinity, 710, 1e300, Infinity]);
  core.call.exponentials?.(ends, ends + 64, constants);
  const [one, other, ...rest] = core.readDoubles(ends, 8);
  expect([one, other]).toEqual([1, 1]);
  expect(rest.slice(0, 3)).toEqual([0, 0, 0]);
  for (const value of rest.slice(3)) expect(value).toBeCloseTo(Math.exp(709), -300);
});
