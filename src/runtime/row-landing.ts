// The text and the rows of one read in one shared memory: blocks of text in buffers that are used again, rows where they will stay.
// A block's rows get their place before they are parsed, by the most that its text can hold, so that workers write side by side
// straight into the matrix. Where a block had fewer rows than that (comments, blank lines), the rows behind it move up in the end.
//
//   values, indices   | block 0      | block 1   | block 2 …        labels, queries, starts alike, by rows
//                       ^ valueStart   ^             starts hold places in all values, not in the block's own

import { Matrix, type MatrixShape } from "../data/matrix.js";
import type { Core } from "./core.js";
import { ROW_PADDING, rowKinds, rowsStruct } from "./layout.js";
import { ALIGNMENT, aligned, type Region, type RegionMemory } from "./memory.js";
import { arraysAt, type Placement } from "./placement.js";
import { StructView } from "./struct.js";

/** How many values and rows there are, or may be. */
export interface RowCounts {
  readonly values: number;
  readonly rows: number;
}

/** Where a block's rows go: byte offsets of its part of each array, and how many values and rows stand before it. */
export interface RowPlace {
  readonly values: number;
  readonly indices: number;
  readonly starts: number;
  readonly labels: number;
  readonly queries: number;
  readonly valueStart: number;
  readonly rowStart: number;
}

/** Behind every text: the core wants a line break there, and bytes that can be read whatever they are. */
export const TEXT_PADDING = 64;

export class RowLanding {
  /** Stands for the memory in the pool's messages while there is no matrix yet. */
  readonly handle: Matrix;
  readonly home: RegionMemory;
  readonly #core: Core;
  readonly #counts: Region;
  readonly #texts = new Set<Region>();
  // In the order of the text, whichever is parsed first.
  readonly #parts = new Map<RowPlace, RowCounts>();
  readonly #arrays: Readonly<Record<"values" | "indices" | "starts" | "labels" | "queries", Growing>>;
  #taken: RowCounts = { values: 0, rows: 0 };

  constructor(home: RegionMemory, core: Core) {
    this.home = home;
    this.#core = core;
    this.#counts = home.take(8);
    const shape: MatrixShape = { kind: "csr", rowCount: 0, featureCount: 0, valueCount: 0 };
    const nowhere: Placement = { home, rows: 0, values: 0, indices: 0, starts: 0 };
    this.handle = new Matrix(shape, arraysAt(home.memory.buffer, shape, nowhere), nowhere);
    const array = (itemBytes: number): Growing => new Growing(home, itemBytes);
    this.#arrays = { values: array(4), indices: array(4), starts: array(4), labels: array(8), queries: array(8) };
  }

  /** A buffer for text, with a little more readable memory behind it. */
  takeText(bytes: number): Uint8Array {
    const region = this.home.take(bytes + TEXT_PADDING);
    this.#texts.add(region);
    return new Uint8Array(this.home.memory.buffer, region.offset, bytes);
  }

  /** Takes back the buffer that holds a text. */
  giveText({ byteOffset }: Uint8Array): void {
    for (const region of this.#texts) {
      if (byteOffset < region.offset || byteOffset >= region.offset + region.byteLength) continue;
      this.#texts.delete(region);
      this.home.give(region);
      return;
    }
  }

  /** How often two bytes occur in a text that lies here. */
  count(text: Uint8Array, first: number, second: number): readonly [number, number] {
    const { offset } = this.#counts;
    this.#core.countBytes(offset, text.byteOffset, text.byteOffset + text.length, first, second);
    const counts = new Uint32Array(this.home.memory.buffer, offset, 2);
    return [counts[0] as number, counts[1] as number];
  }

  hasRoomFor(more: RowCounts): boolean {
    const { values, rows } = this.#sum(more);
    const { values: valueArray, indices, starts, labels, queries } = this.#arrays;
    const leastRows = Math.min(starts.capacity - 1, labels.capacity, queries.capacity);
    return Math.min(valueArray.capacity, indices.capacity) >= values && leastRows >= rows;
  }

