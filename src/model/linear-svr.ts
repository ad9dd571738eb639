// Plain data of a fitted linear regression, and its form as JSON.

import * as v from "valibot";
import { type BiasForm, biasForms, linearFields } from "../base/options/linear.js";
import { linearSvrOptions } from "../base/options/linear-svr.js";
import { type FitProof, finite, finiteNumbers, header, modelFrom, proof, proofOf, provenToJson, whole } from "./json.js";

export const tubeLosses = ["squared_epsilon_insensitive", "epsilon_insensitive"] as const;

/** The constants of the problem that the model solves; undefined where the model comes from a file that does not hold them. */
export interface RegressionConstants {
  readonly C: number | undefined;
  readonly epsilon: number | undefined;
  readonly loss: (typeof tubeLosses)[number];
  readonly bias: BiasForm;
  readonly biasScale: number;
  /** What was taken off the targets before an augmented bias was fitted; part of the model's bias. */
  readonly centre: number;
  readonly weighted: boolean | undefined;
}

/** The prediction for a row x is coefficients'x + bias. */
export type LinearSvrData = FitProof & {
  readonly estimator: "LinearSVR";
  readonly featureCount: number;
  readonly coefficients: Float64Array;
  readonly bias: number;
  readonly problem: RegressionConstants;
};

const schema = v.pipe(
  v.strictObject({
    ...header,
    estimator: v.literal("LinearSVR"),
    problem: v.strictObject({
      C: v.optional(linearFields.C.schema),
      epsilon: v.optional(linearSvrOptions.fields.epsilon.schema),
      loss: v.picklist(tubeLosses),
      bias: v.custom<BiasForm>((value) => (biasForms as readonly unknown[]).includes(value)),
      biasScale: linearFields.biasScale.schema,
      centre: finite,
      weighted: v.optional(v.boolean()),
    }),
    ...proof,
    featureCount: whole,
    bias: finite,
    coefficients: finiteNumbers,
  }),
  v.forward(
    v.check(({ status, certificate }) => (status === "unknown") === (certificate === undefined)),
    ["certificate"],
  ),
  v.forward(
    v.check(({ status, problem: { C, epsilon, weighted } }) => status === "unknown" || ![C, epsilon, weighted].includes(undefined)),
    ["problem"],
  ),
  v.forward(
    v.check(({ featureCount, coefficients }) => coefficients.length === featureCount),
    ["coefficients"],
  ),
);

/** What `JSON.stringify` writes for the model. */
export type LinearSvrJson = v.InferOutput<typeof schema>;

export function linearSvrToJson(data: LinearSvrData): LinearSvrJson {
  return { ...provenToJson(data), bias: data.bias, coefficients: Array.from(data.coefficients) };
}

/** The model in `json`, checked field by field; throws `HingeError` if anything is not as it must be. */
export function linearSvrFromJson(json: unknown): LinearSvrData {
  const { problem, status, certificate, featureCount, bias, coefficients } = modelFrom(schema, json, "LinearSVR");
  const { C, epsilon, loss, biasScale, centre, weighted } = problem;
  return {
    estimator: "LinearSVR",
    featureCount,
    coefficients: Float64Array.from(coefficients),
    bias,
    problem: { C, epsilon, loss, bias: problem.bias, biasScale, centre, weighted },
    ...proofOf(status, certificate),
  };
}
