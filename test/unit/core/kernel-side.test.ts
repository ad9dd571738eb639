import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { sideStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";

const at = (list: readonly number[], k: number): number => list[k] as number;

/** A side with values at lo, at hi, at 0 and between. */
function setUp(n: number, epsilon: number, seed = 1) {
  const random = new Random(seed);
  const core = coreUnderTest();
  const lo = Array.from({ length: n }, (_, t) => (epsilon > 0 || t % 2 === 0 ? -2 : 0));
  const hi = Array.from({ length: n }, (_, t) => (epsilon > 0 || t % 2 === 1 ? 3 : 0));
  const value = lo.map((low, t) => [low, at(hi, t), 0, low + random.unit() * (at(hi, t) - low)][t % 4] as number);
  const f = lo.map(() => Math.round(10 * (2 * random.unit() - 1)));
  const z = lo.map(() => 2 * random.unit() - 1);
  const side = new StructView(sideStruct, core.buffer, core.take(sideStruct.size));
  side.assign({
    ...{ size: n, f: core.doubles(f), z: core.doubles(z), value: core.doubles(value), lo: core.doubles(lo), hi: core.doubles(hi) },
    ...{ up: core.doubles(lo), low: core.doubles(lo), scores: core.doubles(lo), places: core.words(new Uint32Array(n)), epsilon },
  });
  core.call.sideGains?.(side.pointer, 0);
  const raised = value.map((v, t) => (v >= at(hi, t) ? -Infinity : (v < 0 ? epsilon : -epsilon) - at(f, t)));
  const lowered = value.map((v, t) => (v <= at(lo, t) ? -Infinity : (v > 0 ? epsilon : -epsilon) + at(f, t)));
  return { core, side, lo, hi, value, f, z, raised, lowered };
}

for (const epsilon of [0, 0.5]) {
  for (const n of [1, 2, 7, 40]) {
    describe(`epsilon ${epsilon}, ${n} variables`, () => {
      test("the largest gains, and the positions of the largest few", () => {
        const { core, side, f, raised, lowered } = setUp(n, epsilon);
        core.call.sideExtremes?.(side.pointer);
        expect(side.get("mostUp")).toBe(Math.max(...raised));
        expect(side.get("mostLow")).toBe(Math.max(...lowered));
        if (Math.max(...raised) > -Infinity) expect(at(raised, side.get("upPlace"))).toBe(Math.max(...raised));
        // What F lacks is in its drift: sums of quarters are exact.
        const drift = core.floats(f.map((_, t) => (t % 3) / 4));
        new Float64Array(core.buffer, side.get("f"), n).set(f.map((value, t) => value - (t % 3) / 4));
        for (const [gains, addends, sign] of [
          [raised, "up", -1],
          [lowered, "low", 1],
        ] as const) {
          for (const count of [1, 3, 8]) {
            for (const skipped of [[], [0, 3, 4, 8]]) {
              const skip = skipped.length === 0 ? 0 : core.words(Uint32Array.from({ length: n }, (_, t) => (skipped.includes(t) ? 9 : 0)));
              const held = core.call.sideLargest?.(side.pointer, side.get(addends), sign, count, skip, drift) as number;
              const wanted = gains
                .map((gain, t) => ({ gain, t }))
                .filter(({ gain, t }) => gain > -Infinity && !skipped.includes(t))
                .sort((a, b) => b.gain - a.gain || a.t - b.t)
                .slice(0, count);
              expect(held).toBe(wanted.length);
              const places = core.readWords(side.get("places"), held);
              expect(new Set(places).size).toBe(held);
              expect(places.map((t) => at(gains, t)).sort((a, b) => b - a)).toEqual(wanted.map(({ gain }) => gain));
            }
          }
        }
      });

      test("gap and dual are their sums", () => {
        const { core, side, lo, hi, value, f, z } = setUp(n, epsilon);
        for (const rho of [-3, 0.25, 8]) {
          core.call.sideGap?.(side.pointer, rho);
          const cost = (v: number, t: number): number => v * (at(f, t) - rho) + epsilon * Math.abs(v);
          const gap = value.reduce((sum, v, t) => {
            const candidates = [at(lo, t), at(hi, t), 0].filter((c) => c >= at(lo, t) && c <= at(hi, t));
            return sum + cost(v, t) - Math.min(...candidates.map((c) => cost(c, t)));
          }, 0);
          const dual = value.reduce((sum, v, t) => sum + 0.5 * v * (at(z, t) - at(f, t)) - epsilon * Math.abs(v), 0);
          expect(Math.abs(side.get("gap") - gap)).toBeLessThanOrEqual(1e-12 * Math.max(1, gap));
          expect(Math.abs(side.get("dual") - dual)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(dual)));
          expect(side.get("gap")).toBeGreaterThanOrEqual(0);
        }
      });
    });
  }
}

