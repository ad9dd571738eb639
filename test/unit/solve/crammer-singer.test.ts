// Crammer-Singer by the core, judged by src/certify alone.

import { describe, expect, test } from "vitest";
import { flowers, species } from "../../../data/iris.ts";
import { certifyCrammerSinger } from "../../../src/certify/crammer-singer.ts";
import { certifyLinear } from "../../../src/certify/linear.ts";
import { packRows, type RowsInput } from "../../../src/data/pack.ts";
import { allocatePlain } from "../../../src/runtime/placement.ts";
import type { Task } from "../../../src/runtime/task.ts";
import { CrammerSinger, crammerSingerBytes } from "../../../src/solve/crammer-singer.ts";
import { CrammerSingerInterior } from "../../../src/solve/crammer-singer-interior.ts";
import { descentBytes } from "../../../src/solve/descent.ts";
import { DualDescent } from "../../../src/solve/dual-descent.ts";
import { makeJointSolver } from "../../../src/solve/make-solver.ts";
import { planJoint } from "../../../src/solve/plan.ts";
import type { MultiClassProblem, MultiClassSolution } from "../../../src/solve/problem.ts";
import { solveProven } from "../../../src/solve/proven.ts";
import { solveStages } from "../../../src/solve/stages.ts";
import { multiClassSet } from "../../problems/generate.ts";
import { handSolvedClasses } from "../../problems/hand-classes.ts";
import { taskHere } from "../../solve-here.ts";

interface Labelled {
  readonly x: RowsInput;
  readonly y: readonly number[];
  readonly classCount: number;
}

type Method = keyof typeof methods | "auto";
type Settings = Partial<Omit<MultiClassProblem, "bias">> & { C?: number; bias?: "augmented" | false; method?: Method };

/** As the plan has it: one method, and the other where it stalls. */
function solveByPlan(task: Task, problem: MultiClassProblem) {
  const { stages } = planJoint(task.matrix, "crammer_singer", problem);
  const judge = (solution: MultiClassSolution) =>
    certifyCrammerSinger(task.matrix, { ...problem, bias: problem.bias === "augmented" ? problem.bias : false }, solution);
  return solveStages(task, stages, problem, { make: makeJointSolver(problem), judge });
}

const methods = { sequential: CrammerSinger, interior: CrammerSingerInterior };

async function solve({ x: rows, y, classCount }: Labelled, { C = 1, bias = false, method = "sequential", ...settings }: Settings = {}) {
  const x = packRows(rows, allocatePlain);
  const problem = {
    ...{ rowIds: Uint32Array.from(y, (_, i) => i), classIds: Uint32Array.from(y), classCount },
    ...{ costs: new Float64Array(y.length).fill(C), biasScale: 1, tolerance: 1e-6, maxIterations: 1e6, shrinking: true, seed: 0 },
    ...settings,
    bias,
  };
  const task = taskHere(x, crammerSingerBytes(problem.rowIds.length, x.featureCount, classCount))();
  if (method === "auto") return solveByPlan(task, problem);
  const solver = new methods[method](task, problem);
  return solveProven(solver, (solution) => certifyCrammerSinger(x, problem, solution), problem.tolerance);
}

const names = [...new Set(species)];
const sets: Readonly<Record<string, Labelled>> = {
  "two classes": multiClassSet(200, 20, 6, 2, 1),
  "three classes": multiClassSet(200, 20, 6, 3, 2),
  "ten classes": multiClassSet(400, 30, 8, 10, 3),
  iris: { x: flowers, y: species.map((name) => names.indexOf(name)), classCount: 3 },
  "one feature": {
    x: Array.from({ length: 30 }, (_, i) => [i / 10 - 1]),
    y: Array.from({ length: 30 }, (_, i) => Math.floor(i / 10)),
    classCount: 3,
  },
  "some empty rows": {
    x: Array.from({ length: 30 }, (_, i) => (i % 4 === 0 ? [0, 0] : [(i % 3) - 1, i / 30])),
    y: Array.from({ length: 30 }, (_, i) => i % 3),
    classCount: 3,
  },
  "only empty rows": { x: [[0], [0], [0], [0]], y: [0, 1, 2, 1], classCount: 3 },
  "no features": { x: [[], [], []], y: [0, 1, 1], classCount: 2 },
  "every row twice, with two labels": {
    x: Array.from({ length: 20 }, (_, i) => [Math.floor(i / 2) / 5, 1]),
    y: Array.from({ length: 20 }, (_, i) => (i % 2 ? 0 : 1 + (i % 3 > 0 ? 1 : 0))),
    classCount: 3,
  },
  "a class without rows": { x: [[1], [-1], [2]], y: [0, 2, 0], classCount: 4 },
  "features of 1e-6": {
    x: Array.from({ length: 20 }, (_, i) => [1e-6 * i, 1e-6]),
    y: Array.from({ length: 20 }, (_, i) => i % 3),
    classCount: 3,
  },
};

