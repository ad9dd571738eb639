// A block of whole lines of svmlight text, parsed in a worker: by the core as far as lines are regular, with care where not.

import { type StructView, svmlightBlockStruct } from "../runtime/layout.js";
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

const NEWLINE = 0x0a;

/** What the core wants behind the text: a line break, and bytes that can be read whatever they are. */
const TEXT_PADDING = 16;
/** The core's Decimal and its table of powers. */
const DECIMAL_BYTES = 16 + 23 * 8;

/** Bounds by the text alone: a value takes at least four bytes ("1:1" and a blank), a row two ("1" and a line break). */
const valueBound = (bytes: number): number => Math.ceil(bytes / 4) + 1;
const rowBound = (bytes: number): number => Math.ceil(bytes / 2) + 1;

/** Work space for a block of this many bytes. */
export function svmlightBlockBytes(bytes: number): number {
  const values = valueBound(bytes);
  const rows = rowBound(bytes);
  return spaceFor(
    svmlightBlockStruct.size,
    DECIMAL_BYTES,
    bytes + TEXT_PADDING,
    4 * values,
    4 * values,
    4 * (rows + 1),
    8 * rows,
    8 * rows,
  );
}

export function parseSvmlightBlock(task: Task, input: SvmlightBlock): ParsedBlock {
  const rows = new BlockRows(task, input);
  let fault: Fault | undefined;
  while (fault === undefined && !rows.parseRegular()) fault = rows.parseWithCare();
  return rows.finish(fault);
}

/** The arrays of a block in the core's memory, filled by the core or by hand. */
class BlockRows {
  readonly #task: Task;
  readonly #input: SvmlightBlock;
  readonly #block: StructView<keyof typeof svmlightBlockStruct.offsets>;
  readonly #text: Uint8Array;
  readonly #values: Float32Array;
  readonly #indices: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #labels: Float64Array;
  readonly #queries: Float64Array;

  constructor(task: Task, input: SvmlightBlock) {
    const { space } = task;
    const { bytes, base, featureLimit } = input;
    const rows = rowBound(bytes.length);
    this.#task = task;
    this.#input = input;
    this.#block = space.struct(svmlightBlockStruct);
    const decimal = space.rawBytes(DECIMAL_BYTES);
    this.#text = space.rawBytes(bytes.length + TEXT_PADDING);
    this.#text.set(bytes);
    this.#text[bytes.length] = NEWLINE;
    this.#values = space.rawFloats(valueBound(bytes.length));
    this.#indices = space.rawWords(valueBound(bytes.length));
    this.#starts = space.rawWords(rows + 1);
    this.#labels = space.rawDoubles(rows);
    this.#queries = space.rawDoubles(rows);
    this.#starts[0] = 0;
    this.#block.assign({
      next: this.#text.byteOffset,
      end: this.#text.byteOffset + bytes.length,
      values: this.#values.byteOffset,
      indices: this.#indices.byteOffset,
      starts: this.#starts.byteOffset,
      labels: this.#labels.byteOffset,
      queries: this.#queries.byteOffset,
      decimal: decimal.byteOffset,
      base,
      featureLimit,
    });
  }

  /** As far as the core comes; true if that is the end. */
  parseRegular(): boolean {
    return this.#task.core.parseBlock(this.#block.pointer) === 0;
  }

  /** The one line that the core stopped at; returns what is wrong with it, if anything is. */
  parseWithCare(): Fault | undefined {
    const { bytes, base, featureLimit } = this.#input;
    const from = this.#block.get("next") - this.#text.byteOffset;
    const newline = bytes.indexOf(NEWLINE, from);
    const to = newline < 0 ? bytes.length : newline;
    const lineCount = this.#block.get("lineCount") + 1;
    this.#block.assign({ next: this.#text.byteOffset + Math.min(to + 1, bytes.length), lineCount });
    try {
      const line = readLine(bytes, from, to, base, featureLimit);
      if (line !== undefined) this.#append(line);
      return undefined;
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      return { line: lineCount, column: error.at - from + 1, message: error.message, excerpt: excerptOf(bytes, error.at) };
    }
  }

  #append({ label, query, indices, values }: SvmlightLine): void {
    const rowCount = this.#block.get("rowCount");
    const valueCount = this.#block.get("valueCount");
    this.#values.set(values, valueCount);
    this.#indices.set(indices, valueCount);
    this.#labels[rowCount] = label;
    this.#queries[rowCount] = query;
    this.#starts[rowCount + 1] = valueCount + values.length;
    this.#block.assign({
      rowCount: rowCount + 1,
      valueCount: valueCount + values.length,
      featureCount: Math.max(this.#block.get("featureCount"), (indices.at(-1) ?? -1) + 1),
      queryCount: this.#block.get("queryCount") + (Number.isNaN(query) ? 0 : 1),
    });
  }

  finish(fault: Fault | undefined): ParsedBlock {
    const rowCount = this.#block.get("rowCount");
    const valueCount = this.#block.get("valueCount");
    return {
      labels: this.#labels.slice(0, rowCount),
      queries: this.#queries.slice(0, this.#block.get("queryCount") === 0 ? 0 : rowCount),
      starts: this.#starts.slice(0, rowCount + 1),
      indices: this.#indices.slice(0, valueCount),
      values: this.#values.slice(0, valueCount),
      featureCount: this.#block.get("featureCount"),
      lineCount: this.#block.get("lineCount"),
      byteCount: this.#input.bytes.length,
      fault,
    };
  }
}
