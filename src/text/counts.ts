// How often each term is in each text, as the rows of a sparse matrix that grow text by text.

import { grown } from "./grown.js";

export class Counts {
  /** Terms and how often, row after row; where each row begins, and the last one ends. */
  ids = new Uint32Array(1 << 16);
  counts = new Float32Array(1 << 16);
  starts: Uint32Array;
  #rows = 0;
  #end = 0;
  /** Of each term, where it is in the present row, if that is where it says. */
  #places = new Uint32Array(1 << 12);

  constructor(rowCount: number) {
    this.starts = new Uint32Array(rowCount + 1);
  }

  /** One more of a term in the present row, or as many as `count`. */
  add(id: number, count = 1): void {
    if (id >= this.#places.length) this.#places = grown(this.#places, id + 1);
    const place = this.#places[id] as number;
    if (place >= (this.starts[this.#rows] as number) && place < this.#end && this.ids[place] === id) {
      this.counts[place] = (this.counts[place] as number) + count;
      return;
    }
    if (this.#end === this.ids.length) {
      this.ids = grown(this.ids, this.#end + 1);
      const counts = new Float32Array(this.ids.length);
      counts.set(this.counts);
      this.counts = counts;
    }
    this.#places[id] = this.#end;
    this.ids[this.#end] = id;
    this.counts[this.#end++] = count;
  }

  /** Ends the present row. */
  endRow(): void {
    this.starts[++this.#rows] = this.#end;
  }
}
