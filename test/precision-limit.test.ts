// A tolerance that float64 cannot prove: every method ends by itself and says so, with the gap that it reached.

import { expect, test } from "vitest";
import { LinearSVC, LinearSVR, LogisticRegression, matrix } from "../src/index.ts";
import type { Certificate } from "../src/model/certificate.ts";
import type { Task } from "../src/runtime/task.ts";
import { solveProven } from "../src/solve/proven.ts";
import { type MakeSolver, solveStages } from "../src/solve/stages.ts";
import { sparseSet } from "./problems/generate.ts";

const tall = sparseSet(300, 60, 8, 1);
const wide = sparseSet(200, 500, 8, 1);
const rowsOf = ({ x, featureCount }: typeof tall) => matrix(x, { featureCount });

for (const [name, train] of [
  ["Newton, squared hinge", () => LinearSVC.fit(rowsOf(tall), tall.y, { solver: "newton", tolerance: 1e-17 })],
  ["Newton, logistic", () => LogisticRegression.fit(rowsOf(tall), tall.y, { solver: "newton", tolerance: 1e-300 })],
  ["proximal Newton", () => LinearSVC.fit(rowsOf(wide), wide.y, { penalty: "l1", tolerance: 1e-17 })],
] as const) {
  test(`${name}: precision-limit, and it is in the model's file`, async () => {
    const model = await train();
    expect(model.report.status).toBe("precision-limit");
    // P and D are sums of 300 terms, each rounded: some hundred units in the last place at most.
    expect(model.report.certificate.relativeGap).toBeLessThan(300 * Number.EPSILON);
    expect(model.report.run?.iterations).toBeLessThan(1000);
    const again = (model instanceof LinearSVC ? LinearSVC : LogisticRegression).fromJSON(JSON.parse(JSON.stringify(model)));
    expect(again.report.status).toBe("precision-limit");
  });
}

test("interior point: targets whose noise is near the last digit of their offset", async () => {
  const rows = tall.x.slice(0, 100);
  const targets = tall.y.slice(0, 100).map((sign, i) => 1e6 + 1e-6 * (sign + (i % 7) / 7));
  const { report } = await LinearSVR.fit(rows, targets, { loss: "epsilon_insensitive", solver: "interior-point", tolerance: 1e-12 });
  expect(report.status).toBe("precision-limit");
  // The last digit of 1e6 is 1e-10: it is 1e-4 of the noise, and every loss and the bound is off by as much at most.
  expect(report.certificate.relativeGap).toBeLessThan(1e-3);
});

const certificate = (relativeGap: number): Certificate => ({ primal: 1, dual: 1 - relativeGap, relativeGap });

test("a solver that always believes itself done and a judge that never does: an end all the same", async () => {
  let asked = 0;
  const solver = { solve: async () => "converged" as const, solution: () => ({ iterations: 0 }), tighten: () => void asked++ };
  expect((await solveProven(solver, () => certificate(1e-16), 1e-17)).status).toBe("precision-limit");
  expect(asked).toBe(53);
});

test("a stage that ends so hands over to the next one, from where it stands", async () => {
  const starts: unknown[] = [];
  const make: MakeSolver<{ iterations: number }> = (_, { solver }, start) => {
    starts.push(start);
    const isFirst = solver === "Newton";
    return {
      solve: async () => (isFirst ? "precision-limit" : "converged"),
      solution: () => ({ iterations: isFirst ? 3 : 4 }),
      tighten() {},
    };
  };
  const task = { space: { restart() {} } } as unknown as Task;
  const plan = (["Newton", "interior point"] as const).map((solver) => ({ solver, why: "a test", passes: Infinity }));
  const judge = ({ iterations }: { iterations: number }) => certificate(iterations === 3 ? 1e-2 : 1e-4);
  const { status, stages } = await solveStages(task, plan, { tolerance: 1e-3, maxIterations: 100 }, { make, judge });
  expect(status).toBe("converged");
  expect(stages.map(({ solver }) => solver)).toEqual(["Newton", "interior point"]);
  expect(starts).toEqual([undefined, { iterations: 3 }]);
});
