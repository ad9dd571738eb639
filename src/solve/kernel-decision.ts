// Decision values of a kernel model for a block of rows, by the core: eight rows at a time with all support vectors, each of which is evaluated once
// for all decision values that it has a part in.

import type { MatrixArrays, MatrixShape } from "../data/matrix.js";
import { decisionStruct, kernelKinds, kernelStruct, ROW_PADDING, rowKinds, rowsStruct } from "../runtime/layout.js";
import { spaceFor, type Task, type WorkSpace } from "../runtime/task.js";
import { counting } from "./counting.js";
import type { KernelFunction } from "./kernel-problem.js";
import { areCountable, FUNCTION_COST, kernelScratch, kernelScratchBytes, LANES } from "./kernel-rows.js";
import { placeUnits, unitsBytes } from "./units.js";

/** The coefficients that are not 0, those of vector v in [starts[v], starts[v + 1]), and the decision value that each is part of. */
export interface Coefficients {
  readonly starts: Uint32Array;
  readonly places: Uint32Array;
  readonly values: Float64Array;
}

/** What of a model is not its arrays. */
export interface KernelShape {
  readonly kernel: KernelFunction;
  /** Whether dot products are summed in float64, and whether all the rest is float64 as well. */
  readonly isWide: boolean;
  readonly isExact: boolean;
  /** Of the support vectors. */
  readonly shape: MatrixShape;
  readonly coefficientCount: number;
  readonly outputCount: number;
  /** Of a wide model of which signs are all that is wanted: what tells where narrow products are enough for that (core/kernel/signs.ts). */
  readonly signs?: SignBound;
}

export interface SignBound {
  /** The largest |v| of the support vectors, and the most values of any. */
  readonly reach: number;
  readonly terms: number;
}

export interface KernelArrays {
  readonly vectors: MatrixArrays;
  readonly coefficients: Coefficients;
  /** What is added to each decision value. */
  readonly biases: Float64Array;
}

/** A model as predictions want it. */
export interface KernelParts extends KernelShape, KernelArrays {}

/** What signs are told by, besides. */
interface SignPlace {
  /** |v|^2 rounded to float32. */
  readonly squares: number;
  /** As Decision has them. */
  readonly bySign: number;
  readonly weights: number;
  readonly above: number;
}

/** Where what threads only read of a model lies in the core's memory. */
interface ModelPlace {
  /** The support vectors, their numbers, and |v|^2. */
  readonly rows: number;
  readonly ids: number;
  readonly squares: number;
  /** The same in units, where they are in some; else 0. */
  readonly units: number;
  readonly unitSquares: number;
  readonly forSigns?: SignPlace | undefined;
  readonly coefficientStarts: number;
  readonly places: number;
  readonly coefficients: number;
  readonly biases: number;
}

/** What tasks on one memory have in common: the model, the first row that nobody has taken, a word, and the place of what comes out for the rows [from, to). */
export interface SharedDecision {
  readonly model: ModelPlace;
  readonly next: number;
  readonly out: number;
}

/** Decision values of the rows [from, to); of those of them that this task is the first to take, where several share the work. */
export interface KernelDecisionInput {
  readonly from: number;
  readonly to: number;
  readonly model: KernelShape;
  /** One of these. */
  readonly arrays?: KernelArrays;
  readonly shared?: SharedDecision;
}

/** Where decision values are of pairs of so many classes, and only the class is wanted. */
export interface KernelVotesInput extends KernelDecisionInput {
  readonly classCount: number;
}

type AnyInput = KernelDecisionInput & Partial<KernelVotesInput>;

/** Rows that are summed at a time, at most: core/kernel/counted-sums.ts. */
const MOST_LANES = 2 * LANES;
/** Rows between two looks at the caller, and those that a task takes at a time. */
const SLICE = 64;
/** The same where signs are told: some in a hundred rows are left over, and they are decided eight at a time. */
const SIGN_SLICE = 256;

