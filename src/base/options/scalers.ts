// The options of the scalers.

import * as v from "valibot";
import { running, weighting } from "./fit.js";
import { type Checked, custom, type Input, oneOf, table, toggle } from "./table.js";

const weighted = {
  sampleWeight: { ...weighting.sampleWeight, help: "counts rows in the statistics: weight 2 is the row twice, weight 0 the row absent" },
};

const dense = toggle({
  default: false,
  help: "scale sparse rows to dense ones; without it they are refused where scaling would move their zeros",
});

/** The lowest and the highest value that a feature is scaled to. */
export type FeatureRange = readonly [minimum: number, maximum: number];

export const minMaxScalerOptions = table("MinMaxScaler", {
  featureRange: custom<FeatureRange, FeatureRange>({
    schema: v.pipe(
      v.custom<FeatureRange>(isRange),
      v.transform(([minimum, maximum]): FeatureRange => Object.freeze([minimum, maximum] as const)),
    ),
    allowed: "[minimum, maximum], two finite numbers in float32, the first below the second",
    default: Object.freeze([0, 1] as const),
    help: "what every feature is scaled to",
  }),
  dense,
  ...weighted,
});

function isRange(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    value.every((x) => typeof x === "number" && Number.isFinite(Math.fround(x))) &&
    Math.fround(value[0]) < Math.fround(value[1])
  );
}

export const standardScalerOptions = table("StandardScaler", {
  withMean: toggle({ default: true, help: "subtract the mean of every feature" }),
  withStd: toggle({ default: true, help: "divide by the standard deviation of every feature" }),
  dense,
  ...weighted,
});

export const maxAbsScalerOptions = table("MaxAbsScaler", weighted);

export const normalizerOptions = table("Normalizer", {
  norm: oneOf(["l2", "l1", "max"], {
    default: "l2",
    help: "what becomes 1 in every row: the root of the sum of squares (l2), the sum of sizes (l1) or the largest size (max)",
  }),
});

export const transformOptions = table("transform", { threads: running.threads });

/** What `MinMaxScaler.fit` accepts. */
export type MinMaxScalerOptions = Input<typeof minMaxScalerOptions>;
/** What `StandardScaler.fit` accepts. */
export type StandardScalerOptions = Input<typeof standardScalerOptions>;
/** What `MaxAbsScaler.fit` accepts. */
export type MaxAbsScalerOptions = Input<typeof maxAbsScalerOptions>;
/** What `Normalizer.fit` accepts. */
export type NormalizerOptions = Input<typeof normalizerOptions>;
/** What `transform` and `inverseTransform` accept besides the rows. */
export type TransformOptions = Input<typeof transformOptions>;
export type Norm = Checked<typeof normalizerOptions>["norm"];
