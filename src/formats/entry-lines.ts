// Entries "index:value" of many lines, by the core: the text lies in its memory, and what it holds comes to lie behind it.

import type { Core } from "../runtime/core.js";
import { svmlightBlockStruct } from "../runtime/layout.js";
import type { RegionMemory } from "../runtime/memory.js";
import { TEXT_PADDING } from "../runtime/row-landing.js";
import { spaceFor, WorkSpace } from "../runtime/task.js";
import { NEWLINE } from "./ascii.js";
import { COUNT } from "./model-header.js";
import type { ModelText } from "./model-text.js";
import { DECIMAL_BYTES } from "./svmlight-block.js";

export class EntryLines {
  readonly #core: Core;
  readonly #block;
  readonly #values: Float32Array;
  readonly #indices: Uint32Array;
  /** Where the text is, less where it begins in its own bytes. */
  readonly #shift: number;

  constructor(core: Core, home: RegionMemory, text: ModelText) {
    const { from, to } = text.rest;
    // An entry takes at least four bytes, "1:1" and a blank.
    const most = Math.ceil((to - from) / 4) + 1;
    const bytes = [to - from + 1 + TEXT_PADDING, svmlightBlockStruct.size, DECIMAL_BYTES, 4 * most, 4 * most];
    const region = home.take(spaceFor(...bytes));
    const space = new WorkSpace(home.memory.buffer, region);
    const own = space.rawBytes(to - from + 1 + TEXT_PADDING);
    own.set(text.bytes.subarray(from, to));
    own[to - from] = NEWLINE;
    this.#core = core;
    this.#shift = own.byteOffset - from;
    this.#values = space.rawFloats(most);
    this.#indices = space.rawWords(most);
    this.#block = space.struct(svmlightBlockStruct);
    const decimal = space.rawBytes(DECIMAL_BYTES).byteOffset;
    const arrays = { values: this.#values.byteOffset, indices: this.#indices.byteOffset, decimal };
    this.#block.assign({ end: own.byteOffset + to - from, ...arrays, featureLimit: COUNT.most });
  }

  /** How many entries there are so far. */
  get count(): number {
    return this.#block.get("valueCount");
  }

  /** The entries of a line from this byte on; false, with nothing changed, if they are not plain numbers at rising indices. */
  read(at: number): boolean {
    this.#block.set("next", this.#shift + at);
    return this.#core.parseEntries(this.#block.pointer) === 1;
  }

  /** Entries that were read otherwise. */
  add(indices: Uint32Array, values: Float64Array): void {
    const { count } = this;
    this.#indices.set(indices, count);
    this.#values.set(values, count);
    this.#block.set("valueCount", count + values.length);
  }

  entries(): { indices: Uint32Array; values: Float32Array } {
    const { count } = this;
    return { indices: this.#indices.slice(0, count), values: this.#values.slice(0, count) };
  }
}
