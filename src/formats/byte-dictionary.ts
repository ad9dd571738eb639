// Different byte strings of one text, numbered in the order they are met, without making a string of each.
//
// The hash is simple and known, so a text can be made whose strings all meet in one place. Strings that do not find one within
// LONGEST_SEARCH steps go to a Map, whose hash is secret: such a text then takes some times as long and not for ever.

const LONGEST_SEARCH = 64;

/** Numbers the parts of `bytes` that it is shown: the same content, the same number. */
export class ByteDictionary {
  readonly #bytes: Uint8Array;
  /** Number + 1 of an entry, or 0: open addressing, at most half full. */
  #slots = new Uint32Array(64);
  #size = 0;
  // Typed arrays, half as long as the slots: lists of numbers would take twice the memory.
  #starts = new Uint32Array(32);
  #lengths = new Uint32Array(32);
  #hashes = new Uint32Array(32);
  /** Numbers of those without a slot, by their bytes as characters. */
  readonly #crowded = new Map<string, number>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get size(): number {
    return this.#size;
  }

  /** Where entry `code` was met first. */
  part(code: number): { readonly from: number; readonly to: number } {
    const from = this.#starts[code] as number;
    return { from, to: from + (this.#lengths[code] as number) };
  }

  /** The number of bytes[from, to). */
  codeOf(from: number, to: number): number {
    const hash = this.#hash(from, to);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    let steps = 0;
    for (let entry = this.#slots[slot] as number; entry !== 0; entry = this.#slots[slot] as number) {
      if (this.#hashes[entry - 1] === hash && this.#equals(entry - 1, from, to)) return entry - 1;
      if (++steps === LONGEST_SEARCH) return this.#crowdedCode(from, to, hash);
      slot = (slot + 1) & mask;
    }
    this.#slots[slot] = this.#size + 1;
    return this.#append(from, to, hash);
  }

  #crowdedCode(from: number, to: number, hash: number): number {
    const key = this.#characters(from, to);
    const known = this.#crowded.get(key);
    if (known !== undefined) return known;
    this.#crowded.set(key, this.#size);
    return this.#append(from, to, hash);
  }

  #append(from: number, to: number, hash: number): number {
    const code = this.#size++;
    this.#starts[code] = from;
    this.#lengths[code] = to - from;
    this.#hashes[code] = hash;
    if (2 * this.#size === this.#slots.length) this.#grow();
    return code;
  }

  /** One character a byte. */
  #characters(from: number, to: number): string {
    return latin1.decode(this.#bytes.subarray(from, to));
  }

  /** FNV-1a, its high bits mixed into the low ones that choose the slot. */
  #hash(from: number, to: number): number {
    let hash = 0x811c9dc5;
    for (let k = from; k < to; k++) hash = Math.imul(hash ^ (this.#bytes[k] as number), 0x01000193);
    return (hash ^ (hash >>> 15)) >>> 0;
  }

  #equals(code: number, from: number, to: number): boolean {
    if (this.#lengths[code] !== to - from) return false;
    const shift = (this.#starts[code] as number) - from;
    for (let k = from; k < to; k++) if (this.#bytes[k] !== this.#bytes[k + shift]) return false;
    return true;
  }

  #grow(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    this.#crowded.clear();
    for (let code = 0; code < this.#size; code++) {
      let slot = (this.#hashes[code] as number) & mask;
      let steps = 0;
      while (slots[slot] !== 0 && ++steps < LONGEST_SEARCH) slot = (slot + 1) & mask;
      if (slots[slot] === 0) slots[slot] = code + 1;
      else this.#crowded.set(this.#characters(this.part(code).from, this.part(code).to), code);
    }
    this.#slots = slots;
    this.#starts = twiceAsLong(this.#starts);
    this.#lengths = twiceAsLong(this.#lengths);
    this.#hashes = twiceAsLong(this.#hashes);
  }
}

// windows-1252, which gives every byte a character of its own.
const latin1 = new TextDecoder("latin1");

function twiceAsLong(list: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(2 * list.length);
  longer.set(list);
  return longer;
}
