// exp and log of our own: the same arithmetic as core/math.ts, equal bit for bit (test/unit/core/math.test.ts). The host's
// differ in the last bit between engines, and models must not. Formulas and error bounds are in core/math.ts.

const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
const INVERSE_LN2 = Math.LOG2E;
const EXP_OVERFLOW = 709.782712893384;
const EXP_UNDERFLOW = -745.1332191019412;
const SMALLEST_NORMAL = 2.2250738585072014e-308;
const TWO_TO_54 = 18014398509481984;

/** 1/13!, 1/12!, ..., 1/2!: the Taylor polynomial of e^r behind 1 + r, highest power first. */
const EXP_TERMS = [6227020800, 479001600, 39916800, 3628800, 362880, 40320, 5040, 720, 120, 24, 6, 2].map((factorial) => 1 / factorial);

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
  const value = 1 + (r + (lost + r * r * polynomial(EXP_TERMS, r)));
  const half = Math.floor(k * 0.5);
  return value * powerOfTwo(half) * powerOfTwo(k - half);
}

/** 2/23, 2/21, ..., 2/3: the series of 2 atanh(s) / s behind its first term, highest power first. */
const LOG_TERMS = [23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3].map((odd) => 2 / odd);

/** ln x. */
export function log(x: number): number {
  if (Number.isNaN(x) || x < 0) return NaN;
  if (x === 0) return -Infinity;
  if (x === Infinity) return x;
  let [m, k] = x < SMALLEST_NORMAL ? split(x * TWO_TO_54) : split(x);
  if (x < SMALLEST_NORMAL) k -= 54;
  if (m > Math.SQRT2) {
    m *= 0.5;
    k += 1;
  }
  const f = m - 1;
  const s = f / (2 + f);
  const z = s * s;
  const half = 0.5 * f * f;
  return k * LN2_HIGH - (half - (s * (half + polynomial(LOG_TERMS, z) * z) + k * LN2_LOW) - f);
}

function polynomial(terms: readonly number[], x: number): number {
  let sum = terms[0] as number;
  for (let k = 1; k < terms.length; k++) sum = sum * x + (terms[k] as number);
  return sum;
}

/** 2^k for -1022 <= k <= 1023, by repeated squaring: every product is a power of two, so all are exact. */
function powerOfTwo(k: number): number {
  let base = k < 0 ? 0.5 : 2;
  let result = 1;
  for (let rest = Math.abs(k); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result *= base;
    base *= base;
  }
  return result;
}

/** x = m 2^k with 1 <= m < 2, for a normal x > 0. */
function split(x: number): [m: number, k: number] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const head = view.getUint32(0);
  view.setUint32(0, (head & 0x000fffff) | 0x3ff00000);
  return [view.getFloat64(0), ((head >>> 20) & 0x7ff) - 1023];
}