/** Bytes that this takes. */
export function modelBytes({ kernel, shape, coefficientCount, outputCount, signs }: KernelShape): number {
  const vectors = [4 * shape.valueCount + ROW_PADDING, 4 * shape.valueCount + ROW_PADDING, 4 * (shape.rowCount + 1)];
  const derived = [rowsStruct.size, kernelStruct.size, 4 * shape.rowCount, 8 * shape.rowCount];
  const inUnits = kernel.unit === undefined ? 0 : unitsBytes(shape) + spaceFor(kernelStruct.size, 4 * shape.rowCount);
  const forSigns = signs === undefined ? 0 : spaceFor(4 * shape.rowCount, 4 * coefficientCount, 8 * coefficientCount);
  return (
    inUnits +
    forSigns +
    spaceFor(...vectors, ...derived, 8 * coefficientCount, 4 * coefficientCount, 4 * (shape.rowCount + 1), 8 * outputCount)
  );
}

export function placeModel(own: Pick<Task, "core" | "space">, model: KernelShape, arrays: KernelArrays): ModelPlace {
  const { core, space } = own;
  const { kernel, shape, isWide, coefficientCount, outputCount, signs } = model;
  const { vectors, coefficients, biases } = arrays;
  const rows = space.struct(rowsStruct);
  rows.assign({
    kind: rowKinds[shape.kind],
    rowCount: shape.rowCount,
    featureCount: shape.featureCount,
    values: copyOf(space.rawFloats(shape.valueCount + ROW_PADDING / 4), vectors.values),
    indices: copyOf(space.rawWords(vectors.indices.length + ROW_PADDING / 4), vectors.indices),
    starts: copyOf(space.rawWords(vectors.starts.length), vectors.starts),
  });
  const ids = counting(space.rawWords(shape.rowCount));
  const squaresOf = (units: number): number => {
    const sums = space.struct(kernelStruct);
    sums.assign({ isWide: isWide ? 1 : 0, units });
    const squares = (isWide ? space.rawDoubles(shape.rowCount) : space.rawFloats(shape.rowCount)).byteOffset;
    core.kernelSquares(sums.pointer, rows.pointer, squares, ids.byteOffset, ids.length);
    return squares;
  };
  const units = kernel.unit === undefined ? 0 : placeUnits(own, rows.pointer, shape, ids, kernel.unit);
  const squares = squaresOf(0);
  return {
    rows: rows.pointer,
    ids: ids.byteOffset,
    squares,
    units,
    unitSquares: units === 0 ? 0 : squaresOf(units),
    forSigns: signs && placeSigns(space, coefficients, space.doublesAt(squares, shape.rowCount)),
    coefficientStarts: copyOf(space.rawWords(coefficients.starts.length), coefficients.starts),
    places: copyOf(space.rawWords(coefficientCount), coefficients.places),
    coefficients: copyOf(space.rawDoubles(coefficientCount), coefficients.values),
    biases: copyOf(space.rawDoubles(outputCount), biases),
  };
}

function placeSigns(space: WorkSpace, { starts, values }: Coefficients, squares: Float64Array): SignPlace {
  const bySign = space.rawWords(values.length);
  const weights = space.rawDoubles(values.length);
  let next = 0;
  const take = (isWanted: (value: number) => boolean): number => {
    for (let v = 0; v < squares.length; v++) {
      for (let m = starts[v] as number; m < (starts[v + 1] as number); m++) {
        const value = values[m] as number;
        if (!isWanted(value)) continue;
        bySign[next] = v;
        weights[next++] = value;
      }
    }
    return next;
  };
  const above = take((value) => value > 0);
  take((value) => !(value > 0));
  return {
    squares: copyOf(space.rawFloats(squares.length), squares),
    bySign: bySign.byteOffset,
    weights: weights.byteOffset,
    above,
  };
}

