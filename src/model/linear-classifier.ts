// Plain data of a fitted linear classifier, and its form as JSON.

import * as v from "valibot";
import { HingeError } from "../base/errors.js";
import { type BiasForm, biasForms, linearFields } from "../base/options/linear.js";
import { type FitProof, finite, finiteNumbers, header, modelFrom, proof, proofOf, provenToJson, whole } from "./json.js";

/**
 * How decision values make a class.
 * - `binary`: one value; above 0 means classes[1], otherwise classes[0].
 * - `ovr`, `crammer_singer`, `multinomial`: one value a class; the largest wins, the first of equal ones.
 * - `ovo`: one value a pair of classes, (0, 1), (0, 2), …, (1, 2), …; above 0 is a vote for the second. Most votes win, of equal
 *   ones the larger sum of values, then the first.
 */
export type Scheme = (typeof schemes)[number];

export const schemes = ["binary", "ovr", "ovo", "crammer_singer", "multinomial"] as const;

/** How many decision values a row has. */
export function outputCount(scheme: Scheme, classCount: number): number {
  if (scheme === "binary") return 1;
  return scheme === "ovo" ? (classCount * (classCount - 1)) / 2 : classCount;
}

/** The constants of the problem that the model solves. */
export interface LinearProblemConstants {
  /** undefined where the model comes from a file that does not hold it. */
  readonly C: number | undefined;
  readonly loss: "hinge" | "squared_hinge" | "logistic";
  readonly penalty: "l2" | "l1";
  readonly bias: BiasForm;
  readonly biasScale: number;
  /** Whether rows or classes had weights, which the model does not keep; undefined where the file did not say. */
  readonly weighted: boolean | undefined;
}

export const linearEstimators = ["LinearSVC", "LogisticRegression"] as const;

/** Decision value m of a row x is coefficients[m]'x + biases[m]. */
export type LinearClassifierData = FitProof & {
  readonly estimator: (typeof linearEstimators)[number];
  readonly classes: readonly number[] | readonly string[];
  readonly scheme: Scheme;
  readonly featureCount: number;
  /** f64[outputs * featureCount], decision value by decision value. */
  readonly coefficients: Float64Array;
  /** f64[outputs]. */
  readonly biases: Float64Array;
  readonly problem: LinearProblemConstants;
};

const layout = v.strictObject({
  ...header,
  estimator: v.picklist(linearEstimators),
  // Sorted where hinge made the model; one from a peer's file has the order of that file.
  classes: v.pipe(
    v.union([v.array(finite), v.array(v.string())]),
    v.check((labels) => labels.length >= 2 && new Set<number | string>(labels).size === labels.length),
  ),
  multiClass: v.picklist(schemes),
  problem: v.strictObject({
    C: v.optional(linearFields.C.schema),
    loss: v.picklist(["hinge", "squared_hinge", "logistic"]),
    penalty: linearFields.penalty.schema,
    bias: v.custom<BiasForm>((value) => (biasForms as readonly unknown[]).includes(value)),
    biasScale: linearFields.biasScale.schema,
    weighted: v.optional(v.boolean()),
  }),
  ...proof,
  featureCount: whole,
  biases: finiteNumbers,
  coefficients: finiteNumbers,
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
  v.forward(
    v.check(({ estimator, problem }) => (estimator === "LogisticRegression") === (problem.loss === "logistic")),
    ["problem", "loss"],
  ),
  v.forward(
    v.check(({ multiClass, classes }) => multiClass !== "binary" || classes.length === 2),
    ["multiClass"],
  ),
  v.forward(
    v.check(({ multiClass, classes, biases }) => biases.length === outputCount(multiClass, classes.length)),
    ["biases"],
  ),
  v.forward(
    v.check(({ biases, featureCount, coefficients }) => coefficients.length === biases.length * featureCount),
    ["coefficients"],
  ),
);

/** What `JSON.stringify` writes for the model. */
export type LinearClassifierJson = v.InferOutput<typeof schema>;

export function linearClassifierToJson(data: LinearClassifierData): LinearClassifierJson {
  const { classes, scheme, biases, coefficients } = data;
  return {
    ...provenToJson(data),
    classes: [...classes] as number[] | string[],
    multiClass: scheme,
    biases: Array.from(biases),
    coefficients: Array.from(coefficients),
  };
}

/** The model in `json`, checked field by field; throws `HingeError` if anything is not as it must be. */
export function linearClassifierFromJson(json: unknown, estimator: LinearClassifierData["estimator"]): LinearClassifierData {
  const read = modelFrom(schema, json, estimator);
  if (read.estimator !== estimator) throw new HingeError("bad-model", `not a ${estimator} model of hinge but a ${read.estimator}`);
  const { C, loss, penalty, bias, biasScale, weighted } = read.problem;
  return {
    estimator,
    classes: read.classes,
    scheme: read.multiClass,
    featureCount: read.featureCount,
    coefficients: Float64Array.from(read.coefficients),
    biases: Float64Array.from(read.biases),
    problem: { C, loss, penalty, bias, biasScale, weighted },
    ...proofOf(read.status, read.certificate),
  };
}
