// The two textbook methods on the same problems: the same optimum, by each other's objectives.

import { describe, expect, test } from "vitest";
import { dcdSvr, dcdSvrPairs, type SvrProblem, type SvrStep, svrObjectives } from "../../../reference/dcd-svr.ts";
import { Random } from "../../../src/base/random.ts";
import { denseRows } from "../../problems/generate.ts";
import { handRegressions } from "../../problems/hand-regression.ts";
import { regressionSet } from "../../problems/regression.ts";

/** Goes on until the gap is at most `tolerance` of P. */
function run(method: typeof dcdSvr, problem: SvrProblem, tolerance: number): SvrStep {
  const random = new Random(1);
  const steps = method(problem, (n) => {
    const order = Array.from({ length: n }, (_, i) => i);
    random.shuffle(order);
    return order;
  });
  let last = steps.next().value;
  for (let k = 1; k < 3e5; k++) {
    last = steps.next().value;
    if (k % 997 !== 0) continue;
    const { primal, dual } = svrObjectives(problem, last);
    if (primal - dual <= tolerance * primal) return last;
  }
  throw new Error("not converged");
}

const set = regressionSet(40, 6, 4, 11);
const x = denseRows({ ...set, name: "", y: [] });

for (const loss of ["epsilon_insensitive", "squared_epsilon_insensitive"] as const) {
  describe(loss, () => {
    for (const epsilon of [0, 0.1, 1]) {
      for (const biasSquare of [0, 2]) {
        test(`epsilon ${epsilon}, s^2 ${biasSquare}: n and 2n variables lead to the same optimum`, () => {
          const problem = { x, targets: set.targets, costs: x.map((_, i) => 0.1 + 0.1 * (i % 3)), epsilon, loss, biasSquare };
          const [fast, plain] = [run(dcdSvr, problem, 1e-9), run(dcdSvrPairs, problem, 1e-9)].map(
            (step) => svrObjectives(problem, step).primal,
          );
          expect(Math.abs((fast as number) - (plain as number))).toBeLessThanOrEqual(1e-9 * (fast as number));
        });
      }
    }
  });
}

test("they find what a hand can compute", () => {
  for (const { optimum, bias, biasScale, ...rest } of handRegressions) {
    const isFree = bias === "unregularised";
    const problem: SvrProblem = { ...rest, biasSquare: bias === false ? 0 : biasScale * biasScale, isFree };
    const methods = isFree ? [dcdSvr] : [dcdSvr, dcdSvrPairs];
    for (const method of methods) {
      const { w } = run(method, problem, 1e-10);
      // P is 1-strongly convex: |w - w*|^2 <= 2 gap.
      w.forEach((value, j) => {
        expect(Math.abs(value - (optimum.w[j] as number))).toBeLessThan(Math.sqrt(2e-10 * optimum.objective) + 1e-12);
      });
    }
  }
});
