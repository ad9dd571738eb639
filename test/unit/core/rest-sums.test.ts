// The judge's passes for many classes at once, against sums in the same order: bit for bit.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { judgedLosses, type LossName } from "../../../src/certify/losses.ts";
import { losses, restJudgedStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { putRows } from "../../core/rows.ts";

const n = 17;
const d = 7;
const random = new Random(4);
const x = Array.from({ length: n }, () => Array.from({ length: d }, () => (random.unit() < 0.5 ? Math.fround(random.unit() - 0.4) : 0)));
const ids = Array.from({ length: n }, (_, k) => (5 * k) % n);
const costs = Array.from({ length: n }, (_, k) => 0.1 + (k % 3));
const at = (list: ArrayLike<number>, k: number): number => list[k] as number;

function setUp(kind: "dense" | "csr", lanes: number, loss: LossName) {
  const core = coreUnderTest();
  const classOf = (k: number): number => k % (lanes + 1);
  const yOf = (k: number, m: number): number => (classOf(k) === m ? 1 : -1);
  // Some below their box, some above it, some 0.
  const alpha = Float64Array.from({ length: n * lanes }, (_, k) => (k % 5 === 0 ? 0 : 3 * random.unit() - 0.3));
  const w = Float64Array.from({ length: d * lanes }, () => random.unit() - 0.5);
  const bias = Float64Array.from({ length: lanes }, () => random.unit() - 0.5);
  const zeros = (): number => core.doubles(new Float64Array(lanes));
  const state = new StructView(restJudgedStruct, core.buffer, core.take(restJudgedStruct.size));
  state.assign({
    ...{ rows: putRows(core, kind, x, d), rowIds: core.words(ids), classIds: core.words(ids.map((_, k) => classOf(k))) },
    ...{ costs: core.doubles(costs), alpha: core.doubles(alpha), w: core.doubles(w), bias: core.doubles(bias), scores: zeros() },
    ...{ primal: zeros(), dual: zeros(), lanes, loss: losses[loss] },
  });
  const read = (name: "alpha" | "w" | "primal" | "dual", size: number): number[] => core.readDoubles(state.get(name), size);
  return { core, state, pointer: state.pointer, yOf, alpha, w, bias, read };
}

describe.each(["dense", "csr"] as const)("%s rows", (kind) => {
  for (const [lanes, loss] of [
    [4, "hinge"],
    [12, "squared_hinge"],
    [8, "logistic"],
  ] as const) {
    const upper = (k: number): number => judgedLosses[loss].upper(at(costs, k));

    test(`${lanes} lanes, ${loss}: into the box, with sums, and balanced`, () => {
      const { core, pointer, yOf, alpha, read } = setUp(kind, lanes, loss);
      const sums = core.doubles(new Float64Array(3 * lanes));
      core.call.judgeRestBounds?.(pointer, 0, 9, sums);
      core.call.judgeRestBounds?.(pointer, 9, n - 9, sums);
      const inside = Array.from(alpha, (a, k) => Math.min(Math.max(0, a), upper(Math.floor(k / lanes))));
      expect(read("alpha", n * lanes)).toEqual(inside);
      const sumOf = (m: number, share: (y: number) => number): number =>
        ids.reduce((sum, _, k) => sum + share(yOf(k, m)) * at(inside, k * lanes + m), 0);
      const lane = Array.from({ length: lanes }, (_, m) => m);
      expect(core.readDoubles(sums, 3 * lanes)).toEqual([
        ...lane.map((m) => sumOf(m, (y) => (y > 0 ? 1 : 0))),
        ...lane.map((m) => sumOf(m, (y) => (y < 0 ? 1 : 0))),
        ...lane.map((m) => sumOf(m, (y) => y)),
      ]);
      const scales = Float64Array.from({ length: 2 * lanes }, (_, k) => 1 / (k + 1));
      core.call.judgeRestBalance?.(pointer, 0, n, core.doubles(scales));
      expect(read("alpha", n * lanes)).toEqual(
        inside.map((a, k) => a * at(scales, (k % lanes) + (yOf(Math.floor(k / lanes), k % lanes) > 0 ? 0 : lanes))),
      );
    });

    test(`${lanes} lanes, ${loss}: weights, squares, P and D`, () => {
      const { core, pointer, yOf, bias, w, read } = setUp(kind, lanes, loss);
      core.call.judgeRestBounds?.(pointer, 0, n, core.doubles(new Float64Array(3 * lanes)));
      const alpha = read("alpha", n * lanes);
      const rowAt = (k: number): number[] => x[at(ids, k)] as number[];
      const value = judgedLosses[loss];
      for (const [from, count] of [
        [0, 6],
        [6, n - 6],
      ] as const)
        core.call.judgeRestRows?.(pointer, from, count);
      for (let m = 0; m < lanes; m++) {
        let [primal, dual] = [0, 0];
        ids.forEach((_, k) => {
          const score = rowAt(k).reduce((sum, v, j) => sum + v * at(w, j * lanes + m), 0);
          primal += at(costs, k) * value.value(yOf(k, m) * (score + at(bias, m)));
          const a = at(alpha, k * lanes + m);
          if (a > 0) dual += value.dualValue(a, at(costs, k));
        });
        expect(at(read("primal", lanes), m)).toBe(primal);
        expect(at(read("dual", lanes), m)).toBe(dual);
      }
      core.call.judgeRestSum?.(pointer, 0, 6);
      core.call.judgeRestSum?.(pointer, 6, n - 6);
      const squares = core.doubles(new Float64Array(lanes));
      core.call.judgeRestSquares?.(pointer, squares);
      const sums = read("w", d * lanes);
      for (let m = 0; m < lanes; m++) {
        const wanted = Array.from({ length: d }, (_, j) =>
          ids.reduce((sum, _, k) => sum + yOf(k, m) * at(alpha, k * lanes + m) * at(rowAt(k), j), at(w, j * lanes + m)),
        );
        expect(wanted.map((_, j) => at(sums, j * lanes + m))).toEqual(wanted);
        expect(at(core.readDoubles(squares, lanes), m)).toBe(wanted.reduce((sum, one) => sum + one * one, 0));
      }
    });
  }

  test("one lane of several, without negative zeros", () => {
    const core = coreUnderTest();
    const from = core.doubles([1, -0, 3, 4, 5, 6, 7, 8]);
    const out = core.doubles([0, 0, 77]);
    core.call.judgeRestLane?.(from, 2, 4, 1, out);
    expect(core.readDoubles(out, 3)).toEqual([0, 6, 77]);
  });
});
