// How often each term is in each text, as the rows of a sparse matrix that grow text by text.

import { HingeError } from "../base/errors.js";
import { grown } from "./grown.js";

/** Terms and how often, row after row; where each row begins, and the last one ends. */
export interface TextRows {
  readonly ids: Uint32Array;
  readonly counts: Float32Array;
  readonly starts: Uint32Array;
}

/** Of each term, how many texts have it, and how often it is in all of them. */
export interface TermUse {
  readonly documents: Uint32Array;
  readonly totals: Float64Array;
}

/** With the number of a term it has room in the 53 bits of a float64. */
const MOST_VALUES = 2 ** 27;

export class Counts {
  #ids = new Uint32Array(1 << 12);
  #counts = new Float32Array(1 << 12);
  readonly #starts: Uint32Array;
  #rows = 0;
  #end = 0;
  /** Of each term, where it is in the present row, if that is where it says. */
  #places = new Uint32Array(1 << 12);

  constructor(rowCount: number) {
    this.#starts = new Uint32Array(rowCount + 1);
  }

  /** One more of a term in the present row, or as many as `count`. */
  add(id: number, count = 1): void {
    if (id >= this.#places.length) this.#places = grown(this.#places, id + 1);
    const place = this.#places[id] as number;
    if (place >= (this.#starts[this.#rows] as number) && place < this.#end && this.#ids[place] === id) {
      this.#counts[place] = (this.#counts[place] as number) + count;
      return;
    }
    if (this.#end === this.#ids.length) {
      if (2 * this.#end > MOST_VALUES)
        throw HingeError.input(`texts have more than ${this.#end} terms in one part; take fewer at once, or more threads`);
      this.#ids = grown(this.#ids);
      const counts = new Float32Array(this.#ids.length);
      counts.set(this.#counts);
      this.#counts = counts;
    }
    this.#places[id] = this.#end;
    this.#ids[this.#end] = id;
    this.#counts[this.#end++] = count;
  }

  /** Ends the present row. */
  endRow(): void {
    this.#starts[++this.#rows] = this.#end;
  }

  /** The rows, in each of them terms in the order of their numbers. */
  rows(): TextRows {
    const [ids, counts] = [new Uint32Array(this.#end), new Float32Array(this.#end)];
    const keys = new Float64Array(this.#end);
    for (let k = 0; k < this.#end; k++) keys[k] = (this.#ids[k] as number) * MOST_VALUES + k;
    for (let i = 0; i < this.#rows; i++) keys.subarray(this.#starts[i], this.#starts[i + 1]).sort();
    for (let k = 0; k < this.#end; k++) {
      const key = keys[k] as number;
      const id = Math.floor(key / MOST_VALUES);
      ids[k] = id;
      counts[k] = this.#counts[key - id * MOST_VALUES] as number;
    }
    return { ids, counts, starts: this.#starts };
  }

  /**
   * The rows with terms numbered anew, by `ranks`, in each row in that order, and what they are together: values are put term by term first, and from there into their rows. Takes half the
   * time of sorting each row, where there are not many more terms than values.
   */
  ranked(ranks: Uint32Array): { rows: TextRows; use: TermUse } {
    const termCount = ranks.length;
    const documents = new Uint32Array(termCount);
    const totals = new Float64Array(termCount);
    for (let k = 0; k < this.#end; k++) {
      const rank = ranks[this.#ids[k] as number] as number;
      documents[rank] = (documents[rank] as number) + 1;
      totals[rank] = (totals[rank] as number) + (this.#counts[k] as number);
    }
    const next = new Uint32Array(termCount);
    for (let rank = 1; rank < termCount; rank++) next[rank] = (next[rank - 1] as number) + (documents[rank - 1] as number);
    const [rowIds, sorted] = [new Uint32Array(this.#end), new Float32Array(this.#end)];
    for (let i = 0; i < this.#rows; i++) {
      for (let k = this.#starts[i] as number; k < (this.#starts[i + 1] as number); k++) {
        const rank = ranks[this.#ids[k] as number] as number;
        const at = next[rank] as number;
        next[rank] = at + 1;
        rowIds[at] = i;
        sorted[at] = this.#counts[k] as number;
      }
    }
    const [ids, counts] = [new Uint32Array(this.#end), new Float32Array(this.#end)];
    const fill = this.#starts.slice(0, this.#rows);
    for (let rank = 0, at = 0; rank < termCount; rank++) {
      for (const end = next[rank] as number; at < end; at++) {
        const row = rowIds[at] as number;
        const place = fill[row] as number;
        fill[row] = place + 1;
        ids[place] = rank;
        counts[place] = sorted[at] as number;
      }
    }
    return { rows: { ids, counts, starts: this.#starts }, use: { documents, totals } };
  }
}
