// The linear one-class problem by dual coordinate descent: from a problem to src/solve/descent.ts and back. What is particular about it is
// core/linear/one-class.ts.

import { rowSquares } from "../data/row-squares.js";
import { losses } from "../runtime/layout.js";
import type { Task } from "../runtime/task.js";
import { Descent } from "./descent.js";
import type { Ending } from "./drive.js";
import { type DualStart, within } from "./dual-start.js";
import { emptySolution, middleOf, sizeOf, totalOf } from "./one-class.js";
import type { OneClassProblem, OneClassSolution } from "./problem.js";

// s^2 of the method of multipliers, in squared rows, as in core/linear/free-bias.ts.
const ROW_SHARE = 0.125;

export class OneClassDescent {
  /** Where all rows are empty and any dual variables will do. */
  readonly #known: OneClassSolution | undefined;
  readonly #descent: Descent;

  constructor(task: Task, problem: OneClassProblem, start?: DualStart) {
    const { rowIds, weights } = problem;
    const total = totalOf(problem);
    const squares = rowSquares(task.matrix, rowIds);
    const size = sizeOf(squares, weights, total);
    if (size === 0) this.#known = emptySolution(problem, task.matrix.featureCount);
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
