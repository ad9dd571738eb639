// Many numbers as C's printf("%.17g") writes them, each followed by a space, each line by a newline; and support vectors, whose values are "%.8g". The method, and what it leaves to somebody slower, is that of
// src/formats/general-writer.ts, whose bytes these are: checked in test/unit/core/write-numbers.test.ts and test/unit/formats/number-lines.test.ts.

import { productError } from "../double-double";
import { at, put } from "../memory";

const MINUS: u8 = 0x2d;
const POINT: u8 = 0x2e;
const ZERO: u8 = 0x30;
const LOWER_E: u8 = 0x65;
const SPACE: u8 = 0x20;
const NEWLINE: u8 = 0x0a;

const COLON: u8 = 0x3a;

const DIGITS: u32 = 17;
const DOUBT: f64 = 1e-9;
const BRIEF: u32 = 8;
const BRIEF_DOUBT: f64 = 1e-6;
const MOST_BRIEF_POWER: u32 = 22;

// The tables, which the host fills: 10^k as a pair of doubles and the ladder of powers, f64[45] each; guesses, u8[2048]; digits of 0 to 99, u8[200].
const POWERS: usize = 45;
const LOW: usize = 8 * POWERS;
const LADDER: usize = 16 * POWERS;
const GUESSES: usize = 24 * POWERS;
const PAIRS: usize = GUESSES + 2048;
const LEAST_EXPONENT: i32 = -28;
const NO_STEP: u32 = 0xffffffff;

/**
 * Writes values as long as their digits are certain; returns how many. values: f64[count]; `column`: how many stand on the present line already;
 * out: u8[32 count], since none takes more than a sign, 17 digits, a point, four zeros before or an exponent behind, a space and a newline; written: u32, out: how many bytes.
 */
export function writeNumbers(values: usize, count: u32, columns: u32, column: u32, tables: usize, out: usize, written: usize): u32 {
  let to = out;
  let k: u32 = 0;
  for (; k < count; k++) {
    const next = writeNumber(to, at<f64>(values, k), tables);
    if (next == 0) break;
    store<u8>(next, SPACE);
    to = next + 1;
    if (++column < columns) continue;
    column = 0;
    store<u8>(to++, NEWLINE);
  }
  put<u32>(written, 0, <u32>(to - out));
  return k;
}

/**
 * Writes the lines of support vectors [from, to) of LIBSVM's model files, each its coefficients and then its entries, as long as all digits are certain; returns the first that is not written. coefficients:
 * f64[][columns], starts: u32[], both by support vector; indices: u32[], values: f64[], those of [starts[from], starts[to]); out: room for 32 bytes a number or entry and one a line; written: u32, out.
 */
export function writeVectors(
  coefficients: usize,
  columns: u32,
  starts: usize,
  indices: usize,
  values: usize,
  from: u32,
  to: u32,
  tables: usize,
  out: usize,
  written: usize,
): u32 {
  const first = at<u32>(starts, from);
  let end = out;
  let v = from;
  for (; v < to; v++) {
    let next = end;
    for (let k = v * columns; k < (v + 1) * columns && next != 0; k++) next = spaced(writeNumber(next, at<f64>(coefficients, k), tables));
    const last = at<u32>(starts, v + 1) - first;
    for (let e = at<u32>(starts, v) - first; e < last && next != 0; e++) {
      next = writeWhole(next, at<u32>(indices, e));
      store<u8>(next, COLON);
      next = spaced(writeBrief(next + 1, at<f64>(values, e), tables));
    }
    if (next == 0) break;
    store<u8>(next, NEWLINE);
    end = next + 1;
  }
  put<u32>(written, 0, <u32>(end - out));
  return v;
}

/** Behind a space, unless there is nothing before it. */
function spaced(end: usize): usize {
  if (end == 0) return 0;
  store<u8>(end, SPACE);
  return end + 1;
}

function writeWhole(to: usize, n: u32): usize {
  let length: usize = 1;
  for (let rest = n; rest >= 10; rest /= 10) length++;
  let rest = n;
  for (let place = to + length; place > to; rest /= 10) store<u8>(--place, ZERO + <u8>(rest % 10));
  return to + length;
}

/** The exponent of a size as the ladder has it, from LEAST_EXPONENT on as 0; none where it is not on it. */
function stepOf(size: f64, tables: usize): u32 {
  const ladder = tables + LADDER;
  if (!(size >= at<f64>(ladder, 0) && size < at<f64>(ladder, <u32>POWERS - 1))) return NO_STEP;
  const step = <u32>load<u8>(tables + GUESSES + <usize>((reinterpret<u64>(size) >>> 52) & 0x7ff));
  return step + <u32>(size >= at<f64>(ladder, step + 1));
}

