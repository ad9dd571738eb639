// All classes at once, judged one by one: from nothing, along C, with the late ones by themselves.

import { describe, expect, test } from "vitest";
import { certifyLinear } from "../../../src/certify/linear.ts";
import { addRow, rowTimes } from "../../../src/certify/rows.ts";
import { matrix } from "../../../src/index.ts";
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

/** The gap of a class, from its dual variables alone. */
function gapOf(x: typeof sparse, problem: RestProblem, own: number, alpha: Float64Array): number {
  const { rowIds, costs, classIds, loss, bias, biasScale } = problem;
  const signs = Array.from(classIds, (id) => (id === own ? 1 : -1));
  const w = new Float64Array(x.featureCount);
  for (const [k, a] of alpha.entries()) addRow(w, a * (signs[k] as number), x, rowIds[k] as number);
  const sum = alpha.reduce((total, a, k) => total + a * (signs[k] as number), 0);
  const point = { w, bias: bias === false ? 0 : biasScale * biasScale * sum, alpha };
  return certifyLinear(x, { rowIds, costs, signs, loss, penalty: "l2", bias, biasScale }, point, 1).relativeGap;
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

test("late classes go on by themselves and are brought back", async () => {
  const bytes = restBytes(sparse.rowCount, sparse.featureCount, CLASSES);
  const problem = posed(sparse, set.y, "squared_hinge", false, 20);
  const whole = new RestDescent(taskHere(sparse, bytes)(), { ...problem, maxIterations: 3 });
  expect(await whole.solve()).toBe("iteration-limit");
  const lanes = [1, 5];
  const part = new RestDescent(
    taskHere(sparse, bytes)(),
    { ...problem, classes: lanes },
    lanes.map((lane) => whole.alpha(lane)),
  );
  const others = whole.alpha(4);
  expect(await part.solve()).toBe("converged");
  whole.takeBack(part, lanes);
  for (const lane of lanes) expect(gapOf(sparse, problem, lane, whole.alpha(lane))).toBeLessThan(1.1e-3);
  expect(whole.alpha(4)).toEqual(others);
  expect(whole.late).not.toContain(1);
  expect(whole.late).toContain(4);
});

test("what it is for", () => {
  const { costs } = posed(sparse, set.y, "hinge", false, 1);
  const fits = { costs, bias: false as const, tolerance: 1e-3 };
  expect(isForRest(fits, 100)).toBe(true);
  expect(isForRest({ ...fits, bias: "unregularised" }, 100)).toBe(false);
  expect(isForRest({ ...fits, tolerance: 1e-6 }, 100)).toBe(false);
  expect(isForRest(fits, 1e12)).toBe(false);
  expect(isForRest({ ...fits, costs: costs.map((cost) => 1e9 * cost) }, 1)).toBe(false);
});