  /** Makes room; only while nobody writes, because arrays may move. */
  makeRoomFor(more: RowCounts): void {
    const { values, rows } = this.#sum(more);
    const { values: valueArray, indices, starts, labels, queries } = this.#arrays;
    valueArray.reserve(values, this.#taken.values);
    indices.reserve(values, this.#taken.values);
    starts.reserve(rows + 1, this.#taken.rows + 1);
    labels.reserve(rows, this.#taken.rows);
    queries.reserve(rows, this.#taken.rows);
  }

  /** The place for the next block's rows, of which there are at most this many. */
  placeFor(most: RowCounts): RowPlace {
    const { values: valueStart, rows: rowStart } = this.#taken;
    const { values, indices, starts, labels, queries } = this.#arrays;
    const place: RowPlace = {
      values: values.at(valueStart),
      indices: indices.at(valueStart),
      starts: starts.at(rowStart),
      labels: labels.at(rowStart),
      queries: queries.at(rowStart),
      valueStart,
      rowStart,
    };
    this.#parts.set(place, most);
    this.#taken = this.#sum(most);
    return place;
  }

  /** The block at this place had so many rows. */
  landed(place: RowPlace, landed: RowCounts): void {
    this.#parts.set(place, landed);
  }

  /** All rows, with their labels and, if there are any, queries; everything else in the memory is free from now on. */
  finish(featureCount: number, hasQueries: boolean): { x: Matrix; labels: Float64Array; queries: Float64Array | undefined } {
    const { values: valueCount, rows: rowCount } = this.#closeGaps();
    const home = this.home;
    const { values, indices, starts, labels, queries } = this.#arrays;
    const copied = {
      labels: labels.doubles().slice(0, rowCount),
      queries: hasQueries ? queries.doubles().slice(0, rowCount) : undefined,
    };
    labels.giveBack();
    queries.giveBack();
    values.trim(valueCount);
    indices.trim(valueCount);
    starts.trim(rowCount + 1);
    for (const region of this.#texts) home.give(region);
    this.#texts.clear();
    home.give(this.#counts);
    const shape: MatrixShape = { kind: "csr", rowCount, featureCount, valueCount };
    const placement: Placement = {
      home,
      rows: home.take(ALIGNMENT).offset,
      values: values.at(0),
      indices: indices.at(0),
      starts: starts.at(0),
    };
    new StructView(rowsStruct, home.memory.buffer, placement.rows).assign({
      kind: rowKinds.csr,
      rowCount,
      featureCount,
      values: placement.values,
      indices: placement.indices,
      starts: placement.starts,
    });
    return { x: new Matrix(shape, arraysAt(home.memory.buffer, shape, placement), placement), ...copied };
  }

  /** Moves every block's rows up to the end of the block before; returns how many there are in all. */
  #closeGaps(): RowCounts {
    const { values, indices, starts, labels, queries } = this.#arrays;
    const places = starts.words();
    let to: RowCounts = { values: 0, rows: 0 };
    places[0] = 0;
    for (const [{ valueStart, rowStart }, landed] of this.#parts) {
      const shift = valueStart - to.values;
      if (shift > 0) {
        values.words().copyWithin(to.values, valueStart, valueStart + landed.values);
        indices.words().copyWithin(to.values, valueStart, valueStart + landed.values);
      }
      if (rowStart > to.rows) {
        labels.doubles().copyWithin(to.rows, rowStart, rowStart + landed.rows);
        queries.doubles().copyWithin(to.rows, rowStart, rowStart + landed.rows);
      }
      if (shift > 0 || rowStart > to.rows) {
        for (let i = 1; i <= landed.rows; i++) places[to.rows + i] = (places[rowStart + i] as number) - shift;
      }
      to = { values: to.values + landed.values, rows: to.rows + landed.rows };
    }
    return to;
  }

  #sum(more: RowCounts): RowCounts {
    return { values: this.#taken.values + more.values, rows: this.#taken.rows + more.rows };
  }
}

/** An array in a memory that grows like any growing array: to a new place twice as large, while the old one becomes free. */
class Growing {
  readonly #home: RegionMemory;
  readonly #itemBytes: number;
  #region: Region;

  constructor(home: RegionMemory, itemBytes: number) {
    this.#home = home;
    this.#itemBytes = itemBytes;
    this.#region = home.take(ROW_PADDING);
  }

  /** How many items there is room for. */
  get capacity(): number {
    return Math.floor((this.#region.byteLength - ROW_PADDING) / this.#itemBytes);
  }

  /** Byte offset of an item. */
  at(index: number): number {
    return this.#region.offset + this.#itemBytes * index;
  }

  /** Makes room for `count` items and keeps the first `kept`. */
  reserve(count: number, kept: number): void {
    if (count <= this.capacity) return;
    const old = this.#region;
    this.#region = this.#home.take(this.#itemBytes * Math.max(count, 2 * this.capacity) + ROW_PADDING);
    const bytes = new Uint8Array(this.#home.memory.buffer);
    bytes.copyWithin(this.#region.offset, old.offset, old.offset + Math.min(this.#itemBytes * kept, old.byteLength));
    this.#home.give(old);
  }

  /** Gives back what lies behind the first `count` items and the padding that matrices have behind them. */
  trim(count: number): void {
    const { offset, byteLength } = this.#region;
    const kept = aligned(this.#itemBytes * count + ROW_PADDING);
    if (kept >= byteLength) return;
    this.#region = { offset, byteLength: kept };
    this.#home.give({ offset: offset + kept, byteLength: byteLength - kept });
  }

  giveBack(): void {
    this.#home.give(this.#region);
  }

  words(): Uint32Array {
    return new Uint32Array(this.#home.memory.buffer, this.#region.offset, this.capacity * (this.#itemBytes / 4));
  }

  doubles(): Float64Array {
    return new Float64Array(this.#home.memory.buffer, this.#region.offset, this.capacity);
  }
}
