// Linear regression by dual coordinate descent: from a problem to src/solve/descent.ts and back. What one row does is core/linear/dcd-svr.ts.

import type { MatrixShape } from "../data/matrix.js";
import { losses } from "../runtime/layout.js";
import type { Task } from "../runtime/task.js";
import { Descent, descentBytes } from "./descent.js";
import type { Ending } from "./drive.js";
import { type DualStart, within } from "./dual-start.js";
import { layOutRows, newtonLayoutBytes } from "./newton-layout.js";
import { Outlook } from "./outlook.js";
import type { RegressionProblem, RegressionSolution } from "./problem.js";
import { type CentredTargets, centreTargets, constantSolution } from "./tube.js";

/** Work space that a problem with this many rows of `x` needs, whatever its loss and bias. */
export function tubeDescentBytes(rowCount: number, x: MatrixShape): number {
  return newtonLayoutBytes(rowCount, x) + descentBytes(rowCount, x.featureCount);
}

export class TubeDescent {
  readonly #centre: number;
  /** Where nothing is to be solved. */
  readonly #known: RegressionSolution | undefined;
  readonly #descent: Descent;

  /** rival: how many passes of this the method behind it is worth; undefined if there is none. */
  constructor(task: Task, problem: RegressionProblem, start?: DualStart, rival?: number) {
    const { costs, loss, bias, biasScale, epsilon } = problem;
    const centred = centreTargets(problem);
    const { targets, centre, zeroObjective } = centred;
    const isFree = bias === "unregularised";
    this.#centre = centre;
    this.#known = constantSolution(problem, task.matrix.featureCount);
    this.#descent = new Descent(task, problem, {
      ...layOutRows(task, problem.rowIds),
      ...{ targets, isFree, outlook: rival === undefined ? undefined : new Outlook(rival, problem.tolerance) },
      limits: loss === "epsilon_insensitive" ? costs : costs.map((cost) => 1 / (2 * cost)),
      start: start && intoBox(problem, centred, start),
      state: {
        loss: losses[loss],
        epsilon,
        zeroPrimal: zeroObjective,
        biasSquare: bias === "augmented" ? biasScale * biasScale : isFree ? leastBiasWeight(problem, targets) : 0,
      },
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

  solution(): RegressionSolution {
    if (this.#known !== undefined) return this.#known;
    const { w, bias, alpha, iterations } = this.#descent;
    return { w, bias: bias + this.#centre, beta: alpha, iterations };
  }
}

/**
 * The least s^2 for a free bias: with all dual variables at the size that they may have, one epoch carries b over a few mean targets. They are C_i under
 * the plain loss, and 2 C_i times a residual under the squared one.
 */
function leastBiasWeight({ costs, loss }: RegressionProblem, targets: Float64Array): number {
  let total = 0;
  let spread = 0;
  for (let k = 0; k < costs.length; k++) {
    total += costs[k] as number;
    spread += (costs[k] as number) * Math.abs(targets[k] as number);
  }
  return loss === "epsilon_insensitive" ? (4 * spread) / (total * total) : 1 / total;
}

/**
 * Every dual variable at the nearest point of its box. The squared loss has no bounds, but its optimum has: C_i loss_i <= P(0)
 * means |beta_i| = 2 C_i e_i <= 2 sqrt(C_i P(0)).
 */
function intoBox({ loss, costs }: RegressionProblem, { zeroObjective }: CentredTargets, start: DualStart): Float64Array {
  return costs.map((cost, k) => {
    const upper = loss === "epsilon_insensitive" ? cost : 2 * Math.sqrt(cost * zeroObjective);
    return within(start, k, -upper, upper);
  });
}
