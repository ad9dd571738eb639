// Sets a dual coordinate descent for a regression up in the memory of the core under test, from a plain problem.

import type { SvrProblem } from "../../reference/dcd-svr.ts";
import { Random } from "../../src/base/random.ts";
import { coreProgress, dcdStateStruct, losses, tubeRowStruct } from "../../src/runtime/layout.ts";
import { Column, StructView } from "../../src/runtime/struct.ts";
import type { CoreUnderTest } from "./instance.ts";
import { putRows } from "./rows.ts";

export interface TubeSettings {
  readonly kind?: "dense" | "csr";
  readonly seed?: number;
  readonly tolerance?: number;
  readonly iterationLimit?: number;
  readonly shrinking?: boolean;
  readonly shift?: number;
  readonly violation?: number;
  /** Dual variables to start from. */
  readonly beta?: readonly number[];
}

export class TubeUnderTest {
  readonly state: StructView<keyof typeof dcdStateStruct.offsets>;
  readonly #core: CoreUnderTest;
  readonly #beta: Column;
  readonly #w: number;
  readonly #rowCount: number;
  readonly #featureCount: number;

  constructor(core: CoreUnderTest, problem: SvrProblem, settings: TubeSettings = {}) {
    const { x, targets, costs, loss, epsilon, biasSquare = 0, isFree = false } = problem;
    const { kind = "dense", seed = 0, tolerance = 1e-9, iterationLimit = 100_000, shrinking = false, shift = 0 } = settings;
    this.#core = core;
    this.#rowCount = x.length;
    this.#featureCount = x[0]?.length ?? 0;
    const table = core.take(tubeRowStruct.size * x.length);
    const column = (name: keyof typeof tubeRowStruct.offsets): Column => new Column(tubeRowStruct, name, core.buffer, table, x.length);
    column("limit").fill(costs.map((cost) => (loss === "epsilon_insensitive" ? cost : 1 / (2 * cost))));
    column("row").fill(x.map((_, i) => i));
    column("target").fill(targets);
    this.#beta = column("beta");
    if (settings.beta !== undefined) this.#beta.fill(settings.beta);
    this.#w = core.doubles(new Float64Array(this.#featureCount), shift);
    this.state = new StructView(dcdStateStruct, core.buffer, core.take(dcdStateStruct.size));
    const slack = targets.map((target) => Math.max(0, Math.abs(target) - epsilon));
    this.state.assign({
      rows: putRows(core, kind, x, this.#featureCount, shift),
      table,
      order: core.words(x.map((_, i) => i)),
      ends: core.words([...x, ...x].map((_, i) => i)),
      w: this.#w,
      random: core.words(new Random(seed).state),
      rowCount: x.length,
      loss: losses[loss],
      iterationLimit,
      shrinking: shrinking ? 1 : 0,
      breaks: isFree ? core.take(8 * x.length) : 0,
      isFree: isFree ? 1 : 0,
      isWarm: settings.beta === undefined ? 0 : 1,
      biasSquare: isFree ? 0 : biasSquare,
      violation: settings.violation ?? 0,
      tolerance,
      zeroPrimal: slack.reduce((sum, e, i) => sum + (costs[i] as number) * (loss === "epsilon_insensitive" ? e : e * e), 0),
      epsilon,
    });
    core.call.tubeStart?.(this.state.pointer);
    // The core chooses the weight of a free bias itself; a test may want another.
    if (isFree && biasSquare > 0) this.state.set("biasSquare", biasSquare);
  }

  /** One slice; returns what the core says. */
  step(budget: number): number {
    return this.#core.call.tubeAdvance?.(this.state.pointer, budget) ?? Number.NaN;
  }

  /** Advances in slices of `budget` until the core says that it is done; returns what it says. */
  run(budget = 1_000_000): number {
    for (;;) {
      const progress = this.step(budget);
      if (progress !== coreProgress.running) return progress;
    }
  }

  get beta(): number[] {
    return Array.from(this.#beta.copy(this.#rowCount));
  }

  get w(): number[] {
    return this.#core.readDoubles(this.#w, this.#featureCount);
  }

  /** b as the model would have it. */
  get bias(): number {
    return this.state.get(this.state.get("isFree") === 1 ? "bestBias" : "bias");
  }
}
