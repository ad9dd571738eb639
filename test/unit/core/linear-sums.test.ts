// The judge's passes over rows, against sums in the same order: bit for bit.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { coreUnderTest, shifts } from "../../core/instance.ts";
import { putRows } from "../../core/rows.ts";

const random = new Random(9);
const FEATURES = 13;
const rows = Array.from({ length: 20 }, () =>
  Array.from({ length: FEATURES }, () => (random.unit() < 0.4 ? 0 : Math.fround(2 * random.unit() - 1))),
);
const w = Array.from({ length: FEATURES }, () => 10 ** (8 * random.unit() - 4));
const ids = [4, 19, 0, 4, 7];
const rowAt = (i: number): readonly number[] => rows[i] as readonly number[];

describe.each(["dense", "csr"] as const)("%s rows", (kind) => {
  for (const shift of shifts) {
    test(`times w, ${shift} bytes from a cache line`, () => {
      const core = coreUnderTest();
      const out = core.doubles([0, 0, 0, 0, 0, 77], shift);
      core.call.judgeTimes?.(putRows(core, kind, rows, FEATURES, shift), core.words(ids, shift), ids.length, core.doubles(w, shift), out);
      const products = ids.map((i) => rowAt(i).reduce((sum, value, j) => sum + value * (w[j] as number), 0));
      expect(core.readDoubles(out, 6)).toEqual([...products, 77]);
    });

    test(`added to a sum, those of 0 left out, ${shift} bytes from a cache line`, () => {
      const core = coreUnderTest();
      const coefficients = [0.3, 1e5, 0, -0.3, 1 / 7];
      const u = core.doubles([...w, 77], shift);
      const list = core.words(ids, shift);
      core.call.judgeSum?.(putRows(core, kind, rows, FEATURES, shift), list, core.doubles(coefficients, shift), ids.length, u);
      const sums = w.map((first, j) =>
        ids.reduce((sum, i, k) => (coefficients[k] === 0 ? sum : sum + (coefficients[k] as number) * (rowAt(i)[j] as number)), first),
      );
      expect(core.readDoubles(u, FEATURES + 1)).toEqual([...sums, 77]);
    });
  }
});
