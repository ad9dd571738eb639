// A kernel that is the user's own function: its values for a fit, computed on the calling thread, in slices, as the solver asks for them.

import { HingeError, shown } from "../base/errors.js";
import type { CheckedKernelOptions, CustomKernel } from "../base/options/kernel.js";
import { denseRow } from "../data/dense-row.js";
import type { Matrix } from "../data/matrix.js";
import { Pace } from "../runtime/pace.js";
import type { Answer } from "../runtime/pool.js";
import type { ValuesQuestion } from "../solve/custom-rows.js";

/** The function, where the kernel is one. */
export function customOf({ kernel }: Pick<CheckedKernelOptions, "kernel">): CustomKernel | undefined {
  return typeof kernel === "function" ? kernel : undefined;
}

/** What the function gave; throws unless it can be used. `where` says of which rows. */
export function checkedValue(value: unknown, where: () => string): number {
  // Rows of kernel values are float32.
  if (typeof value === "number" && Number.isFinite(Math.fround(value))) return value;
  throw new HingeError("bad-option", `kernel must return a finite number in the range of float32, got ${shown(value)} for ${where()}`);
}

/** Values of a function for the rows of a matrix. Rows of two numbers are given the smaller number first, so that K(u, v) is one value. */
export class CustomValues {
  /** K of each row with itself, as far as it was prepared. */
  readonly diagonal: Float64Array;
  readonly #x: Matrix;
  readonly #kernel: CustomKernel;
  readonly #isKnown: Uint8Array;

  constructor(x: Matrix, kernel: CustomKernel) {
    this.#x = x;
    this.#kernel = kernel;
    this.diagonal = new Float64Array(x.rowCount);
    this.#isKnown = new Uint8Array(x.rowCount);
  }

  /** Finds the diagonal of these rows. */
  async prepare(rows: Uint32Array): Promise<void> {
    const [u, v] = [this.#buffer(), this.#buffer()];
    const pace = new Pace();
    for (const i of rows) {
      if (this.#isKnown[i] === 1) continue;
      this.diagonal[i] = this.#value(denseRow(this.#x, i, u), denseRow(this.#x, i, v), i, i);
      this.#isKnown[i] = 1;
      if (pace.isDue()) await pace.rest();
    }
  }

  mostDiagonal(rows: Uint32Array): number {
    return rows.reduce((most, i) => Math.max(most, Math.abs(this.diagonal[i] as number)), 0);
  }

  /** To a `ValuesQuestion` of the solver. */
  readonly answer: Answer = async (about, isOver) => {
    const { rows, columns } = about as ValuesQuestion;
    const lanes = Array.from(rows, (i) => denseRow(this.#x, i, this.#buffer()));
    const other = this.#buffer();
    const values = new Float64Array(rows.length * columns.length);
    const pace = new Pace();
    for (let k = 0; k < columns.length; k++) {
      const j = columns[k] as number;
      denseRow(this.#x, j, other);
      for (let lane = 0; lane < lanes.length; lane++) {
        const i = rows[lane] as number;
        const own = lanes[lane] as Float32Array;
        values[lane * columns.length + k] = i < j ? this.#value(own, other, i, j) : this.#value(other, own, j, i);
        if (!pace.isDue()) continue;
        await pace.rest();
        if (isOver()) return undefined;
      }
    }
    return values;
  };

  #buffer(): Float32Array {
    return new Float32Array(this.#x.featureCount);
  }

  #value(u: Float32Array, v: Float32Array, i: number, j: number): number {
    return checkedValue(this.#kernel(u, v), () => `rows ${i} and ${j} of x`);
  }
}
