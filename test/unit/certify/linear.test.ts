import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { certifyLinear, type JudgedPoint, type JudgedProblem } from "../../../src/certify/linear.ts";
import { relativeGap } from "../../../src/certify/rows.ts";
import { packRows, type RowsInput } from "../../../src/data/pack.ts";
import { LinearSVC } from "../../../src/index.ts";
import { allocatePlain } from "../../../src/runtime/placement.ts";
import { normal, sparseSet } from "../../problems/generate.ts";
import { type HandSolved, handSolved } from "../../problems/hand.ts";

const pack = (x: RowsInput) => packRows(x, allocatePlain);

function judged({ y, weights, C, loss, bias }: HandSolved): JudgedProblem {
  const costs = y.map((_, i) => C * (weights?.[i] ?? 1));
  return { rowIds: y.map((_, i) => i), signs: y, costs, loss, penalty: "l2", bias, biasScale: 1 };
}

describe("hand-solved problems", () => {
  for (const problem of handSolved) {
    const { w, bias, alpha, objective } = problem.optimum;

    test(`${problem.name}: the optimum's primal and dual are the number computed by hand`, () => {
      const certificate = certifyLinear(pack(problem.x), judged(problem), { w: Float64Array.from(w), bias, alpha });
      expect(certificate.primal).toBeCloseTo(objective, 14);
      expect(certificate.dual).toBeCloseTo(objective, 14);
      expect(Math.abs(certificate.relativeGap)).toBeLessThan(1e-14);
    });

    test(`${problem.name}: LinearSVC finds it`, async () => {
      const { C, loss, weights, bias: form } = problem;
      const model = await LinearSVC.fit(problem.x, problem.y, { C, loss, bias: form, sampleWeight: weights, tolerance: 1e-12 });
      expect(model.report.certificate.primal).toBeCloseTo(objective, 10);
      // P is 1-strongly convex: |w - w*|^2 <= 2 gap.
      const reach = Math.sqrt(2e-12 * objective) + 1e-12;
      w.forEach((value, j) => {
        expect(Math.abs((model.coefficients[j] as number) - value)).toBeLessThan(reach);
      });
      expect(Math.abs((model.biases[0] as number) - bias)).toBeLessThan(reach);
    });
  }
});

// Two points on a line, 0 (negative) and 2 (positive), with a free bias.
//   C >= 1/2: both margins are 1 at w = 1, b = -1; u = 2a = w gives a = 1/2 each;  P = 1/2,  D = 1 - 1/2.
//   C = 0.1:  a = C each, u = 0.2;  D = 0.2 - 0.02;  P = 0.02 + 0.1 (1 + b + 1 - 0.4 - b) for every b from -1 to 0.6.
// Three points, 0 (negative), 0 and 2 (positive), C = 1/4: a = (a_1 + a_2, a_1, a_2) balances and has u = 2 a_2, so
//   D = 2 a_1 + 2 a_2 - 2 a_2^2 with a_1 + a_2 <= 1/4: best a = (1/4, 1/4, 0), w = 0, D = 1/2;  P(0, 1) = 1/4 (2 + 0 + 0).
describe("hand-solved problems with a free bias", () => {
  for (const { name, x, signs, C, w, bias, alpha, value } of [
    { name: "a wide margin", x: [[0], [2]], signs: [-1, 1], C: 1, w: 1, bias: -1, alpha: [0.5, 0.5], value: 0.5 },
    { name: "C at its end", x: [[0], [2]], signs: [-1, 1], C: 0.1, w: 0.2, bias: 0, alpha: [0.1, 0.1], value: 0.18 },
    { name: "a bias alone", x: [[0], [0], [2]], signs: [-1, 1, 1], C: 0.25, w: 0, bias: 1, alpha: [0.25, 0.25, 0], value: 0.5 },
  ]) {
    const free = { loss: "hinge", penalty: "l2", bias: "unregularised", biasScale: 1 } as const;
    const problem = { rowIds: signs.map((_, i) => i), signs, costs: signs.map(() => C), ...free };

    test(`${name}: primal and dual are the number computed by hand`, () => {
      const certificate = certifyLinear(pack(x), problem, { w: Float64Array.of(w), bias, alpha });
      expect(certificate.primal).toBeCloseTo(value, 14);
      expect(certificate.dual).toBeCloseTo(value, 14);
    });

    test(`${name}: LinearSVC finds it`, async () => {
      const model = await LinearSVC.fit(x, signs, { C, loss: "hinge", bias: "unregularised", tolerance: 1e-10 });
      expect(model.report.certificate.primal).toBeCloseTo(value, 9);
    });
  }

  test("a dual point that is not balanced is, before it is believed: the heavier side is scaled down", () => {
    const problem = {
      rowIds: [0, 1],
      signs: [-1, 1],
      costs: [1, 1],
      loss: "hinge",
      penalty: "l2",
      bias: "unregularised",
      biasScale: 1,
    } as const;
    // (0.5, 0.1) becomes (0.1, 0.1): D = 0.2 - (0.1 * 2)^2 / 2.
    const certificate = certifyLinear(pack([[0], [2]]), problem, { w: Float64Array.of(1), bias: -1, alpha: [0.5, 0.1] });
    expect(certificate.dual).toBeCloseTo(0.18, 14);
  });
});

