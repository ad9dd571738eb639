// Crammer-Singer by the sequential dual method: from a problem to the core's state and back. The algorithm is
// core/linear/crammer-singer.ts; this file lays its state out, drives it slice by slice, and reads the answer.

import { Random } from "../base/random.js";
import { sumOf } from "../base/sums.js";
import { csRecordStruct, csStateStruct } from "../runtime/layout.js";
import type { Column, StructView } from "../runtime/struct.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { drive, type Ending } from "./drive.js";
import { type DualStart, within } from "./dual-start.js";
import type { MultiClassProblem, MultiClassSolution } from "./problem.js";

/** Products of a value and a weight between two checkpoints: some milliseconds. */
const SLICE = 5_000_000;

/** Work space that a problem of this size needs. */
export function crammerSingerBytes(rowCount: number, featureCount: number, classCount: number): number {
  const lanes = lanesFor(classCount);
  return spaceFor(
    ...[csStateStruct.size, csRecordStruct(classCount).size * rowCount, 4 * rowCount, 8 * (featureCount + 1) * lanes],
    ...[4 * Math.max(featureCount, classCount), 8 * lanes, 8 * classCount, 8 * classCount, 8 * classCount, 4 * classCount, 4 * 4],
  );
}

/** Doubles from one feature's weights to the next: few classes share a cache line with no other feature half inside. */
function lanesFor(classCount: number): number {
  return classCount <= 2 ? 2 : classCount <= 4 ? 4 : 2 * Math.ceil(classCount / 2);
}

export class CrammerSinger {
  readonly #task: Task;
  readonly #problem: MultiClassProblem;
  /** Value of the constant feature whose weights are the biases; 0 for no bias. */
  readonly #biasScale: number;
  readonly #state: StructView<keyof typeof csStateStruct.offsets>;
  /** f64[featureCount + 1][lanes]. */
  readonly #w: Float64Array;
  readonly #lanes: number;
  /** p_im of all rows, class by class. */
  readonly #shares: readonly Column[];

  constructor(task: Task, problem: MultiClassProblem, start?: DualStart) {
    const { space } = task;
    const { classCount } = problem;
    const { featureCount } = task.matrix;
    const rowCount = problem.rowIds.length;
    this.#task = task;
    this.#problem = problem;
    this.#biasScale = problem.bias === "augmented" ? problem.biasScale : 0;
    this.#lanes = lanesFor(classCount);
    this.#state = space.struct(csStateStruct);
    const record = csRecordStruct(classCount);
    const table = space.table(record, rowCount);
    table.column("cost").fill(problem.costs);
    table.column("row").fill(problem.rowIds);
    table.column("classId").fill(problem.classIds);
    const order = space.rawWords(rowCount);
    this.#w = space.doubles((featureCount + 1) * this.#lanes);
    this.#shares = Array.from({ length: classCount }, (_, m) => table.column(`share${m}`));
    if (start !== undefined) for (const [m, column] of this.#shares.entries()) column.fill(firstShares(problem, start, m));
    const numbers = space.rawWords(Math.max(featureCount, classCount));
    for (let j = 0; j < numbers.length; j++) numbers[j] = j;
    const scores = space.doubles(this.#lanes);
    const targets = space.rawDoubles(classCount);
    const kept = space.rawDoubles(classCount);
    const steps = space.rawDoubles(classCount);
    const moved = space.rawWords(classCount);
    const random = space.words(4);
    random.set(new Random(problem.seed).state);
    this.#state.assign({
      rows: task.rows,
      table: table.pointer,
      order: order.byteOffset,
      w: this.#w.byteOffset,
      numbers: numbers.byteOffset,
      scores: scores.byteOffset,
      targets: targets.byteOffset,
      kept: kept.byteOffset,
      steps: steps.byteOffset,
      moved: moved.byteOffset,
      random: random.byteOffset,
      rowCount,
      classCount,
      stride: 8 * this.#lanes,
      recordBytes: record.size,
      iterationLimit: Math.min(problem.maxIterations, 0xffffffff),
      isWarm: start === undefined ? 0 : 1,
      shrinking: problem.shrinking ? 1 : 0,
      biasScale: this.#biasScale,
      tolerance: problem.tolerance,
      violation: problem.stop?.epsilon ?? 0,
      zeroPrimal: sumOf(problem.costs),
    });
    task.core.csStart(this.#state.pointer);
  }

  /** Goes on until the solver's own gap is at most its tolerance, or a limit or the caller says stop. */
  async solve(): Promise<Ending> {
    const { core } = this.#task;
    return drive(
      this.#task,
      () => this.#progress(),
      () => core.csAdvance(this.#state.pointer, SLICE),
    );
  }

  /** Asks for more than before: the judge was not content with what the solver took for enough. */
  tighten(): void {
    this.#state.set("tolerance", this.#state.get("tolerance") / 2);
  }

  solution(): MultiClassSolution {
    const { featureCount } = this.#task.matrix;
    const { classCount, classIds, costs } = this.#problem;
    const w = new Float64Array(classCount * featureCount);
    const bias = new Float64Array(classCount);
    // Adding 0 turns -0 into 0, which JSON cannot tell apart.
    for (let m = 0; m < classCount; m++) {
      for (let j = 0; j < featureCount; j++) w[m * featureCount + j] = (this.#w[j * this.#lanes + m] as number) + 0;
      bias[m] = this.#biasScale * (this.#w[featureCount * this.#lanes + m] as number) + 0;
    }
    const alpha = new Float64Array(classIds.length * classCount);
    // Stopped before its last stage it has solved for smaller costs; what is feasible there is feasible here.
    const scale = this.#state.get("scale");
    this.#shares.forEach((column, m) => {
      const shares = column.copy(classIds.length);
      for (let k = 0; k < shares.length; k++)
        alpha[k * classCount + m] = (classIds[k] === m ? scale * (costs[k] as number) : 0) - (shares[k] as number);
    });
    return { w, bias, alpha, iterations: this.#iterations() };
  }

  #iterations(): number {
    return Math.floor(this.#state.get("visits") / this.#problem.rowIds.length);
  }

  #progress(): { iterations: number; relativeGap: number } {
    return { iterations: this.#iterations(), relativeGap: this.#state.get("recentGap") };
  }
}

/** p_im = C_i [m = y_i] - a_im of one class, each from 0 to C_i. The core moves those of a row into their simplex. */
function firstShares({ costs, classIds, classCount }: MultiClassProblem, start: DualStart, m: number): Float64Array {
  return costs.map((cost, k) => {
    const own = classIds[k] === m;
    return (own ? cost : 0) - within(start, k * classCount + m, own ? 0 : -cost, own ? cost : 0);
  });
}
