// Lines of svmlight text, "label index:value index:value …", straight into the arrays of a CSR matrix.
//
// Only regular lines are parsed here: rising indices, plain decimals, blanks between, a line break or a comment at the end. At
// anything else (an error, a qid, a number that needs more care) the line is undone and handed back; the host's own parser
// (src/formats/svmlight-line.ts) reads it or says what is wrong with it. So there is one place that knows the messages, and this
// one can be fast. Checked against the host's parser in test/unit/core/parse.test.ts.

import { SvmlightBlock } from "../layout";
import { put } from "../memory";
import { Decimal, isSureFloat, readDecimal } from "./decimal";

/** What `parseBlock` stopped at. */
export const enum Stop {
  End = 0, // every line was parsed
  Irregular = 1, // the line at `next` is for the host
}

const NEWLINE: u32 = 0x0a;
const RETURN: u32 = 0x0d;
const HASH: u32 = 0x23;
const COLON: u32 = 0x3a;
const QID: u32 = 0x3a646971; // "qid:", little-endian

// An index of more digits than this is for the host.
const MOST_INDEX_DIGITS: u32 = 9;

/** Parses lines from `next` on, until the block's end or a line that is not regular. */
export function parseBlock(s: SvmlightBlock): Stop {
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
  let count = s.valueCount;
  let last: i64 = -1;
  let query: f64 = NaN;
  p = skipBlanks(decimal.end, end);
  if (p + 4 < end && load<u32>(p) == QID) {
    readDecimal(decimal, p + 4, end);
    if (decimal.end == 0 || !decimal.isExact || !isDelimiter(decimal.end, end) || load<u8>(p + 4) == 0x2d) return false;
    query = decimal.value;
    if (floor(query) != query) return false;
    p = skipBlanks(decimal.end, end);
  }
  for (; !isLineEnd(p, end); p = skipBlanks(decimal.end, end)) {
    const first = p;
    let index: u32 = 0;
    while (p < end && <u32>load<u8>(p) - 0x30 < 10) index = index * 10 + (<u32>load<u8>(p++) - 0x30);
    if (p == first || p - first > MOST_INDEX_DIGITS || p >= end || load<u8>(p) != COLON) return false;
    if (index < s.base || index - s.base >= s.featureLimit || <i64>index <= last) return false;
    last = index;
    readDecimal(decimal, p + 1, end);
    if (decimal.end == 0 || !isDelimiter(decimal.end, end) || !isSureFloat(decimal)) return false;
    const value = <f32>decimal.value;
    if (!(abs(value) < Infinity)) return false;
    put<f32>(s.values, count, value);
    put<u32>(s.indices, count, index - s.base);
    count++;
  }
  put<f64>(s.labels, s.rowCount, label);
  put<f64>(s.queries, s.rowCount, query);
  s.queryCount += <u32>(query == query);
  s.rowCount++;
  put<u32>(s.starts, s.rowCount, count);
  s.valueCount = count;
  if (last >= 0) s.featureCount = max(s.featureCount, <u32>(last + 1 - s.base));
  s.next = nextLine(p, end);
  return true;
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
