// Lines of svmlight text, "label index:value index:value …", straight into the arrays of a CSR matrix.
//
// Only regular lines are parsed here: rising indices, plain decimals, blanks between, a line break or a comment at the end. At
// anything else (an error, a qid, a number that needs more care) the line is undone and handed back; the host's own parser
// (src/formats/svmlight-line.ts) reads it or says what is wrong with it. So there is one place that knows the messages, and this
// one can be fast. Behind the text stand a line break and 15 bytes more, whatever they are: the host leaves room for them. Checked against the host's parser in test/unit/core/parse.test.ts.

import { SvmlightBlock } from "../layout/svmlight";
import { put } from "../memory";
import { Decimal, digitCount, digitsValue, fillPowers, isDigit, isSureFloat, powerOfTen, readDecimal, ZEROS } from "./decimal";

/** What `parseBlock` stopped at. */
export const enum Stop {
  End = 0, // every line was parsed
  Irregular = 1, // the line at `next` is for the host
}

const NEWLINE: u32 = 0x0a;
const RETURN: u32 = 0x0d;
const HASH: u32 = 0x23;
const COLON: u32 = 0x3a;
const MINUS: u32 = 0x2d;
const POINT: u32 = 0x2e;
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

/** One line; false, with nothing changed, if it is not regular. */
function parseLine(s: SvmlightBlock): bool {
  const end = s.end;
  const decimal = changetype<Decimal>(s.decimal);
  let p = skipBlanks(s.next, end);
  if (isLineEnd(p, end)) {
    s.next = nextLine(p, end);
    return true;
  }
  readDecimal(decimal, p, end);
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

/**
 * The fields "index:value" from p on to the end of the line, which is returned; 0, with nothing changed, if one is not regular.
 * Nearly all of reading happens here, so digits are taken up to eight at a time, and no bound is looked at but the line break that
 * stands behind the text (docs/performance.md). Most values are a few digits with a point among them; others go through readDecimal.
 */
function parseFields(s: SvmlightBlock, p: usize): usize {
  const end = s.end;
  const decimal = changetype<Decimal>(s.decimal);
  const limit = s.featureLimit + s.base;
  let least = s.base; // what the next index must be at least
  let value = s.values + ((<usize>s.valueCount) << 2);
  let index = s.indices + ((<usize>s.valueCount) << 2);
  for (;;) {
    let byte: u32 = load<u8>(p);
    while (isBlank(byte)) byte = load<u8>(++p);
    if (byte == NEWLINE || byte == HASH) break;

    let digits = load<u64>(p) ^ ZEROS;
    let count = digitCount(digits);
    if (count == 0) return 0;
    let feature = <u32>digitsValue(digits, count);
    p += count;
    byte = load<u8>(p);
    if (count == 8 && isDigit(byte)) {
      feature = feature * 10 + (byte - 0x30);
      byte = load<u8>(++p);
    }
    if (byte != COLON || feature < least || feature >= limit) return 0;
    least = feature + 1;

    const first = ++p;
    byte = load<u8>(p);
    const negative = byte == MINUS;
    p += <usize>negative;
    digits = load<u64>(p) ^ ZEROS;
    count = digitCount(digits);
    let number = <f64>digitsValue(digits, count);
    p += count;
    byte = load<u8>(p);
    let isShort = count - 1 < 7; // 1 to 7 digits
    if (byte == POINT) {
      digits = load<u64>(++p) ^ ZEROS;
      count = digitCount(digits);
      isShort = isShort && count - 1 < 7;
      p += count;
      byte = load<u8>(p);
      // Up to 14 digits: number, power and the sum are exact, and the division rounds once.
      const power = powerOfTen(decimal, count);
      number = (number * power + <f64>digitsValue(digits, count)) / power;
    }
    if (negative) number = -number;
    if (!isShort || !(isBlank(byte) || byte == NEWLINE)) {
      readDecimal(decimal, first, end);
      if (decimal.end == 0 || !isDelimiter(decimal.end, end) || !isSureFloat(decimal)) return 0;
      number = decimal.value;
      p = decimal.end;
    }
    if (!(abs(<f32>number) < Infinity)) return 0;
    store<f32>(value, <f32>number);
    store<u32>(index, feature - s.base);
    value += 4;
    index += 4;
  }
  if (least > s.base) s.featureCount = max(s.featureCount, least - s.base);
  s.valueCount = <u32>((value - s.values) >> 2);
  return p;
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
