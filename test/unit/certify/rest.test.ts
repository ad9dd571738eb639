// The judge of many classes at once says of each class, bit for bit, what the judge of one says.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { certifyLinear } from "../../../src/certify/linear.ts";
import type { LossName } from "../../../src/certify/losses.ts";
import { judgedRestBytes, RestJudge } from "../../../src/certify/rest.ts";
import { addRow } from "../../../src/certify/rows.ts";
import { matrix } from "../../../src/index.ts";
import { multiClassSet } from "../../problems/generate.ts";
import { taskHere } from "../../solve-here.ts";

const CLASSES = 7;
const LANES = 8;
const set = multiClassSet(400, 60, 10, CLASSES, 3);
const sparse = matrix(set.x, { featureCount: set.featureCount });
const dense = matrix(set.x.map(([indices, values]) => Array.from({ length: 60 }, (_, j) => values[Array.from(indices).indexOf(j)] ?? 0)));
const goesOn = async (): Promise<boolean> => true;

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
          expect(await judge.weigh(goesOn)).toBe(true);
          const biases = Float64Array.from({ length: CLASSES }, () => random.unit() - 0.5);
          const certificates = await judge.certify(biases, goesOn);
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
            expect(certificates?.[lane]).toEqual({ primal, dual, relativeGap });
          }
        });
      }
    }
  });
}

test("who is told to stop says nothing", async () => {
  const rowIds = Uint32Array.from({ length: 200 }, (_, k) => k);
  const shape = { rowIds, costs: new Float64Array(200).fill(1), lanesOfRows: rowIds.map((i) => i % 4), lanes: 4 };
  const judge = new RestJudge(taskHere(sparse, judgedRestBytes(200, sparse.featureCount, 4))(), {
    ...{ ...shape, loss: "hinge", bias: false, biasScale: 1 },
  });
  judge.alpha.fill(0.5);
  let asked = 0;
  const once = async (): Promise<boolean> => ++asked < 2;
  expect(await judge.weigh(once)).toBe(false);
  expect(await judge.certify(new Float64Array(4), async () => false)).toBeUndefined();
});