test("setGains says where a variable can go", () => {
  const core = coreUnderTest();
  const [up, low] = [core.doubles([9, 9]), core.doubles([9, 9])];
  const gains = (value: number, lo: number, hi: number): number[] => {
    core.call.setGains?.(up, low, 1, value, lo, hi, 0.25);
    expect([core.readDoubles(up, 1)[0], core.readDoubles(low, 1)[0]]).toEqual([9, 9]);
    return [core.readDoubles(up, 2)[1] as number, core.readDoubles(low, 2)[1] as number];
  };
  expect(gains(-2, -2, 3)).toEqual([0.25, -Infinity]);
  expect(gains(3, -2, 3)).toEqual([-Infinity, 0.25]);
  expect(gains(0, -2, 3)).toEqual([-0.25, -0.25]);
  expect(gains(1, -2, 3)).toEqual([-0.25, 0.25]);
  expect(gains(-1, -2, 3)).toEqual([0.25, -0.25]);
});

test("addRows adds weighted rows to a range of F, whatever their number; keepFloats closes gaps", () => {
  for (const count of [1, 3, 4, 9]) {
    const core = coreUnderTest();
    const n = 1301;
    const random = new Random(count);
    const rows = Array.from({ length: count }, () => Array.from({ length: n }, () => Math.fround(random.unit())));
    const deltas = rows.map(() => random.unit() - 0.5);
    const f = core.doubles(new Float64Array(n).fill(1));
    const list = core.words(rows.map((row) => core.floats(row)));
    core.call.addRows?.(f, list, core.doubles(deltas), count, 3, n - 1);
    core.readDoubles(f, n).forEach((value, t) => {
      const wanted = t < 3 || t === n - 1 ? 1 : rows.reduce((sum, row, k) => sum + at(deltas, k) * at(row, t), 1);
      expect(Math.abs(value - wanted)).toBeLessThan(1e-14);
    });
  }
  const core = coreUnderTest();
  const row = core.floats([0, 1, 2, 3, 4, 5]);
  core.call.keepFloats?.(row, core.words([0, 2, 5]), 3);
  expect(Array.from(new Float32Array(core.buffer.slice(row, row + 12)))).toEqual([0, 2, 5]);
});

test("addRough adds rows for four points at once, up to rounding to float32", () => {
  const points = 4;
  for (const [count, from, to] of [
    [1, 0, 3],
    [70, 5, 30],
    [130, 1, 18],
  ] as const) {
    const core = coreUnderTest();
    const random = new Random(count);
    const n = 40;
    const rows = Array.from({ length: count }, () => Array.from({ length: n }, () => Math.fround(random.unit())));
    const coefficients = Array.from({ length: count * points }, () => Math.fround(random.unit() - 0.5));
    const stride = to - from + 1;
    const sums = core.doubles(new Float64Array(points * stride).fill(2));
    const list = core.words(rows.map((row) => core.floats(row)));
    core.call.addRough?.(list, core.floats(coefficients), count, from, to, sums, stride);
    core.readDoubles(sums, points * stride).forEach((value, at0) => {
      const [p, t] = [Math.floor(at0 / stride), from + (at0 % stride)];
      const wanted = t >= to ? 2 : rows.reduce((sum, row, k) => sum + at(coefficients, k * points + p) * at(row, t), 2);
      // A product and a sum of up to 64 terms below 1/2, each rounded.
      expect(Math.abs(value - wanted)).toBeLessThanOrEqual(count * 64 * 2 ** -25);
    });
  }
});

test("copyRuns copies parts of a row one after the other", () => {
  const core = coreUnderTest();
  const row = core.floats([0, 1, 2, 3, 4, 5, 6]);
  const out = core.floats([9, 9, 9, 9]);
  core.call.copyRuns?.(row, core.words([1, 2, 6, 1]), 2, out);
  expect(Array.from(new Float32Array(core.buffer.slice(out, out + 16)))).toEqual([1, 2, 6, 9]);
});

test("gatherFloats takes some values of a row", () => {
  const core = coreUnderTest();
  const out = core.floats([9, 9, 9]);
  core.call.gatherFloats?.(core.floats([1.5, 2.5, 3.5, 4.5]), core.words([3, 1]), 2, out);
  expect(Array.from(new Float32Array(core.buffer.slice(out, out + 12)))).toEqual([4.5, 2.5, 9]);
});

test("gatherWords puts words in a new order, whatever they stand for", () => {
  const core = coreUnderTest();
  const out = core.words([0, 0, 0, 9]);
  const from = core.words([1, 0xffffffff, 0x7fc00001]);
  core.call.gatherWords?.(from, core.words([2, 0, 1]), 3, out);
  expect(core.readWords(out, 4)).toEqual([0x7fc00001, 1, 0xffffffff, 9]);
  expect(core.readWords(from, 3)).toEqual([1, 0xffffffff, 0x7fc00001]);
});

