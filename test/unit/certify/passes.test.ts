// The passes by the core beside those by plain loops: the same bits.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { corePasses, passesBytes, plainPasses } from "../../../src/certify/passes.ts";
import { matrix } from "../../../src/index.ts";
import { taskHere } from "../../solve-here.ts";

const random = new Random(5);
const FEATURES = 19;
const dense = Array.from({ length: 40 }, () => Array.from({ length: FEATURES }, () => 2 * random.unit() - 1));
const sparse = dense.map((row, i) => [
  row.map((_, j) => j).filter((j) => (i + j * j) % 3 === 0),
  row.filter((_, j) => (i + j * j) % 3 === 0),
]);
const w = Float64Array.from({ length: FEATURES }, () => 10 ** (6 * random.unit() - 3));
const rowIds = Uint32Array.from([3, 0, 39, 7, 7, 21]);
/** More than a call of the core takes. */
const long = Uint32Array.from({ length: 700 }, (_, k) => (k * k) % 40);

describe.each([
  ["dense", matrix(dense)],
  ["csr", matrix(sparse as never, { featureCount: FEATURES })],
] as const)("%s rows", (kind, x) => {
  const passes = corePasses(taskHere(x, passesBytes(long.length, FEATURES))(), long.length);
  const plain = plainPasses(x);

  test("are what the name says", () => {
    expect(x.kind).toBe(kind);
  });

  test("times weights", () => {
    const products = Array.from(plain.times(rowIds, w));
    expect(Array.from(passes.times(rowIds, w))).toEqual(products);
    expect(new Set(products).size).toBe(5);
    expect(Array.from(passes.times(rowIds.subarray(2, 4), w))).toEqual(products.slice(2, 4));
  });

  test("of long lists", () => {
    const coefficients = Float64Array.from(long, (_, k) => (k % 5) - 1.7);
    expect(Array.from(passes.times(long, w))).toEqual(Array.from(plain.times(long, w)));
    expect(Array.from(passes.sum(long, coefficients))).toEqual(Array.from(plain.sum(long, coefficients)));
  });

  test("but not times fewer weights than features", () => {
    expect(() => passes.times(rowIds, w.subarray(1))).toThrow("18 weights for 19 features");
  });

  test("times weights of features that no row has", () => {
    expect(Array.from(passes.times(rowIds, Float64Array.of(...w, 5, 6)))).toEqual(Array.from(plain.times(rowIds, w)));
  });

  test("summed, those of 0 left out", () => {
    const coefficients = Float64Array.of(0.1, -3, 0, 1e-3, 7, 1 / 3);
    const u = Array.from(plain.sum(rowIds, coefficients));
    expect(Array.from(passes.sum(rowIds, coefficients))).toEqual(u);
    // Once more: nothing of the last sum is left.
    expect(Array.from(passes.sum(rowIds, coefficients))).toEqual(u);
    expect(u.every((value) => value !== 0)).toBe(kind === "dense");
    expect(Array.from(passes.sum(rowIds, new Float64Array(6)))).toEqual(Array.from(w, () => 0));
  });
});
