// How often each term is in each text: what a vectoriser learns from and what it makes rows of. Texts can be counted in parts, each on a thread of its own, and every part has its own
// numbers of terms.

import { Analyzer, type AnalyzerSettings } from "./analyzer.js";
import { Counts, type TermUse, type TextRows } from "./counts.js";
import { murmur } from "./murmur.js";
import { Terms } from "./terms.js";
import type { TermList } from "./vocabulary.js";

export interface CountingSettings extends AnalyzerSettings {
  /** Terms are numbered by their hash, and half of them count negative if signed; without it, in the order of their code points. */
  readonly hashed?: { readonly featureCount: number; readonly signed: boolean } | undefined;
}

/** In every row terms are in the order of their numbers. */
export interface CountedTexts {
  readonly rows: TextRows;
  /** What the numbers mean, in order, and how they are used; none of hashed terms. */
  readonly terms: TermList;
  readonly use: TermUse;
}

/** Counts text by text, so that whoever counts many can do other things in between. */
export class TextCounter {
  readonly #hashed: CountingSettings["hashed"];
  readonly #analyzer: Analyzer;
  readonly #terms = new Terms();
  readonly #counts: Counts;

  constructor(textCount: number, settings: CountingSettings) {
    this.#hashed = settings.hashed;
    this.#analyzer = new Analyzer(settings);
    this.#counts = new Counts(textCount);
  }

  add(text: string): void {
    this.#analyzer.read(text);
    if (this.#hashed === undefined) addTerms(this.#analyzer, this.#terms, this.#counts);
    else addHashed(this.#analyzer, this.#hashed, this.#counts);
    this.#counts.endRow();
  }

  finish(): CountedTexts {
    const { list, ranks } = this.#terms.sorted();
    if (this.#hashed === undefined) return { terms: list, ...this.#counts.ranked(ranks) };
    // Of hashed terms the list is empty.
    return { terms: list, rows: this.#counts.rows(), use: { documents: new Uint32Array(0), totals: new Float64Array(0) } };
  }
}

function addTerms({ bytes, places, hashes, count }: Analyzer, terms: Terms, counts: Counts): void {
  for (let k = 0; k < count; k++) counts.add(terms.add(bytes, places[2 * k] as number, places[2 * k + 1] as number, hashes[k] as number));
}

function addHashed(
  { bytes, places, count }: Analyzer,
  { featureCount, signed }: { readonly featureCount: number; readonly signed: boolean },
  counts: Counts,
): void {
  for (let k = 0; k < count; k++) {
    const hash = murmur(bytes, places[2 * k] as number, places[2 * k + 1] as number);
    // |-2^31| is no number of 32 bits: scikit-learn takes what its own arithmetic leaves.
    const feature = hash === -(2 ** 31) ? (2 ** 31 - 1 - (featureCount - 1)) % featureCount : Math.abs(hash) % featureCount;
    counts.add(feature, signed && hash < 0 ? -1 : 1);
  }
}
