// Numbers of about 106 bits as unevaluated sums of two doubles (Dekker, "A floating-point technique for extending the available
// precision", 1971): enough to see on which side of a rounding boundary nearly every decimal number of 17 digits lies.

/** The powers of ten that a pair of doubles holds exactly: 5^44 has 103 bits. */
export const MOST_EXACT_POWER = 44;

/** 10^k = POWER_HIGH[k] + POWER_LOW[k], exactly. */
export const POWER_HIGH: readonly number[] = Array.from({ length: MOST_EXACT_POWER + 1 }, (_, k) => Number(10n ** BigInt(k)));
export const POWER_LOW: readonly number[] = POWER_HIGH.map((high, k) => Number(10n ** BigInt(k) - BigInt(high)));

const SPLITTER = 2 ** 27 + 1;

/** a * b - product, exactly, where product = a * b as rounded. No part may overflow or vanish. */
export function productError(a: number, b: number, product: number): number {
  const scaledA = SPLITTER * a;
  const scaledB = SPLITTER * b;
  const highA = scaledA - (scaledA - a);
  const highB = scaledB - (scaledB - b);
  const lowA = a - highA;
  const lowB = b - highB;
  return highA * highB - product + highA * lowB + lowA * highB + lowA * lowB;
}
