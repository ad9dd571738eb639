// The scalers: MinMaxScaler, StandardScaler, MaxAbsScaler and Normalizer. Statistics in float64, results in float32.

import { HingeError } from "../base/errors.js";
import {
  type FeatureRange,
  type MaxAbsScalerOptions,
  type MinMaxScalerOptions,
  maxAbsScalerOptions,
  minMaxScalerOptions,
  type Norm,
  type NormalizerOptions,
  normalizerOptions,
  type StandardScalerOptions,
  standardScalerOptions,
  type TransformOptions,
} from "../base/options/scalers.js";
import type { Matrix, MatrixShape } from "../data/matrix.js";
import type { RowsInput } from "../data/pack.js";
import { type ColumnScale, maxAbsScale, minMaxScale, standardScale } from "../data/scale.js";
import {
  type MaxAbsScalerData,
  type MaxAbsScalerJson,
  type MinMaxScalerData,
  type MinMaxScalerJson,
  maxAbsScalerCodec,
  minMaxScalerCodec,
  type NormalizerData,
  type NormalizerJson,
  normalizerCodec,
  type StandardScalerData,
  type StandardScalerJson,
  standardScalerCodec,
} from "../model/scalers.js";
import { withMatrix } from "../runtime/runtime.js";
import { fitColumns, type Scaling, scaleRows } from "./scaling.js";
import { StoredAsJson } from "./stored.js";

/** What every fitted scaler can do. */
export interface Scaler {
  /** How many features it was fitted on. `transform` takes fewer, for zero; not more. */
  readonly featureCount: number;
  transform(x: RowsInput | Matrix, options?: TransformOptions): Promise<Matrix>;
  /** Writes the scaler to a file, whole or not at all; `load` reads it back. The name must end in .json. */
  save(path: string): Promise<void>;
  /** Returns the bytes that `save` writes. */
  toBytes(): Uint8Array;
  toJSON(): object;
}

type Admit = (kind: MatrixShape["kind"]) => void;
const admitAll: Admit = () => undefined;

/** What all scalers have in common. */
abstract class StoredScaler extends StoredAsJson implements Scaler {
  abstract readonly featureCount: number;
  abstract transform(x: RowsInput | Matrix, options?: TransformOptions): Promise<Matrix>;
}

/** What the scalers of features have in common: scaling there and back. */
abstract class ColumnScaler extends StoredScaler {
  readonly featureCount: number;
  readonly #scaling: Omit<Scaling, "how">;
  readonly #scale: ColumnScale;

  constructor(scale: ColumnScale, dense: boolean, admit: Admit) {
    super();
    this.featureCount = scale.center.length;
    this.#scale = scale;
    this.#scaling = { featureCount: this.featureCount, task: "scale-columns", dense, admit };
  }

