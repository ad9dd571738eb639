// A kernel over a few rows in the memory of the core under test.

import { decisionStruct, kernelKinds, kernelStruct, unitsStruct } from "../../src/runtime/layout.ts";
import { StructView } from "../../src/runtime/struct.ts";
import { type CoreUnderTest, coreUnderTest } from "./instance.ts";
import { putRows } from "./rows.ts";

export interface KernelSetting {
  readonly rows: readonly (readonly number[])[];
  readonly storage: "dense" | "csr";
  readonly kind: keyof typeof kernelKinds;
  readonly gamma?: number;
  readonly coef0?: number;
  readonly degree?: number;
  readonly isWide?: boolean;
  /** Rows of ones: core/kernel/counted.ts. */
  readonly isCounted?: boolean;
  /** Of counted rows: as bits, in so many words of 64. */
  readonly bitWords?: number;
  /** Of rbf: values less 1. */
  readonly isLess?: boolean;
  /** Rows of whole multiples of a unit: core/kernel/units.ts. */
  readonly unit?: { readonly perOne: number; readonly tolerance: number };
}

/** Rows in the lanes, the coefficients of all rows, the sum that each column of them is for, and which rows are summed over. */
type Summed = readonly [
  ids: readonly number[],
  coefficients: readonly (readonly number[])[],
  places: readonly number[],
  from: number,
  to: number,
];

export class KernelUnderTest {
  readonly core: CoreUnderTest;
  readonly #state: StructView<keyof typeof kernelStruct.offsets>;
  readonly #rows: number;
  readonly #n: number;
  readonly #d: number;

