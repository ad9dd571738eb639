// The judge of many binary problems at once that differ in y alone, each class against all others: src/certify/linear.ts, whose formulas and bits these are, over rows that are read once for all
// of them (core/certify/rest-sums.ts). What is judged is the model that dual variables say, w = u; of another dual point, or another multiple of this one, nothing is asked, so that what it cannot prove
// that judge still may.

import type { Certificate } from "../model/certificate.js";
import { losses, restJudgedStruct } from "../runtime/layout.js";
import type { StructView } from "../runtime/struct.js";
import { clear, spaceFor, type Task } from "../runtime/task.js";
import { zeroObjective } from "./linear.js";
import type { LossName } from "./losses.js";
import { relativeGap } from "./rows.js";

export interface JudgedRest {
  readonly rowIds: Uint32Array;
  readonly costs: Float64Array;
  /** The lane of each row's own class; any number from the number of lanes on where it has none. */
  readonly lanesOfRows: Uint32Array;
  /** Of all classes, in fours: the last may be nobody's. */
  readonly lanes: number;
  readonly loss: LossName;
  readonly bias: "unregularised" | "augmented" | false;
  readonly biasScale: number;
}

/** Rows a call: an engine changes to its optimised code between calls, not within one. */
const ROWS = 128;

export function judgedRestBytes(rowCount: number, featureCount: number, lanes: number): number {
  const perRow = [4, 4, 8, 8 * lanes].map((bytes) => bytes * rowCount);
  const perLane = [1, 1, 1, 1, 1, 3, 2].map((numbers) => 8 * numbers * lanes);
  return spaceFor(restJudgedStruct.size, ...perRow, 8 * lanes * featureCount, 8 * Math.max(rowCount, featureCount), ...perLane);
}

export class RestJudge {
  /** f64[rows][lanes]: to be filled with dual variables, which `weigh` makes feasible. */
  readonly alpha: Float64Array;
  readonly costs: Float64Array;
  readonly #task: Task;
  readonly #problem: JudgedRest;
  readonly #state: StructView<keyof typeof restJudgedStruct.offsets>;
  readonly #w: Float64Array;
  readonly #bias: Float64Array;
  readonly #primal: Float64Array;
  readonly #dual: Float64Array;
  readonly #squares: Float64Array;
  /** Over the rows of each class, over the others, and signed: f64[3][lanes]. */
  readonly #sums: Float64Array;
  readonly #scales: Float64Array;
  readonly #lane: Float64Array;

  constructor(task: Task, problem: JudgedRest) {
    const { space, matrix, rows } = task;
    const { rowIds, lanesOfRows, costs, lanes, loss } = problem;
    const n = rowIds.length;
    this.#task = task;
    this.#problem = problem;
    this.#state = space.struct(restJudgedStruct);
    const [ids, own] = [space.rawWords(n), space.rawWords(n)];
    ids.set(rowIds);
    own.set(lanesOfRows);
    this.costs = space.rawDoubles(n);
    this.costs.set(costs);
    this.alpha = space.rawDoubles(n * lanes);
    this.#w = space.rawDoubles(matrix.featureCount * lanes);
    this.#lane = space.rawDoubles(Math.max(n, matrix.featureCount));
    const scores = space.rawDoubles(lanes);
    this.#bias = space.doubles(lanes);
    this.#primal = space.rawDoubles(lanes);
    this.#dual = space.rawDoubles(lanes);
    this.#squares = space.rawDoubles(lanes);
    this.#sums = space.doubles(3 * lanes);
    this.#scales = space.rawDoubles(2 * lanes);
    this.#state.assign({
      ...{ rows, rowIds: ids.byteOffset, classIds: own.byteOffset, costs: this.costs.byteOffset, alpha: this.alpha.byteOffset },
      ...{ w: this.#w.byteOffset, bias: this.#bias.byteOffset, scores: scores.byteOffset },
      ...{ primal: this.#primal.byteOffset, dual: this.#dual.byteOffset, lanes, loss: losses[loss] },
    });
  }

