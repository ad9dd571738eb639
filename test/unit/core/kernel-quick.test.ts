// Passes in float32 find what passes in float64 find, up to their rounding; folding loses nothing.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { partStruct, sideStruct, smoProgress, smoStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";

type Lists = Readonly<Record<"f" | "up" | "low" | "drift" | "rowI" | "rowJ" | "diagonal", number[]>>;

/** Numbers of a side in the middle of a fit; `n` is no multiple of what loops take at a time. */
function listsOf(n: number, seed: number): Lists {
  const random = new Random(seed);
  const list = (of: () => number): number[] => Array.from({ length: n }, () => Math.fround(of()));
  const bound = (): number => (random.unit() < 0.2 ? -Infinity : random.unit() < 0.5 ? -0.25 : 0.25);
  return {
    ...{ f: list(() => 4 * random.unit() - 2), up: list(bound), low: list(bound), drift: list(() => 0.1 * random.unit()) },
    ...{ rowI: list(() => random.unit()), rowJ: list(() => random.unit()), diagonal: list(() => 1 + random.unit()) },
  };
}

function placed({ f, up, low, drift, rowI, rowJ, diagonal }: Lists) {
  const core = coreUnderTest();
  const n = f.length;
  const zeros = (): number => core.floats(new Array(n).fill(0));
  const side = new StructView(sideStruct, core.buffer, core.take(sideStruct.size));
  side.assign({ size: n, f: core.doubles(f), up: core.doubles(up), low: core.doubles(low), upNear: zeros(), lowNear: zeros() });
  const smo = new StructView(smoStruct, core.buffer, core.take(smoStruct.size));
  smo.assign({ first: side.pointer, near: zeros(), drift: zeros(), diagonal: core.floats(diagonal), isQuick: 1 });
  const part = new StructView(partStruct, core.buffer, core.take(partStruct.size));
  const floats = (pointer: number): number[] => Array.from(new Float32Array(core.buffer, pointer, n));
  expect(core.call.smoFold?.(smo.pointer)).toBe(Math.max(...f.map(Math.abs)));
  new Float32Array(core.buffer, smo.get("drift"), n).set(drift);
  return { core, side, smo, part, floats, rows: [core.floats(rowI), core.floats(rowJ)] as const };
}

/** Where the largest number is, the first of equal ones. */
const placeOf = (list: readonly number[]): number => list.indexOf(Math.max(...list));

for (const n of [1, 3, 4, 7, 8, 9, 30, 259]) {
  describe(`${n} positions`, () => {
    const lists = listsOf(n, n);
    const { f, up, low, drift, rowI, rowJ, diagonal } = lists;
    const at = (list: readonly number[], t: number): number => list[t] as number;

    test("folding: F is f + drift, its copies are F and the gains in float32, and nothing is left to fold", () => {
      const { core, side, smo, floats } = placed(lists);
      const folded = f.map((value, t) => value + at(drift, t));
      expect(core.call.smoFold?.(smo.pointer)).toBe(Math.max(...folded.map(Math.abs)));
      expect(core.readDoubles(side.get("f"), n)).toEqual(folded);
      expect(floats(smo.get("near"))).toEqual(folded.map(Math.fround));
      expect(floats(smo.get("drift"))).toEqual(f.map(() => 0));
      expect([floats(side.get("upNear")), floats(side.get("lowNear"))]).toEqual([up, low]);
    });

    test("one position: its F, and its gains after they have changed", () => {
      const { core, side, smo, floats } = placed(lists);
      const t = n >> 1;
      expect(core.call.driftedF?.(smo.pointer, side.pointer, t)).toBe(at(f, t) + at(drift, t));
      new Float64Array(core.buffer, side.get("up"), n)[t] = 7;
      new Float64Array(core.buffer, side.get("low"), n)[t] = -Infinity;
      core.call.copyGain?.(side.pointer, t);
      expect([floats(side.get("upNear"))[t], floats(side.get("lowNear"))[t]]).toEqual([7, -Infinity]);
      expect(floats(side.get("upNear")).filter((value) => value === 7)).toHaveLength(1);
    });

    test("moving: the drift grows by delta (K_i - K_j), and the extremes are those of float64", () => {
      const { core, side, smo, part, rows, floats } = placed(lists);
      core.call.quickMove?.(smo.pointer, side.pointer, ...rows, 0.5, 0, n, part.pointer);
      const moved = drift.map((value, t) => value + 0.5 * (at(rowI, t) - at(rowJ, t)));
      for (const [t, value] of floats(smo.get("drift")).entries()) expect(Math.abs(value - at(moved, t))).toBeLessThan(2 ** -22);
      const gains = f.map((value, t) => at(up, t) - (value + at(moved, t)));
      const losses = f.map((value, t) => at(low, t) + (value + at(moved, t)));
      expect(Math.abs(part.get("most") - Math.max(...gains)) < 1e-6 || part.get("most") === Math.max(...gains)).toBe(true);
      if (part.get("most") > -Infinity) expect(part.get("which")).toBe(placeOf(gains));
      expect(Math.abs(part.get("low") - Math.max(...losses)) < 1e-6 || part.get("low") === Math.max(...losses)).toBe(true);
      // A part of the positions is nobody else's business.
      const from = n >> 1;
      core.call.quickMove?.(smo.pointer, side.pointer, ...rows, 1, from, n, part.pointer);
      const later = floats(smo.get("drift"));
      expect(
        later.every((value, t) => t >= from || value === Math.fround(at(drift, t) + 0.5 * Math.fround(at(rowI, t) - at(rowJ, t)))),
      ).toBe(true);
    });

    test("the partner is the one of float64", () => {
      const { core, side, smo, part, rows } = placed(lists);
      core.call.quickPartner?.(smo.pointer, side.pointer, 0, 1.5, rows[0], 0, n, part.pointer);
      const decreases = f.map((value, t) => {
        const sum = 1.5 - smo.get("noise") + at(low, t) + value + at(drift, t);
        const eta = Math.max(at(diagonal, 0) + at(diagonal, t) - 2 * at(rowI, t), 1e-12);
        return sum > 0 ? (sum * sum) / eta : 0;
      });
      const most = Math.max(...decreases);
      expect(part.get("which")).toBe(most > 0 ? placeOf(decreases) : 0xffffffff);
      expect(Math.abs(part.get("most") - most)).toBeLessThanOrEqual(1e-5 * most);
    });
  });
}

