// Kernel values of a few rows with many, eight rows at a time, through the core. core/kernel/rows.ts holds the formulas.

import type { Matrix, MatrixShape } from "../data/matrix.js";
import type { Crew, Share } from "../runtime/crew.js";
import { kernelKinds, kernelStruct } from "../runtime/layout.js";
import type { StructView } from "../runtime/struct.js";
import { spaceFor, type Task, type WorkSpace } from "../runtime/task.js";
import { needsWide } from "./kernel-error.js";
import type { KernelFunction } from "./kernel-problem.js";
import type { ExactSums, RowSource } from "./row-source.js";
import { placeUnits, type Unit, unitsBytes } from "./units.js";

/** Rows whose values are computed together. */
export const LANES = 8;
/** Positions that the core finishes together: core/kernel/rows.ts. */
export const TILE = 512;
/** Four rows of eight doubles; a tile of eight lanes; constants of e^x, nineteen times two doubles or thirteen times four floats; squares of a tile. */
const scratchSizes = { dots: 8 * 4 * LANES, tile: 4 * LANES * TILE, constants: 8 * 2 * 19, tileSquares: 4 * TILE };
/** Multiplications of a slice, some milliseconds, and of what one thread takes of it at a time. */
const SLICE = 16_000_000;
const SHARE = 500_000;
/** Features up to which a dense row by itself is soon computed: beyond, what is loaded should serve several. */
const FEW_FEATURES = 32;
/** Features from which on lanes have room for bits, and those that two words have; ones a row from which on four words are compared sooner than ones are counted: docs/performance.md. */
const LEAST_FOR_BITS = 8;
const FEATURES_OF_TWO = 128;
const LEAST_ONES = 20;
/** A row of bits is computed again three times in the time that new memory for it takes. */
const BITS_PER_RETURN = 1 / 3;
/** What a loop of the crew's is about. */
export const sharedLoops = { rows: 0, exact: 1, steps: 2, sums: 3 };
/** How much longer a multiplication takes where all is in float64, roughly. */
const EXACT_COST = 8;
/** Multiplications that take as long as making a kernel value of a product, roughly. */
export const FUNCTION_COST = 10;

/** For values in float32 and for exact sums. */
export function kernelRowsBytes(x: Matrix, unit?: Unit): number {
  const own = spaceFor(
    kernelStruct.size,
    8 * LANES * x.featureCount,
    8 * LANES,
    8 * x.rowCount,
    kernelScratchBytes,
    4 * LANES,
    4 * LANES,
    8 * LANES,
  );
  return 2 * own + (unit === undefined ? 0 : unitsBytes(x)) + (isForBits(x) ? spaceFor(bitsBytes(x)) : 0);
}

/** What a kernel needs for itself in every thread. */
export const kernelScratchBytes = spaceFor(...Object.values(scratchSizes));

/** Where that is. */
export function kernelScratch(space: WorkSpace): Record<keyof typeof scratchSizes, number> {
  const placed = (bytes: number): number => space.rawBytes(bytes).byteOffset;
  const { dots, tile, constants, tileSquares } = scratchSizes;
  return { dots: placed(dots), tile: placed(tile), constants: placed(constants), tileSquares: placed(tileSquares) };
}

export interface RowSettings {
  /** For `addExact` alone. */
  readonly isExact?: boolean;
  /** Of rbf: values less 1. Where variables sum to 0 they are as good, and near 1 float32 has more digits of them. */
  readonly isLess?: boolean;
  /** Who helps. */
  readonly crew?: Crew | undefined;
}

export class KernelRows implements RowSource {
  /** Kernel values computed so far. */
  computed = 0;
  /** K of any row with itself, where that is known without computing it. */
  readonly diagonal: number | undefined;
  readonly roomPerReturn: number | undefined;
  readonly isAptAlone: boolean;
  readonly #task: Task;
  readonly #state: StructView<keyof typeof kernelStruct.offsets>;
  readonly #squares: number;
  readonly #ids: Uint32Array;
  readonly #outs: Uint32Array;
  readonly #deltas: Float64Array;
  readonly #crew: Crew | undefined;
  /** Multiplications that a value takes on average, or what takes as long. */
  readonly #width: number;

