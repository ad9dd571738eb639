// Plain data of fitted scalers, and their form as JSON.

import * as v from "valibot";
import { minMaxScalerOptions, normalizerOptions, standardScalerOptions } from "../base/options/scalers.js";
import { FORMAT_VERSION, isNumbers, partFrom } from "./json.js";

const head = { format: v.literal("hinge"), version: v.literal(FORMAT_VERSION) };

/** One number a feature, within float32 like the features themselves. */
const features = v.custom<number[]>((value) => isNumbers(value, (x) => Number.isFinite(Math.fround(x))));
/** One finite number of at least 0 a feature. */
const sizes = v.custom<number[]>((value) => isNumbers(value, (x) => Number.isFinite(x) && x >= 0));

const minMaxFields = minMaxScalerOptions.fields;
const minMaxSchema = v.pipe(
  v.strictObject({
    ...head,
    estimator: v.literal("MinMaxScaler"),
    featureRange: minMaxFields.featureRange.schema,
    dense: minMaxFields.dense.schema,
    minimum: features,
    maximum: features,
  }),
  v.forward(
    v.check(({ minimum, maximum }) => minimum.length === maximum.length && maximum.every((top, j) => top >= (minimum[j] as number))),
    ["maximum"],
  ),
);

const standardFields = standardScalerOptions.fields;
const standardSchema = v.pipe(
  v.strictObject({
    ...head,
    estimator: v.literal("StandardScaler"),
    withMean: standardFields.withMean.schema,
    withStd: standardFields.withStd.schema,
    dense: standardFields.dense.schema,
    mean: features,
    variance: sizes,
  }),
  v.forward(
    v.check(({ mean, variance }) => mean.length === variance.length),
    ["variance"],
  ),
);

const maxAbsSchema = v.strictObject({ ...head, estimator: v.literal("MaxAbsScaler"), maxAbs: v.pipe(features, sizes) });

const normalizerSchema = v.strictObject({
  ...head,
  estimator: v.literal("Normalizer"),
  norm: normalizerOptions.fields.norm.schema,
  featureCount: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
});

/** What `JSON.stringify` writes for a MinMaxScaler. */
export type MinMaxScalerJson = v.InferOutput<typeof minMaxSchema>;
/** What `JSON.stringify` writes for a StandardScaler. */
export type StandardScalerJson = v.InferOutput<typeof standardSchema>;
/** What `JSON.stringify` writes for a MaxAbsScaler. */
export type MaxAbsScalerJson = v.InferOutput<typeof maxAbsSchema>;
/** What `JSON.stringify` writes for a Normalizer. */
export type NormalizerJson = v.InferOutput<typeof normalizerSchema>;

type Head = "format" | "version" | "estimator";
/** The scaler in memory: lists of numbers as doubles, without what only a file needs. */
type Data<Json> = { readonly [K in Exclude<keyof Json, Head>]: Json[K] extends number[] ? Float64Array : Json[K] };

export type MinMaxScalerData = Data<MinMaxScalerJson>;
export type StandardScalerData = Data<StandardScalerJson>;
export type MaxAbsScalerData = Data<MaxAbsScalerJson>;
export type NormalizerData = Data<NormalizerJson>;

interface Codec<Json> {
  toJson(data: Data<Json>): Json;
  /** The data in `json`, checked field by field; throws `HingeError` if anything is not as it must be. */
  fromJson(json: unknown): Data<Json>;
}

function codec<Json>(estimator: string, schema: v.GenericSchema<unknown, Json>): Codec<Json> {
  return {
    toJson: (data) => ({ format: "hinge", version: FORMAT_VERSION, estimator, ...mapValues(data, plain) }) as Json,
    fromJson: (json) => {
      const own = partFrom(schema, json, estimator) as Record<string, unknown>;
      const { format: _format, version: _version, estimator: _estimator, ...rest } = own;
      return mapValues(rest, (value, name) => (name === "featureRange" ? value : packed(value))) as Data<Json>;
    },
  };
}

function mapValues(object: object, change: (value: unknown, name: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}

function plain(value: unknown): unknown {
  return value instanceof Float64Array || Array.isArray(value) ? Array.from(value) : value;
}

function packed(value: unknown): unknown {
  return Array.isArray(value) ? Float64Array.from(value) : value;
}

export const minMaxScalerCodec = codec<MinMaxScalerJson>("MinMaxScaler", minMaxSchema);
export const standardScalerCodec = codec<StandardScalerJson>("StandardScaler", standardSchema);
export const maxAbsScalerCodec = codec<MaxAbsScalerJson>("MaxAbsScaler", maxAbsSchema);
export const normalizerCodec = codec<NormalizerJson>("Normalizer", normalizerSchema);
