// The logistic loss of many classes at once: what sweeps and checks say, against float64 from the logits alone.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { losses, restStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { putRows } from "../../core/rows.ts";

const n = 31;
const d = 9;
const random = new Random(12);
const x = Array.from({ length: n }, () => Array.from({ length: d }, () => (random.unit() < 0.5 ? Math.fround(random.unit() - 0.4) : 0)));
const costs = Array.from({ length: n }, (_, i) => 0.5 + 0.25 * (i % 3));
const at = (list: ArrayLike<number>, k: number): number => list[k] as number;

function setUp(kind: "dense" | "csr", count: number, biasSquare: number) {
  const core = coreUnderTest();
  const vectors = Math.ceil(count / 4);
  const lanes = 4 * vectors;
  const classOf = (k: number): number => k % (count + 1);
  const floats = (size: number): number => core.floats(new Float32Array(size));
  const state = new StructView(restStruct, core.buffer, core.take(restStruct.size));
  const rows = putRows(core, kind, x, d);
  state.assign({
    ...{ rows, rowIds: core.words(x.map((_, i) => i)), classIds: core.words(x.map((_, i) => (classOf(i) < count ? classOf(i) : 999))) },
    ...{
      order: core.words(x.map((_, i) => i)),
      limits: core.floats(costs),
      curvatures: floats(n),
      w: floats(d * lanes),
      bias: floats(lanes),
    },
    ...{ alpha: core.floats(new Float32Array(n * lanes).fill(-17)), scores: floats(lanes) },
    used: core.words(Array.from({ length: lanes }, (_, m) => (m < count ? 0xffffffff : 0))),
    features: core.words(Array.from({ length: d }, (_, j) => j)),
    ...{
      estimates: floats(lanes),
      rewards: floats(lanes),
      gaps: core.doubles(new Float64Array(lanes)),
      losses: core.doubles(new Float64Array(lanes)),
    },
    ...{ random: core.words(new Random(1).state), rowCount: n, vectors, loss: losses.logistic, cursor: 0, biasSquare },
  });
  core.call.restCurvatures?.(state.pointer);
  const read = (name: "alpha" | "w" | "bias" | "estimates" | "rewards" | "scores", size: number): Float32Array =>
    new Float32Array(core.buffer.slice(state.get(name), state.get(name) + 4 * size));
  const yOf = (i: number, m: number): number => (classOf(i) === m ? 1 : -1);
  return { core, state, rows, pointer: state.pointer, lanes, yOf, read };
}

/** Of class m, in float64: w, b, P, D. */
function plainly({ lanes, yOf, read }: ReturnType<typeof setUp>, m: number, biasSquare: number) {
  const logits = read("alpha", n * lanes);
  const alpha = costs.map((cost, i) => cost / (1 + Math.exp(-at(logits, i * lanes + m))));
  const signed = alpha.map((a, i) => a * yOf(i, m));
  const w = Array.from({ length: d }, (_, j) => x.reduce((sum, row, i) => sum + at(signed, i) * at(row, j), 0));
  const b = biasSquare * signed.reduce((sum, one) => sum + one, 0);
  const square = w.reduce((sum, one) => sum + one * one, 0) + (biasSquare > 0 ? (b * b) / biasSquare : 0);
  const loss = x.reduce((sum, row, i) => {
    const margin = yOf(i, m) * (row.reduce((score, value, j) => score + value * at(w, j), 0) + b);
    return sum + at(costs, i) * Math.log1p(Math.exp(-margin));
  }, 0);
  const entropy = alpha.reduce(
    (sum, a, i) => sum - a * Math.log(a / at(costs, i)) - (at(costs, i) - a) * Math.log(1 - a / at(costs, i)),
    0,
  );
  return { w, b, loss, alpha, primal: square / 2 + loss, dual: entropy - square / 2 };
}

