// Plain data of a fitted linear one-class model, and its form as JSON.

import * as v from "valibot";
import { linearOneClassOptions } from "../base/options/linear-one-class.js";
import { type FitProof, finite, finiteNumbers, header, modelFrom, proof, proofOf, provenToJson, whole } from "./json.js";

/** A row x is inside where coefficients'x - rho is above 0. */
export type LinearOneClassData = FitProof & {
  readonly estimator: "LinearOneClassSVM";
  readonly featureCount: number;
  readonly coefficients: Float64Array;
  readonly rho: number;
  /** The constants of the problem that the model solves; undefined where the model comes from a file that does not hold them. */
  readonly problem: { readonly nu: number | undefined; readonly weighted: boolean | undefined };
};

const schema = v.pipe(
  v.strictObject({
    ...header,
    estimator: v.literal("LinearOneClassSVM"),
    problem: v.strictObject({ nu: v.optional(linearOneClassOptions.fields.nu.schema), weighted: v.optional(v.boolean()) }),
    ...proof,
    featureCount: whole,
    rho: finite,
    coefficients: finiteNumbers,
  }),
  v.forward(
    v.check(({ status, certificate }) => (status === "unknown") === (certificate === undefined)),
    ["certificate"],
  ),
  v.forward(
    v.check(({ status, problem: { nu, weighted } }) => status === "unknown" || (nu !== undefined && weighted !== undefined)),
    ["problem"],
  ),
  v.forward(
    v.check(({ featureCount, coefficients }) => coefficients.length === featureCount),
    ["coefficients"],
  ),
);

/** What `JSON.stringify` writes for the model. */
export type LinearOneClassJson = v.InferOutput<typeof schema>;

export function linearOneClassToJson(data: LinearOneClassData): LinearOneClassJson {
  return { ...provenToJson(data), rho: data.rho, coefficients: Array.from(data.coefficients) };
}

/** The model in `json`, checked field by field; throws `HingeError` if anything is not as it must be. */
export function linearOneClassFromJson(json: unknown): LinearOneClassData {
  const { problem, status, certificate, featureCount, rho, coefficients } = modelFrom(schema, json, "LinearOneClassSVM");
  return {
    estimator: "LinearOneClassSVM",
    featureCount,
    coefficients: Float64Array.from(coefficients),
    rho,
    problem: { nu: problem.nu, weighted: problem.weighted },
    ...proofOf(status, certificate),
  };
}
