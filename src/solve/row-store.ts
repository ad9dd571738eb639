// The kernel rows of a problem that are in memory: which are, where, and how those that are not get there, up to eight at a time; which rows are kept changes the time, never a value.

import { rowsWhere } from "../base/rows-where.js";
import { segmentsStruct } from "../runtime/layout.js";
import type { StructView } from "../runtime/struct.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { Company, companyBytes } from "./company.js";
import { LANES } from "./kernel-rows.js";
import type { RowSource } from "./row-source.js";

const NONE = 0xffffffff;
/** The part of the rows, those used longest ago, that are listed to give way: finding them takes a look at all. */
const LISTED_PART = 1 / 8;
/** What a block needs at once, and room to bring in others. */
const LEAST_SLOTS = 6 * LANES;
/** Rows of which those that lack something are found at once, so that they come in whole groups. */
const MOST_BEYOND = 4 * LANES;
/** Bytes of rows that cost little, before they have to be worth more. */
const FIRST_BYTES = 2 ** 26;

/** Positions of a row in memory: it may be written in fours. */
const strideOf = (rowCount: number): number => 4 * Math.ceil((rowCount + 3) / 4);

function slotsFor(rowCount: number, cacheBytes: number): number {
  return Math.max(LEAST_SLOTS, Math.min(rowCount, Math.floor(cacheBytes / (4 * strideOf(rowCount)))));
}

export function rowStoreBytes(rowCount: number, cacheBytes: number): number {
  const slots = slotsFor(rowCount, cacheBytes);
  const byPlace = 4 * rowCount;
  return spaceFor(
    ...[byPlace, byPlace, byPlace, byPlace, byPlace, 4 * slots, 4 * slots, 4 * LANES, 4 * LANES],
    segmentsStruct.size,
    companyBytes,
    4 * slots * strideOf(rowCount),
  );
}

/** What a machine asks of the kernel rows of its problem. */
export interface KernelStore {
  /** By position: where the row is, or 0 where the core may not use it; the step that used it last. */
  readonly rowOf: Uint32Array;
  readonly stamps: Uint32Array;
  /** Kernel values computed so far. */
  readonly computed: number;
  /** Where core/kernel/segments.ts finds what it needs to bring rows in by itself; 0 where it cannot. */
  readonly segments: number;
  /** What is to be awaited before any of the generators is asked for more. */
  readonly pending: Promise<unknown> | undefined;
  /** K of each position with itself, from the same values as all others. */
  diagonal(into: Float32Array): Generator<undefined, void>;
  /** Whether the row of a position is in memory, at least in part. */
  holds(place: number): boolean;
  /** How many rows are to come along with one that is wanted; to be asked once for each. */
  companions(): number;
  /** Brings the rows of up to eight positions in, as far as the first `size` positions go; `pinned` is not to give way. `step`: what time it is. `others` only come along, and are among the eight. */
  bring(places: readonly number[], size: number, pinned: number, step: number, others?: readonly number[]): Generator<undefined, void>;
  /**
   * Values of some rows, at most `mostBeyond`, for positions [from, to), wherever there is room: the addresses at which position 0 would be. A row that is here up to `from`
   * is then here up to `to`.
   */
  beyond(places: readonly number[], from: number, to: number): Generator<undefined, number[]>;
  readonly mostBeyond: number;
  /**
   * The caller has put the positions in a new order, of which the first `kept` are still in use. `order`: the old position of each new one. Rows are put in order
   * when they are next wanted: many never are. Those that are all there stay so: what they hold of the others is wanted when these come back.
   */
  permute(order: Uint32Array, kept: number): void;
  /** All positions are in use again: no row is complete any more, but those that were brought in beyond. */
  reopen(): void;
  /** No row is wanted any more: their memory is for others. */
  surrender(): Float64Array;
}