  /** For the rows `ids` of the task's matrix, which lie in its memory. */
  constructor(task: Task, kernel: KernelFunction, ids: Uint32Array, { isExact = false, isLess = false, crew }: RowSettings = {}) {
    const { space, matrix, core, rows } = task;
    const isWide = isExact
      ? kernel.kind !== "precomputed"
      : (kernel.isWide ?? needsWide(kernel, (base, per) => core.largestSquare(rows, ids.byteOffset, ids.length, base, per)));
    const isCounted = !isWide && kernel.kind !== "precomputed" && areCountable(core, rows, matrix.featureCount);
    const unit = isWide || isCounted ? undefined : kernel.unit;
    const hasBits = isCounted && kernel.kind === "rbf" && isForBits(matrix);
    const wide = (count: number): number => (isWide ? space.doubles(count) : space.rawFloats(count).fill(0)).byteOffset;
    this.#task = task;
    this.#state = space.struct(kernelStruct);
    this.#squares = wide(matrix.rowCount);
    this.#ids = space.words(LANES);
    this.#outs = space.words(LANES);
    this.#deltas = space.doubles(LANES);
    this.#crew = crew;
    this.roomPerReturn = hasBits ? BITS_PER_RETURN : isCounted ? 1 : undefined;
    this.isAptAlone = isSoonComputed(matrix) && !isWide && kernel.kind !== "precomputed";
    this.diagonal = kernel.kind === "rbf" ? (isLess ? 0 : 1) : undefined;
    this.#width = FUNCTION_COST + matrix.valueCount / Math.max(1, matrix.rowCount);
    this.#state.assign({
      rows,
      kind: kernelKinds[kernel.kind],
      degree: kernel.degree,
      isWide: isWide ? 1 : 0,
      isLess: isLess ? 1 : 0,
      lanes: wide(LANES * matrix.featureCount),
      laneSquares: wide(LANES),
      squares: this.#squares,
      ...kernelScratch(space),
      outs: this.#outs.byteOffset,
      gamma: kernel.gamma,
      coef0: kernel.coef0,
      isCounted: isCounted ? 1 : 0,
      units: unit === undefined ? 0 : placeUnits(task, rows, matrix, ids, unit),
      bits: hasBits ? space.rawBytes(bitsBytes(matrix)).byteOffset : 0,
      bitWords: bitWords(matrix),
    });
    if (hasBits) core.writeBits(this.#state.pointer, ids.byteOffset, ids.length);
    if (isCounted) core.countedTable(this.#state.pointer, matrix.featureCount + 1);
    core.kernelSquares(this.#state.pointer, rows, this.#squares, ids.byteOffset, ids.length);
  }

  /** Where the kernel, the rows of the matrix and the list of lanes are. */
  get places(): { readonly kernel: number; readonly rows: number; readonly ids: number } {
    return { kernel: this.#state.pointer, rows: this.#task.rows, ids: this.#ids.byteOffset };
  }

  /**
   * Values of up to eight rows with those at `columns[from, to)`, into float32 arrays by position; up to three positions beyond `to` are overwritten. Yields
   * between slices.
   */
  *fill(rows: readonly number[], outs: readonly number[], columns: Uint32Array, from: number, to: number): Generator<undefined, void> {
    const { core } = this.#task;
    const { pointer } = this.#state;
    this.#outs.set(outs);
    yield* this.#withLanes(rows, from, to, 1, [sharedLoops.rows, pointer, columns.byteOffset], (begin, end) =>
      core.kernelRows(pointer, columns.byteOffset, begin, end),
    );
    this.computed += rows.length * (to - from);
  }

  /** The same for few columns: on this thread alone, without a pause. */
  fillAtOnce(rows: readonly number[], outs: readonly number[], columns: Uint32Array, from: number, to: number): void {
    const { core, matrix } = this.#task;
    const { pointer } = this.#state;
    this.#outs.set(outs);
    this.#ids.set(rows);
    core.loadLanes(pointer, this.#task.rows, this.#squares, this.#ids.byteOffset, rows.length, matrix.featureCount);
    core.kernelRows(pointer, columns.byteOffset, from, to);
    core.clearLanes(pointer, this.#task.rows, this.#ids.byteOffset, matrix.featureCount);
    this.computed += rows.length * (to - from);
  }

  /** f_t += sum over up to eight rows of deltas K, in float64, for t in [from, to). */
  *addExact(
    rows: readonly number[],
    deltas: readonly number[],
    columns: Uint32Array,
    f: Float64Array,
    from: number,
    to: number,
  ): Generator<undefined, void> {
    const { core } = this.#task;
    const { pointer } = this.#state;
    this.#deltas.set(deltas);
    const constants = [sharedLoops.exact, pointer, columns.byteOffset, f.byteOffset, this.#deltas.byteOffset];
    yield* this.#withLanes(rows, from, to, EXACT_COST, constants, (begin, end) =>
      core.addExact(pointer, columns.byteOffset, f.byteOffset, this.#deltas.byteOffset, begin, end),
    );
  }

  /** The same of all rows whose value is not 0, for few rows and columns: on this thread alone, without a pause. */
  sumAtOnce({ ids, values, columns, f, count }: ExactSums): void {
    this.#task.core.sumExact(
      ...([this.#state.pointer, ids.byteOffset, values.byteOffset, values.length, columns.byteOffset, f.byteOffset, count] as const),
      this.#ids.byteOffset,
      this.#deltas.byteOffset,
    );
  }

  *#withLanes(
    rows: readonly number[],
    from: number,
    to: number,
    cost: number,
    constants: readonly number[],
    work: Share,
  ): Generator<undefined, void> {
    const { core, matrix } = this.#task;
    const { pointer } = this.#state;
    const slice = this.#positions(SLICE / cost);
    const share = this.#positions(SHARE / cost);
    this.#ids.set(rows);
    core.loadLanes(pointer, this.#task.rows, this.#squares, this.#ids.byteOffset, rows.length, matrix.featureCount);
    for (let begin = from; begin < to; begin += slice) {
      if (begin > from) yield;
      const end = Math.min(begin + slice, to);
      if (this.#crew === undefined) work(begin, end);
      else this.#crew.lead(constants, begin, end, share, work);
    }
    core.clearLanes(pointer, this.#task.rows, this.#ids.byteOffset, matrix.featureCount);
  }

  /** For so many multiplications. In fours: values are written so. */
  #positions(multiplications: number): number {
    return 4 * Math.ceil(multiplications / (4 * LANES * this.#width));
  }
}

/** Words of 64 bits that hold a row of ones: core/kernel/bits.ts. */
const bitWords = ({ featureCount }: MatrixShape): number => (featureCount <= FEATURES_OF_TWO ? 2 : 4);

const bitsBytes = (shape: MatrixShape): number => 8 * shape.rowCount * bitWords(shape);

/** Whether rows, if all their values are 1, are sooner compared as bits than counted. */
function isForBits(shape: MatrixShape): boolean {
  const { kind, featureCount, rowCount, valueCount } = shape;
  if (kind !== "csr" || featureCount < LEAST_FOR_BITS || featureCount > 2 * FEATURES_OF_TWO) return false;
  return featureCount <= FEATURES_OF_TWO || valueCount >= LEAST_ONES * rowCount;
}

/** Whether a row by itself is soon computed: sooner than memory that nobody has touched yet is to be had for it. */
export const isSoonComputed = ({ kind, featureCount }: MatrixShape): boolean => kind === "dense" && featureCount <= FEW_FEATURES;

/** What 16 bits hold. */
const MOST_COUNTED = 65_535;

/**
 * Whether the core's `rows`, of so many features, are sparse and all their values 1, and there is room for a table of what may come of them with rows of `others` features:
 * core/kernel/counted.ts.
 */
export function areCountable(core: Task["core"], rows: number, featureCount: number, others = featureCount): boolean {
  const size = Math.max(others, featureCount) + 1;
  return size + 3 <= 4 * (featureCount - 1) && size <= MOST_COUNTED && core.areOnes(rows) !== 0;
}
