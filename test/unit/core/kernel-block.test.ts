import { expect, test } from "vitest";
import { objectives, type SmoProblem, smo } from "../../../reference/smo.ts";
import { Random } from "../../../src/base/random.ts";
import { blockStruct, relayStruct, sideStruct, smoProgress, smoStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { relayUnderTest } from "../../core/relay.ts";

const at = (list: readonly number[], k: number): number => list[k] as number;

type Posed = Required<Omit<SmoProblem, "start">>;

/** A kernel matrix of n random points on a line, and a problem on it. */
function problem(n: number, epsilon: number, seed: number): Posed {
  const random = new Random(seed);
  const points = Array.from({ length: n }, () => 3 * random.unit());
  const kernel = points.map((u) => points.map((v) => Math.fround(Math.exp(-((u - v) ** 2)))));
  const y = points.map((u, i) => (epsilon > 0 ? Math.sin(2 * u) : u > 1.5 === random.unit() > 0.1 && i !== 0 ? 1 : -1));
  const lo = y.map((label) => (epsilon > 0 || label < 0 ? -2 : 0));
  const hi = y.map((label) => (epsilon > 0 || label > 0 ? 2 : 0));
  return { kernel, z: y, lo, hi, epsilon };
}

interface Answer {
  readonly value: number[];
  readonly f: number[];
  readonly steps: number;
  readonly gained: number;
}

function gradientAt({ kernel, z }: Posed, value: readonly number[]): number[] {
  return z.map((target, t) => kernel.reduce((sum, row, s) => sum + at(row, t) * at(value, s), -target));
}

/** The first `split` variables are of one side, the others of another. */
function byBlock(posed: Posed, start: readonly number[], split: number, tolerance = 1e-10): Answer {
  const { kernel, z, lo, hi, epsilon } = posed;
  const core = coreUnderTest();
  const n = z.length;
  const zeros = () => core.doubles(new Float64Array(n));
  const block = new StructView(blockStruct, core.buffer, core.take(blockStruct.size));
  block.assign({
    ...{ size: n, split, matrix: core.floats(kernel.flat()), f: core.doubles(gradientAt(posed, start)), value: core.doubles(start) },
    ...{ lo: core.doubles(lo), hi: core.doubles(hi), up: zeros(), low: zeros(), stepLimit: 1e6, epsilon, tolerance },
  });
  core.call.solveBlock?.(block.pointer);
  const read = (name: "value" | "f") => core.readDoubles(block.get(name), n);
  return { value: read("value"), f: read("f"), steps: block.get("steps"), gained: block.get("gained") };
}

/** The same by steps over all rows, which are brought in one by one as they are wanted. */
function bySteps(posed: Posed, start: readonly number[], split: number, tolerance = 1e-10, beyond = {}, mostSteps = Infinity): Answer {
  const { kernel, z, lo, hi, epsilon } = posed;
  const core = coreUnderTest();
  const n = z.length;
  const f = core.doubles(gradientAt(posed, start));
  const within = (values: readonly number[], side: number): number[] => values.map((value, t) => (t < split === (side === 0) ? value : 0));
  const sides = [0, 1].map((side) => {
    const state = new StructView(sideStruct, core.buffer, core.take(sideStruct.size));
    state.assign({
      ...{ size: n, f, z: core.doubles(z), value: core.doubles(within(start, side)), lo: core.doubles(within(lo, side)) },
      ...{ hi: core.doubles(within(hi, side)), up: core.doubles(z), low: core.doubles(z), epsilon },
      ...{ upGain: core.floats(z), lowGain: core.floats(z) },
    });
    core.call.sideGains?.(state.pointer, 0);
    core.call.sideExtremes?.(state.pointer);
    return state;
  });
  const rowOf = core.words(new Uint32Array(n));
  const smoState = new StructView(smoStruct, core.buffer, core.take(smoStruct.size));
  smoState.assign({
    ...{ first: sides[0]?.pointer ?? 0, other: split < n ? (sides[1]?.pointer ?? 0) : 0, rowOf, stamps: core.words(new Uint32Array(n)) },
    ...{ diagonal: core.floats(kernel.map((row, t) => at(row, t))), tolerance },
    ...relayUnderTest(core),
    drift: core.floats(new Float32Array(n)),
  });
  core.call.smoFold?.(smoState.pointer);
  smoState.assign(beyond);
  while (smoState.get("steps") < mostSteps) {
    const said = core.call.smoAdvance?.(smoState.pointer, Math.min(3, mostSteps - smoState.get("steps")));
    if (said === smoProgress.converged || said === smoProgress.stuck) break;
    if (said !== smoProgress.wanted) continue;
    const wanted = smoState.get("wanted");
    expect(core.readWords(rowOf, n)[wanted]).toBe(0);
    new Uint32Array(core.buffer, rowOf, n)[wanted] = core.floats(kernel[wanted] ?? []);
  }
  const [first, second] = sides.map((state) => core.readDoubles(state.get("value"), n)) as [number[], number[]];
  return {
    value: first.map((value, t) => value + at(second, t)),
    f: core.readDoubles(f, n),
    steps: smoState.get("steps"),
    gained: smoState.get("dual"),
  };
}

/** The objective of `plain`, with a gap that is closed; F, D and the sum kept right. */
function expectOptimum(posed: Posed, { value, f, gained }: Omit<Answer, "steps">, plain: readonly number[], error: number): void {
  const [ours, theirs] = [objectives(posed, value), objectives(posed, plain)];
  expect(Math.abs(ours.dual - theirs.dual)).toBeLessThanOrEqual(1e-9 * Math.abs(theirs.dual));
  expect(Math.abs(ours.dual - gained)).toBeLessThanOrEqual(1e-9 * Math.abs(ours.dual));
  expect(ours.primal - ours.dual).toBeLessThanOrEqual(1e-8 * Math.abs(ours.dual));
  expect(Math.abs(value.reduce((sum, v) => sum + v, 0))).toBeLessThan(1e-12);
  const wanted = gradientAt(posed, value);
  value.forEach((v, t) => {
    expect(v >= at(posed.lo, t) && v <= at(posed.hi, t)).toBe(true);
    expect(Math.abs(at(f, t) - at(wanted, t))).toBeLessThan(error);
  });
}

test("steps go beyond the optimum of their pair where nothing is in the way", () => {
  // eta = 1, and the two gain 2.
  const pair = (hi: number): Posed => ({
    kernel: [
      [1, 0.5],
      [0.5, 1],
    ],
    z: [1, -1],
    lo: [0, -hi],
    hi: [hi, 0],
    epsilon: 0,
  });
  const first = (hi: number, beyond: object): Answer => bySteps(pair(hi), [0, 0], 2, 1e-10, beyond, 1);
  const far = first(10, { beyond: 0.75 });
  expect(far.value).toEqual([3.5, -3.5]);
  expect(far.f).toEqual([0.75, -0.75]);
  // At the optimum it would be 2: 1 - 0.75^2 of that.
  expect(far.gained).toBe(2 * (1 - 0.75 ** 2));
  expect(first(10, {}).value).toEqual([2, -2]);
  // A bound behind the optimum, and one before it.
  expect(first(3, { beyond: 0.75 }).value).toEqual([2, -2]);
  expect(first(1.5, { beyond: 0.75 }).value).toEqual([1.5, -1.5]);
  // Passes in float32: not where the gains are less than eight times what they may be off by.
  expect(first(10, { beyond: 0.75, isQuick: 1, noise: 0.24 }).value).toEqual([3.5, -3.5]);
  expect(first(10, { beyond: 0.75, isQuick: 1, noise: 0.26 }).value).toEqual([2, -2]);
});

for (const epsilon of [0, 0.1]) {
  test(`epsilon ${epsilon}: beyond the optimum of pairs lies that of the problem`, () => {
    const n = 40;
    const posed = problem(n, epsilon, 4);
    const plain = bySteps(posed, new Array(n).fill(0), n);
    const { value, f, gained } = bySteps(posed, new Array(n).fill(0), n, 1e-10, { beyond: 0.75 });
    expectOptimum(posed, { value, f, gained }, plain.value, 1e-11);
  });
}

for (const [name, solve] of Object.entries({ "in a block": byBlock, "over all rows": bySteps })) {
  for (const epsilon of [0, 0.1]) {
    for (const n of [2, 9, 30]) {
      test(`${name}, epsilon ${epsilon}, ${n} variables: the optimum that the plain method finds, in as many steps`, () => {
        const posed = problem(n, epsilon, n);
        const { value, f, steps, gained } = solve(posed, new Array(n).fill(0), n);
        let last: readonly number[] = new Array(n).fill(0);
        let plainSteps = 0;
        for (const step of smo(posed)) {
          if (step.violation <= 1e-10) break;
          last = [...step.value];
          plainSteps++;
        }
        expect(Math.abs(steps - plainSteps)).toBeLessThanOrEqual(2 + plainSteps / 10);
        expectOptimum(posed, { value, f, gained }, last, 1e-12);
      });
    }
  }

  test(`${name}, two sides: pairs are of one side, each keeps its sum`, () => {
    const n = 20;
    const zero = new Array<number>(n).fill(0);
    const posed = { ...problem(n, 0, 5), z: zero, lo: zero, hi: new Array<number>(n).fill(1) };
    const start = zero.map((_, t) => (t < 4 || (t >= 8 && t < 14) ? 0.5 : 0));
    const { value, f, steps } = solve(posed, start, 8);
    expect(value.slice(0, 8).reduce((sum, v) => sum + v, 0)).toBeCloseTo(2, 12);
    expect(value.slice(8).reduce((sum, v) => sum + v, 0)).toBeCloseTo(3, 12);
    expect(steps).toBeGreaterThan(2);
    for (const [from, to] of [
      [0, 8],
      [8, n],
    ] as const) {
      const some = value.map((v, t) => ({ v, f: at(f, t) })).slice(from, to);
      const raised = Math.max(...some.filter(({ v }) => v < 1).map((one) => -one.f));
      const lowered = Math.max(...some.filter(({ v }) => v > 0).map((one) => one.f));
      expect(raised + lowered).toBeLessThanOrEqual(1e-10);
    }
  });

  test(`${name}: equal rows with opposite labels, and an indefinite kernel, end at bounds`, () => {
    const bounds = { z: [1, -1], lo: [0, -2], hi: [3, 0], epsilon: 0 };
    const equal = [
      [1, 1],
      [1, 1],
    ];
    const indefinite = [
      [-1, 0.5],
      [0.5, -1],
    ];
    for (const kernel of [equal, indefinite]) expect(solve({ ...bounds, kernel }, [0, 0], 2).value).toEqual([2, -2]);
  });
}

for (const isQuick of [0, 1]) {
  test(`a pass in two halves, ${isQuick === 1 ? "float32" : "float64"}: of equal ones the first counts, in whichever half it is`, () => {
    const n = 2100;
    for (const [i, j] of [
      [791, 792],
      [792, 791],
      [3, 2099],
      [2099, 3],
      [1500, 1600],
      [100, 700],
    ] as const) {
      const core = coreUnderTest();
      const all = (value: number): number[] => new Array(n).fill(value);
      const zeros = (): number => core.floats(all(0));
      const side = new StructView(sideStruct, core.buffer, core.take(sideStruct.size));
      // From i and j on, those of the same parity are as good; others gain less.
      const likeOf = (place: number): number[] => all(0).map((_, t) => (t >= place && (t - place) % 2 === 0 ? 1 : 0.25));
      side.assign({
        ...{ size: n, f: core.doubles(all(0)), z: core.doubles(all(0)), value: core.doubles(all(0)) },
        ...{ lo: core.doubles(all(-9)), hi: core.doubles(all(9)), up: core.doubles(likeOf(i)), low: core.doubles(likeOf(j)) },
        ...{ upGain: zeros(), lowGain: zeros() },
      });
      const [row, rowOf] = [core.floats(all(0.5)), core.words(all(0))];
      const smo = new StructView(smoStruct, core.buffer, core.take(smoStruct.size));
      smo.assign({
        ...{ first: side.pointer, rowOf, stamps: core.words(all(0)), diagonal: core.floats(all(1)), isEven: 1, isQuick },
        ...relayUnderTest(core),
        drift: zeros(),
      });
      core.call.smoFold?.(smo.pointer);
      core.call.sideExtremes?.(side.pointer);
      const rows = new Uint32Array(core.buffer, rowOf, n);
      const next = (): number => {
        expect(core.call.smoAdvance?.(smo.pointer, 1)).toBe(smoProgress.wanted);
        return smo.get("wanted");
      };
      expect(next()).toBe(i);
      rows[i] = row;
      expect(next()).toBe(j);
      rows[j] = row;
      // Rows are alike, so that F stays; i and j themselves gain nothing any more.
      expect(core.call.smoAdvance?.(smo.pointer, 1)).toBe(smoProgress.running);
      const [up, low] = [core.readDoubles(side.get("up"), n), core.readDoubles(side.get("low"), n)];
      expect([Math.abs(up[i] as number), Math.abs(low[j] as number)]).toEqual([0, 0]);
      expect([side.get("mostUp"), side.get("upPlace")]).toEqual([Math.max(...up), up.indexOf(Math.max(...up))]);
      expect(side.get("mostLow")).toBe(Math.max(...low));
    }
  });
}

test("a helper leaves at once where there is nothing to do, and where another one is", () => {
  const core = coreUnderTest();
  const state = new StructView(smoStruct, core.buffer, core.take(smoStruct.size));
  state.assign(relayUnderTest(core));
  const relay = new StructView(relayStruct, core.buffer, state.get("relay"));
  core.call.smoGather?.(state.pointer, 0);
  expect(relay.get("isClosed")).toBe(1);
  core.call.smoHelp?.(state.pointer);
  expect(relay.get("second")).toBe(0);
  core.call.smoGather?.(state.pointer, 1);
  expect(relay.get("isClosed")).toBe(0);
  relay.assign({ second: 1 });
  core.call.smoHelp?.(state.pointer);
  expect(relay.get("second")).toBe(1);
});
