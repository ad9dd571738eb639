import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { certifyLinearSvc, type JudgedProblem, relativeGap } from "../../../src/certify/linear-svc.ts";
import { packRows, type RowsInput } from "../../../src/data/pack.ts";
import { LinearSVC } from "../../../src/index.ts";
import { allocatePlain } from "../../../src/runtime/placement.ts";
import { normal, sparseSet } from "../../problems/generate.ts";
import { type HandSolved, handSolved } from "../../problems/hand.ts";

const pack = (x: RowsInput) => packRows(x, allocatePlain);

function judged({ y, weights, C, loss, bias }: HandSolved): JudgedProblem {
  return { rowIds: y.map((_, i) => i), signs: y, costs: y.map((_, i) => C * (weights?.[i] ?? 1)), loss, biasScale: bias ? 1 : 0 };
}

describe("hand-solved problems", () => {
  for (const problem of handSolved) {
    const { w, bias, alpha, objective } = problem.optimum;

    test(`${problem.name}: the optimum's primal and dual are the number computed by hand`, () => {
      const certificate = certifyLinearSvc(pack(problem.x), judged(problem), { w: Float64Array.from(w), bias, alpha });
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
      expect(Math.abs(model.bias - bias)).toBeLessThan(reach);
    });
  }
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
          biasScale: bias ? 1 : 0,
        };
        const random = new Random(1);
        // Rounding of a sum of 120 losses.
        const slack = 200 * Number.EPSILON * upper;
        for (let trial = 0; trial < 300; trial++) {
          const size = 10 ** (2 - 8 * random.unit());
          const w = model.coefficients.map((value) => value + size * normal(random));
          const moved = Float64Array.from(model.dual ?? [], (a) => a + size * normal(random));
          const certificate = certifyLinearSvc(x, problem, { w, bias: bias ? model.bias + size * normal(random) : 0, alpha: moved });
          expect(certificate.primal).toBeGreaterThanOrEqual(lower - slack);
          expect(certificate.dual).toBeLessThanOrEqual(upper + slack);
        }
      });
    }
  }

  test("a dual point outside its box is moved inside before it is believed", () => {
    const problem = judged(handSolved[1] as HandSolved);
    const certificate = certifyLinearSvc(pack([[1], [-1]]), problem, { w: Float64Array.of(0.5), bias: 0, alpha: [1e6, -1e6] });
    // (0.25, 0) is what remains: D = 0.25 - 0.25^2 / 2.
    expect(certificate.dual).toBeCloseTo(0.25 - 0.25 ** 2 / 2, 14);
  });

  test("under the squared hinge the margins alone already give a good bound", () => {
    const { x, optimum, ...rest } = handSolved[2] as HandSolved;
    const problem = judged({ x, optimum, ...rest });
    const certificate = certifyLinearSvc(pack(x), problem, { w: Float64Array.from(optimum.w), bias: 0, alpha: [0, 0] });
    expect(certificate.dual).toBeCloseTo(optimum.objective, 14);
  });
});

describe("the relative gap", () => {
  test("is 0 where both objectives are 0", () => {
    expect(relativeGap(0, 0, { costs: [1] })).toBe(0);
  });

  test("is the difference over the larger objective", () => {
    expect(relativeGap(4, 3, { costs: [1] })).toBe(0.25);
    expect(relativeGap(1, -3, { costs: [1] })).toBe(4 / 3);
  });

  test("has a floor of 1e-12 times the zero model's objective", () => {
    expect(relativeGap(1e-20, 0, { costs: [3, 7] })).toBeCloseTo(1e-20 / 1e-11, 20);
  });
});
