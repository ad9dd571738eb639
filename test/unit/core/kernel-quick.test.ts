// Passes in float32 find what passes in float64 find, up to their rounding; folding loses nothing.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { partStruct, sideStruct, smoProgress, smoStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { relayUnderTest } from "../../core/relay.ts";

const NONE = 0xffffffff;

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
  side.assign({ size: n, f: core.doubles(f), up: core.doubles(up), low: core.doubles(low), upGain: zeros(), lowGain: zeros() });
  const smo = new StructView(smoStruct, core.buffer, core.take(smoStruct.size));
  const isEven = diagonal.every((own) => own === diagonal[0]) ? 1 : 0;
  smo.assign({ first: side.pointer, drift: zeros(), diagonal: core.floats(diagonal), isEven, isQuick: 1 });
  const part = new StructView(partStruct, core.buffer, core.take(partStruct.size));
  const floats = (pointer: number): number[] => Array.from(new Float32Array(core.buffer, pointer, n));
  expect(core.call.smoFold?.(smo.pointer)).toBe(Math.max(...f.map(Math.abs)));
  new Float32Array(core.buffer, smo.get("drift"), n).set(drift);
  return { core, side, smo, part, floats, rows: [core.floats(rowI), core.floats(rowJ)] as const };
}

/** Where the largest number is, the first of equal ones. */
const placeOf = (list: readonly number[]): number => list.indexOf(Math.max(...list));

/** Around the fours and eights of loops, and the 256 of stretches. */
for (const n of [1, 3, 4, 7, 8, 9, 30, 255, 256, 257, 259, 512, 600]) {
  describe(`${n} positions`, () => {
    const lists = listsOf(n, n);
    const { f, up, low, drift, rowI, rowJ } = lists;
    const at = (list: readonly number[], t: number): number => list[t] as number;

    test("folding: F is f + drift, gains are those of F, rounded to float32, and nothing is left to fold", () => {
      const { core, side, smo, floats } = placed(lists);
      const folded = f.map((value, t) => value + at(drift, t));
      expect(core.call.smoFold?.(smo.pointer)).toBe(Math.max(...folded.map(Math.abs)));
      expect(core.readDoubles(side.get("f"), n)).toEqual(folded);
      expect(floats(smo.get("drift"))).toEqual(f.map(() => 0));
      expect(floats(side.get("upGain"))).toEqual(folded.map((value, t) => Math.fround(at(up, t) - value)));
      expect(floats(side.get("lowGain"))).toEqual(folded.map((value, t) => Math.fround(at(low, t) + value)));
      expect(smo.get("noise")).toBe(2 ** -20 * Math.max(...folded.map(Math.abs)));
    });

    test("one position: its F, and its gains after they have changed", () => {
      const { core, side, smo, floats } = placed(lists);
      const t = n >> 1;
      expect(core.call.driftedF?.(smo.pointer, side.pointer, t)).toBe(at(f, t) + at(drift, t));
      const before = [floats(side.get("upGain")), floats(side.get("lowGain"))];
      new Float64Array(core.buffer, side.get("up"), n)[t] = 7;
      new Float64Array(core.buffer, side.get("low"), n)[t] = -Infinity;
      core.call.copyGain?.(side.pointer, t);
      // As of the last fold: what drifts since is taken off in every pass.
      const after = [Math.fround(7 - at(f, t)), -Infinity].map((gain, k) => before[k]?.with(t, gain));
      expect([floats(side.get("upGain")), floats(side.get("lowGain"))]).toEqual(after);
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
      const own = gains.map((gain, t) => (t < from ? -Infinity : gain - (at(rowI, t) - at(rowJ, t))));
      expect(part.get("which")).toBe(Math.max(...own) > -Infinity ? placeOf(own) : NONE);
    });

    for (const isEven of [false, true]) {
      test(`the partner is the one of float64${isEven ? ", where all K_tt are the same" : ""}, of all positions or a part`, () => {
        const own = isEven ? lists.diagonal.map(() => 1.5) : lists.diagonal;
        const { core, side, smo, part, rows } = placed({ ...lists, diagonal: own });
        expect(smo.get("isEven")).toBe(isEven || n === 1 ? 1 : 0);
        for (const [from, to] of [
          [0, n],
          [n >> 1, n],
          [0, n >> 1],
        ] as const) {
          core.call.quickPartner?.(smo.pointer, side.pointer, 0, 1.5, rows[0], from, to, part.pointer);
          const decreases = f.map((value, t) => {
            const sum = 1.5 - smo.get("noise") + at(low, t) + value + at(drift, t);
            const eta = Math.max(at(own, 0) + at(own, t) - 2 * at(rowI, t), 1e-12);
            return sum > 0 && t >= from && t < to ? (sum * sum) / eta : 0;
          });
          const most = Math.max(...decreases);
          expect(part.get("which")).toBe(most > 0 ? placeOf(decreases) : NONE);
          expect(Math.abs(part.get("most") - most)).toBeLessThanOrEqual(1e-5 * most);
        }
      });
    }
  });
}