for (const [name, set] of Object.entries(sets)) {
  describe(name, () => {
    for (const C of [0.01, 1, 100]) {
      for (const bias of ["augmented", false] as const) {
        // At C 100 coordinate steps alone take minutes on some of these.
        for (const method of [C === 100 ? "auto" : "sequential", "interior"] as const) {
          test(`C ${C}, bias ${bias}, ${method}: certified 1e-6`, async () => {
            const { status, certificate } = await solve(set, { C, bias, biasScale: 2, method });
            expect(status).toBe("converged");
            expect(certificate.relativeGap).toBeLessThanOrEqual(1e-6);
          });
        }
      }
    }
  });
}

describe("hand-solved problems", () => {
  for (const problem of handSolvedClasses) {
    test(problem.name, async () => {
      const { costs, bias, optimum } = problem;
      const { certificate, solution } = await solve(problem, { costs: Float64Array.from(costs), bias, tolerance: 1e-12 });
      expect(certificate.primal).toBeCloseTo(optimum.objective, 10);
      // P is 1-strongly convex: |W - W*|^2 <= 2 gap.
      const reach = Math.sqrt(2e-12 * optimum.objective) + 1e-12;
      for (const [at, value] of optimum.w.entries()) expect(Math.abs((solution.w[at] as number) - value)).toBeLessThan(reach);
      for (const [m, value] of optimum.bias.entries()) expect(Math.abs((solution.bias[m] as number) - value)).toBeLessThan(reach);
    });
  }
});

test("weight 2 is the row twice, weight 0 the row absent", async () => {
  const set = sets["three classes"] as Labelled;
  const rows = set.x as readonly unknown[];
  const ids = set.y.map((_, i) => i);
  const weighted = await solve(set, {
    rowIds: Uint32Array.from(ids.filter((i) => i % 5 !== 0)),
    classIds: Uint32Array.from(set.y.filter((_, i) => i % 5 !== 0)),
    costs: Float64Array.from(ids.filter((i) => i % 5 !== 0).map((i) => (i % 5 === 1 ? 2 : 1))),
    tolerance: 1e-8,
  });
  const repeated = ids.flatMap((i) => (i % 5 === 0 ? [] : i % 5 === 1 ? [i, i] : [i]));
  const x = repeated.map((i) => rows[i]) as unknown as RowsInput;
  const twice = await solve({ x, y: repeated.map((i) => set.y[i] as number), classCount: 3 }, { tolerance: 1e-8 });
  expect(Math.abs(weighted.certificate.primal / twice.certificate.primal - 1)).toBeLessThanOrEqual(2e-8);
});

test("two classes are the binary hinge: P_CS with cost C is half of P_hinge with cost 2 C", async () => {
  // w_1 = -w_0 at the optimum (only the difference enters the loss). With u = 2 w_0: P_CS = |u|^2 / 4 + C sum loss(u), and
  // P_hinge(u) at cost 2 C is |u|^2 / 2 + 2 C sum loss(u) = 2 P_CS.
  const set = sets["two classes"] as Labelled;
  const { certificate, solution } = await solve(set, { C: 0.7, tolerance: 1e-9 });
  const x = packRows(set.x, allocatePlain);
  const problem = {
    ...{ rowIds: Uint32Array.from(set.y, (_, i) => i), signs: Float32Array.from(set.y, (m) => (m === 0 ? 1 : -1)) },
    ...({ costs: new Float64Array(set.y.length).fill(1.4), loss: "hinge", penalty: "l2", bias: false, biasScale: 1 } as const),
    ...{ tolerance: 1e-9, maxIterations: 1e6, shrinking: true, seed: 0 },
  };
  const binary = new DualDescent(taskHere(x, descentBytes(set.y.length, x.featureCount))(), problem);
  await binary.solve();
  const judgedBinary = certifyLinear(x, problem, binary.solution());
  expect(Math.abs(certificate.primal / (judgedBinary.primal / 2) - 1)).toBeLessThanOrEqual(2e-9);
  const first = solution.w.subarray(0, x.featureCount);
  for (const [j, value] of first.entries()) expect(Math.abs(value + (solution.w[x.featureCount + j] as number))).toBeLessThan(1e-9);
});