  /** Returns the rows scaled, as a new matrix. Features that x does not have count as 0. */
  async transform(x: RowsInput | Matrix, options?: TransformOptions): Promise<Matrix> {
    return scaleRows(x, { ...this.#scaling, how: { ...this.#scale, inverse: false } }, options);
  }

  /** Returns the rows scaled back, as a new matrix; equal to what was scaled but for rounding to float32. */
  async inverseTransform(x: RowsInput | Matrix, options?: TransformOptions): Promise<Matrix> {
    return scaleRows(x, { ...this.#scaling, how: { ...this.#scale, inverse: true } }, options);
  }
}

/**
 * Scales every feature to a range, [0, 1] by default. A constant feature goes to its lower end. Make one with
 * `MinMaxScaler.fit`. Immutable.
 *
 * Sparse rows stay sparse if zeros stay zero, as for [0, 1] and features whose minimum is 0; otherwise they are refused,
 * or made dense with `dense: true`.
 */
export class MinMaxScaler extends ColumnScaler {
  readonly featureRange: FeatureRange;
  /** Of every feature in the rows that were fitted. */
  readonly minimum: Float64Array;
  /** Of every feature in the rows that were fitted. */
  readonly maximum: Float64Array;
  readonly #data: MinMaxScalerData;

  private constructor(data: MinMaxScalerData) {
    const scale = minMaxScale(data, data.featureRange);
    super(scale, data.dense, (kind) => admitMinMax(kind, data, scale));
    this.#data = data;
    this.featureRange = data.featureRange;
    this.minimum = data.minimum;
    this.maximum = data.maximum;
    Object.freeze(this);
  }

  /** Returns the scaler for rows `x`. Throws `HingeError` on wrong input. */
  static async fit(x: RowsInput | Matrix, options?: MinMaxScalerOptions): Promise<MinMaxScaler> {
    const { featureRange, dense, sampleWeight } = minMaxScalerOptions.check(options);
    const { minimum, maximum, kind } = await fitColumns(x, sampleWeight);
    const data = { featureRange, dense, minimum, maximum };
    admitMinMax(kind, data, minMaxScale(data, featureRange));
    return new MinMaxScaler(data);
  }

  /** Returns plain data for `JSON.stringify`. */
  toJSON(): MinMaxScalerJson {
    return minMaxScalerCodec.toJson(this.#data);
  }

  /** Returns the scaler in what `JSON.parse` gave. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown): MinMaxScaler {
    return new MinMaxScaler(minMaxScalerCodec.fromJson(json));
  }
}

function admitMinMax(kind: MatrixShape["kind"], { dense, minimum, maximum }: MinMaxScalerData, { center, divisor }: ColumnScale): void {
  if (kind === "dense" || dense) return;
  const j = center.findIndex((value) => value !== 0);
  if (j < 0) return;
  const image = Number((-(center[j] as number) / (divisor[j] as number)).toPrecision(3));
  throw new HingeError(
    "bad-option",
    `MinMaxScaler would make sparse rows dense: feature ${j}, from ${minimum[j]} to ${maximum[j]}, turns 0 into ${image}; ` +
      "use MaxAbsScaler, a featureRange that keeps 0, or dense: true",
  );
}

/**
 * Scales every feature to mean 0 and variance 1. A constant feature becomes 0. Make one with `StandardScaler.fit`. Immutable.
 *
 * Subtracting means makes sparse rows dense: they are refused, unless `withMean: false` or `dense: true` is given.
 */
export class StandardScaler extends ColumnScaler {
  /** Of every feature in the rows that were fitted. */
  readonly mean: Float64Array;
  /** Of every feature in the rows that were fitted; divided by their number, not by one less. */
  readonly variance: Float64Array;
  readonly #data: StandardScalerData;

  private constructor(data: StandardScalerData) {
    super(standardScale(data, data), data.dense, (kind) => admitStandard(kind, data));
    this.#data = data;
    this.mean = data.mean;
    this.variance = data.variance;
    Object.freeze(this);
  }

  /** Returns the scaler for rows `x`. Throws `HingeError` on wrong input. */
  static async fit(x: RowsInput | Matrix, options?: StandardScalerOptions): Promise<StandardScaler> {
    const { sampleWeight, ...chosen } = standardScalerOptions.check(options);
    const { mean, variance } = await fitColumns(x, sampleWeight, (kind) => admitStandard(kind, chosen));
    return new StandardScaler({ ...chosen, mean, variance });
  }

  /** Returns plain data for `JSON.stringify`. */
  toJSON(): StandardScalerJson {
    return standardScalerCodec.toJson(this.#data);
  }

  /** Returns the scaler in what `JSON.parse` gave. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown): StandardScaler {
    return new StandardScaler(standardScalerCodec.fromJson(json));
  }
}

function admitStandard(kind: MatrixShape["kind"], { withMean, dense }: Pick<StandardScalerData, "withMean" | "dense">): void {
  if (kind === "dense" || dense || !withMean) return;
  throw new HingeError(
    "bad-option",
    "StandardScaler would make sparse rows dense by subtracting the mean; use withMean: false to divide only, or dense: true",
  );
}

/** Divides every feature by its largest size, so that all lie in [-1, 1]; zeros stay. Make one with `MaxAbsScaler.fit`. Immutable. */
export class MaxAbsScaler extends ColumnScaler {
  /** Of every feature in the rows that were fitted. */
  readonly maxAbs: Float64Array;
  readonly #data: MaxAbsScalerData;

  private constructor(data: MaxAbsScalerData) {
    super(maxAbsScale(data.maxAbs), false, admitAll);
    this.#data = data;
    this.maxAbs = data.maxAbs;
    Object.freeze(this);
  }

  /** Returns the scaler for rows `x`. Throws `HingeError` on wrong input. */
  static async fit(x: RowsInput | Matrix, options?: MaxAbsScalerOptions): Promise<MaxAbsScaler> {
    const { sampleWeight } = maxAbsScalerOptions.check(options);
    const { minimum, maximum } = await fitColumns(x, sampleWeight);
    return new MaxAbsScaler({ maxAbs: maximum.map((top, j) => Math.max(Math.abs(top), Math.abs(minimum[j] as number))) });
  }

  /** Returns plain data for `JSON.stringify`. */
  toJSON(): MaxAbsScalerJson {
    return maxAbsScalerCodec.toJson(this.#data);
  }

  /** Returns the scaler in what `JSON.parse` gave. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown): MaxAbsScaler {
    return new MaxAbsScaler(maxAbsScalerCodec.fromJson(json));
  }
}

/**
 * Divides every row by its norm; a row of zeros stays. Nothing is learned from the rows but how many features there are.
 * Make one with `Normalizer.fit`. Immutable.
 */
export class Normalizer extends StoredScaler {
  readonly featureCount: number;
  readonly norm: Norm;
  readonly #data: NormalizerData;

  private constructor(data: NormalizerData) {
    super();
    this.#data = data;
    this.featureCount = data.featureCount;
    this.norm = data.norm;
    Object.freeze(this);
  }

  /** Returns the normalizer for rows as wide as `x`. Throws `HingeError` on wrong input. */
  static async fit(x: RowsInput | Matrix, options?: NormalizerOptions): Promise<Normalizer> {
    const { norm } = normalizerOptions.check(options);
    return withMatrix(x, async ({ featureCount }) => new Normalizer({ norm, featureCount }));
  }

  /** Returns the rows divided by their norms, as a new matrix. */
  async transform(x: RowsInput | Matrix, options?: TransformOptions): Promise<Matrix> {
    const { featureCount, norm } = this;
    return scaleRows(x, { featureCount, task: "normalize-rows", how: { norm }, dense: false, admit: admitAll }, options);
  }

  /** Returns plain data for `JSON.stringify`. */
  toJSON(): NormalizerJson {
    return normalizerCodec.toJson(this.#data);
  }

  /** Returns the normalizer in what `JSON.parse` gave. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown): Normalizer {
    return new Normalizer(normalizerCodec.fromJson(json));
  }
}
