// From a text to its terms: places in a list of UTF-8 bytes, so that no term becomes a string before somebody wants to read it.
//
//   word            runs of letters, digits and _ that have two characters or more; n-grams of them joined by one space. Runs of scripts that put no spaces between words are
//                   no words: every character of theirs is a term, and every two that follow each other
//   char            every n characters that follow each other; two blanks or more are one space
//   char-in-words   the same within what lies between two blanks, with a space before and behind; of a word that is no longer than n there is one term, and none for larger n
//
// Characters are code points. As scikit-learn has it, but for the scripts without spaces, of which it would make a word of a sentence. Checked in test/text.test.ts.

import { asciiKinds, codePointAt, kindOf, kinds, widthOf } from "./characters.js";
import { grown } from "./grown.js";
import { Terms } from "./terms.js";

export interface AnalyzerSettings {
  readonly analyzer: "word" | "char" | "char-in-words";
  readonly ngrams: readonly [least: number, most: number];
  readonly lowercase: boolean;
  readonly stopWords: readonly string[];
}

const SPACE = 0x20;
/** Characters of a word, at least. */
const LEAST = 2;

export class Analyzer {
  /** Where terms are places in: UTF-8. */
  bytes = new Uint8Array(4096);
  /** Where each term of the last text begins and ends: pairs. */
  places = new Uint32Array(2048);
  /** How many terms the last text has. */
  count = 0;
  readonly #settings: AnalyzerSettings;
  readonly #stopWords: Terms | undefined;
  readonly #encoder = new TextEncoder();
  /** The text itself, in UTF-8: half a pair of surrogates is U+FFFD. */
  #text = new Uint8Array(4096);
  /** Words, or characters: where they begin and end, and in which stretch of words they lie. */
  #begins = new Uint32Array(512);
  #ends = new Uint32Array(512);
  #stretches = new Uint32Array(512);
  #parts = 0;
  #length = 0;

  constructor(settings: AnalyzerSettings) {
    this.#settings = settings;
    this.#stopWords = settings.stopWords.length === 0 ? undefined : Terms.of(settings.stopWords);
  }

