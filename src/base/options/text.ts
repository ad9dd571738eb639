// The options of what makes rows of texts.

import * as v from "valibot";
import { running } from "./fit.js";
import { type Checked, custom, type Input, integer, number, oneOf, table, toggle } from "./table.js";

/** The shortest and the longest n-grams. */
export type Ngrams = readonly [least: number, most: number];

const analysis = {
  analyzer: oneOf(["word", "char", "char-in-words"], {
    default: "word",
    help: "what terms are made of: words, characters, or characters within words",
  }),
  ngrams: custom<Ngrams, Ngrams>({
    schema: v.pipe(
      v.custom<Ngrams>(isNgrams),
      v.transform(([least, most]): Ngrams => Object.freeze([least, most] as const)),
    ),
    allowed: "[least, most], two whole numbers from 1 to 100, the first not above the second",
    default: Object.freeze([1, 1] as const),
    help: "how many words or characters that follow each other are a term: [1, 2] is every one and every two. Scripts without spaces between words have, under analyzer word, always every one and every two",
  }),
  lowercase: toggle({ default: true, help: "take capital letters for small ones" }),
  stopWords: custom<readonly string[], readonly string[]>({
    schema: v.pipe(
      v.custom<readonly string[]>((value) => Array.isArray(value) && value.every((word) => typeof word === "string" && /^\S+$/.test(word))),
      v.transform((words): readonly string[] => Object.freeze([...words])),
    ),
    allowed: "an array of words, none of them empty or with a blank inside",
    default: Object.freeze([]),
    help: "words that are left out, as they are after `lowercase`; of scripts without spaces characters and pairs of them. For analyzer word alone",
  }),
};

const norm = oneOf(["l2", "l1", "none"], {
  default: "l2",
  help: "what becomes 1 in every row: the root of the sum of squares (l2), the sum of sizes (l1), or nothing",
});

const binary = toggle({ default: false, help: "whether a term is in a text, not how often" });

function isNgrams(value: unknown): boolean {
  const isSize = (size: unknown): boolean => typeof size === "number" && Number.isInteger(size) && size >= 1 && size <= 100;
  return Array.isArray(value) && value.length === 2 && value.every(isSize) && value[0] <= value[1];
}

const noStopWords = ({ analyzer, stopWords }: { readonly analyzer: string; readonly stopWords: readonly string[] }): string | undefined =>
  analyzer !== "word" && stopWords.length > 0 ? `stopWords are for analyzer "word", not for "${analyzer}"; leave them out` : undefined;

export const tfidfVectorizerOptions = table(
  "TfidfVectorizer",
  {
    ...analysis,
    minDocuments: number({
      above: 0,
      default: 1,
      help: "texts that a term must be in: so many from 1 on, that part of all texts below 1",
    }),
    maxDocuments: number({
      above: 0,
      default: 1,
      help: "texts that a term may be in: so many above 1, that part of all texts up to 1",
    }),
    maxFeatures: custom<number, number | undefined>({
      ...integer({ atLeast: 1, default: 1, help: "" }),
      default: undefined,
      help: "how many terms at most: those that are there most often. If not given: all",
    }),
    binary,
    sublinear: toggle({ default: false, help: "count a term that is there n times as 1 + ln n" }),
    idf: toggle({ default: true, help: "multiply with ln((1 + texts) / (1 + texts with the term)) + 1: what is everywhere says little" }),
    norm,
    threads: running.threads,
  },
  noStopWords,
);

export const hashingVectorizerOptions = table(
  "HashingVectorizer",
  {
    ...analysis,
    featureCount: integer({ atLeast: 1, atMost: 2 ** 24, default: 2 ** 20, help: "how many features terms are spread over" }),
    signed: toggle({
      default: true,
      help: "half of all terms count negative, so that those that share a feature cancel rather than add up",
    }),
    binary,
    norm,
  },
  noStopWords,
);

/** What `TfidfVectorizer.fit` accepts. */
export type TfidfVectorizerOptions = Input<typeof tfidfVectorizerOptions>;
export type CheckedTfidfVectorizerOptions = Checked<typeof tfidfVectorizerOptions>;
/** What `HashingVectorizer.fit` accepts. */
export type HashingVectorizerOptions = Input<typeof hashingVectorizerOptions>;
