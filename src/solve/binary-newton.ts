// L2-regularised squared hinge and logistic loss, two classes, by primal Newton: from a problem to src/solve/newton.ts and back.

import type { MatrixShape } from "../data/matrix.js";
import { losses } from "../runtime/layout.js";
import type { Task } from "../runtime/task.js";
import { Newton, type NewtonEnding } from "./newton.js";
import { newtonPasses, type RowFunctions } from "./newton-passes.js";
import { NewtonSpace, newtonSpaceBytes } from "./newton-space.js";
import type { BinaryProblem, BinarySolution, PrimalStart } from "./problem.js";
import { reduceHere } from "./row-sums.js";

/** Work space that a problem with this many rows of `x` needs. */
export function binaryNewtonBytes(rowCount: number, x: MatrixShape): number {
  return newtonSpaceBytes({ rowCount, classCount: 1 }, x);
}

export class BinaryNewton {
  readonly #problem: BinaryProblem;
  readonly #space: NewtonSpace;
  readonly #newton: Newton;

  constructor(task: Task, problem: BinaryProblem, start?: PrimalStart) {
    const { rowIds, signs, costs, loss, bias } = problem;
    const biasScale = bias === "augmented" ? problem.biasScale : bias === "unregularised" ? 1 : 0;
    const isFree = bias === "unregularised";
    const space = new NewtonSpace(
      task,
      { rowIds, costs, targets: signs },
      { rowCount: rowIds.length, classCount: 1 },
      { scale: biasScale, penalty: isFree ? 0 : 1 },
      losses[loss],
    );
    if (start !== undefined) {
      space.w.set(start.w);
      space.w[space.biasAt] = biasScale === 0 ? 0 : start.bias / biasScale;
    }
    const sheets = { spread: () => task.core.spreadSheets(space.pointer), gather: () => task.core.gatherSheets(space.pointer) };
    const progress = () => ({ iterations: this.#newton.iterations, relativeGap: this.#newton.relativeGap });
    const reduce = reduceHere(space.blockCount, sheets, () => task.checkpoint(progress));
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    this.#problem = problem;
    this.#space = space;
    this.#newton = new Newton(space, newtonPasses(space, task.matrix, binaryRows(task.core)), reduce, {
      valuesPerRow: task.matrix.valueCount / Math.max(1, task.matrix.rowCount),
      tolerance: problem.tolerance,
      maxIterations: problem.maxIterations,
      zeroObjective: loss === "logistic" ? total * Math.LN2 : total,
      hasFreeBias: isFree,
      hasQuadraticDual: loss === "squared_hinge",
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

  /** The margins suggest the dual variables, so none are kept. */
  solution(): BinarySolution {
    const { featureCount, w, biasAt } = this.#space;
    const scale = this.#problem.bias === "augmented" ? this.#problem.biasScale : 1;
    // Adding 0 turns -0 into 0, which JSON cannot tell apart.
    const weights = w.slice(0, featureCount).map((value) => value + 0);
    return { w: weights, bias: scale * (w[biasAt] as number) + 0, alpha: undefined, iterations: this.#newton.iterations };
  }
}

function binaryRows(core: Task["core"]): RowFunctions {
  return { losses: core.lossRows, line: core.lineRows, curve: core.curveRows, diagonal: core.diagonalRows, sample: core.sampleRows };
}
