// Plain data of what makes rows of texts, and its form as JSON. A vocabulary is one text, its terms one behind the other: JSON of a list would be larger and slower to read.

import * as v from "valibot";
import { HingeError } from "../base/errors.js";
import { hashingVectorizerOptions, tfidfVectorizerOptions } from "../base/options/text.js";
import { FORMAT_VERSION, header, isNumbers, partFrom, whole } from "./json.js";

const tfidf = tfidfVectorizerOptions.fields;
const hashing = hashingVectorizerOptions.fields;

const analysis = {
  analyzer: tfidf.analyzer.schema,
  ngrams: tfidf.ngrams.schema,
  lowercase: v.boolean(),
  /** Joined by spaces, which no word has. */
  stopWords: v.string(),
  binary: v.boolean(),
  norm: tfidf.norm.schema,
};

const tfidfSchema = v.pipe(
  v.strictObject({
    ...header,
    estimator: v.literal("TfidfVectorizer"),
    ...analysis,
    sublinear: v.boolean(),
    idf: v.boolean(),
    documentCount: whole,
    /** How many texts have each term. */
    documents: v.custom<number[]>((value) => isNumbers(value, (x) => Number.isSafeInteger(x) && x >= 0)),
    /** What is between two terms, and the terms. */
    separator: v.pipe(v.string(), v.length(1)),
    terms: v.string(),
  }),
  v.forward(
    v.check(({ documents, documentCount }) => documents.every((count) => count >= 1 && count <= documentCount && documentCount < 2 ** 32)),
    ["documents"],
  ),
  v.forward(
    v.check(({ documents, terms, separator }) => termsOf(terms, separator).length === documents.length),
    ["terms"],
  ),
);

const hashingSchema = v.strictObject({
  ...header,
  estimator: v.literal("HashingVectorizer"),
  ...analysis,
  featureCount: hashing.featureCount.schema,
  signed: v.boolean(),
});

/** What `JSON.stringify` writes for a TfidfVectorizer. */
export type TfidfVectorizerJson = v.InferOutput<typeof tfidfSchema>;
/** What `JSON.stringify` writes for a HashingVectorizer. */
export type HashingVectorizerJson = v.InferOutput<typeof hashingSchema>;

type Head = "format" | "version" | "estimator" | "stopWords";

/** The vectoriser in memory. */
export type TfidfVectorizerData = Omit<TfidfVectorizerJson, Head | "documents" | "separator" | "terms"> & {
  readonly stopWords: readonly string[];
  readonly terms: readonly string[];
  readonly documents: Uint32Array;
};
export type HashingVectorizerData = Omit<HashingVectorizerJson, Head> & { readonly stopWords: readonly string[] };

/** What may stand between terms, the first that is in none of them; all of these are one byte in JSON. */
const SEPARATORS = [" ", "|", "~", "^", "`", "$", "#", "%", "&", "*", "+", "=", "@"];
/** And behind these a character that means nothing to anybody: there are 6,400. */
function* separators(): Generator<string, void> {
  yield* SEPARATORS;
  for (let code = 0xe000; code < 0xf900; code++) yield String.fromCharCode(code);
}

function unused(text: string): string {
  for (const one of separators()) if (!text.includes(one)) return one;
  throw new HingeError("bad-model", "terms hold every character that could stand between them in a file");
}

export function tfidfToJson({ terms, documents, ...data }: TfidfVectorizerData): TfidfVectorizerJson {
  const all = terms.join("");
  const separator = unused(all);
  const { sublinear, idf, documentCount } = data;
  return {
    ...{ format: "hinge", version: FORMAT_VERSION, estimator: "TfidfVectorizer", ...analysisOf(data), sublinear, idf, documentCount },
    ...{ documents: Array.from(documents), separator, terms: terms.join(separator) },
  };
}

export function tfidfFromJson(json: unknown): TfidfVectorizerData {
  const { format, version, estimator, stopWords, terms, separator, documents, ...data } = partFrom(tfidfSchema, json, "TfidfVectorizer");
  return { ...data, stopWords: wordsOf(stopWords), terms: termsOf(terms, separator), documents: Uint32Array.from(documents) };
}

export function hashingToJson(data: HashingVectorizerData): HashingVectorizerJson {
  const { featureCount, signed } = data;
  return { format: "hinge", version: FORMAT_VERSION, estimator: "HashingVectorizer", ...analysisOf(data), featureCount, signed };
}

/** What both have, in one order wherever they come from. */
function analysisOf({ analyzer, ngrams, lowercase, stopWords, binary, norm }: Omit<HashingVectorizerData, "featureCount" | "signed">) {
  return { analyzer, ngrams, lowercase, stopWords: stopWords.join(" "), binary, norm };
}

export function hashingFromJson(json: unknown): HashingVectorizerData {
  const { format, version, estimator, stopWords, ...data } = partFrom(hashingSchema, json, "HashingVectorizer");
  return { ...data, stopWords: wordsOf(stopWords) };
}

function termsOf(terms: string, separator: string): string[] {
  return terms === "" ? [] : terms.split(separator);
}

function wordsOf(stopWords: string): string[] {
  return stopWords === "" ? [] : stopWords.split(" ");
}
