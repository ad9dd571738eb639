// Every solver of a regression on every problem that it accepts, judged by src/certify alone.

import { describe, expect, test } from "vitest";
import { certifyRegression } from "../src/certify/regression.ts";
import type { Matrix } from "../src/data/matrix.ts";
import { LinearSVR, matrix } from "../src/index.ts";
import { makeRegressionSolver } from "../src/solve/make-solver.ts";
import { planRegression, type SolverChoice } from "../src/solve/plan.ts";
import type { RegressionProblem } from "../src/solve/problem.ts";
import { solveStages } from "../src/solve/stages.ts";
import { degenerateRegressions } from "./problems/degenerate-regression.ts";
import { denseRows } from "./problems/generate.ts";
import { handRegressions } from "./problems/hand-regression.ts";
import { regressionSet } from "./problems/regression.ts";
import { regressionOf } from "./regression-here.ts";
import { taskHere } from "./solve-here.ts";

const losses = ["epsilon_insensitive", "squared_epsilon_insensitive"] as const;
const biases = ["unregularised", "augmented", false] as const;
const ways: readonly (readonly [RegressionProblem["loss"], SolverChoice])[] = [
  ["epsilon_insensitive", "dual"],
  ["epsilon_insensitive", "interior-point"],
  ["epsilon_insensitive", "auto"],
  ["squared_epsilon_insensitive", "dual"],
  ["squared_epsilon_insensitive", "newton"],
  ["squared_epsilon_insensitive", "auto"],
];

// What descent alone cannot do within reason, why, and what is asked of it instead. The plan goes over to the interior point.
const isBeyondDescent = (loss: string, choice: SolverChoice, C: number): boolean =>
  loss === "epsilon_insensitive" && choice === "dual" && C >= 100; // one step moves beta by |residual| / |x|^2 at most, and many must come to C
const tooFarForDescent = /without noise|targets of 1e-6/; // C is large beside the targets: the same

/** As a fit would do it: the plan's stages until the judge is content. */
async function solve(x: Matrix, problem: RegressionProblem, choice: SolverChoice = "auto") {
  const { stages, regionBytes } = planRegression(x, problem, choice);
  const tolerance = problem.stop === undefined ? problem.tolerance : undefined;
  return solveStages(
    taskHere(x, regionBytes)(),
    stages,
    { tolerance, maxIterations: problem.maxIterations },
    {
      make: makeRegressionSolver(problem),
      judge: (solution) => certifyRegression(x, problem, solution),
    },
  );
}

const set = regressionSet(200, 30, 8, 1);
const x = matrix(set.x, { featureCount: set.featureCount });
const weights = set.targets.map((_, i) => (i % 11 === 0 ? 0 : 0.5 + (i % 4)));
const relativeError = (a: number, b: number): number => (a === b ? 0 : Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b)));

for (const [loss, choice] of ways) {
  describe(`${loss}, ${choice}`, () => {
    for (const bias of biases) {
      for (const C of [0.01, 1, 100]) {
        for (const epsilon of [0, 0.1]) {
          const tolerance = isBeyondDescent(loss, choice, C) ? 1e-2 : 1e-6;
          test(`bias ${bias}, C ${C}, epsilon ${epsilon}: certified ${tolerance}, with weights and without`, async () => {
            for (const some of [undefined, weights]) {
              const problem = regressionOf(set.targets, { loss, bias, C, epsilon, tolerance }, some);
              const { status, certificate, solution } = await solve(x, problem, choice);
              expect(status).toBe("converged");
              expect(certificate.relativeGap).toBeLessThanOrEqual(tolerance);
              if (loss === "epsilon_insensitive") {
                expect(solution.beta?.every((value, k) => Math.abs(value) <= (problem.costs[k] as number))).toBe(true);
              }
            }
          });
        }
      }

      for (const problem of degenerateRegressions) {
        if (loss === "epsilon_insensitive" && choice === "dual" && tooFarForDescent.test(problem.name)) continue;
        test(`${problem.name}, bias ${bias}: certified 1e-6`, async () => {
          const settings = { loss, bias, C: problem.C ?? 1, epsilon: problem.epsilon ?? 0.1 };
          const { status, certificate } = await solve(matrix(problem.x), regressionOf(problem.targets, settings), choice);
          expect(certificate.relativeGap).toBeLessThanOrEqual(1e-6);
          expect(status).toBe("converged");
        });
      }
    }

    test("what a hand can compute", async () => {
      for (const { x: rows, optimum, ...problem } of handRegressions.filter((hand) => hand.loss === loss)) {
        const settings = { ...problem, tolerance: 1e-10, C: 1 };
        const { certificate, solution } = await solve(matrix(rows), regressionOf(problem.targets, settings, problem.costs), choice);
        expect(certificate.primal).toBeCloseTo(optimum.objective, 8);
        // P is 1-strongly convex: |w - w*|^2 <= 2 gap.
        const reach = Math.sqrt(2e-10 * optimum.objective) + 1e-12;
        for (const [j, value] of optimum.w.entries()) expect(Math.abs((solution.w[j] as number) - value)).toBeLessThan(reach);
      }
    });

    test("the same seed gives the same bits", async () => {
      const problem = regressionOf(set.targets, { loss });
      const [one, other] = [await solve(x, problem, choice), await solve(x, problem, choice)];
      expect(one.solution).toEqual(other.solution);
    });
  });
}

