// Decision values of a kernel model for a block of rows, by the core: eight rows at a time with all support vectors, each of which is evaluated once
// for all decision values that it has a part in.

import type { MatrixArrays, MatrixShape } from "../data/matrix.js";
import { kernelKinds, kernelStruct, ROW_PADDING, rowKinds, rowsStruct } from "../runtime/layout.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { counting } from "./counting.js";
import type { KernelFunction } from "./kernel-problem.js";
import { FUNCTION_COST, kernelScratch, kernelScratchBytes, LANES, TILE } from "./kernel-rows.js";

/** The coefficients that are not 0, those of vector v in [starts[v], starts[v + 1]), and the decision value that each is part of. */
export interface Coefficients {
  readonly starts: Uint32Array;
  readonly places: Uint32Array;
  readonly values: Float64Array;
}

/** A model as predictions want it. */
export interface KernelParts {
  readonly kernel: KernelFunction;
  /** Whether dot products are summed in float64, and whether all the rest is float64 as well. */
  readonly isWide: boolean;
  readonly isExact: boolean;
  readonly shape: MatrixShape;
  readonly vectors: MatrixArrays;
  readonly coefficients: Coefficients;
  /** What is added to each decision value. */
  readonly biases: Float64Array;
}

export interface KernelDecisionInput {
  readonly from: number;
  readonly to: number;
  readonly parts: KernelParts;
}

export function kernelDecisionBytes({ shape, coefficients, biases }: KernelParts, rowCount: number): number {
  const arrays = [4 * shape.valueCount + ROW_PADDING, 4 * shape.valueCount + ROW_PADDING, 4 * (shape.rowCount + 1)];
  const lanes = [
    8 * LANES * shape.featureCount,
    8 * LANES,
    kernelScratchBytes,
    4 * LANES,
    8 * LANES * biases.length,
    ...new Array(LANES).fill(4 * (TILE + 4)),
  ];
  return spaceFor(
    rowsStruct.size,
    kernelStruct.size,
    ...arrays,
    ...lanes,
    8 * coefficients.values.length,
    4 * coefficients.places.length,
    4 * coefficients.starts.length,
    8 * shape.rowCount,
    8 * rowCount,
    4 * rowCount,
    4 * shape.rowCount,
  );
}

/** Multiplications that the decision values of a row take, about. */
export function kernelDecisionWork({ shape, coefficients }: KernelParts): number {
  return shape.valueCount + FUNCTION_COST * shape.rowCount + coefficients.values.length;
}

/** Rows between two looks at the caller. */
const SLICE = 64;

/** f64[rows][outputs]. */
export async function kernelDecision(task: Task, { from, to, parts }: KernelDecisionInput): Promise<{ decision: Float64Array }> {
  const { core, space, rows } = task;
  const { kernel, isWide, isExact, shape, vectors, coefficients, biases } = parts;
  const outputs = biases.length;
  const placed = space.struct(rowsStruct);
  const values = space.rawFloats(shape.valueCount + ROW_PADDING / 4);
  const indices = space.rawWords(vectors.indices.length + ROW_PADDING / 4);
  const starts = space.rawWords(vectors.starts.length);
  values.set(vectors.values);
  indices.set(vectors.indices);
  starts.set(vectors.starts);
  placed.assign({
    kind: rowKinds[shape.kind],
    rowCount: shape.rowCount,
    featureCount: shape.featureCount,
    values: values.byteOffset,
    indices: indices.byteOffset,
    starts: starts.byteOffset,
  });
  const wide = (count: number): number => (isWide ? space.doubles(count) : space.rawFloats(count).fill(0)).byteOffset;
  const state = space.struct(kernelStruct);
  const outs = space.rawWords(LANES);
  for (let lane = 0; lane < LANES; lane++) outs[lane] = space.rawFloats(TILE + 4).fill(0).byteOffset;
  const squares = wide(shape.rowCount);
  state.assign({
    rows: placed.pointer,
    kind: kernelKinds[kernel.kind],
    degree: kernel.degree,
    isWide: isWide ? 1 : 0,
    lanes: wide(LANES * shape.featureCount),
    laneSquares: wide(LANES),
    squares,
    ...kernelScratch(space),
    outs: outs.byteOffset,
    gamma: kernel.gamma,
    coef0: kernel.coef0,
  });
  const all = counting(space.rawWords(shape.rowCount));
  core.kernelSquares(state.pointer, placed.pointer, squares, all.byteOffset, shape.rowCount);
  const own = space.rawDoubles(coefficients.values.length);
  own.set(coefficients.values);
  const places = space.rawWords(coefficients.places.length);
  places.set(coefficients.places);
  const ownStarts = space.rawWords(coefficients.starts.length);
  ownStarts.set(coefficients.starts);
  const lists = [ownStarts.byteOffset, places.byteOffset, own.byteOffset] as const;
  const sums = space.rawDoubles(LANES * outputs);
  const ids = counting(space.rawWords(to - from), from);
  // Squares of the rows to predict, one block of eight at a time, at the numbers of their rows.
  const decision = new Float64Array((to - from) * outputs);
  const rowSquares = wide(LANES);
  const bytes = isWide ? 8 : 4;
  for (let first = from; first < to; first += LANES) {
    const count = Math.min(LANES, to - first);
    const list = ids.byteOffset + 4 * (first - from);
    // out[i] is where row i's square goes, so out begins `first` numbers before the eight.
    const shifted = rowSquares - bytes * first;
    core.kernelSquares(state.pointer, rows, shifted, list, count);
    core.loadLanes(state.pointer, rows, shifted, list, count, shape.featureCount);
    sums.fill(0);
    for (let begin = 0; begin < shape.rowCount; begin += TILE) {
      const end = Math.min(begin + TILE, shape.rowCount);
      if (isExact) core.decideExact(state.pointer, ...lists, sums.byteOffset, begin, end);
      else {
        core.kernelRows(state.pointer, all.byteOffset + 4 * begin, 0, end - begin);
        core.decideLanes(state.pointer, ...lists, sums.byteOffset, begin, end);
      }
    }
    core.clearLanes(state.pointer, rows, list, shape.featureCount);
    for (let lane = 0; lane < count; lane++) {
      const at = (first - from + lane) * outputs;
      for (let m = 0; m < outputs; m++) decision[at + m] = (sums[m * LANES + lane] as number) + (biases[m] as number);
    }
    if ((first - from) % SLICE === 0) await task.checkpoint(() => ({ iterations: 0, relativeGap: 0 }));
  }
  return { decision };
}
