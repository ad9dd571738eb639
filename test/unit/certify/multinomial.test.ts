import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { certifyMultinomial, type JudgedMultinomial } from "../../../src/certify/multinomial.ts";
import { packRows } from "../../../src/data/pack.ts";
import { allocatePlain } from "../../../src/runtime/placement.ts";
import { normal, sparseSet } from "../../problems/generate.ts";

const set = sparseSet(60, 8, 4, 3);
const x = packRows(set.x, allocatePlain);
const k = 3;
const base = { rowIds: set.y.map((_, i) => i), classIds: set.y.map((_, i) => (i * 7) % k), classCount: k, biasScale: 2 };
const costs = set.y.map((_, i) => 0.5 + (i % 3));

for (const bias of ["unregularised", "augmented", false] as const) {
  describe(`bias ${bias}`, () => {
    const problem: JudgedMultinomial = { ...base, costs, bias };
    const random = new Random(5);

    test("no dual point rises above any primal point: weak duality, whatever is judged", () => {
      let lowest = Infinity;
      let highest = -Infinity;
      for (let trial = 0; trial < 200; trial++) {
        const size = 10 ** (1 - 4 * random.unit());
        const judged = certifyMultinomial(x, problem, {
          w: Float64Array.from({ length: k * 8 }, () => size * normal(random)),
          bias: Float64Array.from({ length: k }, () => (bias === false ? 0 : size * normal(random))),
          alpha: Float64Array.from({ length: 60 * k }, () => size * normal(random)),
        });
        lowest = Math.min(lowest, judged.primal);
        highest = Math.max(highest, judged.dual);
      }
      expect(highest).toBeGreaterThan(0);
      expect(highest).toBeLessThanOrEqual(lowest);
    });

    test("gradient descent closes the gap: the dual is not only below, it gets there", () => {
      const w = new Float64Array(k * 8);
      const b = new Float64Array(k);
      const scale = bias === "augmented" ? 2 : bias === false ? 0 : 1;
      const dense = set.x.map(([j, v]) => {
        const row = new Float64Array(8);
        for (let at = 0; at < j.length; at++) row[j[at] as number] = Math.fround(v[at] as number);
        return row;
      });
      for (let step = 0; step < 1500; step++) {
        const gw = w.slice();
        const gb = bias === "augmented" ? b.slice() : new Float64Array(k);
        dense.forEach((row, i) => {
          const z = Array.from({ length: k }, (_, m) =>
            row.reduce((sum, value, j) => sum + value * (w[m * 8 + j] as number), scale * (b[m] as number)),
          );
          const e = z.map(Math.exp);
          const sum = e.reduce((p, q) => p + q);
          for (let m = 0; m < k; m++) {
            const u = (costs[i] as number) * ((e[m] as number) / sum - (m === base.classIds[i] ? 1 : 0));
            row.forEach((value, j) => {
              gw[m * 8 + j] = (gw[m * 8 + j] as number) + u * value;
            });
            gb[m] = (gb[m] as number) + u * scale;
          }
        });
        gw.forEach((value, j) => {
          w[j] = (w[j] as number) - 0.012 * value;
        });
        gb.forEach((value, m) => {
          b[m] = (b[m] as number) - 0.012 * value;
        });
      }
      const judged = certifyMultinomial(x, problem, { w, bias: b.map((value) => scale * value), alpha: undefined });
      expect(judged.relativeGap).toBeLessThan(1e-9);
    });
  });
}

test("one row of each of two classes, by hand", () => {
  // x = 1 and -1, no bias: w_1 = -w_0 = v. P = v^2 + 2 log(1 + e^-2v), and at v = 0 P = 2 log 2 while D there is
  // 2 log 2 - 1/2 |u|^2 with u = (-1, 1): p = 1/2 gives a = 1/2 to the own class, from both rows.
  const pair = packRows([[1], [-1]], allocatePlain);
  const problem: JudgedMultinomial = { rowIds: [0, 1], classIds: [1, 0], classCount: 2, costs: [1, 1], bias: false, biasScale: 1 };
  const { primal, dual } = certifyMultinomial(pair, problem, { w: new Float64Array(2), bias: new Float64Array(2), alpha: undefined });
  expect(primal).toBeCloseTo(2 * Math.LN2, 14);
  expect(dual).toBeCloseTo(2 * Math.LN2 - 1, 14);
});

test("more rows than are scored together: P and D are sums over all of them", () => {
  const many = sparseSet(2500, 8, 4, 5);
  const rows = packRows(many.x, allocatePlain);
  const random = new Random(6);
  const w = Float64Array.from({ length: k * 8 }, () => 0.1 * normal(random));
  const judge = (rowIds: number[]) => {
    const problem = { rowIds, classIds: rowIds.map((i) => (i * 7) % k), classCount: k, costs: rowIds.map((i) => 1e-3 * (1 + (i % 5))) };
    return certifyMultinomial(rows, { ...problem, bias: false, biasScale: 1 }, { w, bias: new Float64Array(k), alpha: undefined });
  };
  const rest = 0.5 * w.reduce((sum, value) => sum + value * value, 0);
  let wanted = rest;
  for (let i = 0; i < 2500; i += 500) wanted += judge(Array.from({ length: 500 }, (_, j) => i + j)).primal - rest;
  const all = many.y.map((_, i) => i);
  const { primal, dual } = judge(all);
  expect(primal / wanted).toBeCloseTo(1, 12);
  // The same rows in another order are other blocks.
  const other = judge(all.slice(700).concat(all.slice(0, 700)));
  expect(other.primal / primal).toBeCloseTo(1, 12);
  expect(other.dual / dual).toBeCloseTo(1, 12);
});
