// Sets a Crammer-Singer descent up in the memory of the core under test, from a plain problem.

import type { CrammerSingerProblem } from "../../reference/crammer-singer.ts";
import { Random } from "../../src/base/random.ts";
import { coreProgress, csRecordStruct, csStateStruct } from "../../src/runtime/layout.ts";
import { Column, StructView } from "../../src/runtime/struct.ts";
import type { CoreUnderTest } from "./instance.ts";
import { putRows } from "./rows.ts";

export interface CrammerSingerSettings {
  readonly kind?: "dense" | "csr";
  readonly seed?: number;
  readonly tolerance?: number;
  readonly iterationLimit?: number;
  readonly shrinking?: boolean;
  readonly biasScale?: number;
  /** a_im, row by row, to begin from. */
  readonly alpha?: readonly (readonly number[])[];
}

export class CrammerSingerUnderTest {
  readonly state: StructView<keyof typeof csStateStruct.offsets>;
  readonly #core: CoreUnderTest;
  readonly #problem: CrammerSingerProblem;
  readonly #shares: readonly Column[];
  readonly #w: number;
  readonly #lanes: number;
  readonly #featureCount: number;

  constructor(core: CoreUnderTest, problem: CrammerSingerProblem, settings: CrammerSingerSettings = {}) {
    const { x, y, costs, classCount } = problem;
    const { kind = "dense", seed = 0, tolerance = 1e-9, iterationLimit = 1_000_000, shrinking = false, biasScale = 0, alpha } = settings;
    this.#core = core;
    this.#problem = problem;
    this.#featureCount = x[0]?.length ?? 0;
    this.#lanes = 2 * Math.ceil(classCount / 2);
    const record = csRecordStruct(classCount);
    const table = core.take(record.size * x.length);
    const column = (name: string): Column => new Column(record, name, core.buffer, table, x.length);
    column("cost").fill(costs);
    column("row").fill(x.map((_, i) => i));
    column("classId").fill(y);
    this.#shares = Array.from({ length: classCount }, (_, m) => column(`share${m}`));
    for (const [m, share] of alpha === undefined ? [] : this.#shares.entries()) {
      share.fill((alpha ?? []).map((a, i) => (y[i] === m ? (costs[i] as number) : 0) - (a[m] as number)));
    }
    this.#w = core.doubles(new Float64Array((this.#featureCount + 1) * this.#lanes));
    const doubles = (): number => core.doubles(new Float64Array(this.#lanes));
    this.state = new StructView(csStateStruct, core.buffer, core.take(csStateStruct.size));
    this.state.assign({
      rows: putRows(core, kind, x, this.#featureCount),
      table,
      order: core.words(x.map(() => 0)),
      w: this.#w,
      numbers: core.words(Array.from({ length: Math.max(classCount, this.#featureCount) }, (_, j) => j)),
      scores: doubles(),
      targets: doubles(),
      kept: doubles(),
      steps: doubles(),
      moved: core.words(new Uint32Array(classCount)),
      random: core.words(new Random(seed).state),
      rowCount: x.length,
      classCount,
      stride: 8 * this.#lanes,
      recordBytes: record.size,
      iterationLimit,
      shrinking: shrinking ? 1 : 0,
      isWarm: alpha === undefined ? 0 : 1,
      biasScale,
      tolerance,
      zeroPrimal: costs.reduce((sum, cost) => sum + cost, 0),
    });
    core.call.csStart?.(this.state.pointer);
  }

  /** One slice; returns what the core says. */
  step(budget: number): number {
    return this.#core.call.csAdvance?.(this.state.pointer, budget) ?? Number.NaN;
  }

  /** Advances in slices of `budget` until the core says that it is done; returns what it says. */
  run(budget = 1_000_000): number {
    for (;;) {
      const progress = this.step(budget);
      if (progress !== coreProgress.running) return progress;
    }
  }

  /** a_im, row by row, of the stage's costs. */
  get alpha(): number[][] {
    const { x, y, costs } = this.#problem;
    const shares = this.#shares.map((column) => column.copy(x.length));
    const scale = this.state.get("scale");
    return x.map((_, i) => shares.map((share, m) => (y[i] === m ? scale * (costs[i] as number) : 0) - (share[i] as number)));
  }

  /** w_m, class by class, without the biases' weights. */
  get w(): number[][] {
    const all = this.#core.readDoubles(this.#w, this.#featureCount * this.#lanes);
    return Array.from({ length: this.#problem.classCount }, (_, m) =>
      Array.from({ length: this.#featureCount }, (_, j) => all[j * this.#lanes + m] as number),
    );
  }

  get biasWeights(): number[] {
    return this.#core.readDoubles(this.#w + 8 * this.#featureCount * this.#lanes, this.#problem.classCount);
  }
}
