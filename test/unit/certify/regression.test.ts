import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { certifyRegression, zeroRegressionObjective } from "../../../src/certify/regression.ts";
import { packRows, type RowsInput } from "../../../src/data/pack.ts";
import { allocatePlain } from "../../../src/runtime/placement.ts";
import { normal } from "../../problems/generate.ts";
import { type HandRegression, handRegressions } from "../../problems/hand-regression.ts";

const pack = (x: RowsInput) => packRows(x, allocatePlain);
const judged = (problem: HandRegression) => ({ ...problem, rowIds: problem.targets.map((_, i) => i) });

describe("hand-solved problems", () => {
  for (const problem of handRegressions) {
    const { w, bias, beta, objective } = problem.optimum;

    test(`${problem.name}: the optimum's primal and dual are the number computed by hand`, () => {
      const certificate = certifyRegression(pack(problem.x), judged(problem), { w: Float64Array.from(w), bias, beta });
      expect(certificate.primal).toBeCloseTo(objective, 14);
      expect(certificate.dual).toBeCloseTo(objective, 14);
      expect(certificate.relativeGap).toBeLessThan(1e-14);
    });

    test(`${problem.name}: no perturbed model is below the optimum, no perturbed dual point above it`, () => {
      const random = new Random(5);
      for (let round = 0; round < 100; round++) {
        const near = (value: number): number => value + 0.3 * normal(random);
        const point = { w: Float64Array.from(w, near), bias: problem.bias === false ? 0 : near(bias), beta: beta.map(near) };
        const { primal, dual } = certifyRegression(pack(problem.x), judged(problem), point);
        expect(primal).toBeGreaterThanOrEqual(objective * (1 - 1e-14));
        expect(dual).toBeLessThanOrEqual(objective * (1 + 1e-14));
        expect(dual).toBeGreaterThanOrEqual(0);
      }
    });
  }
});

test("the squared loss needs no dual point: the residuals suggest one", () => {
  for (const problem of handRegressions.filter(({ loss }) => loss === "squared_epsilon_insensitive")) {
    const { w, bias, objective } = problem.optimum;
    const { dual } = certifyRegression(pack(problem.x), judged(problem), { w: Float64Array.from(w), bias, beta: undefined });
    expect(dual).toBeCloseTo(objective, 14);
  }
});

test("a dual point that is not balanced is, before it is believed: the heavier sign is scaled down", () => {
  const problem = judged(handRegressions.find(({ bias }) => bias === "unregularised") as HandRegression);
  // (-0.5, 0.25) becomes (-0.25, 0.25): D = 3 * 0.25 - 0.5 * 0.5 - (2 * 0.25)^2 / 2. Its best multiple would be above 1.
  const { dual } = certifyRegression(pack(problem.x), problem, { w: Float64Array.of(1), bias: 10.5, beta: [-0.5, 0.25] });
  expect(dual).toBeCloseTo(0.375, 14);
});

test("with a free bias, targets and bias moved by a million change neither objective nor floor", () => {
  for (const problem of handRegressions.filter(({ bias }) => bias === "unregularised")) {
    const { w, bias, beta, objective } = problem.optimum;
    const moved = { ...judged(problem), targets: problem.targets.map((target) => target + 2 ** 20) };
    const { primal, dual } = certifyRegression(pack(problem.x), moved, { w: Float64Array.from(w), bias: bias + 2 ** 20, beta });
    expect(primal).toBeCloseTo(objective, 9);
    expect(dual).toBeCloseTo(objective, 9);
    expect(zeroRegressionObjective(moved)).toBeCloseTo(zeroRegressionObjective(judged(problem)), 9);
  }
});

test("a tube that holds every target costs nothing and the gap is 0", () => {
  const problem = { rowIds: [0, 1], targets: [1, 2], costs: [1, 1], epsilon: 2, bias: false, biasScale: 1 } as const;
  for (const loss of ["epsilon_insensitive", "squared_epsilon_insensitive"] as const) {
    const point = { w: new Float64Array(1), bias: 0, beta: [0, 0] };
    expect(certifyRegression(pack([[1], [2]]), { ...problem, loss }, point)).toEqual({ primal: 0, dual: 0, relativeGap: 0 });
  }
});
