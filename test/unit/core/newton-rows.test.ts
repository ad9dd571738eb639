// The passes of both Newton methods against differences of the losses' sum: what they call gradient, Hessian and diagonal must be.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { type NewtonCase, NewtonUnderTest } from "../../core/newton.ts";
import { denseRows, normal, sparseSet } from "../../problems/generate.ts";

const n = 40;
const d = 6;
const set = sparseSet(n, d, 3, 9);
const x = denseRows(set).map((row) => row.map(Math.fround));
const costs = set.y.map((_, i) => 0.5 + (i % 4));
const random = new Random(3);

/** The same four passes, binary or multinomial. */
class Passes {
  readonly #it: NewtonUnderTest;
  readonly #binary: boolean;

  constructor(given: NewtonCase) {
    this.#it = new NewtonUnderTest(given);
    this.#binary = given.classCount === 1;
  }

  get it(): NewtonUnderTest {
    return this.#it;
  }

  /** Losses at w (fresh, from scores 0), in slices of `slice` rows. */
  losses(w: readonly number[], slice = n): { sum: number; gradient: number[]; alphas: number } {
    const { core, state, space } = this.#it;
    this.#it.input = w;
    core.call.spreadSheets?.(state);
    space.activeCounts.fill(0);
    this.#sliced(slice, (from, to) => {
      if (this.#binary) core.call.lossRows?.(state, 0, from, to, 1, 1);
      else core.call.multinomialLossRows?.(state, 0, from, to, 1, 1);
    });
    core.call.gatherSheets?.(state);
    return { sum: space.tail[0], gradient: this.#it.output, alphas: space.tail[1] };
  }

  /** Hessian times v where the losses were last taken. */
  curve(v: readonly number[], slice = n): { product: number[]; bend: number } {
    const { core, state, space } = this.#it;
    this.#it.input = v;
    core.call.spreadSheets?.(state);
    const count = space.activeCounts[0] as number;
    this.#sliced(slice, (from, to) => {
      if (this.#binary) core.call.curveRows?.(state, 0, Math.min(from, count), Math.min(to, count));
      else core.call.multinomialCurveRows?.(state, 0, Math.min(from, count), Math.min(to, count));
    });
    return { product: this.#it.output, bend: space.tail[0] };
  }

