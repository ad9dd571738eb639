import { expect, test } from "vitest";
import { exp32, power32, tanh32 } from "../../../src/base/float32.ts";
import { kernelKinds, kernelStruct } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";

/** What the core makes of four numbers. */
function four(name: "expLane" | "tanhLane" | "powerLane", x: readonly number[], ...more: number[]): number[] {
  const core = coreUnderTest();
  const from = core.floats(x);
  const at = core.take(16);
  if (name === "powerLane") core.call.powerLane?.(from, at, 4, ...more);
  else if (name === "expLane") core.call.expLane?.(from, at, 4, core.take(208));
  else core.call.tanhLane?.(from, at, 4, core.take(208));
  return Array.from(new Float32Array(core.buffer.slice(at, at + 16)));
}

/** The distance of two float32 numbers above 0, in steps from one to the next. */
function steps(a: number, b: number): number {
  const [p, q] = new Int32Array(Float32Array.of(a, b).buffer);
  return Math.abs((p as number) - (q as number));
}

test("expLane is within 2 ulp of e^x, and exact at 0", () => {
  const core = coreUnderTest();
  const at = core.floats([0, 0, 0, 0]);
  const lanes = new Float32Array(core.buffer, at, 4);
  const constants = core.take(208);
  let worst = 0;
  for (let k = 0; k < 100_000; k++) {
    const x = Float32Array.from([0, 1, 2, 3], (lane) => -87.3 + (175 * (4 * k + lane)) / 400_000);
    lanes.set(x);
    core.call.expLane?.(at, at, 4, constants);
    x.forEach((value, lane) => {
      worst = Math.max(worst, steps(lanes[lane] as number, Math.fround(Math.exp(value))));
      if (lanes[lane] !== exp32(value)) throw new Error(`exp32(${value}) differs`);
    });
  }
  expect(worst).toBeLessThanOrEqual(2);
  expect(four("expLane", [0, -0, 0, 0])).toEqual([1, 1, 1, 1]);
});

test("lessLane is e^x - 1 with all its digits near 0", () => {
  const core = coreUnderTest();
  const x = Array.from({ length: 4001 }, (_, k) => Math.fround(k < 2000 ? -(2 ** (-30 + (k / 2000) * 36)) : -(k - 2000) / 250));
  const at = core.floats([...x, 0, 0, 0]);
  const out = core.take(4 * x.length + 16);
  core.call.lessLane?.(at, out, x.length, core.take(208));
  const got = new Float32Array(core.buffer.slice(out, out + 4 * x.length));
  x.forEach((value, k) => {
    const wanted = Math.expm1(value);
    expect(Math.abs((got[k] as number) - wanted)).toBeLessThanOrEqual(2 ** -22 * Math.abs(wanted));
  });
  expect(got[2000]).toBe(0);
});

test("expLane is 0 below the normal numbers, and right up to 88", () => {
  const [a, b, c, d] = four("expLane", [-87.4, -1e30, -Infinity, 88]);
  expect([a, b, c]).toEqual([0, 0, 0]);
  expect(steps(d as number, Math.fround(Math.exp(88)))).toBeLessThanOrEqual(2);
});

test("expLane: whatever the count, each number has its place, and at most three more are written", () => {
  for (const count of [1, 4, 5, 8, 12, 13, 20]) {
    const core = coreUnderTest();
    const x = Array.from({ length: 4 * Math.ceil(count / 4) }, (_, k) => -0.3 * k);
    const at = core.floats(new Array(32).fill(-1));
    core.call.expLane?.(core.floats(x), at, count, core.take(208));
    const got = Array.from(new Float32Array(core.buffer, at, 32));
    expect(got.slice(0, x.length)).toEqual(x.map((value) => exp32(Math.fround(value))));
    expect(got.slice(x.length)).toEqual(new Array(32 - x.length).fill(-1));
  }
});

