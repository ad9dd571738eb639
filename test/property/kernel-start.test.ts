// Wherever a kernel problem is begun, it is begun inside its bounds and with its sums.

import fc from "fast-check";
import { expect, test } from "vitest";
import { checkedRowIds, KernelStart } from "../../src/estimators/kernel-start.ts";
import { matrix, NuSVC, NuSVR, OneClassSVM, SVC, SVR } from "../../src/index.ts";
import { poseForm } from "../../src/solve/kernel-forms.ts";
import type { KernelSide } from "../../src/solve/kernel-problem.ts";
import { begunNear } from "../../src/solve/kernel-start.ts";

const forms = ["c_svc", "epsilon_svr", "nu_svc", "nu_svr", "one_class"] as const;
const at = (list: ArrayLike<number>, k: number): number => list[k] as number;
const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);

/** Inside the bounds, bit for bit; the sum that the side began with, but for the rounding of n numbers. */
function expectFeasible(side: KernelSide, wanted: number): void {
  side.start.forEach((v, k) => {
    expect(v >= at(side.lo, k) && v <= at(side.hi, k)).toBe(true);
    expect(Object.is(v, -0)).toBe(false);
  });
  const size = side.start.reduce((total, v) => total + Math.abs(v), Math.abs(wanted));
  expect(Math.abs(sum(side.start) - wanted)).toBeLessThanOrEqual(2 * side.start.length * 2 ** -53 * size);
}

const posed = fc.integer({ min: 2, max: 12 }).chain((n) =>
  fc.record({
    form: fc.constantFrom(...forms),
    costs: fc.array(fc.constantFrom(0.1, 1, 2.5), { minLength: n, maxLength: n }),
    signs: fc.array(fc.constantFrom(-1, 1), { minLength: n, maxLength: n }).map((signs) => [1, -1, ...signs.slice(2)]),
    nu: fc.constantFrom(0.01, 0.05),
    guess: fc.array(fc.oneof(fc.constant(0), fc.double({ min: -3, max: 3, noNaN: true }), fc.constantFrom(-2.5, 1, 1e6)), {
      minLength: n,
      maxLength: n,
    }),
  }),
);

test("any guess becomes a start that is allowed; one that is allowed stays as it is", () => {
  fc.assert(
    fc.property(posed, ({ form, costs, signs, nu, guess }) => {
      const { sides } = poseForm({
        ...{ form, targets: Float64Array.from(signs), costs: Float64Array.from(costs), nu, epsilon: 0.1, mostDiagonal: 1 },
      });
      const begun = begunNear(sides, Float64Array.from(guess), false);
      for (const [s, side] of begun.entries()) expectFeasible(side, sum((sides[s] as KernelSide).start));
      const again = begunNear(
        begun,
        begun.reduce((total, { start }) => total.map((v, k) => v + at(start, k)), new Float64Array(costs.length)),
        false,
      );
      // Both sides of a nu-SVR may hold a part of one row: of their sum each takes its own sign.
      if (form !== "nu_svr") expect(again.map(({ start }) => start)).toEqual(begun.map(({ start }) => start));
    }),
    { numRuns: 500, seed: 20261115 },
  );
});

test("without sums only the bounds count", () => {
  const side = { lo: Float64Array.of(0, -1, 0), hi: Float64Array.of(2, 0, 2), start: new Float64Array(3) };
  expect(begunNear([side], Float64Array.of(5, -0.5, -1), true)[0]?.start).toEqual(Float64Array.of(2, -0.5, 0));
});

test("variables between their bounds make up for the sum, those at a bound stay", () => {
  const side = { lo: Float64Array.of(0, -1, -1, -1, 0), hi: Float64Array.of(1, 0, 0, 0, 1), start: new Float64Array(5) };
  // 1 - 1 - 0.5 - 0.25 + 0: the two in between go up to where they have 0 together, each by its share of the way.
  const start = begunNear([side], Float64Array.of(1, -1, -0.5, -0.25, 0), false)[0]?.start;
  expect(start).toEqual(Float64Array.of(1, -1, 0, 0, 0));
  const half = begunNear([side], Float64Array.of(1, -0.75, -0.5, -0.25, 0), false)[0]?.start as Float64Array;
  expect(Array.from(half, (v) => Math.round(1e9 * v) / 1e9)).toEqual([1, -0.5, -0.333333333, -0.166666667, 0]);
});

