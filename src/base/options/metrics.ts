// The options of metrics.

import * as v from "valibot";
import { weighting } from "./fit.js";
import { type Checked, custom, type Input, integer, oneOf, table } from "./table.js";

type Label = number | string;

const sampleWeight = { ...weighting.sampleWeight, help: "counts rows: weight 2 is the row twice, weight 0 the row absent" };

const positive = custom<Label, Label | undefined>({
  schema: v.custom<Label>((value) => typeof value === "string" || (typeof value === "number" && Number.isFinite(value))),
  allowed: "a label: a finite number or a string",
  default: undefined,
  help: "the class that is looked for; if not given, the second of two classes in their order. All others are the other class",
});

export const metricOptions = table("a metric", { sampleWeight });

export const averagedOptions = table(
  "precision, recall and f1",
  {
    average: custom<"macro" | "micro" | "weighted", "macro" | "micro" | "weighted" | undefined>({
      ...oneOf(["macro", "micro", "weighted"], { default: "macro", help: "" }),
      default: undefined,
      help:
        "macro: the mean over the classes; weighted: the mean by how many rows a class has; micro: of all rows taken together. " +
        "If neither it nor positive is given: macro",
    }),
    positive: { ...positive, help: "the class whose own value is wanted, instead of an average" },
    sampleWeight,
  },
  ({ average, positive: one }) =>
    average !== undefined && one !== undefined ? "average and positive cannot be given together: leave one of them out" : undefined,
);

export const curveOptions = table("a curve", { positive, sampleWeight });

export const calibrationOptions = table("calibrationCurve", {
  bins: integer({ atLeast: 1, atMost: 100_000, default: 10, help: "how many bins; those without rows are left out" }),
  strategy: oneOf(["uniform", "quantile"], {
    default: "uniform",
    help: "uniform: bins of equal width; quantile: bins of about as many rows each",
  }),
  positive,
  sampleWeight,
});

/** What most metrics accept besides what is compared. */
export type MetricOptions = Input<typeof metricOptions>;
/** What `precision`, `recall` and `f1` accept. */
export type AveragedOptions = Input<typeof averagedOptions>;
/** What `rocCurve`, `prCurve` and `brierScore` accept. */
export type CurveOptions = Input<typeof curveOptions>;
/** What `calibrationCurve` accepts. */
export type CalibrationOptions = Input<typeof calibrationOptions>;
export type CheckedCurveOptions = Checked<typeof curveOptions>;
