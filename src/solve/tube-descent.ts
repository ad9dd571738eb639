// Linear regression by dual coordinate descent: from a problem to the core's state and back. The algorithm is core/linear/dcd-svr.ts; this file lays its
// state out, drives it slice by slice, and reads the answer.

import { Random } from "../base/random.js";
import type { MatrixShape } from "../data/matrix.js";
import { dcdStateStruct, losses, tubeRowStruct } from "../runtime/layout.js";
import type { Column, StructView } from "../runtime/struct.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { drive, type Ending, plainZeros } from "./drive.js";
import { layOutRows, newtonLayoutBytes } from "./newton-layout.js";
import type { RegressionProblem, RegressionSolution } from "./problem.js";
import { centreTargets, constantSolution } from "./tube.js";

/** Stored values touched between two checkpoints: some milliseconds. */
const SLICE = 2_000_000;

/** Work space that a problem with this many rows of `x` needs, whatever its loss and bias. */
export function tubeDescentBytes(rowCount: number, x: MatrixShape): number {
  const perRow = [tubeRowStruct.size * rowCount, 4 * rowCount, 8 * rowCount, 8 * rowCount];
  return newtonLayoutBytes(rowCount, x) + spaceFor(dcdStateStruct.size, ...perRow, 8 * x.featureCount, 4 * 4);
}

/** Where to begin instead of at zero. */
export interface TubeStart {
  /** One dual variable a row of the problem; what lies outside its box is moved to the box's edge. */
  readonly beta: ArrayLike<number>;
}

export class TubeDescent {
  readonly #task: Task;
  readonly #problem: RegressionProblem;
  readonly #isFree: boolean;
  readonly #centre: number;
  /** Where nothing is to be solved. */
  readonly #known: RegressionSolution | undefined;
  readonly #state: StructView<keyof typeof dcdStateStruct.offsets>;
  readonly #beta: Column;
  readonly #w: Float64Array;

  constructor(task: Task, problem: RegressionProblem, start?: TubeStart) {
    const { space } = task;
    const { costs, loss } = problem;
    const rowCount = problem.rowIds.length;
    const { targets, centre, zeroObjective } = centreTargets(problem);
    this.#task = task;
    this.#problem = problem;
    this.#isFree = problem.bias === "unregularised";
    this.#centre = centre;
    this.#known = constantSolution(problem, task.matrix.featureCount);
    const layout = layOutRows(task, problem.rowIds);
    this.#state = space.struct(dcdStateStruct);
    const table = space.table(tubeRowStruct, rowCount);
    this.#beta = table.column("beta");
    const order = space.words(rowCount);
    this.#w = space.doubles(task.matrix.featureCount);
    const random = space.words(4);
    random.set(new Random(problem.seed).state);
    for (let k = 0; k < rowCount; k++) order[k] = k;
    // The plain loss's limit is the bound U_i = C_i, the squared one's the diagonal D_ii = 1 / (2 C_i).
    table.column("limit").fill(loss === "epsilon_insensitive" ? costs : costs.map((cost) => 1 / (2 * cost)));
    table.column("row").fill(layout.rowIds);
    table.column("target").fill(targets);
    if (start !== undefined) this.#beta.fill(intoBox(problem, start.beta));
    this.#state.assign({
      rows: layout.rows,
      table: table.pointer,
      order: order.byteOffset,
      w: this.#w.byteOffset,
      random: random.byteOffset,
      breaks: this.#isFree ? space.rawDoubles(rowCount).byteOffset : 0,
      ends: this.#isFree ? counting(space.rawWords(2 * rowCount)).byteOffset : 0,
      rowCount,
      loss: losses[loss],
      iterationLimit: Math.min(problem.maxIterations, 0xffffffff),
      shrinking: problem.shrinking ? 1 : 0,
      isFree: this.#isFree ? 1 : 0,
      isWarm: start === undefined ? 0 : 1,
      biasSquare:
        problem.bias === "augmented" ? problem.biasScale * problem.biasScale : this.#isFree ? leastBiasWeight(problem, targets) : 0,
      tolerance: problem.tolerance,
      violation: problem.stop?.epsilon ?? 0,
      zeroPrimal: zeroObjective,
      epsilon: problem.epsilon,
    });
    task.core.tubeStart(this.#state.pointer);
  }

  /** Goes on until the solver's own gap is at most its tolerance, or a limit or the caller says stop. */
  async solve(): Promise<Ending> {
    if (this.#known !== undefined) return "converged";
    const { core } = this.#task;
    const ending = await drive(
      this.#task,
      () => this.#progress(),
      () => core.tubeAdvance(this.#state.pointer, SLICE),
    );
    // Only a check of the gap leaves the dual variables balanced and the bias at its best.
    if (this.#isFree && (ending !== "converged" || this.#problem.stop !== undefined)) core.tubeSettle(this.#state.pointer);
    return ending;
  }

  /** Asks for more than before: the judge was not content with what the solver took for enough. */
  tighten(): void {
    this.#state.set("tolerance", this.#state.get("tolerance") / 2);
  }

  solution(): RegressionSolution {
    if (this.#known !== undefined) return this.#known;
    const beta = plainZeros(this.#beta.copy(this.#problem.rowIds.length));
    const bias = this.#state.get(this.#isFree ? "bestBias" : "bias") + this.#centre + 0;
    return { w: plainZeros(this.#w), bias, beta, iterations: this.#iterations() };
  }

  #iterations(): number {
    return Math.floor(this.#state.get("visits") / this.#problem.rowIds.length);
  }

  #progress(): { iterations: number; relativeGap: number } {
    return { iterations: this.#iterations(), relativeGap: this.#state.get("recentGap") };
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

/** Every dual variable at the nearest point of its box. */
function intoBox({ loss, costs }: RegressionProblem, beta: ArrayLike<number>): Float64Array {
  if (loss === "squared_epsilon_insensitive") return Float64Array.from(beta);
  return costs.map((cost, k) => Math.min(Math.max(-cost, beta[k] as number), cost));
}

/** 0, 1, 2, ... */
function counting(words: Uint32Array): Uint32Array {
  for (let k = 0; k < words.length; k++) words[k] = k;
  return words;
}