/** Everybody's numbers are the same but for `up` and `low`, and exact in float32. */
function alike(up: readonly number[], low: readonly number[], diagonal: readonly number[]) {
  const all = (value: number): number[] => up.map(() => value);
  return placed({
    ...{ f: all(0), up: [...up], low: [...low], drift: all(0), rowI: all(0.5), rowJ: all(0.5), diagonal: [...diagonal] },
  });
}

for (const n of [40, 255, 256, 257, 512, 600]) {
  test(`${n} positions: of equal ones the first counts, wherever it lies`, () => {
    const ties = [0, 5, 6, 12, 38, 39, 200, 254, 255, 256, 263, 264, 510, 511, 512, 590, 599].filter((t) => t < n);
    for (const [k, first] of ties.entries()) {
      const equal = new Set(ties.slice(k));
      const gains = Array.from({ length: n }, (_, t) => (equal.has(t) ? 1 : 0.25));
      for (const diagonal of [gains.map(() => 1), gains.map((_, t) => (equal.has(t) ? 1 : 2))]) {
        const { core, side, smo, part, rows } = alike(gains, gains, diagonal);
        for (const from of [0, 8, 264]) {
          const wanted = ties.slice(k).find((t) => t >= from);
          if (wanted === undefined) continue;
          core.call.quickMove?.(smo.pointer, side.pointer, ...rows, 1, from, n, part.pointer);
          expect([part.get("most"), part.get("which"), part.get("low")]).toEqual([1, wanted, 1]);
          // K_ii is that of a position whose own is 1: eta is 1 for whoever is alike.
          core.call.quickPartner?.(smo.pointer, side.pointer, first, 1, rows[0], from, n, part.pointer);
          expect([part.get("most"), part.get("which")]).toEqual([4, wanted]);
        }
      }
    }
  });

  test(`${n} positions of which none gains, or only others than those of the pass: nobody`, () => {
    const [from, to] = [8, n - 1];
    const nobody = new Array<number>(n).fill(-Infinity);
    const outside = nobody.map((_, t) => (t < from || t >= to ? 1 : -Infinity));
    for (const gains of [nobody, outside]) {
      const { core, side, smo, part, rows } = alike(
        gains,
        gains,
        nobody.map(() => 1),
      );
      core.call.quickMove?.(smo.pointer, side.pointer, ...rows, 1, from, to, part.pointer);
      expect([part.get("most"), part.get("low"), part.get("which")]).toEqual([-Infinity, -Infinity, NONE]);
      core.call.quickPartner?.(smo.pointer, side.pointer, from, 1, rows[0], from, to, part.pointer);
      expect([part.get("most"), part.get("which")]).toEqual([0, NONE]);
    }
    // Sums that are not above 0, whose squares are.
    const losing = nobody.map(() => -3);
    const { core, side, smo, part, rows } = alike(
      losing,
      losing,
      nobody.map(() => 1),
    );
    core.call.quickPartner?.(smo.pointer, side.pointer, 0, 1, rows[0], 0, n, part.pointer);
    expect([part.get("most"), part.get("which")]).toEqual([0, NONE]);
  });
}

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
      ...{ upGain: zeros(), lowGain: zeros() },
    });
    core.call.sideGains?.(side.pointer, 0);
    core.call.sideExtremes?.(side.pointer);
    const smo = new StructView(smoStruct, core.buffer, core.take(smoStruct.size));
    smo.assign({
      ...{ first: side.pointer, other: 0, rowOf: core.words(Uint32Array.from(kernel, (row) => core.floats(row))), isQuick },
      ...{ stamps: core.words(new Uint32Array(n)), diagonal: core.floats(kernel.map((row, t) => row[t] as number)), tolerance: 1e-4 },
      ...relayUnderTest(core),
      drift: zeros(),
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
