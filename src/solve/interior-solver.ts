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

/** Features up to which, and bytes up to which, rows are kept as columns of doubles: then all that is multiplied stays in the second-level cache. */
const MOST_COLUMNS = 256;
const MOST_COLUMN_BYTES = 2 ** 20;

/** Work space that a problem with so many rows, or fewer of them, of `sides` entries each, needs: mostly a square matrix, 8 (d + 1)^2 bytes. */
export function interiorBytes(rowCount: number, featureCount: number, sides = 1): number {
  const stride = strideOf(featureCount);
  const columns = mostColumnBytes(rowCount, featureCount);
  const [vectors, blocks] = [new Array<number>(6).fill(8 * stride), new Array<number>(3).fill(8 * BLOCK)];
  const table = interiorRowStruct.size * rowCount * sides;
  return spaceFor(interiorStateStruct.size, table, 8 * stride * stride, 8 * BLOCK * (stride + 2), columns, ...vectors, ...blocks);
}

/** How M is summed where that is not done row by row. */
function blockWay(rowCount: number, featureCount: number): "blocks" | "columns" {
  return columnBytes(rowCount, featureCount) > 0 ? "columns" : "blocks";
}

/** Bytes of so many rows as columns; 0 where they are not worth having. */
function columnBytes(rowCount: number, featureCount: number): number {
  const bytes = 8 * BLOCK * strideOf(featureCount) * Math.ceil(rowCount / BLOCK);
  return featureCount <= MOST_COLUMNS && bytes <= MOST_COLUMN_BYTES ? bytes : 0;
}

/** The most that so many rows, or fewer of them, take as columns. */
function mostColumnBytes(rowCount: number, featureCount: number): number {
  return columnBytes(rowCount, featureCount) || (featureCount <= MOST_COLUMNS ? MOST_COLUMN_BYTES : 0);
}

export interface InteriorWork {
  readonly way: keyof typeof normalMatrixWays;
  readonly iteration: number;
  readonly fit: number;
}

/** What one iteration and a usual fit cost, in multiplications scattered over memory, about a nanosecond each. */
export function interiorPointWork(x: Matrix, rowIds: ArrayLike<number>): InteriorWork {
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
  const way = isDense || blocked < scattered ? blockWay(rowIds.length, x.featureCount) : "rows";
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
  /** One each, or one for all. */
  readonly offsets: Float64Array | number;
  readonly costs: Float64Array;
  /** The first point: a strictly between 0 and the cost, slack and excess above 0. */
  readonly alpha: (k: number) => number;
  readonly slack: Float64Array | number;
  readonly excess: Float64Array | number;
}

export interface InteriorSettings extends Pick<LinearProblemSettings, "bias" | "biasScale" | "tolerance" | "maxIterations"> {
  readonly zeroObjective: number;
  /** Whether dual variables that go to a bound are to be there in the end; of margins that are 1 or so. */
  readonly isAtBounds?: boolean;
  /** What y'a must be with a free bias; 0 if not given. */
  readonly total?: number;
}

export interface InteriorSolution {
  readonly w: Float64Array;
  readonly bias: number;
  readonly alpha: Float64Array;
  readonly iterations: number;
  /** Whether dual variables that go to a bound are there. */
  readonly isSparse: boolean;
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
  readonly #slack: Column;
  readonly #excess: Column;
  readonly #mayBeAtBounds: boolean;
  /** Whether the judge is to see dual variables as the method has them, none at a bound. */
  #isPlain = false;
  /** Whether the point is the one that was judged before, only as it is. */
  #isSame = false;
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
    const table = space.rawTable(interiorRowStruct, costs.length); // what is not filled here the core writes before it reads it
    this.#alpha = table.column("alpha");
    this.#kept = table.column("kept");
    this.#slack = table.column("slack");
    this.#excess = table.column("excess");
    this.#mayBeAtBounds = settings.isAtBounds ?? false;
    const matrix = space.rawDoubles(stride * stride);
    const panels = space.rawDoubles(BLOCK * (stride + 2));
    const rowCount = costs.length / entries.sides;
    const way = entries.denseRows === undefined ? interiorPointWork(task.matrix, entries.rowIds).way : blockWay(rowCount, featureCount);
    const columns = space.rawDoubles(way === "columns" ? columnBytes(rowCount, featureCount) / 8 : 0);
    const [products, scales, others] = [space.rawDoubles(BLOCK), space.rawDoubles(BLOCK), space.rawDoubles(BLOCK)];
    const vector = (): Float64Array => space.doubles(stride);
    this.#w = vector();
    const [dualW, right, centre, direction] = [vector(), vector(), vector(), vector()];
    this.#keptW = vector();
    const rest = table.column("rest");
    for (let k = 0; k < costs.length; k++) {
      const a = entries.alpha(k);
      this.#alpha.set(k, a);
      rest.set(k, (costs[k] as number) - a);
    }
    this.#slack.fill(entries.slack);
    this.#excess.fill(entries.excess);
    table.column("cost").fill(costs);
    table.column("offset").fill(entries.offsets);
    table.column("row").fill(entries.rowIds);
    table.column("y").fill(entries.signs);
    this.#state.assign({
      rows: entries.denseRows ?? task.rows,
      table: table.pointer,
      matrix: matrix.byteOffset,
      panels: panels.byteOffset,
      columns: columns.byteOffset,
      products: products.byteOffset,
      scales: scales.byteOffset,
      others: others.byteOffset,
      w: this.#w.byteOffset,
      dualW: dualW.byteOffset,
      right: right.byteOffset,
      centre: centre.byteOffset,
      direction: direction.byteOffset,
      keptW: this.#keptW.byteOffset,
      rowCount: costs.length,
      sides: entries.sides,
      way: normalMatrixWays[way],
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
    if (this.#isSame) {
      this.#isSame = false;
      return "converged";
    }
    const { core } = this.#task;
    return drive(
      this.#task,
      () => this.#progress(),
      () => core.interiorAdvance(this.#state.pointer, SLICE),
    );
  }

