// The vector steps, rows against sheets and the Cholesky factor, against plain loops.

import { describe, expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { NewtonUnderTest } from "../../core/newton.ts";
import { normal } from "../../problems/generate.ts";

const d = 5;
const random = new Random(8);
const x = Array.from({ length: 12 }, (_, i) => Array.from({ length: d }, (_, j) => ((i + j) % 3 === 0 ? 0 : Math.fround(normal(random)))));
const plainDot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, value, k) => sum + value * (b[k] as number), 0);

for (const kind of ["csr", "dense"] as const) {
  describe(kind, () => {
    const it = new NewtonUnderTest({
      x,
      costs: x.map(() => 1),
      targets: x.map((_, i) => (i % 2 ? 1 : -1)),
      classCount: 1,
      biasScale: 2,
      kind,
    });
    const { call } = it.core;
    const sheet = call.sheetOf?.(it.state, 0) as number;
    const rows = it.space.state.get("rows");
    const vector = Array.from({ length: d + 1 }, () => normal(random));

    test("a row's product, addition and squares, the constant feature included", () => {
      it.input = vector;
      call.spreadSheets?.(it.state);
      x.forEach((row, i) => {
        expect(call.sheetDot?.(it.state, rows, i, sheet)).toBeCloseTo(plainDot([...row, 2], vector), 12);
      });
      call.sheetAxpy?.(it.state, 3, rows, 1, sheet);
      expect(it.output).toEqual([...(x[1] as number[]), 2].map((value) => 3 * value));
      call.spreadSheets?.(it.state);
      call.sheetSquares?.(it.state, 3, rows, 1, sheet);
      it.output.forEach((value, j) => {
        expect(value).toBeCloseTo(3 * ([...(x[1] as number[]), 2][j] as number) ** 2, 12);
      });
    });

    test("a sheet's feature and tail are where the host puts them", () => {
      expect(call.sheetAt?.(it.state, sheet, 2)).toBe(sheet + 16 * it.space.state.get("stride"));
      expect(call.tailOf?.(it.state, sheet)).toBe(sheet + 8 * 2 * (d + 1));
    });

    test("a vector becomes the input", () => {
      it.array("w", d + 1).set(vector);
      call.takeVector?.(it.state, it.space.w.byteOffset);
      expect(it.input).toEqual(vector);
    });
  });
}

describe("steps", () => {
  const it = new NewtonUnderTest({ x, costs: x.map(() => 1), targets: x.map(() => 1), classCount: 1, biasPenalty: 0 });
  const { call } = it.core;
  const { state } = it.space;
  const size = d + 1;
  const fill = (name: "w" | "direction" | "residual"): number[] => {
    const values = Array.from({ length: size }, () => normal(random));
    it.array(name, size).set(values);
    return values;
  };
  // Ends with zeros in the output: gradients are then the penalty's alone, and of a free bias nothing.
  const penalised = (v: readonly number[]): number[] => v.map((value, k) => (k === d ? 0 : value));

  test("gradient, its squares and slopes at w + t direction; a free bias is not counted", () => {
    it.input = new Array(size).fill(0);
    call.spreadSheets?.(it.state);
    const w = fill("w");
    const p = fill("direction");
    call.gradientStep?.(it.state, 0.5);
    const moved = penalised(w.map((value, k) => value + 0.5 * (p[k] as number)));
    expect(Array.from(it.array("gradient", size))).toEqual(moved);
    expect(state.get("weightSquare")).toBeCloseTo(plainDot(moved, moved), 12);
    expect(state.get("gradientSquare")).toBeCloseTo(plainDot(moved, moved), 12);
    expect(state.get("weightGradient")).toBeCloseTo(plainDot(moved, moved), 12);
    // u = w - g, and the losses have added nothing.
    expect(state.get("dualSquare")).toBe(0);
    expect(state.get("weightDual")).toBeCloseTo(0, 15);
    expect(state.get("slope")).toBeCloseTo(plainDot(moved, p), 12);
    expect(state.get("weightDirection")).toBeCloseTo(plainDot(moved, p), 12);
    expect(state.get("directionSquare")).toBeCloseTo(plainDot(penalised(p), p), 12);
  });

  test("conjugate gradients on the identity are done after one step; the scale preconditions", () => {
    call.scaleStep?.(it.state, 0.5);
    expect(Array.from(it.array("scale", size))).toEqual(new Array(size).fill(1));
    it.array("gradient", size)[d] = 0;
    const g = Array.from(it.array("gradient", size));
    const rho = call.cgStart?.(it.state) as number;
    expect(rho).toBeCloseTo(plainDot(g, g), 12);
    expect(state.get("inSquare")).toBeCloseTo(rho, 12);
    call.spreadSheets?.(it.state);
    expect(call.cgStep?.(it.state, 1)).toBeCloseTo(0, 12);
    expect(state.get("residualSquare")).toBeCloseTo(0, 12);
    expect(Array.from(it.array("direction", size))).toEqual(g.map((value) => 0 - value));
    const r = fill("residual");
    const before = it.input;
    call.cgDirection?.(it.state, 0.25);
    expect(it.input).toEqual(r.map((value, k) => value + 0.25 * (before[k] as number)));
  });

  test("an accepted step moves weights and scores", () => {
    const w = fill("w");
    const p = fill("direction");
    it.array("steps", x.length).fill(2);
    it.array("scores", x.length).fill(1);
    call.acceptStep?.(it.state, 0.5);
    expect(Array.from(it.array("w", size))).toEqual(w.map((value, k) => value + 0.5 * (p[k] as number)));
    expect(Array.from(it.array("scores", x.length))).toEqual(x.map(() => 2));
  });
});

