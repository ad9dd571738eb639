// Text with many numbers as C's printf("%.17g") writes them, straight to bytes.
//
// Seventeen digits of x are the integer nearest to x 10^k, for the k that gives it seventeen. As a pair of doubles that product has an
// error of some 1e-15; where its fraction is farther than that from one half, its digits are certain. The others, and numbers
// below 1e-28 and from 1e16 on, go through formatGeneral, which takes ten times as long. For eight digits a plain product is exact enough.

import { HingeError } from "../base/errors.js";
import { LOWER_E, MINUS, POINT, ZERO } from "./ascii.js";
import { MOST_EXACT_POWER, POWER_HIGH, POWER_LOW, productError } from "./double-double.js";
import { formatGeneral } from "./printf.js";

export const DIGITS = 17;
const LEAST_EXPONENT = DIGITS - 1 - MOST_EXACT_POWER;
const MOST_EXPONENT = DIGITS - 2;
/** 10^LEAST_EXPONENT, the next, …, 10^(MOST_EXPONENT + 1), as doubles. */
export const LADDER = Float64Array.from({ length: MOST_EXPONENT - LEAST_EXPONENT + 2 }, (_, k) => Number(`1e${k + LEAST_EXPONENT}`));
const DOUBT = 1e-9;

/** %.8g, as the originals write features of support vectors. */
export const BRIEF = 8;
/** Powers of ten that are doubles themselves; x times one of them, of eight digits before the point, is off by 1e-8 at most. */
const MOST_BRIEF_POWER = 22;
const BRIEF_DOUBT = 1e-6;

const FIRST_BYTES = 2 ** 16;
/** No number takes more: a sign, 17 digits, a point, four zeros before or an exponent behind, a space and a newline. */
export const LONGEST_NUMBER = 32;

/** The two digits of 0 to 99, one after the other. */
export const PAIRS = Uint8Array.from({ length: 200 }, (_, k) => ZERO + (k % 2 === 0 ? Math.floor(k / 20) : Math.floor(k / 2) % 10));

export class GeneralWriter {
  #bytes: Uint8Array<ArrayBuffer> = newBytes(FIRST_BYTES);
  #next = 0;
  /** The digits that were found: those before the last eight, and the last eight. */
  #high = 0;
  #low = 0;

  /** Text of ASCII characters. */
  text(text: string): void {
    this.#makeRoom(text.length);
    for (let k = 0; k < text.length; k++) this.#bytes[this.#next++] = text.charCodeAt(k);
  }

  /** Text that is bytes already. */
  bytes(text: Uint8Array): void {
    this.#makeRoom(text.length);
    this.#bytes.set(text, this.#next);
    this.#next += text.length;
  }

  /** One ASCII character: what stands between numbers. */
  byte(code: number): void {
    this.#makeRoom(1);
    this.#bytes[this.#next++] = code;
  }

