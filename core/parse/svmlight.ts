// Lines of svmlight text, "label index:value index:value …", straight into the arrays of a CSR matrix.
//
// Only regular lines are parsed here: rising indices, plain decimals, blanks between, a line break or a comment at the end. At
// anything else (an error, a qid, a number that needs more care) the line is undone and handed back; the host's own parser
// (src/formats/svmlight-line.ts) reads it or says what is wrong with it. So there is one place that knows the messages, and this
// one can be fast. Behind the text stand a line break and 63 bytes more, whatever they are: the host leaves room for them. Checked against the host's parser in test/unit/core/parse.test.ts.

import { SvmlightBlock } from "../layout/svmlight";
import { put } from "../memory";
import {
  areDigits,
  Decimal,
  digitCount,
  digitsValue,
  eightDigits,
  fillPowers,
  isDigit,
  isSureFloat,
  MASKS,
  powerOfTen,
  readDecimal,
  ZEROS,
} from "./decimal";

/** What `parseBlock` stopped at. */
export const enum Stop {
  End = 0, // every line was parsed
  Irregular = 1, // the line at `next` is for the host
}

const NEWLINE: u32 = 0x0a;
const RETURN: u32 = 0x0d;
const HASH: u32 = 0x23;
const COLON: u32 = 0x3a;
const PLUS: u32 = 0x2b;
const MINUS: u32 = 0x2d;
const BLANK: u32 = 0x20;
const ZERO_BLANK: u16 = 0x2030; // "0 ", little-endian
const COLON_ONE: u32 = 0x313a; // ":1", little-endian
const COLON_ZERO_POINT: u32 = 0x2e303a; // ":0."
const TWO_BYTES: u32 = 0xffff;
const THREE_BYTES: u32 = 0xffffff;
const ONE: u32 = 0x3f800000; // as a float32
const QID: u32 = 0x3a646971; // "qid:", little-endian

/** Parses lines from `next` on, until the block's end or a line that is not regular. */
export function parseBlock(s: SvmlightBlock): Stop {
  fillPowers(changetype<Decimal>(s.decimal));
  while (s.next < s.end) {
    if (!parseLine(s)) return Stop.Irregular;
    s.lineCount++;
  }
  return Stop.End;
}

/**
 * Parses lines of support vectors from `next` on, each `columns` coefficients and then fields, until there are `rowLimit` or a line is not regular. labels: f64[rowLimit][columns].
 */
export function parseVectors(s: SvmlightBlock, columns: u32, rowLimit: u32): Stop {
  fillPowers(changetype<Decimal>(s.decimal));
  while (s.rowCount < rowLimit) if (s.next >= s.end || !parseVector(s, columns)) return Stop.Irregular;
  return Stop.End;
}

/** The next line that is not blank; false, with nothing changed but coefficients that nobody counts, if it is not regular. Of several classes most coefficients are 0. */
function parseVector(s: SvmlightBlock, columns: u32): bool {
  const decimal = changetype<Decimal>(s.decimal);
  const end = s.end;
  let coefficient = s.labels + ((<usize>(s.rowCount * columns)) << 3);
  let p = s.next;
  while (p < end && (load<u8>(p) == NEWLINE || isBlank(load<u8>(p)))) p++;
  for (const last = coefficient + ((<usize>columns) << 3); coefficient < last; coefficient += 8) {
    while (isBlank(load<u8>(p))) p++;
    if (load<u16>(p) == ZERO_BLANK) {
      store<f64>(coefficient, 0);
      p += 2;
      continue;
    }
    readDecimal(decimal, p, end);
    if (decimal.end == 0 || !decimal.isExact || load<u8>(decimal.end) > BLANK) return false;
    store<f64>(coefficient, decimal.value);
    p = decimal.end;
  }
  const valueCount = s.valueCount;
  p = parseFields(s, p);
  if (p == 0) return false;
  if (load<u8>(p) != NEWLINE) {
    s.valueCount = valueCount; // a comment: there are none in such files
    return false;
  }
  s.rowCount++;
  put<u32>(s.starts, s.rowCount, s.valueCount);
  s.next = min(p + 1, end);
  return true;
}

/** One line; false, with nothing changed, if it is not regular. */
function parseLine(s: SvmlightBlock): bool {
  const end = s.end;
  const decimal = changetype<Decimal>(s.decimal);
  let p = skipBlanks(s.next, end);
  if (isLineEnd(p, end)) {
    s.next = nextLine(p, end);
    return true;
  }
  readLabel(decimal, p, end);
  if (decimal.end == 0 || !decimal.isExact || !isDelimiter(decimal.end, end)) return false;
  const label = decimal.value;
  let query: f64 = NaN;
  p = skipBlanks(decimal.end, end);
  if (p + 4 < end && load<u32>(p) == QID) {
    readDecimal(decimal, p + 4, end);
    if (decimal.end == 0 || !decimal.isExact || !isDelimiter(decimal.end, end) || load<u8>(p + 4) == 0x2d) return false;
    query = decimal.value;
    if (floor(query) != query) return false;
    p = skipBlanks(decimal.end, end);
  }
  p = parseFields(s, p);
  if (p == 0) return false;
  put<f64>(s.labels, s.rowCount, label);
  put<f64>(s.queries, s.rowCount, query);
  s.queryCount += <u32>(query == query);
  s.rowCount++;
  put<u32>(s.starts, s.rowCount, s.valueCount);
  s.next = nextLine(p, end);
  return true;
}

