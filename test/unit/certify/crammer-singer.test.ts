import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { certifyCrammerSinger, type JudgedCrammerSinger } from "../../../src/certify/crammer-singer.ts";
import { packRows, type RowsInput } from "../../../src/data/pack.ts";
import { allocatePlain } from "../../../src/runtime/placement.ts";
import { multiClassSet, normal } from "../../problems/generate.ts";
import { type HandSolvedClasses, handSolvedClasses } from "../../problems/hand-classes.ts";

const pack = (x: RowsInput) => packRows(x, allocatePlain);

function judged({ y, classCount, costs, bias }: HandSolvedClasses): JudgedCrammerSinger {
  return { rowIds: y.map((_, i) => i), classIds: y, classCount, costs, bias, biasScale: 1 };
}

describe("hand-solved problems", () => {
  for (const problem of handSolvedClasses) {
    test(`${problem.name}: the optimum's primal and dual are the number computed by hand`, () => {
      const { w, bias, alpha, objective } = problem.optimum;
      const certificate = certifyCrammerSinger(pack(problem.x), judged(problem), { w: Float64Array.from(w), bias, alpha });
      expect(certificate.primal).toBeCloseTo(objective, 14);
      expect(certificate.dual).toBeCloseTo(objective, 14);
      expect(certificate.relativeGap).toBeLessThan(1e-14);
    });
  }
});

for (const bias of ["augmented", false] as const) {
  test(`bias ${bias}: no dual value lies above any primal value, whatever the points`, () => {
    const set = multiClassSet(40, 8, 4, 4, 3);
    const x = pack(set.x);
    const random = new Random(5);
    const costs = set.y.map((_, i) => 0.5 + (i % 3));
    const problem = { rowIds: set.y.map((_, i) => i), classIds: set.y, classCount: 4, costs, bias, biasScale: 2 };
    const judgements = Array.from({ length: 400 }, (_, trial) => {
      const size = 10 ** (1 - (trial % 5));
      return certifyCrammerSinger(x, problem, {
        w: Float64Array.from({ length: 32 }, () => size * normal(random)),
        bias: Float64Array.from({ length: 4 }, () => (bias === false ? 0 : size * normal(random))),
        alpha: Float64Array.from({ length: 160 }, () => size * normal(random)),
      });
    });
    const most = Math.max(...judgements.map(({ dual }) => dual));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(Math.min(...judgements.map(({ primal }) => primal)));
  });
}

test("a dual point outside its simplex is moved inside before it is believed", () => {
  const problem = judged(handSolvedClasses[1] as HandSolvedClasses);
  const point = { w: Float64Array.of(0.25, -0.25), bias: [0, 0], alpha: [1e6, -1e6, Number.NaN, 0] };
  // The first row's shares become (0, 1/8): a = (1/8, -1/8); the second row falls back to a = 0. D = 1/8 - 1/64.
  expect(certifyCrammerSinger(pack([[1], [-1]]), problem, point).dual).toBeCloseTo(1 / 8 - 1 / 64, 14);
});

test("the best multiple of a dual point counts", () => {
  const problem = { ...judged(handSolvedClasses[0] as HandSolvedClasses), costs: [8, 8] };
  const point = { w: Float64Array.of(0.5, -0.5), bias: [0, 0], alpha: [1, -1, -1, 1] };
  // Four times the optimum: t = 1/4 gives it back.
  expect(certifyCrammerSinger(pack([[1], [-1]]), problem, point).dual).toBeCloseTo(0.25, 14);
});

test("without a dual point the bound is that of a = 0", () => {
  const { optimum, ...rest } = handSolvedClasses[0] as HandSolvedClasses;
  const point = { w: Float64Array.from(optimum.w), bias: [0, 0], alpha: undefined };
  expect(certifyCrammerSinger(pack(rest.x), judged({ ...rest, optimum }), point)).toEqual({ primal: 0.25, dual: 0, relativeGap: 1 });
});

test("C 1e8 and dual variables that C - p has rounded: what the other classes have is the own one's", () => {
  const x = pack([[1e6], [-1e6]]);
  const problem = { rowIds: [0, 1], classIds: [0, 1], classCount: 2, costs: [1e8, 1e8], bias: false, biasScale: 1 } as const;
  // D(t a) = t 2 a - t^2 (2 a 1e6)^2 with a for each row; the own class has it rounded to half a unit in the last place of C.
  const a = 2e-13;
  const { dual } = certifyCrammerSinger(x, problem, {
    ...{ w: new Float64Array(2), bias: new Float64Array(2) },
    alpha: Float64Array.of(a + 2 ** -27, -a, -a, a - 2 ** -27),
  });
  const best = Math.min(1, (2 * a) / (2 * (2 * a * 1e6) ** 2));
  expect(dual).toBeCloseTo(best * 2 * a - (best * 2 * a * 1e6) ** 2, 25);
});

test("more rows than are scored together: P is the sum over all of them", () => {
  const set = multiClassSet(2500, 6, 3, 3, 4);
  const x = pack(set.x);
  const random = new Random(6);
  const point = { w: Float64Array.from({ length: 18 }, () => normal(random)), bias: Float64Array.of(0, 0, 0), alpha: undefined };
  const problem = { classCount: 3, bias: false, biasScale: 1 } as const;
  const cost = (i: number): number => 1 + (i % 5);
  const part = (rowIds: number[]) =>
    certifyCrammerSinger(x, { ...problem, rowIds, classIds: rowIds.map((i) => set.y[i] as number), costs: rowIds.map(cost) }, point).primal;
  const rest = 0.5 * point.w.reduce((sum, w) => sum + w * w, 0);
  let wanted = rest;
  for (let i = 0; i < 2500; i += 500) wanted += part(Array.from({ length: 500 }, (_, k) => i + k)) - rest;
  expect(part(set.y.map((_, i) => i)) / wanted).toBeCloseTo(1, 12);
});