test("dense and sparse rows give the same optimum, shrinking or not", async () => {
  const set = multiClassSet(150, 12, 5, 4, 9);
  const dense = set.x.map(([indices, values]) => {
    const row = new Array<number>(12).fill(0);
    for (let q = 0; q < indices.length; q++) row[indices[q] as number] = values[q] as number;
    return row;
  });
  const optima = [];
  for (const x of [set.x, dense]) {
    for (const shrinking of [true, false]) {
      optima.push((await solve({ ...set, x }, { shrinking, tolerance: 1e-9, bias: "augmented" })).certificate.primal);
    }
  }
  expect(Math.max(...optima) / Math.min(...optima) - 1).toBeLessThanOrEqual(1e-9);
});

describe("where coordinate steps stall", () => {
  const set = multiClassSet(400, 30, 8, 10, 3);
  const x = packRows(
    set.x.map(([indices, values]) => [indices, Array.from(values, (value, q) => (indices[q] === 3 ? 1e4 * value : value))] as const),
    allocatePlain,
  );
  const problem = {
    ...{ rowIds: Uint32Array.from(set.y, (_, i) => i), classIds: Uint32Array.from(set.y), classCount: 10 },
    ...({ costs: new Float64Array(set.y.length).fill(1e4), bias: "augmented", biasScale: 1 } as const),
    ...{ tolerance: 1e-3, maxIterations: 1e6, shrinking: true, seed: 0 },
  };
  const task = taskHere(x, crammerSingerBytes(set.y.length, x.featureCount, 10));

  test("a column times 1e4 and C = 1e4: the automatic choice goes over to the interior point and ends certified", async () => {
    const { status, certificate, stages } = await solveByPlan(task(), problem);
    expect(status).toBe("converged");
    expect(stages.map(({ solver }) => solver)).toEqual(["sequential dual method", "interior point"]);
    expect(certificate.relativeGap).toBeLessThanOrEqual(1e-3);
  });

  test("begun from a point that was nearly right, the interior point needs fewer iterations", async () => {
    const mild = { ...problem, costs: new Float64Array(set.y.length).fill(0.01), tolerance: 1e-2 };
    const plain = packRows(set.x, allocatePlain);
    const here = taskHere(plain, crammerSingerBytes(set.y.length, plain.featureCount, 10));
    const descent = new CrammerSinger(here(), mild);
    await descent.solve();
    const counts = [];
    for (const from of [descent.solution(), undefined]) {
      const interior = new CrammerSingerInterior(here(), { ...mild, tolerance: 1e-8 }, from);
      expect(await interior.solve()).toBe("converged");
      counts.push(interior.solution().iterations);
    }
    expect(counts[0]).toBeLessThan(counts[1] as number);
  });
});

test("the same seed gives the same bits", async () => {
  const [first, second] = [await solve(sets.iris as Labelled, { seed: 5 }), await solve(sets.iris as Labelled, { seed: 5 })];
  expect(first.solution).toEqual(second.solution);
});

test("stopped at the iteration limit, in whatever stage, its dual point is feasible and its gap is true", async () => {
  const set = sets["ten classes"] as Labelled;
  for (const maxIterations of [1, 3, 10]) {
    const { status, certificate, solution } = await solve(set, { C: 100, maxIterations, tolerance: 1e-12 });
    expect(status).toBe("iteration-limit");
    expect(solution.iterations).toBe(maxIterations);
    expect(certificate.dual).toBeGreaterThan(0);
    expect(certificate.primal).toBeGreaterThan(certificate.dual);
    const alpha = solution.alpha as Float64Array;
    for (const [i, own] of set.y.entries()) {
      const a = alpha.subarray(10 * i, 10 * i + 10);
      expect(Math.abs(a.reduce((sum, value) => sum + value, 0))).toBeLessThan(1e-12);
      for (const [m, value] of a.entries()) expect(value).toBeLessThanOrEqual(m === own ? 100 : 0);
    }
  }
});
