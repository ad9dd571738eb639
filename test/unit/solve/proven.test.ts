import { expect, test } from "vitest";
import type { Certificate } from "../../../src/model/certificate.ts";
import { type ProvableSolver, solveProven } from "../../../src/solve/proven.ts";

const certificate = (relativeGap: number): Certificate => ({ primal: 1, dual: 1 - relativeGap, relativeGap });

/** A solver that ends as told and whose solution is how often it was asked for more. */
function solverEnding(ending: Awaited<ReturnType<ProvableSolver<number>["solve"]>>): ProvableSolver<number> & { solved: number } {
  let tightened = 0;
  return {
    solved: 0,
    async solve() {
      this.solved++;
      return ending;
    },
    solution: () => tightened,
    tighten: () => {
      tightened++;
    },
  };
}

test("a solver that believes itself done goes on until the judge agrees", async () => {
  const solver = solverEnding("converged");
  const { solution, status } = await solveProven(solver, (asked) => certificate(asked < 3 ? 2e-3 : 1e-3), 1e-3);
  expect({ solution, status, solved: solver.solved }).toEqual({ solution: 3, status: "converged", solved: 4 });
});

for (const ending of ["iteration-limit", "precision-limit", "time-limit", "aborted"] as const) {
  test(`${ending} ends it with what there is, and the gap that the judge found`, async () => {
    const solver = solverEnding(ending);
    const ended = await solveProven(solver, () => certificate(0.4), 1e-3);
    expect(ended).toEqual({ solution: 0, status: ending, certificate: certificate(0.4) });
    expect(solver.solved).toBe(1);
  });

  test(`${ending} is no shortcoming where the judge is content all the same`, async () => {
    expect((await solveProven(solverEnding(ending), () => certificate(1e-4), 1e-3)).status).toBe("converged");
  });
}
