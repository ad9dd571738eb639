// L2-regularised squared hinge and logistic loss, two classes, by primal Newton.

import { sumOf } from "../base/sums.js";
import type { Task } from "../runtime/task.js";
import type { NewtonEnding } from "./newton.js";
import { type BinaryProblem, type BinarySolution, lighterShare, type PrimalStart } from "./problem.js";
import { SmoothNewton } from "./smooth-newton.js";

export class BinaryNewton {
  readonly #newton: SmoothNewton;
  #isDone = false;

  constructor(task: Task, problem: BinaryProblem, start?: PrimalStart) {
    const total = sumOf(problem.costs);
    const zeroObjective = problem.loss === "logistic" ? total * Math.LN2 : total;
    const slope = problem.stop && problem.stop.epsilon * lighterShare(problem);
    this.#newton = new SmoothNewton(task, { ...problem, targets: problem.signs, zeroObjective, slope }, start);
  }

  /** Goes on until the solver's own gap is at most its tolerance, or a limit or the caller says stop. */
  async solve(): Promise<NewtonEnding> {
    const ending = await this.#newton.solve();
    this.#isDone = ending === "converged";
    return ending;
  }

  /** Asks for more than before: the judge was not content with what the solver took for enough. */
  tighten(): void {
    this.#newton.tighten();
  }

  /** The margins suggest the dual variables to the judge; a method that takes over cannot compute them and is given them. */
  solution(): BinarySolution {
    const alpha = this.#isDone ? undefined : this.#newton.duals();
    return { ...this.#newton.weights(), alpha, iterations: this.#newton.iterations };
  }
}
