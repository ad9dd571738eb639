// One solver on one problem on this thread, and what the judge says of it.

import { certifyLinear } from "../src/certify/linear.ts";
import type { Matrix } from "../src/data/matrix.ts";
import type { SparseRow } from "../src/data/pack.ts";
import { matrix } from "../src/index.ts";
import type { Certificate } from "../src/model/certificate.ts";
import type { Task } from "../src/runtime/task.ts";
import type { BinaryProblem, BinarySolution } from "../src/solve/problem.ts";
import { type ProvableSolver, solveProven } from "../src/solve/proven.ts";
import { taskHere } from "./solve-here.ts";

/** A kind of solver: how to make one, and the bytes it wants. */
export interface SolverKind {
  readonly make: new (task: Task, problem: BinaryProblem) => ProvableSolver<BinarySolution>;
  bytes(rowCount: number, featureCount: number): number;
}

/** All of a problem but its rows. */
export type Settings = Partial<Omit<BinaryProblem, "rowIds" | "signs" | "costs">> & Pick<BinaryProblem, "loss"> & { readonly C?: number };

/** min penalty(w) + C sum_i weight_i loss over all rows whose weight is not 0; y holds 1 and -1. */
export function problemOf(y: ArrayLike<number>, { C = 1, ...settings }: Settings, weights?: ArrayLike<number>): BinaryProblem {
  const rows = Array.from(y, (_, i) => i).filter((i) => weights?.[i] !== 0);
  return {
    penalty: "l2",
    bias: "augmented",
    biasScale: 1,
    tolerance: 1e-6,
    maxIterations: 1000,
    shrinking: true,
    seed: 0,
    ...settings,
    rowIds: Uint32Array.from(rows),
    signs: Float32Array.from(rows, (i) => y[i] as number),
    costs: Float64Array.from(rows, (i) => C * (weights?.[i] ?? 1)),
  };
}

/** Solves until the judge is content, or not. */
export async function judged(
  kind: SolverKind,
  x: Matrix,
  problem: BinaryProblem,
): Promise<{ solution: BinarySolution; certificate: Certificate; status: string }> {
  const task = taskHere(x, kind.bytes(problem.rowIds.length, x.featureCount))();
  return solveProven(new kind.make(task, problem), (solution) => certifyLinear(x, problem, solution), problem.tolerance);
}

/** P with row weights 0, 1 and 2, and P with those rows absent, once or twice: the same problem. */
export async function weightedAndRepeated(
  kind: SolverKind,
  set: { readonly x: readonly SparseRow[]; readonly y: readonly number[]; readonly featureCount: number },
  settings: Settings,
): Promise<readonly [weighted: number, repeated: number]> {
  const weights = set.y.map((_, i) => i % 3);
  const repeated = set.y.flatMap((_, i) => new Array<number>(weights[i] as number).fill(i));
  const rows = (ids: readonly number[]): Matrix =>
    matrix(
      ids.map((i) => set.x[i] as SparseRow),
      { featureCount: set.featureCount },
    );
  const all = set.y.map((_, i) => i);
  const labels = repeated.map((i) => set.y[i] as number);
  const weighted = await judged(kind, rows(all), problemOf(set.y, settings, weights));
  const plain = await judged(kind, rows(repeated), problemOf(labels, settings));
  return [weighted.certificate.primal, plain.certificate.primal];
}
