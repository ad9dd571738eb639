// Decimal numbers from bytes: [+-] digits [. digits] [e [+-] digits]. Only what can be decided quickly and for certain is
// decided here; the rest is left to the host, which has Number(text).
//
// A number of up to 19 digits is m * 10^k with m in a u64. If m <= 2^53 and |k| <= 22, both m and 10^|k| are exact doubles and one
// multiplication or division rounds once: the result is Number(text) (Clinger, 1990). Otherwise m * 10^k takes up to four
// roundings: the double found is within 4 units in the last place of Number(text). For a float32 that is enough unless the
// double lies that close to the middle between two float32s.
// Checked against Number(text) in test/unit/core/parse.test.ts.

const MOST_DIGITS: u32 = 19;
const EXACT: u64 = 1 << 53;

// The low 29 bits of a double are what rounding to float32 drops; half of them is the middle.
const DROPPED: u64 = (1 << 29) - 1;
const MIDDLE: u64 = 1 << 28;
// More than the 4 units that the double may be off.
const UNSURE: u64 = 16;

/** What was read: where it ended, what it was worth, and how sure that is. */
@unmanaged
export class Decimal {
  value: f64;
  end: usize; // behind the last byte of the number; 0 if there was none
  isExact: u32; // 1: value is Number(text). 0: within 4 units in the last place of it
}

/** Reads the number that begins at `at`, not beyond `limit`. */
export function readDecimal(out: Decimal, at: usize, limit: usize): void {
  out.end = 0;
  let p = at;
  let negative = false;
  if (p < limit) {
    const sign = load<u8>(p);
    negative = sign == 0x2d;
    if (negative || sign == 0x2b) p++;
  }
  const whole = p;
  let mantissa: u64 = 0;
  while (p < limit && isDigit(load<u8>(p))) mantissa = mantissa * 10 + (load<u8>(p++) - 0x30);
  let digits = <u32>(p - whole);
  let exponent: i32 = 0;
  if (p < limit && load<u8>(p) == 0x2e) {
    const fraction = ++p;
    while (p < limit && isDigit(load<u8>(p))) mantissa = mantissa * 10 + (load<u8>(p++) - 0x30);
    exponent = -(<i32>(p - fraction));
    digits -= exponent;
  }
  if (digits == 0) return;
  if (p < limit && (load<u8>(p) | 0x20) == 0x65) {
    const written = readExponent(p + 1, limit);
    if (written == NO_EXPONENT) return;
    exponent += written;
    p = exponentEnd(p + 1, limit);
  }
  out.end = p;
  if (digits > MOST_DIGITS) {
    // The mantissa may have run over. Such numbers are rare enough to be left to the host.
    out.isExact = 0;
    out.value = NaN;
    return;
  }
  scale(out, mantissa, exponent, negative);
}

function isDigit(byte: u32): bool {
  return byte - 0x30 < 10;
}

const NO_EXPONENT: i32 = i32.MIN_VALUE;
const LARGEST_EXPONENT: i32 = 100_000;

/** The number behind the e, cut off where it can no longer matter. */
function readExponent(at: usize, limit: usize): i32 {
  let negative = false;
  if (at < limit && (load<u8>(at) == 0x2d || load<u8>(at) == 0x2b)) {
    negative = load<u8>(at) == 0x2d;
    at++;
  }
  let exponent: i32 = 0;
  const first = at;
  for (; at < limit && isDigit(load<u8>(at)); at++) {
    exponent = min(exponent * 10 + (<i32>load<u8>(at) - 0x30), LARGEST_EXPONENT);
  }
  if (at == first) return NO_EXPONENT;
  return negative ? -exponent : exponent;
}

function exponentEnd(at: usize, limit: usize): usize {
  if (at < limit && (load<u8>(at) == 0x2d || load<u8>(at) == 0x2b)) at++;
  while (at < limit && isDigit(load<u8>(at))) at++;
  return at;
}

function scale(out: Decimal, mantissa: u64, exponent: i32, negative: bool): void {
  let value = <f64>mantissa;
  const size = exponent < 0 ? -exponent : exponent;
  out.isExact = 1;
  if (mantissa == 0) {
    value = 0;
  } else if (mantissa <= EXACT && size <= 22) {
    value = exponent < 0 ? value / powerOfTen(size) : value * powerOfTen(size);
  } else if (size <= 66) {
    out.isExact = 0;
    for (let rest = size; rest > 0; rest -= min(rest, 22)) {
      const power = powerOfTen(min(rest, 22));
      value = exponent < 0 ? value / power : value * power;
    }
  } else {
    out.isExact = 0;
    value = NaN; // the host decides
  }
  out.value = negative ? -value : value;
}

/** Whether rounding the number to float32 gives what rounding Number(text) would. */
export function isSureFloat(d: Decimal): bool {
  if (d.isExact) return true;
  const size = abs(d.value);
  // Outside this range float32 has other steps than a double cut by 29 bits, or none.
  if (!(size > 1.2e-38 && size < 3.4e38)) return false;
  const dropped = reinterpret<u64>(d.value) & DROPPED;
  return dropped > MIDDLE + UNSURE || dropped < MIDDLE - UNSURE;
}

/** 10^k for 0 <= k <= 22, all exact. */
function powerOfTen(k: i32): f64 {
  switch (k) {
    case 0:
      return 1;
    case 1:
      return 1e1;
    case 2:
      return 1e2;
    case 3:
      return 1e3;
    case 4:
      return 1e4;
    case 5:
      return 1e5;
    case 6:
      return 1e6;
    case 7:
      return 1e7;
    case 8:
      return 1e8;
    case 9:
      return 1e9;
    case 10:
      return 1e10;
    case 11:
      return 1e11;
    case 12:
      return 1e12;
    case 13:
      return 1e13;
    case 14:
      return 1e14;
    case 15:
      return 1e15;
    case 16:
      return 1e16;
    case 17:
      return 1e17;
    case 18:
      return 1e18;
    case 19:
      return 1e19;
    case 20:
      return 1e20;
    case 21:
      return 1e21;
    default:
      return 1e22;
  }
}
