// The variables of a kernel problem whose kernel rows are all in memory, one below the other, and pair steps on them (core/kernel/smo.ts). Room for problems of up to so
// many rows, one after the other.

import { sideStruct, smoStruct } from "../runtime/layout.js";
import type { StructView } from "../runtime/struct.js";
import { spaceFor, type Task } from "../runtime/task.js";
import type { GainingVariables } from "./kernel-choice.js";
import { LANES } from "./kernel-rows.js";
import { relayBytes, relayIn } from "./relay.js";
import { wholeStride } from "./whole-rows.js";

type Doubles = Float64Array;

/** Rows from which on passes in float32 save time. */
const LEAST_FOR_QUICK = 32;
/**
 * Passes in float32 choose pairs well while what is gained is this part of the largest |F|, many times what rounding does (core/kernel/quick.ts); and while squares of
 * F, over twice the diagonal, are numbers of float32.
 */
const QUICK_PART = 2 ** -15;
const QUICK_F = [1e-8, 1e12] as const;

/** Whether they do. `most`: the largest |F|; `violation`: the largest sum of gains of a pair. */
function isQuickEnough(most: number, violation: number): boolean {
  return most > QUICK_F[0] && most < QUICK_F[1] && violation > QUICK_PART * most;
}
/** Of nu-SVC and nu-SVR. */
const MOST_SIDES = 2;

/** A side in memory, by position. */
export interface SideArrays extends GainingVariables {
  readonly state: StructView<keyof typeof sideStruct.offsets>;
}

/** How far variables are from their optimum, at offsets in the middle of what gains allow. */
export interface Measure {
  readonly gap: number;
  readonly primal: number;
  readonly dual: number;
  readonly violation: number;
  readonly rho: readonly number[];
}

export function pairStepsBytes(rowCount: number): number {
  const doubles = new Array(2 + 5 * MOST_SIDES).fill(8 * rowCount);
  const floats = new Array(5 + 2 * MOST_SIDES).fill(4 * rowCount);
  const structs = [...new Array(MOST_SIDES).fill(sideStruct.size), smoStruct.size, relayBytes];
  return spaceFor(...doubles, ...floats, ...structs, 4 * LANES, 8 * LANES, 4 * rowCount * wholeStride(rowCount));
}

export class PairSteps {
  size = 0;
  /** Whether passes may be made in float32, and whether some were since F was made. */
  isRough = false;
  isDrifted = false;
  readonly f: Doubles;
  readonly z: Doubles;
  readonly #task: Task;
  readonly #smo: StructView<keyof typeof smoStruct.offsets>;
  readonly #all: readonly SideArrays[];
  #sides: readonly SideArrays[] = [];
  readonly #rowOf: Uint32Array;
  readonly #diagonal: Float32Array;
  readonly #places: Uint32Array;
  readonly #deltas: Doubles;
  readonly #matrix: number;
  readonly #group: { readonly rows: Uint32Array; readonly deltas: Doubles };

