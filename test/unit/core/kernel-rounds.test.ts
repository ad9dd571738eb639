// Steps with looks at the gap, and rows that the core brings in by itself: the same steps as one by one, on the same rows.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { companyStruct, roundsStruct, segmentsStruct, sideStruct, smoProgress, smoStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { KernelUnderTest } from "../../core/kernel.ts";
import { relayUnderTest } from "../../core/relay.ts";

const NONE = 0xffffffff;
const random = new Random(11);
const SPLIT = 17;
const N = 41;
const points = Array.from({ length: N }, (_, i) => [Math.fround(random.unit() + (i < SPLIT ? 0 : 0.3)), Math.fround(random.unit())]);
const y = points.map((_, i) => (i < SPLIT ? -1 : 1));
const C = 3;

/** Rows that come along, seven while the share of those that are used is 1, none where it is 0. */
function companyIn(core: KernelUnderTest["core"], share: number): StructView<keyof typeof companyStruct.offsets> {
  const company = new StructView(companyStruct, core.buffer, core.take(companyStruct.size));
  company.assign({
    places: core.words(new Uint32Array(64)),
    steps: core.words(new Uint32Array(64)),
    shared: core.doubles([share, 0]),
    ringSize: 64,
    isApt: 1,
  });
  return company;
}

/** A two-class problem at its start. `slots`: rows that there is room for. */
function setUp(slots: number, { isFree = false, keptBytes = 0, share = 1 } = {}) {
  const kernel = new KernelUnderTest({ rows: points, storage: "dense", kind: "rbf", gamma: 2 });
  const { core } = kernel;
  const zeros = (): number => core.floats(new Float32Array(N + 8));
  const side = new StructView(sideStruct, core.buffer, core.take(sideStruct.size));
  side.assign({
    ...{ size: N, f: core.doubles(y.map((v) => -v)), z: core.doubles(y), value: core.doubles(new Float64Array(N)) },
    ...{ lo: core.doubles(y.map((v) => (v < 0 ? -C : 0))), hi: core.doubles(y.map((v) => (v > 0 ? C : 0))) },
    ...{ up: core.doubles(new Float64Array(N)), low: core.doubles(new Float64Array(N)), upGain: zeros(), lowGain: zeros() },
    ...{ scores: core.doubles(new Float64Array(8)), places: core.words(new Uint32Array(8)) },
  });
  core.call.sideGains?.(side.pointer, 0);
  const rowOf = core.words(new Uint32Array(N));
  const smo = new StructView(smoStruct, core.buffer, core.take(smoStruct.size));
  smo.assign({
    ...{ first: side.pointer, rowOf, stamps: core.words(new Uint32Array(N)), diagonal: core.floats(new Float32Array(N).fill(1)) },
    ...relayUnderTest(core),
    drift: zeros(),
  });
  const stride = 44;
  const segments = new StructView(segmentsStruct, core.buffer, core.take(segmentsStruct.size));
  const kept = core.take(Math.max(16, keptBytes));
  segments.assign({
    ...kernel.places,
    ...{ columns: core.words(points.map((_, i) => i)), size: N, split: SPLIT, kept: core.words(new Uint32Array(N)) },
    ...{ room: core.words([kept, kept + keptBytes]), memory: core.take(4 * stride * Math.max(1, slots)), stride, slotCount: slots },
    ...{ slotOf: core.words(new Uint32Array(N).fill(NONE)), placeOf: core.words(new Uint32Array(N).fill(NONE)) },
    ...{ filled: core.words(new Uint32Array(N)), places: core.words(new Uint32Array(8)) },
    ...{ starts: core.words(new Uint32Array(8)), ids: core.words(new Uint32Array(8)), company: companyIn(core, share).pointer },
  });
  const rounds = new StructView(roundsStruct, core.buffer, core.take(roundsStruct.size));
  rounds.assign({ smo: smo.pointer, isFree: isFree ? 1 : 0, isWhole: 1, tolerance: 1e-6, floor: 1e-9, relativeGap: 1, patience: Infinity });
  const rows = kernel.block(
    [0],
    points.map((_, i) => i),
  );
  expect(rows).toHaveLength(1);
  const row = (place: number): number[] => {
    const at = new Uint32Array(core.buffer, rowOf, N)[place] as number;
    return Array.from(new Float32Array(core.buffer.slice(at, at + 4 * N)));
  };
  const values = (): number[] => core.readDoubles(side.get("value"), N);
  return { kernel, core, side, smo, segments, rounds, rowOf, row, values };
}

