// Sets a dual coordinate descent up in the memory of the core under test, whatever its loss: what its problem has in common with others.

import { Random } from "../../src/base/random.ts";
import { coreProgress, type dcdRowStruct, dcdStateStruct, type tubeRowStruct } from "../../src/runtime/layout.ts";
import { Column, StructView } from "../../src/runtime/struct.ts";
import type { CoreUnderTest } from "./instance.ts";
import { putRows } from "./rows.ts";

export interface DescentSettings {
  readonly kind?: "dense" | "csr";
  readonly seed?: number;
  readonly tolerance?: number;
  readonly iterationLimit?: number;
  readonly shrinking?: boolean;
  readonly shift?: number;
  readonly violation?: number;
  /** Dual variables to start from. */
  readonly alpha?: readonly number[];
}

export interface DescentRows<Name extends string> {
  readonly x: readonly (readonly number[])[];
  readonly struct: typeof dcdRowStruct | typeof tubeRowStruct;
  /** What the rows' entries hold besides their number. */
  readonly columns: Readonly<Record<Name, readonly number[]>>;
  readonly isFree: boolean;
  /** s^2; of a free bias one that the core is to use instead of its own. */
  readonly biasSquare: number;
  readonly state: Partial<Record<keyof typeof dcdStateStruct.offsets, number>>;
}

export class DescentUnderTest {
  readonly state: StructView<keyof typeof dcdStateStruct.offsets>;
  readonly #core: CoreUnderTest;
  readonly #alpha: Column;
  readonly #w: number;
  readonly #rowCount: number;
  readonly #featureCount: number;

  constructor(core: CoreUnderTest, rows: DescentRows<string>, settings: DescentSettings) {
    const { x, struct, columns, isFree, biasSquare, state } = rows;
    const { kind = "dense", seed = 0, tolerance = 1e-9, iterationLimit = 100_000, shrinking = false, shift = 0 } = settings;
    this.#core = core;
    this.#rowCount = x.length;
    this.#featureCount = x[0]?.length ?? 0;
    const table = core.take(struct.size * x.length);
    const column = (name: string): Column => new Column(struct, name as "alpha", core.buffer, table, x.length);
    for (const [name, values] of Object.entries(columns)) column(name).fill(values);
    column("row").fill(x.map((_, i) => i));
    this.#alpha = column("alpha");
    if (settings.alpha !== undefined) this.#alpha.fill(settings.alpha);
    this.#w = core.doubles(new Float64Array(this.#featureCount), shift);
    this.state = new StructView(dcdStateStruct, core.buffer, core.take(dcdStateStruct.size));
    this.state.assign({
      rows: putRows(core, kind, x, this.#featureCount, shift),
      table,
      rowBytes: struct.size,
      order: core.words(x.map((_, i) => i)),
      ends: core.words([...x, ...x].map((_, i) => i)),
      w: this.#w,
      random: core.words(new Random(seed).state),
      rowCount: x.length,
      iterationLimit,
      shrinking: shrinking ? 1 : 0,
      breaks: isFree ? core.take(8 * x.length) : 0,
      isFree: isFree ? 1 : 0,
      isWarm: settings.alpha === undefined ? 0 : 1,
      biasSquare: isFree ? 0 : biasSquare,
      violation: settings.violation ?? 0,
      tolerance,
      ...state,
    });
    core.call.dcdStart?.(this.state.pointer);
    // The core chooses the weight of a free bias itself; a test may want another.
    if (isFree && biasSquare > 0) this.state.set("biasSquare", biasSquare);
  }

  /** One slice; returns what the core says. */
  step(budget: number): number {
    return this.#core.call.dcdAdvance?.(this.state.pointer, budget) ?? Number.NaN;
  }

  /** Advances in slices of `budget` until the core says that it is done; returns what it says. */
  run(budget = 1_000_000): number {
    for (;;) {
      const progress = this.step(budget);
      if (progress !== coreProgress.running) return progress;
    }
  }

  get alpha(): number[] {
    return Array.from(this.#alpha.copy(this.#rowCount));
  }

  get w(): number[] {
    return this.#core.readDoubles(this.#w, this.#featureCount);
  }
}