  /** For problems of up to so many rows. */
  constructor(task: Task, most: number) {
    const { space } = task;
    this.#task = task;
    this.f = space.rawDoubles(most);
    this.z = space.rawDoubles(most);
    this.#rowOf = space.rawWords(most);
    this.#places = space.rawWords(most);
    this.#diagonal = space.rawFloats(most);
    this.#deltas = new Float64Array(most);
    this.#all = Array.from({ length: MOST_SIDES }, (): SideArrays => {
      const state = space.struct(sideStruct);
      const many = (): Doubles => space.rawDoubles(most);
      const side = { state, value: many(), lo: many(), hi: many(), up: many(), low: many() };
      state.assign({
        ...{ f: this.f.byteOffset, z: this.z.byteOffset, value: side.value.byteOffset, lo: side.lo.byteOffset, hi: side.hi.byteOffset },
        ...{ up: side.up.byteOffset, low: side.low.byteOffset },
        ...{ upGain: space.rawFloats(most).byteOffset, lowGain: space.rawFloats(most).byteOffset },
      });
      return side;
    });
    this.#smo = space.struct(smoStruct);
    this.#smo.assign({
      ...{ rowOf: this.#rowOf.byteOffset, stamps: space.rawWords(most).byteOffset, diagonal: this.#diagonal.byteOffset },
      ...relayIn(space),
      ...{ drift: space.rawFloats(most).fill(0).byteOffset },
    });
    this.#group = { rows: space.rawWords(LANES), deltas: space.rawDoubles(LANES) };
    this.#matrix = space.rawFloats(most * wholeStride(most)).byteOffset;
  }

  get sides(): readonly SideArrays[] {
    return this.#sides;
  }

  /** For a problem of so many rows and sides. `tolerance`: sums of gains up to which nobody gains. Bounds, variables, z and rows are the caller's to fill in. */
  open(size: number, sideCount: number, epsilon: number, tolerance: number): void {
    this.size = size;
    this.#sides = this.#all.slice(0, sideCount);
    for (const { state } of this.#sides) {
      state.set("size", size);
      state.set("epsilon", epsilon);
    }
    const [first, other] = this.#sides;
    this.#smo.assign({ first: first?.state.pointer ?? 0, other: other?.state.pointer ?? 0, tolerance, steps: 0, dual: 0, isQuick: 0 });
    this.isDrifted = false;
  }

  /** `fill` writes the kernel row of a position to an address. */
  fillRows(fill: (place: number, out: number) => void): void {
    const n = this.size;
    const stride = wholeStride(n);
    for (let place = 0; place < n; place++) {
      const out = this.#matrix + 4 * place * stride;
      fill(place, out);
      this.#rowOf[place] = out;
    }
    const all = this.#task.space.floatsAt(this.#matrix, n * stride);
    for (let t = 0; t < n; t++) this.#diagonal[t] = all[t * stride + t] as number;
  }

  /** After variables or bounds were set: what gains lack. */
  setGains(): void {
    for (const { state } of this.#sides) this.#task.core.sideGains(state.pointer, 0);
  }

  /** Some variables of another problem, as they stand there, among themselves. */
  takeFrom(whole: PairSteps, places: Uint32Array): void {
    const { core } = this.#task;
    const list = this.#places;
    list.set(places);
    const gather = (from: Doubles, to: Doubles): void => core.gatherDoubles(from.byteOffset, list.byteOffset, places.length, to.byteOffset);
    gather(whole.f, this.f);
    gather(whole.z, this.z);
    this.#sides.forEach(({ value, lo, hi }, k) => {
      const own = whole.sides[k] as SideArrays;
      gather(own.value, value);
      gather(own.lo, lo);
      gather(own.hi, hi);
    });
    const rowOf = whole.#rowOf;
    this.fillRows((place, out) => core.gatherFloats(rowOf[places[place] as number] as number, list.byteOffset, places.length, out));
    this.setGains();
  }

  /** Those variables as they stand by now; F goes with them. */
  giveBack(part: PairSteps, places: Uint32Array): void {
    const deltas = this.#deltas.fill(0, 0, this.size);
    this.#sides.forEach(({ value }, k) => {
      const own = part.sides[k] as SideArrays;
      places.forEach((t, a) => {
        deltas[t] = (deltas[t] as number) + ((own.value[a] as number) - (value[t] as number));
        value[t] = own.value[a] as number;
      });
    });
    // What passes in float32 have not told F yet.
    this.look();
    this.setGains();
    this.add(deltas);
  }

  advance(count: number): number {
    this.isDrifted ||= this.#smo.get("isQuick") === 1;
    return this.#task.core.smoAdvance(this.#smo.pointer, count);
  }

  /** F += K deltas. */
  add(deltas: Doubles): void {
    const { core } = this.#task;
    const { rows, deltas: group } = this.#group;
    let held = 0;
    for (let t = 0; t < this.size; t++) {
      const delta = deltas[t] as number;
      if (delta === 0) continue;
      rows[held] = this.#rowOf[t] as number;
      group[held++] = delta;
      if (held < LANES) continue;
      core.addRows(this.f.byteOffset, rows.byteOffset, group.byteOffset, held, 0, this.size);
      held = 0;
    }
    if (held > 0) core.addRows(this.f.byteOffset, rows.byteOffset, group.byteOffset, held, 0, this.size);
  }

  /** F anew. */
  makeF(): void {
    const n = this.size;
    this.look();
    const total = this.#deltas.fill(0, 0, n);
    for (const { value } of this.#sides) for (let t = 0; t < n; t++) total[t] = (total[t] as number) + (value[t] as number);
    for (let t = 0; t < n; t++) this.f[t] = -(this.z[t] as number);
    this.add(total);
    this.isDrifted = false;
  }

  /** F as it is, the largest gains, and whether passes are precise enough in float32. */
  look(): void {
    const { core } = this.#task;
    const most = core.smoFold(this.#smo.pointer);
    let violation = 0;
    for (const { state } of this.#sides) {
      core.sideExtremes(state.pointer);
      violation = Math.max(violation, state.get("mostUp") + state.get("mostLow"));
    }
    this.#smo.set("violation", violation);
    const isQuick = this.isRough && this.size >= LEAST_FOR_QUICK && isQuickEnough(most, violation);
    this.#smo.set("isQuick", isQuick ? 1 : 0);
  }

  /** As of the last look. */
  measure(): Measure {
    let [gap, dual] = [0, 0];
    const rho = this.#sides.map(({ state }) => {
      const middle = (state.get("mostLow") - state.get("mostUp")) / 2;
      const own = Number.isFinite(middle) ? middle : 0;
      this.#task.core.sideGap(state.pointer, own);
      gap += state.get("gap");
      dual += state.get("dual");
      return own;
    });
    return { gap, dual, primal: dual + gap, violation: this.#smo.get("violation"), rho };
  }

  /** Positions that gain with the partner that gains most, as of the last look. */
  gaining(): Uint32Array {
    const { f, size } = this;
    const list = this.#places;
    let count = 0;
    for (let t = 0; t < size; t++) {
      const own = f[t] as number;
      for (const { state, up, low } of this.#sides) {
        if ((up[t] as number) - own + state.get("mostLow") < 0 && (low[t] as number) + own + state.get("mostUp") < 0) continue;
        list[count++] = t;
        break;
      }
    }
    return list.slice(0, count);
  }
}
