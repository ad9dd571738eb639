// All classes at once, judged one by one: from nothing, along C, with the late ones by themselves.

import { describe, expect, test } from "vitest";
import { certifyLinear } from "../../../src/certify/linear.ts";
import { addRow, rowTimes } from "../../../src/certify/rows.ts";
import { matrix } from "../../../src/index.ts";
import type { Task } from "../../../src/runtime/task.ts";
import { descentBytes } from "../../../src/solve/descent.ts";
import { DualDescent } from "../../../src/solve/dual-descent.ts";
import { isForRest, RestDescent, type RestProblem, restBytes } from "../../../src/solve/rest-descent.ts";
import { multiClassSet } from "../../problems/generate.ts";
import { taskHere } from "../../solve-here.ts";

const CLASSES = 7;
const set = multiClassSet(300, 400, 10, CLASSES, 3);
const sparse = matrix(set.x, { featureCount: set.featureCount });
const few = multiClassSet(120, 6, 6, CLASSES, 4);
const dense = matrix(few.x.map(([indices, values]) => Array.from({ length: 6 }, (_, j) => values[Array.from(indices).indexOf(j)] ?? 0)));

function posed(x: typeof sparse, y: readonly number[], loss: RestProblem["loss"], bias: RestProblem["bias"], C: number): RestProblem {
  // Not all rows take part.
  const rowIds = Uint32Array.from({ length: x.rowCount - 10 }, (_, k) => k + 5);
  return {
    ...{ loss, bias, biasScale: 0.8, tolerance: 1e-3, maxIterations: 5000, seed: 1, rowIds },
    costs: Float64Array.from(rowIds, (i) => C * (0.5 + (i % 3))),
    classIds: rowIds.map((i) => y[i] as number),
    classes: Array.from({ length: CLASSES }, (_, k) => k),
  };
}

const signsOf = ({ classIds }: RestProblem, own: number): number[] => Array.from(classIds, (id) => (id === own ? 1 : -1));

/** w and y'a of a class. */
function sumsOf(x: typeof sparse, problem: RestProblem, own: number, alpha: Float64Array): { w: Float64Array; sum: number } {
  const signs = signsOf(problem, own);
  const w = new Float64Array(x.featureCount);
  for (const [k, a] of alpha.entries()) addRow(w, a * (signs[k] as number), x, problem.rowIds[k] as number);
  return { w, sum: alpha.reduce((total, a, k) => total + a * (signs[k] as number), 0) };
}

/** The gap of a class, from its dual variables and, where these do not say it, its offset. */
function gapOf(x: typeof sparse, problem: RestProblem, own: number, alpha: Float64Array, offset = 0): number {
  const { rowIds, costs, loss, bias, biasScale } = problem;
  const { w, sum } = sumsOf(x, problem, own, alpha);
  const point = { w, bias: bias === "augmented" ? biasScale * biasScale * sum : offset, alpha };
  const posed = { rowIds, costs, signs: signsOf(problem, own), loss, penalty: "l2", bias, biasScale } as const;
  return certifyLinear(x, posed, point, 1).relativeGap;
}

/** b of every class, by what a row is said to be. */
function offsetsOf(task: Task, solver: RestDescent, problem: RestProblem): number[] {
  const ids = task.space.rawWords(1);
  ids.set([0]);
  const out = task.space.rawFloats(8);
  solver.decide(ids, out);
  return problem.classes.map((_, lane) => (out[lane] as number) - rowTimes(sparse, 0, sumsOf(sparse, problem, lane, solver.alpha(lane)).w));
}

for (const [name, x, y] of [
  ["sparse", sparse, set.y],
  ["dense", dense, few.y],
] as const) {
  describe(name, () => {
    for (const loss of ["hinge", "squared_hinge"] as const) {
      for (const bias of ["augmented", false] as const) {
        test(`${loss}, bias ${bias}: every class is at its gap, for one C after the other; decisions are those of its weights`, async () => {
          const make = taskHere(x, restBytes(x.rowCount, x.featureCount, CLASSES) + 4096);
          const task = make();
          const first = posed(x, y, loss, bias, 0.1);
          const solver = new RestDescent(task, first);
          for (const [k, C] of [0.1, 1, 40].entries()) {
            if (k > 0) solver.raise(C / [0.1, 1, 40][k - 1]!);
            const problem = posed(x, y, loss, bias, C);
            expect(await solver.solve()).toBe("converged");
            // At most half the lanes.
            expect(solver.late.length).toBeLessThanOrEqual(4);
            for (let lane = 0; lane < CLASSES; lane++) {
              if (solver.late.includes(lane)) continue;
              // Float32 has done a little to both.
              expect(gapOf(x, problem, lane, solver.alpha(lane))).toBeLessThan(1.1e-3);
            }
          }
          const ids = task.space.rawWords(3);
          ids.set([0, 7, 11]);
          const out = task.space.rawFloats(3 * 8);
          const stride = solver.decide(ids, out);
          const problem = posed(x, y, loss, bias, 40);
          ids.forEach((row, k) => {
            for (let lane = 0; lane < CLASSES; lane++) {
              const w = new Float64Array(x.featureCount);
              let [b, size] = [0, 0];
              solver.alpha(lane).forEach((a, i) => {
                const signed = problem.classIds[i] === lane ? a : -a;
                addRow(w, signed, x, problem.rowIds[i] as number);
                b += bias === false ? 0 : 0.64 * signed;
                size += a;
              });
              const wanted = rowTimes(x, row, w) + b;
              // Each of as many steps as there are variables is rounded to float32.
              expect(Math.abs((out[k * stride + lane] as number) - wanted)).toBeLessThan(2 ** -20 * size + 1e-4);
            }
          });
        });
      }
    }
  });
}

