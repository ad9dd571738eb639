// One solver on one regression on this thread, and what the judge says of it.

import { certifyRegression } from "../src/certify/regression.ts";
import type { Matrix } from "../src/data/matrix.ts";
import type { Certificate } from "../src/model/certificate.ts";
import type { Task } from "../src/runtime/task.ts";
import type { RegressionProblem, RegressionSolution } from "../src/solve/problem.ts";
import { type ProvableSolver, solveProven } from "../src/solve/proven.ts";
import { taskHere } from "./solve-here.ts";

/** A kind of solver: how to make one, and the bytes it wants. */
export interface RegressionSolverKind {
  make(task: Task, problem: RegressionProblem): ProvableSolver<RegressionSolution>;
  bytes(x: Matrix, problem: RegressionProblem): number;
}

/** All of a problem but its rows. */
export type RegressionSettings = Partial<Omit<RegressionProblem, "rowIds" | "targets" | "costs">> & { readonly C?: number };

/** min 1/2 w'w + C sum_i weight_i loss over all rows whose weight is not 0. */
export function regressionOf(
  targets: ArrayLike<number>,
  { C = 1, ...settings }: RegressionSettings,
  weights?: ArrayLike<number>,
): RegressionProblem {
  const rows = Array.from(targets, (_, i) => i).filter((i) => weights?.[i] !== 0);
  return {
    loss: "epsilon_insensitive",
    epsilon: 0.1,
    bias: "unregularised",
    biasScale: 1,
    tolerance: 1e-6,
    maxIterations: 1_000_000,
    shrinking: true,
    seed: 0,
    ...settings,
    rowIds: Uint32Array.from(rows),
    targets: Float64Array.from(rows, (i) => targets[i] as number),
    costs: Float64Array.from(rows, (i) => C * (weights?.[i] ?? 1)),
  };
}

/** Solves until the judge is content, or not. */
export async function judgedRegression(
  kind: RegressionSolverKind,
  x: Matrix,
  problem: RegressionProblem,
): Promise<{ solution: RegressionSolution; certificate: Certificate; status: string }> {
  const task = taskHere(x, kind.bytes(x, problem))();
  return solveProven(kind.make(task, problem), (solution) => certifyRegression(x, problem, solution), problem.tolerance);
}
