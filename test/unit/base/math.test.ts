import { describe, expect, test } from "vitest";
import { exp, log } from "../../../src/base/math.ts";
import { Random } from "../../../src/base/random.ts";

// Exact arithmetic to judge by: fixed point with this many bits behind the point. The smallest double is 2^-1074, so even
// of that more than 300 bits are right.
const BITS = 1400n;
const ONE = 1n << BITS;

/** A double as fixed point, exactly. */
function fixed(x: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(x));
  const bits = view.getBigUint64(0);
  const exponent = bits >> 52n;
  const mantissa = (bits & 0xfffffffffffffn) | (exponent > 0n ? 1n << 52n : 0n);
  // x = mantissa 2^(exponent - 1075), where a subnormal has the exponent of the smallest normal number.
  const magnitude = mantissa << (BITS - 1075n + (exponent > 0n ? exponent : 1n));
  return x < 0 ? -magnitude : magnitude;
}

/** e^x in fixed point: the Taylor series of x / 2^16, squared 16 times. */
function exactExp(x: bigint): bigint {
  const small = x >> 16n;
  let term = ONE;
  let sum = ONE;
  for (let k = 1n; term > 1n || term < -1n; k++) {
    term = ((term * small) >> BITS) / k;
    sum += term;
  }
  for (let k = 0; k < 16; k++) sum = (sum * sum) >> BITS;
  return sum;
}

/** The distance from a double to its neighbour further from 0. */
function ulp(x: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(x));
  view.setBigUint64(0, view.getBigUint64(0) + 1n);
  return view.getFloat64(0) - Math.abs(x);
}

/** |error| as a multiple of the last place of `value`; the quotient has 20 bits behind the point. */
function inUlps(error: bigint, value: number): number {
  return Number(((error < 0n ? -error : error) << 20n) / fixed(ulp(value))) / 2 ** 20;
}

/** How far the doubles are apart, counted in doubles. */
function doublesBetween(a: number, b: number): number {
  const place = (x: number): bigint => {
    const bits = new BigInt64Array(Float64Array.of(x).buffer)[0] as bigint;
    return bits < 0n ? -(bits & 0x7fffffffffffffffn) : bits;
  };
  return Math.abs(Number(place(a) - place(b)));
}

const random = new Random(12);
const exponents = [1, -1, 0.5, 1e-20, -1e-20, 709.782712893384, 709, -708.4, -720.5, -745.1332191019411, 0.34657359027997264, -0.34657359];
for (let k = 0; k < 600; k++) exponents.push((random.unit() - 0.5) * 1400, (random.unit() - 0.5) * 10 ** (8 * random.unit() - 7));
const positives = [2, 0.5, Math.E, Math.SQRT2, Math.SQRT1_2, 1 + 2 ** -52, 1 - 2 ** -53, Number.MIN_VALUE, Number.MAX_VALUE];
positives.push(2.2250738585072014e-308, 2.225073858507201e-308);
for (let k = 0; k < 600; k++) positives.push(10 ** (616 * random.unit() - 308), 0.5 + random.unit() * 1.5, 1 + random.unit() * 1e-6);

describe("exp", () => {
  test("is within one unit in the last place of the true value", () => {
    for (const x of exponents) {
      const value = exp(x);
      expect(inUlps(fixed(value) - exactExp(fixed(x)), value), `exp(${x})`).toBeLessThan(1);
    }
  });

  // The host promises no more than a neighbour of the true value either.
  test("is at most two doubles away from the host's", () => {
    for (const x of exponents) expect(doublesBetween(exp(x), Math.exp(x)), `exp(${x})`).toBeLessThanOrEqual(2);
  });

  const specials: readonly [x: number, value: number][] = [
    [0, 1],
    [-0, 1],
    [Number.MIN_VALUE, 1],
    [-Number.MIN_VALUE, 1],
    [Number.NaN, Number.NaN],
    [Infinity, Infinity],
    [-Infinity, 0],
    [Number.MAX_VALUE, Infinity],
    [-Number.MAX_VALUE, 0],
    // The neighbours of the limits: e^x passes the largest double, or falls below half the smallest one.
    [709.7827128933841, Infinity],
    [-745.1332191019412, 0],
    [-745.1332191019411, Number.MIN_VALUE],
  ];
  for (const [x, value] of specials) {
    test(`of ${Object.is(x, -0) ? "-0" : x} is ${value}`, () => {
      expect(exp(x)).toBe(value);
    });
  }

  test("of the largest number that does not overflow is finite", () => {
    expect(exp(709.782712893384)).toBeLessThan(Infinity);
    expect(exp(709.782712893384)).toBeGreaterThan(1.797e308);
  });
});

describe("log", () => {
  test("is within one unit in the last place of the true value", () => {
    for (const x of positives) {
      const value = log(x);
      // ln x = y + ln(x e^-y), and ln(1 + t) is t up to t^2 / 2. |y| < 745, so a unit of its last place is at most 2^-43: a
      // t of that size makes t^2 / 2 a 2^-44th of a unit.
      const error = ((fixed(x) * exactExp(-fixed(value))) >> BITS) - ONE;
      expect(inUlps(error, value), `log(${x})`).toBeLessThan(1);
    }
  });

  test("is at most two doubles away from the host's", () => {
    for (const x of positives) expect(doublesBetween(log(x), Math.log(x)), `log(${x})`).toBeLessThanOrEqual(2);
  });

  const specials: readonly [x: number, value: number][] = [
    [1, 0],
    [0, -Infinity],
    [-0, -Infinity],
    [-1, Number.NaN],
    [-Number.MIN_VALUE, Number.NaN],
    [-Infinity, Number.NaN],
    [Number.NaN, Number.NaN],
    [Infinity, Infinity],
  ];
  for (const [x, value] of specials) {
    test(`of ${Object.is(x, -0) ? "-0" : x} is ${value}`, () => {
      expect(log(x)).toBe(value);
    });
  }
});
