import { describe, expect, test } from "vitest";
import type { JudgedKernelProblem } from "../../../src/certify/kernel.ts";
import { ownValue } from "../../../src/certify/kernel-values.ts";
import { matrix } from "../../../src/index.ts";
import { certifyKernel } from "../../certify-kernel.ts";

const linear = { kind: "linear", gamma: 0, coef0: 0, degree: 0 } as const;
const line = matrix([[1], [-1]]);
const plain: JudgedKernelProblem = { form: "c_svc", kernel: linear, rowIds: [0, 1], targets: [1, -1], costs: [10, 10], nu: 0, epsilon: 0 };

describe("problems solved by hand, on the line", () => {
  test("C-SVC of rows 1 and -1: w = 1, a = 1/2 each, P = D = 1/2", () => {
    expect(certifyKernel(line, plain, { value: [0.5, -0.5], bias: 0, width: 0 })).toEqual({ primal: 0.5, dual: 0.5, relativeGap: 0 });
    // C = 0.1: w = 0.2, each loses 0.8.
    const cheap = certifyKernel(line, { ...plain, costs: [0.1, 0.1] }, { value: [0.1, -0.1], bias: 0, width: 0 });
    expect(cheap.primal).toBeCloseTo(0.02 + 0.16, 12);
    expect(cheap.dual).toBeCloseTo(0.2 - 0.02, 12);
  });

  test("epsilon-SVR of targets 1 and -1 with a tube of 1/4: w = 3/4", () => {
    const { primal, dual } = certifyKernel(
      line,
      { ...plain, form: "epsilon_svr", epsilon: 0.25 },
      { value: [0.375, -0.375], bias: 0, width: 0 },
    );
    expect(primal).toBeCloseTo(0.5 * 0.75 ** 2, 12);
    expect(dual).toBeCloseTo(primal, 12);
  });

  test("one class of rows 1 and 3, nu 1/2: all of the sum on the nearer row", () => {
    const x = matrix([[1], [3]]);
    // N = 1: w = 1, rho = 1, P = 1/2 - 1 = D.
    const point = { value: [1, 0], bias: -1, width: 0 };
    const { primal, dual } = certifyKernel(x, { ...plain, form: "one_class", costs: [1, 1], nu: 0.5 }, point);
    expect([primal, dual]).toEqual([-0.5, -0.5]);
  });

  test("nu-SVC of rows 1 and -1, nu 1: w = 2, margin r = 2", () => {
    const point = { value: [1, -1], bias: 0, width: 2 };
    const { primal, dual } = certifyKernel(line, { ...plain, form: "nu_svc", costs: [1, 1], nu: 1 }, point);
    expect([primal, dual]).toEqual([-2, -2]);
  });

  test("nu-SVR of targets 1 and -1: a tube that is free of charge beyond nu", () => {
    // C = 1, nu = 1/4: N = 1/2, v = 1/4 each way, w = 1/2, e = 1/2: P = 1/8 + 1/4 = D = 1/2 - 1/8.
    const point = { value: [0.25, -0.25], bias: 0, width: 0.5 };
    const { primal, dual } = certifyKernel(line, { ...plain, form: "nu_svr", costs: [1, 1], nu: 0.25 }, point);
    expect([primal, dual]).toEqual([0.375, 0.375]);
  });
});

