// Scaling of features and of rows: from the statistics to what is done to a value, and the loops that do it.

import { HingeError } from "../base/errors.js";
import type { FeatureRange, Norm } from "../base/options/scalers.js";
import type { ColumnStatistics } from "./column-statistics.js";
import { type Matrix, rowStart } from "./matrix.js";
import { FLOAT32_END } from "./pack.js";

/** x -> (x - center) / divisor, feature by feature; f64[featureCount] each. Zeros stay zero where center is 0. */
export interface ColumnScale {
  readonly center: Float64Array;
  /** Above 0. */
  readonly divisor: Float64Array;
}

/**
 * Minimum to the lower end of `range`, maximum to the upper; a constant feature to the lower end. The center is the value that
 * becomes 0, written so that it is exactly 0 where that is meant: for [0, b] and minimum 0, or [-b, b] and minimum = -maximum.
 */
export function minMaxScale({ minimum, maximum }: Pick<ColumnStatistics, "minimum" | "maximum">, range: FeatureRange): ColumnScale {
  const [low, high] = range;
  const width = high - low;
  const extent = maximum.map((top, j) => top - (minimum[j] as number) || 1);
  return {
    center: minimum.map((bottom, j) => bottom - low * ((extent[j] as number) / width)),
    divisor: extent.map((size) => size / width),
  };
}

/** To mean 0 and variance 1, or one of the two; a constant feature is not divided. */
export function standardScale(
  { mean, variance }: Pick<ColumnStatistics, "mean" | "variance">,
  { withMean, withStd }: { readonly withMean: boolean; readonly withStd: boolean },
): ColumnScale {
  return {
    center: withMean ? mean : new Float64Array(mean.length),
    divisor: variance.map((v) => (withStd && Math.sqrt(v)) || 1),
  };
}

/** To a largest size of 1; a feature of zeros stays. */
export function maxAbsScale(maxAbs: Float64Array): ColumnScale {
  return { center: new Float64Array(maxAbs.length), divisor: maxAbs.map((size) => size || 1) };
}

/** Rows to be scaled, and the kind and width of what they are to become: sparse only if they are. */
export interface RowBlock {
  readonly from: number;
  readonly to: number;
  readonly kind: "dense" | "csr";
  /** At least that of the matrix; the features that it does not have are 0. */
  readonly featureCount: number;
}

/** f32[values of the block]: the rows scaled, or with `inverse` scaled back. */
export function scaleColumns(x: Matrix, block: RowBlock, { center, divisor }: ColumnScale, inverse: boolean): Float32Array {
  const there = (value: number, j: number): number => (value - (center[j] as number)) / (divisor[j] as number);
  const back = (value: number, j: number): number => value * (divisor[j] as number) + (center[j] as number);
  return mapRows(x, block, inverse ? back : there);
}

/** f32[values of the block]: the rows divided by their norm; a row of zeros stays. */
export function normalizeRows(x: Matrix, block: RowBlock, norm: Norm): Float32Array {
  const norms = new Float64Array(block.to - block.from);
  for (let i = block.from; i < block.to; i++) norms[i - block.from] = rowNorm(x, i, norm) || 1;
  return mapRows(x, block, (value, _, i) => value / (norms[i - block.from] as number));
}

/** Squares of float32 values neither overflow nor vanish in float64, so no care is needed. */
function rowNorm(x: Matrix, i: number, norm: Norm): number {
  const end = rowStart(x, i + 1);
  let sum = 0;
  for (let k = rowStart(x, i); k < end; k++) {
    const size = Math.abs(x.values[k] as number);
    sum = norm === "max" ? Math.max(sum, size) : sum + (norm === "l2" ? size * size : size);
  }
  return norm === "l2" ? Math.sqrt(sum) : sum;
}

type Image = (value: number, feature: number, row: number) => number;

/** The image of every value of the block, in the layout that the block asks for. */
function mapRows(x: Matrix, block: RowBlock, image: Image): Float32Array {
  const { from, to, featureCount } = block;
  const { values, indices } = x;
  const dense = x.kind === "dense";
  const spread = block.kind === "dense";
  const first = rowStart(x, from);
  const out = new Float32Array(spread ? (to - from) * featureCount : rowStart(x, to) - first);
  const zeros = spread && !(dense && x.featureCount === featureCount) ? imagesOfZero(block, image) : undefined;
  for (let i = from; i < to; i++) {
    const start = rowStart(x, i);
    const end = rowStart(x, i + 1);
    const at = spread ? (i - from) * featureCount : start - first;
    if (zeros) out.set(zeros, at);
    for (let k = start; k < end; k++) {
      const j = dense ? k - start : (indices[k] as number);
      out[at + (spread ? j : k - start)] = checked(image(values[k] as number, j, i), i, j);
    }
  }
  return out;
}

/** What stands in a row where the matrix stores nothing; the same in every row of the block. */
function imagesOfZero({ from, featureCount }: RowBlock, image: Image): Float32Array {
  return Float32Array.from({ length: featureCount }, (_, j) => checked(image(0, j, from), from, j));
}

function checked(value: number, row: number, column: number): number {
  if (Math.abs(value) < FLOAT32_END) return value;
  throw HingeError.input(`row ${row}, column ${column} becomes ${value}: too large for float32; it is far from the rows that were fitted`);
}
