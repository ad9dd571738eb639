// Everything that has files, by the name under which files know it.

import { HingeError, shown } from "../base/errors.js";
import { suggestion } from "../base/nearest.js";
import type { LoadOptions } from "../base/options/kernel.js";
import { Columns } from "./columns.js";
import { HashingVectorizer } from "./hashing-vectorizer.js";
import { Imputer } from "./imputer.js";
import { NuSVC, SVC } from "./kernel-classifier.js";
import { NuSVR, SVR } from "./kernel-regression.js";
import { LinearOneClassSVM } from "./linear-one-class-svm.js";
import { LinearSVC } from "./linear-svc.js";
import { LinearSVR } from "./linear-svr.js";
import { LogisticRegression } from "./logistic-regression.js";
import { OneClassSVM } from "./one-class-svm.js";
import { OneHotEncoder } from "./one-hot-encoder.js";
import { MaxAbsScaler, MinMaxScaler, Normalizer, StandardScaler } from "./scalers.js";
import { TfidfVectorizer } from "./tfidf-vectorizer.js";

export const kernelEstimators = { SVC, NuSVC, SVR, NuSVR, OneClassSVM } as const;

/** Whatever predicts. */
export const estimators = { LinearSVC, LogisticRegression, LinearSVR, LinearOneClassSVM, ...kernelEstimators } as const;

/** Whatever turns rows into others. */
export const transformers = {
  ...{ MinMaxScaler, StandardScaler, MaxAbsScaler, Normalizer },
  ...{ Imputer, OneHotEncoder, Columns, TfidfVectorizer, HashingVectorizer },
} as const;

export type Model = LinearSVC | LogisticRegression | LinearSVR | LinearOneClassSVM | SVC | NuSVC | SVR | NuSVR | OneClassSVM;
export type Transformer =
  | MinMaxScaler
  | StandardScaler
  | MaxAbsScaler
  | Normalizer
  | Imputer
  | OneHotEncoder
  | Columns
  | TfidfVectorizer
  | HashingVectorizer;

const known = { ...estimators, ...transformers } as const;

/** The name of a class: not its own, which the browser bundle shortens. */
export function nameOf(kind: unknown): string | undefined {
  return Object.entries(known).find(([, one]) => one === kind)?.[0];
}

/** The model or transformer in what a file held. */
export function knownFromJson(
  json: { readonly estimator: string },
  options: LoadOptions,
  others: readonly string[] = [],
): Model | Transformer {
  const { estimator } = json;
  if (!Object.hasOwn(known, estimator)) {
    throw new HingeError(
      "bad-model",
      `no estimator is called ${shown(estimator)}${suggestion(estimator, [...Object.keys(known), ...others])}`,
    );
  }
  if (Object.hasOwn(kernelEstimators, estimator))
    return kernelEstimators[estimator as keyof typeof kernelEstimators].fromJSON(json, options);
  if (options.kernel !== undefined) throw noFunction();
  return known[estimator as keyof typeof known].fromJSON(json);
}

export function noFunction(): HingeError {
  return new HingeError("bad-option", "kernel is for models whose kernel is a function, which this file does not hold; leave it out");
}
