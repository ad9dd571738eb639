import { describe, expect, test } from "vitest";
import {
  bestBias,
  bestDualPoint,
  dualAt,
  feasible,
  primalAt,
  type UnregularisedProblem,
  weightsOf,
} from "../../../bench/unregularised-judge.ts";
import { Random } from "../../../src/base/random.ts";
import { packRows, type RowsInput } from "../../../src/data/pack.ts";
import { allocatePlain } from "../../../src/runtime/placement.ts";
import { normal, sparseSet } from "../../problems/generate.ts";

const problemOf = (x: RowsInput, signs: readonly number[], C: number): UnregularisedProblem => ({
  x: packRows(x, allocatePlain),
  signs,
  C,
});

// Two points on a line, 0 (negative) and 2 (positive).
//   C >= 1/2: both margins are 1 at w = 1, b = -1; u = 2a = w gives a = 1/2 each;  P = 1/2,  D = 1 - 1/2.
//   C = 0.1:  a = C each, u = 0.2;  D = 0.2 - 0.02;  P = 0.02 + 0.1 (1 + b + 1 - 0.4 - b) for every b from -1 to 0.6.
// Three points, 0 (negative), 0 and 2 (positive), C = 1/4: a = (a_1 + a_2, a_1, a_2) balances and has u = 2 a_2, so
//   D = 2 a_1 + 2 a_2 - 2 a_2^2 with a_1 + a_2 <= 1/4: best a = (1/4, 1/4, 0), w = 0, D = 1/2;  P(0, 1) = 1/4 (2 + 0 + 0).
const solved = [
  { name: "a wide margin", problem: problemOf([[0], [2]], [-1, 1], 1), w: [1], b: -1, a: [0.5, 0.5], value: 0.5 },
  { name: "C at its end", problem: problemOf([[0], [2]], [-1, 1], 0.1), w: [0.2], b: 0, a: [0.1, 0.1], value: 0.18 },
  { name: "a bias alone", problem: problemOf([[0], [0], [2]], [-1, 1, 1], 0.25), w: [0], b: 1, a: [0.25, 0.25, 0], value: 0.5 },
] as const;

describe("hand-solved problems", () => {
  for (const { name, problem, w, b, a, value } of solved) {
    test(`${name}: primal and dual at the optimum are the number computed by hand`, () => {
      expect(primalAt(problem, w, b)).toBeCloseTo(value, 14);
      expect(dualAt(problem, a)).toBeCloseTo(value, 14);
      expect(weightsOf(problem, a)[0]).toBeCloseTo(w[0], 14);
    });

    test(`${name}: the bias that it finds costs no more, and its own dual point is as good`, () => {
      expect(primalAt(problem, w, bestBias(problem, w))).toBeCloseTo(value, 14);
      expect(dualAt(problem, bestDualPoint(problem))).toBeCloseTo(value, 12);
    });
  }

  test("a point outside is moved into the box and onto the balance, one inside is left alone", () => {
    const problem = solved[2].problem;
    expect([...feasible(problem, [0.25, 0.125, 0.125])]).toEqual([0.25, 0.125, 0.125]);
    expect([...feasible(problem, [9, -1, 0.125])]).toEqual([0.125, 0, 0.125]);
    expect([...feasible(problem, [0.125, 0.25, 0.25])]).toEqual([0.125, 0.0625, 0.0625]);
    expect([...feasible(problem, [0, 0.25, 0])]).toEqual([0, 0, 0]);
  });
});

describe("perturbed solutions", () => {
  const { x, y } = sparseSet(90, 8, 5, 5);
  const problem = problemOf(x, y, 2);
  const best = bestDualPoint(problem);
  const w = weightsOf(problem, best);
  const lower = dualAt(problem, best);
  const upper = primalAt(problem, w, bestBias(problem, w));

  test("the judge's own point closes the gap", () => {
    // With u as w and y'a = 0 the gap is sum_i C max(0, s_i) - a_i s_i over the slacks s_i, and no pair violates by more than 1e-7.
    expect(upper - lower).toBeLessThan(90 * problem.C * 1e-7);
    expect(lower).toBeLessThanOrEqual(upper);
  });

  test("no primal falls below the bound, no dual rises above the best primal, no bias beats the one found", () => {
    const random = new Random(3);
    const slack = 200 * Number.EPSILON * upper; // rounding of a sum of 90 losses
    for (let trial = 0; trial < 300; trial++) {
      const size = 10 ** (-4 * random.unit());
      const near = w.map((value) => value + size * normal(random));
      const b = bestBias(problem, near);
      const cheapest = primalAt(problem, near, b);
      expect(cheapest).toBeGreaterThanOrEqual(lower - slack);
      expect(primalAt(problem, near, b + size * normal(random))).toBeGreaterThanOrEqual(cheapest - slack);
      expect(
        dualAt(
          problem,
          best.map((value) => value + size * normal(random)),
        ),
      ).toBeLessThanOrEqual(upper + slack);
    }
  });
});
