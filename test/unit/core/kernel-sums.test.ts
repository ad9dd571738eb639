// The judge's own kernel sums against plain ones.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { auditStruct, kernelKinds } from "../../../src/runtime/layout.ts";
import { StructView } from "../../../src/runtime/struct.ts";
import { coreUnderTest } from "../../core/instance.ts";
import { putRows } from "../../core/rows.ts";

const random = new Random(21);
const rows = Array.from({ length: 23 }, () =>
  Array.from({ length: 7 }, () => (random.unit() < 0.6 ? Math.fround(2 * random.unit() - 1) : 0)),
);
const at = <T>(list: readonly T[], k: number): T => list[k] as T;
const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, j) => sum + value * at(b, j), 0);

interface Kernel {
  readonly kind: "rbf" | "polynomial" | "sigmoid";
  readonly gamma: number;
  readonly coef0: number;
  readonly degree: number;
}

function kernelValue({ kind, gamma, coef0, degree }: Kernel, u: readonly number[], v: readonly number[]): number {
  if (kind === "rbf") return Math.exp(-gamma * u.reduce((sum, value, j) => sum + (value - at(v, j)) ** 2, 0));
  const z = gamma * dot(u, v) + coef0;
  return kind === "sigmoid" ? Math.tanh(z) : z ** degree;
}

interface Sums {
  readonly storage: "dense" | "csr";
  readonly vectors: readonly number[];
  readonly coefficients: readonly (readonly number[])[];
  readonly ids: readonly number[];
  /** Rows a call. */
  readonly cut?: number;
}

/** The sums of the rows `ids`, column by column. */
function sumsOf(
  own: readonly (readonly number[])[],
  kernel: Kernel,
  { storage, vectors, coefficients, ids, cut = ids.length }: Sums,
): number[][] {
  const core = coreUnderTest();
  const d = at(own, 0).length;
  const columns = coefficients[0]?.length ?? 1;
  const zeros = (count: number): number => core.doubles(new Float64Array(count));
  const state = new StructView(auditStruct, core.buffer, core.take(auditStruct.size));
  const lanes = zeros(8 * d);
  state.assign({
    ...{ rows: putRows(core, storage, own, d), kind: kernelKinds[kernel.kind], degree: kernel.degree, columns },
    ...{ vectors: core.words(vectors), vectorCount: vectors.length, squares: zeros(vectors.length) },
    ...{ coefficients: core.doubles(coefficients.flat()), lanes, laneSquares: zeros(8), sums: zeros(8 * columns) },
    ...{ tile: zeros(8 * 64), constants: zeros(2 * 19) },
    ...{ gamma: kernel.gamma, coef0: kernel.coef0 },
  });
  core.call.auditStart?.(state.pointer);
  const out = zeros(columns * ids.length);
  const list = core.words(ids);
  for (let first = 0; first < ids.length; first += cut) {
    core.call.auditRows?.(state.pointer, list + 4 * first, Math.min(cut, ids.length - first), out, first, ids.length);
  }
  expect(core.readDoubles(lanes, 8 * d)).toEqual(new Array(8 * d).fill(0));
  return Array.from({ length: columns }, (_, c) => core.readDoubles(out + 8 * c * ids.length, ids.length));
}

const kernels: readonly Kernel[] = [
  { kind: "rbf", gamma: 0.7, coef0: 0, degree: 0 },
  { kind: "polynomial", gamma: 0.5, coef0: 1, degree: 4 },
  { kind: "polynomial", gamma: -0.5, coef0: 0.1, degree: 0 },
  { kind: "sigmoid", gamma: 0.3, coef0: -0.2, degree: 0 },
];

const vectors = [2, 3, 5, 8, 13, 21, 22];
const coefficients = vectors.map((_, s) => [s - 2.5, 0.25 * s]);
const ids = rows.map((_, i) => i);

for (const kernel of kernels) {
  describe(JSON.stringify(kernel), () => {
    for (const storage of ["dense", "csr"] as const) {
      for (const count of [7, 6, 1, 0]) {
        test(`${storage}, ${count} support vectors: plain sums`, () => {
          const some = { storage, vectors: vectors.slice(0, count), coefficients: coefficients.slice(0, count), ids };
          sumsOf(rows, kernel, some).forEach((sums, c) => {
            sums.forEach((got, i) => {
              const terms = some.vectors.map((s, k) => at(at(some.coefficients, k), c) * kernelValue(kernel, at(rows, s), at(rows, i)));
              const [wanted, size] = [terms.reduce((a, b) => a + b, 0), terms.reduce((a, b) => a + Math.abs(b), 0)];
              // A dozen roundings a value, and one a term: 32 in all.
              expect(Math.abs(got - wanted)).toBeLessThanOrEqual(32 * 2 ** -52 * Math.max(size, 1));
            });
          });
        });
      }
    }

    test("the same bits for any cut, in any order, dense or sparse, one column or two", () => {
      const whole = sumsOf(rows, kernel, { storage: "csr", vectors, coefficients, ids });
      expect(sumsOf(rows, kernel, { storage: "dense", vectors, coefficients, ids })).toEqual(whole);
      for (const cut of [1, 3, 8, 11]) expect(sumsOf(rows, kernel, { storage: "csr", vectors, coefficients, ids, cut })).toEqual(whole);
      const turned = sumsOf(rows, kernel, { storage: "dense", vectors, coefficients, ids: [...ids].reverse(), cut: 5 });
      expect(turned.map((column) => column.reverse())).toEqual(whole);
      const second = sumsOf(rows, kernel, { storage: "csr", vectors, coefficients: coefficients.map((pair) => pair.slice(1)), ids });
      expect(second).toEqual(whole.slice(1));
    });
  });
}

test("e^x is right to 2 ulp from 0 down to where it is no normal number, and 0 beyond; a row is at distance 0 from itself", () => {
  const gamma = 1;
  const places = [0, ...Array.from({ length: 300 }, (_, k) => Math.fround(Math.sqrt(0.001 + k * 2.4))), 27];
  const line = places.map((place) => [place]);
  const got = at(
    sumsOf(
      line,
      { kind: "rbf", gamma, coef0: 0, degree: 0 },
      { storage: "dense", vectors: [0], coefficients: [[1]], ids: line.map((_, i) => i) },
    ),
    0,
  );
  places.forEach((place, i) => {
    const square = place * place;
    if (square > 708) expect(at(got, i)).toBe(0);
    // The square of a float32 number is exact in float64. 2 ulp, and half a one for the host's.
    else expect(Math.abs(at(got, i) / Math.exp(-square) - 1)).toBeLessThanOrEqual(2.5 * 2 ** -52);
  });
  const odd = [
    [0.1, 1e4, -3],
    [0.1, 1e4, -3],
  ].map((row) => row.map(Math.fround));
  expect(
    sumsOf(odd, { kind: "rbf", gamma: 5, coef0: 0, degree: 0 }, { storage: "csr", vectors: [0], coefficients: [[1]], ids: [0, 1] }),
  ).toEqual([[1, 1]]);
});

test("what is no number stays none", () => {
  const given = sumsOf(
    [[Number.NaN], [1]],
    { kind: "rbf", gamma: 1, coef0: 0, degree: 0 },
    { storage: "dense", vectors: [0], coefficients: [[1]], ids: [1] },
  );
  expect(given).toEqual([[Number.NaN]]);
});