export class RowStore implements KernelStore {
  readonly rowOf: Uint32Array;
  readonly stamps: Uint32Array;
  readonly #task: Task;
  readonly #rows: RowSource;
  /** Rows of the matrix by position. */
  readonly #columns: Uint32Array;
  readonly #memory: number;
  readonly #stride: number;
  /** By position. */
  readonly #slotOf: Uint32Array;
  /** By slot: whose row it is, how much of it is there, and as of which shrinking its positions are. */
  readonly #placeOf: Uint32Array;
  readonly #filled: Uint32Array;
  readonly #age: Uint32Array;
  /** Slots that were in use; those that never were are counted in #state. */
  readonly #free: number[] = [];
  /** Rows to give way, unless they were used since. */
  readonly #oldest: { readonly slot: number; readonly stamp: number }[] = [];
  /** The order of each shrinking, and how many it kept. */
  readonly #orders: { readonly order: Uint32Array; readonly kept: number }[] = [];
  readonly #list: Uint32Array;
  /** Which of the orders is in #list, if one is. */
  #listed = NONE;
  readonly #scratch: number;
  readonly #wanted: { readonly places: Uint32Array; readonly starts: Uint32Array };
  /**
   * Where values cost no more than memory that nobody has touched yet, few slots at first, and a part of one more for every row that had given way and is wanted again (docs/performance.md). u8 by row of
   * the matrix: 1 where its row has given way.
   */
  readonly #isGone: Uint8Array | undefined;
  #allowed: number;
  readonly #company: Company;
  readonly #state: StructView<keyof typeof segmentsStruct.offsets>;

  /** `columns` lies in the task's memory, and is permuted by the caller before `permute` is called. */
  constructor(task: Task, rows: RowSource, columns: Uint32Array, cacheBytes: number) {
    const n = columns.length;
    const slots = slotsFor(n, cacheBytes);
    this.#task = task;
    this.#columns = columns;
    this.#rows = rows;
    this.rowOf = task.space.words(n);
    this.stamps = task.space.words(n);
    this.#list = task.space.rawWords(n);
    this.#scratch = task.space.rawFloats(n).byteOffset;
    this.#stride = strideOf(n);
    this.#memory = task.space.rawFloats(slots * this.#stride).byteOffset;
    this.#slotOf = task.space.rawWords(n).fill(NONE);
    this.#placeOf = task.space.rawWords(slots).fill(NONE);
    this.#filled = task.space.words(slots);
    this.#age = new Uint32Array(slots);
    this.#wanted = { places: task.space.rawWords(LANES), starts: task.space.rawWords(LANES) };
    const isFrugal = rows.roomPerReturn !== undefined && rows.segments === undefined;
    this.#isGone = isFrugal ? new Uint8Array(task.matrix.rowCount) : undefined;
    this.#allowed = isFrugal ? Math.min(slots, slotsFor(n, FIRST_BYTES)) : slots;
    this.#company = new Company(task, rows.isAptAlone === true, this.stamps, rows.companyShare);
    this.#state = task.space.struct(segmentsStruct);
    this.#state.assign({
      ...{ columns: columns.byteOffset, size: n, memory: this.#memory, stride: this.#stride, slotCount: slots },
      ...{
        slotOf: this.#slotOf.byteOffset,
        placeOf: this.#placeOf.byteOffset,
        filled: this.#filled.byteOffset,
      },
      ...{ places: this.#wanted.places.byteOffset, starts: this.#wanted.starts.byteOffset, company: this.#company.pointer },
      ...rows.segments,
    });
  }

  get segments(): number {
    return this.#rows.segments === undefined ? 0 : this.#state.pointer;
  }

  get computed(): number {
    return this.#rows.computed + this.#state.get("computed");
  }

  get pending(): Promise<unknown> | undefined {
    return this.#rows.pending;
  }

  *diagonal(into: Float32Array): Generator<undefined, void> {
    const columns = this.#columns;
    const known = this.#rows.diagonal;
    if (typeof known === "number") {
      into.fill(known);
      return;
    }
    if (known !== undefined) {
      for (let k = 0; k < columns.length; k++) into[k] = known[columns[k] as number] as number;
      return;
    }
    for (let begin = 0; begin < columns.length; begin += LANES) {
      const ids = Array.from(columns.subarray(begin, begin + LANES));
      this.#listed = NONE;
      this.#list.set(ids);
      const outs = ids.map((_, lane) => this.#memory + 4 * lane * this.#stride);
      yield* this.#rows.fill(ids, outs, this.#list, 0, ids.length);
      ids.forEach((_, lane) => {
        into[begin + lane] = this.#task.space.floatsAt(outs[lane] as number, LANES)[lane] as number;
      });
      if (begin % 4096 === 0) yield;
    }
  }

  holds(place: number): boolean {
    return this.#slotOf[place] !== NONE;
  }

  companions(): number {
    return this.#company.next();
  }

  *bring(
    wanted: readonly number[],
    size: number,
    pinned: number,
    step: number,
    others: readonly number[] = [],
  ): Generator<undefined, void> {
    this.#company.came(others, step);
    const places = [...wanted, ...others];
    const has = (place: number): number => this.#filled[this.#slotOf[place] as number] as number;
    let missing: number[] = [];
    for (const place of places) {
      this.stamps[place] = step;
      const slot = this.#slotFor(place, places, pinned);
      this.#catchUp(slot);
      if (has(place) < size) missing.push(place);
      else this.rowOf[place] = this.#rowAt(slot);
    }
    // Together those that are there up to the same position; as a rule none is there at all.
    while (missing.length > 0) {
      const from = has(missing[0] as number);
      yield* this.#fill(
        missing.filter((place) => has(place) === from),
        from,
        size,
      );
      missing = missing.filter((place) => has(place) < size);
    }
  }

