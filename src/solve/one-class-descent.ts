// The linear one-class problem by dual coordinate descent: from a problem to the core's state and back. The algorithm is core/linear/dcd-svc.ts with
// core/linear/one-class.ts; this file lays its state out, drives it slice by slice, and reads the answer.

import { Random } from "../base/random.js";
import { type Matrix, rowStart } from "../data/matrix.js";
import { dcdRowStruct, dcdStateStruct, losses } from "../runtime/layout.js";
import type { Column, StructView } from "../runtime/struct.js";
import type { Task } from "../runtime/task.js";
import { drive, type Ending } from "./drive.js";
import { dualDescentBytes } from "./dual-descent.js";
import type { OneClassProblem, OneClassSolution } from "./problem.js";

/** Stored values touched between two checkpoints: some milliseconds. */
const SLICE = 2_000_000;

// s^2 of the method of multipliers, in squared rows, as in core/linear/free-bias.ts.
const ROW_SHARE = 0.125;

/** Work space that a problem of this size needs. */
export const oneClassDescentBytes = dualDescentBytes;

/** Where to begin instead of at zero. */
export interface OneClassStart {
  /** One dual variable a row of the problem; what lies outside its box is moved to the box's edge. */
  readonly alpha: ArrayLike<number>;
}

export class OneClassDescent {
  readonly #task: Task;
  readonly #problem: OneClassProblem;
  /** Where all rows are empty and any dual variables will do. */
  readonly #known: OneClassSolution | undefined;
  readonly #state: StructView<keyof typeof dcdStateStruct.offsets>;
  readonly #alpha: Column;
  readonly #w: Float64Array;

  constructor(task: Task, problem: OneClassProblem, start?: OneClassStart) {
    const { space, matrix } = task;
    const { rowIds, weights, nu } = problem;
    const rowCount = rowIds.length;
    this.#task = task;
    this.#problem = problem;
    this.#state = space.struct(dcdStateStruct);
    const table = space.table(dcdRowStruct, rowCount);
    this.#alpha = table.column("alpha");
    const order = space.words(rowCount);
    this.#w = space.doubles(matrix.featureCount);
    const random = space.words(4);
    random.set(new Random(problem.seed).state);
    for (let k = 0; k < rowCount; k++) order[k] = k;
    table.column("limit").fill(weights);
    table.column("row").fill(rowIds);
    table.column("y").fill(new Float32Array(rowCount).fill(1));
    if (start !== undefined) this.#alpha.fill(weights.map((weight, k) => Math.min(Math.max(0, start.alpha[k] as number), weight)));
    const total = nu * weights.reduce((sum, weight) => sum + weight, 0);
    const squares = rowSquares(matrix, rowIds);
    const size = sizeOf(squares, weights, total);
    if (size === 0) {
      this.#known = { w: new Float64Array(matrix.featureCount), rho: 0, alpha: weights.map((weight) => nu * weight), iterations: 0 };
    }
    this.#state.assign({
      rows: task.rows,
      table: table.pointer,
      order: order.byteOffset,
      w: this.#w.byteOffset,
      random: random.byteOffset,
      breaks: space.rawDoubles(rowCount).byteOffset,
      rowCount,
      loss: losses.hinge,
      iterationLimit: Math.min(problem.maxIterations, 0xffffffff),
      shrinking: problem.shrinking ? 1 : 0,
      isFree: 1,
      isWarm: start === undefined ? 0 : 1,
      biasSquare: ROW_SHARE * middleOf(squares),
      tolerance: problem.tolerance,
      violation: problem.stop?.epsilon ?? 0,
      zeroPrimal: size,
      margin: 0,
      total,
    });
    task.core.dcdStart(this.#state.pointer);
  }

  /** Goes on until the solver's own gap is at most its tolerance, or a limit or the caller says stop. */
  async solve(): Promise<Ending> {
    if (this.#known !== undefined) return "converged";
    const { core } = this.#task;
    const ending = await drive(
      this.#task,
      () => this.#progress(),
      () => core.dcdAdvance(this.#state.pointer, SLICE),
    );
    // Only a check of the gap leaves the dual variables with their sum and rho at its best.
    if (ending !== "converged" || this.#problem.stop !== undefined) core.dcdSettle(this.#state.pointer);
    return ending;
  }

  /** Asks for more than before: the judge was not content with what the solver took for enough. */
  tighten(): void {
    this.#state.set("tolerance", this.#state.get("tolerance") / 2);
  }

  /** The best multiple of where the solver stands. */
  solution(): OneClassSolution {
    if (this.#known !== undefined) return this.#known;
    const multiple = this.#state.get("multiple");
    const w = this.#w.map((value) => multiple * value + 0);
    const rho = 0 - multiple * this.#state.get("bestBias");
    return { w, rho, alpha: this.#alpha.copy(this.#problem.rowIds.length), iterations: this.#iterations() };
  }

  #iterations(): number {
    return Math.floor(this.#state.get("visits") / this.#problem.rowIds.length);
  }

  #progress(): { iterations: number; relativeGap: number } {
    return { iterations: this.#iterations(), relativeGap: this.#state.get("recentGap") };
  }
}

/** |x_i|^2 of some rows. */
function rowSquares(x: Matrix, rowIds: Uint32Array): Float64Array {
  const { values } = x;
  const squares = new Float64Array(rowIds.length);
  for (let k = 0; k < squares.length; k++) {
    const row = rowIds[k] as number;
    const end = rowStart(x, row + 1);
    let square = 0;
    for (let at = rowStart(x, row); at < end; at++) square += (values[at] as number) * (values[at] as number);
    squares[k] = square;
  }
  return squares;
}

/** What |D| would be if all rows pointed the same way: the scale of the gap's floor. */
function sizeOf(squares: Float64Array, weights: Float64Array, total: number): number {
  let weighted = 0;
  let sum = 0;
  for (let k = 0; k < squares.length; k++) {
    weighted += (weights[k] as number) * (squares[k] as number);
    sum += weights[k] as number;
  }
  return sum > 0 ? (0.5 * total * total * weighted) / sum : 0;
}

/** The median of those that are not 0: a few rows far off do not move it. */
function middleOf(squares: Float64Array): number {
  const sorted = squares.filter((square) => square > 0).sort();
  return sorted[sorted.length >> 1] ?? 1;
}
