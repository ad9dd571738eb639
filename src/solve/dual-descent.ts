// Hinge and squared hinge by dual coordinate descent: from a problem to the core's state and back. The algorithm is
// core/linear/dcd-svc.ts; this file lays its state out, drives it slice by slice, and reads the answer.

import { Random } from "../base/random.js";
import { dcdRowStruct, dcdStateStruct, losses } from "../runtime/layout.js";
import type { Column, StructView } from "../runtime/struct.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { drive, type Ending, plainZeros } from "./drive.js";
import { type DualStart, within } from "./dual-start.js";
import type { BinaryProblem, BinarySolution } from "./problem.js";

/** Stored values touched between two checkpoints: some milliseconds. */
const SLICE = 2_000_000;

/** Work space that a problem of this size needs, whatever its bias. */
export function dualDescentBytes(rowCount: number, featureCount: number): number {
  return spaceFor(dcdStateStruct.size, dcdRowStruct.size * rowCount, 4 * rowCount, 8 * featureCount, 4 * 4, 8 * rowCount);
}

export class DualDescent {
  readonly #task: Task;
  readonly #problem: BinaryProblem;
  readonly #isFree: boolean;
  readonly #state: StructView<keyof typeof dcdStateStruct.offsets>;
  readonly #alpha: Column;
  readonly #w: Float64Array;

  constructor(task: Task, problem: BinaryProblem, start?: DualStart) {
    const { space } = task;
    const rowCount = problem.rowIds.length;
    this.#task = task;
    this.#problem = problem;
    this.#isFree = problem.bias === "unregularised";
    this.#state = space.struct(dcdStateStruct);
    const table = space.table(dcdRowStruct, rowCount);
    this.#alpha = table.column("alpha");
    const order = space.words(rowCount);
    this.#w = space.doubles(task.matrix.featureCount);
    const random = space.words(4);
    random.set(new Random(problem.seed).state);
    for (let k = 0; k < rowCount; k++) order[k] = k;
    // The hinge's limit is the bound U_i = C_i, the squared hinge's the diagonal D_ii = 1 / (2 C_i).
    table.column("limit").fill(problem.loss === "hinge" ? problem.costs : problem.costs.map((cost) => 1 / (2 * cost)));
    table.column("row").fill(problem.rowIds);
    table.column("y").fill(problem.signs);
    if (start !== undefined) this.#alpha.fill(intoBox(problem, start));
    const zeroPrimal = problem.costs.reduce((sum, cost) => sum + cost, 0);
    this.#state.assign({
      rows: task.rows,
      table: table.pointer,
      order: order.byteOffset,
      w: this.#w.byteOffset,
      random: random.byteOffset,
      breaks: this.#isFree ? space.rawDoubles(rowCount).byteOffset : 0,
      rowCount,
      loss: losses[problem.loss as keyof typeof losses],
      iterationLimit: Math.min(problem.maxIterations, 0xffffffff),
      shrinking: problem.shrinking ? 1 : 0,
      isFree: this.#isFree ? 1 : 0,
      isWarm: start === undefined ? 0 : 1,
      // The squared hinge has no bound to grow to, a start is better than small costs, and the originals' rule is about their own way.
      grows: problem.loss === "hinge" && start === undefined && problem.stop === undefined ? 1 : 0,
      // A free bias may have to cross the margin's width of 2 and comes 4 / sum C_i times that far in an epoch.
      biasSquare: problem.bias === "augmented" ? problem.biasScale * problem.biasScale : this.#isFree ? 4 / zeroPrimal : 0,
      tolerance: problem.tolerance,
      violation: problem.stop?.epsilon ?? 0,
      zeroPrimal,
      margin: 1,
    });
    task.core.dcdStart(this.#state.pointer);
  }

  /** Goes on until the solver's own gap is at most its tolerance, or a limit or the caller says stop. */
  async solve(): Promise<Ending> {
    if (this.#isFree && isOneSided(this.#problem.signs)) {
      // y'a = 0 leaves nothing but a = 0, and a bias alone costs nothing.
      this.#task.core.dcdSettle(this.#state.pointer);
      return "converged";
    }
    const ending = await this.#advance();
    // Only a check of the gap leaves the dual variables balanced and the bias at its best.
    if (this.#isFree && (ending !== "converged" || this.#problem.stop !== undefined)) this.#task.core.dcdSettle(this.#state.pointer);
    return ending;
  }

  async #advance(): Promise<Ending> {
    const { core } = this.#task;
    return drive(
      this.#task,
      () => this.#progress(),
      () => core.dcdAdvance(this.#state.pointer, SLICE),
    );
  }

  /** Asks for more than before: the judge was not content with what the solver took for enough. */
  tighten(): void {
    this.#state.set("tolerance", this.#state.get("tolerance") / 2);
  }

  solution(): BinarySolution {
    const alpha = this.#alpha.copy(this.#problem.rowIds.length);
    const w = plainZeros(this.#w);
    const bias = this.#state.get(this.#isFree ? "bestBias" : "bias") + 0;
    return { w, bias, alpha, iterations: this.#iterations() };
  }

  #iterations(): number {
    return Math.floor(this.#state.get("visits") / this.#problem.rowIds.length);
  }

  #progress(): { iterations: number; relativeGap: number } {
    return { iterations: this.#iterations(), relativeGap: this.#state.get("recentGap") };
  }
}

/**
 * Every dual variable at the nearest point of its box. The squared hinge has no upper end, but its optimum has: C_i loss_i <= P(0) = sum C
 * means a_i = 2 C_i slack_i <= 2 sqrt(C_i sum C).
 */
function intoBox({ loss, costs }: BinaryProblem, start: DualStart): Float64Array {
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  return costs.map((cost, k) => within(start, k, 0, loss === "hinge" ? cost : 2 * Math.sqrt(cost * total)));
}

function isOneSided(signs: Float32Array): boolean {
  return signs.every((sign) => sign === signs[0]);
}
