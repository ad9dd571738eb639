// The header of the originals' model files: lines "key value value …" in any order, closed by a line of one word.
// Keys are kept in a Map and compared with a list, so that a key such as __proto__ is only one more that is unknown.

import { suggestion } from "../base/nearest.js";
import type { ModelText, Span } from "./model-text.js";

export interface HeaderGrammar {
  /** The program whose files these are. */
  readonly program: string;
  readonly keys: readonly string[];
  /** The word that closes the header. */
  readonly closing: string;
}

// No key is as long; what is longer need not be turned into a string to be unknown.
const LONGEST_KEY = 40;

// What an int of the originals holds.
const INT = { least: -(2 ** 31), most: 2 ** 31 - 1 } as const;
export const COUNT = { least: 0, most: INT.most } as const;

export class ModelHeader {
  readonly #text: ModelText;
  /** The values of each key: what follows it in its line. */
  readonly #values: ReadonlyMap<string, Span>;
  /** The line that closes the header: where a missing key should have come before. */
  readonly #closing: Span & { readonly word: string };

  private constructor(text: ModelText, values: ReadonlyMap<string, Span>, closing: Span & { readonly word: string }) {
    this.#text = text;
    this.#values = values;
    this.#closing = closing;
  }

  /** Reads the lines up to the closing one. */
  static read(text: ModelText, grammar: HeaderGrammar): ModelHeader {
    const values = new Map<string, Span>();
    for (let line = text.nextLine(); line !== undefined; line = text.nextLine()) {
      const keyEnd = text.tokenEnd(line.from, line.to);
      const key = keyOf(text, line.from, keyEnd);
      const span = { from: text.skipBlanks(keyEnd, line.to), to: line.to };
      if (key === grammar.closing) {
        if (span.from < span.to) text.fail(span.from, `${key} must stand alone in its line, got ${text.quoted(span.from, span.to)}`);
        return new ModelHeader(text, values, { ...line, word: key });
      }
      if (!grammar.keys.includes(key)) text.fail(line.from, unknownKey(text, line.from, keyEnd, grammar));
      if (values.has(key)) text.fail(line.from, `${key} comes twice; remove one of the two lines`);
      values.set(key, span);
    }
    return text.failAtEnd(`the line ${JSON.stringify(grammar.closing)} that closes the header is missing`);
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** One of the words in `choices`. */
  word<const T extends string>(key: string, choices: readonly T[]): T {
    const { from, to } = this.#only(key);
    const word = keyOf(this.#text, from, to);
    const found = choices.find((choice) => choice === word);
    if (found === undefined) {
      this.#text.fail(from, `${key} must be one of ${choices.join(", ")}, got ${this.#text.quoted(from, to)}${suggestion(word, choices)}`);
    }
    return found;
  }

  number(key: string): number {
    const { from, to } = this.#only(key);
    return this.#text.number(from, to, key);
  }

  whole(key: string, range: { readonly least: number; readonly most: number }): number {
    const { from, to } = this.#only(key);
    return this.#text.whole(from, to, key, range);
  }

  /** `count` finite numbers. */
  numbers(key: string, count: number): Float64Array {
    const span = this.#list(key, count);
    const values = new Float64Array(count);
    this.#each(span, (from, to, k) => {
      values[k] = this.#text.number(from, to, key);
    });
    return values;
  }

  /** `count` whole numbers, as many as there may be of something. */
  counts(key: string, count: number): Uint32Array {
    const span = this.#list(key, count);
    const values = new Uint32Array(count);
    this.#each(span, (from, to, k) => {
      values[k] = this.#text.whole(from, to, key, COUNT);
    });
    return values;
  }

  /** `count` labels: whole numbers, no two the same. */
  labels(key: string, count: number): Int32Array {
    const span = this.#list(key, count);
    const values = new Int32Array(count);
    const seen = new Set<number>();
    this.#each(span, (from, to, k) => {
      const label = this.#text.whole(from, to, "a label", INT);
      if (seen.has(label)) this.#text.fail(from, `label ${label} comes twice; every class must have a label of its own`);
      seen.add(label);
      values[k] = label;
    });
    return values;
  }

  /** Refuses keys that a file of this kind does not have. */
  refuse(keys: readonly string[], kind: string): void {
    for (const key of keys) {
      if (this.has(key)) this.fail(key, `a model of type ${kind} has no ${key}; remove the line, or correct the type`);
    }
  }

  /** An error at the values of a key that is there. */
  fail(key: string, message: string): never {
    return this.#text.fail(this.#values.get(key)?.from ?? this.#closing.from, message);
  }

  #span(key: string): Span {
    const span = this.#values.get(key);
    if (span === undefined) this.#text.fail(this.#closing.from, `${key} is missing; it must stand before the line "${this.#closing.word}"`);
    return span;
  }

  /** The one token of a key. */
  #only(key: string): Span {
    const { from, to } = this.#span(key);
    const end = this.#text.tokenEnd(from, to);
    if (from === end || this.#text.skipBlanks(end, to) < to) {
      this.#text.fail(from, `${key} must have one value, got ${this.#text.tokenCount({ from, to })}`);
    }
    return { from, to: end };
  }

  /** The tokens of a key, which are `count`: counted before anything is allocated for them. */
  #list(key: string, count: number): Span {
    const span = this.#span(key);
    const got = this.#text.tokenCount(span);
    if (got !== count) {
      this.#text.fail(span.from, `${key} must have ${count} ${count === 1 ? "value" : "values"}, got ${got}`);
    }
    return span;
  }

  #each({ from, to }: Span, take: (from: number, to: number, k: number) => void): void {
    const text = this.#text;
    for (let at = text.skipBlanks(from, to), k = 0; at < to; k++) {
      const end = text.tokenEnd(at, to);
      take(at, end, k);
      at = text.skipBlanks(end, to);
    }
  }
}

/** The word in bytes[from, to) if it is plain ASCII and short; otherwise a text that equals no key. */
function keyOf(text: ModelText, from: number, to: number): string {
  return to - from > LONGEST_KEY ? "" : String.fromCharCode(...text.bytes.subarray(from, to));
}

function unknownKey(text: ModelText, from: number, to: number, { program, keys, closing }: HeaderGrammar): string {
  const known = [...keys, closing];
  const near = suggestion(keyOf(text, from, to), known);
  const list = near === "" ? `; there are ${known.join(", ")}` : near;
  return `a model file of ${program} has no line ${text.quoted(from, to)}${list}`;
}
