// A block of whole lines of svmlight text, parsed in a worker: by the core as far as lines are regular, with care where not.

import { svmlightBlockStruct } from "../runtime/layout.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { type Excerpt, excerptOf, LineError } from "./position.js";
import { readLine, type SvmlightLine } from "./svmlight-line.js";

export interface SvmlightBlock {
  /** Whole lines; the last one may lack its line break. */
  readonly bytes: Uint8Array;
  readonly base: 0 | 1;
  readonly featureLimit: number;
}

/** The rows of a block, in arrays of their own. */
export interface ParsedBlock {
  readonly labels: Float64Array;
  /** Empty if no row has a "qid:", otherwise one number a row, NaN where there is none. */
  readonly queries: Float64Array;
  /** u32[rows + 1], from 0. */
  readonly starts: Uint32Array;
  readonly indices: Uint32Array;
  readonly values: Float32Array;
  readonly featureCount: number;
  readonly lineCount: number;
  readonly byteCount: number;
  /** What is wrong with the line behind the last row; undefined if nothing is. */
  readonly fault: Fault | undefined;
}

export interface Fault {
  /** From 1, within the block. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly message: string;
  readonly excerpt: Excerpt;
}

/** Bounds by the text alone: a value takes at least four bytes ("1:1" and a blank), a row two ("1" and a line break). */
const valueBound = (bytes: number): number => Math.ceil(bytes / 4) + 1;
const rowBound = (bytes: number): number => Math.ceil(bytes / 2) + 1;

/** Work space for a block of this many bytes. */
export function svmlightBlockBytes(bytes: number): number {
  const values = valueBound(bytes);
  const rows = rowBound(bytes);
  return spaceFor(svmlightBlockStruct.size, 24, bytes, 4 * values, 4 * values, 4 * (rows + 1), 8 * rows, 8 * rows);
}

export function parseSvmlightBlock({ core, space }: Task, { bytes, base, featureLimit }: SvmlightBlock): ParsedBlock {
  const rows = rowBound(bytes.length);
  const block = space.struct(svmlightBlockStruct);
  const decimal = space.rawDoubles(3);
  const text = space.rawBytes(bytes.length);
  text.set(bytes);
  const values = space.rawFloats(valueBound(bytes.length));
  const indices = space.rawWords(valueBound(bytes.length));
  const starts = space.rawWords(rows + 1);
  const labels = space.rawDoubles(rows);
  const queries = space.rawDoubles(rows);
  starts[0] = 0;
  block.assign({ next: text.byteOffset, end: text.byteOffset + text.length, decimal: decimal.byteOffset, base, featureLimit });
  block.assign({ values: values.byteOffset, indices: indices.byteOffset, starts: starts.byteOffset });
  block.assign({ labels: labels.byteOffset, queries: queries.byteOffset });

  const append = ({ label, query, ...row }: SvmlightLine): void => {
    const rowCount = block.get("rowCount");
    const valueCount = block.get("valueCount");
    values.set(row.values, valueCount);
    indices.set(row.indices, valueCount);
    labels[rowCount] = label;
    queries[rowCount] = query;
    starts[rowCount + 1] = valueCount + row.values.length;
    block.assign({
      rowCount: rowCount + 1,
      valueCount: valueCount + row.values.length,
      featureCount: Math.max(block.get("featureCount"), (row.indices.at(-1) ?? -1) + 1),
      queryCount: block.get("queryCount") + (Number.isNaN(query) ? 0 : 1),
    });
  };

  let fault: Fault | undefined;
  while (core.parseBlock(block.pointer) !== 0 && fault === undefined) {
    const from = block.get("next") - text.byteOffset;
    const newline = bytes.indexOf(NEWLINE, from);
    const to = newline < 0 ? bytes.length : newline;
    try {
      const line = readLine(bytes, from, to, base, featureLimit);
      if (line !== undefined) append(line);
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      const line = block.get("lineCount") + 1;
      fault = { line, column: error.at - from + 1, message: error.message, excerpt: excerptOf(bytes, error.at) };
    }
    block.assign({ next: text.byteOffset + Math.min(to + 1, bytes.length), lineCount: block.get("lineCount") + 1 });
  }

  const rowCount = block.get("rowCount");
  const valueCount = block.get("valueCount");
  return {
    labels: labels.slice(0, rowCount),
    queries: queries.slice(0, block.get("queryCount") === 0 ? 0 : rowCount),
    starts: starts.slice(0, rowCount + 1),
    indices: indices.slice(0, valueCount),
    values: values.slice(0, valueCount),
    featureCount: block.get("featureCount"),
    lineCount: block.get("lineCount"),
    byteCount: bytes.length,
    fault,
  };
}

const NEWLINE = 0x0a;
