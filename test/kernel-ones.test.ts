// Rows whose values are all 1 go another way through the core (core/kernel/counted.ts), and to the same bits.

import { describe, expect, test } from "vitest";
import { Random } from "../src/base/random.ts";
import { load, type SparseRow, SVC } from "../src/index.ts";

const random = new Random(3);
/** Sparse rows of ones; the last feature is in the second half only. */
const rows: SparseRow[] = Array.from({ length: 300 }, (_, i) => {
  const own = Array.from({ length: 30 }, (_, j) => j).filter((j) => random.unit() < (j % 2 === i % 2 ? 0.4 : 0.2));
  return [i % 4 === 3 ? [...own, 30 + (i % 9)] : own, new Array<number>(own.length + (i % 4 === 3 ? 1 : 0)).fill(1)];
});
const labels = rows.map((_, i) => (random.unit() < 0.05 ? 1 - (i % 2) : i % 2));

for (const [kernel, more] of [
  ["rbf", { gamma: 0.1 }],
  ["linear", {}],
  ["poly", { gamma: 0.1, coef0: 1, degree: 2 }],
  ["sigmoid", { gamma: 0.02, coef0: -0.1 }],
] as const) {
  describe(kernel, () => {
    const options = { kernel, C: 2, ...more };

    test("the model is that of rows that are multiplied", async () => {
      const counted = await SVC.fit(rows, labels, options);
      // A row of weight 0 is none, but its value is not 1.
      const sampleWeight = [...labels.map(() => 1), 0];
      const multiplied = await SVC.fit([...rows, [[0], [2]]], [...labels, 0], { ...options, sampleWeight });
      expect(Array.from(await counted.decision(rows))).toEqual(Array.from(await multiplied.decision(rows)));
      expect(counted.report.run?.problems[0]?.stages[0]?.iterations).toBe(multiplied.report.run?.problems[0]?.stages[0]?.iterations);
    });

    test("predictions are those of one row at a time, and of rows that are not all ones", async () => {
      const model = await SVC.fit(rows, labels, options);
      const decision = await model.decision(rows);
      for (const [i, row] of rows.entries()) expect(decision[i]).toBe(model.decisionOne(row)[0]);
      const beside = await model.decision([...rows, [[0], [0.5]]]);
      expect(Array.from(beside).slice(0, rows.length)).toEqual(Array.from(decision));
    });

    test("features that the model's file does not know make rows longer, and nothing else", async () => {
      const known = rows.filter((_, i) => i % 4 !== 3);
      const fitted = await SVC.fit(
        known,
        labels.filter((_, i) => i % 4 !== 3),
        options,
      );
      const model = (await load(fitted.toBytes("libsvm"))) as SVC<number>;
      const decision = await model.decision(rows);
      for (const [i, row] of rows.entries()) expect(decision[i]).toBe(model.decisionOne(row)[0]);
    });
  });
}
