// L2-regularised regression with the squared epsilon-insensitive loss by primal Newton with the generalised Hessian: Ho and Lin, JMLR 2012, section 3.

import type { Task } from "../runtime/task.js";
import type { NewtonEnding } from "./newton.js";
import type { PrimalStart, RegressionProblem, RegressionSolution } from "./problem.js";
import { SmoothNewton } from "./smooth-newton.js";
import { centreTargets, constantSolution } from "./tube.js";

export class TubeNewton {
  readonly #newton: SmoothNewton;
  readonly #centre: number;
  /** Where nothing is to be solved. */
  readonly #known: RegressionSolution | undefined;

  constructor(task: Task, problem: RegressionProblem, start?: PrimalStart) {
    const { targets, centre, zeroObjective } = centreTargets(problem);
    this.#centre = centre;
    this.#known = constantSolution(problem, task.matrix.featureCount);
    this.#newton = new SmoothNewton(
      task,
      { ...problem, targets, zeroObjective, slope: problem.stop?.epsilon },
      start && { w: start.w, bias: start.bias - centre },
    );
  }

  /** Goes on until the solver's own gap is at most its tolerance, or a limit or the caller says stop. */
  async solve(): Promise<NewtonEnding> {
    return this.#known === undefined ? this.#newton.solve() : "converged";
  }

  /** Asks for more than before: the judge was not content with what the solver took for enough. */
  tighten(): void {
    this.#newton.tighten();
  }

  solution(): RegressionSolution {
    if (this.#known !== undefined) return this.#known;
    const { w, bias } = this.#newton.weights();
    return { w, bias: bias + this.#centre, beta: this.#newton.duals(), iterations: this.#newton.iterations };
  }
}
