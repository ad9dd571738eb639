// A primal Newton method's state in the memory of the core under test, with plain access to what passes and steps read and write.

import { packRows } from "../../src/data/pack.ts";
import type { Core } from "../../src/runtime/core.ts";
import { losses } from "../../src/runtime/layout.ts";
import { allocatePlain } from "../../src/runtime/placement.ts";
import { type Task, WorkSpace } from "../../src/runtime/task.ts";
import { NewtonSpace, newtonSpaceBytes } from "../../src/solve/newton-space.ts";
import { type CoreUnderTest, coreUnderTest } from "./instance.ts";
import { putRows } from "./rows.ts";

export interface NewtonCase {
  readonly x: readonly (readonly number[])[];
  readonly costs: readonly number[];
  /** Signs, numbers of a regression, or class ids where there are more than two classes. */
  readonly targets: readonly number[];
  readonly classCount: number;
  readonly loss?: "squared_hinge" | "logistic" | "squared_epsilon_insensitive";
  readonly epsilon?: number;
  readonly biasScale?: number;
  readonly biasPenalty?: number;
  readonly kind?: "dense" | "csr";
}

export class NewtonUnderTest {
  readonly core: CoreUnderTest = coreUnderTest();
  readonly space: NewtonSpace;
  readonly state: number;
  readonly #d: number;

  constructor({ x, costs, targets, classCount, loss = "logistic", epsilon = 0, biasScale = 1, biasPenalty = 1, kind = "csr" }: NewtonCase) {
    const { core } = this;
    this.#d = x[0]?.length ?? 0;
    const packed = packRows(x, allocatePlain);
    const matrix = { ...packed, kind, valueCount: 1 };
    const shape = { rowCount: x.length, classCount };
    const bytes = newtonSpaceBytes(shape, matrix);
    const task = {
      core: core.call as unknown as Core,
      matrix,
      rows: putRows(core, kind, x, this.#d),
      space: new WorkSpace(core.buffer, { offset: core.take(bytes), byteLength: bytes }),
    } as unknown as Task;
    const rows = {
      rowIds: Uint32Array.from(x, (_, i) => i),
      costs: Float64Array.from(costs),
      targets: (classCount > 1 ? Uint32Array : loss === "squared_epsilon_insensitive" ? Float64Array : Float32Array).from(targets),
    };
    this.space = new NewtonSpace(task, rows, shape, { scale: biasScale, penalty: biasPenalty }, losses[loss]);
    this.space.state.set("epsilon", epsilon);
    this.state = this.space.pointer;
  }

  /** The K numbers of feature j that sheet 0 holds as input (0) or output (1). */
  #cells(j: number, which: 0 | 1): Float64Array {
    const { state, width } = this.space;
    const at = state.get("sheets") + 8 * (j * state.get("stride") + which * state.get("reach"));
    return new Float64Array(this.core.buffer, at, width);
  }

  set input(values: ArrayLike<number>) {
    for (let j = 0; j <= this.#d; j++) {
      const cells = this.#cells(j, 0);
      for (let m = 0; m < cells.length; m++) cells[m] = values[j * cells.length + m] ?? 0;
    }
  }

  get input(): number[] {
    return Array.from({ length: this.#d + 1 }, (_, j) => [...this.#cells(j, 0)]).flat();
  }

  get output(): number[] {
    return Array.from({ length: this.#d + 1 }, (_, j) => [...this.#cells(j, 1)]).flat();
  }

  /** Numbers from the state's arrays. */
  array(
    name: "scores" | "steps" | "bends" | "w" | "gradient" | "direction" | "residual" | "scale" | "solved" | "factor",
    count: number,
  ): Float64Array {
    return new Float64Array(this.core.buffer, this.space.state.get(name), count);
  }
}
