// From a text to its terms: places in a list of UTF-8 bytes, so that no term becomes a string before somebody wants to read it.
//
//   word            runs of letters, digits and _ that have two characters or more, marks behind them included; n-grams of them joined by one space. Runs of scripts that put no
//                   spaces between words are no words: every character of theirs, with its marks, is a term, and every two that follow each other
//   char            every n characters that follow each other; two blanks or more are one space
//   char-in-words   the same within what lies between two blanks, with a space before and behind; of a word that is no longer than n there is one term, and none for larger n
//
// Characters are code points. As scikit-learn has it, but for the scripts without spaces, of which it would make a word of a sentence, and for marks (vowels and accents that are
// characters of their own), which it takes for the end of a word. Checked in test/text.test.ts.

import { ascii, codePointAt, kindOf, kinds, widthOf } from "./characters.js";
import { grown } from "./grown.js";
import { HASH_OF_NOTHING, hashOf, hashWith, mixed, Terms } from "./terms.js";

export interface AnalyzerSettings {
  readonly analyzer: "word" | "char" | "char-in-words";
  readonly ngrams: readonly [least: number, most: number];
  readonly lowercase: boolean;
  readonly stopWords: readonly string[];
}

const SPACE = 0x20;

export class Analyzer {
  /** The last text in UTF-8, behind a space; half a pair of surrogates is U+FFFD. What lies between terms is squeezed out where terms need it, in place: nothing gets longer by that. */
  bytes = new Uint8Array(4096);
  /** Where each term of the last text begins and ends: pairs. */
  places = new Uint32Array(2048);
  /** Their hashes, as `Terms` has them. */
  hashes = new Uint32Array(1024);
  /** How many terms the last text has. */
  count = 0;
  readonly #settings: AnalyzerSettings;
  readonly #stopWords: Terms | undefined;
  readonly #encoder = new TextEncoder();
  /** Words or characters of which n-grams are made: where they begin and end, and in which stretch of words they lie. */
  #begins = new Uint32Array(512);
  #ends = new Uint32Array(512);
  #stretches = new Uint32Array(512);
  #parts = 0;

  constructor(settings: AnalyzerSettings) {
    this.#settings = settings;
    this.#stopWords = settings.stopWords.length === 0 ? undefined : Terms.of(settings.stopWords);
  }

  /** Finds the terms of a text. */
  read(text: string): void {
    const { analyzer, lowercase } = this.#settings;
    const own = lowercase ? text.toLowerCase() : text;
    // A space before it, and one behind.
    if (this.bytes.length < 3 * own.length + 2) this.bytes = new Uint8Array(4 * own.length + 2);
    const end = 1 + this.#encoder.encodeInto(own, this.bytes.subarray(1)).written;
    this.bytes[0] = SPACE;
    this.bytes[end] = SPACE;
    this.count = 0;
    this.#parts = 0;
    if (analyzer === "word") this.#readWords(end);
    else if (analyzer === "char") this.#readCharacters(end);
    else this.#readInWords(end);
  }

