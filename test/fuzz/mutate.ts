// Inputs for fuzzing: saved ones, damaged in every way that files are damaged. Seeded: a run can be repeated.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../../src/base/random.ts";

export function corpusOf(name: string): Uint8Array[] {
  const folder = new URL(`corpus/${name}`, import.meta.url).pathname;
  return readdirSync(folder)
    .sort()
    .map((file) => new Uint8Array(readFileSync(join(folder, file))));
}

/** Bytes that mean something to parsers of text. */
const TELLING = Array.from(new TextEncoder().encode("0123456789 \n\r\t:;,.\"'+-eE#{}[]nax\\/_"));

/** Pieces that have broken parsers before. */
const NASTY = [
  "1e999",
  "-0",
  "nan",
  "inf",
  "0x10",
  "1e",
  "99999999999999999999",
  "2147483648",
  "4294967296",
  "-1",
  "\u0000",
  "\ufeff",
  "__proto__",
  '"',
  "1e-400",
  "\r\n",
  "💥",
];

/** One input: of the corpus, unchanged, damaged, joined, or made up. */
export function mutant(random: Random, corpus: readonly Uint8Array[]): Uint8Array {
  const pick = (): Uint8Array => corpus[random.below(corpus.length)] as Uint8Array;
  let bytes = pick();
  for (let k = random.below(4); k > 0; k--) bytes = change(random, bytes, pick);
  return bytes;
}

function change(random: Random, bytes: Uint8Array, pick: () => Uint8Array): Uint8Array {
  const at = random.below(bytes.length + 1);
  switch (random.below(8)) {
    case 0: // a byte of any kind
      return bytes.map((byte, k) => (k === at ? random.below(256) : byte));
    case 1: // a byte that means something
      return bytes.map((byte, k) => (k === at ? (TELLING[random.below(TELLING.length)] as number) : byte));
    case 2: // cut off
      return bytes.slice(0, at);
    case 3: // a piece left out
      return joined(bytes.subarray(0, at), bytes.subarray(Math.min(bytes.length, at + random.below(20))));
    case 4: // a piece twice
      return joined(bytes.subarray(0, at), bytes.subarray(Math.max(0, at - random.below(40)), at), bytes.subarray(at));
    case 5: // something nasty put in
      return joined(bytes.subarray(0, at), new TextEncoder().encode(NASTY[random.below(NASTY.length)]), bytes.subarray(at));
    case 6: // another file behind
      return joined(bytes.subarray(0, at), pick());
    default: // noise
      return Uint8Array.from({ length: random.below(60) }, () =>
        random.below(4) ? (TELLING[random.below(TELLING.length)] as number) : random.below(256),
      );
  }
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let next = 0;
  for (const part of parts) {
    whole.set(part, next);
    next += part.length;
  }
  return whole;
}
