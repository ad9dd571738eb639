// Options that every fit accepts, declared once and spread into each estimator's table.

import * as v from "valibot";
import { custom, integer, number } from "./table.js";

/** What `onProgress` receives, at most ten times a second. */
export interface Progress {
  /** Passes over the rows so far. */
  readonly iterations: number;
  /** The relative gap as far as it is known without an extra pass; `report.certificate` holds the proven one. */
  readonly relativeGap: number;
  /** Since `fit` was called. */
  readonly seconds: number;
  /** How many of the fit's problems, classes or pairs of them, are solved. */
  readonly problems: { readonly done: number; readonly total: number };
}

/** What `onProgress` of a kernel machine receives, at most ten times a second. */
export interface KernelProgress extends Omit<Progress, "relativeGap"> {
  /** The relative gap as far as it is known; null where the kernel allows none. */
  readonly relativeGap: number | null;
  /** The largest sum of gains of two variables, as of the last look: what a fit without a gap stops on. */
  readonly violation: number;
}

export const stopping = {
  tolerance: number({ above: 0, below: 1, default: 1e-3, help: "stop when the relative duality gap is at most this" }),
  maxIterations: integer({ atLeast: 1, default: 100_000, help: "give up after this many passes over the rows with the best model so far" }),
  timeLimitSeconds: number({ above: 0, default: Infinity, help: "give up after this long with the best model so far" }),
};

export const running = {
  seed: integer({ atLeast: 0, default: 0, help: "same seed, same model, bit for bit" }),
  threads: custom<number, number | undefined>({
    ...integer({ atLeast: 1, atMost: 256, default: 1, help: "" }),
    default: undefined,
    help: "most threads to use at once; all cores if not given. The result does not depend on it",
    flag: "value",
  }),
  signal: custom<AbortSignal, AbortSignal | undefined>({
    schema: v.custom<AbortSignal>(isAbortSignal),
    allowed: "an AbortSignal",
    default: undefined,
    help: "stops the fit when aborted; the best model so far is returned with status aborted",
  }),
  onProgress: custom<(progress: Progress) => void, ((progress: Progress) => void) | undefined>({
    schema: v.custom<(progress: Progress) => void>((value) => typeof value === "function"),
    allowed: "a function",
    default: undefined,
    help: "called at most ten times a second while the fit runs",
  }),
};

function isAbortSignal(value: unknown): boolean {
  const signal = value as Partial<AbortSignal> | null | undefined;
  return (
    typeof signal?.aborted === "boolean" &&
    typeof signal.addEventListener === "function" &&
    typeof signal.removeEventListener === "function"
  );
}

export type ClassWeight = "balanced" | Readonly<Record<string, number>> | ReadonlyMap<number | string, number>;

export const weighting = {
  classWeight: custom<ClassWeight, ClassWeight | undefined>({
    schema: v.custom<ClassWeight>(isClassWeight),
    allowed: '"balanced", or an object or Map from label to a finite number of at least 0',
    default: undefined,
    help: "multiplies C for the rows of a class; balanced gives every class the same total",
    flag: "value",
  }),
  sampleWeight: custom<ArrayLike<number>, ArrayLike<number> | undefined>({
    schema: v.custom<ArrayLike<number>>((value) => Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))),
    allowed: "an array of one number a row",
    default: undefined,
    help: "multiplies C row by row: weight 2 is the row twice, weight 0 the row absent",
  }),
};

function isClassWeight(value: unknown): boolean {
  if (value === "balanced") return true;
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Set || ArrayBuffer.isView(value))
    return false;
  const weights = value instanceof Map ? [...value.values()] : Object.values(value);
  return weights.every((weight) => typeof weight === "number" && Number.isFinite(weight) && weight >= 0);
}
