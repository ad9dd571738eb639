import { expect, test } from "vitest";
import { matrix } from "../../../src/index.ts";
import type { Stage } from "../../../src/solve/plan.ts";
import { solveStages } from "../../../src/solve/stages.ts";
import { taskHere } from "../../solve-here.ts";

interface Point {
  readonly gap: number;
  readonly iterations: number;
}

/** Solvers that end as they are told, one a stage; and where each of them began. */
async function staged(
  plan: readonly Stage[],
  endings: readonly ("converged" | "iteration-limit" | "precision-limit")[],
  maxIterations = 1000,
) {
  const began: (number | undefined)[] = [];
  const outcome = await solveStages<Point>(
    taskHere(matrix([[1]]), 1024)(),
    plan,
    { tolerance: 1e-3, maxIterations },
    {
      make: (_task, _stage, start, passes) => {
        const k = began.push(start?.gap) - 1;
        const ending = endings[k] as "converged" | "iteration-limit" | "precision-limit";
        const gap = ending === "converged" ? 1e-4 : 0.1 * (k + 2);
        const iterations = ending === "iteration-limit" ? passes : 3;
        return { solve: async () => ending, tighten: () => undefined, solution: () => ({ gap, iterations }) };
      },
      judge: ({ gap }) => ({ primal: 1, dual: 1 - gap, relativeGap: gap }),
      start: { gap: 0.9, iterations: 0 },
    },
  );
  return { ...outcome, began };
}

const stage = (passes: number, rest: Partial<Stage> = {}): Stage => ({ solver: "interior point", why: "a test", passes, ...rest });

test("a stage begins at the best point so far, or where the fit did", async () => {
  expect((await staged([stage(5), stage(Infinity)], ["iteration-limit", "converged"])).began).toEqual([0.9, 0.2]);
  expect((await staged([stage(5), stage(Infinity, { isAnew: true })], ["iteration-limit", "converged"])).began).toEqual([0.9, 0.9]);
});

test("a last stage that used up what the plan gave it had not the fit's limit to end it; the best point comes back", async () => {
  const { status, solution, stages } = await staged([stage(Infinity), stage(50)], ["precision-limit", "iteration-limit"]);
  expect([status, solution.gap]).toEqual(["precision-limit", 0.2]);
  expect(stages.map(({ iterations }) => iterations)).toEqual([3, 50]);
  expect((await staged([stage(Infinity), stage(50)], ["precision-limit", "iteration-limit"], 20)).status).toBe("iteration-limit");
});