  /** A finite number under %.17g, or under %.8g. */
  number(x: number, digits: typeof DIGITS | typeof BRIEF = DIGITS): void {
    this.#makeRoom(LONGEST_NUMBER);
    const size = Math.abs(x);
    if (size === 0) {
      if (Object.is(x, -0)) this.#bytes[this.#next++] = MINUS;
      this.#bytes[this.#next++] = ZERO;
      return;
    }
    const exponent = digits === BRIEF ? this.#developBrief(size) : this.#develop(size);
    if (exponent === undefined) {
      this.text(formatGeneral(x, digits));
      return;
    }
    const bytes = this.#bytes;
    if (x < 0) bytes[this.#next++] = MINUS;
    if (exponent < 0 && exponent >= -4) {
      bytes[this.#next++] = ZERO;
      bytes[this.#next++] = POINT;
      for (let k = -1; k > exponent; k--) bytes[this.#next++] = ZERO;
      this.#putDigits(this.#next, digits);
      this.#next = this.#cut(this.#next + digits, this.#next + 1);
      return;
    }
    // All digits a place too far to the right; those before the point go back by one, and the point comes where the last of them was.
    const first = this.#next;
    const whole = exponent < 0 ? 1 : exponent + 1;
    this.#putDigits(first + 1, digits);
    for (let k = first; k < first + whole; k++) bytes[k] = bytes[k + 1] as number;
    bytes[first + whole] = POINT;
    this.#next = this.#cut(first + 1 + digits, first + 1 + whole);
    // A point with nothing behind it.
    if (this.#next === first + 1 + whole) this.#next--;
    if (exponent >= 0) return;
    bytes[this.#next++] = LOWER_E;
    bytes[this.#next++] = MINUS;
    this.#putPair(this.#next, -exponent);
    this.#next += 2;
  }

  /** A whole number of 32 bits, not below 0. */
  whole(n: number): void {
    if (n >= 2 ** 31) {
      this.text(String(n));
      return;
    }
    this.#makeRoom(LONGEST_NUMBER);
    let length = 1;
    for (let rest = n; rest >= 10; rest /= 10) length++;
    this.#unfold(n, this.#next, length);
    this.#next += length;
  }

  /** All that was written. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#next);
  }

  #makeRoom(count: number): void {
    if (this.#next + count <= this.#bytes.length) return;
    const longer = newBytes(2 * this.#bytes.length + count);
    longer.set(this.#bytes);
    this.#bytes = longer;
  }

  /** Where the text ends without the zeros before `end`, but not before `least`. */
  #cut(end: number, least: number): number {
    let at = end;
    while (at > least && this.#bytes[at - 1] === ZERO) at--;
    return at;
  }

  /** The digits that were found, to `at` and on. */
  #putDigits(at: number, digits: number): void {
    this.#unfold(this.#low, at + digits - BRIEF, BRIEF);
    if (digits > BRIEF) this.#unfold(this.#high, at, digits - BRIEF);
  }

  /** Finds seventeen digits of x > 0 and returns the power of ten of the first; undefined if it cannot be certain. */
  #develop(x: number): number | undefined {
    const exponent = exponentOf(x);
    if (exponent === undefined) return undefined;
    const k = DIGITS - 1 - exponent;
    const power = POWER_HIGH[k] as number;
    // x 10^k = product + error: an integer of more than 53 bits, hence even, and what it lacks.
    const product = x * power;
    const error = productError(x, power, product) + x * (POWER_LOW[k] as number);
    // A power of ten in doubles may lie on the other side of x than the power itself: then these would be only sixteen digits.
    if (product < 1e16 || (product === 1e16 && error < 0)) return undefined;
    const carry = Math.floor(error + 0.5);
    if (Math.abs(error + 0.5 - Math.round(error + 0.5)) < DOUBT) return undefined;
    let high = Math.floor(product / 1e8);
    let low = product - high * 1e8 + carry;
    if (low < 0) {
      low += 1e8;
      high--;
    } else if (low >= 1e8) {
      low -= 1e8;
      high++;
    }
    if (high >= 1e9) return undefined; // rounded up to the next power of ten
    this.#high = high;
    this.#low = low;
    return exponent;
  }

  /** The same with eight digits. */
  #developBrief(x: number): number | undefined {
    const exponent = exponentOf(x);
    if (exponent === undefined) return undefined;
    const k = BRIEF - 1 - exponent;
    if (k < 0 || k > MOST_BRIEF_POWER) return undefined;
    const product = x * (POWER_HIGH[k] as number);
    const integer = Math.floor(product + 0.5);
    if (integer < 1e7 || integer >= 1e8 || Math.abs(product - integer) > 0.5 - BRIEF_DOUBT) return undefined;
    this.#low = integer;
    return exponent;
  }

  /** The last `length` decimal digits of an integer, to `at` and on. */
  #unfold(integer: number, at: number, length: number): void {
    let rest = integer | 0;
    let k = at + length;
    while (k - at >= 2) {
      const hundredth = (rest / 100) | 0;
      k -= 2;
      this.#putPair(k, rest - 100 * hundredth);
      rest = hundredth;
    }
    if (k > at) this.#bytes[at] = ZERO + (rest % 10);
  }

  #putPair(at: number, below100: number): void {
    this.#bytes[at] = PAIRS[2 * below100] as number;
    this.#bytes[at + 1] = PAIRS[2 * below100 + 1] as number;
  }
}

/** The largest power of ten that, as a double, is not above x; undefined outside the ladder. */
function exponentOf(x: number): number | undefined {
  if (!(x >= (LADDER[0] as number) && x < (LADDER[LADDER.length - 1] as number))) return undefined;
  number64[0] = x;
  // By the power of two: never above, at most one below.
  let at = GUESSES[(words[HIGH_WORD] as number) >>> 20] as number;
  if (x >= (LADDER[at + 1] as number)) at++;
  return at + LEAST_EXPONENT;
}

const number64 = new Float64Array(1);
const words = new Uint32Array(number64.buffer);
number64[0] = 1;
/** Which half holds the exponent: hosts differ. */
const HIGH_WORD = words[1] === 0 ? 0 : 1;

/** For every exponent of a double above 0, as its bits have it, the place in the ladder of the largest power of ten not above the smallest such double, 0 where it is below all. */
export const GUESSES = new Uint8Array(2048);
for (let bits = 0, at = 0; bits < 2048; bits++) {
  const smallest = 2 ** (bits - 1023);
  while (at + 2 < LADDER.length && smallest >= (LADDER[at + 1] as number)) at++;
  GUESSES[bits] = at;
}

function newBytes(length: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(length);
  } catch (cause) {
    throw new HingeError("out-of-memory", `the file does not fit into memory: ${length} bytes were refused`, undefined, { cause });
  }
}
