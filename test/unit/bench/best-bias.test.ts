import { expect, test } from "vitest";
import { bestBias, bestTubeBias } from "../../../bench/best-bias.ts";
import { Random } from "../../../src/base/random.ts";
import { certifyLinear } from "../../../src/certify/linear.ts";
import { packRows } from "../../../src/data/pack.ts";
import { allocatePlain } from "../../../src/runtime/placement.ts";
import { normal, sparseSet } from "../../problems/generate.ts";

test("no other bias costs less, whatever the weights", () => {
  const set = sparseSet(90, 8, 5, 5);
  const x = packRows(set.x, allocatePlain);
  const signs = Float64Array.from(set.y);
  const problem = {
    ...{ rowIds: set.y.map((_, i) => i), signs, costs: set.y.map(() => 2) },
    ...({ loss: "hinge", penalty: "l2", bias: "unregularised", biasScale: 1 } as const),
  };
  const random = new Random(4);
  for (let trial = 0; trial < 50; trial++) {
    const w = Float64Array.from({ length: 8 }, () => normal(random));
    const costAt = (bias: number): number => certifyLinear(x, problem, { w, bias, alpha: undefined }).primal;
    const best = bestBias(x, signs, w);
    // Rounding of a sum of 90 losses.
    for (const other of [best - 1e-3, best + 1e-3, 3 * normal(random)])
      expect(costAt(best)).toBeLessThanOrEqual(costAt(other) * (1 + 1e-13));
  }
});

test("of a regression neither", () => {
  const random = new Random(6);
  for (let trial = 0; trial < 50; trial++) {
    const scores = Float64Array.from({ length: 31 }, () => normal(random));
    const targets = Float64Array.from({ length: 31 }, () => 2 * normal(random));
    const epsilon = random.unit();
    const costAt = (b: number): number =>
      scores.reduce((sum, f, i) => sum + Math.max(0, Math.abs(f + b - (targets[i] as number)) - epsilon), 0);
    const best = bestTubeBias(scores, targets, epsilon);
    for (const other of [best - 1e-3, best + 1e-3, 3 * normal(random)])
      expect(costAt(best)).toBeLessThanOrEqual(costAt(other) * (1 + 1e-13));
  }
});