describe.each(["dense", "csr"] as const)("%s rows", (kind) => {
  for (const [count, biasSquare] of [
    [3, 0],
    [11, 0.25],
    [18, 0],
  ] as const) {
    test(`${count} classes: sweeps climb, and what they and checks say is so`, () => {
      const own = setUp(kind, count, biasSquare);
      const { core, pointer, lanes, state, read } = own;
      let before = new Float64Array(count).fill(-1e-3);
      for (let sweep = 0; sweep < 8; sweep++) {
        while (!core.call.restSweep?.(pointer, sweep % 2 === 0 ? 60 : 1e9));
        const now = Float64Array.from({ length: count }, (_, m) => plainly(own, m, biasSquare).dual);
        now.forEach((dual, m) => {
          expect(dual).toBeGreaterThan(at(before, m) - 1e-5);
          // The first steps go too far for D's slope to be a straight line.
          if (sweep >= 2)
            expect(Math.abs(at(read("rewards", lanes), m) - (dual - at(before, m)))).toBeLessThan(1e-3 + 0.2 * (dual - at(before, m)));
        });
        before = now;
        while (!core.call.restCheck?.(pointer, 100));
        for (let m = 0; m < count; m++) {
          const { w, b, loss, primal, dual } = plainly(own, m, biasSquare);
          w.forEach((value, j) => {
            expect(Math.abs(at(read("w", d * lanes), j * lanes + m) - value)).toBeLessThan(2e-5);
          });
          expect(Math.abs(at(read("bias", lanes), m) - b)).toBeLessThan(2e-5);
          expect(Math.abs(at(core.readDoubles(state.get("losses"), lanes), m) - loss)).toBeLessThan(1e-4);
          expect(Math.abs(at(core.readDoubles(state.get("gaps"), lanes), m) - (primal - dual))).toBeLessThan(1e-4 + 0.02 * (primal - dual));
        }
      }
      for (let m = 0; m < count; m++) {
        const { primal, dual } = plainly(own, m, biasSquare);
        expect(primal - dual).toBeLessThan(1e-3 * primal);
      }
      for (let m = count; m < lanes; m++) for (let j = 0; j < d; j++) expect(at(read("w", d * lanes), j * lanes + m)).toBe(0);
    });

    test(`${count} classes: dual variables, four at a time and all of them, and w made anew of them`, () => {
      const own = setUp(kind, count, biasSquare);
      const { core, pointer, lanes, state, read } = own;
      for (let sweep = 0; sweep < 3; sweep++) while (!core.call.restSweep?.(pointer, 1e9));
      const out = core.doubles(new Float64Array(n * lanes));
      core.call.restDuals?.(pointer, core.doubles(costs), out);
      const duals = core.readDoubles(out, n * lanes);
      const four = core.floats(new Float32Array(4));
      core.call.logisticDuals?.(pointer, 5, 0, four);
      for (let m = 0; m < count; m++) {
        const { alpha } = plainly(own, m, biasSquare);
        alpha.forEach((a, i) => {
          expect(Math.abs(at(duals, i * lanes + m) - a)).toBeLessThan(1e-6);
        });
        if (m < 4) expect(Math.abs(at(new Float32Array(core.buffer.slice(four, four + 16)), m) - at(alpha, 5))).toBeLessThan(1e-6);
      }
      const w = read("w", d * lanes);
      new Float32Array(core.buffer, state.get("w"), d * lanes).fill(0);
      new Float32Array(core.buffer, state.get("bias"), lanes).fill(0);
      while (!core.call.restRebuild?.(pointer, 50));
      read("w", d * lanes).forEach((value, k) => {
        expect(Math.abs(value - at(w, k))).toBeLessThan(1e-5);
      });
    });
  }

  test("a visit, a check, scores and steps by themselves", () => {
    const own = setUp(kind, 5, 0);
    const { core, rows, pointer, lanes, state, read } = own;
    expect(core.call.vectorAt?.(1000, 3)).toBe(1048);
    expect(core.call.alphaAt?.(pointer, 2, 1)).toBe(state.get("alpha") + 4 * (2 * lanes + 4));
    const four = core.floats(new Float32Array(4));
    core.call.signs?.(1, 6, four);
    expect(core.readWords(four, 4)).toEqual([0, 0, 0xffffffff, 0]);
    core.call.touchRestAhead?.(pointer, rows, 0);
    core.call.visitLogistic?.(pointer, rows, 2);
    // One row: h(u) = u + Q C sigma(u) = 0 for every class, up to what a row has at -17.
    const square = (x[2] as number[]).reduce((sum, value) => sum + value * value, 0);
    for (let m = 0; m < 5; m++) {
      const u = at(read("alpha", n * lanes), 2 * lanes + m);
      expect(Math.abs(u + (square * at(costs, 2)) / (1 + Math.exp(-u)))).toBeLessThan(0.01);
    }
    core.call.scoreRestRow?.(pointer, rows, 2);
    const w = read("w", d * lanes);
    for (let m = 0; m < 5; m++) {
      const score = (x[2] as number[]).reduce((sum, value, j) => sum + value * at(w, j * lanes + m), 0);
      expect(Math.abs(at(read("scores", lanes), m) - score)).toBeLessThan(1e-6);
    }
    core.call.addRestSteps?.(pointer, rows, 2);
    const moved = read("w", d * lanes);
    for (let j = 0; j < d; j++) {
      expect(Math.abs(at(moved, j * lanes) - at(w, j * lanes) - at(x[2] as number[], j) * at(read("scores", lanes), 0))).toBeLessThan(1e-6);
    }
    new Float64Array(core.buffer, state.get("losses"), lanes).fill(1);
    core.call.checkLogistic?.(pointer, rows, 2);
    expect(core.readDoubles(state.get("losses"), 1)[0]).toBeGreaterThan(1);
    const sums = core.doubles([1, 2, 3, 4, 5, 6, 7, 8]);
    core.call.addWide?.(sums, 1, core.floats([0.5, 0.25, -1, 2]));
    expect(core.readDoubles(sums, 8)).toEqual([1, 2, 3, 4, 5.5, 6.25, 6, 10]);
  });
});