export function kernelDecisionBytes(model: KernelShape, isPlaced: boolean): number {
  const { shape, outputCount } = model;
  const lanes = [8 * LANES * shape.featureCount, 8 * LANES, kernelScratchBytes];
  const slice = model.signs === undefined ? SLICE : SIGN_SLICE;
  const outputs = [8 * MOST_LANES * outputCount, 8 * slice * outputCount];
  const structs = [kernelStruct.size, decisionStruct.size];
  // Rows that are not on the grid have lanes of their own, and so have eight rows more.
  const more = [kernelStruct.size, 8 * LANES * shape.featureCount, 8 * LANES];
  const units = model.kernel.unit === undefined ? [] : [...more, ...more, kernelScratchBytes];
  const signs = model.signs === undefined ? [] : more;
  // There are no more classes than pairs, but for two.
  const votes = [4 * slice, 16 * (outputCount + 2)];
  const own = spaceFor(...structs, ...lanes, ...outputs, 8 * slice, 4 * slice, 4 * slice, ...votes, ...units, ...signs);
  return own + (isPlaced ? 0 : modelBytes(model));
}

/** Multiplications that the decision values of a row take, about. */
export function kernelDecisionWork({ shape, coefficientCount }: KernelShape): number {
  return shape.valueCount + FUNCTION_COST * shape.rowCount + coefficientCount;
}

/** f64[rows][outputs]; where the work is shared, these are in their common place. */
export async function kernelDecision(task: Task, input: KernelDecisionInput): Promise<{ decision: Float64Array }> {
  const { from, to, model, shared } = input;
  const size = (to - from) * model.outputCount;
  const decision = shared === undefined ? new Float64Array(size) : task.space.doublesAt(shared.out, size);
  await inSlices(task, input, (at, values) => decision.set(values, at * model.outputCount));
  return { decision: shared === undefined ? decision : new Float64Array(0) };
}

/** The class of each row: a fraction of what their decision values, one a pair, would be to hand over. */
export async function kernelVotes(task: Task, input: KernelVotesInput): Promise<{ classes: Uint32Array }> {
  const { core, space } = task;
  const { from, to, classCount, shared } = input;
  const tally = space.rawDoubles(2 * classCount);
  const out = space.rawWords(sliceOf(input));
  const classes = shared === undefined ? new Uint32Array(to - from) : space.wordsAt(shared.out, to - from);
  await inSlices(task, input, (at, values, count) => {
    core.mostVotes(out.byteOffset, values.byteOffset, count, classCount, tally.byteOffset);
    classes.set(out.subarray(0, count), at);
  });
  return { classes: shared === undefined ? classes : new Uint32Array(0) };
}

/** Whether signs will do: of two classes the decision value has no other use. */
function isOfSigns({ classCount, model }: AnyInput): boolean {
  return classCount !== undefined && model.signs !== undefined;
}

function sliceOf(input: AnyInput): number {
  return isOfSigns(input) ? SIGN_SLICE : SLICE;
}

/** Hands on the decision values of some rows after others, the first of them `at` from the first of all. */
async function inSlices(task: Task, input: AnyInput, take: (at: number, values: Float64Array, count: number) => void): Promise<void> {
  const { from, to, model, shared } = input;
  const { ids, out, pointer } = placed(task, input);
  const slice = sliceOf(input);
  const taken = shared === undefined ? new Uint32Array(1) : task.space.wordsAt(shared.next, 1);
  const next = (): number => from + Atomics.add(taken, 0, slice);
  for (let first = next(); first < to; first = next()) {
    const count = Math.min(slice, to - first);
    counting(ids, first);
    if (isOfSigns(input)) task.core.decideSigns(pointer, count);
    else task.core.decideRows(pointer, count);
    take(first - from, out.subarray(0, count * model.outputCount), count);
    await task.checkpoint(() => ({ iterations: 0, relativeGap: 0 }));
  }
}