test("without an offset nothing has to sum to 0: rows 2 and -1 with labels 1 and -1, w = 1", () => {
  const x = matrix([[2], [-1]]);
  // w = 1 leaves the first row beyond its margin, the second on it: v = -1 there, P = D = 1/2.
  const problem = { ...plain, hasBias: false };
  const point = { value: [0, -1], bias: 0, width: 0 };
  expect(certifyKernel(x, problem, point)).toEqual({ primal: 0.5, dual: 0.5, relativeGap: 0 });
  // With one, the same values are no dual point: all that is left of them is 0.
  expect(certifyKernel(x, plain, point)).toEqual({ primal: 0.5, dual: 0, relativeGap: 1 });
  // Targets 2 and -1 lie on a line through 0; a tube of 1/4: v = 7/16 (2 v_1 = w, 2 - 2 w = 1/4), P = 1/2 w^2 = D.
  const tube = { ...problem, form: "epsilon_svr", targets: [2, -1], epsilon: 0.25 } as const;
  const { primal, dual } = certifyKernel(x, tube, { value: [7 / 16, 0], bias: 0, width: 0 });
  expect(primal).toBeCloseTo(0.5 * (7 / 8) ** 2, 12);
  expect(dual).toBeCloseTo(primal, 12);
  for (const a of [0, 0.1, 2, 50, -3]) {
    for (const b of [0, -0.1, -2, -50, 3]) {
      const judged = certifyKernel(x, problem, { value: [a, b], bias: 0, width: 0 });
      expect(judged.primal).toBeGreaterThanOrEqual(0.5 - 1e-12);
      expect(judged.dual).toBeLessThanOrEqual(0.5 + 1e-12);
    }
  }
});

test("whatever is given, the primal is above and the dual below the optimum", () => {
  const values = [0, 0.1, 0.5, 2, 50, -3];
  for (const form of ["c_svc", "epsilon_svr"] as const) {
    const problem = { ...plain, form, epsilon: 0.25 };
    const best = form === "c_svc" ? 0.5 : 0.5 * 0.75 ** 2;
    for (const a of values) {
      for (const b of values) {
        for (const bias of [-1, 0, 0.3]) {
          const { primal, dual } = certifyKernel(line, problem, { value: [a, b], bias, width: 0 });
          expect(primal).toBeGreaterThanOrEqual(best - 1e-12);
          expect(dual).toBeLessThanOrEqual(best + 1e-12);
        }
      }
    }
  }
  for (const [form, best] of [
    ["nu_svc", -2],
    ["one_class", 0],
  ] as const) {
    for (const a of values) {
      for (const b of values) {
        const { primal, dual } = certifyKernel(line, { ...plain, form, costs: [1, 1], nu: 1 }, { value: [a, b], bias: 0.1, width: 1.5 });
        expect(primal).toBeGreaterThanOrEqual(best - 1e-12);
        expect(dual).toBeLessThanOrEqual(best + 1e-12);
      }
    }
  }
});

test("K of a row with itself is its formula", () => {
  const x = matrix([
    [1, 2, 0],
    [0, -1, 3],
  ]);
  expect(ownValue(x, linear, 1)).toBe(10);
  expect(ownValue(x, { ...linear, kind: "rbf", gamma: 0.1 }, 1)).toBe(1);
  expect(ownValue(x, { kind: "polynomial", gamma: 0.5, coef0: -3, degree: 3 }, 1)).toBe(8);
  expect(ownValue(x, { kind: "sigmoid", gamma: 0.05, coef0: 0.25, degree: 0 }, 0)).toBeCloseTo(Math.tanh(0.5), 15);
  expect(
    ownValue(
      matrix([
        [4, 1],
        [2, 5],
      ]),
      { ...linear, kind: "precomputed" },
      1,
    ),
  ).toBe(5);
});