  /** Makes the dual variables feasible, and the weights that belong to them. `pause` is called between two slices of work. */
  async weigh(pause: () => Promise<unknown>): Promise<void> {
    const { core } = this.#task;
    const { pointer } = this.#state;
    clear(this.#sums);
    await this.#overRows((from, count) => core.judgeRestBounds(pointer, from, count, this.#sums.byteOffset), pause);
    if (this.#problem.bias === "unregularised") await this.#balance(pause);
    clear(this.#w);
    await this.#overRows((from, count) => core.judgeRestSum(pointer, from, count), pause);
  }

  /** What a constant feature of 1 adds to u: y'a, of dual variables in their box. */
  signedSum(lane: number): number {
    return this.#sums[2 * this.#problem.lanes + lane] as number;
  }

  /** The certificates of as many lanes as there are biases. */
  async certify(biases: Float64Array, pause: () => Promise<unknown>): Promise<Certificate[]> {
    const { core } = this.#task;
    const { pointer } = this.#state;
    const { bias, biasScale } = this.#problem;
    this.#bias.set(biases);
    core.judgeRestSquares(pointer, this.#squares.byteOffset);
    biases.forEach((b, lane) => {
      const square = this.#squares[lane] as number;
      const v = bias === "augmented" ? b / biasScale : 0;
      const s = bias === "augmented" ? this.signedSum(lane) * biasScale : 0;
      this.#primal[lane] = 0.5 * (square + v * v);
      this.#dual[lane] = -(0.5 * (square + s * s));
    });
    await this.#overRows((from, count) => core.judgeRestRows(pointer, from, count), pause);
    const zero = zeroObjective(this.#problem);
    return Array.from(biases, (_, lane) => {
      const primal = this.#primal[lane] as number;
      // a = 0 is feasible in every problem, and its objective is 0.
      const dual = Math.max(this.#dual[lane] as number, 0);
      return { primal, dual, relativeGap: relativeGap(primal, dual, zero) };
    });
  }

  /** What the same dual variables say of the model that has w = 0 and no bias. */
  atRest({ dual }: Certificate): Certificate {
    const primal = zeroObjective(this.#problem);
    return { primal, dual, relativeGap: relativeGap(primal, dual, primal) };
  }

  /** The weights of a lane; the next call writes over them, and so does `alphaOf`. */
  weightsOf(lane: number): Float64Array {
    return this.#laneOf(this.#w, this.#task.matrix.featureCount, lane);
  }

  /** The dual variables of a lane. */
  alphaOf(lane: number): Float64Array {
    return this.#laneOf(this.alpha, this.#problem.rowIds.length, lane);
  }

  #laneOf(from: Float64Array, count: number, lane: number): Float64Array {
    this.#task.core.judgeRestLane(from.byteOffset, count, this.#problem.lanes, lane, this.#lane.byteOffset);
    return this.#lane.subarray(0, count);
  }

  /** Scales the side with the larger sum down until both are equal. */
  #balance(pause: () => Promise<unknown>): Promise<void> {
    const { lanes } = this.#problem;
    for (let lane = 0; lane < lanes; lane++) {
      const positive = this.#sums[lane] as number;
      const negative = this.#sums[lanes + lane] as number;
      const scale = positive === negative ? 1 : Math.min(positive, negative) / Math.max(positive, negative);
      this.#scales[lane] = positive > negative ? scale : 1;
      this.#scales[lanes + lane] = positive > negative ? 1 : scale;
    }
    const { pointer } = this.#state;
    return this.#overRows((from, count) => this.#task.core.judgeRestBalance(pointer, from, count, this.#scales.byteOffset), pause);
  }

  async #overRows(call: (from: number, count: number) => void, pause: () => Promise<unknown>): Promise<void> {
    const n = this.#problem.rowIds.length;
    for (let from = 0; from < n; from += ROWS) {
      await pause();
      call(from, Math.min(ROWS, n - from));
    }
  }
}
