// Four float32 numbers at a time, against the same in float64.

import { expect, test } from "vitest";
import { coreUnderTest } from "../../core/instance.ts";

const core = coreUnderTest();
const points = [-90, -87, -50, -17, -9.7, -3, -1, -0.34, -1e-3, -1e-7, 0, 1e-7, 1e-3, 0.34, 0.35, 1, 2.5, 3, 9.7, 17, 50, 87, 88, 90];

function ofAll(name: "exp4" | "sigmoid" | "softplus"): number[] {
  return points.flatMap((_, k) => {
    if (k % 4 !== 0) return [];
    const four = core.floats(points.slice(k, k + 4));
    if (name === "exp4") core.call.exp4?.(four);
    else if (name === "sigmoid") core.call.sigmoid?.(four);
    else core.call.softplus?.(four);
    return Array.from(new Float32Array(core.buffer.slice(four, four + 16)));
  });
}

/** Units in the last place of float32. */
const ULP = 2 ** -23;

test("e^x within 3 ulp, and what lies beyond 87 as of there", () => {
  ofAll("exp4").forEach((value, k) => {
    const x = Math.fround(Math.min(Math.max(points[k] as number, -87), 87));
    expect(Math.abs(value / Math.exp(x) - 1)).toBeLessThan(3 * ULP);
  });
});

test("1 / (1 + e^-x) within 4 ulp", () => {
  ofAll("sigmoid").forEach((value, k) => {
    const x = Math.fround(Math.max(points[k] as number, -87));
    expect(Math.abs(value * (1 + Math.exp(-x)) - 1)).toBeLessThan(4 * ULP);
  });
});

test("log(1 + e^x) within 4 ulp", () => {
  ofAll("softplus").forEach((value, k) => {
    const x = Math.fround(Math.max(points[k] as number, -87));
    const wanted = Math.max(0, x) + Math.log1p(Math.exp(-Math.abs(x)));
    expect(Math.abs(value / wanted - 1)).toBeLessThan(4 * ULP);
  });
});
