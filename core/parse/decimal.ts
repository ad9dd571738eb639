// Decimal numbers from bytes: [+-] digits [. digits] [e [+-] digits]. Only what can be decided quickly and for certain is
// decided here; the rest is left to the host, which has Number(text).
//
// A number of up to 19 digits, zeros at the front not counted, is m * 10^k with m in a u64. If m <= 2^53 and |k| <= 22, both m and 10^|k| are exact doubles and one
// multiplication or division rounds once: the result is Number(text) (Clinger, 1990). If m is larger, as in the 17 digits that bring every double back, it is two doubles, and
// so is the result, with an error of some 2^-104 of it: their sum is Number(text) unless that is too close to call. Otherwise m * 10^k takes up to four
// roundings: the double found is within 4 units in the last place of Number(text). For a float32 that is enough unless the
// double lies that close to the middle between two float32s.
// Checked against Number(text) in test/unit/core/parse.test.ts.

import { productError } from "../double-double";

const MOST_DIGITS: u32 = 19;
/** Bytes, zeros at the front and all, up to which a number is certainly out of reach once its exponent was cut off (LARGEST_EXPONENT). */
const MOST_BYTES: usize = 1000;
const EXACT: u64 = 1 << 53;

// The low 29 bits of a double are what rounding to float32 drops; half of them is the middle.
const DROPPED: u64 = (1 << 29) - 1;
const MIDDLE: u64 = 1 << 28;
// More than the 4 units that the double may be off.
const UNSURE: u64 = 16;

/** What was read: where it ended, what it was worth, and how sure that is; and a table to look up powers in. */
@unmanaged
export class Decimal {
  value: f64;
  end: usize; // behind the last byte of the number; 0 if there was none
  isExact: u32; // 1: value is Number(text). 0: within 4 units in the last place of it
  // f64[23] follow: 10^0 … 10^22; then v128[4], masks that loops want in registers: as literals they would be built anew in every turn
}

/** Where the masks are: sixteen bytes "0", 118, "." and " ". */
export const MASKS: usize = 16 + 23 * 8;

/** Bytes of a Decimal with its tables. */
export const DECIMAL_BYTES: usize = MASKS + 4 * 16;

/** Writes the tables; each product is exact. */
export function fillPowers(d: Decimal): void {
  const masks = changetype<usize>(d) + MASKS;
  v128.store(masks, i8x16.splat(0x30));
  v128.store(masks, i8x16.splat(118), 16);
  v128.store(masks, i8x16.splat(0x2e), 32);
  v128.store(masks, i8x16.splat(0x20), 48);
  let power: f64 = 1;
  for (let k: usize = 0; k <= 22; k++) {
    store<f64>(changetype<usize>(d) + 16 + (k << 3), power);
    power *= 10;
  }
}

/** 10^k for 0 <= k <= 22, all exact. */
export function powerOfTen(d: Decimal, k: u32): f64 {
  return load<f64>(changetype<usize>(d) + 16 + ((<usize>k) << 3));
}

// Eight bytes "0", and digits eight at a time, little-endian: the first digit is the lowest byte.
//
//   bytes ^ ZEROS     a digit becomes 0 … 9, anything else has a bit above the lowest four, or gets one by adding 6
//   pairs             10 b0 + b1 in every second byte, then hundreds of those, then ten thousands
export const ZEROS: u64 = 0x3030303030303030;

/** How many of the eight bytes, from the first on, are digits. Takes them after ^ ZEROS. */
export function digitCount(digits: u64): u32 {
  // A sum that runs over changes only bytes behind one that is no digit.
  const others = (digits | (digits + 0x0606060606060606)) & 0xf0f0f0f0f0f0f0f0;
  return <u32>(ctz(others) >> 3);
}

/** Whether all eight are digits. Takes them after ^ ZEROS. */
export function areDigits(digits: u64): bool {
  return ((digits | (digits + 0x0606060606060606)) & 0xf0f0f0f0f0f0f0f0) == 0;
}

