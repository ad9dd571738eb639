// Regression with the plain epsilon-insensitive loss by an interior point method: the two sides of every row's tube as entries of interior-solver.ts.
//
//   |w'x + b - t| <= epsilon + xi      is      w'x + b + xi - s = t - epsilon      and      -(w'x + b) + xi' - s' = -t - epsilon,      beta = a - a'

import type { MatrixShape } from "../data/matrix.js";
import type { Task } from "../runtime/task.js";
import type { Ending } from "./drive.js";
import { InteriorSolver, interiorBytes } from "./interior-solver.js";
import { layOutRows, newtonLayoutBytes } from "./newton-layout.js";
import type { RegressionProblem, RegressionSolution } from "./problem.js";
import { centreTargets, constantSolution } from "./tube.js";

/** Work space that a problem with this many rows of `x` needs. */
export function tubeInteriorBytes(rowCount: number, x: MatrixShape): number {
  return newtonLayoutBytes(rowCount, x) + interiorBytes(rowCount, x.featureCount, 2);
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
    const layout = layOutRows(task, problem.rowIds);
    const denseRows = layout.kind === "dense" ? layout.rows : undefined;
    const entries = { ...twoSides(targets, problem.costs, problem.epsilon, layout.rowIds), sides: 2, denseRows };
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

/** Both sides of every row's tube, one after the other, and the middle of everything at w = 0: xi - s is the offset with both well inside, and both sides balance. */
function twoSides(targets: Float64Array, prices: Float64Array, epsilon: number, rows: Uint32Array) {
  const count = 2 * targets.length;
  const doubles = (): Float64Array => new Float64Array(count);
  const [offsets, costs, slack, excess] = [doubles(), doubles(), doubles(), doubles()];
  const [rowIds, signs] = [new Uint32Array(count), new Float32Array(count)];
  let spread = 0;
  for (let k = 0; k < targets.length; k++) spread += Math.abs(targets[k] as number);
  spread = epsilon + spread / Math.max(1, targets.length);
  for (let at = 0; at < count; at++) {
    const k = at >> 1;
    const sign = at & 1 ? -1 : 1;
    const cost = prices[k] as number;
    const offset = sign * (targets[k] as number) - epsilon;
    rowIds[at] = rows[k] as number;
    signs[at] = sign;
    offsets[at] = offset;
    costs[at] = cost;
    slack[at] = spread + Math.max(0, -offset);
    excess[at] = spread + Math.max(0, offset);
  }
  return { rowIds, signs, offsets, costs, alpha: (at: number) => 0.5 * (costs[at] as number), slack, excess };
}
