import { expect, test } from "vitest";
import { exp, log, log1p } from "../../../src/base/math.ts";
import { Random } from "../../../src/base/random.ts";
import { coreUnderTest } from "../../core/instance.ts";

const { call } = coreUnderTest();
const random = new Random(7);
const special = [
  0,
  -0,
  1,
  -1,
  0.5,
  2,
  Math.E,
  Number.MIN_VALUE,
  2.2250738585072014e-308,
  Number.MAX_VALUE,
  Infinity,
  -Infinity,
  Number.NaN,
];
const exponents = [...special, 709.78, 709.79, -745.13, -745.14, -708.4, -708.3, 1e-20, 0.34657359, -0.34657359];
for (let k = 0; k < 20_000; k++) exponents.push((random.unit() - 0.5) * 10 ** (4 * random.unit() - 1));
const arguments_ = [...special];
for (let k = 0; k < 20_000; k++) arguments_.push(random.unit() * 10 ** (600 * random.unit() - 300), 0.6 + random.unit());

/** Distance in units of the last place; 0 for equal values, NaN equal to NaN. */
function ulps(a: number, b: number): number {
  if (Object.is(a, b) || a === b) return 0;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return Infinity;
  const view = new DataView(new ArrayBuffer(16));
  view.setFloat64(0, a);
  view.setFloat64(8, b);
  return Math.abs(Number(view.getBigInt64(0) - view.getBigInt64(8)));
}

test("exp is the same in the core and in TypeScript, bit for bit", () => {
  for (const x of exponents) expect(Object.is(call.exp?.(x), exp(x)), `exp(${x})`).toBe(true);
});

test("log is the same in the core and in TypeScript, bit for bit", () => {
  for (const x of arguments_) expect(Object.is(call.log?.(x), log(x)), `log(${x})`).toBe(true);
});

// Ours is within 1 ulp of the true value and so is the host's: together at most 2 apart.
test("exp is right to the last place or its neighbour", () => {
  for (const x of exponents) expect(ulps(exp(x), Math.exp(x)), `exp(${x})`).toBeLessThanOrEqual(2);
});

test("log is right to the last place or its neighbour", () => {
  for (const x of arguments_) expect(ulps(log(x), Math.log(x)), `log(${x})`).toBeLessThanOrEqual(2);
});

const additions = [0, -0, 1, 0.5, Number.MIN_VALUE, Number.MAX_VALUE, Infinity, -0.5, -1 + 2 ** -53, 2 ** -53, -(2 ** -53), 2 ** -52];
for (let k = 0; k < 20_000; k++)
  additions.push(random.unit() * 10 ** (600 * random.unit() - 300), (random.unit() - 0.5) * 10 ** (-20 * random.unit()));

test("log1p is the same in the core and in TypeScript, bit for bit", () => {
  for (const x of additions) expect(Object.is(call.log1p?.(x), log1p(x)), `log1p(${x})`).toBe(true);
});

// A logarithm within 1 ulp, one more for the correction and its addition, and the host's own.
test("log1p is right to the last places, small arguments included", () => {
  for (const x of additions) expect(ulps(log1p(x), Math.log1p(x)), `log1p(${x})`).toBeLessThanOrEqual(3);
});
