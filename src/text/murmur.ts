// The hash of HashingVectorizer: MurmurHash3, 32 bits, seed 0, of a term's UTF-8 bytes, as scikit-learn has it. Checked against its values in test/text.test.ts.

export class Murmur {
  #bytes = new Uint8Array(256);

  /** Of the characters at [from, to), as a signed number of 32 bits. */
  of(characters: Uint16Array, from: number, to: number): number {
    if (this.#bytes.length < 3 * (to - from)) this.#bytes = new Uint8Array(6 * (to - from));
    return hashed(this.#bytes, encode(characters, from, to, this.#bytes));
  }
}

function hashed(bytes: Uint8Array, length: number): number {
  let hash = 0;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    const block =
      (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
    hash ^= scrambled(block);
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let k = length - 1; k >= at; k--) tail = (tail << 8) | (bytes[k] as number);
  if (at < length) hash ^= scrambled(tail);
  hash ^= length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function scrambled(block: number): number {
  const part = Math.imul(block, 0xcc9e2d51);
  return Math.imul((part << 15) | (part >>> 17), 0x1b873593);
}

/** UTF-8 into `bytes`, how many; half a pair of surrogates is what TextEncoder makes of it. */
function encode(characters: Uint16Array, from: number, to: number, bytes: Uint8Array): number {
  let end = 0;
  for (let k = from; k < to; k++) {
    let code = characters[k] as number;
    if (code >= 0xd800 && code < 0xe000) {
      const next = code < 0xdc00 && k + 1 < to ? (characters[k + 1] as number) : 0;
      if (next >= 0xdc00 && next < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
        k++;
      } else code = 0xfffd;
    }
    if (code < 0x80) bytes[end++] = code;
    else {
      if (code < 0x800) bytes[end++] = 0xc0 | (code >> 6);
      else {
        if (code < 0x10000) bytes[end++] = 0xe0 | (code >> 12);
        else {
          bytes[end++] = 0xf0 | (code >> 18);
          bytes[end++] = 0x80 | ((code >> 12) & 63);
        }
        bytes[end++] = 0x80 | ((code >> 6) & 63);
      }
      bytes[end++] = 0x80 | (code & 63);
    }
  }
  return end;
}
