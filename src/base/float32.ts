// The float32 functions of kernels, one number at a time: the same arithmetic as core/kernel/functions.ts, equal bit for bit (test/unit/core/kernel-functions.test.ts).

const { fround } = Math;
const LN2_HIGH = 0.693359375;
const LN2_LOW = fround(-2.121944400546e-4);
const LOG2E = fround(Math.LOG2E);
const LEAST = fround(-87.33654);
const MOST = 88;
const ROUNDER = 12582912;
const [P0, P1, P2, P3, P4] = [0.49999994, 0.1666652, 0.041668393, 0.008368748, 0.0013814548].map(fround) as [
  number,
  number,
  number,
  number,
  number,
];

// 2^-126 to 2^127.
const POWERS = new Float32Array(Int32Array.from({ length: 254 }, (_, k) => (k + 1) << 23).buffer);

/** e^x. */
export function exp32(x: number): number {
  if (!(x >= LEAST)) return 0;
  const inside = Math.min(x, MOST);
  const k = fround(fround(fround(inside * LOG2E) + ROUNDER) - ROUNDER);
  let r = fround(inside - fround(k * LN2_HIGH));
  r = fround(r - fround(k * LN2_LOW));
  const r2 = fround(r * r);
  const low = fround(P0 + fround(r * P1));
  const middle = fround(P2 + fround(r * P3));
  const p = fround(low + fround(r2 * fround(middle + fround(r2 * P4))));
  const value = fround(1 + fround(r + fround(r2 * p)));
  return fround(value * (POWERS[k + 126] as number));
}

/** tanh x. */
export function tanh32(x: number): number {
  const e = exp32(Math.min(fround(x + x), 40));
  return fround(1 - fround(2 / fround(e + 1)));
}

/** x^degree. */
export function power32(x: number, degree: number): number {
  let result = 1;
  let square = x;
  for (let left = degree; left > 0; left >>>= 1) {
    if (left & 1) result = fround(result * square);
    square = fround(square * square);
  }
  return result;
}
