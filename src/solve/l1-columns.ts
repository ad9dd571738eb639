// The columns of an L1-regularised problem in the core's memory: the gradient by one pass over them, and the quadratic model minimised by
// coordinate descent over those of the working set. core/linear/columns.ts holds the formulas.

import { Random } from "../base/random.js";
import type { Matrix } from "../data/matrix.js";
import { columnsStruct } from "../runtime/layout.js";
import type { StructView } from "../runtime/struct.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { biasPenalty, type L1Slopes, NEAR } from "./l1-rows.js";
import type { BinaryProblem } from "./problem.js";
import type { Slices, SmoothRows } from "./smooth-rows.js";

/** Stored values touched between two yields: some milliseconds. */
const SLICE = 2_000_000;
/** Sweeps over one model; then a fresh one is better. */
const SWEEPS = 20;
/** A model is not worth more: its own error, the changing curvatures, is larger. */
const LEAST_DEPTH = 0.01;
/** Passes that bring a dual point inside its constraints, at most. */
const POLISH = 20;

export function l1ColumnsBytes(rowCount: number, { featureCount, valueCount }: Matrix): number {
  const values = valueCount + rowCount;
  const perFeature = [4, 8, 8, 8, 4, 4].map((bytes) => bytes * (featureCount + 2));
  return spaceFor(columnsStruct.size, ...perFeature, 4 * values, 4 * values, 16 * rowCount, 4 * 4);
}

export class L1Columns {
  /** f64[featureCount + 1], the bias last. */
  readonly gradient: Float64Array;
  /** How far below its first violation a model is taken; smaller each time that one sweep was enough. */
  #depth = 1;
  #isTransposed = false;
  readonly #task: Task;
  readonly #rows: SmoothRows;
  readonly #shrinking: boolean;
  readonly #isBounded: boolean;
  readonly #state: StructView<keyof typeof columnsStruct.offsets>;
  readonly #starts: Uint32Array;
  readonly #point: Float64Array;
  readonly #list: Uint32Array;

  /** w: f64[featureCount + 1] in the core's memory. */
  constructor(task: Task, rows: SmoothRows, problem: BinaryProblem, w: Float64Array) {
    const { space, matrix } = task;
    const size = matrix.featureCount + 2;
    const values = matrix.valueCount + rows.rowCount;
    this.#task = task;
    this.#rows = rows;
    this.#shrinking = problem.shrinking;
    this.#isBounded = problem.loss === "logistic";
    this.#state = space.struct(columnsStruct);
    this.#starts = space.words(size);
    this.gradient = space.rawDoubles(size);
    this.#point = space.rawDoubles(size);
    const diagonal = space.rawDoubles(size);
    this.#list = space.rawWords(size);
    const order = space.rawWords(size);
    const random = space.rawWords(4);
    random.set(new Random(problem.seed).state);
    this.#state.assign({
      starts: this.#starts.byteOffset,
      indices: space.rawWords(values).byteOffset,
      values: space.rawFloats(values).byteOffset,
      pairs: space.rawDoubles(2 * rows.rowCount).byteOffset,
      w: w.byteOffset,
      gradient: this.gradient.byteOffset,
      point: this.#point.byteOffset,
      diagonal: diagonal.byteOffset,
      list: this.#list.byteOffset,
      order: order.byteOffset,
      random: random.byteOffset,
      featureCount: matrix.featureCount,
      columnCount: matrix.featureCount + (problem.bias === false ? 0 : 1),
      biasPenalty: biasPenalty(problem),
    });
  }

  /** Stored values that sweeps have touched so far. */
  get work(): number {
    return this.#state.get("work");
  }

  /** Values in the columns of these features. */
  valuesOf(list: Uint32Array): number {
    return list.reduce((sum, j) => sum + (this.#starts[j + 1] as number) - (this.#starts[j] as number), 0);
  }

  /** Slopes and curvatures of the rows, and the gradient. The first call transposes. */
  *slopes(): Slices<L1Slopes> {
    const { core } = this.#task;
    const { pointer } = this.#state;
    if (!this.#isTransposed) yield* this.#transpose();
    yield* this.#rows.slopes();
    core.startSlopes(pointer, this.#rows.pointer, this.#rows.state.get("slopes"), ...this.#rows.sides());
    while (!core.columnSlopes(pointer, NEAR, SLICE)) yield;
    const { violation, reach, listCount } = this.#values();
    return { violation, reach, list: this.#list.slice(0, listCount) };
  }

  *#transpose(): Slices<void> {
    const { core } = this.#task;
    const { pointer } = this.#state;
    yield* this.#rows.ranges((from, to) => core.countColumns(pointer, this.#rows.pointer, from, to));
    core.startColumns(pointer);
    // Scattered writes: several times the cost of a value in a pass along the rows.
    yield* this.#rows.ranges((from, to) => core.scatterColumns(pointer, this.#rows.pointer, from, to), 4);
    this.#isTransposed = true;
  }

  #values(): { violation: number; reach: number; listCount: number } {
    return { violation: this.#state.get("violation"), reach: this.#state.get("reach"), listCount: this.#state.get("listCount") };
  }

  /** Minimises the model over the last list; returns u for its features. The rows know their turns then. */
  *minimise(list: Uint32Array, violation: number): Slices<Float64Array> {
    const { core } = this.#task;
    const { pointer } = this.#state;
    const { start, sweepOn, end } = this.#isBounded
      ? { start: core.startModel, sweepOn: core.columnSweep, end: core.endModel }
      : { start: core.startDescent, sweepOn: core.descentSweep, end: core.endDescent };
    start(pointer, this.#rows.pointer);
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      core.startSweep(pointer);
      while (!sweepOn(pointer, SLICE)) yield;
      if (this.#state.get("violation") <= this.#depth * violation) {
        if (sweep === 0) this.#depth = Math.max(this.#depth / 4, LEAST_DEPTH);
        break;
      }
      if (this.#shrinking) this.#state.set("shrinkBelow", this.#state.get("worst") / this.#rows.rowCount);
    }
    end(pointer, this.#rows.pointer);
    const point = new Float64Array(list.length);
    for (let k = 0; k < list.length; k++) point[k] = this.#point[list[k] as number] as number;
    return point;
  }

  /**
   * A dual point near the one that the last `slopes` suggest but further inside: sweeps until none of the list is outside by more than
   * `slack`, relative to its penalty. Returns its value; the point, scaled, is in the rows' turns.
   */
  *polish(slack: number): Slices<{ dual: number; scales: readonly [number, number] }> {
    const { core } = this.#task;
    const { pointer } = this.#state;
    const rows = this.#rows;
    core.startModel(pointer, rows.pointer);
    for (let sweep = 0; sweep < POLISH; sweep++) {
      core.startPolish(pointer);
      while (!core.polishSweep(pointer, SLICE)) yield;
      if (this.#state.get("worst") <= 1 + slack) break;
    }
    core.endPolish(pointer, rows.pointer, this.#isBounded ? 1 : 0);
    const point = rows.state.get("turns");
    const [positive, negative] = rows.sides();
    core.startSlopes(pointer, rows.pointer, point, positive, negative);
    while (!core.columnReach(pointer, SLICE)) yield;
    const t = Math.min(1, 1 / this.#state.get("reach"));
    const scales = [t * positive, t * negative] as const;
    return { dual: yield* rows.dualAt(point, ...scales), scales };
  }
}
