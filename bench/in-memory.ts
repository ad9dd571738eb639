// The core's solver on this thread, on a matrix in memory: what "solve only" and "one epoch" measure.

import type { LabelledRows } from "../src/index.ts";
import { descentBytes } from "../src/solve/descent.ts";
import { DualDescent } from "../src/solve/dual-descent.ts";
import type { BinaryProblem } from "../src/solve/problem.ts";
import { taskHere } from "../test/solve-here.ts";

/** Returns a function that lays the problem out, solves it and reads the answer, and gives the milliseconds of all three. */
export function solverOf(
  { x, y }: Pick<LabelledRows, "x" | "y">,
  settings: Pick<BinaryProblem, "loss" | "tolerance" | "maxIterations"> & { C: number },
): () => Promise<number> {
  const task = taskHere(x, descentBytes(x.rowCount, x.featureCount));
  const { C, ...rest } = settings;
  const problem: BinaryProblem = {
    ...rest,
    rowIds: Uint32Array.from({ length: x.rowCount }, (_, i) => i),
    signs: Float32Array.from(y, (label) => (label > 0 ? 1 : -1)),
    costs: new Float64Array(x.rowCount).fill(C),
    penalty: "l2",
    bias: false,
    biasScale: 1,
    shrinking: true,
    seed: 0,
  };
  return async () => {
    const started = performance.now();
    const solver = new DualDescent(task(), problem);
    await solver.solve();
    solver.solution();
    return performance.now() - started;
  };
}