describe("a free bias", () => {
  for (const loss of ["hinge", "squared_hinge"] as const) {
    for (const C of [0.01, 1, 40]) {
      test(`${loss}, C ${C}: once y'a is balanced every class is near its gap, at the offset that the descent came to`, async () => {
        const task = taskHere(sparse, restBytes(sparse.rowCount, sparse.featureCount, CLASSES) + 4096)();
        const problem = posed(sparse, set.y, loss, "unregularised", C);
        const solver = new RestDescent(task, problem);
        expect(await solver.solve()).toBe("converged");
        const offsets = offsetsOf(task, solver, problem);
        for (let lane = 0; lane < CLASSES; lane++) {
          if (solver.late.includes(lane)) continue;
          // What balancing costs is not known to it: in an order of magnitude.
          expect(gapOf(sparse, problem, lane, solver.alpha(lane), offsets[lane])).toBeLessThan(1e-2);
        }
      });
    }
  }
});

for (const bias of ["unregularised", "augmented", false] as const) {
  test(`bias ${bias}: late classes go on by themselves, together or alone, and are brought back`, async () => {
    const bytes = restBytes(sparse.rowCount, sparse.featureCount, CLASSES) + 4096;
    const problem = posed(sparse, set.y, "squared_hinge", bias, 20);
    const task = taskHere(sparse, bytes)();
    const whole = new RestDescent(task, { ...problem, maxIterations: 3 });
    expect(await whole.solve()).toBe("iteration-limit");
    expect(await whole.measure()).toBe("converged");
    expect(whole.late).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const lanes = [1, 5];
    const part = new RestDescent(taskHere(sparse, bytes)(), { ...problem, classes: lanes }, { other: whole, lanes });
    lanes.forEach((lane, k) => {
      expect(part.alpha(k)).toEqual(whole.alpha(lane));
    });
    const others = whole.alpha(4);
    expect(await part.solve()).toBe("converged");
    whole.take(part, [0, 1], lanes);
    expect(whole.alpha(4)).toEqual(others);

    const signs = Float32Array.from(signsOf(problem, 2));
    const settings = { penalty: "l2", shrinking: true, maxIterations: 1000 } as const;
    const alone = new DualDescent(
      taskHere(sparse, descentBytes(sparse.rowCount, sparse.featureCount))(),
      { ...problem, ...settings, signs },
      { alpha: whole.alpha(2) },
    );
    expect(await alone.solve()).toBe("converged");
    whole.put(2, alone.solution());
    await whole.measure();
    expect(whole.late).toEqual([0, 3, 4, 6]);
    const offsets = offsetsOf(task, whole, problem);
    for (const lane of [1, 2, 5]) expect(gapOf(sparse, problem, lane, whole.alpha(lane), offsets[lane])).toBeLessThan(1.1e-3);
  });
}

test("a limit in the midst of growing costs: gaps are those of the whole costs, and variables inside their bounds", async () => {
  const problem = { ...posed(sparse, set.y, "hinge", false, 1e4), tolerance: 0.2, maxIterations: 6 };
  const solver = new RestDescent(taskHere(sparse, restBytes(sparse.rowCount, sparse.featureCount, CLASSES))(), problem);
  expect(await solver.solve()).toBe("iteration-limit");
  await solver.measure();
  const gaps = problem.classes.map((_, lane) => gapOf(sparse, problem, lane, solver.alpha(lane)));
  expect(Math.max(...gaps)).toBeGreaterThan(0.2);
  expect(solver.late).toEqual(Array.from(gaps.keys()).filter((lane) => (gaps[lane] as number) > 0.2));
  const largest = problem.classes.map((_, lane) => solver.alpha(lane).reduce((most, a) => Math.max(most, a), 0));
  expect(Math.max(...largest)).toBeLessThanOrEqual(2.5e4);
});

test("what it is for", () => {
  const { costs } = posed(sparse, set.y, "hinge", false, 1);
  const fits = { costs, tolerance: 1e-3, loss: "hinge" } as const;
  expect(isForRest(fits, 100)).toBe(true);
  expect(isForRest({ ...fits, tolerance: 1e-6 }, 100)).toBe(false);
  expect(isForRest(fits, 1e12)).toBe(false);
  expect(isForRest({ ...fits, costs: costs.map((cost) => 1e9 * cost) }, 1)).toBe(false);
  expect(isForRest({ ...fits, loss: "logistic" }, 0.5)).toBe(true);
  expect(isForRest({ ...fits, loss: "logistic" }, 5)).toBe(false);
});