const rows = fc.integer({ min: 6, max: 16 }).chain((n) =>
  fc.record({
    x: fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })), { minLength: n, maxLength: n }),
    y: fc.array(fc.constantFrom(0, 1, 2), { minLength: n, maxLength: n }).map((labels) => [0, 1, 2, 0, 1, 2, ...labels.slice(6)]),
    kept: fc.array(fc.boolean(), { minLength: n, maxLength: n }).map((kept) => kept.map((own, i) => own || i < 6)),
    C: fc.constantFrom(0.3, 1, 7),
  }),
);

test("a model of any estimator gives a start that is allowed, for other rows and other constants", async () => {
  await fc.assert(
    fc.asyncProperty(rows, async ({ x, y, kept, C }) => {
      const ids = x.map((_, i) => i).filter((i) => kept[i]);
      const some = matrix(ids.map((i) => x[i] as [number, number]));
      const common = { x: some, rowIds: undefined, classes: [] };
      const y2 = ids.map((i) => y[i] as number);
      const all = ids.map((_, k) => k);
      const posing = (form: (typeof forms)[number], targets: readonly number[], picked: readonly number[], costs = 1) => ({
        ...{ form, rowIds: Uint32Array.from(picked), targets: Float64Array.from(targets), nu: 0.1, epsilon: 0.1 },
        costs: new Float64Array(picked.length).fill(costs),
      });
      const pairs = [
        [0, 1],
        [0, 2],
        [1, 2],
      ] as const;
      const starts = [
        ...pairs.map((pair, index) => {
          const picked = all.filter((k) => pair.includes(y2[k] as never));
          const signs = picked.map((k) => (y2[k] === pair[1] ? 1 : -1));
          return { index, picked, signs };
        }),
      ];
      const svc = new KernelStart(await SVC.fit(x, y, { C: 1 }), {
        ...{ ...common, estimator: "SVC", scheme: "ovo", classes: [0, 1, 2], scale: C },
      });
      const nuSvc = new KernelStart(await NuSVC.fit(x, y, { nu: 0.05 }), {
        ...{ ...common, estimator: "NuSVC", scheme: "ovo", classes: [0, 1, 2], scale: 1 },
      });
      const svr = new KernelStart(await SVR.fit(x, y), { ...common, estimator: "SVR", scheme: "regression", scale: C });
      const nuSvr = new KernelStart(await NuSVR.fit(x, y), { ...common, estimator: "NuSVR", scheme: "regression", scale: C });
      const oneClass = new KernelStart(await OneClassSVM.fit(x), { ...common, estimator: "OneClassSVM", scheme: "one_class", scale: 1 });
      const problems = [
        ...starts.map(({ index, picked, signs }) => ({ start: svc, index, task: posing("c_svc", signs, picked, C) })),
        ...starts.map(({ index, picked, signs }) => ({ start: nuSvc, index, task: posing("nu_svc", signs, picked) })),
        { start: svr, index: 0, task: posing("epsilon_svr", y2, all, C) },
        { start: nuSvr, index: 0, task: posing("nu_svr", y2, all, C) },
        { start: oneClass, index: 0, task: posing("one_class", y2, all) },
      ];
      for (const { start, index, task } of problems) {
        const { sides } = poseForm({ ...task, mostDiagonal: 1 });
        const begun = begunNear(sides, start.guess(index, task), false);
        for (const [s, side] of begun.entries()) expectFeasible(side, sum((sides[s] as KernelSide).start));
      }
    }),
    { numRuns: 12, seed: 20261115 },
  );
});

test("row ids are one a row and all different", () => {
  expect(checkedRowIds(undefined, 3)).toBeUndefined();
  expect(checkedRowIds(["a", 1, "1"], 3)).toEqual(["a", 1, "1"]);
  expect(() => checkedRowIds(["a"], 3)).toThrow(/1 rowIds for 3 rows; there must be one a row/);
  expect(() => checkedRowIds(["a", "b", "a"], 3)).toThrow(/rows 0 and 2 have the same id, "a"; ids must differ/);
  expect(() => checkedRowIds([1, Number.NaN], 2)).toThrow(/the id of row 1 must be a finite number or a string, got NaN/);
});
