import { expect, test } from "vitest";
import type { Certificate, KernelCertificate } from "../../../src/model/certificate.ts";
import { better, type ProvableSolver, solveProven } from "../../../src/solve/proven.ts";

const certificate = (relativeGap: number): Certificate => ({ primal: 1, dual: 1 - relativeGap, relativeGap });

interface Asked {
  readonly iterations: number;
}

/** A solver that ends as told and whose iterations are how often it was asked for more. */
function solverEnding(ending: Awaited<ReturnType<ProvableSolver<Asked>["solve"]>>): ProvableSolver<Asked> & { solved: number } {
  let tightened = 0;
  return {
    solved: 0,
    async solve() {
      this.solved++;
      return ending;
    },
    solution: () => ({ iterations: tightened }),
    tighten: () => {
      tightened++;
    },
  };
}

test("a solver that believes itself done goes on until the judge agrees", async () => {
  const solver = solverEnding("converged");
  const { solution, status } = await solveProven(solver, ({ iterations }) => certificate(iterations < 3 ? 2e-3 : 1e-3), 1e-3);
  expect({ solution, status, solved: solver.solved }).toEqual({ solution: { iterations: 3 }, status: "converged", solved: 4 });
});

test("of all that were judged the best is kept, whatever came after it; what is no number is the worst", async () => {
  const gaps = [Number.NaN, 0.5, 0.2, 0.3, Number.NaN];
  const judge = ({ iterations }: Asked): Certificate => certificate(gaps[iterations] ?? 0.9);
  const { solution, certificate: found, status, iterations } = await solveProven(solverEnding("converged"), judge, 1e-3);
  expect([solution.iterations, found.relativeGap, status]).toEqual([2, 0.2, "precision-limit"]);
  // Those after it were made all the same.
  expect(iterations).toBe(53);
});

for (const ending of ["iteration-limit", "precision-limit", "time-limit", "aborted"] as const) {
  test(`${ending} ends it with what there is, and the gap that the judge found`, async () => {
    const solver = solverEnding(ending);
    const ended = await solveProven(solver, () => certificate(0.4), 1e-3);
    expect(ended).toEqual({ solution: { iterations: 0 }, status: ending, certificate: certificate(0.4), iterations: 0 });
    expect(solver.solved).toBe(1);
  });

  test(`${ending} is no shortcoming where the judge is content all the same`, async () => {
    expect((await solveProven(solverEnding(ending), () => certificate(1e-4), 1e-3)).status).toBe("converged");
  });
}

test("without a gap the solver's own rule is the last word, and the smaller violation the better", async () => {
  const violations = [0.4, 0.1];
  const judge = ({ iterations }: Asked): KernelCertificate => {
    const violation = violations[iterations] ?? 1;
    return { primal: 1, dual: 2, relativeGap: null, violation, reason: "none" };
  };
  const ended = await solveProven(solverEnding("converged"), judge, undefined);
  expect([ended.status, ended.certificate]).toEqual(["converged", judge({ iterations: 0 })]);
  const judged = violations.map((_, iterations) => ({ solution: { iterations }, certificate: judge({ iterations }) }));
  const [first, second] = judged as [(typeof judged)[0], (typeof judged)[0]];
  expect(better(first, second)).toBe(second);
  expect(better(second, first)).toBe(second);
});
