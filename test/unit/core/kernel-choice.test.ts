import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { sideStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";

const at = (list: readonly number[], k: number): number => list[k] as number;

/** A side with values at lo, at hi, at 0 and between; of a classification without a tube, else of a regression. */
function setUp(n: number, epsilon: number, seed: number) {
  const random = new Random(seed);
  const core = coreUnderTest();
  const lo = Array.from({ length: n }, (_, t) => (epsilon > 0 || t % 2 === 0 ? -2 : 0));
  const hi = Array.from({ length: n }, (_, t) => (t % 7 === 6 ? at(lo, t) : epsilon > 0 || t % 2 === 1 ? 3 : 0));
  const value = lo
    .map((low, t) => [low, at(hi, t), 0, low + random.unit() * (at(hi, t) - low)][t % 4] as number)
    .map((v, t) => Math.min(Math.max(v, at(lo, t)), at(hi, t)));
  const f = lo.map(() => Math.round(20 * (2 * random.unit() - 1)) / 2);
  const units = lo.map((_, t) => 1 + (t % 3));
  const side = new StructView(sideStruct, core.buffer, core.take(sideStruct.size));
  side.assign({ size: n, f: core.doubles(f), value: core.doubles(value), lo: core.doubles(lo), hi: core.doubles(hi), epsilon });
  const cost = (v: number, e: number): number => v * e + epsilon * Math.abs(v);
  const kink = (t: number): number => Math.min(Math.max(at(lo, t), 0), at(hi, t));
  const least = (t: number, e: number): number => Math.min(...[at(lo, t), at(hi, t), kink(t)].map((v) => cost(v, e)));
  const loss = (t: number, e: number): number => cost(at(value, t), e) - least(t, e);
  const gapAt = (rho: number): number => f.reduce((sum, own, t) => sum + loss(t, own - rho), 0);
  /** What a variable would choose, by trying: what it has, if nothing is better. */
  const choice = (t: number, e: number): number =>
    [at(value, t), at(lo, t), at(hi, t), kink(t)].find((v) => cost(v, e) <= least(t, e)) as number;
  return { core, side, f, value, units, loss, gapAt, choice };
}

for (const epsilon of [0, 0.5]) {
  for (const n of [1, 2, 7, 40, 101]) {
    describe(`epsilon ${epsilon}, ${n} variables`, () => {
      test("the offset has the least gap of all", () => {
        for (let seed = 1; seed <= 20; seed++) {
          const { core, side, f, gapAt } = setUp(n, epsilon, seed);
          const rho = core.call.sideOffset?.(side.pointer, core.take(32 * n)) as number;
          const others = f.flatMap((own) => [own - epsilon, own + epsilon, own - epsilon - 0.1, own + epsilon + 0.1]);
          for (const other of others) expect(gapAt(rho)).toBeLessThanOrEqual(gapAt(other) + 1e-9);
        }
      });

      test("sums of sizes, and how far each is from what it may come to want", () => {
        const { core, side, f, value, units, choice } = setUp(n, epsilon, 3);
        const out = core.doubles([1, 2, 3]);
        const own = value.map((v, t) => v * at(units, t));
        core.call.sideSizes?.(side.pointer, core.doubles(units), out);
        const sums = [
          own.reduce((sum, v) => sum + Math.abs(v), 1),
          own.reduce((sum, v) => sum + v, 2),
          own.reduce((sum, v) => sum + v * v, 3),
        ];
        for (const [k, sum] of new Float64Array(core.buffer, out, 3).entries()) expect(sum).toBeCloseTo(at(sums, k), 9);

        const [rho, reach] = [0.3, 0.75];
        const weights = core.doubles(units);
        const added = core.call.sideReach?.(side.pointer, rho, core.doubles(units), reach, weights);
        const farthest = f.map((own, t) => {
          const wants = [-1, 1].map((sign) => choice(t, own - rho + sign * reach * at(units, t)));
          return at(units, t) * Math.max(...wants.map((want) => Math.abs(at(value, t) - want)));
        });
        expect(added).toBeCloseTo(
          farthest.reduce((sum, v) => sum + v, 0),
          9,
        );
        const after = new Float64Array(core.buffer, weights, n);
        for (const [t, weight] of after.entries()) expect(weight).toBeCloseTo(at(units, t) + at(farthest, t), 9);
      });

      test("what errors do to the gap is what they do at most, to first order, where nobody changes his mind", () => {
        const { core, side, f, value, units, loss, choice } = setUp(n, epsilon, 5);
        const rho = 0.3;
        const [usual, most] = [1e-3, 2.5];
        const said = core.call.sideErrors?.(side.pointer, rho, core.doubles(units), usual, most);
        const sum = f.reduce((total, own, t) => {
          const slope = Math.abs(at(value, t) - choice(t, own - rho));
          const there = Math.max(...[-1, 1].map((sign) => loss(t, own - rho + sign * most * at(units, t))));
          return total + at(units, t) * usual * slope + Math.max(0, there - loss(t, own - rho) - at(units, t) * most * slope);
        }, 0);
        expect(said).toBeCloseTo(sum, 9);
      });
    });
  }
}

test("roots of a diagonal, whatever its sign", () => {
  const core = coreUnderTest();
  const out = core.take(24);
  core.call.diagonalRoots?.(core.floats([4, -9, 0]), 3, out);
  expect([...new Float64Array(core.buffer, out, 3)]).toEqual([2, 3, 0]);
});

test("positions at even distances along the weights", () => {
  const core = coreUnderTest();
  const places = core.words(new Uint32Array(4));
  const draw = (weights: number[], total: number): number[] => {
    core.call.drawEvenly?.(core.doubles(weights), weights.length, total, places, 4);
    return [...new Uint32Array(core.buffer, places, 4)];
  };
  expect(draw([1, 1, 1, 1], 4)).toEqual([0, 1, 2, 3]);
  expect(draw([0, 8, 0, 0, 0], 8)).toEqual([1, 1, 1, 1]);
  expect(draw([1, 0, 3], 4)).toEqual([0, 2, 2, 2]);
  // Where rounding leaves the sum short of its total, the last one drawn stands in; where nothing was drawn, the first.
  expect(draw([1, 1], 4)).toEqual([0, 1, 1, 1]);
  expect(draw([0, 0], 4)).toEqual([0, 0, 0, 0]);
});