describe("perturbed solutions", () => {
  for (const loss of ["hinge", "squared_hinge"] as const) {
    for (const bias of ["augmented", false] as const) {
      test(`${loss}, bias ${bias}: the primal never falls below the optimum, the dual never rises above it`, async () => {
        const set = sparseSet(120, 15, 6, 77);
        const x = pack(set.x);
        const sampleWeight = set.y.map((_, i) => 0.5 + (i % 4));
        const model = await LinearSVC.fit(set.x, set.y, { C: 2, loss, bias, sampleWeight, tolerance: 1e-10 });
        const { primal: upper, dual: lower } = model.report.certificate;
        const problem = {
          rowIds: set.y.map((_, i) => i),
          signs: set.y,
          costs: sampleWeight.map((s) => 2 * s),
          loss,
          penalty: "l2" as const,
          bias,
          biasScale: 1,
        };
        const random = new Random(1);
        // Rounding of a sum of 120 losses.
        const slack = 200 * Number.EPSILON * upper;
        for (let trial = 0; trial < 300; trial++) {
          const size = 10 ** (2 - 8 * random.unit());
          const w = model.coefficients.map((value) => value + size * normal(random));
          const moved = Float64Array.from(model.dual ?? [], (a) => a + size * normal(random));
          const certificate = certifyLinear(x, problem, {
            w,
            bias: bias ? (model.biases[0] as number) + size * normal(random) : 0,
            alpha: moved,
          });
          expect(certificate.primal).toBeGreaterThanOrEqual(lower - slack);
          expect(certificate.dual).toBeLessThanOrEqual(upper + slack);
        }
      });
    }
  }

  test("a dual point outside its box is moved inside before it is believed", () => {
    const problem = judged(handSolved[1] as HandSolved);
    const certificate = certifyLinear(pack([[1], [-1]]), problem, { w: Float64Array.of(0.5), bias: 0, alpha: [1e6, -1e6] });
    // (0.25, 0) is what remains: D = 0.25 - 0.25^2 / 2.
    expect(certificate.dual).toBeCloseTo(0.25 - 0.25 ** 2 / 2, 14);
  });

  test("under the squared hinge the margins alone already give a good bound", () => {
    const { x, optimum, ...rest } = handSolved[2] as HandSolved;
    const problem = judged({ x, optimum, ...rest });
    const certificate = certifyLinear(pack(x), problem, { w: Float64Array.from(optimum.w), bias: 0, alpha: [0, 0] });
    expect(certificate.dual).toBeCloseTo(optimum.objective, 14);
  });
});