const all = points.map((_, i) => i);

describe("rows that the core brings in", () => {
  for (const keptBytes of [0, 100, 100_000]) {
    test(`are those of the kernel, ${keptBytes} bytes for own segments`, () => {
      const { kernel, core, smo, segments, rounds, rowOf, row } = setUp(N, { keptBytes });
      core.call.smoLook?.(rounds.pointer);
      smo.assign({ wanted: 20, wantedSide: 0, wantedUp: 1, steps: 5 });
      expect(core.call.bringWanted?.(segments.pointer, smo.pointer)).toBe(1);
      const held = core.readWords(rowOf, N).flatMap((at, place) => (at === 0 ? [] : [place]));
      expect(held).toHaveLength(8);
      expect(held).toContain(20);
      expect(segments.get("fresh")).toBe(8);
      for (const place of held) {
        expect(row(place)).toEqual(kernel.block([place], all)[0]);
        expect(core.readWords(smo.get("stamps"), N)[place]).toBe(5);
        const slot = core.readWords(segments.get("slotOf"), N)[place] as number;
        expect([core.readWords(segments.get("placeOf"), N)[slot], core.readWords(segments.get("filled"), N)[slot]]).toEqual([place, N]);
      }
      expect(segments.get("computed")).toBe(8 * N);
    });
  }

  test("come alone where company was seldom used, and what comes along is remembered", () => {
    const { kernel, core, smo, segments, rounds, row } = setUp(N, { share: 0 });
    const company = new StructView(companyStruct, core.buffer, segments.get("company"));
    core.call.smoLook?.(rounds.pointer);
    // Fifteen alone, then one with seven others.
    for (let wanted = 0; wanted < 15; wanted++) {
      smo.assign({ wanted, wantedSide: 0, wantedUp: 1 });
      expect(core.call.bringWanted?.(segments.pointer, smo.pointer)).toBe(1);
      expect(segments.get("fresh")).toBe(wanted + 1);
      expect(row(wanted)).toEqual(kernel.block([wanted], all)[0]);
    }
    expect(company.get("met")).toBe(0);
    smo.assign({ wanted: 15, steps: 3 });
    expect(core.call.bringWanted?.(segments.pointer, smo.pointer)).toBe(1);
    expect(segments.get("fresh")).toBe(23);
    expect(company.get("met")).toBe(7);
    expect(core.readWords(company.get("steps"), 7)).toEqual(new Array(7).fill(3));
    const came = core.readWords(company.get("places"), 7);
    expect(new Set(came).size).toBe(7);
    for (const place of came) {
      expect(place).toBeGreaterThan(15);
      expect(row(place)).toEqual(kernel.block([place], all)[0]);
    }
  });

  test("own segments are copied the second time", () => {
    const { kernel, core, segments } = setUp(N, { keptBytes: 100_000 });
    const at = [core.floats(new Float32Array(N + 4)), core.floats(new Float32Array(N + 4))];
    for (const [turn, start] of at.entries()) {
      new Uint32Array(core.buffer, segments.get("places"), 2).set([3, 30]);
      new Uint32Array(core.buffer, segments.get("starts"), 2).set([start, core.floats(new Float32Array(N + 4))]);
      core.call.fillSegments?.(segments.pointer, 2);
      expect(Array.from(new Float32Array(core.buffer.slice(start, start + 4 * N)))).toEqual(kernel.block([3], all)[0]);
      expect(segments.get("computed")).toBe(2 * N + turn * N);
    }
  });

  test("are as many as there is room for, and none where there is none", () => {
    const { core, smo, segments, rounds, rowOf } = setUp(3);
    core.call.smoLook?.(rounds.pointer);
    smo.assign({ wanted: 2, wantedSide: 0, wantedUp: 0 });
    expect(core.call.bringWanted?.(segments.pointer, smo.pointer)).toBe(1);
    expect(core.readWords(rowOf, N).filter((at) => at !== 0)).toHaveLength(3);
    expect(core.call.bringWanted?.(segments.pointer, smo.pointer)).toBe(0);
  });
});

