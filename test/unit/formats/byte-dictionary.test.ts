import { expect, test } from "vitest";
import { Random } from "../../../src/base/random.ts";
import { ByteDictionary } from "../../../src/formats/byte-dictionary.ts";

const BLOCK = 6;

/** FNV-1a from a state of its own, as the dictionary computes it before its last mixing. */
function hashFrom(state: number, block: string): number {
  let hash = state;
  for (let k = 0; k < block.length; k++) hash = Math.imul(hash ^ block.charCodeAt(k), 0x01000193);
  return hash >>> 0;
}

/** Two blocks that lead from a state to the same next one: found by birthday. */
function twins(state: number, random: Random): { pair: readonly [string, string]; next: number } {
  const seen = new Map<number, string>();
  for (;;) {
    const block = Array.from({ length: BLOCK }, () => String.fromCharCode(97 + random.below(26))).join("");
    const hash = hashFrom(state, block);
    const other = seen.get(hash);
    if (other !== undefined && other !== block) return { pair: [other, block], next: hash };
    seen.set(hash, block);
  }
}

/** 2^stages words of one hash. */
function collidingWords(stages: number): string[] {
  const random = new Random(5);
  let words = [""];
  let state = 0x811c9dc5;
  for (let stage = 0; stage < stages; stage++) {
    const { pair, next } = twins(state, random);
    words = words.flatMap((word) => pair.map((block) => word + block));
    state = next;
  }
  return words;
}

/** The milliseconds that numbering all words takes, each met twice; they must get the numbers 0, 1, 2, … */
function millisecondsFor(words: readonly string[]): number {
  const bytes = new TextEncoder().encode(words.join(""));
  const length = words[0]?.length as number;
  const dictionary = new ByteDictionary(bytes);
  const started = performance.now();
  let wrong = 0;
  for (let round = 0; round < 2; round++) {
    for (let k = 0; k < words.length; k++) if (dictionary.codeOf(k * length, (k + 1) * length) !== k) wrong++;
  }
  const milliseconds = performance.now() - started;
  expect([wrong, dictionary.size]).toEqual([0, words.length]);
  expect(dictionary.part(10_000)).toEqual({ from: 10_000 * length, to: 10_001 * length });
  return milliseconds;
}

// Each against each would be 16,000 comparisons a word; with a bound on the search there are 64, and a look into a Map.
test("words made to collide are told apart, in at most 1,000 times the time of others", { timeout: 120_000 }, () => {
  const words = collidingWords(15);
  expect(new Set(words.map((word) => hashFrom(0x811c9dc5, word))).size).toBe(1);
  const others = words.map((word, k) => String(k).padStart(word.length, "x"));
  const usual = Math.max(1, millisecondsFor(others));
  expect(millisecondsFor(words)).toBeLessThan(1000 * usual);
});
