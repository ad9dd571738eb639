// TfidfVectorizer: texts as rows, one feature a term, counted as often as it is there and the more the fewer texts have it.
//
//   idf_j = ln((1 + texts) / (1 + texts with j)) + 1        value: count idf_j, then each row to norm 1

import { HingeError } from "../base/errors.js";
import { log } from "../base/math.js";
import type { TransformOptions } from "../base/options/scalers.js";
import { type CheckedTfidfVectorizerOptions, type TfidfVectorizerOptions, tfidfVectorizerOptions } from "../base/options/text.js";
import type { Matrix } from "../data/matrix.js";
import { type TfidfVectorizerData, type TfidfVectorizerJson, tfidfFromJson, tfidfToJson } from "../model/text.js";
import { Analyzer } from "../text/analyzer.js";
import type { CountedTexts } from "../text/count-texts.js";
import { Vocabulary } from "../text/vocabulary.js";
import { StoredAsJson } from "./stored.js";
import { checkTexts, countedParts, type RowsPart, rowsOf, type Texts } from "./vectorized.js";

/** A fitted vectoriser: a sparse row a text, one feature a term of its vocabulary. Make one with `TfidfVectorizer.fit`. Immutable. */
export class TfidfVectorizer extends StoredAsJson {
  /** The terms, in the order of their features: sorted by code point. */
  readonly featureNames: readonly string[];
  /** What each term's counts are multiplied with. */
  readonly idf: Float64Array;
  readonly #data: TfidfVectorizerData;
  readonly #vocabulary: Vocabulary;

  private constructor(data: TfidfVectorizerData, vocabulary: Vocabulary) {
    super();
    this.#data = data;
    this.#vocabulary = vocabulary;
    this.featureNames = Object.freeze([...data.terms]);
    this.idf = idfOf(data);
    Object.freeze(this);
  }

