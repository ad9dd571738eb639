// Decision values of kernel models: many rows on the pool, or one row at once. Both compute every kernel value in the same arithmetic, float32 unless that makes a
// difference, and add them up in the order of the support vectors, so they agree bit for bit. Kernels that are linear in the row are weights instead.

import { exp32, power32, tanh32 } from "../base/float32.js";
import { kernelValue } from "../certify/kernel-values.js";
import { Matrix, type MatrixArrays, type MatrixShape } from "../data/matrix.js";
import { packRows, type RowsInput } from "../data/pack.js";
import { takeRows } from "../data/take-rows.js";
import type { KernelConstants, KernelModelData } from "../model/kernel-model.js";
import { kernelOutputs } from "../model/kernel-model.js";
import { allocatePlain } from "../runtime/placement.js";
import type { RunOptions } from "../runtime/pool.js";
import { beginCall, withMatrix } from "../runtime/runtime.js";
import { counting } from "../solve/counting.js";
import type { KernelParts, SignBound } from "../solve/kernel-decision.js";
import { needsWide } from "../solve/kernel-error.js";
import type { KernelFunction } from "../solve/kernel-problem.js";
import { firstUnits, fittingUnit, unitDot, wholeOf, wholesOf } from "../solve/units.js";
import { coefficientsOf } from "./coefficients.js";
import { CustomOutputs } from "./custom-outputs.js";
import { checkFeatures } from "./features.js";
import { LinearOutputs, type RowInput } from "./linear-decision.js";
import { decisionOf, predictedRows, votesFor, type Wanted } from "./predicted-rows.js";
import { withSurvey } from "./row-survey.js";
import { groupsOf } from "./vector-groups.js";

/** What predictions ask of a model. */
export interface Outputs {
  ofRows(x: RowsInput | Matrix, threads: number | undefined): Promise<Float64Array>;
  /** The number of the class that decision values of two classes or of pairs of them mean, where that comes cheaper than they do. */
  votesOf?(x: RowsInput | Matrix, threads: number | undefined): Promise<Uint32Array>;
  ofOne(row: RowInput): Float64Array;
}

export function outputsOf(data: KernelModelData): Outputs {
  const { kind } = data.kernel;
  if (data.custom !== undefined) return new CustomOutputs(data, data.custom, groupsOf(data));
  // A file of LIBSVM without support vectors does not say how many features there were: any will do.
  if (data.vectors.count === 0 && data.status === "unknown") return constant(data.biases);
  return kind === "linear" || kind === "precomputed" ? collapsed(data) : new KernelOutputs(data);
}

export function functionOf({ kind, gamma, coef0, degree }: KernelConstants): KernelFunction {
  if (kind === "custom") throw new RangeError("the core knows no function of the user's");
  return { kind: kind === "poly" ? "polynomial" : kind, gamma, coef0, degree };
}

/** The same decision values for every row. */
function constant(biases: Float64Array): Outputs {
  return {
    ofRows: (x) =>
      withMatrix(x, async ({ rowCount }) =>
        Float64Array.from({ length: rowCount * biases.length }, (_, k) => biases[k % biases.length] as number),
      ),
    ofOne: (row) => {
      packRows([row] as unknown as RowsInput, allocatePlain);
      return biases.slice();
    },
  };
}

/** f(x) = w'x + b, where K is linear in x: u'x, or the value of x at the place of u. */
function collapsed(data: KernelModelData): LinearOutputs {
  const { featureCount, vectors, biases, scheme, classes } = data;
  const { starts, places, values } = coefficientsOf(data);
  const w = new Float64Array(kernelOutputs(scheme, classes.length) * featureCount);
  for (let i = 0; i < vectors.count; i++) {
    for (let m = starts[i] as number; m < (starts[i + 1] as number); m++) {
      const line = (places[m] as number) * featureCount;
      for (let k = vectors.starts[i] as number; k < (vectors.starts[i + 1] as number); k++) {
        const j = line + (vectors.indices[k] as number);
        w[j] = (w[j] as number) + (values[m] as number) * (vectors.values[k] as number);
      }
    }
  }
  return new LinearOutputs(w, biases, featureCount, isOpen(data));
}

/** Whether rows may have features that the model never saw: it comes from LIBSVM's file. */
function isOpen({ status }: KernelModelData): boolean {
  return status === "unknown";
}

