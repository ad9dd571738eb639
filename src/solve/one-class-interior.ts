// The linear one-class problem by an interior point method: which entries and first point. The rest is interior-solver.ts.

import { rowSquares } from "../data/row-squares.js";
import type { Task } from "../runtime/task.js";
import type { Ending } from "./drive.js";
import { InteriorSolver } from "./interior-solver.js";
import { emptySolution, sizeOf, totalOf } from "./one-class.js";
import type { OneClassProblem, OneClassSolution } from "./problem.js";

/** With nu this near to 1 dual variables have no room below their bounds, and an interior no point. */
export const MOST_INTERIOR_NU = 1 - 1e-6;

export class OneClassInterior {
  readonly #solver: InteriorSolver;
  /** Where all rows are empty. */
  readonly #known: OneClassSolution | undefined;

  constructor(task: Task, problem: OneClassProblem) {
    const { rowIds, weights, nu } = problem;
    const total = totalOf(problem);
    const squares = rowSquares(task.matrix, rowIds);
    const size = sizeOf(squares, weights, total);
    if (size === 0) this.#known = emptySolution(problem, task.matrix.featureCount);
    // w = 0, rho = 0 leaves every margin at 0, xi = s: so wide that the path's gap, 2 n mu, is about the one at hand.
    const width = new Float64Array(weights.length).fill((size * nu) / total);
    const entries = {
      ...{ rowIds, sides: 1, costs: weights, slack: width, excess: width },
      signs: new Float32Array(weights.length).fill(1),
      offsets: new Float64Array(weights.length),
      alpha: (k: number) => nu * (weights[k] as number),
    };
    this.#solver = new InteriorSolver(task, entries, { ...problem, bias: "unregularised", biasScale: 1, zeroObjective: size, total });
  }

  /** Goes on until the solver's own gap is at most its tolerance, or a limit, rounding or the caller says stop. */
  async solve(): Promise<Ending> {
    return this.#known === undefined ? this.#solver.solve() : "converged";
  }

  /** Asks for more than before: the judge was not content with what the solver took for enough. */
  tighten(): void {
    this.#solver.tighten();
  }

  /** The point with the smallest gap that was looked at. */
  solution(): OneClassSolution {
    if (this.#known !== undefined) return this.#known;
    const { w, bias, alpha, iterations } = this.#solver.point();
    return { w, rho: 0 - bias, alpha, iterations };
  }
}
