import { expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { losses, restStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { putRows } from "../../core/rows.ts";

const n = 23;
const d = 9;
const random = new Random(8);
const x = Array.from({ length: n }, () => Array.from({ length: d }, () => (random.unit() < 0.6 ? Math.fround(random.unit() - 0.4) : 0)));
const costs = Array.from({ length: n }, (_, i) => 0.5 + (i % 3));
const at = (list: ArrayLike<number>, k: number): number => list[k] as number;

/** Classes 0 to count - 1 have lanes; those of rows go one further, to a class that has none. */
function setUp(kind: "dense" | "csr", count: number, isHinge: boolean, biasSquare: number) {
  const core = coreUnderTest();
  const vectors = Math.ceil(count / 4);
  const lanes = 4 * vectors;
  const classOf = (k: number): number => k % (count + 1);
  const limits = costs.map((cost) => Math.fround(isHinge ? cost : 1 / (2 * cost)));
  const floats = (size: number): number => core.floats(new Float32Array(size));
  const state = new StructView(restStruct, core.buffer, core.take(restStruct.size));
  state.assign({
    rows: putRows(core, kind, x, d),
    rowIds: core.words(x.map((_, i) => i)),
    classIds: core.words(x.map((_, i) => (classOf(i) < count ? classOf(i) : 999))),
    order: core.words(x.map((_, i) => i)),
    limits: core.floats(limits),
    curvatures: floats(n),
    alpha: floats(n * lanes),
    w: floats(d * lanes),
    bias: floats(lanes),
    scores: floats(lanes),
    used: core.words(Array.from({ length: lanes }, (_, m) => (m < count ? 0xffffffff : 0))),
    features: core.words(Array.from({ length: d }, (_, j) => j)),
    estimates: floats(lanes),
    rewards: floats(lanes),
    gaps: core.doubles(new Float64Array(lanes)),
    losses: core.doubles(new Float64Array(lanes)),
    random: core.words(new Random(1).state),
    ...{ rowCount: n, vectors, loss: losses[isHinge ? "hinge" : "squared_hinge"], cursor: 0, biasSquare },
  });
  const { pointer } = state;
  core.call.restCurvatures?.(pointer);
  const read = (name: "alpha" | "w" | "bias" | "estimates" | "rewards", size: number): Float32Array =>
    new Float32Array(core.buffer.slice(state.get(name), state.get(name) + 4 * size));
  const yOf = (i: number, m: number): number => (classOf(i) === m ? 1 : -1);
  return { core, state, pointer, lanes, limits, yOf, read };
}

type SetUp = ReturnType<typeof setUp>;

/** From alpha alone, in float64: w, b, P, D and the gap of class m. */
function plainly({ lanes, limits, yOf, read }: SetUp, m: number, isHinge: boolean, biasSquare: number) {
  const alpha = read("alpha", n * lanes);
  const signed = x.map((_, i) => at(alpha, i * lanes + m) * yOf(i, m));
  const w = Array.from({ length: d }, (_, j) => x.reduce((sum, row, i) => sum + at(signed, i) * at(row, j), 0));
  const b = biasSquare * signed.reduce((sum, one) => sum + one, 0);
  const square = w.reduce((sum, one) => sum + one * one, 0) + (biasSquare > 0 ? (b * b) / biasSquare : 0);
  const slacks = x.map((row, i) => Math.max(0, 1 - yOf(i, m) * (row.reduce((sum, value, j) => sum + value * at(w, j), 0) + b)));
  const loss = slacks.reduce((sum, slack, i) => sum + (isHinge ? at(limits, i) * slack : (slack * slack) / (2 * at(limits, i))), 0);
  const rewarded = x.reduce((sum, _, i) => {
    const a = at(alpha, i * lanes + m);
    return sum + a - (isHinge ? 0 : 0.5 * at(limits, i) * a * a);
  }, 0);
  return { w, b, loss, square, dual: rewarded - square / 2, primal: square / 2 + loss };
}

for (const kind of ["dense", "csr"] as const) {
  for (const [count, isHinge, biasSquare] of [
    [1, true, 0],
    [6, false, 0.25],
    [11, true, 1],
    [19, false, 0],
    [29, true, 0.5],
  ] as const) {
    test(`${kind}, ${count} classes, ${isHinge ? "hinge" : "squared hinge"}: sweeps climb, and what they say is so`, () => {
      const own = setUp(kind, count, isHinge, biasSquare);
      const { core, pointer, lanes, limits, state, read } = own;
      const before = new Float64Array(count);
      for (let sweep = 0; sweep < 60; sweep++) {
        // In pieces: where a slice ends changes nothing.
        while (!core.call.restSweep?.(pointer, sweep % 2 === 0 ? 60 : 1e9));
        expect(state.get("cursor")).toBe(0);
        for (let m = 0; m < count; m++) {
          const { dual } = plainly(own, m, isHinge, biasSquare);
          expect(Math.abs(at(read("rewards", lanes), m) - (dual - at(before, m)))).toBeLessThan(2e-5);
          expect(dual).toBeGreaterThan(at(before, m) - 1e-5);
          before[m] = dual;
        }
      }
      const alpha = read("alpha", n * lanes);
      alpha.forEach((a, k) => {
        expect(a).toBeGreaterThanOrEqual(0);
        if (isHinge) expect(a).toBeLessThanOrEqual(at(limits, Math.floor(k / lanes)));
        if (k % lanes >= count) expect(a).toBe(0);
      });
      while (!core.call.restCheck?.(pointer, 100));
      const norms = core.doubles(new Float64Array(lanes));
      core.call.restNorms?.(pointer, norms);
      for (let m = 0; m < count; m++) {
        const { w, b, loss, square, primal, dual } = plainly(own, m, isHinge, biasSquare);
        w.forEach((value, j) => {
          expect(Math.abs(at(read("w", d * lanes), j * lanes + m) - value)).toBeLessThan(2e-5);
        });
        expect(Math.abs(at(read("bias", lanes), m) - b)).toBeLessThan(2e-5);
        expect(Math.abs(at(core.readDoubles(state.get("losses"), lanes), m) - loss)).toBeLessThan(1e-4);
        expect(Math.abs(at(core.readDoubles(state.get("gaps"), lanes), m) - (primal - dual))).toBeLessThan(1e-4);
        const bias = biasSquare > 0 ? (b * b) / biasSquare : 0;
        expect(Math.abs(at(core.readDoubles(norms, lanes), m) - (square - bias))).toBeLessThan(1e-4);
        // Decisions are w'x + b.
        const ids = core.words([3, 20]);
        const out = core.take(2 * 4 * lanes);
        core.call.restDecide?.(pointer, ids, 2, out);
        const decided = new Float32Array(core.buffer.slice(out, out + 8 * lanes));
        [3, 20].forEach((i, k) => {
          const wanted = (x[i] as number[]).reduce((sum, value, j) => sum + value * at(w, j), b);
          expect(Math.abs(at(decided, k * lanes + m) - wanted)).toBeLessThan(5e-5);
        });
        // Sixty sweeps are many for 23 rows: gaps are small, and the estimate of the last sweep is near.
        expect(primal - dual).toBeLessThan(2e-2 * primal);
        expect(at(read("estimates", lanes), m)).toBeLessThan(2e-2 * primal);
      }
    });

    test(`${kind}, ${count} classes, ${isHinge ? "hinge" : "squared hinge"}: dual variables in float64`, () => {
      const { core, pointer, lanes, read } = setUp(kind, count, isHinge, biasSquare);
      while (!core.call.restSweep?.(pointer, 1e9));
      const out = core.doubles(new Float64Array(n * lanes));
      core.call.restDuals?.(pointer, core.doubles(costs), out);
      expect(core.readDoubles(out, n * lanes)).toEqual(Array.from(read("alpha", n * lanes)));
    });

    test(`${kind}, ${count} classes, ${isHinge ? "hinge" : "squared hinge"}: w made anew is w`, () => {
      const own = setUp(kind, count, isHinge, biasSquare);
      const { core, pointer, lanes, state, read } = own;
      for (let sweep = 0; sweep < 3; sweep++) core.call.restSweep?.(pointer, 1e9);
      const [w, bias] = [read("w", d * lanes), read("bias", lanes)];
      new Float32Array(core.buffer, state.get("w"), d * lanes).fill(0);
      new Float32Array(core.buffer, state.get("bias"), lanes).fill(0);
      while (!core.call.restRebuild?.(pointer, 50));
      read("w", d * lanes).forEach((value, k) => {
        expect(Math.abs(value - at(w, k))).toBeLessThan(1e-5);
      });
      read("bias", lanes).forEach((value, k) => {
        expect(Math.abs(value - at(bias, k))).toBeLessThan(1e-5);
      });
    });
  }
}