/** The model in the core's memory, and where the numbers of rows go in and their decision values come out. */
function placed(task: Task, input: AnyInput): { ids: Uint32Array; out: Float64Array; pointer: number } {
  const { space, rows } = task;
  const { model, arrays, shared } = input;
  const slice = sliceOf(input);
  const { shape, isWide, coefficientCount, outputCount } = model;
  const place = shared?.model ?? placeModel(task, model, arrays as KernelArrays);
  const wide = (count: number): number => (isWide ? space.doubles(count) : space.rawFloats(count).fill(0)).byteOffset;
  const ids = space.rawWords(slice);
  const out = space.rawDoubles(slice * outputCount);
  const isOnly = outputCount === 1 && coefficientCount === shape.rowCount;
  const decision = space.struct(decisionStruct);
  decision.assign({
    ...placedKernel(task, model, place),
    sorted: space.rawWords(slice).byteOffset,
    rows,
    rowSquares: wide(slice),
    ids: ids.byteOffset,
    vectorCount: shape.rowCount,
    featureCount: shape.featureCount,
    vectors: place.ids,
    isExact: model.isExact ? 1 : 0,
    starts: place.coefficientStarts,
    places: isOnly ? 0 : place.places,
    coefficients: place.coefficients,
    biases: place.biases,
    outputCount,
    sums: space.rawDoubles(MOST_LANES * outputCount).byteOffset,
    out: out.byteOffset,
    ...signsOf(place, model),
  });
  return { ids, out, pointer: decision.pointer };
}

function signsOf({ forSigns }: ModelPlace, { signs, coefficientCount }: KernelShape) {
  if (forSigns === undefined || signs === undefined) return {};
  const { bySign, weights, above } = forSigns;
  return { bySign, weights, above, termCount: coefficientCount, ...signs };
}

/** The kernel, with the support vectors as its rows; where it is in units, the one for rows that are not on their grid, and the one for eight rows more; where signs are wanted, the narrow one. */
function placedKernel(
  { core, matrix, rows: others, space }: Task,
  { kernel, isWide, shape }: KernelShape,
  { rows, squares, units, unitSquares, forSigns }: ModelPlace,
): { kernel: number; plain: number; beside: number; quick: number } {
  const { featureCount } = matrix;
  const isCounted =
    !isWide && kernel.kind !== "precomputed" && areCountable(core, rows, shape.featureCount, featureCount) && core.areOnes(others) !== 0;
  const shared = kernelScratch(space);
  const placedAs = (own: { readonly squares: number; readonly units?: number }, isLong = isWide, scratch = shared): number => {
    const wide = (count: number): number => (isLong ? space.doubles(count) : space.rawFloats(count).fill(0)).byteOffset;
    const state = space.struct(kernelStruct);
    state.assign({
      rows,
      kind: kernelKinds[kernel.kind],
      degree: kernel.degree,
      isWide: isLong ? 1 : 0,
      lanes: wide(LANES * shape.featureCount),
      laneSquares: wide(LANES),
      ...scratch,
      gamma: kernel.gamma,
      coef0: kernel.coef0,
      isCounted: isCounted ? 1 : 0,
      units: 0,
      ...own,
    });
    return state.pointer;
  };
  const plain = placedAs({ squares });
  const quick = forSigns === undefined ? 0 : placedAs({ squares: forSigns.squares }, false);
  if (isCounted) core.countedTable(plain, Math.max(featureCount, shape.featureCount) + 1);
  if (isCounted || units === 0) return { kernel: plain, plain: 0, beside: 0, quick };
  const inUnits = { squares: unitSquares, units };
  return { kernel: placedAs(inUnits), plain, beside: placedAs(inUnits, isWide, kernelScratch(space)), quick };
}

/** Where the copy is. */
function copyOf(to: Float32Array | Float64Array | Uint32Array, from: ArrayLike<number>): number {
  to.set(from);
  return to.byteOffset;
}
