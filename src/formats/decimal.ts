// Decimal numbers from bytes: [+-] digits [. digits] [e [+-] digits], nothing else. The result equals Number(text).
//
// Three ways, the fastest that is certain: numbers of up to 15 digits are one exact operation on doubles; those of up to 18, as in model
// files, one on pairs of doubles, unless it ends too close to where rounding turns; the rest is left to the engine.

import { LOWER_E, MINUS, PLUS, POINT, ZERO } from "./ascii.js";
import { MOST_EXACT_POWER, POWER_HIGH, POWER_LOW, productError } from "./double-double.js";

// Up to here a mantissa is exact, and so is 10^22: one rounding, hence the correct one (Clinger, 1990).
const EXACT_MANTISSA = 2 ** 53;
const EXACT_POWER = 22;
// Digits that a 32-bit integer holds; the mantissa is gathered in two of them.
const HALF_DIGITS = 9;

/** The number in bytes[from, to), or NaN if it is not one. */
export function parseDecimal(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  const negative = bytes[at] === MINUS;
  if (negative || bytes[at] === PLUS) at++;
  const start = at;
  let pointAt = -1;
  let high = 0;
  let low = 0;
  let digits = 0; // without zeros at the front
  for (; at < to; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit >= 0 && digit <= 9) {
      if (digits < HALF_DIGITS) high = (Math.imul(high, 10) + digit) | 0;
      else if (digits < 2 * HALF_DIGITS) low = (Math.imul(low, 10) + digit) | 0;
      if (high !== 0) digits++;
    } else if (digit === POINT - ZERO && pointAt < 0) pointAt = at;
    else break;
  }
  if (at <= start + (pointAt < 0 ? 0 : 1)) return Number.NaN;
  let exponent = pointAt < 0 ? 0 : pointAt + 1 - at;
  if (at < to) {
    exponent += parseExponent(bytes, at, to);
    if (Number.isNaN(exponent)) return Number.NaN;
  }
  const value = digits > 2 * HALF_DIGITS ? Number.NaN : composed(high, low, digits, exponent);
  if (Number.isNaN(value)) return Number(asciiText(bytes, from, to));
  return negative ? -value : value;
}

/** Digits that a double holds whatever they are. */
const SHORT_DIGITS = 15;

/**
 * The number at `cursor.at`, which is moved behind it, if it has 15 digits at most and no exponent: most that data files hold, in one pass and without knowing where they end. NaN, and
 * the cursor where it was, if it is another or none.
 */
export function shortDecimal(bytes: Uint8Array, cursor: { at: number }): number {
  let { at } = cursor;
  const negative = bytes[at] === MINUS;
  if (negative) at++;
  const start = at;
  let mantissa = 0;
  let pointAt = -1;
  for (; ; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit >= 0 && digit <= 9) mantissa = mantissa * 10 + digit;
    else if (digit === POINT - ZERO && pointAt < 0) pointAt = at;
    else break;
  }
  const digits = at - start - (pointAt < 0 ? 0 : 1);
  if (digits < 1 || digits > SHORT_DIGITS || ((bytes[at] as number) | 0x20) === LOWER_E) return Number.NaN;
  cursor.at = at;
  const value = pointAt < 0 ? mantissa : mantissa / (POWER_HIGH[at - pointAt - 1] as number);
  return negative ? -value : value;
}

/** The digits of high and low, as one integer, times 10^exponent; NaN if neither fast way can tell. */
function composed(high: number, low: number, digits: number, exponent: number): number {
  // Exact, as 10^9 brings only 21 bits of its own.
  const shifted = digits > HALF_DIGITS ? high * (POWER_HIGH[digits - HALF_DIGITS] as number) : high;
  const mantissa = shifted + low;
  const size = Math.abs(exponent);
  if (mantissa < EXACT_MANTISSA && size <= EXACT_POWER) {
    const power = POWER_HIGH[size] as number;
    return exponent < 0 ? mantissa / power : mantissa * power;
  }
  if (mantissa === 0 || size > MOST_EXACT_POWER) return Number.NaN;
  return scaled(mantissa, shifted - mantissa + low, exponent);
}

// Far above the errors of the operations on pairs, which are some 2^-106, and far below half a unit in the last place, 2^-54.
const DOUBT = 2 ** -100;

/** (mantissa + rest) 10^exponent, rounded once; NaN if that is too close to call. */
function scaled(mantissa: number, rest: number, exponent: number): number {
  const size = Math.abs(exponent);
  const power = POWER_HIGH[size] as number;
  const powerRest = POWER_LOW[size] as number;
  let value: number;
  let error: number;
  if (exponent >= 0) {
    value = mantissa * power;
    error = productError(mantissa, power, value) + (mantissa * powerRest + rest * power);
  } else {
    value = mantissa / power;
    const product = value * power;
    error = (mantissa - product - productError(value, power, product) + (rest - value * powerRest)) / power;
  }
  const doubt = value * DOUBT;
  const least = value + (error - doubt);
  return least === value + (error + doubt) ? least : Number.NaN;
}

function parseExponent(bytes: Uint8Array, from: number, to: number): number {
  if (((bytes[from] as number) | 0x20) !== LOWER_E) return Number.NaN;
  let at = from + 1;
  const negative = bytes[at] === MINUS;
  if (negative || bytes[at] === PLUS) at++;
  if (at >= to) return Number.NaN;
  let exponent = 0;
  for (; at < to; at++) {
    if (!isDigit(bytes[at])) return Number.NaN;
    exponent = exponent * 10 + ((bytes[at] as number) - ZERO);
  }
  return negative ? -exponent : exponent;
}

const LONGEST_CALL = 1024;

/** Bytes as characters, many at a time: added one by one they would take forty bytes of memory each. */
function asciiText(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let k = from; k < to; k += LONGEST_CALL) text += String.fromCharCode(...bytes.subarray(k, Math.min(to, k + LONGEST_CALL)));
  return text;
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= ZERO + 9;
}
