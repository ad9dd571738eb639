// What must hold for every kernel problem, whatever the rows: equivalences, not numbers. Both sides are solved to a gap of 1e-7, so their objectives differ by
// at most twice that, relatively, and by what float32 makes of kernel values.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Matrix } from "../../src/data/matrix.ts";
import { packRows } from "../../src/data/pack.ts";
import type { LibsvmType } from "../../src/model/libsvm-file.ts";
import { allocatePlain } from "../../src/runtime/placement.ts";
import { mostNu } from "../../src/solve/kernel-forms.ts";
import { type KernelAnswer, type KernelSettings, kernelOf, solveKernel } from "../kernel-here.ts";

const TOLERANCE = 1e-7;
const LIMIT = 200_000;
const runs = { numRuns: 60, seed: 20261115 };

/** Few different values, so that rows are often equal; and a little of something, so that they are often nearly so. */
const value = fc.tuple(fc.integer({ min: -2, max: 2 }), fc.constantFrom(0, 0, 0, 1e-4)).map(([whole, little]) => whole / 2 + little);

const problem = fc.tuple(fc.integer({ min: 3, max: 14 }), fc.integer({ min: 1, max: 3 })).chain(([n, d]) =>
  fc.record({
    x: fc.array(fc.array(value, { minLength: d, maxLength: d }), { minLength: n, maxLength: n }),
    y: fc.array(fc.constantFrom(-1, 1), { minLength: n, maxLength: n }).map((labels) => [1, -1, 1, ...labels.slice(3)]),
    targets: fc.array(fc.integer({ min: -6, max: 6 }), { minLength: n, maxLength: n }).map((list) => list.map((whole) => whole / 3)),
    weights: fc.array(fc.constantFrom(0, 1, 1, 2), { minLength: n, maxLength: n }).map((list) => [1, 1, 1, ...list.slice(3)]),
    form: fc.constantFrom<LibsvmType>("c_svc", "nu_svc", "epsilon_svr", "nu_svr", "one_class"),
    kernel: fc.constantFrom(
      kernelOf("rbf", 0.5),
      kernelOf("rbf", 20),
      kernelOf("linear"),
      kernelOf("polynomial", 0.5, 1, 2),
      kernelOf("precomputed"),
    ),
    C: fc.constantFrom(1e-3, 0.1, 1, 10),
    part: fc.constantFrom(0.05, 0.5, 0.9),
    epsilon: fc.constantFrom(0, 0.1, 1),
  }),
);
type Problem = typeof problem extends fc.Arbitrary<infer T> ? T : never;

/** Rows, or under a precomputed kernel their products, without the little: those are exact in float32, and their matrix positive semidefinite. */
function rowsOf(x: readonly (readonly number[])[], kind: string): Matrix {
  const whole = x.map((row) => row.map((own) => Math.round(2 * own) / 2));
  const products = whole.map((u) => whole.map((v) => u.reduce((sum, own, j) => sum + own * (v[j] as number), 0)));
  return packRows((kind === "precomputed" ? products : x) as number[][], allocatePlain);
}

function solved({ x, y, targets, form, kernel, C, part, epsilon }: Problem, more: Partial<KernelSettings> = {}): Promise<KernelAnswer> {
  const weights = more.weights ?? y.map(() => 1);
  const nu = form === "nu_svc" ? part * mostNu(y, weights) : part;
  const own = form.endsWith("svr") ? targets : y;
  return solveKernel(rowsOf(x, kernel.kind), own, {
    ...{ form, kernel, C, nu, epsilon },
    ...more,
    problem: { tolerance: TOLERANCE, maxIterations: LIMIT, ...more.problem },
  });
}

/** The same optimum: of what is not proven to the tolerance, within the gap that the judge found. */
function near(one: KernelAnswer, other: KernelAnswer): void {
  const left = [one, other].reduce((sum, { certificate }) => sum + Math.max(0, certificate.primal - certificate.dual), 0);
  const size = Math.max(one.size, other.size);
  expect(Math.abs(one.certificate.dual - other.certificate.dual)).toBeLessThanOrEqual(left + 1e-9 * size);
}

/** A property of all problems. */
function always(name: string, check: (data: Problem) => Promise<void>): void {
  test(name, () => fc.assert(fc.asyncProperty(problem, check), runs));
}

always("ends, and the judge confirms the gap", async (data) => {
  const { status, solution, certificate, size } = await solved(data);
  if (status === "converged") expect(solution.relativeGap).toBeLessThanOrEqual(TOLERANCE);
  else expect(["iteration-limit", "precision-limit"]).toContain(status);
  expect((certificate.primal - certificate.dual) / size).toBeLessThanOrEqual(2 * solution.relativeGap + 1e-9);
});

always("weight 2 is the row twice, weight 0 the row absent", async (data) => {
  const repeated = data.weights.flatMap((weight, i) => new Array<number>(weight).fill(i));
  const pick = <T>(list: readonly T[]): T[] => repeated.map((i) => list[i] as T);
  near(
    await solved(data, { weights: data.weights }),
    await solved({ ...data, x: pick(data.x), y: pick(data.y), targets: pick(data.targets) }),
  );
});

always("the order of rows and features does not matter", async (data) => {
  const turned = <T>(list: readonly T[]): T[] => [...list].reverse();
  near(
    await solved(data),
    await solved({ ...data, x: turned(data.x).map((row) => turned(row)), y: turned(data.y), targets: turned(data.targets) }),
  );
});

always("swapping the labels, or the sign of the targets, turns the model round", async (data) => {
  near(await solved(data), await solved({ ...data, y: data.y.map((label) => -label), targets: data.targets.map((target) => -target) }));
});

always("sparse rows mean the same as dense ones, bit for bit", async (data) => {
  if (data.kernel.kind === "precomputed") return;
  const dense = await solved(data);
  const own = data.form.endsWith("svr") ? data.targets : data.y;
  const d = (data.x[0] as number[]).length;
  const sparse = packRows(
    data.x.map((row) => {
      const held = row.map((_, j) => j).filter((j) => row[j] !== 0);
      return [held, held.map((j) => row[j] as number)] as const;
    }),
    allocatePlain,
    d,
  );
  const { form, kernel, C, epsilon, part } = data;
  const nu =
    form === "nu_svc"
      ? part *
        mostNu(
          data.y,
          data.y.map(() => 1),
        )
      : part;
  const again = await solveKernel(sparse, own, { form, kernel, C, nu, epsilon, problem: { tolerance: TOLERANCE, maxIterations: LIMIT } });
  expect(again.solution.value).toEqual(dense.solution.value);
  expect(again.solution.rho).toEqual(dense.solution.rho);
});