describe("r and the tube, where they are not given, are the best ones", () => {
  const x = matrix([[1], [-1], [0.5], [-0.2], [2]]);
  const rowIds = [0, 1, 2, 3, 4];
  const costs = [1, 2, 1, 0.5, 1];
  for (const [form, targets] of [
    ["nu_svc", [1, -1, 1, -1, 1]],
    ["nu_svr", [1.5, -1, 0.2, 0.4, 1]],
  ] as const) {
    for (const nu of [0.2, 0.5, 0.8]) {
      test(`${form}, nu ${nu}`, () => {
        const problem: JudgedKernelProblem = { form, kernel: linear, rowIds, targets, costs, nu, epsilon: 0 };
        const value = [0.5, -0.75, 0.5, -0.25, 0];
        const at = (width: number | undefined): number => certifyKernel(x, problem, { value, bias: 0.1, width }).primal;
        const grid = Array.from({ length: 4001 }, (_, k) => at(k / 1000));
        const least = Math.min(...grid);
        expect(at(undefined)).toBeLessThanOrEqual(least + 1e-12);
        // P bends at points of the grid, but for features rounded to float32: 1e-8 of them, times weights of 5.5 in all.
        expect(at(undefined)).toBeGreaterThanOrEqual(least - 1e-6);
      });
    }
  }
});

test("without an offset: no sum to keep, and one variable moves alone", () => {
  // 1/2 w^2 + 0.1 max(0, 1 - w) + 10 max(0, 1 + 2 w) is least at w = -1/2, where row 1 has just its margin and row 0 loses 3/2.
  const x = matrix([[1], [2]]);
  const problem: JudgedKernelProblem = { ...plain, costs: [0.1, 10], hasBias: false };
  // a_0 = 0.1 (at its cost), w = 0.1 - 2 a_1 = -1/2: a_1 = 0.3.
  const { primal, dual } = certifyKernel(x, problem, { value: [0.1, -0.3], bias: 0 });
  expect(primal).toBeCloseTo(0.125 + 0.15, 12);
  expect(dual).toBeCloseTo(primal, 12);
  const judged = certifyKernel(x, { ...problem, gapless: "none here" }, { value: [0.1, 0], bias: 0 });
  // F_1 = 2 w + 1 with w = 0.1.
  expect(judged.relativeGap === null && judged.violation).toBeCloseTo(1.2, 6);
});

describe("without duality: no gap, but what a pair of variables still gains", () => {
  const reason = "none here";
  test("C-SVC of rows 1 and -1 at 0: raising the one and lowering the other gains 1 + 1", () => {
    const judged = certifyKernel(line, { ...plain, gapless: reason }, { value: [0, 0], bias: 0, width: 0 });
    expect(judged).toEqual({ primal: 20, dual: 0, relativeGap: null, violation: 2, reason });
  });

  test("at the optimum nothing, free or at the bounds", () => {
    const free = certifyKernel(line, { ...plain, gapless: reason }, { value: [0.5, -0.5], bias: 0 });
    expect(free).toMatchObject({ relativeGap: null, violation: 0 });
    const bound = certifyKernel(line, { ...plain, costs: [0.1, 0.1], gapless: reason }, { value: [0.1, -0.1], bias: 0 });
    expect(bound).toMatchObject({ relativeGap: null, violation: 0 });
  });

  test("the tube is taken into account, and each side of the nu forms has a sum of its own", () => {
    const svr = { ...plain, form: "epsilon_svr", epsilon: 0.25, gapless: reason } as const;
    expect(certifyKernel(line, svr, { value: [0, 0], bias: 0 })).toMatchObject({ violation: 1.5 });
    expect(certifyKernel(line, svr, { value: [0.375, -0.375], bias: 0 })).toMatchObject({ violation: 0 });
    // One variable a side: nothing can be moved, whatever it gains.
    const nu = { ...plain, form: "nu_svc", costs: [1, 1], nu: 0.5, gapless: reason } as const;
    expect(certifyKernel(line, nu, { value: [0.5, -0.5], bias: 0 })).toMatchObject({ violation: 0 });
    // Rows 1 and 3 of one class: all should be at 1, so moving from 3 gains F_3 - F_1 = 2 w.
    const two = certifyKernel(
      matrix([[1], [3]]),
      { ...plain, form: "one_class", targets: [0, 0], costs: [1, 1], nu: 0.5, gapless: reason },
      { value: [0, 1], bias: 0 },
    );
    expect(two).toMatchObject({ violation: 6 });
  });
});
