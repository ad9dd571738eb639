// Sets a dual coordinate descent for classes up in the memory of the core under test, from a plain problem.

import type { DcdProblem } from "../../reference/dcd-svc.ts";
import { dcdRowStruct, losses } from "../../src/runtime/layout.ts";
import { type DescentSettings, DescentUnderTest } from "./descent.ts";
import type { CoreUnderTest } from "./instance.ts";

export interface DcdSettings extends DescentSettings {
  readonly grows?: boolean;
}

export class DcdUnderTest extends DescentUnderTest {
  constructor(core: CoreUnderTest, problem: DcdProblem, settings: DcdSettings = {}) {
    const { x, y, costs, loss, biasSquare = 0, isFree = false } = problem;
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    const limit = costs.map((cost) => (loss === "hinge" ? cost : 1 / (2 * cost)));
    const state = {
      loss: losses[loss],
      grows: settings.grows ? 1 : 0,
      zeroPrimal: total,
      margin: 1,
      ...(isFree && { biasSquare: 4 / total }),
    };
    super(core, { x, struct: dcdRowStruct, columns: { limit, y }, isFree, biasSquare, state }, settings);
  }

  get bias(): number {
    return this.state.get("bias");
  }
}