  /** Asks for more than before: the judge was not content with what the solver took for enough. */
  tighten(): void {
    this.#isSame = !this.#isPlain;
    this.#isPlain = this.#isSame;
    if (!this.#isSame) this.#state.set("tolerance", this.#state.get("tolerance") / 2);
  }

  /** The point with the smallest gap that was looked at. */
  point(): InteriorSolution {
    const { featureCount } = this.#task.matrix;
    const isBest = this.#state.get("stalls") === 0;
    const t = isBest ? this.#w : this.#keptW;
    const w = plainZeros(t.subarray(0, featureCount));
    const isDone = isBest && this.#state.get("recentGap") <= this.#state.get("tolerance");
    const atBounds = this.#mayBeAtBounds && isDone && !this.#isPlain ? this.#atBounds() : undefined;
    this.#isPlain = atBounds === undefined;
    const bias = this.#biasScale * (t[featureCount] as number) + 0;
    const alpha = atBounds ?? this.#inside(isBest ? this.#alpha : this.#kept);
    return { w, bias, alpha, iterations: this.#state.get("iterations"), isSparse: !this.#isPlain };
  }

  /** Dual variables as the method has them, all of them inside their box. */
  #inside(column: Column): Float64Array {
    const { costs } = this.#entries;
    const alpha = column.copy(costs.length);
    // alpha and rest are kept apart, so their sum, and alpha alone, may be an ulp above the cost.
    for (let k = 0; k < alpha.length; k++) alpha[k] = Math.min(alpha[k] as number, costs[k] as number);
    if (this.#isFree && !balance(alpha, this.#entries, this.#total) && this.#total === 0) evenOut(alpha, this.#entries);
    return alpha;
  }

  /**
   * Variables of a path that leads to a bound stay a little away from it: a s = mu with s of the size of 1 leaves a mu. Here those that are nearer to it than their row is to its margin are there, which
   * to first order makes D larger, by a s each; what the second order takes is for the judge to see. Undefined where too few are left for a free bias to balance.
   */
  #atBounds(): Float64Array | undefined {
    const { costs } = this.#entries;
    const alpha = this.#alpha.copy(costs.length);
    for (let k = 0; k < alpha.length; k++) {
      const [a, C] = [alpha[k] as number, costs[k] as number];
      if (a < C * this.#slack.get(k)) alpha[k] = 0;
      else if (C - a < C * this.#excess.get(k)) alpha[k] = C;
    }
    return !this.#isFree || balance(alpha, this.#entries, this.#total) ? alpha : undefined;
  }

  #progress(): { iterations: number; relativeGap: number } {
    return { iterations: this.#state.get("iterations"), relativeGap: this.#state.get("recentGap") };
  }
}

/**
 * Makes y'a = total where rounding, or a path not yet reached, left a little: each a_i moves in proportion to a_i (1 - a_i / C_i), so that rows on their
 * margin take it, rows at an end of their box hardly move, and none leaves it. Changes `alpha`, or returns false: these have no room for it.
 */
function balance(alpha: Float64Array, { signs, costs }: InteriorEntries, wanted: number): boolean {
  const roomAt = (k: number): number => (alpha[k] as number) * (1 - (alpha[k] as number) / (costs[k] as number));
  let excess = -wanted;
  let total = 0;
  for (let k = 0; k < alpha.length; k++) {
    excess += (signs[k] as number) * (alpha[k] as number);
    total += roomAt(k);
  }
  const share = excess === 0 ? 0 : excess / total;
  if (!(Math.abs(share) < 1)) return false;
  for (let k = 0; k < alpha.length; k++) alpha[k] = (alpha[k] as number) - share * (signs[k] as number) * roomAt(k);
  return true;
}

/** Makes y'a = 0 of a point that is too far from it to be worth much: the heavier side is scaled down. Changes `alpha`. */
function evenOut(alpha: Float64Array, { signs }: InteriorEntries): void {
  const sums = [0, 0];
  const sideOf = (k: number): 0 | 1 => ((signs[k] as number) > 0 ? 1 : 0);
  for (let k = 0; k < alpha.length; k++) sums[sideOf(k)] = (sums[sideOf(k)] as number) + (alpha[k] as number);
  const lighter = Math.min(...sums);
  for (let k = 0; k < alpha.length; k++) {
    const sum = sums[sideOf(k)] as number;
    if (sum > lighter) alpha[k] = (alpha[k] as number) * (lighter / sum);
  }
}
