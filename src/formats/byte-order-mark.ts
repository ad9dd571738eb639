// The mark that some editors put before UTF-8 text.

/** How many bytes it takes at the beginning of `bytes`: 3, or 0 where there is none. */
export function markLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}
