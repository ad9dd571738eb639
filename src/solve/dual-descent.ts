// Hinge and squared hinge by dual coordinate descent: from a problem to src/solve/descent.ts and back. What one row does is core/linear/dcd-svc.ts.

import { sumOf } from "../base/sums.js";
import { losses } from "../runtime/layout.js";
import type { Task } from "../runtime/task.js";
import { Descent } from "./descent.js";
import type { Ending } from "./drive.js";
import { type DualStart, within } from "./dual-start.js";
import type { BinaryProblem, BinarySolution } from "./problem.js";

export class DualDescent {
  readonly #problem: BinaryProblem;
  readonly #descent: Descent;

  constructor(task: Task, problem: BinaryProblem, start?: DualStart) {
    const { rowIds, signs, costs, loss, bias } = problem;
    const isFree = bias === "unregularised";
    const zeroPrimal = sumOf(costs);
    this.#problem = problem;
    this.#descent = new Descent(task, problem, {
      ...{ rows: task.rows, rowIds, signs, isFree },
      limits: loss === "hinge" ? costs : diagonalOf(costs),
      start: start && intoBox(problem, zeroPrimal, start),
      state: {
        loss: losses[loss],
        margin: 1,
        zeroPrimal,
        // A free bias may have to cross the margin's width of 2 and comes 4 / sum C_i times that far in an epoch.
        biasSquare: bias === "augmented" ? problem.biasScale * problem.biasScale : isFree ? 4 / zeroPrimal : 0,
        // The squared hinge has no bound to grow to, a start is better than small costs, and the originals' rule is about their own way.
        grows: loss === "hinge" && start === undefined && problem.stop === undefined ? 1 : 0,
      },
    });
  }

  /** Goes on until the solver's own gap is at most its tolerance, or a limit or the caller says stop. */
  async solve(): Promise<Ending> {
    const { bias, signs } = this.#problem;
    if (bias !== "unregularised" || !isOneSided(signs)) return this.#descent.solve();
    // y'a = 0 leaves nothing but a = 0, and a bias alone costs nothing.
    this.#descent.settle();
    return "converged";
  }

  /** Asks for more than before: the judge was not content with what the solver took for enough. */
  tighten(): void {
    this.#descent.tighten();
  }

  solution(): BinarySolution {
    const { w, bias, alpha, iterations } = this.#descent;
    return { w, bias, alpha, iterations };
  }
}

/** Every dual variable at the nearest point of its box. */
function intoBox({ loss, costs }: BinaryProblem, total: number, start: DualStart): Float64Array {
  const alpha = new Float64Array(costs.length);
  for (let k = 0; k < alpha.length; k++) alpha[k] = within(start, k, 0, mostDual(loss, costs[k] as number, total));
  return alpha;
}

/** D_ii of the squared hinge. */
function diagonalOf(costs: Float64Array): Float64Array {
  const diagonal = new Float64Array(costs.length);
  for (let k = 0; k < diagonal.length; k++) diagonal[k] = 1 / (2 * (costs[k] as number));
  return diagonal;
}

/**
 * The upper end of a dual variable's box. The squared hinge has none, but its optimum has: C_i loss_i <= P(0) = sum C means
 * a_i = 2 C_i slack_i <= 2 sqrt(C_i sum C).
 */
function mostDual(loss: BinaryProblem["loss"], cost: number, total: number): number {
  return loss === "hinge" ? cost : 2 * Math.sqrt(cost * total);
}

function isOneSided(signs: Float32Array): boolean {
  return signs.every((sign) => sign === signs[0]);
}
