// The core's dual coordinate descent as its hosts see it, whatever the loss: lays its state out, drives it slice by slice, and reads what all answers have in
// common. The algorithm is core/linear/descent.ts.

import { Random } from "../base/random.js";
import { coreProgress, dcdRowStruct, dcdStateStruct, tubeRowStruct } from "../runtime/layout.js";
import type { Column, StructView } from "../runtime/struct.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { counting } from "./counting.js";
import { drive, type Ending, plainZeros } from "./drive.js";
import type { Outlook } from "./outlook.js";
import type { LinearProblemSettings } from "./problem.js";

/** Stored values touched between two checkpoints: some milliseconds. */
const SLICE = 2_000_000;

type StateField = keyof typeof dcdStateStruct.offsets;

/** What all problems have in common. */
export interface DescentProblem extends Pick<LinearProblemSettings, "tolerance" | "maxIterations" | "shrinking" | "seed" | "stop"> {
  readonly rowIds: Uint32Array;
}

/** What a problem is besides: its rows, and the constants of its loss. */
export interface DescentSetup {
  /** Where the matrix's Rows struct is, and which of its rows take part. */
  readonly rows: number;
  readonly rowIds: Uint32Array;
  /** U_i, or D_ii of a squared loss. */
  readonly limits: Float64Array;
  /** y_i of a classification, or the targets of a regression. */
  readonly signs?: Float32Array;
  readonly targets?: Float64Array;
  /** Dual variables to begin from, inside their constraints. */
  readonly start: Float64Array | undefined;
  readonly isFree: boolean;
  /** When to give up for another method. */
  readonly outlook?: Outlook | undefined;
  readonly state: Partial<Record<StateField, number>>;
}

/** Work space that a problem of this size needs, whatever its loss and bias. */
export function descentBytes(rowCount: number, featureCount: number): number {
  const perRow = [tubeRowStruct.size, 4, 8, 8].map((bytes) => bytes * rowCount);
  return spaceFor(dcdStateStruct.size, ...perRow, 8 * featureCount, 4 * 4);
}

export class Descent {
  readonly state: StructView<StateField>;
  readonly #task: Task;
  readonly #problem: DescentProblem;
  readonly #isFree: boolean;
  readonly #alpha: Column;
  readonly #w: Float64Array;
  readonly #outlook: Outlook | undefined;

  constructor(task: Task, problem: DescentProblem, setup: DescentSetup) {
    const { rows, rowIds, limits, signs, targets, start, isFree, state, outlook } = setup;
    const { space, matrix } = task;
    const rowCount = rowIds.length;
    this.#task = task;
    this.#problem = problem;
    this.#isFree = isFree;
    this.#outlook = outlook;
    this.state = space.struct(dcdStateStruct);
    const tube = targets && space.table(tubeRowStruct, rowCount);
    tube?.column("target").fill(targets as Float64Array);
    const table = tube ?? space.table(dcdRowStruct, rowCount);
    this.#alpha = table.column("alpha");
    table.column("limit").fill(limits);
    table.column("row").fill(rowIds);
    if (signs !== undefined) table.column("y").fill(signs);
    if (start !== undefined) this.#alpha.fill(start);
    this.#w = space.doubles(matrix.featureCount);
    const random = space.words(4);
    random.set(new Random(problem.seed).state);
    this.state.assign({
      rows,
      table: table.pointer,
      rowBytes: (tube ? tubeRowStruct : dcdRowStruct).size,
      order: counting(space.rawWords(rowCount)).byteOffset,
      w: this.#w.byteOffset,
      random: random.byteOffset,
      breaks: isFree ? space.rawDoubles(rowCount).byteOffset : 0,
      ends: isFree && targets !== undefined ? counting(space.rawWords(2 * rowCount)).byteOffset : 0,
      rowCount,
      iterationLimit: Math.min(problem.maxIterations, 0xffffffff),
      shrinking: problem.shrinking ? 1 : 0,
      isFree: isFree ? 1 : 0,
      isWarm: start === undefined ? 0 : 1,
      tolerance: problem.tolerance,
      violation: problem.stop?.epsilon ?? 0,
      ...state,
    });
    task.core.dcdStart(this.state.pointer);
  }

  /** Goes on until the solver's own gap is at most its tolerance, or a limit or the caller says stop. */
  async solve(): Promise<Ending> {
    const ending = await drive(
      this.#task,
      () => ({ iterations: this.iterations, relativeGap: this.state.get("recentGap") }),
      () => {
        const progress = this.#task.core.dcdAdvance(this.state.pointer, SLICE);
        const isOver = progress === coreProgress.running && this.#outlook?.isTooLong(this.iterations, this.state.get("recentGap"));
        return isOver ? coreProgress.iterationLimit : progress;
      },
    );
    // Only a check of the gap leaves the dual variables balanced and the bias at its best.
    if (this.#isFree && (ending !== "converged" || this.#problem.stop !== undefined)) this.settle();
    return ending;
  }

  /** With a free bias: makes the best of where the solver stands. */
  settle(): void {
    this.#task.core.dcdSettle(this.state.pointer);
  }

  /** Asks for more than before: the judge was not content with what the solver took for enough. */
  tighten(): void {
    this.state.set("tolerance", this.state.get("tolerance") / 2);
  }

  get iterations(): number {
    return Math.floor(this.state.get("visits") / this.#problem.rowIds.length);
  }

  get w(): Float64Array {
    return plainZeros(this.#w);
  }

  get bias(): number {
    return this.state.get(this.#isFree ? "bestBias" : "bias") + 0;
  }

  /** The dual variables. */
  get alpha(): Float64Array {
    return plainZeros(this.#alpha.copy(this.#problem.rowIds.length));
  }
}