  #readWords(end: number): void {
    const { bytes } = this;
    const [least, most] = this.#settings.ngrams;
    const isSingle = most === 1;
    let stretch = 0;
    let at = 1;
    while (at < end) {
      const lead = bytes[at] as number;
      if (ascii[lead] === kinds.other) {
        at++;
        continue;
      }
      if (ascii[lead] === kinds.unknown) {
        const kind = this.#kindAt(at);
        if (kind === kinds.dense) {
          at = this.#takeDense(at, end);
          // A run between two words parts them: what would join them is not next to them.
          stretch++;
        }
        if (kind !== kinds.word) {
          if (kind !== kinds.dense) at += widthOf(lead);
          continue;
        }
      }
      const begin = at;
      const second = at + widthOf(lead);
      let hash = HASH_OF_NOTHING;
      for (;;) {
        let next = bytes[at] as number;
        // The space behind the text ends this.
        while (ascii[next] === kinds.word) {
          hash = hashWith(hash, next);
          next = bytes[++at] as number;
        }
        const kind = next < 0x80 ? kinds.other : this.#kindAt(at);
        if (kind !== kinds.word && kind !== kinds.mark) break;
        for (const behind = at + widthOf(next); at < behind; at++) hash = hashWith(hash, bytes[at] as number);
      }
      if (at === second || this.#stopWords?.has(bytes, begin, at)) continue;
      if (isSingle) this.#addHashed(begin, at, mixed(hash));
      else this.#addPart(begin, at, stretch);
    }
    if (isSingle) return;
    this.#joinWords();
    for (let n = least; n <= most; n++) {
      for (let k = 0; k + n <= this.#parts; k++) {
        const last = k + n - 1;
        if (this.#stretches[k] === this.#stretches[last]) this.#add(this.#begins[k] as number, this.#ends[last] as number);
      }
    }
  }

  /** One space between the words of a stretch. */
  #joinWords(): void {
    const { bytes } = this;
    let to = 0;
    for (let k = 0; k < this.#parts; k++) {
      const [begin, end] = [this.#begins[k] as number, this.#ends[k] as number];
      if (k > 0 && this.#stretches[k] === this.#stretches[k - 1]) bytes[to++] = SPACE;
      else to = begin;
      this.#begins[k] = to;
      to = this.#move(begin, end, to);
      this.#ends[k] = to;
    }
  }

  /** A run of a script without spaces: its characters and its pairs. Returns where it ends. */
  #takeDense(from: number, end: number): number {
    let at = from;
    let before = -1;
    while (at < end && this.#kindAt(at) === kinds.dense) {
      const begin = at;
      do at += widthOf(this.bytes[at] as number);
      while (at < end && this.#kindAt(at) === kinds.mark);
      this.#addUnlessStopped(begin, at);
      if (before >= 0) this.#addUnlessStopped(before, at);
      before = begin;
    }
    return at;
  }

  #addUnlessStopped(begin: number, end: number): void {
    if (!this.#stopWords?.has(this.bytes, begin, end)) this.#add(begin, end);
  }

  #readCharacters(end: number): void {
    const { bytes } = this;
    let to = 1;
    for (let at = 1; at < end; ) {
      const begin = to;
      const next = at + widthOf(bytes[at] as number);
      const after = this.#kindAt(at) === kinds.blank ? this.#behindBlanks(next, end) : next;
      if (after === next) to = this.#move(at, next, to);
      else bytes[to++] = SPACE;
      at = after;
      this.#addPart(begin, to, 0);
    }
    const [least, most] = this.#settings.ngrams;
    for (let n = least; n <= Math.min(most, this.#parts); n++) this.#addRuns(0, this.#parts, n);
  }

  #readInWords(end: number): void {
    const { bytes } = this;
    const [least, most] = this.#settings.ngrams;
    // Behind a space, which two words share.
    let to = 1;
    for (let at = this.#behindBlanks(1, end); at < end; ) {
      const first = this.#parts;
      this.#addPart(to - 1, to, 0);
      while (at < end && this.#kindAt(at) !== kinds.blank) {
        const begin = to;
        const next = at + widthOf(bytes[at] as number);
        to = this.#move(at, next, to);
        at = next;
        this.#addPart(begin, to, 0);
      }
      at = this.#behindBlanks(at, end);
      bytes[to++] = SPACE;
      this.#addPart(to - 1, to, 0);
      const length = this.#parts - first;
      for (let n = least; n <= most; n++) {
        this.#addRuns(first, this.#parts, Math.min(n, length));
        if (length <= n) break;
      }
    }
  }

  /** Every n characters that follow each other among [from, to). */
  #addRuns(from: number, to: number, n: number): void {
    for (let k = from; k + n <= to; k++) this.#add(this.#begins[k] as number, this.#ends[k + n - 1] as number);
  }

  #behindBlanks(from: number, end: number): number {
    let at = from;
    while (at < end && this.#kindAt(at) === kinds.blank) at += widthOf(this.bytes[at] as number);
    return at;
  }

  #kindAt(at: number): number {
    const lead = this.bytes[at] as number;
    return lead < 0x80 ? kindOf(lead) : kindOf(codePointAt(this.bytes, at));
  }

  /** Moves bytes down to `to`; returns where they end there. */
  #move(from: number, end: number, to: number): number {
    const { bytes } = this;
    const back = from - to;
    if (back > 0) for (let at = from; at < end; at++) bytes[at - back] = bytes[at] as number;
    return end - back;
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
    this.#addHashed(begin, end, hashOf(this.bytes, begin, end));
  }

  #addHashed(begin: number, end: number, hash: number): void {
    if (this.count === this.hashes.length) {
      this.places = grown(this.places);
      this.hashes = grown(this.hashes);
    }
    this.hashes[this.count] = hash;
    this.places[2 * this.count] = begin;
    this.places[2 * this.count++ + 1] = end;
  }
}