describe("the factor", () => {
  for (const classCount of [1, 3]) {
    test(`${classCount === 1 ? "binary" : "three classes"}: solves with the matrix that its rows add up to`, () => {
      const it = new NewtonUnderTest({ x, costs: x.map(() => 1), targets: x.map(() => 1), classCount, biasScale: 2 });
      const { call } = it.core;
      const D = d + 1;
      const K = it.space.width;
      call.factorStart?.(it.state);
      x.forEach((_, i) => {
        call.factorAdd?.(it.state, i, 0.5 + i);
      });
      const half = it.array("factor", D * D).slice();
      const matrix = (a: number, b: number): number => half[Math.max(a, b) * D + Math.min(a, b)] as number;
      call.factorRows?.(it.state, 0, 2);
      call.factorRows?.(it.state, 2, D);
      const r = Array.from({ length: D * K }, () => normal(random));
      it.array("residual", D * K).set(r);
      const rho = call.factorSolve?.(it.state);
      const z = it.array("solved", D * K);
      expect(rho).toBeCloseTo(plainDot(r, z), 9);
      for (let m = 0; m < K; m++) {
        for (let a = 0; a < D; a++) {
          let sum = 0;
          for (let b = 0; b < D; b++) sum += matrix(a, b) * (z[b * K + m] as number);
          expect(sum).toBeCloseTo(r[a * K + m] as number, 9);
        }
      }
    });
  }

  test("a sample takes heavy rows as they are and one light row for each share of them", () => {
    const { core } = new NewtonUnderTest({ x, costs: x.map(() => 1), targets: x.map(() => 1), classCount: 1 });
    const carry = core.doubles([0]);
    const weights = [5, 1, 1, 1, 1, 4, 2, 3].map((bend) => core.call.sampleWeight?.(carry, bend, 3));
    expect(weights).toEqual([5, 0, 0, 3, 0, 4, 3, 3]);
  });

  test("a free bias that no row bends does not break it", () => {
    const it = new NewtonUnderTest({ x, costs: x.map(() => 1), targets: x.map(() => 1), classCount: 1, biasPenalty: 0 });
    it.core.call.factorStart?.(it.state);
    it.core.call.factorRows?.(it.state, 0, d + 1);
    expect(it.array("factor", (d + 1) ** 2)[(d + 1) ** 2 - 1]).toBe(1);
  });
});