  *#fill(places: readonly number[], from: number, to: number): Generator<undefined, void> {
    const ids: number[] = [];
    const outs: number[] = [];
    for (const place of places) {
      ids.push(this.#columns[place] as number);
      outs.push(this.#rowAt(this.#slotOf[place] as number));
    }
    if (from === 0 && to === this.#columns.length && this.segments !== 0) {
      this.#wanted.places.set(places);
      this.#wanted.starts.set(outs);
      this.#task.core.fillSegments(this.segments, places.length);
    } else yield* this.#compute(places, ids, outs, from, to);
    for (let k = 0; k < places.length; k++) {
      const place = places[k] as number;
      this.#filled[this.#slotOf[place] as number] = to;
      this.rowOf[place] = outs[k] as number;
    }
  }

  get mostBeyond(): number {
    return MOST_BEYOND;
  }

  *beyond(places: readonly number[], from: number, to: number): Generator<undefined, number[]> {
    const slots = places.map((place) => this.#slotFor(place, places, NONE));
    for (const slot of slots) this.#catchUp(slot);
    const missing = places.filter((_, k) => (this.#filled[slots[k] as number] as number) < to);
    for (let k = 0; k < missing.length; k += LANES) {
      const group = missing.slice(k, k + LANES);
      const own = group.map((place) => this.#slotOf[place] as number);
      yield* this.#compute(
        group,
        group.map((place) => this.#columns[place] as number),
        own.map((slot) => this.#rowAt(slot)),
        from,
        to,
      );
      for (const slot of own) if ((this.#filled[slot] as number) >= from) this.#filled[slot] = to;
    }
    return slots.map((slot) => this.#rowAt(slot));
  }

  /** Positions [from, to) of some rows. Where values are costly, and so nothing is ever set aside, those that other rows hold are taken from there. */
  *#compute(
    places: readonly number[],
    ids: readonly number[],
    outs: readonly number[],
    from: number,
    to: number,
  ): Generator<undefined, void> {
    if (this.#rows.isCostly !== true || from > 0) {
      yield* this.#rows.fill(ids, outs, this.#columns, from, to);
      return;
    }
    const last = Math.max(...places);
    const missing = rowsWhere(to, (t) => !this.holds(t) || (this.#filled[this.#slotOf[t] as number] as number) <= last);
    this.#listed = NONE;
    this.#list.set(missing.map((t) => this.#columns[t] as number));
    yield* this.#rows.fill(ids, outs, this.#list, 0, missing.length);
    const held = this.#task.space.floatsAt(this.#memory, this.#placeOf.length * this.#stride);
    outs.forEach((out, lane) => {
      const row = this.#task.space.floatsAt(out, to);
      // Apart, from the last one on, as each goes to the right.
      for (let k = missing.length - 1; k >= 0; k--) row[missing[k] as number] = row[k] as number;
      let next = 0;
      for (let t = 0; t < to; t++) {
        if (missing[next] === t) next++;
        else row[t] = held[(this.#slotOf[t] as number) * this.#stride + (places[lane] as number)] as number;
      }
    });
  }

  #rowAt(slot: number): number {
    return this.#memory + 4 * slot * this.#stride;
  }

  #slotFor(place: number, busy: readonly number[], pinned: number): number {
    const own = this.#slotOf[place] as number;
    if (own !== NONE) return own;
    if (this.#isGone?.[this.#columns[place] as number] === 1)
      this.#allowed = Math.min(this.#allowed + (this.#rows.roomPerReturn as number), this.#placeOf.length);
    const slot = this.#freshSlot() ?? this.#freeSlot(busy, pinned);
    this.#slotOf[place] = slot;
    this.#placeOf[slot] = place;
    this.#filled[slot] = 0;
    this.#age[slot] = this.#orders.length;
    return slot;
  }

  /** One that nobody has used; lower addresses before higher ones. */
  #freshSlot(): number | undefined {
    const fresh = this.#state.get("fresh");
    if (fresh >= Math.floor(this.#allowed)) return undefined;
    this.#state.set("fresh", fresh + 1);
    return fresh;
  }

  #freeSlot(busy: readonly number[], pinned: number): number {
    if (this.#free.length === 0) this.#evict(busy, pinned);
    return this.#free.pop() as number;
  }

  /** A row that was used longest ago gives way. */
  #evict(busy: readonly number[], pinned: number): void {
    for (;;) {
      const listed = this.#oldest.pop();
      if (listed === undefined) {
        this.#listOldest();
        continue;
      }
      const place = this.#placeOf[listed.slot] as number;
      if (place === NONE || this.#stampOf(listed.slot) !== listed.stamp || place === pinned || busy.includes(place)) continue;
      if (this.#isGone !== undefined) this.#isGone[this.#columns[place] as number] = 1;
      this.#slotOf[place] = NONE;
      this.rowOf[place] = 0;
      this.#placeOf[listed.slot] = NONE;
      this.#free.push(listed.slot);
      return;
    }
  }

  /** Those used longest ago, the oldest last. More than can be busy. */
  #listOldest(): void {
    const slots = this.#placeOf.length;
    const stamps = Uint32Array.from(this.#placeOf, (place) => (place === NONE ? NONE : (this.stamps[place] as number)));
    const count = Math.min(slots, Math.max(LEAST_SLOTS, Math.ceil(LISTED_PART * slots)));
    const limit = stamps.slice().sort()[count - 1] as number;
    for (let slot = 0; slot < slots; slot++) {
      const stamp = stamps[slot] as number;
      if (stamp <= limit && stamp !== NONE) this.#oldest.push({ slot, stamp });
    }
    this.#oldest.sort((a, b) => b.stamp - a.stamp || b.slot - a.slot);
  }

  #stampOf(slot: number): number {
    return this.stamps[this.#placeOf[slot] as number] as number;
  }

  permute(order: Uint32Array, kept: number): void {
    const slots = this.#slotOf.slice();
    const stamps = this.stamps.slice();
    for (let place = 0; place < order.length; place++) {
      const old = order[place] as number;
      const slot = slots[old] as number;
      this.#slotOf[place] = slot;
      this.stamps[place] = stamps[old] as number;
      if (slot !== NONE) this.#placeOf[slot] = place;
    }
    this.#orders.push({ order: order.slice(), kept });
    this.rowOf.fill(0);
    this.#company.forget();
    this.#rows.reordered?.();
  }

  reopen(): void {
    this.rowOf.fill(0);
  }

  surrender(): Float64Array {
    this.rowOf.fill(0);
    this.#slotOf.fill(NONE);
    const bytes = 4 * this.#placeOf.length * this.#stride;
    return this.#task.space.doublesAt(this.#memory, Math.floor(bytes / 8));
  }

  /** Puts a row into the order that shrinking has made since it was last used: all of it, or, of one that was not all there, what it has of the positions that were kept. */
  #catchUp(slot: number): void {
    const { core } = this.#task;
    const row = this.#rowAt(slot);
    for (let age = this.#age[slot] as number; age < this.#orders.length; age++) {
      const { order, kept } = this.#orders[age] as { order: Uint32Array; kept: number };
      const filled = this.#filled[slot] as number;
      if (this.#listed !== age) this.#list.set(order);
      this.#listed = age;
      if (filled >= order.length) {
        core.reorderFloats(row, this.#list.byteOffset, kept, order.length, this.#scratch);
        continue;
      }
      const count = below(order.subarray(0, kept), filled);
      core.keepFloats(row, this.#list.byteOffset, count);
      this.#filled[slot] = count;
    }
    this.#age[slot] = this.#orders.length;
  }
}

/** How many of the rising positions are below `limit`. */
function below(positions: Uint32Array, limit: number): number {
  let [low, high] = [0, positions.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((positions[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
