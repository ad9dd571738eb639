// Plain data of a fitted linear classifier, and its form as JSON.

import * as v from "valibot";
import { HingeError } from "../base/errors.js";
import { linearSvcOptions } from "../base/options/linear-svc.js";
import { type Status, statuses } from "../base/status.js";
import type { Certificate } from "./certificate.js";
import { complaint, FORMAT_VERSION, isNumbers } from "./json.js";

/** The constants of the problem that the model solves. */
export interface LinearSvcProblemConstants {
  /** undefined where the model comes from a file that does not hold it. */
  readonly C: number | undefined;
  readonly loss: "hinge" | "squared_hinge";
  readonly bias: "augmented" | false;
  readonly biasScale: number;
  /** Whether rows or classes had weights, which the model does not keep; undefined where the file did not say. */
  readonly weighted: boolean | undefined;
}

/** How the fit ended, with its proof; or that nothing is known of it. */
export type LinearSvcProof =
  | { readonly status: Status; readonly certificate: Certificate }
  | { readonly status: "unknown"; readonly certificate: undefined };

/** f(x) = coefficients'x + bias; above 0 means classes[1], otherwise classes[0]. */
export type LinearSvcData = LinearSvcProof & {
  readonly estimator: "LinearSVC";
  readonly classes: readonly [number, number] | readonly [string, string];
  readonly coefficients: Float64Array;
  readonly bias: number;
  readonly problem: LinearSvcProblemConstants;
};

const { fields } = linearSvcOptions;

const finite = v.pipe(v.number(), v.finite());

const layout = v.strictObject({
  format: v.literal("hinge"),
  version: v.literal(FORMAT_VERSION),
  estimator: v.literal("LinearSVC"),
  // Sorted where hinge made the model; one from a peer's file has the order of that file.
  classes: v.pipe(
    v.union([v.strictTuple([finite, finite]), v.strictTuple([v.string(), v.string()])]),
    v.check(([first, second]) => first !== second),
  ),
  problem: v.strictObject({
    C: v.optional(fields.C.schema),
    loss: fields.loss.schema,
    bias: fields.bias.schema,
    biasScale: fields.biasScale.schema,
    weighted: v.optional(v.boolean()),
  }),
  status: v.picklist([...statuses, "unknown"]),
  certificate: v.optional(v.strictObject({ primal: finite, dual: finite, relativeGap: finite })),
  bias: finite,
  coefficients: v.custom<number[]>((value) => isNumbers(value, Number.isFinite)),
});

// A model whose making is known has its certificate and the problem's constants; only one of unknown making may lack them.
const schema = v.pipe(
  layout,
  v.forward(
    v.check(({ status, certificate }) => (status === "unknown") === (certificate === undefined)),
    ["certificate"],
  ),
  v.forward(
    v.check(({ status, problem }) => status === "unknown" || problem.C !== undefined),
    ["problem", "C"],
  ),
  v.forward(
    v.check(({ status, problem }) => status === "unknown" || problem.weighted !== undefined),
    ["problem", "weighted"],
  ),
);

/** What `JSON.stringify` writes for the model. */
export type LinearSvcJson = v.InferOutput<typeof schema>;

export function linearSvcToJson(data: LinearSvcData): LinearSvcJson {
  const { estimator, classes, problem, status, certificate, bias, coefficients } = data;
  return {
    format: "hinge",
    version: FORMAT_VERSION,
    estimator,
    classes: [...classes] as [number, number] | [string, string],
    problem: { ...problem },
    status,
    certificate: certificate && { ...certificate },
    bias,
    coefficients: Array.from(coefficients),
  };
}

/** The model in `json`, checked field by field; throws `HingeError` if anything is not as it must be. */
export function linearSvcFromJson(json: unknown): LinearSvcData {
  const result = v.safeParse(schema, json);
  if (!result.success) throw new HingeError("bad-model", `not a LinearSVC model of hinge: ${complaint(json, result.issues[0])}`);
  const { estimator, classes, problem, status, certificate, bias, coefficients } = result.output;
  const { C, loss, bias: kindOfBias, biasScale, weighted } = problem;
  const constants: LinearSvcProblemConstants = { C, loss, bias: kindOfBias, biasScale, weighted };
  const model = { estimator, classes, bias, coefficients: Float64Array.from(coefficients), problem: constants };
  return status === "unknown" || certificate === undefined
    ? { ...model, status: "unknown", certificate: undefined }
    : { ...model, status, certificate };
}
