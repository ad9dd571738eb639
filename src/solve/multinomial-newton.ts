// L2-regularised multinomial logistic regression, all classes jointly, by primal Newton: from a problem to src/solve/newton.ts and back.
//
//   P(W, b) = 1/2 |W|^2 + sum_i C_i (log sum_m e^z_im - z_iy),   z_im = w_m'x_i + b_m;   dual variables C_i ([m = y_i] - p_im)

import { log } from "../base/math.js";
import { sumOf } from "../base/sums.js";
import type { MatrixShape } from "../data/matrix.js";
import type { Task } from "../runtime/task.js";
import { Newton, type NewtonEnding } from "./newton.js";
import { newtonPasses } from "./newton-passes.js";
import { NewtonSpace, newtonSpaceBytes } from "./newton-space.js";
import type { MultiClassProblem, MultiClassSolution } from "./problem.js";
import { reduceHere } from "./row-sums.js";

/** Work space that a problem with this many rows of `x` needs. */
export function multinomialNewtonBytes(rowCount: number, x: MatrixShape, classCount: number): number {
  return newtonSpaceBytes({ rowCount, classCount: Math.max(2, classCount) }, x);
}

export class MultinomialNewton {
  readonly #problem: MultiClassProblem;
  readonly #space: NewtonSpace;
  readonly #newton: Newton;

  constructor(task: Task, problem: MultiClassProblem, start?: { readonly w: Float64Array; readonly bias: Float64Array }) {
    const { rowIds, classIds, classCount, costs, bias } = problem;
    const { core, matrix } = task;
    const isFree = bias === "unregularised";
    const biasScale = bias === "augmented" ? problem.biasScale : isFree ? 1 : 0;
    const shape = { rowCount: rowIds.length, classCount: Math.max(2, classCount) };
    const space = new NewtonSpace(task, { rowIds, costs, targets: classIds }, shape, { scale: biasScale, penalty: isFree ? 0 : 1 }, 0);
    this.#problem = problem;
    this.#space = space;
    if (start !== undefined) this.#begin(start.w, start.bias, biasScale);
    const sheets = { spread: () => core.spreadSheets(space.pointer), gather: () => core.gatherSheets(space.pointer) };
    const progress = () => ({ iterations: this.#newton.iterations, relativeGap: this.#newton.relativeGap });
    const reduce = reduceHere(space.blockCount, sheets, () => task.checkpoint(progress));
    const rows = {
      losses: core.multinomialLossRows,
      line: core.multinomialLineRows,
      curve: core.multinomialCurveRows,
      diagonal: core.multinomialDiagonalRows,
      sample: core.multinomialSampleRows,
    };
    this.#newton = new Newton(space, newtonPasses(space, matrix, rows), reduce, {
      valuesPerRow: matrix.valueCount / Math.max(1, matrix.rowCount),
      tolerance: problem.tolerance,
      maxIterations: problem.maxIterations,
      zeroObjective: sumOf(costs) * log(classCount),
      hasFreeBias: isFree,
      hasQuadraticDual: false,
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

  /** The scores suggest the dual variables, so none are kept. */
  solution(): MultiClassSolution {
    const { featureCount, width, w, biasAt } = this.#space;
    const { classCount } = this.#problem;
    const scale = this.#problem.bias === "augmented" ? this.#problem.biasScale : 1;
    const weights = new Float64Array(classCount * featureCount);
    // Adding 0 turns -0 into 0, which JSON cannot tell apart.
    for (let m = 0; m < classCount; m++) {
      for (let j = 0; j < featureCount; j++) weights[m * featureCount + j] = (w[j * width + m] as number) + 0;
    }
    const bias = Float64Array.from({ length: classCount }, (_, m) => scale * (w[biasAt + m] as number) + 0);
    return { w: weights, bias, alpha: undefined, iterations: this.#newton.iterations };
  }

  #begin(w: Float64Array, bias: Float64Array, biasScale: number): void {
    const { featureCount, width, biasAt, w: variables } = this.#space;
    for (let m = 0; m < this.#problem.classCount; m++) {
      for (let j = 0; j < featureCount; j++) variables[j * width + m] = w[m * featureCount + j] as number;
      variables[biasAt + m] = biasScale === 0 ? 0 : (bias[m] as number) / biasScale;
    }
  }
}
