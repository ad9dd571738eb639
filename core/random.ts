// Seeded random numbers: xoshiro128++ (Blackman & Vigna, 2019), 32-bit operations only, so that src/base/random.ts draws the
// same numbers in plain TypeScript. The host seeds the four words; they must not all be zero.
// Checked against the TypeScript twin in test/unit/core/random.test.ts.

import { at, put } from "./memory";

/** The next 32 random bits. state: u32[4]. */
export function nextBits(state: usize): u32 {
  const s0 = at<u32>(state, 0);
  let s1 = at<u32>(state, 1);
  let s2 = at<u32>(state, 2);
  let s3 = at<u32>(state, 3);
  const result = rotl<u32>(s0 + s3, 7) + s0;
  const t = s1 << 9;
  s2 ^= s0;
  s3 ^= s1;
  s1 ^= s2;
  put<u32>(state, 0, s0 ^ s3);
  put<u32>(state, 1, s1);
  put<u32>(state, 2, s2 ^ t);
  put<u32>(state, 3, rotl<u32>(s3, 11));
  return result;
}

/**
 * A number in [0, bound), every one equally likely; bound >= 1. Lemire's multiply-and-shift (2019): the high word of
 * bits * bound, drawn again in the rare case that the low word falls into the incomplete last stretch.
 */
export function nextBelow(state: usize, bound: u32): u32 {
  let product = <u64>nextBits(state) * bound;
  if (<u32>product < bound) {
    const incomplete = (<u32>0 - bound) % bound;
    while (<u32>product < incomplete) product = <u64>nextBits(state) * bound;
  }
  return <u32>(product >> 32);
}

/** Puts the first n entries of a u32 array into a random order, every one equally likely (Fisher and Yates). */
export function shuffle(order: usize, n: u32, state: usize): void {
  for (let k: u32 = 0; k < n; k++) {
    const picked = k + nextBelow(state, n - k);
    const kept = at<u32>(order, picked);
    put<u32>(order, picked, at<u32>(order, k));
    put<u32>(order, k, kept);
  }
}
