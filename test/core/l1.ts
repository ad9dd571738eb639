// Rows with a smooth loss, H and columns in the memory of the core under test, from plain rows.

import { Random } from "../../src/base/random.ts";
import { columnsStruct, gramStruct, losses, lossRowsStruct } from "../../src/runtime/layout.ts";
import { StructView } from "../../src/runtime/struct.ts";
import { type CoreUnderTest, coreUnderTest } from "./instance.ts";
import { putRows } from "./rows.ts";

export interface L1Setting {
  readonly x: readonly (readonly number[])[];
  readonly y: readonly number[];
  readonly costs: readonly number[];
  readonly margins: readonly number[];
  readonly loss: "squared_hinge" | "logistic";
  readonly kind?: "dense" | "csr";
  readonly constant?: number;
}

export class L1UnderTest {
  readonly core: CoreUnderTest = coreUnderTest();
  readonly rows: StructView<keyof typeof lossRowsStruct.offsets>;
  readonly n: number;
  readonly d: number;

  constructor({ x, y, costs, margins, loss, kind = "csr", constant = 1 }: L1Setting) {
    const { core } = this;
    this.n = x.length;
    this.d = x[0]?.length ?? 0;
    const zeros = (count: number): number => core.doubles(new Float64Array(count));
    this.rows = new StructView(lossRowsStruct, core.buffer, core.take(lossRowsStruct.size));
    this.rows.assign({
      rows: putRows(core, kind, x, this.d),
      rowIds: core.words(x.map((_, i) => i)),
      signs: core.floats(y),
      costs: core.doubles(costs),
      margins: core.doubles(margins),
      turns: zeros(this.n),
      slopes: zeros(this.n),
      curvatures: zeros(this.n),
      up: zeros(this.d),
      down: zeros(this.d),
      loss: losses[loss],
      rowCount: this.n,
      constant,
    });
  }

  /** The doubles that a pointer field of the rows points to. */
  column(name: "margins" | "turns" | "slopes" | "curvatures"): number[] {
    return this.core.readDoubles(this.rows.get(name), this.n);
  }

  gram(features: readonly number[], penalty: readonly number[]): StructView<keyof typeof gramStruct.offsets> {
    const { core } = this;
    const size = features.length;
    const zeros = (count: number): number => core.doubles(new Float64Array(count));
    const place = new Array<number>(this.d + 1).fill(0xffffffff);
    features.forEach((j, k) => {
      place[j] = k;
    });
    const gram = new StructView(gramStruct, core.buffer, core.take(gramStruct.size));
    gram.assign({
      place: core.words(place),
      applied: zeros(this.n),
      places: core.words(new Uint32Array(size + 1)),
      values: zeros(size + 1),
      matrix: zeros(size * size),
      factor: zeros(size * size),
      point: zeros(size),
      slope: zeros(size),
      penalty: core.doubles(penalty),
      chosen: core.words(new Uint32Array(size)),
      step: zeros(size),
      size,
      stack: zeros(4 * size),
      weights: zeros(4),
      stackCount: 0,
      squares: zeros(size),
    });
    return gram;
  }

  columns(w: readonly number[], biasPenalty: number): StructView<keyof typeof columnsStruct.offsets> {
    const { core } = this;
    const zeros = (count: number): number => core.doubles(new Float64Array(count));
    const room = (this.d + 1) * this.n;
    const columns = new StructView(columnsStruct, core.buffer, core.take(columnsStruct.size));
    columns.assign({
      starts: core.words(new Uint32Array(this.d + 2)),
      indices: core.words(new Uint32Array(room)),
      values: core.floats(new Float32Array(room)),
      pairs: zeros(2 * this.n),
      w: core.doubles(w),
      gradient: zeros(this.d + 1),
      point: zeros(this.d + 1),
      diagonal: zeros(this.d + 1),
      list: core.words(new Uint32Array(this.d + 1)),
      order: core.words(new Uint32Array(this.d + 1)),
      random: core.words(new Random(1).state),
      featureCount: this.d,
      columnCount: this.d + (this.rows.get("constant") === 0 ? 0 : 1),
      biasPenalty,
    });
    return columns;
  }
}
