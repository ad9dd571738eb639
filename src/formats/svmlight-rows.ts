// Where the rows of an svmlight text go, block by block: straight into the memory of the matrix where it is shared with the workers,
// into plain arrays where it is not or the text is small.

import { HingeError } from "../base/errors.js";
import { type Matrix, NO_ROWS } from "../data/matrix.js";
import type { RunOptions } from "../runtime/pool.js";
import { RowCollector } from "../runtime/row-collector.js";
import type { RowCounts, RowLanding } from "../runtime/row-landing.js";
import { dropRows, runTask, watchMatrix } from "../runtime/runtime.js";
import { COLON, NEWLINE } from "./ascii.js";
import type { Buffers } from "./blocks.js";
import {
  type BlockSummary,
  type CopiedBlock,
  type CopiedRows,
  copiedBlockBytes,
  type Numbering,
  PARSING,
  PLACED_BLOCK_BYTES,
  type PlacedBlock,
} from "./svmlight-block.js";

export interface RowsSoFar {
  readonly x: Matrix;
  readonly labels: Float64Array;
  /** NaN where a row has none; undefined where none has one. */
  readonly queries: Float64Array | undefined;
}

/** Blocks of text in, rows out. Blocks are parsed side by side and end in any order. */
export interface BlockSink extends Buffers {
  /** The most that a text can hold, as far as it matters here. */
  measure(text: Uint8Array): RowCounts;
  hasRoomFor(most: RowCounts): boolean;
  /** To be called only while nothing is under way: what was read may move. */
  makeRoomFor(most: RowCounts, textBytes: number): void;
  /** Parses a text, then takes its buffer back. */
  parse(text: Uint8Array, most: RowCounts): Promise<BlockSummary>;
  finish(featureCount: number, hasQueries: boolean): RowsSoFar;
  /** Instead of finishing, while nothing is under way: gives back what there is. */
  abandon(): void;
}

/**
 * Room beyond what the first block lets expect, so that arrays need not move in the end: later blocks may be denser. Pages that are
 * never written take no memory, and what is left over is given back.
 */
const SPARE = 1.5;

export class PlacedSink implements BlockSink {
  readonly #landing: RowLanding;
  readonly #numbering: Numbering;
  readonly #call: RunOptions;
  readonly #byteLength: number | undefined;
  #isFirst = true;

  constructor(landing: RowLanding, numbering: Numbering, call: RunOptions, byteLength: number | undefined) {
    this.#landing = landing;
    this.#numbering = numbering;
    this.#call = call;
    this.#byteLength = byteLength;
  }

  take(bytes: number): Uint8Array {
    return this.#landing.takeText(bytes);
  }

  give(buffer: Uint8Array): void {
    this.#landing.giveText(buffer);
  }

  measure(text: Uint8Array): RowCounts {
    // A value has a colon, a row a line break, but for the last one of a text that ends without.
    const [colons, newlines] = this.#landing.count(text, COLON, NEWLINE);
    return { values: colons, rows: newlines + (text.at(-1) === NEWLINE ? 0 : 1) };
  }

  hasRoomFor(most: RowCounts): boolean {
    return this.#landing.hasRoomFor(most);
  }

  makeRoomFor({ values, rows }: RowCounts, textBytes: number): void {
    // The first block lets expect how many there will be in all.
    const ratio = this.#isFirst && this.#byteLength !== undefined ? Math.max(1, this.#byteLength / textBytes) : 1;
    this.#isFirst = false;
    const make = (spare: number): void =>
      this.#landing.makeRoomFor({ values: Math.ceil(spare * ratio * values), rows: Math.ceil(spare * ratio * rows) });
    try {
      make(SPARE);
    } catch (error) {
      if (!(error instanceof HingeError) || error.code !== "out-of-memory") throw error;
      make(1);
    }
  }

  async parse(text: Uint8Array, most: RowCounts): Promise<BlockSummary> {
    const place = this.#landing.placeFor(most);
    const input: PlacedBlock = { text: text.byteOffset, textBytes: text.length, place, most, ...this.#numbering };
    const work = {
      task: "parse-svmlight-placed",
      matrix: this.#landing.handle,
      regionBytes: PLACED_BLOCK_BYTES,
      input,
      isBrief: true,
      isShort: true,
      own: PARSING,
    };
    const summary = await runTask<BlockSummary>(work, this.#call);
    this.#landing.landed(place, { values: summary.valueCount, rows: summary.rowCount });
    this.give(text);
    return summary;
  }

  abandon(): void {
    dropRows(this.#landing, this.#call);
  }

  finish(featureCount: number, hasQueries: boolean): RowsSoFar {
    const rows = this.#landing.finish(featureCount, hasQueries);
    watchMatrix(rows.x);
    return rows;
  }
}

export class CopiedSink implements BlockSink {
  readonly #numbering: Numbering;
  readonly #call: RunOptions;
  readonly #collected = new RowCollector();
  readonly #labels: Float64Array[] = [];
  readonly #queries: Float64Array[] = [];
  #before: Promise<unknown> = Promise.resolve();

  constructor(numbering: Numbering, call: RunOptions) {
    this.#numbering = numbering;
    this.#call = call;
  }

  take(bytes: number): Uint8Array {
    return new Uint8Array(bytes);
  }

  give(): void {}

  measure(): RowCounts {
    return { values: 0, rows: 0 };
  }

  hasRoomFor(): boolean {
    return true;
  }

  makeRoomFor(): void {}

  parse(text: Uint8Array): Promise<BlockSummary> {
    const input: CopiedBlock = { bytes: text, ...this.#numbering };
    const work = {
      task: "parse-svmlight-copied",
      matrix: NO_ROWS,
      regionBytes: copiedBlockBytes(text.length),
      input,
      transfer: [text.buffer as ArrayBuffer],
      isBrief: true,
      isShort: true,
      own: PARSING,
    };
    const parsed = runTask<CopiedRows>(work, this.#call);
    parsed.catch(() => undefined); // seen below, unless a block before it fails first
    const collected = this.#before.then(async () => this.#collect(await parsed));
    this.#before = collected;
    return collected;
  }

  /** In the order of the text, whichever was parsed first. */
  #collect({ values, indices, starts, labels, queries, ...summary }: CopiedRows): BlockSummary {
    this.#collected.append({ values, indices, starts });
    this.#labels.push(labels);
    this.#queries.push(queries);
    return summary;
  }

  abandon(): void {}

  finish(featureCount: number, hasQueries: boolean): RowsSoFar {
    const x = this.#collected.finish(featureCount);
    return { x, labels: joined(this.#labels, x.rowCount), queries: hasQueries ? joined(this.#queries, x.rowCount) : undefined };
  }
}

function joined(parts: readonly Float64Array[], length: number): Float64Array {
  const all = new Float64Array(length);
  let next = 0;
  for (const part of parts) {
    all.set(part, next);
    next += part.length;
  }
  return all;
}