for (const isFree of [false, true]) {
  describe(isFree ? "steps of one variable" : "pair steps", () => {
    test("are those that are made one by one, whoever brings the rows", () => {
      const own = setUp(N, { isFree });
      own.rounds.assign({ segments: own.segments.pointer, tolerance: -1 });
      own.core.call.smoLook?.(own.rounds.pointer);
      expect(own.core.call.smoRounds?.(own.rounds.pointer, 150, 1e9)).toBe(smoProgress.running);
      expect(own.smo.get("steps")).toBe(150);
      expect(own.rounds.get("looked")).toBe(128);

      const other = setUp(N, { isFree });
      other.rounds.set("tolerance", -1);
      other.core.call.smoLook?.(other.rounds.pointer);
      for (let turn = 0; other.smo.get("steps") < 150; turn++) {
        // A budget of one position makes one step, or none where a row is missing.
        const said = other.core.call.smoRounds?.(other.rounds.pointer, 150, 1);
        if (said === smoProgress.wanted) expect(other.core.call.bringWanted?.(other.segments.pointer, other.smo.pointer)).toBe(1);
        else expect(said).toBe(smoProgress.running);
        expect(turn).toBeLessThan(400);
      }
      expect(other.values()).toEqual(own.values());
      expect(other.rounds.get("relativeGap")).toBe(own.rounds.get("relativeGap"));
    });

    test("end at a look that finds the gap small enough, which is that of plain sums", () => {
      const { core, side, smo, segments, rounds, values, kernel } = setUp(N, { isFree });
      rounds.assign({ segments: segments.pointer, tolerance: 1e-3 });
      core.call.smoLook?.(rounds.pointer);
      expect(core.call.smoRounds?.(rounds.pointer, 1e6, 1e9)).toBe(smoProgress.looked);
      expect(rounds.get("looked")).toBe(smo.get("steps"));
      expect(smo.get("steps") % 64).toBe(0);
      const v = values();
      const k = all.map((i) => kernel.block([i], all)[0] as number[]);
      const f = all.map((t) => all.reduce((sum, s) => sum + (v[s] as number) * ((k[s] as number[])[t] as number), 0));
      const quadratic = all.reduce((sum, t) => sum + (v[t] as number) * (f[t] as number), 0);
      const dual = all.reduce((sum, t) => sum + (y[t] as number) * (v[t] as number), 0) - 0.5 * quadratic;
      const rho = isFree ? 0 : (side.get("mostLow") - side.get("mostUp")) / 2;
      const losses = all.reduce((sum, t) => sum + C * Math.max(0, 1 - (y[t] as number) * ((f[t] as number) - rho)), 0);
      const primal = 0.5 * quadratic + losses;
      expect(Math.abs(rounds.get("primal") - primal)).toBeLessThan(1e-9 * primal);
      expect(Math.abs(smo.get("dual") - dual)).toBeLessThan(1e-9 * primal);
      expect(Math.abs(rounds.get("relativeGap") - (primal - dual) / primal)).toBeLessThan(1e-9);
      expect(rounds.get("relativeGap")).toBeLessThanOrEqual(1e-3);
      // Steps have kept account of D.
      expect(Math.abs(rounds.get("gained") - dual)).toBeLessThan(1e-6 * primal);
    });
  });
}

test("a row that there is no room for is for the host to bring", () => {
  const { core, rounds, segments, smo } = setUp(0);
  rounds.set("segments", segments.pointer);
  core.call.smoLook?.(rounds.pointer);
  expect(core.call.smoRounds?.(rounds.pointer, 100, 1e9)).toBe(smoProgress.wanted);
  expect(smo.get("steps")).toBe(0);
});

