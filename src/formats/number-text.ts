// Numbers as the shortest text that reads back to the same bits.

/** A finite double. */
export function shortestDouble(x: number): string {
  return Object.is(x, -0) ? "-0" : String(x);
}

const SMALLEST_NORMAL = 2 ** -126;

/**
 * A finite float32 as readers round it: text to double to float32. Texts of up to six digits survive float32 (and come out at
 * six), nine tell any two apart; subnormal numbers have fewer digits, so any count may be the shortest.
 */
export function shortestFloat(x: number): string {
  for (let digits = Math.abs(x) < SMALLEST_NORMAL ? 1 : 6; digits <= 9; digits++) {
    const rounded = Number(x.toPrecision(digits));
    if (Object.is(Math.fround(rounded), x)) return shortestDouble(rounded);
  }
  return shortestDouble(x); // -0: toPrecision drops its sign
}
