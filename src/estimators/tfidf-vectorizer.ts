// TfidfVectorizer: texts as rows, one feature a term, counted as often as it is there and the more the fewer texts have it.
//
//   idf_j = ln((1 + texts) / (1 + texts with j)) + 1        value: count idf_j, then each row to norm 1

import { HingeError } from "../base/errors.js";
import { log } from "../base/math.js";
import { type CheckedTfidfVectorizerOptions, type TfidfVectorizerOptions, tfidfVectorizerOptions } from "../base/options/text.js";
import type { Matrix } from "../data/matrix.js";
import { type TfidfVectorizerData, type TfidfVectorizerJson, tfidfFromJson, tfidfToJson } from "../model/text.js";
import { Analyzer } from "../text/analyzer.js";
import type { Counts } from "../text/counts.js";
import { Terms } from "../text/terms.js";
import { StoredAsJson } from "./stored.js";
import { checkTexts, countTerms, rowsOf, type Texts } from "./vectorized.js";

/** A fitted vectoriser: a sparse row a text, one feature a term of its vocabulary. Make one with `TfidfVectorizer.fit`. Immutable. */
export class TfidfVectorizer extends StoredAsJson {
  /** The terms, in the order of their features: sorted by code point. */
  readonly featureNames: readonly string[];
  /** What each term's counts are multiplied with. */
  readonly idf: Float64Array;
  readonly #data: TfidfVectorizerData;
  readonly #terms: Terms;

  private constructor(data: TfidfVectorizerData, terms = Terms.of(data.terms)) {
    super();
    this.#data = data;
    this.#terms = terms;
    this.featureNames = Object.freeze([...data.terms]);
    this.idf = Float64Array.from(data.documents, (df) => (data.idf ? log((1 + data.documentCount) / (1 + df)) + 1 : 1));
    Object.freeze(this);
  }

  /** Returns the vectoriser whose vocabulary is that of `texts`. Throws `HingeError` on wrong input. */
  static async fit(texts: Texts, options?: TfidfVectorizerOptions): Promise<TfidfVectorizer> {
    return TfidfVectorizer.#learn(texts, options).fitted;
  }

  /** Returns the same, and what it makes of these texts: in half the time of one after the other. */
  static async fitTransform(texts: Texts, options?: TfidfVectorizerOptions): Promise<{ fitted: TfidfVectorizer; rows: Matrix }> {
    const { fitted, counts, features } = TfidfVectorizer.#learn(texts, options);
    return { fitted, rows: fitted.#rows(counts, (id) => features[id] as number) };
  }

  static #learn(
    texts: Texts,
    options: TfidfVectorizerOptions | undefined,
  ): { fitted: TfidfVectorizer; counts: Counts; features: Int32Array } {
    const settings = tfidfVectorizerOptions.check(options);
    checkTexts(texts);
    if (texts.length === 0) throw HingeError.input("there must be at least one text to learn terms from");
    const terms = new Terms();
    const counts = countTerms(texts, new Analyzer(settings), (bytes, from, to) => terms.add(bytes, from, to));
    const { data, own, features } = chosen(settings, texts.length, terms, counts);
    return { fitted: new TfidfVectorizer(data, own), counts, features };
  }

  get featureCount(): number {
    return this.featureNames.length;
  }

  /** Returns a sparse matrix, one row a text; terms that are not in the vocabulary are left out. */
  async transform(texts: Texts): Promise<Matrix> {
    checkTexts(texts);
    const terms = this.#terms;
    const counts = countTerms(texts, new Analyzer(this.#data), (bytes, from, to) => terms.find(bytes, from, to));
    return this.#rows(counts, (id) => id);
  }

  #rows(counts: Counts, featureOf: (id: number) => number): Matrix {
    const { binary, sublinear, norm } = this.#data;
    const value = (count: number, feature: number): number =>
      (binary ? 1 : sublinear ? 1 + log(count) : count) * (this.idf[feature] as number);
    return rowsOf(counts, this.featureCount, featureOf, value, norm);
  }

  /** Returns plain data for `JSON.stringify`. */
  toJSON(): TfidfVectorizerJson {
    return tfidfToJson(this.#data);
  }

  /** Returns the vectoriser in what `JSON.parse` gave. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown): TfidfVectorizer {
    return new TfidfVectorizer(tfidfFromJson(json));
  }
}

/** The vocabulary, its terms by feature, and the feature of every term, -1 of those that have none: terms that are in enough texts and not in too many, the most frequent of them, in the order of their code points. */
function chosen(
  settings: CheckedTfidfVectorizerOptions,
  textCount: number,
  terms: Terms,
  { ids, counts, starts }: Counts,
): { data: TfidfVectorizerData; own: Terms; features: Int32Array } {
  const { minDocuments, maxDocuments, maxFeatures = Infinity, ...rest } = settings;
  const least = minDocuments < 1 ? minDocuments * textCount : minDocuments;
  const most = maxDocuments <= 1 ? maxDocuments * textCount : maxDocuments;
  if (most < least) throw new HingeError("bad-option", `maxDocuments means ${most} texts here, fewer than the ${least} of minDocuments`);
  const documents = new Uint32Array(terms.count);
  const total = new Float64Array(terms.count);
  for (let k = 0; k < (starts[textCount] as number); k++) {
    const id = ids[k] as number;
    documents[id] = (documents[id] as number) + 1;
    total[id] = (total[id] as number) + (settings.binary ? 1 : (counts[k] as number));
  }
  const kept = Array.from(documents.keys()).filter((id) => (documents[id] as number) >= least && (documents[id] as number) <= most);
  if (kept.length === 0)
    throw HingeError.input(
      terms.count === 0
        ? "no text has a term; words have two letters or more, and stop words are left out"
        : `none of ${terms.count} terms is in ${least} to ${most} texts; change minDocuments or maxDocuments`,
    );
  const isLimited = kept.length > maxFeatures;
  const often = isLimited ? kept.sort((a, b) => (total[b] as number) - (total[a] as number) || a - b).slice(0, maxFeatures) : kept;
  const names = inOrder(terms.texts(often));
  const own = Terms.of(names);
  const features = own.numbersOf(terms);
  const held = new Uint32Array(names.length);
  features.forEach((feature, id) => {
    if (feature >= 0) held[feature] = documents[id] as number;
  });
  return { data: { ...rest, documentCount: textCount, documents: held, terms: names }, own, features };
}

/** By code points: code units have characters beyond the first 65,536 before some of those. */
function inOrder(terms: string[]): string[] {
  return terms.some((term) => /[\uD800-\uDFFF]/.test(term)) ? terms.sort(byCodePoints) : terms.sort();
}

function byCodePoints(a: string, b: string): number {
  const [one, two] = [[...a], [...b]];
  for (let k = 0; k < Math.min(one.length, two.length); k++) {
    const difference = ((one[k] as string).codePointAt(0) as number) - ((two[k] as string).codePointAt(0) as number);
    if (difference !== 0) return difference;
  }
  return one.length - two.length;
}
