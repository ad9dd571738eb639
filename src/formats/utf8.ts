// UTF-8: where it stops being that. TextDecoder only says that it does, not where.

/**
 * Looks at the characters that begin in bytes[from, to); a character begins at `from`. Returns where the next one begins, `to` or a
 * little behind it, or the position, before `to`, of the first byte that begins none.
 */
export function validUtf8End(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to) {
    at = asciiEnd(bytes, at, to);
    if (at === to) break;
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return at;
}

/** Where the run of ASCII that begins at `from` ends, `end` at the latest. Eight bytes at a time: most texts are nothing else. */
function asciiEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  for (; at + 8 <= end; at += 8) {
    const low = (bytes[at] as number) | (bytes[at + 1] as number) | (bytes[at + 2] as number) | (bytes[at + 3] as number);
    const high = (bytes[at + 4] as number) | (bytes[at + 5] as number) | (bytes[at + 6] as number) | (bytes[at + 7] as number);
    if ((low | high) >= 0x80) break;
  }
  while (at < end && (bytes[at] as number) < 0x80) at++;
  return at;
}

/** How many bytes the character of two and more at `at` has; 0 if it is none (Unicode 16, table 3-7). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  // Overlong forms, surrogates and what lies beyond U+10FFFF are ruled out by the second byte.
  const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[at + 1] as number;
  if (second < lowest || second > highest) return 0;
  for (let k = 2; k < length; k++) if (((bytes[at + k] as number) & 0xc0) !== 0x80) return 0;
  return length;
}
