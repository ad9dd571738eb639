// HashingVectorizer: texts as rows, each term at the feature that its hash says. There is no vocabulary: nothing is learnt, memory is the same for any number of texts, and nobody can say
// what a feature means.

import type { TransformOptions } from "../base/options/scalers.js";
import { type HashingVectorizerOptions, hashingVectorizerOptions } from "../base/options/text.js";
import type { Matrix } from "../data/matrix.js";
import { type HashingVectorizerData, type HashingVectorizerJson, hashingFromJson, hashingToJson } from "../model/text.js";
import { StoredAsJson } from "./stored.js";
import { checkTexts, countedParts, rowsOf, type Texts } from "./vectorized.js";

/** A vectoriser without a vocabulary. Make one with `HashingVectorizer.fit`, which learns nothing from its texts. Immutable. */
export class HashingVectorizer extends StoredAsJson {
  readonly featureCount: number;
  readonly #data: HashingVectorizerData;

  private constructor(data: HashingVectorizerData) {
    super();
    this.#data = data;
    this.featureCount = data.featureCount;
    Object.freeze(this);
  }

  /** Returns the vectoriser with these options. Throws `HingeError` on wrong input. */
  static async fit(texts: Texts, options?: HashingVectorizerOptions): Promise<HashingVectorizer> {
    const settings = hashingVectorizerOptions.check(options);
    checkTexts(texts);
    return new HashingVectorizer(settings);
  }

  /** Returns a sparse matrix, one row a text. */
  async transform(texts: Texts, options: TransformOptions = {}): Promise<Matrix> {
    checkTexts(texts);
    const { featureCount, signed, binary, norm } = this.#data;
    const parts = await countedParts(texts, { ...this.#data, hashed: { featureCount, signed } }, options);
    // Terms that cancel each other are there all the same.
    const value = (count: number): number => (binary ? 1 : count);
    return rowsOf(
      parts.map(({ rows }) => ({ rows, features: undefined })),
      featureCount,
      value,
      norm,
    );
  }

  /** Returns plain data for `JSON.stringify`. */
  toJSON(): HashingVectorizerJson {
    return hashingToJson(this.#data);
  }

  /** Returns the vectoriser in what `JSON.parse` gave. Throws `HingeError` if it is none. */
  static fromJSON(json: unknown): HashingVectorizer {
    return new HashingVectorizer(hashingFromJson(json));
  }
}
