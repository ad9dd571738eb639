// Decimal numbers from bytes: [+-] digits [. digits] [e [+-] digits], nothing else. The result equals Number(text).

const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const LOWER_E = 0x65;

// Up to here a mantissa is exact, and so is 10^22: one rounding, hence the correct one (Clinger, 1990).
const EXACT_MANTISSA = 2 ** 53;
const EXACT_POWERS = Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));

/** The number in bytes[from, to), or NaN if it is not one. */
export function parseDecimal(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  const negative = bytes[at] === MINUS;
  if (negative || bytes[at] === PLUS) at++;
  let mantissa = 0;
  let exponent = 0;
  const whole = at;
  for (; at < to && isDigit(bytes[at]); at++) mantissa = mantissa * 10 + ((bytes[at] as number) - ZERO);
  let digits = at - whole;
  if (at < to && bytes[at] === POINT) {
    const fraction = ++at;
    for (; at < to && isDigit(bytes[at]); at++) mantissa = mantissa * 10 + ((bytes[at] as number) - ZERO);
    exponent = fraction - at;
    digits += at - fraction;
  }
  if (digits === 0) return Number.NaN;
  if (at < to) {
    const written = parseExponent(bytes, at, to);
    if (Number.isNaN(written)) return Number.NaN;
    exponent += written;
  }
  if (mantissa < EXACT_MANTISSA && Math.abs(exponent) <= 22) {
    const power = EXACT_POWERS[Math.abs(exponent)] as number;
    const value = exponent < 0 ? mantissa / power : mantissa * power;
    return negative ? -value : value;
  }
  let text = ""; // piece by piece: a token may have more digits than a call may have arguments
  for (let k = from; k < to; k++) text += String.fromCharCode(bytes[k] as number);
  return Number(text);
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

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= ZERO + 9;
}
