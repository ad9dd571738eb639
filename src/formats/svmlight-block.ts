// A block of whole lines of svmlight text, parsed in a worker: by the core as far as lines are regular, with care where not.

import { svmlightBlockStruct } from "../runtime/layout.js";
import { type RowCounts, type RowPlace, TEXT_PADDING } from "../runtime/row-landing.js";
import type { StructView } from "../runtime/struct.js";
import { spaceFor, type Task, type TaskTable } from "../runtime/task.js";
import { NEWLINE } from "./ascii.js";
import { type Excerpt, excerptOf, LineError } from "./position.js";
import { readLine, type SvmlightLine } from "./svmlight-line.js";

/** How features are numbered in the text. */
export interface Numbering {
  readonly base: 0 | 1;
  readonly featureLimit: number;
}

/** Text in the memory of the matrix, and the place there for its rows. The last line may lack its line break. */
export interface PlacedBlock extends Numbering {
  readonly text: number;
  readonly textBytes: number;
  readonly place: RowPlace;
  readonly most: RowCounts;
}

/** Text in an array of its own. */
export interface CopiedBlock extends Numbering {
  readonly bytes: Uint8Array;
}

/** What a block held. */
export interface BlockSummary {
  readonly rowCount: number;
  readonly valueCount: number;
  /** Rows with a "qid:". */
  readonly queryCount: number;
  readonly featureCount: number;
  readonly lineCount: number;
  /** What is wrong with the line behind the last row; undefined if nothing is. */
  readonly fault: Fault | undefined;
}

/** The rows of a block in arrays of their own. */
export interface CopiedRows extends BlockSummary {
  readonly labels: Float64Array;
  /** One number a row, NaN where there is none. */
  readonly queries: Float64Array;
  /** u32[rows + 1], from 0. */
  readonly starts: Uint32Array;
  readonly indices: Uint32Array;
  readonly values: Float32Array;
}

export interface Fault {
  /** From 1, within the block. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly message: string;
  readonly excerpt: Excerpt;
}

/** The core's Decimal and its table of powers. */
export const DECIMAL_BYTES = 16 + 23 * 8 + 4 * 16;

/** Work space for text that lies in the matrix's memory already. */
export const PLACED_BLOCK_BYTES = spaceFor(svmlightBlockStruct.size, DECIMAL_BYTES);

/** Bounds by the text alone: a value takes at least four bytes ("1:1" and a blank), a row two ("1" and a line break). */
const valueBound = (bytes: number): number => Math.ceil(bytes / 4) + 1;
const rowBound = (bytes: number): number => Math.ceil(bytes / 2) + 1;

/** Work space for text of this many bytes that does not. */
export function copiedBlockBytes(bytes: number): number {
  const values = valueBound(bytes);
  const rows = rowBound(bytes);
  return PLACED_BLOCK_BYTES + spaceFor(bytes + TEXT_PADDING, 4 * values, 4 * values, 4 * (rows + 1), 8 * rows, 8 * rows);
}

function parsePlacedBlock(task: Task, { text, textBytes, place, most, ...numbering }: PlacedBlock): BlockSummary {
  const { space } = task;
  const rows = new BlockRows(task, numbering, {
    text: space.bytesAt(text, textBytes + TEXT_PADDING).subarray(0, textBytes + 1),
    values: space.floatsAt(place.values, most.values),
    indices: space.wordsAt(place.indices, most.values),
    starts: space.wordsAt(place.starts, most.rows + 1),
    labels: space.doublesAt(place.labels, most.rows),
    queries: space.doublesAt(place.queries, most.rows),
    valueStart: place.valueStart,
    rowStart: place.rowStart,
  });
  return rows.parse();
}

function parseCopiedBlock(task: Task, { bytes, ...numbering }: CopiedBlock): CopiedRows {
  const { space } = task;
  const values = valueBound(bytes.length);
  const rowCount = rowBound(bytes.length);
  const text = space.rawBytes(bytes.length + TEXT_PADDING).subarray(0, bytes.length + 1);
  text.set(bytes);
  const arrays = {
    values: space.rawFloats(values),
    indices: space.rawWords(values),
    starts: space.rawWords(rowCount + 1),
    labels: space.rawDoubles(rowCount),
    queries: space.rawDoubles(rowCount),
  };
  arrays.starts[0] = 0;
  const summary = new BlockRows(task, numbering, { text, ...arrays, valueStart: 0, rowStart: 0 }).parse();
  return {
    ...summary,
    labels: arrays.labels.slice(0, summary.rowCount),
    queries: arrays.queries.slice(0, summary.rowCount),
    starts: arrays.starts.slice(0, summary.rowCount + 1),
    indices: arrays.indices.slice(0, summary.valueCount),
    values: arrays.values.slice(0, summary.valueCount),
  };
}

/** A block's text, with one byte more, and its part of each array; starts count from valueStart. */
interface BlockArrays {
  readonly text: Uint8Array;
  readonly values: Float32Array;
  readonly indices: Uint32Array;
  readonly starts: Uint32Array;
  readonly labels: Float64Array;
  readonly queries: Float64Array;
  readonly valueStart: number;
  readonly rowStart: number;
}

/** The arrays of a block in the core's memory, filled by the core or by hand. */
class BlockRows {
  readonly #task: Task;
  readonly #numbering: Numbering;
  readonly #arrays: BlockArrays;
  readonly #block: StructView<keyof typeof svmlightBlockStruct.offsets>;

