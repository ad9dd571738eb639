// Text with many numbers as C's printf("%.17g") writes them, straight to bytes.
//
// Seventeen digits of x are the integer nearest to x 10^k, for the k that gives it seventeen. As a pair of doubles that product has an
// error of some 1e-15; where its fraction is farther than that from one half, its digits are certain. The others, and numbers
// below 1e-28 and from 1e16 on, go through formatGeneral, which takes ten times as long. For eight digits a plain product is exact enough.

import { HingeError } from "../base/errors.js";
import { LOWER_E, MINUS, POINT, ZERO } from "./ascii.js";
import { MOST_EXACT_POWER, POWER_HIGH, POWER_LOW, productError } from "./double-double.js";
import { formatGeneral } from "./printf.js";

const DIGITS = 17;
const LEAST_EXPONENT = DIGITS - 1 - MOST_EXACT_POWER;
const MOST_EXPONENT = DIGITS - 2;
/** 10^LEAST_EXPONENT, the next, …, 10^(MOST_EXPONENT + 1), as doubles. */
const LADDER = Float64Array.from({ length: MOST_EXPONENT - LEAST_EXPONENT + 2 }, (_, k) => Number(`1e${k + LEAST_EXPONENT}`));
const DOUBT = 1e-9;

/** %.8g, as the originals write features of support vectors. */
export const BRIEF = 8;
/** Powers of ten that are doubles themselves; x times one of them, of eight digits before the point, is off by 1e-8 at most. */
const MOST_BRIEF_POWER = 22;
const BRIEF_DOUBT = 1e-6;

const PIECE_BYTES = 2 ** 16;
/** No number takes more: a sign, 17 digits, a point, four zeros before or an exponent behind. */
const LONGEST_NUMBER = 32;

export class GeneralWriter {
  readonly #pieces: Uint8Array[] = [];
  #piece = new Uint8Array(PIECE_BYTES);
  #next = 0;
  readonly #digits = new Uint8Array(DIGITS);
  /** How many of them there are. */
  #count = DIGITS;

  /** Text of ASCII characters. */
  text(text: string): void {
    for (let k = 0; k < text.length; k++) {
      if (this.#next === PIECE_BYTES) this.#turn();
      this.#piece[this.#next++] = text.charCodeAt(k);
    }
  }

  /** A finite number under %.17g, or under %.8g. */
  number(x: number, digits: typeof DIGITS | typeof BRIEF = DIGITS): void {
    if (this.#next + LONGEST_NUMBER > PIECE_BYTES) this.#turn();
    const exponent = digits === BRIEF ? this.#developBrief(Math.abs(x)) : this.#develop(Math.abs(x));
    if (exponent === undefined) {
      this.text(formatGeneral(x, digits));
      return;
    }
    this.#count = digits;
    if (x < 0) this.#put(MINUS);
    if (exponent < -4) {
      this.#place(1);
      this.#put(LOWER_E);
      this.#put(MINUS);
      this.#put(ZERO + Math.floor(-exponent / 10));
      this.#put(ZERO + (-exponent % 10));
    } else if (exponent < 0) {
      this.#put(ZERO);
      this.#put(POINT);
      for (let k = -1; k > exponent; k--) this.#put(ZERO);
      this.#putDigits(0, this.#significant(1));
    } else {
      this.#place(exponent + 1);
    }
  }

  /** A whole number of 32 bits, not below 0. */
  whole(n: number): void {
    if (n >= 2 ** 31) {
      this.text(String(n));
      return;
    }
    if (this.#next + LONGEST_NUMBER > PIECE_BYTES) this.#turn();
    let length = 1;
    for (let rest = n; rest >= 10; rest /= 10) length++;
    this.#unfold(n, 0, length);
    this.#putDigits(0, length);
  }

  /** All that was written. */
  finish(): Uint8Array {
    this.#turn();
    const length = this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
    const whole = newBytes(length);
    let next = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, next);
      next += piece.length;
    }
    return whole;
  }

  #turn(): void {
    this.#pieces.push(this.#piece.subarray(0, this.#next));
    this.#piece = newBytes(PIECE_BYTES);
    this.#next = 0;
  }

  #put(byte: number): void {
    this.#piece[this.#next++] = byte;
  }

  /** All significant digits, with a point behind the first `whole` of them if there are more. */
  #place(whole: number): void {
    const count = this.#significant(whole);
    this.#putDigits(0, whole);
    if (count === whole) return;
    this.#put(POINT);
    this.#putDigits(whole, count);
  }

  #putDigits(from: number, to: number): void {
    for (let k = from; k < to; k++) this.#put(this.#digits[k] as number);
  }

  /** How many digits there are before the zeros at the end, but at least `least`. */
  #significant(least: number): number {
    let count = this.#count;
    while (count > least && this.#digits[count - 1] === ZERO) count--;
    return count;
  }

  /** Puts seventeen digits of x >= 0 into #digits and returns the power of ten of the first; undefined if it cannot be certain. */
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
    this.#unfold(high, 0, 9);
    this.#unfold(low, 9, DIGITS);
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
    this.#unfold(integer, 0, BRIEF);
    return exponent;
  }

  /** The decimal digits of an integer to #digits[from, to). */
  #unfold(integer: number, from: number, to: number): void {
    let rest = integer | 0;
    for (let k = to - 1; k >= from; k--) {
      const tenth = (rest / 10) | 0;
      this.#digits[k] = ZERO + rest - 10 * tenth;
      rest = tenth;
    }
  }
}

/** The largest power of ten that, as a double, is not above x; undefined outside the ladder. */
function exponentOf(x: number): number | undefined {
  if (!(x >= (LADDER[0] as number) && x < (LADDER[LADDER.length - 1] as number))) return undefined;
  let below = 0;
  let above = LADDER.length - 1;
  while (above - below > 1) {
    const middle = (below + above) >> 1;
    if (x >= (LADDER[middle] as number)) below = middle;
    else above = middle;
  }
  return below + LEAST_EXPONENT;
}

function newBytes(length: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(length);
  } catch (cause) {
    throw new HingeError("out-of-memory", `the file does not fit into memory: ${length} bytes were refused`, undefined, { cause });
  }
}
