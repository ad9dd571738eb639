// The memory of a primal Newton method: the core's state with all its arrays, laid out in a task's work space.

import type { MatrixShape } from "../data/matrix.js";
import type { Core } from "../runtime/core.js";
import { newtonStateStruct } from "../runtime/layout.js";
import type { StructView } from "../runtime/struct.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { layOutRows, newtonLayoutBytes } from "./newton-layout.js";
import { blockCountFor } from "./row-sums.js";

// Numbers behind the variables of a sheet, before the scratch of one number for each class.
const TAIL = 8;

// A factor of more features than this would take longer than it saves, and megabytes.
const MOST_FACTORED = 1024;

export interface NewtonShape {
  readonly rowCount: number;
  readonly classCount: number;
}

interface Sizes {
  /** K: values kept for a row and weights of a feature. */
  readonly width: number;
  readonly variableCount: number;
  readonly blockCount: number;
  readonly sheetLength: number;
}

function sizesOf({ rowCount, classCount }: NewtonShape, x: MatrixShape): Sizes {
  const width = classCount <= 1 ? 1 : classCount + (classCount & 1);
  const variableCount = (x.featureCount + 1) * width;
  const valueCount = x.rowCount === 0 ? 0 : (x.valueCount / x.rowCount) * rowCount;
  const blockCount = blockCountFor(rowCount, valueCount * width, variableCount);
  return { width, variableCount, blockCount, sheetLength: 2 * variableCount + TAIL + width };
}

/** Rows of a Cholesky factor: one per feature and one for the bias; 0 where there are too many. */
function factorOrder({ featureCount }: MatrixShape): number {
  return featureCount + 1 <= MOST_FACTORED ? featureCount + 1 : 0;
}

/** Work space that a problem of this shape needs on a matrix of that one. */
export function newtonSpaceBytes(shape: NewtonShape, x: MatrixShape): number {
  const { width, variableCount, blockCount, sheetLength } = sizesOf(shape, x);
  const { rowCount } = shape;
  const perRow = [4 * rowCount, 4 * rowCount, 8 * rowCount, 4 * rowCount];
  const perScore = new Array<number>(3).fill(8 * rowCount * width);
  const perVariable = new Array<number>(6).fill(8 * variableCount);
  const factor = [8 * factorOrder(x) ** 2, 8 * factorOrder(x)];
  const blocks = [4 * (blockCount + 1), 4 * blockCount, 8 * blockCount * sheetLength];
  return newtonLayoutBytes(rowCount, x) + spaceFor(newtonStateStruct.size, ...perRow, ...perScore, ...perVariable, ...factor, ...blocks);
}

/** The rows of a problem: which, how heavy, and what they should be (signs as float32, class ids, or numbers as float64). */
export interface NewtonRows {
  readonly rowIds: Uint32Array;
  readonly costs: Float64Array;
  readonly targets: Float32Array | Uint32Array | Float64Array;
}

export class NewtonSpace {
  readonly core: Core;
  readonly state: StructView<keyof typeof newtonStateStruct.offsets>;
  readonly pointer: number;
  readonly featureCount: number;
  readonly width: number;
  readonly blockCount: number;
  readonly blockStarts: Uint32Array;
  readonly activeCounts: Uint32Array;
  readonly w: Float64Array;
  readonly gradient: Float64Array;
  readonly direction: Float64Array;
  /** f64[rows * width]: margins, residuals or scores of classes where the method stands. */
  readonly scores: Float64Array;
  /** Where the bias's variables begin. */
  readonly biasAt: number;
  /** 0 where there is no room for a factor. */
  readonly factorOrder: number;
  readonly #tail: Float64Array;

  constructor(task: Task, rows: NewtonRows, shape: NewtonShape, bias: { scale: number; penalty: number }, loss: number) {
    const { space, matrix } = task;
    const { rowCount } = shape;
    const { width, variableCount, blockCount, sheetLength } = sizesOf(shape, matrix);
    this.core = task.core;
    this.featureCount = matrix.featureCount;
    this.width = width;
    this.blockCount = blockCount;
    this.biasAt = matrix.featureCount * width;
    const layout = layOutRows(task, rows.rowIds);
    this.state = space.struct(newtonStateStruct);
    this.pointer = this.state.pointer;

    const rowIds = space.rawWords(rowCount);
    rowIds.set(layout.rowIds);
    const targets = rows.targets instanceof Float32Array ? space.rawFloats(rowCount) : space.rawWords(rowCount);
    const isRegression = rows.targets instanceof Float64Array;
    if (!isRegression) targets.set(rows.targets);
    const costs = space.rawDoubles(rowCount);
    costs.set(rows.costs);
    const active = space.rawWords(rowCount);
    const scores = space.doubles(rowCount * width);
    this.scores = scores;
    // At w = 0 a margin is 0, and a residual minus the target.
    if (isRegression) for (let k = 0; k < rowCount; k++) scores[k] = -(rows.targets[k] as number);
    const [steps, bends] = [space.doubles(rowCount * width).byteOffset, space.doubles(rowCount * width).byteOffset];
    this.w = space.doubles(variableCount);
    this.gradient = space.doubles(variableCount);
    this.direction = space.doubles(variableCount);
    const residual = space.doubles(variableCount);
    const scale = space.doubles(variableCount).fill(1);
    const solved = space.doubles(variableCount);
    this.factorOrder = factorOrder(matrix);
    const factor = space.doubles(this.factorOrder ** 2);
    const column = space.doubles(this.factorOrder);
    this.blockStarts = space.rawWords(blockCount + 1);
    for (let block = 0; block <= blockCount; block++) this.blockStarts[block] = Math.floor((rowCount * block) / blockCount);
    this.activeCounts = space.words(blockCount);
    const sheets = space.doubles(blockCount * sheetLength);
    this.#tail = sheets.subarray(2 * variableCount, 2 * variableCount + 4);

    const isPlanar = width === 1 && layout.kind === "dense";
    this.state.assign({
      rows: layout.rows,
      rowIds: rowIds.byteOffset,
      targets: targets.byteOffset,
      costs: costs.byteOffset,
      scores: scores.byteOffset,
      steps,
      bends,
      active: active.byteOffset,
      blockStarts: this.blockStarts.byteOffset,
      activeCounts: this.activeCounts.byteOffset,
      sheets: sheets.byteOffset,
      w: this.w.byteOffset,
      gradient: this.gradient.byteOffset,
      direction: this.direction.byteOffset,
      residual: residual.byteOffset,
      scale: scale.byteOffset,
      solved: solved.byteOffset,
      factor: factor.byteOffset,
      column: column.byteOffset,
      classCount: shape.classCount,
      width,
      stride: isPlanar ? 1 : 2 * width,
      reach: isPlanar ? matrix.featureCount + 1 : width,
      sheetLength,
      blockCount,
      loss,
      biasScale: bias.scale,
      biasPenalty: bias.penalty,
    });
  }

  /** The numbers that the last pass summed. */
  get tail(): readonly [number, number, number] {
    const [a = 0, b = 0, c = 0] = this.#tail;
    return [a, b, c];
  }

  /** How many rows a block has. */
  blockLength(block: number): number {
    return (this.blockStarts[block + 1] as number) - (this.blockStarts[block] as number);
  }
}