for (const loss of losses) {
  describe(loss, () => {
    test("dense and sparse rows, weighted and repeated ones, shrinking on and off have the same optimum", async () => {
      const tolerance = 1e-9;
      const counts = set.targets.map((_, i) => i % 3);
      const repeated = set.targets.flatMap((_, i) => new Array<number>(counts[i] as number).fill(i));
      const dense = denseRows({ ...set, name: "", y: [] });
      for (const bias of biases) {
        const weighted = regressionOf(set.targets, { loss, bias, C: 0.1, tolerance }, counts);
        const one = await solve(x, weighted);
        const others = [
          await solve(matrix(dense), weighted),
          await solve(x, { ...weighted, shrinking: false }, "dual"),
          await solve(
            matrix(repeated.map((i) => dense[i] as number[])),
            regressionOf(
              repeated.map((i) => set.targets[i] as number),
              { loss, bias, C: 0.1, tolerance },
            ),
          ),
        ];
        for (const other of others) expect(relativeError(one.certificate.primal, other.certificate.primal)).toBeLessThanOrEqual(tolerance);
      }
    });

    test("an offset of a million on the targets moves a free bias and nothing else, and takes no longer", async () => {
      for (const choice of loss === "epsilon_insensitive" ? (["dual", "interior-point"] as const) : (["dual", "newton"] as const)) {
        // Eighths, so that moving them by a million rounds nothing.
        const targets = set.targets.map((target) => Math.round(8 * target) / 8);
        const near = await solve(x, regressionOf(targets, { loss }), choice);
        const far = await solve(
          x,
          regressionOf(
            targets.map((target) => target + 1e6),
            { loss },
          ),
          choice,
        );
        expect(relativeError(near.certificate.primal, far.certificate.primal)).toBeLessThanOrEqual(1e-6);
        expect(Math.abs(far.solution.iterations - near.solution.iterations)).toBeLessThanOrEqual(2);
        expect(Math.abs(far.solution.bias - near.solution.bias - 1e6)).toBeLessThan(1e-2);
      }
    });

    test("LIBLINEAR's rule gives a model, and a tighter one a better model", async () => {
      for (const bias of biases) {
        const gaps: number[] = [];
        for (const epsilon of [0.1, 1e-3, 1e-5]) {
          const problem = regressionOf(set.targets, { loss, bias, C: 0.1, stop: { kind: "violation", epsilon } });
          const { status, certificate, stages } = await solve(x, problem);
          expect([status, stages.map(({ solver }) => solver)]).toEqual(["converged", ["dual coordinate descent"]]);
          gaps.push(certificate.relativeGap);
        }
        expect(gaps[2]).toBeLessThan(gaps[0] as number);
        expect(gaps[2]).toBeLessThan(1e-3);
      }
    });

    test("started from its own answer it ends at once, from another C's it finds its own", async () => {
      for (const bias of biases) {
        const cold = await solve(x, regressionOf(set.targets, { loss, bias, C: 0.1, tolerance: 1e-5 }), "dual");
        for (const [C, passes] of [
          [0.1, 0],
          [0.2, 1000],
        ] as const) {
          const problem = regressionOf(set.targets, { loss, bias, C, tolerance: 1.1e-5 });
          const start = { ...cold.solution, beta: (cold.solution.beta as Float64Array).map((value) => (C / 0.1) * value) };
          const task = taskHere(x, planRegression(x, problem, "dual").regionBytes)();
          const solver = makeRegressionSolver(problem)(task, { solver: "dual coordinate descent" }, start, 1000);
          expect(await solver.solve()).toBe("converged");
          expect(certifyRegression(x, problem, solver.solution()).relativeGap).toBeLessThanOrEqual(1.2e-5);
          expect(solver.solution().iterations).toBeLessThanOrEqual(passes);
        }
      }
    });
  });
}

describe("it always ends", () => {
  // One column times 10^4 and C of 10^4: hopeless for coordinate descent alone.
  const bad = matrix(denseRows({ ...set, name: "", y: [] }).map((row) => row.map((value, j) => (j === 3 ? 1e4 * value : value))));
  for (const loss of losses) {
    for (const epsilon of [0, 0.1]) {
      test(`${loss}, epsilon ${epsilon}, a column times 10^4 and C 10^4: certified 1e-6 within the usual passes`, async () => {
        for (const bias of biases) {
          const problem = regressionOf(set.targets, { loss, bias, epsilon, C: 1e4, maxIterations: 10_000 });
          const { status, certificate, stages } = await solve(bad, problem);
          expect(status).toBe("converged");
          expect(certificate.relativeGap).toBeLessThanOrEqual(1e-6);
          expect(stages.at(-1)?.solver).toBe(loss === "epsilon_insensitive" ? "interior point" : "Newton");
        }
      });
    }
  }
});

for (const loss of losses) {
  test(`${loss}: a fit stopped early is never worse than no model`, async () => {
    // Features of 100: the first passes of a dual method leave w far too large.
    const rows = Array.from({ length: 50 }, (_, i) => [100 * Math.sin(i), 100 * Math.cos(3 * i), i]);
    const targets = rows.map((_, i) => (i % 5) + 100);
    const options = { loss, C: 100 } as const;
    const none = await LinearSVR.fit(rows, targets, { ...options, timeLimitSeconds: 1e-9 });
    for (const maxIterations of [1, 2, 5]) {
      const early = await LinearSVR.fit(rows, targets, { ...options, solver: "dual", maxIterations });
      expect(early.report.certificate.primal).toBeLessThanOrEqual(none.report.certificate.primal * (1 + 1e-12));
    }
  });
}
