// The rows of a problem with a smooth loss in the core's memory: their margins, passes over them slice by slice, and the dual value that
// the margins suggest for an L1-regularised problem. Formulas: core/linear/loss-rows.ts. Whatever touches all rows is a generator that
// yields between two slices.
//
// The dual point is t_i a_i with a_i = -C_i loss'(m_i). Unregularised bias: the heavier side is scaled down until sum_i t_i a_i y_i = 0.
// Then all of it is scaled into |sum_i t_i a_i y_i x_ij| <= p_j; the caller says how far outside it is (`reach`).

import { losses, lossRowsStruct } from "../runtime/layout.js";
import type { StructView } from "../runtime/struct.js";
import { spaceFor, type Task } from "../runtime/task.js";
import type { BinaryProblem } from "./problem.js";

/** Stored values touched between two yields: some milliseconds. */
const SLICE = 2_000_000;
/** A row costs its stored values and about this many more. */
const ROW_COST = 8;

/** Work in slices: yields between two of them. */
export type Slices<T> = Generator<undefined, T, undefined>;

export function smoothRowsBytes(rowCount: number): number {
  return spaceFor(lossRowsStruct.size, ...[4, 4, 8, 8, 8, 8, 8].map((bytes) => bytes * rowCount));
}

export class SmoothRows {
  readonly rowCount: number;
  readonly state: StructView<keyof typeof lossRowsStruct.offsets>;
  /** Sum_i C_i loss(m_i) at the present margins. */
  lossValue = 0;
  readonly #task: Task;
  readonly #problem: BinaryProblem;
  readonly #blockRows: number;
  readonly #turns: Float64Array;
  readonly #slopes: Float64Array;

  constructor(task: Task, problem: BinaryProblem) {
    const { space, matrix } = task;
    const n = problem.rowIds.length;
    this.#task = task;
    this.#problem = problem;
    this.rowCount = n;
    this.state = space.struct(lossRowsStruct);
    const rowIds = space.rawWords(n);
    const signs = space.rawFloats(n);
    const costs = space.rawDoubles(n);
    rowIds.set(problem.rowIds);
    signs.set(problem.signs);
    costs.set(problem.costs);
    this.#turns = space.doubles(n);
    this.#slopes = space.doubles(n);
    this.state.assign({
      rows: task.rows,
      rowIds: rowIds.byteOffset,
      signs: signs.byteOffset,
      costs: costs.byteOffset,
      margins: space.doubles(n).byteOffset,
      turns: this.#turns.byteOffset,
      slopes: this.#slopes.byteOffset,
      curvatures: space.doubles(n).byteOffset,
      loss: losses[problem.loss],
      rowCount: n,
      constant: problem.bias === false ? 0 : 1,
    });
    this.#blockRows = Math.max(1, Math.floor(SLICE / (matrix.valueCount / Math.max(1, matrix.rowCount) + ROW_COST)));
  }

  get pointer(): number {
    return this.state.pointer;
  }

  /** Calls `work` on ranges that cover all rows; `cost` times more work a row than a pass over its values makes them shorter. */
  *ranges(work: (from: number, to: number) => void, cost = 1): Slices<void> {
    const size = Math.max(1, Math.floor(this.#blockRows / cost));
    for (let from = 0; from < this.rowCount; from += size) {
      work(from, Math.min(from + size, this.rowCount));
      yield;
    }
  }

  /** a_i and curvatures from the margins. */
  *slopes(): Slices<void> {
    const { core } = this.#task;
    core.clearSums(this.pointer);
    yield* this.ranges((from, to) => core.slopePass(this.pointer, from, to));
  }

  /** Scales of the positive and the negative side that make the dual point obey a free bias. */
  sides(): readonly [number, number] {
    if (this.#problem.bias !== "unregularised") return [1, 1];
    const positive = this.state.get("positiveSum");
    const negative = this.state.get("negativeSum");
    const lighter = Math.min(positive, negative);
    return [positive > lighter ? lighter / positive : 1, negative > lighter ? lighter / negative : 1];
  }

  /** Changes of the margins along `direction`, f64[featureCount + 1] in the core's memory. */
  *turn(direction: Float64Array): Slices<void> {
    yield* this.ranges((from, to) => this.#task.core.turnPass(this.pointer, direction.byteOffset, from, to));
  }

  /** Sum_i C_i loss(m_i + t z_i). */
  *lossAt(t: number): Slices<number> {
    const { core } = this.#task;
    this.state.set("lossSum", 0);
    yield* this.ranges((from, to) => core.sumLoss(this.pointer, t, from, to));
    return this.state.get("lossSum");
  }

  /** Takes the step t along the last direction; `lossValue` is the loss there. */
  *move(t: number, lossValue: number): Slices<void> {
    yield* this.ranges((from, to) => this.#task.core.moveMargins(this.pointer, t, from, to));
    this.lossValue = lossValue;
  }

  /** The value of the dual point, scaled down by `reach`; where it cannot be as large as `wanted`, any number below that. */
  *dual(reach: number, wanted: number): Slices<number> {
    const [positive, negative] = this.sides();
    const { state } = this;
    const seconds = [state.get("positiveSecond"), state.get("negativeSecond")] as const;
    if (this.#problem.loss === "squared_hinge") {
      // sum_i h_i(t a_i) = t first - t^2 second: a parabola with its top at first / (2 second).
      const first = positive * state.get("positiveSum") + negative * state.get("negativeSum");
      const second = positive * positive * seconds[0] + negative * negative * seconds[1];
      if (!(first > 0)) return 0;
      const t = Math.min(1 / reach, first / (2 * second));
      return t * (first - t * second);
    }
    const t = Math.min(1, 1 / reach);
    // h is concave, h(a) = C loss(m) + a m and h'(a) = m: the tangent is above h(t a).
    const tangent = this.lossValue + t * (positive * seconds[0] + negative * seconds[1]);
    if (tangent < wanted) return Math.max(0, tangent);
    return yield* this.dualAt(state.get("slopes"), t * positive, t * negative);
  }

  /** The a_i of the last `slopes`. */
  suggested(): Float64Array {
    return this.#slopes.slice();
  }

  /** The dual variables t_i a_i, the a_i taken from the turns. */
  dualPoint([positive, negative]: readonly [number, number]): Float64Array {
    const { signs } = this.#problem;
    return this.#turns.map((a, i) => a * ((signs[i] as number) > 0 ? positive : negative));
  }

  /** Sum_i h_i(t_i a_i); point: where the a_i are. */
  *dualAt(point: number, positive: number, negative: number): Slices<number> {
    this.state.set("lossSum", 0);
    yield* this.ranges((from, to) => this.#task.core.dualPass(this.pointer, point, positive, negative, from, to));
    return this.state.get("lossSum");
  }
}
