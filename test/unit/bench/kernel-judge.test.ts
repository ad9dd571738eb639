// The bench's judge of kernel machines finds the objectives that the library's own judge finds, pair by pair, whoever made the model.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { boundsOf, judge, worstGap } from "../../../bench/kernel-judge.ts";
import { Random } from "../../../src/base/random.ts";
import { KernelModel, type LabelledRows, matrix, SVC, SVR } from "../../../src/index.ts";
import { certifyKernel } from "../../certify-kernel.ts";

const folder = mkdtempSync(join(tmpdir(), "hinge-judge-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Sparse rows of three classes that overlap, or of a target. */
function rowsOf(count: number, classCount: number): LabelledRows {
  const random = new Random(7);
  const rows = Array.from({ length: count }, (_, i): [number[], number[]] => {
    const values = [0, 1, 2, 3].map((j) => random.unit() + (j === i % classCount ? 0.3 : 0));
    return [[0, 1, 2, 3], values];
  });
  return { x: matrix(rows), y: Float64Array.from(rows, (_, i) => [5, -2, 3][i % classCount] as number), queries: undefined };
}

const rbf = { kind: "rbf", gamma: 2, coef0: 0, degree: 0 } as const;

/** P of one problem by src/certify, from a machine's coefficients put back on the rows that they belong to. */
function primalBy(rows: LabelledRows, model: KernelModel, labels: readonly [number, number] | undefined, tube: number): number {
  const { vectors, coefficients, classes, vectorCounts, biases, scheme } = KernelModel.dataOf(model);
  const rowIds = Array.from(rows.y.keys()).filter((i) => labels === undefined || labels.includes(rows.y[i] as number));
  const text = (j: number): string =>
    String(Array.from(vectors.values.subarray(vectors.starts[j] as number, vectors.starts[j + 1] as number)));
  const places = new Map(Array.from({ length: vectors.count }, (_, s) => [text(s), s]));
  const list = classes as readonly number[];
  const [a, b] =
    labels === undefined ? [0, 1] : ([list.indexOf(labels[0]), list.indexOf(labels[1])].sort((p, q) => p - q) as [number, number]);
  const columns = scheme === "ovo" ? list.length - 1 : 1;
  const classIds = Array.from(vectorCounts).flatMap((count, m) => new Array<number>(count).fill(m));
  const classAt = (s: number): number => classIds[s] as number;
  const value = rowIds.map((i) => {
    const own = String(Array.from(rows.x.values.subarray(rows.x.starts[i] as number, rows.x.starts[i + 1] as number)));
    const s = places.get(own);
    if (s === undefined) return 0;
    if (scheme !== "ovo") return coefficients[s] as number;
    const other = classAt(s) === a ? b : a;
    return coefficients[s * columns + (other < classAt(s) ? other : other - 1)] as number;
  });
  let pair = 0;
  if (scheme === "ovo") for (let p = 0; p < a; p++) pair += list.length - 1 - p;
  const at = scheme === "ovo" ? pair + b - a - 1 : 0;
  const targets = rowIds.map((i) => (labels === undefined ? (rows.y[i] as number) : rows.y[i] === list[b] ? 1 : -1));
  const problem = { kernel: rbf, rowIds, targets, costs: rowIds.map(() => 3), nu: 0, epsilon: tube };
  return certifyKernel(
    rows.x,
    { ...problem, form: labels === undefined ? "epsilon_svr" : "c_svc" },
    { value, bias: biases[at] as number, width: 0 },
  ).primal;
}

describe("P by the bench's judge is P by the library's", () => {
  for (const [name, classCount, pairs] of [
    ["two classes", 2, [[-2, 5]]],
    [
      "three classes",
      3,
      [
        [-2, 3],
        [-2, 5],
        [3, 5],
      ],
    ],
  ] as const) {
    test(name, async () => {
      const rows = rowsOf(90, classCount);
      const model = await SVC.fit(rows.x, rows.y, { C: 3, gamma: 2, tolerance: 1e-2 });
      const path = join(folder, `${classCount}.model`);
      await model.save(path);
      for (const given of [model, path]) {
        const primals = await judge(given, rows, { C: 3 });
        expect([...primals.keys()].sort()).toEqual(pairs.map((pair) => pair.join(" ")).sort());
        for (const pair of pairs) {
          // Features in the file have 8 digits of the 7.2 that a float32 has: values may be off by one unit in the last place.
          expect(primals.get(pair.join(" "))!.atOwnBias / primalBy(rows, model, pair as [number, number], 0)).toBeCloseTo(
            1,
            given === path ? 5 : 10,
          );
        }
      }
    });
  }

  test("a regression", async () => {
    const rows = rowsOf(60, 3);
    const model = await SVR.fit(rows.x, rows.y, { C: 3, gamma: 2, epsilon: 0.2, tolerance: 1e-2 });
    const primals = await judge(model, rows, { C: 3, tube: 0.2 });
    expect([...primals.keys()]).toEqual([""]);
    expect(primals.get("")!.atOwnBias / primalBy(rows, model, undefined, 0.2)).toBeCloseTo(1, 10);
  });
});

test("the gap is that of the worst pair: small for a good model, and that of a worse one is larger", async () => {
  const rows = rowsOf(90, 3);
  const fitTo = (tolerance: number) => SVC.fit(rows.x, rows.y, { C: 3, gamma: 2, tolerance });
  const bounds = boundsOf(await fitTo(1e-6));
  const gapAt = async (tolerance: number): Promise<number> => worstGap(await judge(await fitTo(tolerance), rows, { C: 3 }), bounds).gap;
  // The bound itself is off by at most 1e-6, and P - D of a fit is at most its tolerance.
  expect(await gapAt(1e-6)).toBeLessThan(2e-6);
  expect(await gapAt(1e-6)).toBeGreaterThan(-1e-6);
  expect(await gapAt(0.3)).toBeGreaterThan(1e-4);
  expect(await gapAt(0.3)).toBeLessThanOrEqual(0.3);
  const known = new Map([["", { atOwnBias: 4, atBestBias: 2 }]]);
  expect(worstGap(known, new Map([["", 1]]))).toEqual({ gap: 0.5, gapAtOwnBias: 0.75 });
  expect(worstGap(known, new Map()).gap).toBeNaN();
});
