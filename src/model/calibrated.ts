// Plain data of a calibrated classifier, and its form as JSON.

import * as v from "valibot";
import { calibrateOptions } from "../base/options/calibrate.js";
import { FORMAT_VERSION, finite, finiteNumbers, header, partFrom } from "./json.js";

const nonNegative = v.pipe(finite, v.minValue(0));
const probabilities = v.pipe(
  finiteNumbers,
  v.check((values) => values.every((p, k) => p >= 0 && p <= 1 && (k === 0 || p >= (values[k - 1] as number)))),
);

const calibrator = v.union([
  v.strictObject({ kind: v.literal("sigmoid"), slope: nonNegative, offset: finite }),
  v.pipe(
    v.strictObject({
      kind: v.literal("isotonic"),
      scores: v.pipe(
        finiteNumbers,
        v.check((scores) => scores.length > 0 && scores.every((score, k) => k === 0 || score > (scores[k - 1] as number))),
      ),
      values: probabilities,
    }),
    v.check(({ scores, values }) => scores.length === values.length),
  ),
  v.strictObject({ kind: v.literal("temperature"), factor: nonNegative }),
]);

const schema = v.strictObject({
  ...header,
  estimator: v.literal("CalibratedClassifier"),
  method: calibrateOptions.fields.method.schema,
  calibrators: v.pipe(v.array(calibrator), v.minLength(1)),
  model: v.looseObject({ estimator: v.string() }),
});

/** What `JSON.stringify` writes for a CalibratedClassifier. */
export type CalibratedJson = v.InferOutput<typeof schema>;

export function calibratedToJson(
  method: CalibratedJson["method"],
  calibrators: CalibratedJson["calibrators"],
  model: object,
): CalibratedJson {
  return {
    ...{ format: "hinge", version: FORMAT_VERSION, estimator: "CalibratedClassifier", method, calibrators },
    model: model as CalibratedJson["model"],
  };
}

export function calibratedFromJson(json: unknown): CalibratedJson {
  return partFrom(schema, json, "CalibratedClassifier");
}
