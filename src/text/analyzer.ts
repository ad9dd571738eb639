// From a text to its terms: places in a list of UTF-16 characters, so that no term becomes a string before somebody wants to read it.
//
//   word            runs of letters, digits and _ that have two characters or more; n-grams of them joined by one space. Runs of scripts that put no spaces between words are
//                   no words: every character of theirs is a term, and every two that follow each other
//   char            every n characters that follow each other; two blanks or more are one space
//   char-in-words   the same within what lies between two blanks, with a space before and behind; of a word that is no longer than n there is one term, and none for larger n
//
// Characters are code points. As scikit-learn has it, but for the scripts without spaces, of which it would make a word of a sentence. Checked in test/text.test.ts.

import { kindOf, kinds, near } from "./characters.js";
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
  /** Where terms are places in. */
  characters = new Uint16Array(4096);
  /** Where each term of the last text begins and ends: pairs. */
  places = new Uint32Array(2048);
  /** How many terms the last text has. */
  count = 0;
  readonly #settings: AnalyzerSettings;
  readonly #stopWords: Terms | undefined;
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
    this.count = 0;
    this.#parts = 0;
    this.#length = 0;
    // A space behind every word, or before and behind.
    if (this.characters.length < 3 * own.length + 2) this.characters = new Uint16Array(4 * own.length + 2);
    if (analyzer === "word") this.#readWords(own);
    else if (analyzer === "char") this.#readCharacters(own);
    else this.#readInWords(own);
  }

  #readWords(text: string): void {
    let stretch = 0;
    for (let at = 0; at < text.length; ) {
      const kind = kindAt(text, at);
      if (kind === kinds.word) at = this.#takeWord(text, at, stretch);
      else if (kind === kinds.dense) {
        at = this.#takeDense(text, at);
        // A run between two words parts them: what would join them is not next to them.
        stretch++;
      } else at += widthAt(text, at);
    }
    const [least, most] = this.#settings.ngrams;
    for (let n = least; n <= most; n++) {
      for (let k = 0; k + n <= this.#parts; k++) {
        const last = k + n - 1;
        if (this.#stretches[k] === this.#stretches[last]) this.#add(this.#begins[k] as number, this.#ends[last] as number);
      }
    }
  }

  /** A run of letters and digits: a word, if it is long enough and none that is left out. Returns where it ends. */
  #takeWord(text: string, from: number, stretch: number): number {
    const begin = this.#length;
    let at = from;
    let count = 0;
    const { characters } = this;
    for (; at < text.length; count++) {
      const unit = text.charCodeAt(at);
      // Most characters: known, and no half of a pair.
      if (near[unit] === kinds.word) {
        characters[this.#length++] = unit;
        at++;
      } else if (kindAt(text, at) === kinds.word) at = this.#copy(text, at);
      else break;
    }
    const isLeftOut = count < LEAST || (this.#stopWords?.find(this.characters, begin, this.#length) ?? -1) >= 0;
    if (isLeftOut) this.#length = begin;
    else {
      this.#addPart(begin, this.#length, stretch);
      this.characters[this.#length++] = SPACE;
    }
    return at;
  }

  /** A run of a script without spaces: its characters and its pairs. Returns where it ends. */
  #takeDense(text: string, from: number): number {
    let at = from;
    let before = -1;
    while (at < text.length && kindAt(text, at) === kinds.dense) {
      const begin = this.#length;
      at = this.#copy(text, at);
      this.#add(begin, this.#length);
      if (before >= 0) this.#add(before, this.#length);
      before = begin;
    }
    this.characters[this.#length++] = SPACE;
    return at;
  }

  #readCharacters(text: string): void {
    for (let at = 0; at < text.length; ) {
      const begin = this.#length;
      let end = at + widthAt(text, at);
      if (kindAt(text, at) === kinds.blank) {
        while (end < text.length && kindAt(text, end) === kinds.blank) end++;
        if (end > at + 1) this.characters[this.#length++] = SPACE;
        else this.#copy(text, at);
        at = end;
      } else at = this.#copy(text, at);
      this.#addPart(begin, this.#length, 0);
    }
    const [least, most] = this.#settings.ngrams;
    for (let n = least; n <= Math.min(most, this.#parts); n++) this.#addRuns(0, this.#parts, n);
  }

  #readInWords(text: string): void {
    const [least, most] = this.#settings.ngrams;
    for (let at = 0; at < text.length; ) {
      if (kindAt(text, at) === kinds.blank) {
        at += widthAt(text, at);
        continue;
      }
      const first = this.#parts;
      this.#addSpace();
      while (at < text.length && kindAt(text, at) !== kinds.blank) {
        const begin = this.#length;
        at = this.#copy(text, at);
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
    this.characters[this.#length++] = SPACE;
    this.#addPart(this.#length - 1, this.#length, 0);
  }

  /** Every n characters that follow each other among [from, to). */
  #addRuns(from: number, to: number, n: number): void {
    for (let k = from; k + n <= to; k++) this.#add(this.#begins[k] as number, this.#ends[k + n - 1] as number);
  }

  /** Copies a code point; returns where the next one is. */
  #copy(text: string, at: number): number {
    const width = widthAt(text, at);
    for (let k = 0; k < width; k++) this.characters[this.#length++] = text.charCodeAt(at + k);
    return at + width;
  }

  #addPart(begin: number, end: number, stretch: number): void {
    if (this.#parts === this.#begins.length) {
      this.#begins = doubled(this.#begins);
      this.#ends = doubled(this.#ends);
      this.#stretches = doubled(this.#stretches);
    }
    this.#begins[this.#parts] = begin;
    this.#ends[this.#parts] = end;
    this.#stretches[this.#parts++] = stretch;
  }

  #add(begin: number, end: number): void {
    if (2 * this.count === this.places.length) this.places = doubled(this.places);
    this.places[2 * this.count] = begin;
    this.places[2 * this.count++ + 1] = end;
  }
}

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return kindOf(unit >= 0xd800 && unit < 0xdc00 ? (text.codePointAt(at) as number) : unit);
}

/** Code units of the code point there. */
function widthAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit < 0xdc00 && (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
}

function doubled(list: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * list.length);
  larger.set(list);
  return larger;
}
