// What the core's writer of numbers looks up (core/write/numbers.ts), from the tables of ours.

import { POWER_HIGH, POWER_LOW } from "./double-double.js";
import { GUESSES, LADDER, PAIRS } from "./general-writer.js";

export const TABLE_BYTES = 8 * (POWER_HIGH.length + POWER_LOW.length + LADDER.length) + GUESSES.length + PAIRS.length;

/** 10^k as pairs of doubles, the ladder of powers, guesses at the exponent, digits of 0 to 99. */
export function writingTables(): Uint8Array {
  const doubles = Float64Array.of(...POWER_HIGH, ...POWER_LOW, ...LADDER);
  const bytes = new Uint8Array(TABLE_BYTES);
  bytes.set(new Uint8Array(doubles.buffer));
  bytes.set(GUESSES, doubles.byteLength);
  bytes.set(PAIRS, doubles.byteLength + GUESSES.length);
  return bytes;
}
