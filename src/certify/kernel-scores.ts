// f = K v in float64 for a block of rows: kernel values by the judge's own code in the core (core/certify/), in an order that no cut into blocks changes.

import { auditStruct, kernelKinds } from "../runtime/layout.js";
import { spaceFor, type Task } from "../runtime/task.js";
import type { JudgedKernel } from "./kernel-values.js";
import { addRow, rowTimes } from "./rows.js";

export interface KernelScoresInput {
  readonly kernel: JudgedKernel;
  /** Rows of the matrix whose scores are wanted. */
  readonly rowIds: Uint32Array;
  /** Rows of the matrix that have a part in them … */
  readonly vectorIds: Uint32Array;
  /** … and how much: f64[vectors][columns]. */
  readonly coefficients: Float64Array;
  /** Scores of a row. */
  readonly columns: number;
}

/** Rows whose values are computed together, and multiplications between two looks at the caller: some milliseconds. */
const LANES = 8;
/** Support vectors whose values are finished together, and pairs of constants: scratch of the core. */
const TILE = 64;
const CONSTANTS = 19;
const SLICE = 10_000_000;

export function kernelScoresBytes({ rowIds, vectorIds, columns }: KernelScoresInput, featureCount: number): number {
  const vectors = vectorIds.length;
  const own = [4 * vectors, 8 * vectors, 8 * vectors * columns];
  const lanes = [8 * LANES * featureCount, 8 * LANES, 8 * LANES * columns, 8 * LANES * TILE, 16 * CONSTANTS];
  return spaceFor(auditStruct.size, ...own, ...lanes, 4 * rowIds.length, 8 * rowIds.length * columns);
}

/** scores: f64[columns][rows of the block]. */
export async function kernelScores(task: Task, input: KernelScoresInput): Promise<{ scores: Float64Array }> {
  const { kind } = input.kernel;
  return { scores: kind === "linear" || kind === "precomputed" ? collapsed(task, input) : await summed(task, input) };
}

async function summed(
  { core, space, rows, matrix, checkpoint }: Task,
  { kernel, rowIds, vectorIds, coefficients, columns }: KernelScoresInput,
): Promise<Float64Array> {
  const { kind, gamma, coef0, degree } = kernel;
  const count = rowIds.length;
  const placed = <A extends Uint32Array | Float64Array>(into: A, from: A): number => {
    into.set(from);
    return into.byteOffset;
  };
  const state = space.struct(auditStruct);
  state.assign({
    ...{ rows, kind: kernelKinds[kind], degree, gamma, coef0, columns },
    ...{ vectors: placed(space.rawWords(vectorIds.length), vectorIds), vectorCount: vectorIds.length },
    ...{ squares: space.rawDoubles(vectorIds.length).byteOffset },
    ...{ coefficients: placed(space.rawDoubles(coefficients.length), coefficients) },
    ...{ lanes: space.doubles(LANES * matrix.featureCount).byteOffset, laneSquares: space.doubles(LANES).byteOffset },
    ...{ sums: space.doubles(LANES * columns).byteOffset, tile: space.doubles(LANES * TILE).byteOffset },
    ...{ constants: space.doubles(2 * CONSTANTS).byteOffset },
  });
  const ids = placed(space.rawWords(count), rowIds);
  const out = space.rawDoubles(count * columns);
  core.auditStart(state.pointer);
  const perRow = vectorIds.length * Math.max(1, matrix.valueCount / Math.max(1, matrix.rowCount));
  const share = LANES * Math.max(1, Math.floor(SLICE / (LANES * perRow + 1)));
  for (let first = 0; first < count; first += share) {
    core.auditRows(state.pointer, ids + 4 * first, Math.min(share, count - first), out.byteOffset, first, count);
    await checkpoint(() => ({ iterations: 0, relativeGap: null }));
  }
  return out.slice();
}

/** Where K is linear in the row: w'x, or, of given values, the sum of those at the places of the support vectors. */
function collapsed({ matrix }: Task, { kernel, rowIds, vectorIds, coefficients, columns }: KernelScoresInput): Float64Array {
  const scores = new Float64Array(rowIds.length * columns);
  for (let c = 0; c < columns; c++) {
    const w = new Float64Array(matrix.featureCount);
    vectorIds.forEach((i, s) => {
      const coefficient = coefficients[s * columns + c] as number;
      if (kernel.kind === "linear") addRow(w, coefficient, matrix, i);
      else w[i] = coefficient;
    });
    rowIds.forEach((i, k) => {
      scores[c * rowIds.length + k] = rowTimes(matrix, i, w);
    });
  }
  return scores;
}