  diagonal(): number[] {
    const { core, state, space } = this.#it;
    core.call.spreadSheets?.(state);
    const count = space.activeCounts[0] as number;
    if (this.#binary) core.call.diagonalRows?.(state, 0, 0, count);
    else core.call.multinomialDiagonalRows?.(state, 0, 0, count);
    return this.#it.output;
  }

  /** Sum, slope and bend at t along the steps that the losses last took, from scores 0. */
  line(t: number): readonly [number, number, number] {
    const { core, state, space } = this.#it;
    core.call.spreadSheets?.(state);
    if (this.#binary) core.call.lineRows?.(state, 0, 0, n, t);
    else core.call.multinomialLineRows?.(state, 0, 0, n, t);
    return space.tail;
  }

  /** The factor's matrix from a sample. */
  sample(share: number): Float64Array {
    const { core, state, space } = this.#it;
    core.call.factorStart?.(state);
    if (this.#binary) core.call.sampleRows?.(state, 0, 0, space.activeCounts[0] as number, share);
    else core.call.multinomialSampleRows?.(state, 0, 0, space.activeCounts[0] as number, share);
    return this.#it.array("factor", (d + 1) ** 2).slice();
  }

  #sliced(slice: number, run: (from: number, to: number) => void): void {
    for (let from = 0; from < n; from += slice) run(from, Math.min(n, from + slice));
  }
}

const cases: readonly (NewtonCase & { name: string })[] = [
  ...(["squared_hinge", "logistic"] as const).flatMap((loss) =>
    (["csr", "dense"] as const).map((kind) => ({
      name: `${loss}, ${kind}`,
      ...{ x, costs, targets: set.y, classCount: 1, loss, kind, biasScale: 1.5 },
    })),
  ),
  ...(["csr", "dense"] as const).map((kind) => ({
    name: `squared tube, ${kind}`,
    ...{ x, costs, targets: set.y.map((sign, i) => sign * (1 + (i % 5))), classCount: 1, kind, biasScale: 1.5 },
    ...{ loss: "squared_epsilon_insensitive" as const, epsilon: 0.5 },
  })),
  ...[3, 10].flatMap((classCount) =>
    (["csr", "dense"] as const).map((kind) => ({
      name: `${classCount} classes, ${kind}`,
      ...{ x, costs, targets: set.y.map((_, i) => (i * 5) % classCount), classCount, kind, biasScale: 1.5 },
    })),
  ),
];

for (const given of cases) {
  describe(given.name, () => {
    const passes = new Passes(given);
    const { width } = passes.it.space;
    const real = (v: number): boolean => v % width < given.classCount;
    const any = (size: number): number[] => Array.from({ length: (d + 1) * width }, (_, v) => (real(v) ? size * normal(random) : 0));
    const w = any(0.3);
    const at = (v: readonly number[], t: number): number[] => w.map((value, k) => value + t * (v[k] as number));
    const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, k) => sum + value * (b[k] as number), 0);
    // A central difference of step h is right to h^2 times the third derivative, and to the rounding of sums near 100 over h.
    const h = 1e-5;
    const near = 1e-5;

    test("gradient and slope are the differences of the losses' sum", () => {
      for (let trial = 0; trial < 5; trial++) {
        const v = any(1);
        const slope = (passes.losses(at(v, h)).sum - passes.losses(at(v, -h)).sum) / (2 * h);
        const { gradient, sum } = passes.losses(w);
        expect(Math.abs(dot(gradient, v) - slope)).toBeLessThan(near * (1 + Math.abs(slope)));
        expect(passes.line(1)[0]).toBeCloseTo(sum, 10);
        expect(passes.line(1)[1]).toBeCloseTo(dot(gradient, w), 9);
      }
    });

    test("Hessian times a vector is the difference of gradients, and the bend is its product with the vector", () => {
      for (let trial = 0; trial < 5; trial++) {
        const v = any(1);
        const ahead = passes.losses(at(v, h)).gradient;
        const behind = passes.losses(at(v, -h)).gradient;
        passes.losses(w);
        const { product, bend } = passes.curve(v);
        product.forEach((value, k) => {
          const difference = ((ahead[k] as number) - (behind[k] as number)) / (2 * h);
          expect(Math.abs(value - difference)).toBeLessThan(near * 100);
        });
        expect(bend).toBeCloseTo(dot(product, v), 8);
      }
      passes.losses(w);
      const { bend } = passes.curve(w);
      expect(passes.line(1)[2]).toBeCloseTo(bend, 8);
    });

    test("the diagonal is the Hessian's", () => {
      passes.losses(w);
      const diagonal = passes.diagonal();
      for (let v = 0; v < w.length; v++) {
        if (!real(v)) continue;
        const unit = w.map((_, k) => (k === v ? 1 : 0));
        expect(diagonal[v]).toBeCloseTo(passes.curve(unit).product[v] as number, 9);
      }
    });

    test("any slices give the same bits", () => {
      const whole = passes.losses(w);
      const product = passes.curve(w);
      for (const slice of [1, 7]) {
        expect(passes.losses(w, slice)).toEqual(whole);
        expect(passes.curve(w, slice)).toEqual(product);
      }
    });

    test("the factor's matrix is the identity and the rows times their bends; a sample stands for all", () => {
      passes.losses(w);
      const bends = passes.it.array("bends", n * width);
      const active = new Set(passes.it.core.readWords(passes.it.space.state.get("active"), passes.it.space.activeCounts[0] as number));
      const bendOf = (i: number): number => {
        if (!active.has(i)) return 0;
        if (given.classCount === 1) return bends[i] as number;
        const p = Array.from(bends.slice(i * width, i * width + given.classCount));
        return ((costs[i] as number) * p.reduce((sum, value) => sum + value * (1 - value), 0)) / given.classCount;
      };
      const matrix = passes.sample(0);
      for (let a = 0; a <= d; a++) {
        for (let b = 0; b <= a; b++) {
          const value = (i: number, j: number): number => (j === d ? 1.5 : (x[i]?.[j] as number));
          const plain = x.reduce((sum, _, i) => sum + bendOf(i) * value(i, a) * value(i, b), a === b ? 1 : 0);
          expect(matrix[a * (d + 1) + b]).toBeCloseTo(plain, 9);
        }
      }
      // The corner of the constant feature is 1 + 1.5^2 times the sum of the weights, and a sample keeps that sum to within one share.
      const total = [...active].reduce((sum, i) => sum + bendOf(i), 0);
      const share = total / 5;
      const corner = passes.sample(share)[(d + 1) ** 2 - 1] as number;
      expect(Math.abs(corner - 1 - 1.5 * 1.5 * total)).toBeLessThanOrEqual(1.5 * 1.5 * (share + 2 * n * Number.EPSILON * total));
    });

    test("where the bias moves alone no feature is touched", () => {
      passes.it.space.state.set("first", d);
      passes.it.input = w.map((value, v) => (v < d * width ? Number.NaN : value));
      passes.losses(w.map((value, v) => (v < d * width ? Number.NaN : value)));
      const scores = passes.it.array("steps", width);
      const sign = given.classCount === 1 && given.loss !== "squared_epsilon_insensitive" ? (set.y[0] as number) : 1;
      expect(scores[0]).toBeCloseTo(sign * 1.5 * (w[d * width] as number), 12);
      passes.it.space.state.set("first", 0);
    });
  });
}