/** What the first `count` of them are worth, 1 <= count <= 8. */
export function digitsValue(digits: u64, count: u32): u64 {
  // The others are pushed out, and zeros in from the front.
  return eightDigits(digits << (64 - ((<u64>count) << 3)));
}

/** What eight digits are worth. */
export function eightDigits(digits: u64): u64 {
  const pairs = digits * 10 + (digits >> 8);
  const low = (pairs & 0x000000ff000000ff) * 0x000f424000000064;
  const high = ((pairs >> 16) & 0x000000ff000000ff) * 0x0000271000000001;
  return (low + high) >> 32;
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
  let digits: u32 = 0; // from the first on that is not 0
  for (; p < limit && isDigit(load<u8>(p)); p++) {
    const digit: u32 = load<u8>(p) - 0x30;
    mantissa = mantissa * 10 + digit;
    digits += <u32>((digits | digit) != 0);
  }
  let isThere = p > whole;
  let exponent: i32 = 0;
  if (p < limit && load<u8>(p) == 0x2e) {
    const fraction = ++p;
    for (; p < limit && isDigit(load<u8>(p)); p++) {
      const digit: u32 = load<u8>(p) - 0x30;
      mantissa = mantissa * 10 + digit;
      digits += <u32>((digits | digit) != 0);
    }
    exponent = -(<i32>(p - fraction));
    isThere = isThere || p > fraction;
  }
  if (!isThere) return;
  if (p < limit && (load<u8>(p) | 0x20) == 0x65) {
    const written = readExponent(p + 1, limit);
    if (written == NO_EXPONENT) return;
    exponent += written;
    p = exponentEnd(p + 1, limit);
  }
  out.end = p;
  if (digits > MOST_DIGITS || p - at > MOST_BYTES) {
    // The mantissa may have run over, or the exponent was cut off. Such numbers are rare enough to be left to the host.
    out.isExact = 0;
    out.value = NaN;
    return;
  }
  scale(out, mantissa, exponent, negative);
}

export function isDigit(byte: u32): bool {
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
  const size = exponent < 0 ? -exponent : exponent;
  let value = NaN; // as long as nothing is sure
  out.isExact = 1;
  if (mantissa == 0) value = 0;
  else if (size <= 22) {
    const power = powerOfTen(out, size);
    if (mantissa > EXACT) value = twice(mantissa, power, exponent < 0);
    else value = exponent < 0 ? <f64>mantissa / power : <f64>mantissa * power;
  }
  if (value != value) {
    out.isExact = 0;
    if (size <= 66) value = nearly(out, mantissa, exponent); // else the host decides
  }
  out.value = negative ? -value : value;
}

/** Within 4 units in the last place. */
function nearly(d: Decimal, mantissa: u64, exponent: i32): f64 {
  let value = <f64>mantissa;
  for (let rest = exponent < 0 ? -exponent : exponent; rest > 0; rest -= min(rest, 22)) {
    const power = powerOfTen(d, min(rest, 22));
    value = exponent < 0 ? value / power : value * power;
  }
  return value;
}

// Far above the errors of the operations on pairs of doubles below, and far below half a unit in the last place, 2^-54.
const DOUBT: f64 = 1.0 / 1267650600228229401496703205376.0; // 2^-100

/** mantissa times or over a power of ten that is a double, rounded once; NaN if that is too close to call. */
function twice(mantissa: u64, power: f64, isOver: bool): f64 {
  const high = <f64>mantissa;
  const low = <f64>(<i64>(mantissa - <u64>high));
  let value: f64;
  let error: f64;
  if (isOver) {
    value = high / power;
    const product = value * power;
    error = (high - product - productError(value, power, product) + low) / power;
  } else {
    value = high * power;
    error = productError(high, power, value) + low * power;
  }
  const doubt = value * DOUBT;
  const least = value + (error - doubt);
  return least == value + (error + doubt) ? least : NaN;
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
