// Of a kernel that the caller's thread computes: what rounding float64 values to float32 has done at most. Each of a row is wrong by 2^-24 |K_st|, and
// |K_st| <= sqrt(K_ss K_tt), times what v_s has changed since F was exact. No further value is asked for.

import type { Standing } from "./gap-error.js";
import { farthestAt } from "./kernel-choice.js";

const ROUNDING = 2 ** -24;

export class AskedError {
  readonly #diagonal: Float64Array;
  readonly #columns: Uint32Array;
  /** v when F was last made in float64, by position. */
  readonly #exactValue: Float64Array;

  /** `diagonal`: K of each row of the matrix with itself; `columns`: the rows by position, in whatever order they are. */
  constructor(diagonal: Float64Array, columns: Uint32Array) {
    this.#diagonal = diagonal;
    this.#columns = columns;
    this.#exactValue = new Float64Array(columns.length);
  }

  /** F was made in float64 from these. */
  isExactAt(total: Float64Array): void {
    this.#exactValue.set(total);
  }

  /** sqrt(K_tt). */
  rootAt(t: number): number {
    return Math.sqrt(Math.max(0, this.#diagonal[this.#columns[t] as number] as number));
  }

  /** What |w| is at most: sum_s |v_s| sqrt(K_ss). */
  length(total: Float64Array): number {
    return total.reduce((sum, v, t) => sum + Math.abs(v) * this.rootAt(t), 0);
  }

  /** What sum_t weights_t |error_t| is at most. */
  weighted(weights: Float64Array, total: Float64Array): number {
    return ROUNDING * this.length(weights) * this.#changed(total);
  }

  /** What the errors may do to the gap. */
  ofGap({ sides, f, size, epsilon }: Standing, total: Float64Array): number {
    const unit = ROUNDING * this.#changed(total);
    const weights = new Float64Array(size);
    for (const side of sides) {
      for (let t = 0; t < size; t++)
        weights[t] = (weights[t] as number) + farthestAt(side, t, (f[t] as number) - side.rho, unit * this.rootAt(t), epsilon);
    }
    return this.weighted(weights, total);
  }

  #changed(total: Float64Array): number {
    return this.length(total.map((v, t) => v - (this.#exactValue[t] as number)));
  }
}
