// What a character is to whoever cuts texts into terms. Asked of the engine's Unicode tables once a character, and remembered.

export const kinds = { unknown: 0, other: 1, blank: 2, word: 3, dense: 4, mark: 5 } as const;

const MORE_BLANKS: readonly number[] = [0x1c, 0x1d, 0x1e, 0x1f, 0x85];

/** Of the first 65,536, as far as they were asked for: 0 is not known yet. */
const near = new Uint8Array(0x10000);

/** Which of `kinds` a code point is. */
export function kindOf(codePoint: number): number {
  if (codePoint > 0xffff) return find(codePoint);
  const known = near[codePoint] as number;
  if (known !== kinds.unknown) return known;
  const found = find(codePoint);
  near[codePoint] = found;
  return found;
}

// The patterns stand where they are asked: an engine makes its tables for them when it comes by.
function find(codePoint: number): number {
  const WORD = /[\p{L}\p{N}_]/u;
  // Scripts without spaces between words: a run of them is a sentence.
  const DENSE =
    /[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script_Extensions=Thai}\p{Script_Extensions=Lao}\p{Script_Extensions=Khmer}\p{Script_Extensions=Myanmar}]/u;
  // What belongs to the character before it: vowels, tones, accents, and the voice marks of half width.
  const MARK = /[\p{M}\uFF9E\uFF9F]/u;
  // Blanks as Python has them: \s without the byte order mark, and with these: the separators of ASCII and the next line.
  const BLANK = /[^\S\uFEFF]/u;
  const character = String.fromCodePoint(codePoint);
  if (MARK.test(character)) return kinds.mark;
  if (WORD.test(character)) return DENSE.test(character) ? kinds.dense : kinds.word;
  return BLANK.test(character) || MORE_BLANKS.includes(codePoint) ? kinds.blank : kinds.other;
}

/** By the first byte of a character: of ASCII `word` or `other`, of what is longer `unknown`. */
export const ascii = new Uint8Array(256).fill(kinds.other, 0, 0x80);
// Said, not asked, for the same reason.
for (const [first, last] of [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
] as const)
  ascii.fill(kinds.word, first, last + 1);

/** Bytes of the UTF-8 character that begins with this one. */
export function widthOf(lead: number): number {
  return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** The code point of well-formed UTF-8 there. */
export function codePointAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  const next = (k: number): number => (bytes[at + k] as number) & 63;
  if (lead < 0x80) return lead;
  if (lead < 0xe0) return ((lead & 31) << 6) | next(1);
  if (lead < 0xf0) return ((lead & 15) << 12) | (next(1) << 6) | next(2);
  return ((lead & 7) << 18) | (next(1) << 12) | (next(2) << 6) | next(3);
}
