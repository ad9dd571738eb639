// The gradient of an L1-regularised problem by one pass over the rows: for few features.

import { spaceFor, type Task } from "../runtime/task.js";
import type { BinaryProblem } from "./problem.js";
import type { Slices, SmoothRows } from "./smooth-rows.js";

/** What the outer method needs to know at a point. */
export interface L1Slopes {
  /** Sum over the features of the distance of 0 from the subdifferential. */
  readonly violation: number;
  /** How far outside its constraints the dual point is; 1 is their border. */
  readonly reach: number;
  /** The features, in rising order, that are not zero or that may leave zero; the bias is number featureCount. */
  readonly list: Uint32Array;
}

/** A zero feature may leave zero if its |g_j| is above this part of its penalty. */
export const NEAR = 0.8;

export function l1RowsBytes(featureCount: number): number {
  return spaceFor(8 * featureCount, 8 * featureCount);
}

/** p_j: 1 for a feature, 1 / biasScale for an augmented bias, 0 for a free one. */
export function biasPenalty({ bias, biasScale }: BinaryProblem): number {
  return bias === "augmented" ? 1 / biasScale : 0;
}

export class L1Rows {
  /** f64[featureCount + 1], the bias last. */
  readonly gradient: Float64Array;
  readonly #problem: BinaryProblem;
  readonly #rows: SmoothRows;
  readonly #up: Float64Array;
  readonly #down: Float64Array;

  constructor(task: Task, rows: SmoothRows, problem: BinaryProblem) {
    const { featureCount } = task.matrix;
    this.#problem = problem;
    this.#rows = rows;
    this.#up = task.space.doubles(featureCount);
    this.#down = task.space.doubles(featureCount);
    rows.state.assign({ up: this.#up.byteOffset, down: this.#down.byteOffset });
    this.gradient = new Float64Array(featureCount + 1);
  }

  /** Slopes and curvatures of the rows, and the gradient. */
  *slopes(w: Float64Array): Slices<L1Slopes> {
    const { state } = this.#rows;
    this.#up.fill(0);
    this.#down.fill(0);
    yield* this.#rows.slopes();
    const [positive, negative] = this.#rows.sides();
    const list: number[] = [];
    let violation = 0;
    let reach = 0;
    const visit = (j: number, p: number, up: number, down: number): void => {
      const g = down - up;
      const size = Math.abs(g);
      const weight = w[j] as number;
      this.gradient[j] = g;
      violation += weight === 0 ? Math.max(size - p, 0) : Math.abs(g + p * Math.sign(weight));
      if (p > 0) reach = Math.max(reach, Math.abs(positive * up - negative * down) / p);
      if (weight !== 0 || size > NEAR * p) list.push(j);
    };
    const d = this.#up.length;
    for (let j = 0; j < d; j++) visit(j, 1, this.#up[j] as number, this.#down[j] as number);
    if (this.#problem.bias !== false) visit(d, biasPenalty(this.#problem), state.get("positiveSum"), state.get("negativeSum"));
    return { violation, reach, list: Uint32Array.from(list) };
  }
}