  constructor(
    {
      rows,
      storage,
      kind,
      gamma = 1,
      coef0 = 0,
      degree = 3,
      isWide = false,
      isCounted = false,
      bitWords = 0,
      isLess = false,
      unit,
    }: KernelSetting,
    pages?: number,
  ) {
    const core = coreUnderTest(pages);
    this.core = core;
    this.#n = rows.length;
    this.#d = rows[0]?.length ?? 0;
    this.#rows = putRows(core, storage, rows, this.#d);
    const zeros = (count: number): number => (isWide ? core.doubles : core.floats)(new Float64Array(count));
    this.#state = new StructView(kernelStruct, core.buffer, core.take(kernelStruct.size));
    this.#state.assign({
      ...{ rows: this.#rows, kind: kernelKinds[kind], degree, isWide: isWide ? 1 : 0, lanes: zeros(8 * this.#d), laneCount: 0 },
      ...{
        laneSquares: zeros(8),
        squares: zeros(this.#n),
        ...scratch(core),
        outs: core.words(new Uint32Array(8)),
        gamma,
        coef0,
        isCounted: isCounted ? 1 : 0,
        isLess: isLess ? 1 : 0,
        bits: bitWords > 0 ? core.take(8 * bitWords * this.#n) : 0,
        bitWords,
      },
    });
    if (isCounted) core.call.countedTable?.(this.#state.pointer, this.#d + 1);
    const all = core.words(Uint32Array.from({ length: this.#n }, (_, i) => i));
    if (bitWords > 0) core.call.writeBits?.(this.#state.pointer, all, this.#n);
    if (unit !== undefined) this.#state.set("units", this.#unitsOf(unit, all));
    core.call.kernelSquares?.(this.#state.pointer, this.#rows, this.#state.get("squares"), all, this.#n);
  }

  #unitsOf(unit: { readonly perOne: number; readonly tolerance: number }, ids: number): number {
    const { core } = this;
    const units = new StructView(unitsStruct, core.buffer, core.take(unitsStruct.size));
    const [begins, ends] = [core.words(new Uint32Array(this.#n)), core.words(new Uint32Array(this.#n))];
    units.assign({ begins, ends, records: core.take(6 * this.#n * (this.#d + 1)), ...unit });
    core.call.unitRows?.(units.pointer, this.#rows, ids, this.#n);
    return units.pointer;
  }

  /** |x_i|^2 in units, and the products of these numbers, feature by feature in every lane, with row c. */
  inUnits(i: number, numbers: readonly number[], c: number): { square: number; products: number[] } {
    const { core } = this;
    for (let lane = 0; lane < 8; lane++)
      for (const [j, value] of numbers.entries()) core.call.putUnit?.(this.#state.pointer, j, lane, (lane + 1) * value);
    const out = core.floats(new Float32Array(8));
    core.call.unitDots?.(this.#state.pointer, c, out);
    const twice = core.floats(new Float32Array(16));
    core.call.unitDotsOfTwo?.(this.#state.pointer, this.#state.pointer, c, twice, twice + 32);
    if (new Uint32Array(core.buffer, twice, 16).some((word, k) => word !== new Uint32Array(core.buffer, out, 8)[k % 8]))
      throw new Error("two kernels at once have other products");
    const square = core.call.unitNorm?.(this.#state.get("units"), this.#rows, i) ?? Number.NaN;
    return { square, products: Array.from(new Float32Array(core.buffer.slice(out, out + 32))) };
  }

  /** Whether rows are on the grid of the units. */
  onGrid(i: number): boolean {
    return this.core.call.isOnGrid?.(this.#state.get("units"), this.#rows, i) === 1;
  }

  /** K of these rows, at most eight, with the rows of `columns` from position `from` on; `cut` positions a call. */
  block(ids: readonly number[], columns: readonly number[], from = 0, cut = columns.length): number[][] {
    const { core } = this;
    const outs = ids.map(() => core.floats(new Float32Array(columns.length + 3).fill(-7)));
    new Uint32Array(core.buffer, this.#state.get("outs"), 8).set(outs);
    const [list, places] = [core.words(ids), core.words(columns)];
    core.call.loadLanes?.(this.#state.pointer, this.#rows, this.#state.get("squares"), list, ids.length, this.#d);
    // As two threads would: every other cut by a kernel of its own, which shares the lanes.
    const other = new StructView(kernelStruct, core.buffer, core.take(kernelStruct.size));
    const own = scratch(core);
    other.assign(own);
    core.call.shareLanes?.(other.pointer, this.#state.pointer);
    for (const name of ["dots", "tile", "constants", "tileSquares"] as const) {
      if (other.get(name) !== own[name]) throw new Error(`the other's ${name} is gone`);
    }
    for (let at = from, turn = 0; at < columns.length; at += cut, turn++) {
      const part = [places, at, Math.min(at + cut, columns.length)] as const;
      if (turn % 2 !== 0) core.call.kernelRows?.(other.pointer, ...part);
      else if (this.#state.get("bits") !== 0) core.call.bitRows?.(this.#state.pointer, ...part);
      else if (this.#state.get("isCounted") === 1) core.call.countedRows?.(this.#state.pointer, ...part);
      else core.call.kernelRows?.(this.#state.pointer, ...part);
    }
    core.call.clearLanes?.(this.#state.pointer, this.#rows, list, this.#d);
    return outs.map((at) => Array.from(new Float32Array(core.buffer.slice(at, at + 4 * columns.length))));
  }

  /** What computes the same block again and again, for timing. */
  repeated(ids: readonly number[], columns: readonly number[]): () => void {
    const { core } = this;
    const outs = ids.map(() => core.floats(new Float32Array(columns.length + 3)));
    new Uint32Array(core.buffer, this.#state.get("outs"), 8).set(outs);
    const [list, places] = [core.words(ids), core.words(columns)];
    core.call.loadLanes?.(this.#state.pointer, this.#rows, this.#state.get("squares"), list, ids.length, this.#d);
    return () => core.call.kernelRows?.(this.#state.pointer, places, 0, columns.length);
  }

  /** Dot products of these rows with row c, by way of place `place` of four. */
  wide(ids: readonly number[], c: number, place: number): number[] {
    const { core } = this;
    const list = core.words(ids);
    core.call.loadLanes?.(this.#state.pointer, this.#rows, this.#state.get("squares"), list, ids.length, this.#d);
    core.call.wideDots?.(this.#state.pointer, this.#rows, c, place);
    core.call.clearLanes?.(this.#state.pointer, this.#rows, list, this.#d);
    return core.readDoubles(this.#state.get("dots") + 64 * place, ids.length);
  }

  /** Kernel values of these rows with row c in float64; of rbf, their logarithms. */
  exact(ids: readonly number[], c: number): number[] {
    const { core } = this;
    const list = core.words(ids);
    core.call.loadLanes?.(this.#state.pointer, this.#rows, this.#state.get("squares"), list, ids.length, this.#d);
    core.call.wideDots?.(this.#state.pointer, this.#rows, c, 0);
    core.call.finishExact?.(this.#state.pointer, this.#state.get("dots"), c);
    core.call.clearLanes?.(this.#state.pointer, this.#rows, list, this.#d);
    return core.readDoubles(this.#state.get("dots"), ids.length);
  }

  /** F += sum over these rows of deltas K, in float64. */
  addExact(ids: readonly number[], deltas: readonly number[], f: readonly number[]): number[] {
    const { core } = this;
    const list = core.words(ids);
    core.call.loadLanes?.(this.#state.pointer, this.#rows, this.#state.get("squares"), list, ids.length, this.#d);
    const at = core.doubles(f);
    core.call.addExact?.(this.#state.pointer, core.words(f.map((_, t) => t)), at, core.doubles(deltas), 0, f.length);
    core.call.clearLanes?.(this.#state.pointer, this.#rows, list, this.#d);
    return core.readDoubles(at, f.length);
  }

  /** F += sum of values times K, in float64, over all rows. */
  sumExact(values: readonly number[], f: readonly number[]): number[] {
    const { core } = this;
    const at = core.doubles(f);
    const scratch = [core.words(new Uint32Array(8)), core.doubles(new Float64Array(8))] as const;
    const [ids, columns] = [values, f].map((list) => core.words(list.map((_, t) => t))) as [number, number];
    core.call.sumExact?.(this.#state.pointer, ids, core.doubles(values), values.length, columns, at, f.length, ...scratch);
    return core.readDoubles(at, f.length);
  }

  /** What the core's Segments need of it. */
  get places(): { kernel: number; rows: number } {
    return { kernel: this.#state.pointer, rows: this.#rows };
  }

  /** Sums over the rows [from, to) of coefficients times K, for up to eight rows; `places` says which sum each column is for. */
  decide(...[ids, coefficients, places, from, to]: Summed): number[][] {
    const { core } = this;
    const { pointer } = this.#state;
    return this.#decided(ids, places, (sums) => {
      core.call.valuesByPosition?.(pointer, core.words(Uint32Array.from({ length: to }, (_, v) => v)), from, to);
      core.call.decideTile?.(pointer, ...this.#lists(coefficients, places), sums, from, to);
    });
  }

  /** The same of rows that have one coefficient each. */
  decideOnly(...[ids, coefficients, , from, to]: Summed): number[] {
    const { core } = this;
    const { pointer } = this.#state;
    const sums = this.#decided(ids, [0], (at) => {
      core.call.valuesByPosition?.(pointer, core.words(Uint32Array.from({ length: to }, (_, v) => v)), from, to);
      const own = core.doubles(coefficients.slice(from, to).map(([value]) => value as number));
      core.call.decideOnly?.(own, at, to - from, this.#state.get("tile"));
    });
    return sums.flat();
  }

  /** Kernel values of rows in units, eight and eight, with the rows [from, to), both in one pass and one after the other: f32[to - from][8] each. */
  two(ids: readonly number[], others: readonly number[], from: number, to: number): { together: number[][]; apart: number[][] } {
    const { core } = this;
    const beside = new StructView(kernelStruct, core.buffer, core.take(kernelStruct.size));
    for (const name of Object.keys(kernelStruct.offsets) as (keyof typeof kernelStruct.offsets)[]) beside.set(name, this.#state.get(name));
    beside.assign({ lanes: core.floats(new Float32Array(8 * this.#d)), laneSquares: core.floats(new Float32Array(8)), ...scratch(core) });
    const columns = core.words(Uint32Array.from({ length: to }, (_, v) => v));
    const kernels = [this.#state, beside] as const;
    kernels.forEach((kernel, k) => {
      const list = core.words(k === 0 ? ids : others);
      core.call.loadLanes?.(kernel.pointer, this.#rows, kernel.get("squares"), list, 8, this.#d);
    });
    const tiles = (): number[][] =>
      kernels.map((kernel) => Array.from(new Float32Array(core.buffer.slice(kernel.get("tile"), kernel.get("tile") + 32 * (to - from)))));
    core.call.valuesOfTwo?.(this.#state.pointer, beside.pointer, columns, from, to);
    const together = tiles();
    for (const kernel of kernels) core.call.valuesByPosition?.(kernel.pointer, columns, from, to);
    return { together, apart: tiles() };
  }

  /** The same with values in float64. */
  decideExact(...[ids, coefficients, places, from, to]: Summed): number[][] {
    const { core } = this;
    const { pointer } = this.#state;
    return this.#decided(ids, places, (sums) => {
      core.call.decideExact?.(pointer, ...this.#lists(coefficients, places), sums, from, to);
    });
  }

  /**
   * Decision values of the rows [first, first + count) by all rows, with biases: f64[count][places]. `isOnly`: the core is not told places, since there is one. As a list of rows they are the same; of
   * counted rows, at most sixteen, `sumCounted` has the sums without biases.
   */
  decideRows(
    [first, count]: readonly [number, number],
    coefficients: readonly (readonly number[])[],
    places: readonly number[],
    biases: readonly number[],
    isOnly = false,
    call: "decideRows" | "decideList" | "sumCounted" = "decideRows",
  ): number[][] {
    const [starts, placesAt, values] = this.#lists(coefficients, places);
    const own = { starts, places: isOnly ? 0 : placesAt, coefficients: values, isExact: this.#state.get("isWide") === 1 ? 1 : 0 };
    return this.#decideBy(call, [first, count], biases, own);
  }

  /** Numbers with the signs of the decision values of these rows; a narrow kernel of the same rows tells those that it can. */
  decideSigns([first, count]: readonly [number, number], coefficients: readonly number[], bias: number): number[] {
    const { core } = this;
    const squares = this.#squaresInDoubles();
    const quick = core.take(kernelStruct.size);
    const narrow = new StructView(kernelStruct, core.buffer, quick);
    for (const name of Object.keys(kernelStruct.offsets) as (keyof typeof kernelStruct.offsets)[]) narrow.set(name, this.#state.get(name));
    narrow.assign({
      isWide: 0,
      lanes: core.floats(new Float32Array(8 * this.#d)),
      laneSquares: core.floats(new Float32Array(8)),
      squares: core.floats(squares),
    });
    const order = [...coefficients.keys()];
    const bySign = [...order.filter((v) => (coefficients[v] as number) > 0), ...order.filter((v) => !((coefficients[v] as number) > 0))];
    const [starts, placesAt, values] = this.#lists(
      coefficients.map((value) => [value]),
      [0],
    );
    const signs = this.#decideBy("decideSigns", [first, count], [bias], {
      ...{ starts, places: placesAt, coefficients: values, isExact: 1, quick },
      bySign: core.words(bySign),
      weights: core.doubles(bySign.map((v) => coefficients[v] as number)),
      above: coefficients.filter((value) => value > 0).length,
      termCount: coefficients.length,
      terms: this.#d,
      reach: Math.sqrt(Math.max(...squares)) * (1 + 1e-12),
    });
    return signs.flat();
  }

  #squaresInDoubles(): number[] {
    return this.core.readDoubles(this.#state.get("squares"), this.#n);
  }

  #decideBy(
    call: "decideRows" | "decideSigns" | "decideList" | "sumCounted",
    [first, count]: readonly [number, number],
    biases: readonly number[],
    own: Partial<Record<keyof typeof decisionStruct.offsets, number>>,
  ): number[][] {
    const { core } = this;
    const out = core.doubles(new Float64Array(count * biases.length));
    const list = core.words(Uint32Array.from({ length: count }, (_, k) => first + k));
    const sums = core.doubles(new Float64Array(16 * biases.length));
    const decision = core.take(decisionStruct.size);
    new StructView(decisionStruct, core.buffer, decision).assign({
      kernel: this.#state.pointer,
      rows: this.#rows,
      rowSquares: core.doubles(new Float64Array(count + 8)),
      ids: list,
      vectorCount: this.#n,
      featureCount: this.#d,
      vectors: core.words(Uint32Array.from({ length: this.#n }, (_, k) => k)),
      biases: core.doubles(biases),
      outputCount: biases.length,
      sums,
      sorted: core.words(new Uint32Array(count)),
      out,
      ...own,
    });
    if (call === "decideRows") core.call.decideRows?.(decision, count);
    else if (call === "decideSigns") core.call.decideSigns?.(decision, count);
    else if (call === "decideList") core.call.decideList?.(decision, this.#state.pointer, list, count);
    else core.call.sumCounted?.(decision, this.#state.pointer, list, count);
    if (call === "sumCounted")
      return Array.from({ length: count }, (_, lane) =>
        biases.map((_, m) => core.readDoubles(sums, 16 * biases.length)[16 * m + lane] as number),
      );
    const all = core.readDoubles(out, count * biases.length);
    return Array.from({ length: count }, (_, k) => all.slice(k * biases.length, (k + 1) * biases.length));
  }

  /** Coefficients as the core has them: those that are not 0. */
  #lists(coefficients: readonly (readonly number[])[], places: readonly number[]): [starts: number, places: number, values: number] {
    const held = coefficients.map((own) => own.flatMap((value, m) => (value === 0 ? [] : [{ value, place: places[m] as number }])));
    const starts = [0];
    for (const own of held) starts.push((starts.at(-1) as number) + own.length);
    const all = held.flat();
    const { core } = this;
    return [core.words(starts), core.words(all.map(({ place }) => place)), core.doubles(all.map(({ value }) => value))];
  }

  #decided(ids: readonly number[], places: readonly number[], decide: (sums: number) => void): number[][] {
    const { core } = this;
    const sums = core.doubles(new Float64Array(8 * places.length));
    const list = core.words(ids);
    core.call.loadLanes?.(this.#state.pointer, this.#rows, this.#state.get("squares"), list, ids.length, this.#d);
    decide(sums);
    core.call.clearLanes?.(this.#state.pointer, this.#rows, list, this.#d);
    return ids.map((_, lane) => places.map((_, m) => core.readDoubles(sums, 8 * places.length)[8 * m + lane] as number));
  }

  /** What the lanes hold between two blocks. */
  lanes(): number[] {
    const bytes = this.#state.get("isWide") ? 8 : 4;
    const at = this.#state.get("lanes");
    const slice = this.core.buffer.slice(at, at + bytes * 8 * this.#d);
    return Array.from(bytes === 8 ? new Float64Array(slice) : new Float32Array(slice));
  }
}

/** What a kernel needs for itself: src/solve/kernel-rows.ts. */
function scratch(core: CoreUnderTest) {
  return { dots: core.take(256), tile: core.take(4 * 8 * 512), constants: core.take(304), tileSquares: core.take(4 * 512) };
}