test("finishLane: a negative gamma leads no farther than e^88", () => {
  const core = coreUnderTest();
  const kernel = new StructView(kernelStruct, core.buffer, core.take(kernelStruct.size));
  kernel.assign({ kind: kernelKinds.rbf, tileSquares: core.floats([0, 1e4, 1, 9]), constants: core.take(208), gamma: -1 });
  const at = core.take(16);
  core.call.finishLane?.(kernel.pointer, core.floats([0, 0, 0, 0]), at, 0, 4);
  const [a, b, c, d] = new Float32Array(core.buffer.slice(at, at + 16));
  [Math.exp(0), Math.exp(88), Math.exp(1), Math.exp(9)].forEach((wanted, k) => {
    expect(steps([a, b, c, d][k] as number, Math.fround(wanted))).toBeLessThanOrEqual(2);
  });
});

test("tanhLane is within 2^-22 of tanh x", () => {
  const xs = [-1e9, -20, -3, -1, -0.1, -1e-3, 0, 1e-4, 0.01, 0.5, 1, 2, 5, 9, 30, 1e9];
  for (let k = 0; k < xs.length; k += 4) {
    const some = xs.slice(k, k + 4);
    four("tanhLane", some).forEach((value, lane) => {
      expect(Math.abs(value - Math.tanh(Math.fround(some[lane] as number)))).toBeLessThan(2 ** -22);
    });
  }
});

test("powerLane multiplies, also by none", () => {
  for (const degree of [0, 1, 2, 3, 4, 5, 7, 10]) {
    four("powerLane", [1.5, -2, 0, 0.25], degree).forEach((value, lane) => {
      const wanted = ([1.5, -2, 0, 0.25][lane] as number) ** degree;
      expect(Math.abs(value - wanted)).toBeLessThanOrEqual(1e-6 * Math.abs(wanted));
    });
  }
});

test("one number at a time: the same bits", () => {
  for (const x of [-1e30, -87.4, -87.33, -3.7, -0.5, -1e-8, 0, 1e-3, 0.5, 1, 20, 88]) {
    const value = Math.fround(x);
    expect(four("expLane", [value, value, value, value])[2]).toBe(exp32(value));
    expect(four("tanhLane", [value, value, value, value])[1]).toBe(tanh32(value));
    for (const degree of [0, 1, 3, 6]) expect(four("powerLane", [value, 0, 0, 0], degree)[0]).toBe(power32(value, degree));
  }
});

test("finishLane: from dot products to kernel values", () => {
  for (const [kind, wanted] of [
    ["rbf", (z: number, square: number) => Math.exp(-0.5 * (2 + square - 2 * z))],
    ["sigmoid", (z: number) => Math.tanh(0.5 * z + 0.25)],
    ["polynomial", (z: number) => (0.5 * z + 0.25) ** 3],
  ] as const) {
    const core = coreUnderTest();
    const kernel = new StructView(kernelStruct, core.buffer, core.take(kernelStruct.size));
    const dots = [0.1, -0.4, 0.9, 0.3, 0.7];
    const squares = [1, 2, 3, 1.5, 2.5];
    kernel.assign({
      kind: kernelKinds[kind],
      degree: 3,
      isWide: 0,
      tileSquares: core.floats([...squares, 0, 0, 0]),
      constants: core.take(208),
      gamma: 0.5,
      coef0: 0.25,
    });
    const at = core.take(32);
    core.call.finishLane?.(kernel.pointer, core.floats([...dots, 0, 0, 0]), at, 2, 5);
    const got = new Float32Array(core.buffer.slice(at, at + 20));
    dots.forEach((z, k) => {
      expect(Math.abs((got[k] as number) - wanted(z, squares[k] as number))).toBeLessThan(1e-6);
    });
    // The same of any lanes, of rbf from arguments.
    const inputs = kind === "rbf" ? dots.map((z, k) => -0.5 * (2 + (squares[k] as number) - 2 * z)) : dots;
    const all = core.take(32);
    core.call.finishAll?.(kernel.pointer, core.floats([...inputs, 0, 0, 0]), all, 5);
    new Float32Array(core.buffer.slice(all, all + 20)).forEach((value, k) => {
      expect(Math.abs(value - wanted(dots[k] as number, squares[k] as number))).toBeLessThan(1e-6);
    });
  }
});
