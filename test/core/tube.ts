// Sets a dual coordinate descent for a regression up in the memory of the core under test, from a plain problem.

import type { SvrProblem } from "../../reference/dcd-svr.ts";
import { losses, tubeRowStruct } from "../../src/runtime/layout.ts";
import { type DescentSettings, DescentUnderTest } from "./descent.ts";
import type { CoreUnderTest } from "./instance.ts";

export class TubeUnderTest extends DescentUnderTest {
  constructor(core: CoreUnderTest, problem: SvrProblem, settings: DescentSettings = {}) {
    const { x, targets, costs, loss, epsilon, biasSquare = 0, isFree = false } = problem;
    const isPlain = loss === "epsilon_insensitive";
    const limit = costs.map((cost) => (isPlain ? cost : 1 / (2 * cost)));
    const zeroPrimal = targets.reduce((sum, target, i) => {
      const e = Math.max(0, Math.abs(target) - epsilon);
      return sum + (costs[i] as number) * (isPlain ? e : e * e);
    }, 0);
    const state = { loss: losses[loss], zeroPrimal, epsilon };
    super(core, { x, struct: tubeRowStruct, columns: { limit, target: targets }, isFree, biasSquare, state }, settings);
  }

  get beta(): number[] {
    return this.alpha;
  }

  /** b as the model would have it. */
  get bias(): number {
    return this.state.get(this.state.get("isFree") === 1 ? "bestBias" : "bias");
  }
}
