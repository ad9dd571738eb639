// The interior point method of core/linear/interior-point.ts for rows with offsets: lays the state out from a first point, drives it slice by slice, and reads
// the answer. Also says what a fit would cost. InteriorPoint (hinge), TubeInterior (regression) and
// OneClassInterior say which rows.

import type { Matrix } from "../data/matrix.js";
import { interiorRowStruct, interiorStateStruct, normalMatrixWays } from "../runtime/layout.js";
import type { Column, StructView } from "../runtime/struct.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { drive, type Ending, plainZeros } from "./drive.js";
import type { LinearProblemSettings } from "./problem.js";

/** Values touched between two checkpoints: some milliseconds. */
const SLICE = 2_000_000;

/** Rows that the core packs together. */
const BLOCK = 64;

/** A multiplication in a 4 x 4 tile costs this much of one that is scattered over the matrix: measured on dense rows, see docs/algorithms/interior-point.md. */
const TILE_COST = 0.25;

/** Iterations to a gap of 1e-6; to 1e-3 about two thirds of it. */
const USUAL_ITERATIONS = 25;

/** Work space that a problem with so many entries needs: mostly a square matrix, 8 (d + 1)^2 bytes. */
export function interiorBytes(entryCount: number, featureCount: number): number {
  const stride = strideOf(featureCount);
  const vectors = new Array<number>(6).fill(8 * (featureCount + 1));
  return spaceFor(interiorStateStruct.size, interiorRowStruct.size * entryCount, 8 * stride * stride, 8 * BLOCK * stride, ...vectors);
}

/** What one iteration and a usual fit cost, in multiplications scattered over memory, about a nanosecond each. */
export function interiorPointWork(x: Matrix, rowIds: ArrayLike<number>): { way: "rows" | "blocks"; iteration: number; fit: number } {
  const d = x.featureCount + 1;
  const { starts, featureCount } = x;
  const isDense = x.kind === "dense";
  let scattered = 0;
  let stored = 0;
  for (let k = 0; k < rowIds.length; k++) {
    const row = rowIds[k] as number;
    const length = isDense ? featureCount : (starts[row + 1] as number) - (starts[row] as number);
    scattered += (length * (length + 3)) / 2;
    stored += length;
  }
  const blocked = TILE_COST * (rowIds.length * d * (d / 2));
  const way = isDense || blocked < scattered ? "blocks" : "rows";
  // Seven products of a row with a vector, some forty operations a row without its values, the factor.
  const iteration = (way === "rows" ? scattered : blocked) + 7 * stored + 40 * rowIds.length + d ** 3 / 6;
  return { way, iteration, fit: USUAL_ITERATIONS * iteration };
}

/** Doubles in a row of the square matrix: one for each feature and the bias, in fours. */
function strideOf(featureCount: number): number {
  return Math.ceil((featureCount + 1) / 4) * 4;
}

/** Entries as the core's header has them, `sides` of them for each row of the matrix one after the other, and a first point. */
export interface InteriorEntries {
  /** Where the rows are, if not in the task's matrix: a dense copy. */
  readonly denseRows?: number | undefined;
  readonly rowIds: Uint32Array;
  readonly sides: number;
  readonly signs: Float32Array;
  readonly offsets: Float64Array;
  readonly costs: Float64Array;
  /** The first point: a strictly between 0 and the cost, slack and excess above 0. */
  readonly alpha: Float64Array;
  readonly slack: Float64Array;
  readonly excess: Float64Array;
}

export interface InteriorSettings extends Pick<LinearProblemSettings, "bias" | "biasScale" | "tolerance" | "maxIterations"> {
  readonly zeroObjective: number;
  /** What y'a must be with a free bias; 0 if not given. */
  readonly total?: number;
}

export class InteriorSolver {
  readonly #task: Task;
  readonly #entries: InteriorEntries;
  readonly #isFree: boolean;
  readonly #total: number;
  /** Value of the constant feature whose weight is the bias; 0 for no bias. */
  readonly #biasScale: number;
  readonly #state: StructView<keyof typeof interiorStateStruct.offsets>;
  readonly #alpha: Column;
  readonly #kept: Column;
  readonly #w: Float64Array;
  readonly #keptW: Float64Array;