test("where the gap has not become a tenth smaller for long, the host is told", () => {
  const { core, rounds, segments, smo } = setUp(N);
  const gapAt = (): number => rounds.get("relativeGap");
  rounds.assign({ segments: segments.pointer, tolerance: -1, bestGap: 0, stretch: 256, patience: 64 });
  core.call.smoLook?.(rounds.pointer);
  // None is smaller than that: patience ends at its step.
  expect(core.call.smoRounds?.(rounds.pointer, 1e6, 1e9)).toBe(smoProgress.looked);
  expect([smo.get("steps"), rounds.get("patience")]).toEqual([64, 64]);
  // The next one counts as smaller.
  rounds.assign({ bestGap: gapAt() / 0.5, patience: 128 });
  expect(core.call.smoRounds?.(rounds.pointer, 128, 1e9)).toBe(smoProgress.running);
  expect([rounds.get("bestGap"), rounds.get("patience")]).toEqual([gapAt(), 128 + 256]);
});

test("where gains are as small as what float32 may have done, F is to be made anew", () => {
  for (const [isDrifted, noise, wanted] of [
    [1, 1, smoProgress.looked],
    [1, 0, smoProgress.running],
    [0, 1, smoProgress.running],
  ] as const) {
    const { core, rounds, segments, smo } = setUp(N);
    rounds.assign({ segments: segments.pointer, tolerance: -1 });
    core.call.smoLook?.(rounds.pointer);
    rounds.set("isDrifted", isDrifted);
    smo.set("noise", noise);
    expect(core.call.smoRounds?.(rounds.pointer, 100, 1e9)).toBe(wanted);
    expect(rounds.get("needsCleansing")).toBe(wanted === smoProgress.looked ? 1 : 0);
    expect(smo.get("steps")).toBe(wanted === smoProgress.looked ? 64 : 100);
  }
});

test("from a point that is good enough no step is made", () => {
  const { core, rounds, segments, smo } = setUp(N);
  rounds.assign({ segments: segments.pointer, relativeGap: 1e-7 });
  core.call.smoLook?.(rounds.pointer);
  expect(core.call.smoRounds?.(rounds.pointer, 100, 1e9)).toBe(smoProgress.looked);
  expect(smo.get("steps")).toBe(0);
});

test("a tolerance on the violation ends steps by that", () => {
  const { core, rounds, segments, smo } = setUp(N);
  rounds.assign({ segments: segments.pointer, byViolation: 1, tolerance: 0.5 });
  core.call.smoLook?.(rounds.pointer);
  expect(core.call.smoRounds?.(rounds.pointer, 1e6, 1e9)).toBe(smoProgress.looked);
  expect(rounds.get("violation")).toBeLessThanOrEqual(0.5);
  expect(smo.get("steps")).toBeGreaterThan(0);
});

describe("what is known of errors", () => {
  const summed = (fields: Partial<Record<keyof typeof roundsStruct.offsets, number>>) => {
    const { core, side, smo, rounds } = setUp(1);
    side.assign({ gap: 2, dual: -8 });
    smo.set("dual", -3);
    rounds.assign(fields);
    core.call.smoSum?.(rounds.pointer);
    const get = (name: keyof typeof roundsStruct.offsets): number => rounds.get(name);
    return { dual: smo.get("dual"), primal: get("primal"), gap: get("relativeGap"), rests: get("rests"), gained: get("gained") };
  };

  test("makes the gap larger and D smaller", () => {
    expect(summed({ errorGap: 0.5, errorDual: 0.25 })).toEqual({ dual: -8.25, primal: -5.5, gap: 2.75 / 8.25, rests: 0, gained: -3 });
  });

  test("rows set aside: D is what steps make of it", () => {
    expect(summed({ isWhole: 0 })).toEqual({ dual: -3, primal: -1, gap: 2 / 3, rests: 0, gained: 0 });
  });

  test("a zero model that costs nothing is better where D is nearer to 0 than the gap is large", () => {
    expect(summed({ canRest: 1 })).toMatchObject({ primal: -6, rests: 0 });
    expect(summed({ canRest: 1, errorGap: 7 })).toEqual({ dual: -8, primal: 0, gap: 1, rests: 1, gained: -3 });
  });
});

test("a look without steps measures where things stand", () => {
  const { core, rounds, smo } = setUp(1);
  core.call.smoLook?.(rounds.pointer);
  core.call.smoMeasure?.(rounds.pointer);
  // v = 0: D = 0, and P, at an offset in the middle, C for every row whose margin is not met.
  expect(smo.get("dual")).toBe(0);
  expect(rounds.get("primal")).toBe(C * N);
  expect(rounds.get("violation")).toBe(2);
});