  constructor(task: Task, numbering: Numbering, arrays: BlockArrays) {
    const { text, values, indices, starts, labels, queries, valueStart, rowStart } = arrays;
    this.#task = task;
    this.#numbering = numbering;
    this.#arrays = arrays;
    this.#block = task.space.struct(svmlightBlockStruct);
    text[text.length - 1] = NEWLINE;
    // The core counts values and rows from the beginning of the whole arrays.
    this.#block.assign({
      next: text.byteOffset,
      end: text.byteOffset + text.length - 1,
      values: values.byteOffset - 4 * valueStart,
      indices: indices.byteOffset - 4 * valueStart,
      starts: starts.byteOffset - 4 * rowStart,
      labels: labels.byteOffset - 8 * rowStart,
      queries: queries.byteOffset - 8 * rowStart,
      decimal: task.space.rawBytes(DECIMAL_BYTES).byteOffset,
      valueCount: valueStart,
      rowCount: rowStart,
      ...numbering,
    });
  }

  parse(): BlockSummary {
    const { valueStart, rowStart } = this.#arrays;
    let fault: Fault | undefined;
    while (fault === undefined && this.#task.core.parseBlock(this.#block.pointer) !== 0) fault = this.#parseWithCare();
    return {
      rowCount: this.#block.get("rowCount") - rowStart,
      valueCount: this.#block.get("valueCount") - valueStart,
      queryCount: this.#block.get("queryCount"),
      featureCount: this.#block.get("featureCount"),
      lineCount: this.#block.get("lineCount"),
      fault,
    };
  }

  /** The one line that the core stopped at; returns what is wrong with it, if anything is. */
  #parseWithCare(): Fault | undefined {
    const { text } = this.#arrays;
    const from = this.#block.get("next") - text.byteOffset;
    const to = text.indexOf(NEWLINE, from); // the last byte is one
    const lineCount = this.#block.get("lineCount") + 1;
    this.#block.assign({ next: text.byteOffset + Math.min(to + 1, text.length - 1), lineCount });
    const line = text.slice(from, to);
    try {
      const read = readLine(line, 0, line.length, this.#numbering.base, this.#numbering.featureLimit);
      if (read !== undefined) this.#append(read);
      return undefined;
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      return { line: lineCount, column: error.at + 1, message: error.message, excerpt: excerptOf(line, error.at) };
    }
  }

  #append({ label, query, indices, values }: SvmlightLine): void {
    const arrays = this.#arrays;
    const rowCount = this.#block.get("rowCount");
    const valueCount = this.#block.get("valueCount");
    const row = rowCount - arrays.rowStart;
    arrays.values.set(values, valueCount - arrays.valueStart);
    arrays.indices.set(indices, valueCount - arrays.valueStart);
    arrays.labels[row] = label;
    arrays.queries[row] = query;
    arrays.starts[row + 1] = valueCount + values.length;
    this.#block.assign({
      rowCount: rowCount + 1,
      valueCount: valueCount + values.length,
      featureCount: Math.max(this.#block.get("featureCount"), (indices.at(-1) ?? -1) + 1),
      queryCount: this.#block.get("queryCount") + (Number.isNaN(query) ? 0 : 1),
    });
  }
}

/** What there is to do with blocks, by the names of src/tasks.ts. */
export const PARSING: TaskTable = { "parse-svmlight-placed": parsePlacedBlock, "parse-svmlight-copied": parseCopiedBlock };
