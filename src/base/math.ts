// exp and log of our own: the same arithmetic as core/math.ts, equal bit for bit (test/unit/core/math.test.ts). The host's
// differ in the last bit between engines, and models must not. Formulas and error bounds are in core/math.ts.

const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
const INVERSE_LN2 = Math.LOG2E;
const EXP_OVERFLOW = 709.782712893384;
const EXP_UNDERFLOW = -745.1332191019412;
const SMALLEST_NORMAL = 2.2250738585072014e-308;
const TWO_TO_54 = 18014398509481984;

/** e^x. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > EXP_OVERFLOW) return Infinity;
  if (x < EXP_UNDERFLOW) return 0;
  const k = Math.floor(x * INVERSE_LN2 + 0.5);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const lost = high - r - low;

  const r2 = r * r;
  const r4 = r2 * r2;
  const first = 0.5 + r * (1 / 6) + r2 * (1 / 24 + r * (1 / 120));
  const second = 1 / 720 + r * (1 / 5040) + r2 * (1 / 40320 + r * (1 / 362880));
  const third = 1 / 3628800 + r * (1 / 39916800) + r2 * (1 / 479001600 + r * (1 / 6227020800));
  const value = 1 + (r + (lost + r2 * (first + r4 * (second + r4 * third))));

  const half = Math.floor(k * 0.5);
  return value * powerOfTwo(half) * powerOfTwo(k - half);
}

/** ln x. */
export function log(x: number): number {
  if (Number.isNaN(x) || x < 0) return NaN;
  if (x === 0) return -Infinity;
  if (x === Infinity) return x;
  const isSubnormal = x < SMALLEST_NORMAL;
  bits.setFloat64(0, isSubnormal ? x * TWO_TO_54 : x);
  const head = bits.getUint32(0);
  let k = ((head >>> 20) & 0x7ff) - 1023 - (isSubnormal ? 54 : 0);
  bits.setUint32(0, (head & 0x000fffff) | 0x3ff00000);
  let m = bits.getFloat64(0);
  if (m > Math.SQRT2) {
    m *= 0.5;
    k += 1;
  }

  const f = m - 1;
  const s = f / (2 + f);
  const z = s * s;
  const z2 = z * z;
  const z4 = z2 * z2;
  const first = 2 / 3 + z * (2 / 5) + z2 * (2 / 7 + z * (2 / 9));
  const second = 2 / 11 + z * (2 / 13) + z2 * (2 / 15 + z * (2 / 17));
  const third = 2 / 19 + z * (2 / 21) + z2 * (2 / 23);
  const p = first + z4 * (second + z4 * third);
  const half = 0.5 * f * f;
  return k * LN2_HIGH - (half - (s * (half + p * z) + k * LN2_LOW) - f);
}

/** ln(1 + x) for x > -1, small x included. */
export function log1p(x: number): number {
  const sum = 1 + x;
  return sum === Infinity ? sum : log(sum) + (x - (sum - 1)) / sum;
}

/** 2^k for -1022 <= k <= 1023. */
function powerOfTwo(k: number): number {
  bits.setUint32(0, (k + 1023) << 20);
  bits.setUint32(4, 0);
  return bits.getFloat64(0);
}

/** One double, to look at its bits; written before every look. */
const bits = new DataView(new ArrayBuffer(8));
