import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { coreUnderTest, lengths } from "../../core/instance.ts";
import { normal } from "../../problems/generate.ts";

/** A row of n values over 2 n features against the weights of k classes, `lanes` doubles a feature. */
function setUp(n: number, k: number) {
  const random = new Random(n + 100 * k);
  const core = coreUnderTest();
  const lanes = 2 * Math.ceil(k / 2);
  const weights = Array.from({ length: 2 * n + 1 }, () => Array.from({ length: lanes }, (_, m) => (m < k ? normal(random) : 0)));
  const values = Array.from({ length: n }, () => Math.fround(normal(random)));
  const indices = values.map((_, q) => 2 * q + (q % 2));
  const at = { w: core.doubles(weights.flat()), values: core.floats(values), indices: core.words(indices) };
  return { core, lanes, weights, values, indices, at, out: core.doubles(new Float64Array(lanes + 1).fill(77)) };
}

for (const k of [2, 3, 4, 7, 10, 16, 21, 52]) {
  describe(`${k} classes`, () => {
    for (const n of lengths) {
      test(`${n} values: every class has its plain sum, alone or with all others, and nothing behind is touched`, () => {
        const { core, lanes, weights, values, indices, out, at } = setUp(n, k);
        const plain = Array.from({ length: k }, (_, m) =>
          values.reduce((sum, value, q) => sum + value * (weights[indices[q] as number]?.[m] as number), 0),
        );
        core.call.scoreAll?.(out, at.w, 8 * lanes, lanes, at.values, at.indices, n);
        expect(core.readDoubles(out, k)).toEqual(plain);
        expect(core.readDoubles(out, lanes + 1).at(-1)).toBe(77);

        const some = [k - 1, 0, Math.floor(k / 2)].slice(0, Math.min(3, k - 1));
        core.call.scoreSome?.(out, core.words(some), some.length, at.w, 8 * lanes, at.values, at.indices, n);
        expect(core.readDoubles(out, some.length)).toEqual(some.map((m) => plain[m]));
      });

      test(`${n} values: a step adds to the named classes only`, () => {
        const { core, lanes, weights, values, indices, at } = setUp(n, k);
        const some = [k - 1, 0, Math.floor(k / 2)].slice(0, Math.min(3, k - 1));
        const steps = [0.5, -1.25, 3];
        core.call.addSome?.(at.w, 8 * lanes, core.words(some), core.doubles(steps), some.length, at.values, at.indices, n);
        indices.forEach((j, q) => {
          some.forEach((m, which) => {
            (weights[j] as number[])[m] = (weights[j]?.[m] as number) + (values[q] as number) * (steps[which] as number);
          });
        });
        expect(core.readDoubles(at.w, weights.length * lanes)).toEqual(weights.flat());
      });
    }
  });
}
