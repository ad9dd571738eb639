import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { type CoreUnderTest, coreUnderTest, lengths, shifts } from "../../core/instance.ts";
import { normal } from "../../problems/generate.ts";

/** n * eps * sum of |terms|: what n additions in any order can lose. */
function bound(terms: readonly number[]): number {
  return terms.length * Number.EPSILON * terms.reduce((sum, term) => sum + Math.abs(term), 0);
}

function numbers(n: number, seed: number): number[] {
  const random = new Random(seed);
  return Array.from({ length: n }, () => normal(random));
}

const floats = (n: number, seed: number): number[] => numbers(n, seed).map(Math.fround);
const sum = (terms: readonly number[]): number => terms.reduce((total, term) => total + term, 0);

/** n distinct indices below 2n, rising. */
const indicesOf = (n: number): number[] => Array.from({ length: n }, (_, k) => 2 * k + (k % 2));

function everywhere(name: string, check: (core: CoreUnderTest, n: number, shift: number) => void): void {
  describe(name, () => {
    for (const n of lengths) {
      for (const shift of shifts) test(`${n} elements, shifted by ${shift} bytes`, () => check(coreUnderTest(), n, shift));
    }
  });
}

everywhere("dot is the sum of the products", (core, n, shift) => {
  const a = numbers(n, 1);
  const b = numbers(n, 2);
  const terms = a.map((value, k) => value * (b[k] as number));
  const got = core.call.dot?.(core.doubles(a, shift), core.doubles(b, shift), n) as number;
  expect(Math.abs(got - sum(terms))).toBeLessThanOrEqual(bound(terms));
});

everywhere("axpy adds a multiple, and touches nothing behind the end", (core, n, shift) => {
  const a = numbers(n, 1);
  const b = [...numbers(n, 2), 77];
  const at = core.doubles(b, shift);
  core.call.axpy?.(at, 0.3, core.doubles(a, shift), n);
  expect(core.readDoubles(at, n + 1)).toEqual([...a.map((value, k) => (b[k] as number) + 0.3 * value), 77]);
});

everywhere("denseDot multiplies float32 by float64", (core, n, shift) => {
  const x = floats(n, 1);
  const w = numbers(n, 2);
  const terms = x.map((value, k) => value * (w[k] as number));
  const got = core.call.denseDot?.(core.floats(x, shift), core.doubles(w, shift), n) as number;
  expect(Math.abs(got - sum(terms))).toBeLessThanOrEqual(bound(terms));
});

everywhere("denseAxpy adds a multiple of a float32 row, and touches nothing behind the end", (core, n, shift) => {
  const x = floats(n, 1);
  const w = [...numbers(n, 2), 77];
  const at = core.doubles(w, shift);
  core.call.denseAxpy?.(at, -1.7, core.floats(x, shift), n);
  expect(core.readDoubles(at, n + 1)).toEqual([...x.map((value, k) => (w[k] as number) + -1.7 * value), 77]);
});

everywhere("sparseDot looks the weights up", (core, n, shift) => {
  const values = floats(n, 1);
  const indices = indicesOf(n);
  const w = numbers(2 * n, 2);
  const terms = values.map((value, k) => value * (w[indices[k] as number] as number));
  const got = core.call.sparseDot?.(core.floats(values, shift), core.words(indices, shift), core.doubles(w, shift), n) as number;
  expect(Math.abs(got - sum(terms))).toBeLessThanOrEqual(bound(terms));
});

everywhere("sparseAxpy changes the named weights and no others", (core, n, shift) => {
  const values = floats(n, 1);
  const indices = indicesOf(n);
  const w = numbers(2 * n + 1, 2);
  const at = core.doubles(w, shift);
  core.call.sparseAxpy?.(at, 0.9, core.floats(values, shift), core.words(indices, shift), n);
  const expected = [...w];
  for (let k = 0; k < n; k++) expected[indices[k] as number] = (w[indices[k] as number] as number) + 0.9 * (values[k] as number);
  expect(core.readDoubles(at, w.length)).toEqual(expected);
});

everywhere("squaredNorm sums the squares", (core, n, shift) => {
  const x = floats(n, 1);
  const terms = x.map((value) => value * value);
  const got = core.call.squaredNorm?.(core.floats(x, shift), n) as number;
  expect(Math.abs(got - sum(terms))).toBeLessThanOrEqual(bound(terms));
});
