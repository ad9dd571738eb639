// The hash of HashingVectorizer: MurmurHash3, 32 bits, seed 0, of a term's UTF-8 bytes, as scikit-learn has it. Checked against its values in test/text.test.ts.

/** Of the bytes at [from, to), as a signed number of 32 bits. */
export function murmur(bytes: Uint8Array, from: number, to: number): number {
  const length = to - from;
  let hash = 0;
  let at = from;
  for (; at + 4 <= to; at += 4) {
    const block =
      (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
    hash ^= scrambled(block);
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let k = to - 1; k >= at; k--) tail = (tail << 8) | (bytes[k] as number);
  if (at < to) hash ^= scrambled(tail);
  hash ^= length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function scrambled(block: number): number {
  const part = Math.imul(block, 0xcc9e2d51);
  return Math.imul((part << 15) | (part >>> 17), 0x1b873593);
}