  /** Returns the vectoriser whose vocabulary is that of `texts`. Throws `HingeError` on wrong input. */
  static async fit(texts: Texts, options?: TfidfVectorizerOptions): Promise<TfidfVectorizer> {
    return (await TfidfVectorizer.#learn(texts, options)).fitted;
  }

  /** Returns the same, and what it makes of these texts: in half the time of one after the other. */
  static async fitTransform(texts: Texts, options?: TfidfVectorizerOptions): Promise<{ fitted: TfidfVectorizer; rows: Matrix }> {
    const { fitted, parts } = await TfidfVectorizer.#learn(texts, options);
    return { fitted, rows: fitted.#rows(parts) };
  }

  static async #learn(
    texts: Texts,
    options: TfidfVectorizerOptions | undefined,
  ): Promise<{ fitted: TfidfVectorizer; parts: readonly RowsPart[] }> {
    const { threads, ...settings } = tfidfVectorizerOptions.check(options);
    checkTexts(texts);
    if (texts.length === 0) throw HingeError.input("there must be at least one text to learn terms from");
    const counted = await countedParts(texts, settings, { threads });
    const { data, vocabulary, features } = chosen(settings, texts.length, counted);
    return {
      fitted: new TfidfVectorizer(data, vocabulary),
      parts: counted.map(({ rows }, k) => ({ rows, features: features[k] })),
    };
  }

  get featureCount(): number {
    return this.featureNames.length;
  }

  /** Returns a sparse matrix, one row a text; terms that are not in the vocabulary are left out. */
  async transform(texts: Texts, options: TransformOptions = {}): Promise<Matrix> {
    checkTexts(texts);
    const counted = await countedParts(texts, this.#data, options);
    return this.#rows(counted.map(({ rows, terms }) => ({ rows, features: this.#vocabulary.numbersOf(terms) })));
  }

  #rows(parts: readonly RowsPart[]): Matrix {
    const { binary, sublinear, norm } = this.#data;
    const { idf } = this;
    const value = (count: number, feature: number): number =>
      (binary || count === 1 ? 1 : sublinear ? 1 + log(count) : count) * (idf[feature] as number);
    return rowsOf(parts, this.featureCount, value, norm);
  }

  /** Returns plain data for `JSON.stringify`. */
  toJSON(): TfidfVectorizerJson {
    return tfidfToJson(this.#data);
  }

  /** Returns the vectoriser in what `JSON.parse` gave. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown): TfidfVectorizer {
    const data = tfidfFromJson(json);
    const vocabulary = Vocabulary.of(data.terms);
    if (!vocabulary.isInOrder)
      throw new HingeError("bad-model", "the terms of the TfidfVectorizer must be in the order of their code points, none twice");
    return new TfidfVectorizer(data, vocabulary);
  }
}

/** @internal Whether there is anything to learn from these texts: one of them has a term, by the options that hold where none are given. */
export function hasTerms(texts: Iterable<string | undefined>): boolean {
  const analyzer = new Analyzer(tfidfVectorizerOptions.check({}));
  for (const text of texts) {
    analyzer.read(text ?? "");
    if (analyzer.count > 0) return true;
  }
  return false;
}

/** Most terms are in a few texts: their number is looked up rather than computed anew. */
function idfOf({ documents, documentCount, idf }: TfidfVectorizerData): Float64Array {
  const all = new Float64Array(documents.length).fill(1);
  if (!idf) return all;
  const known = new Map<number, number>();
  for (let k = 0; k < all.length; k++) {
    const count = documents[k] as number;
    let own = known.get(count);
    if (own === undefined) {
      own = log((1 + documentCount) / (1 + count)) + 1;
      known.set(count, own);
    }
    all[k] = own;
  }
  return all;
}

/** The vocabulary, its terms by feature, and of every part the feature of its terms, -1 of those that have none: terms that are in enough texts and not in too many, the most frequent of them, in the order of their code points. */
function chosen(
  { minDocuments, maxDocuments, maxFeatures = Infinity, ...rest }: Omit<CheckedTfidfVectorizerOptions, "threads">,
  textCount: number,
  counted: readonly CountedTexts[],
): { data: TfidfVectorizerData; vocabulary: Vocabulary; features: Int32Array[] } {
  const least = minDocuments < 1 ? minDocuments * textCount : minDocuments;
  const most = maxDocuments <= 1 ? maxDocuments * textCount : maxDocuments;
  if (most < least) throw new HingeError("bad-option", `maxDocuments means ${most} texts here, fewer than the ${least} of minDocuments`);
  const { vocabulary: all, numbers } = Vocabulary.merged(counted.map(({ terms }) => terms));
  const documents = new Uint32Array(all.count);
  const total = new Float64Array(all.count);
  for (const [part, { use }] of counted.entries()) {
    const own = numbers[part] as Uint32Array;
    for (let k = 0; k < own.length; k++) {
      const id = own[k] as number;
      documents[id] = (documents[id] as number) + (use.documents[k] as number);
      total[id] = (total[id] as number) + ((rest.binary ? use.documents[k] : use.totals[k]) as number);
    }
  }
  const kept: number[] = [];
  for (let id = 0; id < documents.length; id++) {
    const count = documents[id] as number;
    if (count >= least && count <= most) kept.push(id);
  }
  if (kept.length === 0)
    throw HingeError.input(
      all.count === 0
        ? "no text has a term; words have two letters or more, and stop words are left out"
        : `none of ${all.count} terms is in ${least} to ${most} texts; change minDocuments or maxDocuments`,
    );
  const often =
    kept.length > maxFeatures
      ? kept
          .sort((a, b) => (total[b] as number) - (total[a] as number) || a - b)
          .slice(0, maxFeatures)
          .sort((a, b) => a - b)
      : kept;
  const vocabulary = often.length === all.count ? all : all.only(often);
  const features = new Int32Array(all.count).fill(-1);
  for (const [feature, id] of often.entries()) features[id] = feature;
  return {
    data: {
      ...rest,
      documentCount: textCount,
      documents: Uint32Array.from(often, (id) => documents[id] as number),
      terms: vocabulary.texts(),
    },
    vocabulary,
    features: numbers.map((list) => through(list, features)),
  };
}

/** i32[list]: what the list's numbers are in `numbers`. */
function through(list: Uint32Array, numbers: Int32Array): Int32Array {
  const out = new Int32Array(list.length);
  for (let k = 0; k < out.length; k++) out[k] = numbers[list[k] as number] as number;
  return out;
}