/** Labels are whole numbers of a few digits, most of them; others are decimals like all. */
function readLabel(out: Decimal, p: usize, end: usize): void {
  const sign: u32 = load<u8>(p);
  const first = p + <usize>((sign == MINUS) | (sign == PLUS));
  const digits = load<u64>(first) ^ ZEROS;
  const count = digitCount(digits);
  if (count - 1 >= 7 || load<u8>(first + count) > BLANK) {
    readDecimal(out, p, end);
    return;
  }
  const size = <f64>(<i32>digitsValue(digits, count));
  out.value = sign == MINUS ? -size : size;
  out.end = first + count;
  out.isExact = 1;
}

/** The fields "index:value" from p on to the end of the line, which is returned; 0, with nothing changed, if one is not regular. */
function parseFields(s: SvmlightBlock, p: usize): usize {
  const valueCount = s.valueCount;
  s.least = s.base;
  p = plainFields(s, p);
  while (load<u8>(p) != NEWLINE && load<u8>(p) != HASH) {
    p = carefulField(s, p);
    if (p == 0) {
      s.valueCount = valueCount;
      return 0;
    }
    p = plainFields(s, p);
  }
  if (s.least > s.base) s.featureCount = max(s.featureCount, s.least - s.base);
  return p;
}

/** One field whose value is a decimal of any kind; returns what is behind it, or 0 if it is not regular. */
function carefulField(s: SvmlightBlock, p: usize): usize {
  const decimal = changetype<Decimal>(s.decimal);
  const digits = load<u64>(p) ^ ZEROS;
  const count = digitCount(digits);
  if (count == 0) return 0;
  let feature = <u32>digitsValue(digits, count);
  p += count;
  if (count == 8 && isDigit(load<u8>(p))) feature = feature * 10 + (load<u8>(p++) - 0x30);
  if (load<u8>(p) != COLON || feature < s.least || feature >= s.featureLimit + s.base) return 0;
  readDecimal(decimal, p + 1, s.end);
  if (decimal.end == 0 || !isDelimiter(decimal.end, s.end) || !isSureFloat(decimal)) return 0;
  if (!(abs(<f32>decimal.value) < Infinity)) return 0;
  put<f32>(s.values, s.valueCount, <f32>decimal.value);
  put<u32>(s.indices, s.valueCount, feature - s.base);
  s.valueCount++;
  s.least = feature + 1;
  return decimal.end;
}

/**
 * Fields from p on whose values are a few digits with or without a sign and a point, which nearly all are; returns where the first of another kind, a comment or the line break is.
 * Nearly all of reading happens here. Where fields end is looked up for 64 bytes at once, so that no field waits for the one before it, and what its parts are follows from one look at its 32
 * bytes: no branch depends on how long a part is, on a sign or on a point. Two are for what most files are made of, values that are 1 and those that begin with "0.", of which less has to be found out. Nothing is called, for what lives across a call would live in memory (docs/performance.md). No bound is looked at but
 * the line break that stands behind the text.
 *
 *   bytes    1 7 : - 0 . 2 5 _ 1 8 : …
 *   ends     0 0 0 0 0 0 0 0 1 0 0 0 …       blanks, and whatever else is no character
 *   others   0 0 1 1 0 1 0 0 . . . . …       no digits, up to the field's end: the colon; a sign, if the next is one; a point, if there is one
 *   points   0 0 0 0 0 1 0 0 . . . . …
 */