test("reorderFloats puts a whole row in the order of shrinking, and nothing behind it", () => {
  const n = 13;
  const random = new Random(2);
  for (const part of [0, 0.3, 0.7, 1]) {
    const core = coreUnderTest();
    const isKept = Array.from({ length: n }, () => random.unit() < part);
    const all = [...isKept.keys()];
    const order = [...all.filter((t) => isKept[t]), ...all.filter((t) => !isKept[t])];
    const kept = isKept.filter(Boolean).length;
    const values = all.map((t) => 10 * t + 1);
    const [row, scratch] = [core.floats([...values, -1]), core.floats(new Array(n + 1).fill(-2))];
    core.call.reorderFloats?.(row, core.words(order), kept, n, scratch);
    const floats = (pointer: number): number[] => Array.from(new Float32Array(core.buffer, pointer, n + 1));
    expect(floats(row)).toEqual([...order.map((t) => at(values, t)), -1]);
    expect(floats(scratch)[n]).toBe(-2);
  }
});

describe("what shrinking asks", () => {
  for (const n of [1, 2, 7, 40]) {
    test(`${n} variables: those are marked that gain with whoever gains most, and no mark is taken away`, () => {
      const { core, side, raised, lowered } = setUp(n, 0.5, n);
      for (const [mostUp, mostLow] of [
        [Math.max(...raised), Math.max(...lowered)],
        [4, -2],
        [-Infinity, 3],
        [-Infinity, -Infinity],
      ] as const) {
        const isKept = core.take(n + 1);
        const marks = new Uint8Array(core.buffer, isKept, n + 1);
        marks[n - 1] = 1;
        core.call.markGaining?.(side.pointer, mostUp, mostLow, isKept);
        const wanted = raised.map((gain, t) => (gain + mostLow >= 0 || at(lowered, t) + mostUp >= 0 || t === n - 1 ? 1 : 0));
        expect(Array.from(marks)).toEqual([...wanted, 0]);
      }
    });
  }

  test("a sum of gains of exactly 0 is kept, one below is not", () => {
    const core = coreUnderTest();
    const side = new StructView(sideStruct, core.buffer, core.take(sideStruct.size));
    const none = [-Infinity, -Infinity, -Infinity, -Infinity];
    const some = [-1, -1 - 2 ** -52, -3, -3 - 2 ** -51];
    side.assign({ size: 4, f: core.doubles([0, 0, 0, 0]) });
    for (const [up, low, wanted] of [
      [some, none, [1, 0, 0, 0]],
      [none, some, [1, 1, 1, 0]],
      [none, none, [0, 0, 0, 0]],
    ] as const) {
      side.assign({ up: core.doubles(up), low: core.doubles(low) });
      const isKept = core.take(4);
      core.call.markGaining?.(side.pointer, 3, 1, isKept);
      expect(Array.from(new Uint8Array(core.buffer, isKept, 4))).toEqual(wanted);
    }
  });

  test("marked positions come first, each kind in its order", () => {
    for (const marks of [[0], [1], [0, 1, 1, 0, 1], [1, 1, 0], [0, 0, 0, 0], [1, 1, 1]]) {
      const core = coreUnderTest();
      const at0 = core.take(marks.length);
      new Uint8Array(core.buffer, at0, marks.length).set(marks);
      const order = core.words(new Array(marks.length + 1).fill(99));
      expect(core.call.markedFirst?.(at0, marks.length, order)).toBe(marks.filter((mark) => mark === 1).length);
      const all = [...marks.keys()];
      const wanted = [...all.filter((t) => marks[t] === 1), ...all.filter((t) => marks[t] === 0)];
      expect(core.readWords(order, marks.length + 1)).toEqual([...wanted, 99]);
    }
  });

  test("those that hold something are counted, on either side of 0, of positions in use", () => {
    const core = coreUnderTest();
    const side = new StructView(sideStruct, core.buffer, core.take(sideStruct.size));
    const values = [0, 1, -2, -0, 1e-300, 0, 5];
    side.set("value", core.doubles(values));
    for (let size = 0; size <= values.length; size++) {
      side.set("size", size);
      expect(core.call.countHolding?.(side.pointer)).toBe(values.slice(0, size).filter((v) => v !== 0).length);
    }
  });
});

test("gatherDoubles puts numbers in a new order", () => {
  const core = coreUnderTest();
  const out = core.doubles([0, 0, 0, 9]);
  core.call.gatherDoubles?.(core.doubles([1.5, 2.5, 3.5]), core.words(Uint32Array.of(2, 0, 1)), 3, out);
  expect(core.readDoubles(out, 4)).toEqual([3.5, 1.5, 2.5, 9]);
});
