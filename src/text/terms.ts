// Terms by number: a hash table over characters, without a string a term. Terms are numbered in the order in which they were added.

/** Characters that become a string at a time. */
const CHUNK = 4096;

export class Terms {
  #count = 0;
  /** The characters of all terms, one after the other; where each begins, and where the last one ends. */
  #characters = new Uint16Array(4096);
  #starts = new Uint32Array(1025);
  /** Pairs: the number of a term plus 1, 0 where a slot is free, and its hash, next to each other because both are looked at; as many as a power of two, at least twice the terms. */
  #slots = new Uint32Array(2 * 4096);

  static of(terms: Iterable<string>): Terms {
    const all = new Terms();
    let scratch = new Uint16Array(64);
    for (const term of terms) {
      if (term.length > scratch.length) scratch = new Uint16Array(2 * term.length);
      for (let k = 0; k < term.length; k++) scratch[k] = term.charCodeAt(k);
      all.add(scratch, 0, term.length);
    }
    return all;
  }

  get count(): number {
    return this.#count;
  }

  /** The number of the term at [from, to) of these characters; -1 if there is none. */
  find(characters: Uint16Array, from: number, to: number): number {
    const slot = this.#slotOf(hashOf(characters, from, to), characters, from, to);
    return (this.#slots[2 * slot] as number) - 1;
  }

  /** The numbers of another's terms here, -1 of those that are not: i32[others]. */
  numbersOf(other: Terms): Int32Array {
    const numbers = new Int32Array(other.#count);
    for (let id = 0; id < numbers.length; id++)
      numbers[id] = this.find(other.#characters, other.#starts[id] as number, other.#starts[id + 1] as number);
    return numbers;
  }

  /** The same, for a term that is added if there is none. */
  add(characters: Uint16Array, from: number, to: number): number {
    const hash = hashOf(characters, from, to);
    const slot = this.#slotOf(hash, characters, from, to);
    const known = this.#slots[2 * slot] as number;
    if (known > 0) return known - 1;
    const id = this.#count++;
    this.#makeRoom(to - from);
    const start = this.#starts[id] as number;
    for (let k = from; k < to; k++) this.#characters[start + k - from] = characters[k] as number;
    this.#starts[id + 1] = start + to - from;
    this.#slots[2 * slot] = id + 1;
    this.#slots[2 * slot + 1] = hash;
    if (4 * this.#count > this.#slots.length) this.#spread();
    return id;
  }

  /** These terms as strings. */
  texts(ids: readonly number[]): string[] {
    // One long string first: parts of it are made at once.
    let all = "";
    const end = this.#starts[this.#count] as number;
    for (let from = 0; from < end; from += CHUNK)
      all += String.fromCharCode(...this.#characters.subarray(from, Math.min(from + CHUNK, end)));
    return ids.map((id) => all.slice(this.#starts[id], this.#starts[id + 1]));
  }

  /** Where a term is, or where it would be. */
  #slotOf(hash: number, characters: Uint16Array, from: number, to: number): number {
    const slots = this.#slots;
    const starts = this.#starts;
    const own = this.#characters;
    const mask = slots.length / 2 - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = (slots[2 * slot] as number) - 1;
      if (id < 0) return slot;
      if (slots[2 * slot + 1] !== hash) continue;
      const start = starts[id] as number;
      if ((starts[id + 1] as number) - start !== to - from) continue;
      let k = from;
      while (k < to && own[start + k - from] === characters[k]) k++;
      if (k === to) return slot;
    }
  }

  /** For one more term of so many characters. */
  #makeRoom(length: number): void {
    const end = this.#starts[this.#count - 1] as number;
    if (end + length > this.#characters.length) {
      const larger = new Uint16Array(2 * (end + length));
      larger.set(this.#characters);
      this.#characters = larger;
    }
    if (this.#count < this.#starts.length) return;
    const starts = new Uint32Array(2 * this.#starts.length);
    starts.set(this.#starts);
    this.#starts = starts;
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

function hashOf(characters: Uint16Array, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let k = from; k < to; k++) hash = Math.imul(hash ^ (characters[k] as number), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
