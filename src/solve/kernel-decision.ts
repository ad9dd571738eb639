// Decision values of a kernel model for a block of rows, by the core: eight rows at a time with all support vectors, each of which is evaluated once
// for all decision values that it has a part in.

import type { MatrixArrays, MatrixShape } from "../data/matrix.js";
import { decisionStruct, kernelKinds, kernelStruct, ROW_PADDING, rowKinds, rowsStruct } from "../runtime/layout.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { counting } from "./counting.js";
import type { KernelFunction } from "./kernel-problem.js";
import { areCountable, FUNCTION_COST, kernelScratch, kernelScratchBytes, LANES, TILE } from "./kernel-rows.js";

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

/** Where decision values are of pairs of so many classes, and only the class is wanted. */
export interface KernelVotesInput extends KernelDecisionInput {
  readonly classCount: number;
}

/** Rows between two looks at the caller. */
const SLICE = 64;

export function kernelDecisionBytes({ shape, coefficients, biases }: KernelParts): number {
  const lanes = [8 * LANES * shape.featureCount, 8 * LANES, kernelScratchBytes, 4 * LANES, ...new Array(LANES).fill(4 * (TILE + 4))];
  const vectors = [4 * shape.valueCount + ROW_PADDING, 4 * shape.valueCount + ROW_PADDING, 4 * (shape.rowCount + 1)];
  const lists = [8 * coefficients.values.length, 4 * coefficients.places.length, 4 * coefficients.starts.length];
  const outputs = [8 * biases.length, 8 * LANES * biases.length, 8 * SLICE * biases.length];
  const structs = [rowsStruct.size, kernelStruct.size, decisionStruct.size];
  // There are no more classes than pairs, but for two.
  const votes = [4 * SLICE, 16 * (biases.length + 2)];
  return spaceFor(
    ...structs,
    ...lanes,
    ...vectors,
    ...lists,
    ...outputs,
    8 * shape.rowCount,
    4 * shape.rowCount,
    8 * LANES,
    4 * SLICE,
    ...votes,
  );
}

/** Multiplications that the decision values of a row take, about. */
export function kernelDecisionWork({ shape, coefficients }: KernelParts): number {
  return shape.valueCount + FUNCTION_COST * shape.rowCount + coefficients.values.length;
}

/** f64[rows][outputs]. */
export async function kernelDecision(task: Task, input: KernelDecisionInput): Promise<{ decision: Float64Array }> {
  const outputs = input.parts.biases.length;
  const decision = new Float64Array((input.to - input.from) * outputs);
  await inSlices(task, input, (at, values) => decision.set(values, at * outputs));
  return { decision };
}

/** The class of each row: a fraction of what their decision values, one a pair, would be to hand over. */
export async function kernelVotes(task: Task, input: KernelVotesInput): Promise<{ classes: Uint32Array }> {
  const { core, space } = task;
  const { from, to, classCount } = input;
  const tally = space.rawDoubles(2 * classCount);
  const out = space.rawWords(SLICE);
  const classes = new Uint32Array(to - from);
  await inSlices(task, input, (at, values, count) => {
    core.mostVotes(out.byteOffset, values.byteOffset, count, classCount, tally.byteOffset);
    classes.set(out.subarray(0, count), at);
  });
  return { classes };
}

/** Hands on the decision values of SLICE rows after SLICE rows, the first of them `at` from the first of all. */
async function inSlices(
  task: Task,
  { from, to, parts }: KernelDecisionInput,
  take: (at: number, values: Float64Array, count: number) => void,
): Promise<void> {
  const { ids, out, pointer } = placed(task, parts);
  for (let first = from; first < to; first += SLICE) {
    const count = Math.min(SLICE, to - first);
    counting(ids, first);
    task.core.decideRows(pointer, count);
    take(first - from, out.subarray(0, count * parts.biases.length), count);
    await task.checkpoint(() => ({ iterations: 0, relativeGap: 0 }));
  }
}

/** The model in the core's memory, and where the numbers of rows go in and their decision values come out. */
function placed(task: Task, parts: KernelParts): { ids: Uint32Array; out: Float64Array; pointer: number } {
  const { core, space, rows } = task;
  const { shape, coefficients, biases, isWide } = parts;
  const wide = (count: number): number => (isWide ? space.doubles(count) : space.rawFloats(count).fill(0)).byteOffset;
  const squares = wide(shape.rowCount);
  const kernel = placedKernel(task, parts, squares, wide);
  const all = counting(space.rawWords(shape.rowCount));
  core.kernelSquares(kernel.pointer, kernel.vectors, squares, all.byteOffset, shape.rowCount);
  const ids = space.rawWords(SLICE);
  const out = space.rawDoubles(SLICE * biases.length);
  const isOnly = biases.length === 1 && coefficients.values.length === shape.rowCount;
  const decision = space.struct(decisionStruct);
  decision.assign({
    kernel: kernel.pointer,
    rows,
    rowSquares: wide(LANES),
    ids: ids.byteOffset,
    vectorCount: shape.rowCount,
    featureCount: shape.featureCount,
    vectors: all.byteOffset,
    isExact: parts.isExact ? 1 : 0,
    starts: copyOf(space.rawWords(coefficients.starts.length), coefficients.starts),
    places: isOnly ? 0 : copyOf(space.rawWords(coefficients.places.length), coefficients.places),
    coefficients: copyOf(space.rawDoubles(coefficients.values.length), coefficients.values),
    biases: copyOf(space.rawDoubles(biases.length), biases),
    outputCount: biases.length,
    sums: space.rawDoubles(LANES * biases.length).byteOffset,
    out: out.byteOffset,
  });
  return { ids, out, pointer: decision.pointer };
}

/** The kernel and the support vectors as its rows. */
function placedKernel(
  { core, matrix, rows: others, space }: Task,
  { kernel, isWide, shape, vectors }: KernelParts,
  squares: number,
  wide: (count: number) => number,
): { pointer: number; vectors: number } {
  const rows = space.struct(rowsStruct);
  rows.assign({
    kind: rowKinds[shape.kind],
    rowCount: shape.rowCount,
    featureCount: shape.featureCount,
    values: copyOf(space.rawFloats(shape.valueCount + ROW_PADDING / 4), vectors.values),
    indices: copyOf(space.rawWords(vectors.indices.length + ROW_PADDING / 4), vectors.indices),
    starts: copyOf(space.rawWords(vectors.starts.length), vectors.starts),
  });
  const outs = space.rawWords(LANES);
  for (let lane = 0; lane < LANES; lane++) outs[lane] = space.rawFloats(TILE + 4).fill(0).byteOffset;
  const { featureCount } = matrix;
  const isCounted =
    !isWide &&
    kernel.kind !== "precomputed" &&
    areCountable(core, rows.pointer, shape.featureCount, featureCount) &&
    core.areOnes(others) !== 0;
  const state = space.struct(kernelStruct);
  state.assign({
    rows: rows.pointer,
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
    isCounted: isCounted ? 1 : 0,
  });
  if (isCounted) core.countedTable(state.pointer, Math.max(featureCount, shape.featureCount) + 1);
  return { pointer: state.pointer, vectors: rows.pointer };
}

/** Where the copy is. */
function copyOf<A extends Float32Array | Float64Array | Uint32Array>(to: A, from: A): number {
  to.set(from);
  return to.byteOffset;
}
