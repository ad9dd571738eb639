// Terms in the order of their bytes, which in UTF-8 is that of their code points: numbered from the first on, found by bisection, merged in one pass.

/** The bytes of all terms, one after the other; where each begins, and where the last one ends. */
export interface TermList {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
}

export class Vocabulary {
  readonly #list: TermList;
  readonly count: number;

  /** Terms in their order, none twice, unless that is still to be seen. */
  constructor(list: TermList) {
    this.#list = list;
    this.count = list.starts.length - 1;
  }

  /** Of strings. */
  static of(terms: readonly string[]): Vocabulary {
    const encoder = new TextEncoder();
    const bytes = encoder.encode(terms.join(""));
    const starts = new Uint32Array(terms.length + 1);
    // Of ASCII a character is a byte.
    const isAscii = bytes.length === terms.reduce((sum, { length }) => sum + length, 0);
    for (const [k, term] of terms.entries()) starts[k + 1] = (starts[k] as number) + (isAscii ? term.length : encoder.encode(term).length);
    return new Vocabulary({ bytes, starts });
  }

  /** The terms of all of them, and of each list the numbers that its terms have there. */
  static merged(lists: readonly TermList[]): { vocabulary: Vocabulary; numbers: Uint32Array[] } {
    const numbers = lists.map(({ starts }) => new Uint32Array(starts.length - 1));
    const most = lists.reduce((sum, { starts }) => sum + starts.length - 1, 0);
    const bytes = new Uint8Array(lists.reduce((sum, { starts }) => sum + (starts.at(-1) as number), 0));
    const starts = new Uint32Array(most + 1);
    const next = lists.map(() => 0);
    let count = 0;
    for (;;) {
      let first = -1;
      for (const [k, list] of lists.entries()) {
        if ((next[k] as number) === (numbers[k] as Uint32Array).length) continue;
        if (first < 0 || compare(list, next[k] as number, lists[first] as TermList, next[first] as number) < 0) first = k;
      }
      if (first < 0) break;
      const [list, id] = [lists[first] as TermList, next[first] as number];
      const [from, to] = [list.starts[id] as number, list.starts[id + 1] as number];
      const at = starts[count] as number;
      for (let k = from; k < to; k++) bytes[at + k - from] = list.bytes[k] as number;
      starts[count + 1] = at + to - from;
      for (const [k, other] of lists.entries()) {
        const own = next[k] as number;
        if (k !== first && (own === (numbers[k] as Uint32Array).length || compare(other, own, list, id) !== 0)) continue;
        (numbers[k] as Uint32Array)[own] = count;
        next[k] = own + 1;
      }
      count++;
    }
    const vocabulary = new Vocabulary({ bytes: bytes.slice(0, starts[count]), starts: starts.slice(0, count + 1) });
    return { vocabulary, numbers };
  }

  /** Whether terms are in order, none twice: what bisection relies on. */
  get isInOrder(): boolean {
    for (let id = 1; id < this.count; id++) if (compare(this.#list, id - 1, this.#list, id) >= 0) return false;
    return true;
  }

  /** Those with these numbers, which rise. */
  only(ids: readonly number[]): Vocabulary {
    const { bytes, starts } = this.#list;
    const own = new Uint32Array(ids.length + 1);
    for (const [k, id] of ids.entries()) own[k + 1] = (own[k] as number) + (starts[id + 1] as number) - (starts[id] as number);
    const kept = new Uint8Array(own[ids.length] as number);
    for (const [k, id] of ids.entries()) kept.set(bytes.subarray(starts[id], starts[id + 1]), own[k]);
    return new Vocabulary({ bytes: kept, starts: own });
  }

  /** The numbers that a list's terms, which are in order too, have here; -1 of those that are not: i32[terms]. */
  numbersOf(list: TermList): Int32Array {
    const numbers = new Int32Array(list.starts.length - 1);
    let from = 0;
    for (let id = 0; id < numbers.length; id++) {
      from = this.#firstNotBelow(list, id, from);
      numbers[id] = from < this.count && compare(this.#list, from, list, id) === 0 ? from : -1;
    }
    return numbers;
  }

  texts(): string[] {
    // A byte order mark is a character like others.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const { bytes, starts } = this.#list;
    const all = decoder.decode(bytes);
    const isAscii = all.length === bytes.length;
    const texts = new Array<string>(this.count);
    for (let id = 0; id < texts.length; id++) {
      const [from, to] = [starts[id], starts[id + 1]];
      texts[id] = isAscii ? all.slice(from, to) : decoder.decode(bytes.subarray(from, to));
    }
    return texts;
  }

  /** The first term from `from` on that is not before another's: strides that double, then halves, so that near ones are found soon. */
  #firstNotBelow(other: TermList, id: number, from: number): number {
    const isBelow = (own: number): boolean => compare(this.#list, own, other, id) < 0;
    let [low, stride] = [from, 1];
    while (low + stride <= this.count && isBelow(low + stride - 1)) {
      low += stride;
      stride *= 2;
    }
    let high = Math.min(low + stride - 1, this.count);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBelow(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Below 0 if the first is before the second, 0 if they are the same. */
function compare(a: TermList, i: number, b: TermList, j: number): number {
  const [own, other] = [a.bytes, b.bytes];
  const [from, start] = [a.starts[i] as number, b.starts[j] as number];
  const [length, width] = [(a.starts[i + 1] as number) - from, (b.starts[j + 1] as number) - start];
  for (let k = 0; k < length && k < width; k++) {
    const difference = (own[from + k] as number) - (other[start + k] as number);
    if (difference !== 0) return difference;
  }
  return length - width;
}
