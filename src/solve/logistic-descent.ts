// Logistic regression by dual coordinate descent: from a problem to the core's state and back. The algorithm is core/linear/dcd-logistic.ts; this
// file lays its state out, drives it slice by slice, and reads the answer.

import { Random } from "../base/random.js";
import { sumOf } from "../base/sums.js";
import { logisticRowStruct, logisticStateStruct } from "../runtime/layout.js";
import type { Column, StructView } from "../runtime/struct.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { drive, type Ending, plainZeros } from "./drive.js";
import { type DualStart, within } from "./dual-start.js";
import type { BinaryProblem, BinarySolution } from "./problem.js";

/** Stored values touched between two checkpoints: some milliseconds. */
const SLICE = 2_000_000;

/** Work space that a problem of this size needs. */
export function logisticDescentBytes(rowCount: number, featureCount: number): number {
  return spaceFor(logisticStateStruct.size, logisticRowStruct.size * rowCount, 4 * rowCount, 8 * (featureCount + 1), 4 * 4);
}

/** How far inside (0, C) a start is moved, in C: its logit is within 28 of 0 then. */
const INSIDE = 1e-12;

/** Takes bias "augmented" or false; a free bias has no coordinate of its own in the dual. */
export class LogisticDescent {
  readonly #task: Task;
  readonly #problem: BinaryProblem;
  /** Value of the constant feature whose weight is the bias; 0 for no bias. */
  readonly #biasScale: number;
  readonly #state: StructView<keyof typeof logisticStateStruct.offsets>;
  readonly #alpha: Column;
  readonly #w: Float64Array;

  constructor(task: Task, problem: BinaryProblem, start?: DualStart) {
    const { space } = task;
    const rowCount = problem.rowIds.length;
    this.#task = task;
    this.#problem = problem;
    this.#biasScale = problem.bias === "augmented" ? problem.biasScale : 0;
    this.#state = space.struct(logisticStateStruct);
    const table = space.table(logisticRowStruct, rowCount);
    this.#alpha = table.column("alpha");
    const order = space.words(rowCount);
    this.#w = space.doubles(task.matrix.featureCount + 1);
    const random = space.words(4);
    random.set(new Random(problem.seed).state);
    for (let k = 0; k < rowCount; k++) order[k] = k;
    table.column("rest").fill(problem.costs);
    table.column("cost").fill(problem.costs);
    table.column("row").fill(problem.rowIds);
    table.column("y").fill(problem.signs);
    if (start !== undefined) {
      this.#alpha.fill(problem.costs.map((cost, k) => within(start, k, INSIDE * cost, (1 - INSIDE) * cost)));
    }
    this.#state.assign({
      rows: task.rows,
      table: table.pointer,
      order: order.byteOffset,
      w: this.#w.byteOffset,
      random: random.byteOffset,
      rowCount,
      isWarm: start === undefined ? 0 : 1,
      iterationLimit: Math.min(problem.maxIterations, 0xffffffff),
      biasScale: this.#biasScale,
      tolerance: problem.tolerance,
      violation: problem.stop?.epsilon ?? 0,
      zeroPrimal: Math.LN2 * sumOf(problem.costs),
    });
    task.core.logisticStart(this.#state.pointer);
  }

  /** Goes on until the solver's own gap is at most its tolerance, or a limit or the caller says stop. */
  async solve(): Promise<Ending> {
    const { core } = this.#task;
    return drive(
      this.#task,
      () => this.#progress(),
      () => core.logisticAdvance(this.#state.pointer, SLICE),
    );
  }

  /** Asks for more than before: the judge was not content with what the solver took for enough. */
  tighten(): void {
    this.#state.set("tolerance", this.#state.get("tolerance") / 2);
  }

  solution(): BinarySolution {
    const { featureCount } = this.#task.matrix;
    const alpha = this.#alpha.copy(this.#problem.rowIds.length);
    const w = plainZeros(this.#w.subarray(0, featureCount));
    const bias = this.#biasScale * (this.#w[featureCount] as number) + 0;
    return { w, bias, alpha, iterations: this.#iterations() };
  }

  #iterations(): number {
    return Math.floor(this.#state.get("visits") / this.#problem.rowIds.length);
  }

  #progress(): { iterations: number; relativeGap: number } {
    return { iterations: this.#iterations(), relativeGap: this.#state.get("recentGap") };
  }
}