function plainFields(s: SvmlightBlock, p: usize): usize {
  const powers = s.decimal;
  const base = s.base;
  const limit = s.featureLimit + base;
  const masks = s.decimal + MASKS;
  const zeros = v128.load(masks);
  const room = v128.load(masks, 16);
  const pointBytes = v128.load(masks, 32);
  const blanks = v128.load(masks, 48);
  let least = s.least; // what the next index must be at least
  let value = s.values + ((<usize>s.valueCount) << 2);
  const toIndices = s.indices - s.values;
  while (isBlank(load<u8>(p))) p++;
  let chunk = p;
  let ends = fieldEnds(chunk, blanks);
  for (;;) {
    while (ends == 0) {
      chunk += 64;
      ends = fieldEnds(chunk, blanks);
    }
    const end = chunk + <usize>ctz(ends);
    ends &= ends - 1;
    const length = <u32>(end - p);
    const indexDigits = load<u64>(p) ^ ZEROS;
    const indexCount = digitCount(indexDigits);
    const first = load<u32>(p + indexCount);
    const left = length - indexCount; // from the colon on
    const lastDigits = (load<u64>(end - 8) ^ ZEROS) & lastBytes(left - 3);
    let feature: u32;
    let bits = ONE;
    let wrong: u32 = 0;
    if ((first & THREE_BYTES) == COLON_ZERO_POINT && indexCount != 0 && left - 4 < 8 && areDigits(lastDigits)) {
      feature = <u32>digitsValue(indexDigits, indexCount);
      bits = reinterpret<u32>(<f32>(<f64>(<i32>eightDigits(lastDigits)) / powerOfTen(changetype<Decimal>(powers), left - 3)));
    } else if ((first & TWO_BYTES) == COLON_ONE && indexCount != 0 && left == 2) {
      feature = <u32>digitsValue(indexDigits, indexCount);
    } else {
      const inside: u32 = (1 << length) - 1;
      const bytes = v128.load(p);
      let others = <u32>i8x16.bitmask(i8x16.add_sat_u(i8x16.sub(bytes, zeros), room));
      let points = <u32>i8x16.bitmask(i8x16.eq(bytes, pointBytes));
      if (length > 16) {
        const more = v128.load(p, 16);
        others |= (<u32>i8x16.bitmask(i8x16.add_sat_u(i8x16.sub(more, zeros), room))) << 16;
        points |= (<u32>i8x16.bitmask(i8x16.eq(more, pointBytes))) << 16;
      }
      others &= inside;
      points &= inside;
      const colon = ctz(others);
      const negative = <u32>(load<u8>(p + colon + 1) == MINUS);
      const point = <u32>(points != 0);
      const wholeEnd = ctz(points | (inside + 1));
      const whole = colon + 1 + negative;
      const wholeCount = wholeEnd - whole;
      const fractionCount = length - wholeEnd - point;

      // The digits without the point, up to eight and no zero before the point: those behind it where they are, the others one byte on.
      const leadingZero = <u32>(load<u8>(p + whole) == 0x30) & point;
      const count = wholeCount + fractionCount - leadingZero;
      const behindPoint = load<u64>(end - 8);
      const beforePoint = load<u64>(end - 8 - point);
      const digits = beforePoint ^ ((behindPoint ^ beforePoint) & lastBytes(fractionCount));
      feature = <u32>digitsValue(indexDigits, colon);
      // From 1 to 8 digits of an index and of a value, at least one before a point and one behind it; and nothing else but these and what was found.
      wrong =
        (((colon - 1) | (wholeCount - 1) | (fractionCount - point) | (count - 1)) & ~7) |
        (load<u8>(p + colon) ^ COLON) |
        (popcnt(others) - 1 - negative - point) |
        (length & ~31);
      // Both are exact, and the division rounds once.
      const number = <f64>(<i32>eightDigits((digits ^ ZEROS) & lastBytes(count))) / powerOfTen(changetype<Decimal>(powers), fractionCount);
      bits = reinterpret<u32>(<f32>number) ^ (negative << 31);
    }
    if (wrong != 0 || feature - least >= limit - least) {
      // A blank behind a blank ends nothing.
      if (length > 0 || !isBlank(load<u8>(end))) break;
      p = end + 1;
      continue;
    }
    store<u32>(value, bits);
    store<u32>(value + toIndices, feature - base);
    least = feature + 1;
    value += 4;
    p = end + 1;
    const behind: u32 = load<u8>(end);
    if (behind != BLANK && !isBlank(behind)) {
      p = end;
      break;
    }
  }
  s.least = least;
  s.valueCount = <u32>((value - s.values) >> 2);
  return p;
}

/** Bit k: byte k of the 64 from p on ends what stands before it: a blank, a line break, or no character at all. `blanks`: sixteen of them. */
function fieldEnds(p: usize, blanks: v128): u64 {
  const low = <u32>i8x16.bitmask(i8x16.le_u(v128.load(p), blanks)) | ((<u32>i8x16.bitmask(i8x16.le_u(v128.load(p, 16), blanks))) << 16);
  const high =
    <u32>i8x16.bitmask(i8x16.le_u(v128.load(p, 32), blanks)) | ((<u32>i8x16.bitmask(i8x16.le_u(v128.load(p, 48), blanks))) << 16);
  return <u64>low | ((<u64>high) << 32);
}

/** All bits of the last `count` bytes of eight, 1 <= count <= 8. */
function lastBytes(count: u32): u64 {
  return (<u64>-1) << (64 - ((<u64>count) << 3));
}

function skipBlanks(p: usize, end: usize): usize {
  while (p < end && isBlank(load<u8>(p))) p++;
  return p;
}

function isBlank(byte: u32): bool {
  return byte == 0x20 || byte == 0x09 || byte == RETURN;
}

/** At the end of the block, at a line break or at a comment. */
function isLineEnd(p: usize, end: usize): bool {
  if (p >= end) return true;
  const byte = load<u8>(p);
  return byte == NEWLINE || byte == HASH;
}

function isDelimiter(p: usize, end: usize): bool {
  return isLineEnd(p, end) || isBlank(load<u8>(p));
}

function nextLine(p: usize, end: usize): usize {
  while (p < end && load<u8>(p) != NEWLINE) p++;
  return min(p + 1, end);
}
