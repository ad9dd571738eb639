// Sets a dual coordinate descent up in the memory of the core under test, from a plain problem.

import type { DcdProblem } from "../../reference/dcd-svc.ts";
import { Random } from "../../src/base/random.ts";
import { coreProgress, dcdRowStruct, dcdStateStruct, losses } from "../../src/runtime/layout.ts";
import { Column, StructView } from "../../src/runtime/struct.ts";
import type { CoreUnderTest } from "./instance.ts";
import { putRows } from "./rows.ts";

export interface DcdSettings {
  readonly kind?: "dense" | "csr";
  readonly seed?: number;
  readonly tolerance?: number;
  readonly iterationLimit?: number;
  readonly shrinking?: boolean;
  readonly shift?: number;
  readonly violation?: number;
  readonly grows?: boolean;
  /** Dual variables to start from. */
  readonly alpha?: readonly number[];
}

export class DcdUnderTest {
  readonly state: StructView<keyof typeof dcdStateStruct.offsets>;
  readonly #core: CoreUnderTest;
  readonly #alpha: Column;
  readonly #w: number;
  readonly #rowCount: number;
  readonly #featureCount: number;

  constructor(core: CoreUnderTest, problem: DcdProblem, settings: DcdSettings = {}) {
    const { x, y, costs, loss } = problem;
    const { kind = "dense", seed = 0, tolerance = 1e-9, iterationLimit = 100_000, shrinking = false, shift = 0 } = settings;
    const { biasSquare = 0, isFree = false } = problem;
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    this.#core = core;
    this.#rowCount = x.length;
    this.#featureCount = x[0]?.length ?? 0;
    const table = core.take(dcdRowStruct.size * x.length);
    const column = (name: keyof typeof dcdRowStruct.offsets): Column => new Column(dcdRowStruct, name, core.buffer, table, x.length);
    column("limit").fill(costs.map((cost) => (loss === "hinge" ? cost : 1 / (2 * cost))));
    column("row").fill(x.map((_, i) => i));
    column("y").fill(y);
    this.#alpha = column("alpha");
    if (settings.alpha !== undefined) this.#alpha.fill(settings.alpha);
    this.#w = core.doubles(new Float64Array(this.#featureCount), shift);
    this.state = new StructView(dcdStateStruct, core.buffer, core.take(dcdStateStruct.size));
    this.state.assign({
      rows: putRows(core, kind, x, this.#featureCount, shift),
      table,
      order: core.words(x.map((_, i) => i)),
      w: this.#w,
      random: core.words(new Random(seed).state),
      rowCount: x.length,
      loss: losses[loss],
      iterationLimit,
      shrinking: shrinking ? 1 : 0,
      breaks: isFree ? core.take(8 * x.length) : 0,
      isFree: isFree ? 1 : 0,
      isWarm: settings.alpha === undefined ? 0 : 1,
      grows: settings.grows ? 1 : 0,
      biasSquare: isFree ? 4 / total : biasSquare,
      violation: settings.violation ?? 0,
      tolerance,
      zeroPrimal: total,
      margin: 1,
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

  get bias(): number {
    return this.state.get("bias");
  }
}
