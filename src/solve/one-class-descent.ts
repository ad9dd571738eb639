// The linear one-class problem by dual coordinate descent: from a problem to src/solve/descent.ts and back. What is particular about it is
// core/linear/one-class.ts.

import { type Matrix, rowStart } from "../data/matrix.js";
import { losses } from "../runtime/layout.js";
import type { Task } from "../runtime/task.js";
import { Descent } from "./descent.js";
import type { Ending } from "./drive.js";
import { type DualStart, within } from "./dual-start.js";
import type { OneClassProblem, OneClassSolution } from "./problem.js";

// s^2 of the method of multipliers, in squared rows, as in core/linear/free-bias.ts.
const ROW_SHARE = 0.125;

export class OneClassDescent {
  /** Where all rows are empty and any dual variables will do. */
  readonly #known: OneClassSolution | undefined;
  readonly #descent: Descent;

  constructor(task: Task, problem: OneClassProblem, start?: DualStart) {
    const { rowIds, weights, nu } = problem;
    const total = nu * weights.reduce((sum, weight) => sum + weight, 0);
    const squares = rowSquares(task.matrix, rowIds);
    const size = sizeOf(squares, weights, total);
    if (size === 0) {
      this.#known = { w: new Float64Array(task.matrix.featureCount), rho: 0, alpha: weights.map((weight) => nu * weight), iterations: 0 };
    }
    this.#descent = new Descent(task, problem, {
      ...{ rows: task.rows, rowIds, limits: weights, isFree: true },
      signs: new Float32Array(rowIds.length).fill(1),
      start: start && weights.map((weight, k) => within(start, k, 0, weight)),
      state: { loss: losses.hinge, margin: 0, total, zeroPrimal: size, biasSquare: ROW_SHARE * middleOf(squares) },
    });
  }

  /** Goes on until the solver's own gap is at most its tolerance, or a limit or the caller says stop. */
  async solve(): Promise<Ending> {
    return this.#known === undefined ? this.#descent.solve() : "converged";
  }

  /** Asks for more than before: the judge was not content with what the solver took for enough. */
  tighten(): void {
    this.#descent.tighten();
  }

  /** The best multiple of where the solver stands. */
  solution(): OneClassSolution {
    if (this.#known !== undefined) return this.#known;
    const { w, bias, alpha, iterations, state } = this.#descent;
    const multiple = state.get("multiple");
    return { w: w.map((value) => multiple * value + 0), rho: 0 - multiple * bias, alpha, iterations };
  }
}

/** |x_i|^2 of some rows. */
function rowSquares(x: Matrix, rowIds: Uint32Array): Float64Array {
  const { values } = x;
  const squares = new Float64Array(rowIds.length);
  for (let k = 0; k < squares.length; k++) {
    const row = rowIds[k] as number;
    const end = rowStart(x, row + 1);
    let square = 0;
    for (let at = rowStart(x, row); at < end; at++) square += (values[at] as number) * (values[at] as number);
    squares[k] = square;
  }
  return squares;
}

/** What |D| would be if all rows pointed the same way: the scale of the gap's floor. */
function sizeOf(squares: Float64Array, weights: Float64Array, total: number): number {
  let weighted = 0;
  let sum = 0;
  for (let k = 0; k < squares.length; k++) {
    weighted += (weights[k] as number) * (squares[k] as number);
    sum += weights[k] as number;
  }
  return sum > 0 ? (0.5 * total * total * weighted) / sum : 0;
}

/** The median of those that are not 0: a few rows far off do not move it. */
function middleOf(squares: Float64Array): number {
  const sorted = squares.filter((square) => square > 0).sort();
  return sorted[sorted.length >> 1] ?? 1;
}