/** As below with eight digits, for which a plain product is exact enough. */
function writeBrief(to: usize, x: f64, tables: usize): usize {
  if (x == 0) return writeZero(to, x);
  const size = abs(x);
  const step = stepOf(size, tables);
  const exponent = <i32>step + LEAST_EXPONENT;
  const k = <u32>(<i32>BRIEF - 1 - exponent);
  if (step == NO_STEP || k > MOST_BRIEF_POWER) return 0;
  const product = size * at<f64>(tables, k);
  const integer = floor(product + 0.5);
  if (integer < 1e7 || integer >= 1e8 || abs(product - integer) > 0.5 - BRIEF_DOUBT) return 0;
  if (x < 0) store<u8>(to++, MINUS);
  return layOut(to, <i64>integer, BRIEF, exponent, tables);
}

function writeZero(to: usize, x: f64): usize {
  if (reinterpret<u64>(x) != 0) store<u8>(to++, MINUS);
  store<u8>(to, ZERO);
  return to + 1;
}

/** Where the text of x ends that begins at `to`; 0 if its digits are not certain. */
function writeNumber(to: usize, x: f64, tables: usize): usize {
  if (x == 0) return writeZero(to, x);
  const size = abs(x);
  const step = stepOf(size, tables);
  if (step == NO_STEP) return 0;
  const exponent = <i32>step + LEAST_EXPONENT;
  const k = <u32>(<i32>DIGITS - 1 - exponent);
  const power = at<f64>(tables, k);
  const product = size * power;
  const error = productError(size, power, product) + size * at<f64>(tables + LOW, k);
  // A power of ten in doubles may lie on the other side of x than the power itself: then these would be only sixteen digits.
  if (product < 1e16 || (product == 1e16 && error < 0)) return 0;
  const raised = error + 0.5;
  if (abs(raised - nearest(raised)) < DOUBT) return 0;
  const digits = <i64>product + <i64>floor(raised);
  if (digits >= 100_000_000_000_000_000) return 0; // rounded up to the next power of ten
  if (x < 0) store<u8>(to++, MINUS);
  return layOut(to, digits, DIGITS, exponent, tables);
}

/** Puts `count` digits, the first of which is worth 10^exponent, as %g does; returns where they end. */
function layOut(to: usize, digits: i64, count: u32, exponent: i32, tables: usize): usize {
  if (exponent < 0 && exponent >= -4) {
    store<u8>(to++, ZERO);
    store<u8>(to++, POINT);
    for (let zeros = -1 - exponent; zeros > 0; zeros--) store<u8>(to++, ZERO);
    putDigits(to, digits, count, tables);
    return withoutZeros(to + count, to + 1);
  }
  // All digits a place too far to the right; those before the point go back by one, and the point comes where the last of them was.
  const whole = <usize>(exponent < 0 ? 1 : exponent + 1);
  putDigits(to + 1, digits, count, tables);
  for (let place = to; place < to + whole; place++) store<u8>(place, load<u8>(place + 1));
  store<u8>(to + whole, POINT);
  let end = withoutZeros(to + 1 + count, to + 1 + whole);
  if (end == to + 1 + whole) end--; // a point with nothing behind it
  if (exponent >= 0) return end;
  store<u8>(end, LOWER_E);
  store<u8>(end + 1, MINUS);
  putPair(end + 2, <u32>-exponent, tables);
  return end + 4;
}

/** Seventeen digits, or eight. */
function putDigits(to: usize, digits: i64, count: u32, tables: usize): void {
  if (count == BRIEF) {
    putEight(to, <u32>digits, tables);
    return;
  }
  const high = <u32>(digits / 100_000_000);
  const low = <u32>(digits - <i64>high * 100_000_000);
  putEight(to + 9, low, tables);
  const first = high / 100_000_000;
  store<u8>(to, ZERO + <u8>first);
  putEight(to + 1, high - first * 100_000_000, tables);
}

function putEight(to: usize, digits: u32, tables: usize): void {
  const left = digits / 10_000;
  const right = digits - left * 10_000;
  const a = left / 100;
  const b = right / 100;
  putPair(to, a, tables);
  putPair(to + 2, left - a * 100, tables);
  putPair(to + 4, b, tables);
  putPair(to + 6, right - b * 100, tables);
}

function putPair(to: usize, below100: u32, tables: usize): void {
  store<u16>(to, load<u16>(tables + PAIRS + 2 * <usize>below100));
}

/** Where the text ends without the zeros before `end`, but not before `least`. */
function withoutZeros(end: usize, least: usize): usize {
  while (end > least && load<u8>(end - 1) == ZERO) end--;
  return end;
}
