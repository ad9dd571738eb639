// Kernel values in float64 from raw rows, plainly: what the core's are compared with.

import { exp } from "../src/base/math.ts";
import type { JudgedKernel } from "../src/certify/kernel-values.ts";
import { rowSquare, rowTimes } from "../src/certify/rows.ts";
import type { Matrix } from "../src/data/matrix.ts";

/** Calls `visit(value, k)` with K of row i of the matrix and each of `rowIds`. */
export class KernelValues {
  readonly #x: Matrix;
  readonly #kernel: JudgedKernel;
  readonly #rowIds: ArrayLike<number>;
  readonly #squares: Float64Array;
  readonly #row: Float64Array;

  constructor(x: Matrix, kernel: JudgedKernel, rowIds: ArrayLike<number>) {
    this.#x = x;
    this.#kernel = kernel;
    this.#rowIds = rowIds;
    this.#squares = Float64Array.from(rowIds, (i) => (kernel.kind === "rbf" ? rowSquare(x, i) : 0));
    this.#row = new Float64Array(x.featureCount);
  }

  /** K(x_i, x_i). */
  ofItself(i: number): number {
    if (this.#kernel.kind === "precomputed") return this.#at(i, i);
    const square = rowSquare(this.#x, i);
    return this.#value(square, square, square);
  }

  forEach(i: number, visit: (value: number, k: number) => void): void {
    const x = this.#x;
    const row = this.#row;
    x.forEachInRow(i, (j, value) => {
      row[j] = value;
    });
    const square = rowSquare(x, i);
    for (let k = 0; k < this.#rowIds.length; k++) {
      const other = this.#rowIds[k] as number;
      const isGiven = this.#kernel.kind === "precomputed";
      visit(isGiven ? (row[other] ?? 0) : this.#value(rowTimes(x, other, row), square, this.#squares[k] as number), k);
    }
    x.forEachInRow(i, (j) => {
      row[j] = 0;
    });
  }

  #at(i: number, j: number): number {
    let found = 0;
    this.#x.forEachInRow(i, (feature, value) => {
      if (feature === j) found = value;
    });
    return found;
  }

  #value(dot: number, square: number, other: number): number {
    const { kind, gamma, coef0, degree } = this.#kernel;
    if (kind === "linear") return dot;
    if (kind === "rbf") return exp(-gamma * Math.max(0, square + other - 2 * dot));
    const z = gamma * dot + coef0;
    if (kind === "sigmoid") return 1 - 2 / (exp(2 * z) + 1);
    let power = 1;
    for (let k = 0; k < degree; k++) power *= z;
    return power;
  }
}
