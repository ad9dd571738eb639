// Terms by number: a hash table over UTF-8 bytes, without a string a term. Terms are numbered in the order in which they were added.

import { grown } from "./grown.js";

export class Terms {
  #count = 0;
  /** The bytes of all terms, one after the other; where each begins, and where the last one ends. */
  #bytes = new Uint8Array(4096);
  #starts = new Uint32Array(1025);
  /** Pairs: the number of a term plus 1, 0 where a slot is free, and its hash, next to each other because both are looked at; as many as a power of two, at least twice the terms. */
  #slots = new Uint32Array(2 * 4096);

  static of(terms: Iterable<string>): Terms {
    const all = new Terms();
    const encoder = new TextEncoder();
    let scratch = new Uint8Array(64);
    for (const term of terms) {
      if (3 * term.length > scratch.length) scratch = new Uint8Array(6 * term.length);
      all.add(scratch, 0, encoder.encodeInto(term, scratch).written);
    }
    return all;
  }

  get count(): number {
    return this.#count;
  }

  /** The number of the term at [from, to) of these bytes; -1 if there is none. */
  find(bytes: Uint8Array, from: number, to: number): number {
    const slot = this.#slotOf(hashOf(bytes, from, to), bytes, from, to);
    return (this.#slots[2 * slot] as number) - 1;
  }

  /** The numbers of another's terms here, -1 of those that are not: i32[others]. */
  numbersOf(other: Terms): Int32Array {
    const numbers = new Int32Array(other.#count);
    for (let id = 0; id < numbers.length; id++)
      numbers[id] = this.find(other.#bytes, other.#starts[id] as number, other.#starts[id + 1] as number);
    return numbers;
  }

  /** The same, for a term that is added if there is none. */
  add(bytes: Uint8Array, from: number, to: number): number {
    const hash = hashOf(bytes, from, to);
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

  /** These terms as strings. */
  texts(ids: readonly number[]): string[] {
    // A byte order mark is a character like others.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const end = this.#starts[this.#count] as number;
    const all = decoder.decode(this.#bytes.subarray(0, end));
    // Of ASCII one long string is enough: parts of it are made at once.
    if (all.length === end) return ids.map((id) => all.slice(this.#starts[id], this.#starts[id + 1]));
    return ids.map((id) => decoder.decode(this.#bytes.subarray(this.#starts[id], this.#starts[id + 1])));
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
    if (this.#count === this.#starts.length) this.#starts = grown(this.#starts);
  }

  #spread(): void {
    const old = this.#slots;
    const slots = new Uint32Array(4 * old.length);
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

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let k = from; k < to; k++) hash = Math.imul(hash ^ (bytes[k] as number), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
