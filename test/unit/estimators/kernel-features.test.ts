// A file of LIBSVM's does not say how many features there were: rows may have some that no support vector has.

import { describe, expect, test } from "vitest";
import { load, SVC } from "../../../src/index.ts";

const file = (kernel: string, vectors: string): Uint8Array =>
  new TextEncoder().encode(
    `svm_type c_svc\nkernel_type ${kernel}\nnr_class 2\ntotal_sv 2\nrho 0.25\nlabel 1 -1\nnr_sv 1 1\nSV\n${vectors}`,
  );
const rows = [
  [1, 2, 0, 0],
  [1, 2, 0, 3],
];

describe("features that no support vector has", () => {
  test("count in the distance of rbf", async () => {
    const model = await load(file("rbf\ngamma 0.5", "0.5 1:1 2:1 \n-0.5 1:0 \n"), SVC);
    const near = (...squares: number[]): number =>
      0.5 * Math.exp(-0.5 * (squares[0] ?? 0)) - 0.5 * Math.exp(-0.5 * (squares[1] ?? 0)) - 0.25;
    const decision = await model.decision(rows);
    // Kernel values have the 24 bits of a float32.
    expect(decision[0]).toBeCloseTo(near(1, 5), 6);
    expect(decision[1]).toBeCloseTo(near(10, 14), 6);
    expect(rows.map((row) => model.decisionOne(row)[0])).toEqual(Array.from(decision));
  });

  test("have no weight in a linear kernel, and are columns of other rows in a precomputed one", async () => {
    const linear = await load(file("linear", "0.5 1:1 2:1 \n-0.5 1:1 \n"), SVC);
    expect(Array.from(await linear.decision(rows))).toEqual([0.75, 0.75]);
    const given = await load(file("precomputed", "0.5 0:1 \n-0.5 0:2 \n"), SVC);
    expect(Array.from(await given.decision(rows))).toEqual([-0.75, -0.75]);
    for (const model of [linear, given]) {
      expect(rows.map((row) => model.decisionOne(row)[0])).toEqual(Array.from(await model.decision(rows)));
    }
  });

  test("are refused by a model that knows its features", async () => {
    for (const kernel of ["rbf", "linear"] as const) {
      const model = await SVC.fit(
        [
          [0, 1],
          [1, 0],
        ],
        [0, 1],
        { kernel },
      );
      await expect(model.decision(rows)).rejects.toThrow("x has 4 features, the model knows 2");
      expect(() => model.decisionOne([1, 2, 3])).toThrow("x has 3 features, the model knows 2");
    }
  });
});
