// Plain data of a fitted linear classifier, and its form as JSON.

import * as v from "valibot";
import { HingeError, shown } from "../base/errors.js";
import { linearSvcOptions } from "../base/options/linear-svc.js";
import { type Status, statuses } from "../base/status.js";
import type { Certificate } from "./certificate.js";

/** The constants of the problem that the model solves. */
export interface LinearSvcProblemConstants {
  readonly C: number;
  readonly loss: "hinge" | "squared_hinge";
  readonly bias: "augmented" | false;
  readonly biasScale: number;
  /** Whether rows or classes had weights, which the model does not keep. */
  readonly weighted: boolean;
}

/** f(x) = coefficients'x + bias; above 0 means classes[1], otherwise classes[0]. */
export interface LinearSvcData {
  readonly estimator: "LinearSVC";
  readonly classes: readonly [number, number] | readonly [string, string];
  readonly coefficients: Float64Array;
  readonly bias: number;
  readonly problem: LinearSvcProblemConstants;
  readonly status: Status;
  readonly certificate: Certificate;
}

export const FORMAT_VERSION = 1;

const { fields } = linearSvcOptions;

const finite = v.pipe(v.number(), v.finite());

const schema = v.strictObject({
  format: v.literal("hinge"),
  version: v.literal(FORMAT_VERSION),
  estimator: v.literal("LinearSVC"),
  classes: v.pipe(
    v.union([v.strictTuple([finite, finite]), v.strictTuple([v.string(), v.string()])]),
    v.check(([first, second]) => first < second),
  ),
  problem: v.strictObject({
    C: fields.C.schema,
    loss: fields.loss.schema,
    bias: fields.bias.schema,
    biasScale: fields.biasScale.schema,
    weighted: v.boolean(),
  }),
  status: v.picklist(statuses),
  certificate: v.strictObject({ primal: finite, dual: finite, relativeGap: finite }),
  bias: finite,
  coefficients: v.custom<number[]>(isNumbers),
});

/** Holes included, which `every` would pass over. */
function isNumbers(value: unknown): boolean {
  return Array.isArray(value) && value.findIndex((x) => !Number.isFinite(x)) < 0;
}

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
    certificate: { ...certificate },
    bias,
    coefficients: Array.from(coefficients),
  };
}

/** The model in `json`, checked field by field; throws `HingeError` if anything is not as it must be. */
export function linearSvcFromJson(json: unknown): LinearSvcData {
  const result = v.safeParse(schema, json);
  if (!result.success) throw new HingeError("bad-model", `not a LinearSVC model of hinge: ${complaint(json, result.issues[0])}`);
  const { format: _format, version: _version, coefficients, ...rest } = result.output;
  return { ...rest, coefficients: Float64Array.from(coefficients) };
}

/** What is wrong with the first thing that is. */
function complaint(json: unknown, issue: v.BaseIssue<unknown>): string {
  const path = issue.path?.map((item) => String(item.key)).join(".") ?? "";
  if (path === "") return "not an object";
  if (path === "version")
    return `its format is version ${shown((json as { version?: unknown }).version)}, this hinge reads version ${FORMAT_VERSION}`;
  return issue.expected === "never" ? `${path} is unknown here` : `${path} is missing or wrong`;
}
