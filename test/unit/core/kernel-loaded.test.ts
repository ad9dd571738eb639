// What the core makes of a loaded model, against plain loops.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { coreUnderTest, lengths } from "../../core/instance.ts";
import { putRows } from "../../core/rows.ts";

test("features count from 0, and the largest says how many there are", () => {
  for (const list of [[1], [5, 2, 9], [3, 3], [4_294_967_295, 1]]) {
    const core = coreUnderTest();
    const at = core.words([...list, 77]);
    // A number of 32 bits without a sign comes back as one with it.
    expect((core.call.lowerFeatures?.(at, list.length) ?? 0) >>> 0).toBe(Math.max(...list));
    expect(core.readWords(at, list.length + 1)).toEqual([...list.map((feature) => feature - 1), 77]);
  }
});

test("one that counts from 0 already is told, and of none there are none", () => {
  for (const list of [[0], [1, 0, 3], [2, 1, 0], []]) {
    const core = coreUnderTest();
    expect(core.call.lowerFeatures?.(core.words(list), list.length)).toBe(0);
  }
});

test("signs are turned, and no zero has one", () => {
  for (const sign of [1, -1]) {
    const core = coreUnderTest();
    const at = core.doubles([1, -2.5, 0, -0, 7]);
    core.call.turnSigns?.(at, 4, sign);
    expect(core.readDoubles(at, 5)).toEqual([sign, -2.5 * sign, 0, 0, 7]);
  }
});

test("coefficients that are not 0 are gathered group by group", () => {
  const random = new Random(4);
  for (const columns of [1, 2, 7]) {
    for (const zeros of [0, 0.5, 1]) {
      const core = coreUnderTest();
      const groups = [0, 3, 3, 8, 20];
      const count = groups.at(-1) as number;
      const dense = Array.from({ length: count * columns }, () => (random.unit() < zeros ? 0 : random.unit() - 0.5));
      const at = core.doubles(dense);
      const starts = core.words(new Uint32Array(count + 1));
      const [places, values] = [core.words(new Uint32Array(dense.length + 1).fill(99)), core.doubles(new Float64Array(dense.length))];
      let next = 0;
      const expected: { starts: number[]; places: number[]; values: number[] } = { starts: [0], places: [], values: [] };
      for (let g = 0; g + 1 < groups.length; g++) {
        const [from, to] = [groups[g] as number, groups[g + 1] as number];
        const placeOf = Array.from({ length: columns }, (_, m) => 10 * g + m);
        next = core.call.gatherCoefficients?.(at, from, to, columns, core.words(placeOf), starts, places, values, next) ?? 0;
        for (let i = from; i < to; i++) {
          for (let m = 0; m < columns; m++) {
            const value = dense[i * columns + m] as number;
            if (value === 0) continue;
            expected.places.push(placeOf[m] as number);
            expected.values.push(value);
          }
          expected.starts.push(expected.values.length);
        }
      }
      expect(next).toBe(expected.values.length);
      expect(core.readWords(starts, count + 1)).toEqual(expected.starts);
      expect(core.readWords(places, next + 1)).toEqual([...expected.places, 99]);
      expect(core.readDoubles(values, next)).toEqual(expected.values);
    }
  }
});

describe("the largest square of some rows, by how many values they have", () => {
  for (const kind of ["dense", "csr"] as const) {
    test(`${kind} rows: the bits of a plain sum in their order`, () => {
      const random = new Random(5);
      for (const features of lengths.filter((length) => length > 0)) {
        const rows = Array.from({ length: 9 }, () =>
          Array.from({ length: features }, () => (random.unit() < 0.4 ? 0 : Math.fround(4 * random.unit() - 2))),
        );
        for (const ids of [[], [3], [0, 8, 4], [0, 1, 2, 3, 4, 5, 6, 7, 8]]) {
          for (const [base, per] of [
            [0, 1],
            [1, 25],
          ] as const) {
            const core = coreUnderTest();
            const sizes = ids.map((id) => {
              const values = (rows[id] as number[]).filter((value) => value !== 0);
              return values.reduce((sum, value) => sum + value * value, 0) * Math.sqrt(base + values.length / per);
            });
            const x = putRows(core, kind, rows, features);
            expect(core.call.largestSquare?.(x, core.words(ids), ids.length, base, per)).toBe(Math.max(0, ...sizes));
          }
        }
      }
    });
  }
});