const { fround } = Math;
/** What float32 kernel values may do to decision values, as a part of what these are about as large as; on how many support vectors that is tried. */
const MOST_OFF = 1e-4;
const TRIED = 8;

class KernelOutputs implements Outputs {
  readonly #data: KernelModelData;
  readonly #mostFeatures: number;
  /** Support vectors as sparse rows, for one row; as the core wants them, for many. */
  #made: KernelParts | undefined;
  #sent: KernelParts | undefined;
  #own: OwnProducts | undefined;

  constructor(data: KernelModelData) {
    this.#data = data;
    this.#mostFeatures = isOpen(data) ? Infinity : data.featureCount;
  }

  ofRows(x: RowsInput | Matrix, threads: number | undefined): Promise<Float64Array> {
    return this.#ofAll(x, threads, decisionOf);
  }

  votesOf(x: RowsInput | Matrix, threads: number | undefined): Promise<Uint32Array> {
    return this.#ofAll(x, threads, votesFor(this.#data.classes.length));
  }

  async #ofAll<Numbers extends Float64Array | Uint32Array>(
    x: RowsInput | Matrix,
    threads: number | undefined,
    wanted: Wanted<Numbers>,
  ): Promise<Numbers> {
    const call = beginCall({ threads });
    return withMatrix(x, async (packed) => {
      checkFeatures(packed.featureCount, this.#mostFeatures, "model");
      this.#made ??= await preparedByCore(this.#data, call);
      this.#sent ??= denseParts(this.#made);
      return predictedRows(this.#sent, packed, wanted, call);
    });
  }

  ofOne(row: RowInput): Float64Array {
    this.#made ??= prepared(this.#data);
    this.#own ??= ownProducts(this.#made);
    const one = packRows([row] as unknown as RowsInput, allocatePlain);
    checkFeatures(one.featureCount, this.#mostFeatures, "model");
    return decided(this.#made, this.#own, one);
  }
}

/** Part of the values from which on the core is faster with dense rows, which give the same bits; and values that are laid out without keeping anybody waiting. */
const DENSE_PART = 0.5;
const MOST_DENSE = 2 ** 21;

const areNearlyDense = ({ rowCount, featureCount, valueCount }: MatrixShape): boolean => valueCount >= DENSE_PART * rowCount * featureCount;

/** With support vectors that lack little as dense rows. */
function denseParts(parts: KernelParts): KernelParts {
  const { rowCount, featureCount, valueCount } = parts.shape;
  const size = rowCount * featureCount;
  const isWhole = valueCount === size; // then they lie as dense rows do
  if (!isWhole && (!areNearlyDense(parts.shape) || size > MOST_DENSE)) return parts;
  const shape = { kind: "dense", rowCount, featureCount, valueCount: size } as const;
  const values = isWhole ? parts.vectors.values : laidOut(parts.vectors, rowCount, featureCount);
  return { ...parts, shape, vectors: { values, indices: new Uint32Array(), starts: new Uint32Array() } };
}

function laidOut({ starts, indices, values }: MatrixArrays, rowCount: number, featureCount: number): Float32Array {
  const all = new Float32Array(rowCount * featureCount);
  for (let i = 0; i < rowCount; i++) {
    const line = i * featureCount;
    for (let k = starts[i] as number; k < (starts[i + 1] as number); k++) all[line + (indices[k] as number)] = values[k] as number;
  }
  return all;
}

/** The ways to predict, the quickest first and the exact one last, and some support vectors to tell which it has to be. */
interface Ways {
  readonly quicker: readonly KernelParts[];
  readonly exact: KernelParts;
  readonly tried: Matrix;
}

function waysOf(data: KernelModelData): Ways {
  const { vectors, featureCount, biases } = data;
  const shape = { kind: "csr", rowCount: vectors.count, featureCount, valueCount: vectors.values.length } as const;
  const kernel = functionOf(data.kernel);
  const matrix = new Matrix(shape, vectors);
  const coefficients = coefficientsOf(data);
  const sizes = { coefficientCount: coefficients.values.length, outputCount: biases.length };
  const plain: KernelParts = { kernel, isWide: false, isExact: false, shape, ...sizes, vectors, coefficients, biases };
  const step = Math.max(1, Math.ceil(vectors.count / TRIED));
  const tried = Uint32Array.from({ length: Math.ceil(vectors.count / step) }, (_, k) => k * step);
  const { isNeeded, unit, longest } = withSurvey(matrix, (survey) => {
    const longest = survey.largest(1, Infinity);
    const isNeeded = needsWide(kernel, survey.largest);
    const isOfUse = !isNeeded && !areNearlyDense(shape);
    const first = isOfUse ? firstUnits(kernel, matrix, counting(new Uint32Array(vectors.count)), longest) : [];
    return { longest, isNeeded, unit: first.map((unit) => fittingUnit(unit, survey)).find((unit) => unit !== undefined) };
  });
  const inUnits = unit === undefined ? [] : [{ ...plain, kernel: { ...kernel, unit } }];
  const wide = { ...plain, isWide: true, ...(canTellSigns(data) ? { signs: signBound(matrix, longest) } : {}) };
  // Most of what float32 loses, it loses in sums of products; where these are wide, the rest seldom matters.
  const quicker = isNeeded ? [wide] : [...inUnits, plain, wide];
  return { quicker, exact: { ...wide, isExact: true }, tried: takeRows(matrix, tried) };
}

/** Whether float32 can tell the classes of a model whose values it cannot: core/kernel/signs.ts, whose bound needs a gamma that float32 has all digits of, and squares beside it as well. */
function canTellSigns({ scheme, kernel: { kind, gamma } }: KernelModelData): boolean {
  return scheme === "binary" && kind === "rbf" && gamma >= 2 ** -100 && gamma <= 2 ** 60;
}

function signBound({ rowCount, starts }: Matrix, longestSquare: number): SignBound {
  let terms = 0;
  for (let i = 0; i < rowCount; i++) terms = Math.max(terms, (starts[i + 1] as number) - (starts[i] as number));
  return { reach: (1 + 1e-12) * Math.sqrt(longestSquare), terms };
}

/** The way that a model wants, found out on this thread. */
function prepared(data: KernelModelData): KernelParts {
  const { quicker, exact, tried } = waysOf(data);
  if (tried.rowCount === 0) return exact;
  const outputs = data.biases.length;
  const valuesOf = (parts: KernelParts): Float64Array => {
    const own = ownProducts(parts);
    const values = new Float64Array(tried.rowCount * outputs);
    for (let i = 0; i < tried.rowCount; i++) values.set(decided(parts, own, takeRows(tried, Uint32Array.of(i))), i * outputs);
    return values;
  };
  const exactValues = valuesOf(exact);
  return quicker.find((parts) => isNearEnough(data, valuesOf(parts), exactValues)) ?? exact;
}

/** The same by the core, which gives the same values. */
async function preparedByCore(data: KernelModelData, call: RunOptions): Promise<KernelParts> {
  const { quicker, exact, tried } = waysOf(data);
  if (tried.rowCount === 0) return exact;
  return withMatrix(tried, async (packed) => {
    const valuesOf = (parts: KernelParts): Promise<Float64Array> => predictedRows(parts, packed, decisionOf, call);
    const exactValues = await valuesOf(exact);
    for (const parts of quicker) if (isNearEnough(data, await valuesOf(parts), exactValues)) return parts;
    return exact;
  });
}

/** What is known of the support vectors by themselves: |u|^2, and the same in units, of the whole numbers that their values are. */
interface OwnProducts {
  readonly squares: Float64Array;
  readonly inUnits?: { readonly wholes: Float64Array; readonly squares: Float64Array };
}

function ownProducts({ kernel: { unit }, vectors, shape, isWide }: KernelParts): OwnProducts {
  const { values, starts } = vectors;
  const ofAll = (square: (from: number, to: number) => number): Float64Array =>
    Float64Array.from({ length: shape.rowCount }, (_, i) => square(starts[i] as number, starts[i + 1] as number));
  const squares = ofAll((from, to) => squareOf(values, from, to, isWide));
  if (unit === undefined) return { squares };
  const wholes = Float64Array.from(values, (value) => wholeOf(value, unit));
  return { squares, inUnits: { wholes, squares: ofAll((from, to) => unitDot(squareOf(wholes, from, to, true), unit)) } };
}

/** Whether float32 does little to the decision values of some support vectors: their terms may be large and cancel each other. f64[rows][outputs] each. */
function isNearEnough({ scheme, biases }: KernelModelData, quick: Float64Array, exact: Float64Array): boolean {
  let off = 0;
  for (let k = 0; k < quick.length; k++) off = Math.max(off, Math.abs((quick[k] as number) - (exact[k] as number)));
  // Of classes 1 is where a margin ends; else what the values differ by, or the threshold that they are compared with.
  const first = exact.filter((_, k) => k % biases.length === 0);
  const [bias = 0] = biases;
  const spread = Math.max(...first) - Math.min(...first);
  const scale = scheme === "regression" ? spread : scheme === "one_class" ? Math.max(spread, Math.abs(bias)) : 1;
  return off <= MOST_OFF * scale;
}

/** The decision values of the one row of a matrix. */
function decided(parts: KernelParts, own: OwnProducts, one: Matrix): Float64Array {
  const { kernel, shape, vectors, coefficients, biases, isWide } = parts;
  const { unit } = kernel;
  // In units only if its own values are on their grid.
  const wholes = unit && wholesOf(one.values, unit);
  const { squares, entries, square, times } =
    unit !== undefined && wholes !== undefined && own.inUnits !== undefined
      ? {
          squares: own.inUnits.squares,
          entries: { values: own.inUnits.wholes, indices: vectors.indices },
          square: unitDot(squareOf(wholes, 0, wholes.length, true), unit),
          times: (...sum: Parameters<typeof wideDot>) => unitDot(wideDot(...sum), unit),
        }
      : {
          squares: own.squares,
          entries: vectors,
          square: squareOf(one.values, 0, one.values.length, isWide),
          times: isWide ? wideDot : narrowDot,
        };
  const lane = new Float64Array(shape.featureCount);
  const values = wholes ?? one.values;
  for (let k = 0; k < values.length; k++) lane[one.kind === "dense" ? k : (one.indices[k] as number)] = values[k] as number;
  const sums = new Float64Array(biases.length);
  for (let i = 0; i < shape.rowCount; i++) {
    const dot = times(entries, vectors.starts[i] as number, vectors.starts[i + 1] as number, lane);
    const value = kernelOf(parts, dot, square, squares[i] as number);
    for (let m = coefficients.starts[i] as number; m < (coefficients.starts[i + 1] as number); m++) {
      const place = coefficients.places[m] as number;
      sums[place] = (sums[place] as number) + (coefficients.values[m] as number) * value;
    }
  }
  return sums.map((sum, m) => sum + (biases[m] as number));
}

interface Entries {
  readonly values: Float32Array | Float64Array;
  readonly indices: Uint32Array;
}

// Two loops, not one that asks what it is at every product: the first prediction of a process waits for this.

function wideDot({ values, indices }: Entries, from: number, to: number, lane: Float64Array): number {
  let dot = 0;
  for (let k = from; k < to; k++) dot += (values[k] as number) * (lane[indices[k] as number] as number);
  return dot;
}

function narrowDot({ values, indices }: Entries, from: number, to: number, lane: Float64Array): number {
  let dot = 0;
  for (let k = from; k < to; k++) dot = fround(dot + fround((values[k] as number) * (lane[indices[k] as number] as number)));
  return dot;
}

function squareOf(values: Float32Array | Float64Array, from: number, to: number, isLong: boolean): number {
  let sum = 0;
  for (let k = from; k < to; k++) {
    const product = (values[k] as number) * (values[k] as number);
    sum = isLong ? sum + product : fround(sum + fround(product));
  }
  return sum;
}

function kernelOf({ kernel, isWide, isExact }: KernelParts, dot: number, square: number, other: number): number {
  const { kind, gamma, coef0, degree } = kernel;
  if (isExact) return kernelValue(kernel, dot, Math.max(0, square + other - 2 * dot));
  let z: number;
  if (kind === "rbf") {
    const distance = isWide ? square + other - (dot + dot) : fround(fround(square + other) - fround(dot + dot));
    z = isWide ? fround(-(gamma * Math.max(distance, 0))) : -fround(fround(gamma) * Math.max(distance, 0));
    return exp32(z);
  }
  z = isWide ? fround(gamma * dot + coef0) : fround(fround(fround(gamma) * dot) + fround(coef0));
  return kind === "sigmoid" ? tanh32(z) : power32(z, degree);
}
