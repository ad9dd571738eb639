// Lines of support vectors, coefficients and then "index:value" entries, by the core: the text lies in its memory, and what it holds comes to lie behind it. Lines that are not regular are for the host.

import { type LibsvmVectors, signOf } from "../model/libsvm-file.js";
import type { Core } from "../runtime/core.js";
import { svmlightBlockStruct } from "../runtime/layout.js";
import type { RegionMemory } from "../runtime/memory.js";
import { TEXT_PADDING } from "../runtime/row-landing.js";
import { spaceFor, WorkSpace } from "../runtime/task.js";
import { NEWLINE } from "./ascii.js";
import { COUNT } from "./model-header.js";
import type { ModelText } from "./model-text.js";
import { DECIMAL_BYTES } from "./svmlight-block.js";

/** What each array takes: the text, coefficients, starts, values and indices. An entry takes at least four bytes of text, "1:1" and a blank. */
function sizesOf(textBytes: number, count: number, columns: number) {
  const most = Math.ceil(textBytes / 4) + 1;
  return {
    text: textBytes + 1 + TEXT_PADDING,
    coefficients: 8 * count * columns,
    starts: 4 * (count + 1),
    values: 4 * most,
    indices: 4 * most,
  };
}

/** Memory of the core that a text of so many bytes, lines and coefficients needs. */
export function vectorTextBytes(textBytes: number, count: number, columns: number): number {
  return spaceFor(svmlightBlockStruct.size, DECIMAL_BYTES, ...Object.values(sizesOf(textBytes, count, columns)));
}

export class VectorText {
  /** f64[count][columns]. */
  readonly coefficients: Float64Array;
  readonly #core: Core;
  readonly #count: number;
  readonly #columns: number;
  readonly #block;
  readonly #starts: Uint32Array;
  readonly #values: Float32Array;
  readonly #indices: Uint32Array;
  /** Where the text is, less where it begins in its own bytes. */
  readonly #shift: number;

  /** What is left of the text, `count` lines of `columns` coefficients each. */
  constructor(core: Core, home: RegionMemory, text: ModelText, count: number, columns: number) {
    const { from, to } = text.rest;
    const sizes = sizesOf(to - from, count, columns);
    const region = home.take(vectorTextBytes(to - from, count, columns));
    const space = new WorkSpace(home.memory.buffer, region); // the buffer is another where the memory had to grow
    const own = space.rawBytes(sizes.text);
    own.set(text.bytes.subarray(from, to));
    own[to - from] = NEWLINE;
    this.#core = core;
    this.#count = count;
    this.#columns = columns;
    this.#shift = own.byteOffset - from;
    this.coefficients = space.rawDoubles(sizes.coefficients / 8);
    this.#starts = space.rawWords(sizes.starts / 4);
    this.#starts[0] = 0;
    this.#values = space.rawFloats(sizes.values / 4);
    this.#indices = space.rawWords(sizes.indices / 4);
    this.#block = space.struct(svmlightBlockStruct);
    this.#block.assign({
      next: own.byteOffset,
      end: own.byteOffset + to - from,
      values: this.#values.byteOffset,
      indices: this.#indices.byteOffset,
      starts: this.#starts.byteOffset,
      labels: this.coefficients.byteOffset,
      decimal: space.rawBytes(DECIMAL_BYTES).byteOffset,
      featureLimit: COUNT.most,
    });
  }

  /** Lines read so far. */
  get rows(): number {
    return this.#block.get("rowCount");
  }

  /** The first byte, of the text's own, that was not read. */
  get next(): number {
    return this.#block.get("next") - this.#shift;
  }

  /** Reads up to a line that is for the host, if there is one, or the last. */
  readOn(): void {
    this.#core.parseVectors(this.#block.pointer, this.#columns, this.#count);
  }

  /** The entries of the line that was for the host, whose coefficients are where they belong; the text goes on at `next`. */
  add(indices: Uint32Array, values: Float64Array, next: number): void {
    const [row, count] = [this.rows + 1, this.#block.get("valueCount")];
    this.#indices.set(indices, count);
    this.#values.set(values, count);
    this.#starts[row] = count + values.length;
    this.#block.assign({ rowCount: row, valueCount: count + values.length, next: next + this.#shift });
  }

  /** Copies of everything, and what a model makes of it, if its features count from 1; the text's own are gone then. */
  finish(): Omit<LibsvmVectors, "count"> {
    const count = this.#block.get("valueCount");
    const own = {
      coefficients: this.coefficients.slice(),
      starts: this.#starts.slice(),
      indices: this.#indices.slice(0, count),
      values: this.#values.slice(0, count),
    };
    const featureCount = this.#core.lowerFeatures(this.#indices.byteOffset, count);
    if (count > 0 && featureCount === 0) return own;
    this.#core.turnSigns(this.coefficients.byteOffset, this.coefficients.length, signOf(this.#columns + 1));
    const forModel = { indices: this.#indices.slice(0, count), featureCount, coefficients: this.coefficients.slice() };
    return { ...own, forModel };
  }
}