describe("the relative gap", () => {
  test("is 0 where both objectives are 0", () => {
    expect(relativeGap(0, 0, 1)).toBe(0);
  });

  test("is the difference over the larger objective", () => {
    expect(relativeGap(4, 3, 1)).toBe(0.25);
    expect(relativeGap(1, -3, 1)).toBe(4 / 3);
  });

  test("has a floor of 1e-12 times the zero model's objective", () => {
    expect(relativeGap(1e-20, 0, 10)).toBeCloseTo(1e-20 / 1e-11, 20);
    // Below it the gap is a share of the floor, not of P: here P is four times D.
    expect(relativeGap(4e-15, 1e-15, 1)).toBeCloseTo(3e-3, 14);
  });
});

describe("every loss, penalty and bias", () => {
  const set = sparseSet(40, 8, 4, 3);
  const x = pack(set.x);
  const random = new Random(5);
  const base = { rowIds: set.y.map((_, i) => i), signs: set.y, costs: set.y.map((_, i) => 0.5 + (i % 3)), biasScale: 2 };
  const anyPoint = (bias: JudgedProblem["bias"], size: number): JudgedPoint => ({
    w: Float64Array.from({ length: 8 }, () => size * normal(random)),
    bias: bias === false ? 0 : size * normal(random),
    alpha: Float64Array.from(set.y, () => Math.abs(size * normal(random))),
  });
  for (const [loss, penalty] of [
    ["hinge", "l2"],
    ["squared_hinge", "l2"],
    ["logistic", "l2"],
    ["squared_hinge", "l1"],
    ["logistic", "l1"],
  ] as const) {
    for (const bias of ["unregularised", "augmented", false] as const) {
      test(`${loss}, ${penalty}, bias ${bias}: no dual value lies above any primal value`, () => {
        const problem = { ...base, loss, penalty, bias };
        const judgements = Array.from({ length: 400 }, (_, k) => certifyLinear(x, problem, anyPoint(bias, 10 ** (1 - (k % 5)))));
        const least = Math.min(...judgements.map(({ primal }) => primal));
        const most = Math.max(...judgements.map(({ dual }) => dual));
        expect(most).toBeGreaterThan(0);
        expect(most).toBeLessThanOrEqual(least);
      });
    }
  }

  test("a free bias costs nothing, an augmented one what its weight costs", () => {
    const point = { w: new Float64Array(8), bias: 3, alpha: undefined };
    const free = certifyLinear(x, { ...base, loss: "hinge", penalty: "l2", bias: "unregularised" }, point).primal;
    const augmented = certifyLinear(x, { ...base, loss: "hinge", penalty: "l2", bias: "augmented" }, point).primal;
    const absolute = certifyLinear(x, { ...base, loss: "hinge", penalty: "l1", bias: "augmented" }, point).primal;
    expect(augmented - free).toBeCloseTo((3 / 2) ** 2 / 2, 12);
    expect(absolute - free).toBeCloseTo(3 / 2, 12);
  });

  test("the logistic loss at w = 0 and an unregularised bias of log(W+ / W-) suggests a balanced dual point", () => {
    const one = pack([[0], [0], [0]]);
    const problem = {
      rowIds: [0, 1, 2],
      signs: [1, 1, -1],
      costs: [1, 1, 1],
      loss: "logistic",
      penalty: "l2",
      bias: "unregularised",
      biasScale: 1,
    } as const;
    const certificate = certifyLinear(one, problem, { w: new Float64Array(1), bias: Math.log(2), alpha: undefined });
    // The optimum is the entropy of the labels: 3 H(1/3) = 2 log(3/2) + log 3.
    expect(certificate.primal).toBeCloseTo(2 * Math.log(1.5) + Math.log(3), 12);
    expect(certificate.relativeGap).toBeLessThan(1e-14);
  });
});
