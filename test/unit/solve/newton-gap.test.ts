// The closed form of the gap against exact rational numbers, where the plain difference has no digits left.

import { expect, test } from "vitest";
import { quadraticGap } from "../../../src/solve/newton-gap.ts";

/** 4 P B - A^2 over 4 B in integers: P = L + |w|^2 / 2, A = 2 L + w'u, B = L + |u|^2 / 2. */
function exactGap(losses: bigint, w: readonly bigint[], u: readonly bigint[]): number {
  const dot = (a: readonly bigint[], b: readonly bigint[]) => a.reduce((sum, value, j) => sum + value * (b[j] as bigint), 0n);
  const [P2, B2, A] = [2n * losses + dot(w, w), 2n * losses + dot(u, u), 2n * losses + dot(w, u)];
  const scale = 10n ** 40n;
  return Number(((P2 * B2 - A * A) * scale) / (2n * B2)) / Number(scale);
}

function gapOf(losses: number, w: readonly number[], u: readonly number[]): number {
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, j) => sum + value * (b[j] as number), 0);
  const g = w.map((value, j) => value - (u[j] as number));
  return quadraticGap({
    losses,
    weightSquare: dot(w, w),
    gradientSquare: dot(g, g),
    weightGradient: dot(w, g),
    dualSquare: dot(u, u),
    weightDual: dot(w, u),
  });
}

for (const [name, losses, w, u] of [
  ["lengths alike", 7, [3, -4, 12], [5, 1, 2]],
  ["at the optimum", 7, [3, -4, 12], [3, -4, 12]],
  ["u 1e11 times w, as features of 1e8 make it", 3, [1, 2, -1], [3e11, -2e11, 1e11]],
  ["u 1e11 times w and along it", 3, [1, 2, -1], [1e11, 2e11, -1e11]],
  ["w 1e11 times u", 3, [3e11, -2e11, 1e11], [1, 2, -1]],
  ["w 1e11 times u, hardly a loss", 1, [3e11, -2e11, 1e11], [100, 200, -100]],
] as const) {
  test(`${name}: within rounding of P`, () => {
    const exact = exactGap(BigInt(losses), w.map(BigInt), u.map(BigInt));
    const primal = losses + 0.5 * w.reduce((sum, value) => sum + value * value, 0);
    // Sums of three products, each rounded a few times, and |w|^2 |u|^2 / (4 B) <= P.
    expect(Math.abs(gapOf(losses, w, u) - exact)).toBeLessThanOrEqual(16 * Number.EPSILON * primal);
  });
}

test("no loss: a = 0 proves nothing, the gap is P", () => {
  expect(gapOf(0, [3, 4], [0, 0])).toBe(12.5);
});

test("squares near the end of the doubles do not overflow", () => {
  expect(gapOf(1, [1, 0], [0, 1e150])).toBeCloseTo(1.5, 10);
});
