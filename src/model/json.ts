// What all models have in common as JSON: the version of the format, lists of numbers, how a fit ended, and words for what is wrong.

import * as v from "valibot";
import { HingeError, shown } from "../base/errors.js";
import { type Status, statuses } from "../base/status.js";
import type { Certificate, KernelCertificate } from "./certificate.js";

export const FORMAT_VERSION = 1;

/** Whether it is an array of numbers that all hold; holes included, which `every` would pass over. */
export function isNumbers(value: unknown, holds: (x: number) => boolean): boolean {
  return Array.isArray(value) && value.findIndex((x) => !(typeof x === "number" && holds(x))) < 0;
}

/** What is wrong with the first thing that is. */
export function complaint(json: unknown, issue: v.BaseIssue<unknown>): string {
  const path = issue.path?.map((item) => String(item.key)).join(".") ?? "";
  if (path === "") return "not an object";
  if (path === "version") {
    return `its format is version ${shown((json as { version?: unknown }).version)}, this hinge reads version ${FORMAT_VERSION}`;
  }
  return issue.expected === "never" ? `${path} is unknown here` : `${path} is missing or wrong`;
}

export const finite = v.pipe(v.number(), v.finite());
export const finiteNumbers = v.custom<number[]>((value) => isNumbers(value, Number.isFinite));
export const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** The fields that every model begins with, but for the estimator's name. */
export const header = { format: v.literal("hinge"), version: v.literal(FORMAT_VERSION) };

/** The fields of how a fit ended. */
export const proof = {
  status: v.picklist([...statuses, "unknown"]),
  certificate: v.optional(v.strictObject({ primal: finite, dual: finite, relativeGap: finite })),
};

/** The same where the kernel may allow no gap. */
export const kernelProof = {
  status: proof.status,
  certificate: v.optional(
    v.union([
      proof.certificate.wrapped,
      v.strictObject({ primal: finite, dual: finite, relativeGap: v.null(), violation: finite, reason: v.string() }),
    ]),
  ),
};

/** How the fit ended, with its proof; or that nothing is known of it. */
export type FitProof<C extends KernelCertificate = Certificate> =
  | { readonly status: Status; readonly certificate: C }
  | { readonly status: "unknown"; readonly certificate: undefined };

export function proofOf<C extends KernelCertificate>(status: Status | "unknown", certificate: C | undefined): FitProof<C> {
  return status === "unknown" || certificate === undefined ? { status: "unknown", certificate: undefined } : { status, certificate };
}

/** The fields that every fitted model has, as JSON. */
export function provenToJson<Name extends string, Problem extends object, C extends KernelCertificate>(data: {
  readonly status: Status | "unknown";
  readonly certificate: C | undefined;
  readonly estimator: Name;
  readonly problem: Problem;
  readonly featureCount: number;
}) {
  const { estimator, problem, status, certificate, featureCount } = data;
  return {
    ...({ format: "hinge", version: FORMAT_VERSION } as const),
    estimator,
    problem: { ...problem },
    status,
    certificate: certificate && { ...certificate },
    featureCount,
  };
}

/** What the schema makes of `json`; throws `HingeError` that says what is wrong. For what stands beside or around models. */
export function partFrom<Out>(schema: v.GenericSchema<unknown, Out>, json: unknown, what: string): Out {
  const result = v.safeParse(schema, json);
  if (result.success) return result.output;
  throw new HingeError("bad-model", `not a ${what} of hinge: ${complaint(json, result.issues[0])}`);
}

/** The same for a model: one of another kind is told apart. */
export function modelFrom<Out>(schema: v.GenericSchema<unknown, Out>, json: unknown, estimator: string): Out {
  const result = v.safeParse(schema, json);
  if (result.success) return result.output;
  const other = (json as { estimator?: unknown } | null)?.estimator;
  if (typeof other === "string" && other !== estimator && result.issues[0].path?.[0]?.key === "estimator") {
    throw new HingeError("bad-model", `not a ${estimator} model of hinge but a ${other}`);
  }
  throw new HingeError("bad-model", `not a ${estimator} model of hinge: ${complaint(json, result.issues[0])}`);
}