  constructor(task: Task, entries: InteriorEntries, settings: InteriorSettings) {
    const { space } = task;
    const { featureCount } = task.matrix;
    const { costs } = entries;
    const stride = strideOf(featureCount);
    this.#task = task;
    this.#entries = entries;
    this.#total = settings.total ?? 0;
    this.#isFree = settings.bias === "unregularised";
    this.#biasScale = settings.bias === "augmented" ? settings.biasScale : this.#isFree ? 1 : 0;
    this.#state = space.struct(interiorStateStruct);
    const table = space.table(interiorRowStruct, costs.length);
    this.#alpha = table.column("alpha");
    this.#kept = table.column("kept");
    const matrix = space.rawDoubles(stride * stride);
    const panels = space.rawDoubles(BLOCK * stride);
    const vector = (): Float64Array => space.doubles(featureCount + 1);
    this.#w = vector();
    const [dualW, right, centre, direction] = [vector(), vector(), vector(), vector()];
    this.#keptW = vector();
    table.column("alpha").fill(entries.alpha);
    const rest = new Float64Array(costs.length);
    for (let k = 0; k < rest.length; k++) rest[k] = (costs[k] as number) - (entries.alpha[k] as number);
    table.column("rest").fill(rest);
    table.column("slack").fill(entries.slack);
    table.column("excess").fill(entries.excess);
    table.column("cost").fill(costs);
    table.column("offset").fill(entries.offsets);
    table.column("row").fill(entries.rowIds);
    table.column("y").fill(entries.signs);
    this.#state.assign({
      rows: entries.denseRows ?? task.rows,
      table: table.pointer,
      matrix: matrix.byteOffset,
      panels: panels.byteOffset,
      w: this.#w.byteOffset,
      dualW: dualW.byteOffset,
      right: right.byteOffset,
      centre: centre.byteOffset,
      direction: direction.byteOffset,
      keptW: this.#keptW.byteOffset,
      rowCount: costs.length,
      sides: entries.sides,
      way: normalMatrixWays[entries.denseRows === undefined ? interiorPointWork(task.matrix, entries.rowIds).way : "blocks"],
      iterationLimit: Math.min(settings.maxIterations, 0xffffffff),
      biasScale: this.#biasScale,
      biasPenalty: this.#isFree ? 0 : 1,
      tolerance: settings.tolerance,
      zeroPrimal: settings.zeroObjective,
      total: this.#total,
    });
    task.core.interiorStart(this.#state.pointer);
  }

  /** Goes on until the solver's own gap is at most its tolerance, or a limit, rounding or the caller says stop. */
  async solve(): Promise<Ending> {
    const { core } = this.#task;
    return drive(
      this.#task,
      () => this.#progress(),
      () => core.interiorAdvance(this.#state.pointer, SLICE),
    );
  }

  /** Asks for more than before: the judge was not content with what the solver took for enough. */
  tighten(): void {
    this.#state.set("tolerance", this.#state.get("tolerance") / 2);
  }

  /** The point with the smallest gap that was looked at. */
  point(): { w: Float64Array; bias: number; alpha: Float64Array; iterations: number } {
    const { featureCount } = this.#task.matrix;
    const { costs } = this.#entries;
    const isBest = this.#state.get("stalls") === 0;
    // alpha and rest are kept apart, so their sum, and alpha alone, may be an ulp above the cost.
    const alpha = (isBest ? this.#alpha : this.#kept).copy(costs.length).map((value, k) => Math.min(value, costs[k] as number));
    if (this.#isFree) balance(alpha, this.#entries, this.#total);
    const t = isBest ? this.#w : this.#keptW;
    const w = plainZeros(t.subarray(0, featureCount));
    return { w, bias: this.#biasScale * (t[featureCount] as number) + 0, alpha, iterations: this.#state.get("iterations") };
  }

  #progress(): { iterations: number; relativeGap: number } {
    return { iterations: this.#state.get("iterations"), relativeGap: this.#state.get("recentGap") };
  }
}

/**
 * Makes y'a = total where rounding, or a path not yet reached, left a little: each a_i moves in proportion to a_i (1 - a_i / C_i), so that rows on their
 * margin take it, rows at an end of their box hardly move, and none leaves it. Changes `alpha`.
 */
function balance(alpha: Float64Array, { signs, costs }: InteriorEntries, wanted: number): void {
  const room = alpha.map((a, k) => a * (1 - a / (costs[k] as number)));
  let excess = -wanted;
  let total = 0;
  for (let k = 0; k < alpha.length; k++) {
    excess += (signs[k] as number) * (alpha[k] as number);
    total += room[k] as number;
  }
  const share = excess / total;
  if (!(Math.abs(share) < 1)) return;
  for (let k = 0; k < alpha.length; k++) alpha[k] = (alpha[k] as number) - share * (signs[k] as number) * (room[k] as number);
}
