// The judge of many classes at once says of each class, bit for bit, what the judge of one says.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { certifyLinear } from "../../../src/certify/linear.ts";
import type { LossName } from "../../../src/certify/losses.ts";
import { judgedRestBytes, RestJudge } from "../../../src/certify/rest.ts";
import { addRow } from "../../../src/certify/rows.ts";
import { type Certificate, matrix } from "../../../src/index.ts";
import { multiClassSet } from "../../problems/generate.ts";
import { taskHere } from "../../solve-here.ts";

const CLASSES = 7;
const LANES = 8;
const set = multiClassSet(400, 60, 10, CLASSES, 3);
const sparse = matrix(set.x, { featureCount: set.featureCount });
const dense = matrix(set.x.map(([indices, values]) => Array.from({ length: 60 }, (_, j) => values[Array.from(indices).indexOf(j)] ?? 0)));
const pause = async (): Promise<void> => undefined;

for (const [name, x] of [
  ["sparse", sparse],
  ["dense", dense],
] as const) {
  describe(name, () => {
    for (const loss of ["hinge", "squared_hinge", "logistic"] as const satisfies readonly LossName[]) {
      for (const bias of ["unregularised", "augmented", false] as const) {
        test(`${loss}, bias ${bias}`, async () => {
          const random = new Random(5);
          const rowIds = Uint32Array.from({ length: x.rowCount - 30 }, (_, k) => k + 11);
          const costs = Float64Array.from(rowIds, (i) => 0.1 + (i % 4));
          const lanesOfRows = rowIds.map((i) => (set.y[i] as number) % (CLASSES + 1));
          const task = taskHere(x, judgedRestBytes(rowIds.length, x.featureCount, LANES))();
          const problem = { rowIds, costs, lanesOfRows, lanes: LANES, loss, bias, biasScale: 0.7 } as const;
          const judge = new RestJudge(task, problem);
          const alpha = Float64Array.from({ length: rowIds.length * LANES }, () => 0.002 * Math.max(-0.1, 5 * random.unit() ** 4 - 0.2));
          judge.alpha.set(alpha);
          await judge.weigh(pause);
          const biases = Float64Array.from({ length: CLASSES }, () => random.unit() - 0.5);
          const certificates = await judge.certify(biases, pause);
          for (let lane = 0; lane < CLASSES; lane++) {
            const signs = Array.from(lanesOfRows, (own) => (own === lane ? 1 : -1));
            const own = judge.alphaOf(lane).slice();
            const w = new Float64Array(x.featureCount);
            own.forEach((a, k) => {
              addRow(w, a * (signs[k] as number), x, rowIds[k] as number);
            });
            expect(Array.from(judge.weightsOf(lane), (value) => value + 0)).toEqual(Array.from(w, (value) => value + 0));
            const raw = Array.from(rowIds, (_, k) => alpha[k * LANES + lane] as number);
            // enough 1: the dual point as it is given.
            const posed = { rowIds, signs, costs, loss, penalty: "l2", bias, biasScale: 0.7 } as const;
            const { primal, dual, relativeGap } = certifyLinear(x, posed, { w, bias: biases[lane] as number, alpha: raw }, 1);
            expect(dual).toBeGreaterThan(0);
            expect(certificates[lane]).toEqual({ primal, dual, relativeGap });
          }
        });
      }
    }
  });
}

test("others have their turn between slices, and a model at rest is judged by its own P", async () => {
  const rowIds = Uint32Array.from({ length: 300 }, (_, k) => k);
  const shape = { rowIds, costs: new Float64Array(300).fill(2), lanesOfRows: rowIds.map((i) => i % 4), lanes: 4 };
  const judge = new RestJudge(taskHere(sparse, judgedRestBytes(300, sparse.featureCount, 4))(), {
    ...{ ...shape, loss: "logistic", bias: false, biasScale: 1 },
  });
  judge.alpha.fill(1e-3);
  let pauses = 0;
  const pause = async (): Promise<void> => {
    pauses++;
  };
  await judge.weigh(pause);
  const [first] = await judge.certify(new Float64Array(4), pause);
  // Three passes, three slices each.
  expect(pauses).toBe(9);
  const still = judge.atRest(first as Certificate);
  expect(still.primal).toBeCloseTo(300 * 2 * Math.LN2, 9);
  expect(still.dual).toBe(first?.dual);
  expect(still.relativeGap).toBeCloseTo((still.primal - still.dual) / still.primal, 12);
});
