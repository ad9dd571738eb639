// L2-regularised problems with one smooth loss a row, by primal Newton: from rows and what they should be to src/solve/newton.ts and back.
// BinaryNewton and TubeNewton say which rows and which loss.

import { exp } from "../base/math.js";
import type { MatrixShape } from "../data/matrix.js";
import { losses } from "../runtime/layout.js";
import type { Task } from "../runtime/task.js";
import { Newton, type NewtonEnding } from "./newton.js";
import { newtonPasses, type RowFunctions } from "./newton-passes.js";
import { type NewtonRows, NewtonSpace, newtonSpaceBytes } from "./newton-space.js";
import type { LinearProblemSettings, PrimalStart } from "./problem.js";
import { reduceHere } from "./row-sums.js";

/** Work space that a problem with this many rows of `x` needs. */
export function smoothNewtonBytes(rowCount: number, x: MatrixShape): number {
  return newtonSpaceBytes({ rowCount, classCount: 1 }, x);
}

export interface SmoothProblem extends NewtonRows, Pick<LinearProblemSettings, "bias" | "biasScale" | "tolerance" | "maxIterations"> {
  readonly loss: keyof typeof losses;
  /** Half the width of the tube of a regression. */
  readonly epsilon?: number;
  /** P of the zero model. */
  readonly zeroObjective: number;
  /** LIBLINEAR's rule, as in newton.ts. */
  readonly slope?: number | undefined;
}

export class SmoothNewton {
  readonly #space: NewtonSpace;
  readonly #newton: Newton;
  readonly #problem: SmoothProblem;
  /** Value of the constant feature whose weight is the bias; 0 for no bias. */
  readonly #biasScale: number;

  constructor(task: Task, problem: SmoothProblem, start?: PrimalStart) {
    const { rowIds, loss, bias } = problem;
    const isFree = bias === "unregularised";
    const biasScale = bias === "augmented" ? problem.biasScale : isFree ? 1 : 0;
    const shape = { rowCount: rowIds.length, classCount: 1 };
    const space = new NewtonSpace(task, problem, shape, { scale: biasScale, penalty: isFree ? 0 : 1 }, losses[loss]);
    space.state.set("epsilon", problem.epsilon ?? 0);
    if (start !== undefined) {
      space.w.set(start.w);
      space.w[space.biasAt] = biasScale === 0 ? 0 : start.bias / biasScale;
    }
    const sheets = { spread: () => task.core.spreadSheets(space.pointer), gather: () => task.core.gatherSheets(space.pointer) };
    const progress = () => ({ iterations: this.#newton.iterations, relativeGap: this.#newton.relativeGap });
    const reduce = reduceHere(space.blockCount, sheets, () => task.checkpoint(progress));
    this.#biasScale = biasScale;
    this.#problem = problem;
    this.#space = space;
    this.#newton = new Newton(space, newtonPasses(space, task.matrix, smoothRows(task.core)), reduce, {
      valuesPerRow: task.matrix.valueCount / Math.max(1, task.matrix.rowCount),
      tolerance: problem.tolerance,
      maxIterations: problem.maxIterations,
      zeroObjective: problem.zeroObjective,
      slope: problem.slope,
      hasFreeBias: isFree,
      hasQuadraticDual: loss !== "logistic",
    });
  }

  /** Goes on until the solver's own gap is at most its tolerance, or a limit or the caller says stop. */
  solve(): Promise<NewtonEnding> {
    return this.#newton.solve();
  }

  /** Asks for more than before: the judge was not content with what the solver took for enough. */
  tighten(): void {
    this.#newton.tighten();
  }

  get iterations(): number {
    return this.#newton.iterations;
  }

  /**
   * f64[rows]: a_i = -C_i loss_i' at the scores that the solver keeps. They have digits that scores computed from the weights and the bias alone
   * have not, where the two nearly cancel.
   */
  duals(): Float64Array {
    const { scores } = this.#space;
    const { loss, costs, epsilon = 0 } = this.#problem;
    return costs.map((cost, k) => cost * fall(loss, scores[k] as number, epsilon) + 0);
  }

  weights(): PrimalStart {
    const { featureCount, w, biasAt } = this.#space;
    // Adding 0 turns -0 into 0, which JSON cannot tell apart.
    return { w: w.slice(0, featureCount).map((value) => value + 0), bias: this.#biasScale * (w[biasAt] as number) + 0 };
  }
}

/** -loss'(m); core/linear/newton-rows.ts has the table. */
function fall(loss: SmoothProblem["loss"], m: number, epsilon: number): number {
  if (loss === "squared_hinge") return 2 * Math.max(0, 1 - m);
  if (loss !== "logistic") return -2 * Math.sign(m) * Math.max(0, Math.abs(m) - epsilon);
  const e = exp(-Math.abs(m));
  return (m > 0 ? e : 1) / (1 + e);
}

function smoothRows(core: Task["core"]): RowFunctions {
  return { losses: core.lossRows, line: core.lineRows, curve: core.curveRows, diagonal: core.diagonalRows, sample: core.sampleRows };
}
