// Regression with the plain epsilon-insensitive loss by an interior point method: the two sides of every row's tube as entries of interior-solver.ts.
//
//   |w'x + b - t| <= epsilon + xi      is      w'x + b + xi - s = t - epsilon      and      -(w'x + b) + xi' - s' = -t - epsilon,      beta = a - a'

import type { Task } from "../runtime/task.js";
import type { Ending } from "./drive.js";
import { InteriorSolver, interiorBytes } from "./interior-solver.js";
import type { RegressionProblem, RegressionSolution } from "./problem.js";
import { centreTargets, constantSolution } from "./tube.js";

/** Work space that a problem of this size needs. */
export function tubeInteriorBytes(rowCount: number, featureCount: number): number {
  return interiorBytes(2 * rowCount, featureCount);
}

export class TubeInterior {
  readonly #solver: InteriorSolver;
  readonly #centre: number;
  /** Where nothing is to be solved. */
  readonly #known: RegressionSolution | undefined;

  constructor(task: Task, problem: RegressionProblem) {
    const { targets, centre, zeroObjective } = centreTargets(problem);
    this.#centre = centre;
    this.#known = constantSolution(problem, task.matrix.featureCount);
    const count = 2 * targets.length;
    const spread = problem.epsilon + targets.reduce((sum, target) => sum + Math.abs(target), 0) / Math.max(1, targets.length);
    const twice = (each: (k: number, sign: number) => number): Float64Array =>
      Float64Array.from({ length: count }, (_, at) => each(at >> 1, at & 1 ? -1 : 1));
    const offsets = twice((k, sign) => sign * (targets[k] as number) - problem.epsilon);
    const costs = twice((k) => problem.costs[k] as number);
    const entries = {
      ...{ sides: 2, offsets, costs },
      rowIds: Uint32Array.from({ length: count }, (_, at) => problem.rowIds[at >> 1] as number),
      signs: Float32Array.from({ length: count }, (_, at) => (at & 1 ? -1 : 1)),
      // The middle of everything at w = 0: xi - s is the offset with both well inside, and both sides balance.
      alpha: costs.map((cost) => 0.5 * cost),
      slack: offsets.map((offset) => spread + Math.max(0, -offset)),
      excess: offsets.map((offset) => spread + Math.max(0, offset)),
    };
    this.#solver = new InteriorSolver(task, entries, { ...problem, zeroObjective });
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
  solution(): RegressionSolution {
    if (this.#known !== undefined) return this.#known;
    const { w, bias, alpha, iterations } = this.#solver.point();
    const beta = new Float64Array(alpha.length / 2).map((_, k) => (alpha[2 * k] as number) - (alpha[2 * k + 1] as number));
    return { w, bias: bias + this.#centre, beta, iterations };
  }
}
