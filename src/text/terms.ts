// Terms by number: a hash table over UTF-8 bytes, without a string a term. Terms are numbered in the order in which they were added.

import { HingeError } from "../base/errors.js";
import { grown } from "./grown.js";
import type { TermList } from "./vocabulary.js";

/** A byte, or none. Three of them and the number of a term have room in the 53 bits of a float64. */
const SYMBOLS = 257;
const MOST_TERMS = 2 ** 28;

export class Terms {
  #count = 0;
  /** The bytes of all terms, one after the other; where each begins, and where the last one ends. */
  #bytes = new Uint8Array(4096);
  #starts = new Uint32Array(1025);
  /** Pairs: the number of a term plus 1, 0 where a slot is free, and its hash, next to each other because both are looked at; as many as a power of two, at least twice the terms. */
  #slots = new Uint32Array(2 * 1024);

  static of(terms: Iterable<string>): Terms {
    const all = new Terms();
    const encoder = new TextEncoder();
    for (const term of terms) {
      const bytes = encoder.encode(term);
      all.add(bytes, 0, bytes.length);
    }
    return all;
  }

  /** Whether the term at [from, to) of these bytes is there. */
  has(bytes: Uint8Array, from: number, to: number): boolean {
    return this.#slots[2 * this.#slotOf(hashOf(bytes, from, to), bytes, from, to)] !== 0;
  }

  /** The number of a term, which is added if it is not there. */
  add(bytes: Uint8Array, from: number, to: number, hash = hashOf(bytes, from, to)): number {
    const slot = this.#slotOf(hash, bytes, from, to);
    const known = this.#slots[2 * slot] as number;
    if (known > 0) return known - 1;
    const id = this.#count++;
    this.#makeRoom(to - from);
    const start = this.#starts[id] as number;
    for (let k = from; k < to; k++) this.#bytes[start + k - from] = bytes[k] as number;
    this.#starts[id + 1] = start + to - from;
    this.#slots[2 * slot] = id + 1;
    this.#slots[2 * slot + 1] = hash;
    if (4 * this.#count > this.#slots.length) this.#spread();
    return id;
  }

  /** All terms in the order of their bytes, and of each, by its number here, the one that it has there. */
  sorted(): { list: TermList; ranks: Uint32Array } {
    const count = this.#count;
    const starts = new Uint32Array(count + 1);
    const bytes = new Uint8Array(this.#starts[count] as number);
    const ranks = new Uint32Array(count);
    for (const [rank, id] of this.#order().entries()) {
      const [from, at] = [this.#starts[id] as number, starts[rank] as number];
      const length = (this.#starts[id + 1] as number) - from;
      for (let k = 0; k < length; k++) bytes[at + k] = this.#bytes[from + k] as number;
      starts[rank + 1] = at + length;
      ranks[id] = rank;
    }
    return { list: { bytes, starts }, ranks };
  }

  /**
   * By three bytes at a time, as numbers that hold the term's own number too; then those that agree in these by the next three, and so on. What a term has no more of is before any byte.
   */
  #order(): Uint32Array {
    const order = Uint32Array.from({ length: this.#count }, (_, id) => id);
    const agreeing = [{ from: 0, to: this.#count, depth: 0 }];
    for (let next = agreeing.pop(); next !== undefined; next = agreeing.pop()) {
      const { from, to, depth } = next;
      const keys = new Float64Array(to - from);
      for (let k = from; k < to; k++) keys[k - from] = this.#symbolsAt(order[k] as number, depth) * MOST_TERMS + (order[k] as number);
      keys.sort();
      let [begin, before] = [from, -1];
      for (let k = from; k <= to; k++) {
        const key = keys[k - from] ?? Infinity;
        const symbols = Math.floor(key / MOST_TERMS);
        if (k < to) order[k] = key - symbols * MOST_TERMS;
        if (symbols === before) continue;
        // The last symbol is 0 where a term has ended, and no other has ended there.
        if (k - begin > 1 && before % SYMBOLS !== 0) agreeing.push({ from: begin, to: k, depth: depth + 3 });
        [begin, before] = [k, symbols];
      }
    }
    return order;
  }

  /** Three bytes of a term as one number. */
  #symbolsAt(id: number, depth: number): number {
    const [at, end] = [(this.#starts[id] as number) + depth, this.#starts[id + 1] as number];
    let symbols = 0;
    for (let k = at; k < at + 3; k++) symbols = symbols * SYMBOLS + (k < end ? (this.#bytes[k] as number) + 1 : 0);
    return symbols;
  }

  /** Where a term is, or where it would be. */
  #slotOf(hash: number, bytes: Uint8Array, from: number, to: number): number {
    const slots = this.#slots;
    const starts = this.#starts;
    const own = this.#bytes;
    const mask = slots.length / 2 - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = (slots[2 * slot] as number) - 1;
      if (id < 0) return slot;
      if (slots[2 * slot + 1] !== hash) continue;
      const start = starts[id] as number;
      if ((starts[id + 1] as number) - start !== to - from) continue;
      let k = from;
      while (k < to && own[start + k - from] === bytes[k]) k++;
      if (k === to) return slot;
    }
  }

  /** For one more term of so many bytes. */
  #makeRoom(length: number): void {
    const end = this.#starts[this.#count - 1] as number;
    if (end + length > this.#bytes.length) {
      const larger = new Uint8Array(2 * (end + length));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    if (this.#count >= MOST_TERMS)
      throw HingeError.input(`texts have more than ${MOST_TERMS} different terms in one part; use HashingVectorizer`);
    if (this.#count === this.#starts.length) this.#starts = grown(this.#starts);
  }

  #spread(): void {
    const old = this.#slots;
    const slots = new Uint32Array(2 * old.length);
    const mask = slots.length / 2 - 1;
    for (let k = 0; k < old.length; k += 2) {
      if (old[k] === 0) continue;
      let slot = (old[k + 1] as number) & mask;
      while (slots[2 * slot] !== 0) slot = (slot + 1) & mask;
      slots[2 * slot] = old[k] as number;
      slots[2 * slot + 1] = old[k + 1] as number;
    }
    this.#slots = slots;
  }
}

/** The hash of a term is that of nothing, with each of its bytes, mixed. Whoever walks over a term anyhow has it for nothing. */
export const HASH_OF_NOTHING = 0x811c9dc5 | 0;

export function hashWith(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

export function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (half ^ (half >>> 13)) >>> 0;
}

export function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = HASH_OF_NOTHING;
  for (let k = from; k < to; k++) hash = hashWith(hash, bytes[k] as number);
  return mixed(hash);
}
