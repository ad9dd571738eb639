// The hinge loss by an interior point method: which first point, and what is not worth solving. The rest is interior-solver.ts.

import { sumOf } from "../base/sums.js";
import type { Task } from "../runtime/task.js";
import type { Ending } from "./drive.js";
import { InteriorSolver } from "./interior-solver.js";
import type { BinaryProblem, BinarySolution } from "./problem.js";

export class InteriorPoint {
  readonly #solver: InteriorSolver;
  /** With a free bias and rows of one sign only: y'a = 0 leaves a = 0, and the bias alone does it. */
  readonly #known: BinarySolution | undefined;

  constructor(task: Task, problem: BinaryProblem) {
    const { signs, costs, rowIds } = problem;
    const share = firstShares(problem);
    if (share[0] === 0 || share[1] === 0) {
      const bias = Math.sign(signs[0] as number);
      this.#known = { w: new Float64Array(task.matrix.featureCount), bias, alpha: new Float64Array(costs.length), iterations: 0 };
    }
    const alpha = (k: number): number => (costs[k] as number) * share[(signs[k] as number) > 0 ? 1 : 0];
    // The middle of everything at w = 0, where each margin is 1 short: xi - s = 1 with both well inside.
    const entries = { rowIds, sides: 1, signs, offsets: 1, costs, slack: 1, excess: 2, alpha };
    this.#solver = new InteriorSolver(task, entries, { zeroObjective: sumOf(costs), isAtBounds: true, ...problem });
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
  solution(): BinarySolution {
    return this.#known ?? this.#solver.point();
  }
}

/** Which share of C_i the dual variables of the negative and of the positive rows have at first: a half, or with a free bias so that y'a = 0. */
function firstShares({ bias, signs, costs }: BinaryProblem): readonly [number, number] {
  if (bias !== "unregularised") return [0.5, 0.5];
  let positive = 0;
  let negative = 0;
  for (let k = 0; k < costs.length; k++) {
    if ((signs[k] as number) > 0) positive += costs[k] as number;
    else negative += costs[k] as number;
  }
  const lighter = Math.min(positive, negative);
  return [negative > 0 ? (0.5 * lighter) / negative : 0, positive > 0 ? (0.5 * lighter) / positive : 0];
}
