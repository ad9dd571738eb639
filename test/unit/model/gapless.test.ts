import { expect, test } from "vitest";
import { shortfall, worstOf } from "../../../src/model/certificate.ts";
import { gapless } from "../../../src/model/gapless.ts";

const plain = { gamma: 0.5, coef0: 0, degree: 3 };

test("which kernels have a gap, and what the others say", () => {
  const without = "so there is no duality gap";
  for (const kernel of [
    { ...plain, kind: "linear" },
    { ...plain, kind: "rbf" },
    { ...plain, kind: "poly" },
    { ...plain, kind: "poly", gamma: -1, degree: 0 },
    { ...plain, kind: "precomputed", psd: true },
  ] as const) {
    expect(gapless(kernel)).toBe(undefined);
  }
  for (const kernel of [
    { ...plain, kind: "sigmoid" },
    { ...plain, kind: "sigmoid", psd: true },
    { ...plain, kind: "poly", gamma: -1 },
    { ...plain, kind: "poly", coef0: -1 },
    { ...plain, kind: "rbf", gamma: -1 },
    { ...plain, kind: "precomputed" },
    { ...plain, kind: "precomputed", psd: false },
  ] as const) {
    expect(gapless(kernel)).toContain(without);
  }
  expect(gapless({ ...plain, kind: "precomputed" })).toContain("psd: true");
});

test("the worst certificate: by gap or, where there is none, by violation", () => {
  const proven = [0.1, 0.3, 0.3, 0.2].map((relativeGap, primal) => ({ primal, dual: 0, relativeGap }));
  expect(worstOf(proven)).toBe(proven[1]);
  const others = [1e-4, 1e-3, 1e-5].map((violation) => ({ primal: 0, dual: 1, relativeGap: null, violation, reason: "none" }));
  expect(worstOf(others)).toBe(others[1]);
  expect(others.map(shortfall)).toEqual([1e-4, 1e-3, 1e-5]);
});