test("of equal ones the first counts, wherever it lies", () => {
  const n = 40;
  const same = {
    ...listsOf(n, 1),
    f: new Array<number>(n).fill(0),
    low: new Array<number>(n).fill(0),
    drift: new Array<number>(n).fill(0),
  };
  for (const first of [0, 5, 6, 12, 38]) {
    const up = same.f.map((_, t) => (t >= first ? 1 : 0));
    const one = new Array<number>(n).fill(1);
    const { core, side, smo, part, rows } = placed({
      ...same,
      up,
      low: up,
      rowI: one.map(() => 0.5),
      rowJ: one.map(() => 0.5),
      diagonal: one,
    });
    core.call.quickMove?.(smo.pointer, side.pointer, ...rows, 1, 0, n, part.pointer);
    expect([part.get("most"), part.get("which")]).toEqual([1, first]);
    core.call.quickPartner?.(smo.pointer, side.pointer, 0, rows[0], 0, n, part.pointer);
    expect(part.get("which")).toBe(first);
  }
});

test("steps with quick passes end where steps in float64 end", () => {
  const n = 60;
  const random = new Random(3);
  const points = Array.from({ length: n }, () => [random.unit(), random.unit()] as const);
  const kernel = points.map(([a, b]) => points.map(([c, d]) => Math.fround(Math.exp(-3 * ((a - c) ** 2 + (b - d) ** 2)))));
  const z = points.map(([a, b]) => Math.sin(5 * a) + b);
  const solve = (isQuick: number): { value: number[]; f: number[]; steps: number } => {
    const core = coreUnderTest();
    const zeros = (): number => core.floats(new Array(n).fill(0));
    const side = new StructView(sideStruct, core.buffer, core.take(sideStruct.size));
    side.assign({
      ...{ size: n, f: core.doubles(z.map((value) => -value)), z: core.doubles(z), value: core.doubles(z.map(() => 0)), epsilon: 0.05 },
      ...{ lo: core.doubles(z.map(() => -2)), hi: core.doubles(z.map(() => 2)), up: core.doubles(z), low: core.doubles(z) },
      ...{ upNear: zeros(), lowNear: zeros() },
    });
    core.call.sideGains?.(side.pointer, 0);
    core.call.sideExtremes?.(side.pointer);
    const smo = new StructView(smoStruct, core.buffer, core.take(smoStruct.size));
    smo.assign({
      ...{ first: side.pointer, other: 0, rowOf: core.words(Uint32Array.from(kernel, (row) => core.floats(row))), isQuick },
      ...{ stamps: core.words(new Uint32Array(n)), diagonal: core.floats(kernel.map((row, t) => row[t] as number)), tolerance: 1e-4 },
      ...{ parts: core.take(2 * partStruct.size), near: zeros(), drift: zeros() },
    });
    for (let round = 0; round < 1000; round++) {
      core.call.smoFold?.(smo.pointer);
      if (core.call.smoAdvance?.(smo.pointer, 16) === smoProgress.converged) break;
    }
    core.call.smoFold?.(smo.pointer);
    return { value: core.readDoubles(side.get("value"), n), f: core.readDoubles(side.get("f"), n), steps: smo.get("steps") };
  };
  const [slow, quick] = [solve(0), solve(1)];
  expect(quick.steps).toBeGreaterThan(50);
  expect(quick.steps).toBeLessThan(2 * slow.steps);
  const dual = ({ value, f }: typeof slow): number =>
    value.reduce((sum, v, t) => sum + 0.5 * v * ((z[t] as number) - (f[t] as number)) - 0.05 * Math.abs(v), 0);
  expect(Math.abs(dual(quick) / dual(slow) - 1)).toBeLessThan(1e-4);
  // F is K v - z up to the rounding of some hundred drifts.
  quick.f.forEach((f, t) => {
    const exact = (kernel[t] as number[]).reduce((sum, k, s) => sum + k * (quick.value[s] as number), -(z[t] as number));
    expect(Math.abs(f - exact)).toBeLessThan(1e-5);
  });
});
