import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { certifyOneClass } from "../../../src/certify/one-class.ts";
import { packRows, type RowsInput } from "../../../src/data/pack.ts";
import { allocatePlain } from "../../../src/runtime/placement.ts";
import { normal } from "../../problems/generate.ts";

const pack = (x: RowsInput) => packRows(x, allocatePlain);

// Rows 1 and 3 on a line. nu 1/2: all of N = 1 on the nearer one, w = 1, and rho = 1 is best with any up to 3. nu 1: a = (1, 1), w = 4; P = 8 - 2 rho + (rho - 4)
// between 4 and 12. Weights 2 and 1, nu 1/2: N = 1.5, all on the nearer row. Rows 1 and -1: a = (1, 1) gives w = 0.
const solved = [
  { name: "the nearer row carries all", x: [[1], [3]], weights: [1, 1], nu: 0.5, w: 1, rho: 1, alpha: [1, 0], objective: -0.5 },
  { name: "nu 1", x: [[1], [3]], weights: [1, 1], nu: 1, w: 4, rho: 12, alpha: [1, 1], objective: -8 },
  { name: "weights", x: [[1], [3]], weights: [2, 1], nu: 0.5, w: 1.5, rho: 1.5, alpha: [1.5, 0], objective: -1.125 },
  { name: "the origin among the rows", x: [[1], [-1]], weights: [1, 1], nu: 1, w: 0, rho: 0, alpha: [1, 1], objective: 0 },
] as const;

describe("hand-solved problems", () => {
  for (const { name, x, w, rho, alpha, objective, ...problem } of solved) {
    const rows = { rowIds: [0, 1], ...problem };

    test(`${name}: primal and dual are the number computed by hand`, () => {
      const certificate = certifyOneClass(pack(x), rows, { w: Float64Array.of(w), rho, alpha });
      expect(certificate.primal).toBeCloseTo(objective, 14);
      expect(certificate.dual).toBeCloseTo(objective, 14);
      expect(certificate.relativeGap).toBeLessThan(1e-14);
    });

    test(`${name}: no perturbed model is below the optimum, no perturbed dual point above it`, () => {
      const random = new Random(6);
      for (let round = 0; round < 100; round++) {
        const near = (value: number): number => value + 0.3 * normal(random);
        const point = { w: Float64Array.of(near(w)), rho: near(rho), alpha: alpha.map(near) };
        const { primal, dual } = certifyOneClass(pack(x), rows, point);
        expect(primal).toBeGreaterThanOrEqual(objective - 1e-14);
        expect(dual).toBeLessThanOrEqual(objective + 1e-14);
      }
    });
  }
});

test("the zero model is judged against what the rows could be, where the optimum is not 0", () => {
  const certificate = certifyOneClass(
    pack([[1], [3]]),
    { rowIds: [0, 1], weights: [1, 1], nu: 0.5 },
    { w: new Float64Array(1), rho: 0, alpha: [0, 0] },
  );
  // a = 0 becomes (1/2, 1/2): u = 2.
  expect(certificate).toEqual({ primal: 0, dual: -2, relativeGap: 1 });
});