  /** Finds the terms of a text. */
  read(text: string): void {
    const { analyzer, lowercase } = this.#settings;
    const own = lowercase ? text.toLowerCase() : text;
    if (this.#text.length < 3 * own.length) this.#text = new Uint8Array(4 * own.length);
    const { written } = this.#encoder.encodeInto(own, this.#text);
    this.count = 0;
    this.#parts = 0;
    this.#length = 0;
    // A space behind every word, or before and behind.
    if (this.bytes.length < 3 * written + 2) this.bytes = new Uint8Array(4 * written + 2);
    if (analyzer === "word") this.#readWords(written);
    else if (analyzer === "char") this.#readCharacters(written);
    else this.#readInWords(written);
  }

  #readWords(end: number): void {
    const [text, bytes] = [this.#text, this.bytes];
    let stretch = 0;
    let at = 0;
    while (at < end) {
      const lead = text[at] as number;
      const kind = lead < 0x80 ? (asciiKinds[lead] as number) : this.#kindAt(at);
      if (kind === kinds.dense) {
        at = this.#takeDense(at, end);
        // A run between two words parts them: what would join them is not next to them.
        stretch++;
      } else if (kind === kinds.word) {
        const begin = this.#length;
        let to = begin;
        let count = 0;
        for (; at < end; count++) {
          const first = text[at] as number;
          if (first < 0x80) {
            if (asciiKinds[first] !== kinds.word) break;
            bytes[to++] = first;
            at++;
          } else {
            if (this.#kindAt(at) !== kinds.word) break;
            for (const next = at + widthOf(first); at < next; at++) bytes[to++] = text[at] as number;
          }
        }
        if (count >= LEAST && (this.#stopWords === undefined || this.#stopWords.find(bytes, begin, to) < 0)) {
          this.#addPart(begin, to, stretch);
          bytes[to] = SPACE;
          this.#length = to + 1;
        }
      } else at += widthOf(lead);
    }
    const [least, most] = this.#settings.ngrams;
    for (let n = least; n <= most; n++) {
      for (let k = 0; k + n <= this.#parts; k++) {
        const last = k + n - 1;
        if (this.#stretches[k] === this.#stretches[last]) this.#add(this.#begins[k] as number, this.#ends[last] as number);
      }
    }
  }

  /** A run of a script without spaces: its characters and its pairs. Returns where it ends. */
  #takeDense(from: number, end: number): number {
    let at = from;
    let before = -1;
    while (at < end && this.#kindAt(at) === kinds.dense) {
      const begin = this.#length;
      at = this.#copy(at);
      this.#add(begin, this.#length);
      if (before >= 0) this.#add(before, this.#length);
      before = begin;
    }
    this.bytes[this.#length++] = SPACE;
    return at;
  }

  #readCharacters(end: number): void {
    for (let at = 0; at < end; ) {
      const begin = this.#length;
      const isBlank = this.#kindAt(at) === kinds.blank;
      const next = this.#copy(at);
      at = next;
      if (isBlank) while (at < end && this.#kindAt(at) === kinds.blank) at += widthOf(this.#text[at] as number);
      // Two blanks or more.
      if (at > next) {
        this.#length = begin;
        this.bytes[this.#length++] = SPACE;
      }
      this.#addPart(begin, this.#length, 0);
    }
    const [least, most] = this.#settings.ngrams;
    for (let n = least; n <= Math.min(most, this.#parts); n++) this.#addRuns(0, this.#parts, n);
  }

  #readInWords(end: number): void {
    const [least, most] = this.#settings.ngrams;
    for (let at = 0; at < end; ) {
      if (this.#kindAt(at) === kinds.blank) {
        at += widthOf(this.#text[at] as number);
        continue;
      }
      const first = this.#parts;
      this.#addSpace();
      while (at < end && this.#kindAt(at) !== kinds.blank) {
        const begin = this.#length;
        at = this.#copy(at);
        this.#addPart(begin, this.#length, 0);
      }
      this.#addSpace();
      const length = this.#parts - first;
      for (let n = least; n <= most; n++) {
        this.#addRuns(first, this.#parts, Math.min(n, length));
        if (length <= n) break;
      }
    }
  }

  #addSpace(): void {
    this.bytes[this.#length++] = SPACE;
    this.#addPart(this.#length - 1, this.#length, 0);
  }

  /** Every n characters that follow each other among [from, to). */
  #addRuns(from: number, to: number, n: number): void {
    for (let k = from; k + n <= to; k++) this.#add(this.#begins[k] as number, this.#ends[k + n - 1] as number);
  }

  #kindAt(at: number): number {
    const lead = this.#text[at] as number;
    return lead < 0x80 ? (asciiKinds[lead] as number) : kindOf(codePointAt(this.#text, at));
  }

  /** Copies a character; returns where the next one is. */
  #copy(from: number): number {
    const next = from + widthOf(this.#text[from] as number);
    for (let at = from; at < next; at++) this.bytes[this.#length++] = this.#text[at] as number;
    return next;
  }

  #addPart(begin: number, end: number, stretch: number): void {
    if (this.#parts === this.#begins.length) {
      this.#begins = grown(this.#begins);
      this.#ends = grown(this.#ends);
      this.#stretches = grown(this.#stretches);
    }
    this.#begins[this.#parts] = begin;
    this.#ends[this.#parts] = end;
    this.#stretches[this.#parts++] = stretch;
  }

  #add(begin: number, end: number): void {
    if (2 * this.count === this.places.length) this.places = grown(this.places);
    this.places[2 * this.count] = begin;
    this.places[2 * this.count++ + 1] = end;
  }
}
