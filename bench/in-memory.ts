// The core's solver on this thread, on a matrix in memory: what "solve only" and "one epoch" measure.

import { coreShared } from "../src/generated/core-wasm.ts";
import type { LabelledRows } from "../src/index.ts";
import { instantiateCore } from "../src/runtime/core.ts";
import { RegionMemory } from "../src/runtime/memory.ts";
import { copyArrays, placeIn } from "../src/runtime/placement.ts";
import { WorkSpace } from "../src/runtime/task.ts";
import { type LinearSvcProblem, LinearSvcSolver, linearSvcBytes } from "../src/solve/linear-svc.ts";

/** Returns a function that lays the problem out, solves it and reads the answer, and gives the milliseconds of all three. */
export function solverOf(
  { x, y }: LabelledRows,
  settings: Pick<LinearSvcProblem, "loss" | "tolerance" | "maxIterations"> & { C: number },
): () => Promise<number> {
  const home = new RegionMemory(true);
  const { arrays, placement } = placeIn(home, x);
  copyArrays(arrays, x);
  const region = home.take(linearSvcBytes(x.rowCount, x.featureCount));
  const core = instantiateCore(new WebAssembly.Module(Buffer.from(coreShared, "base64")), home.memory);
  const { C, ...rest } = settings;
  const problem: LinearSvcProblem = {
    ...rest,
    rowIds: Uint32Array.from({ length: x.rowCount }, (_, i) => i),
    signs: Float32Array.from(y, (label) => (label > 0 ? 1 : -1)),
    costs: new Float64Array(x.rowCount).fill(C),
    biasScale: 0,
    shrinking: true,
    seed: 0,
  };
  return async () => {
    const started = performance.now();
    const space = new WorkSpace(home.memory.buffer, region);
    const solver = new LinearSvcSolver({ core, matrix: x, rows: placement.rows, space, checkpoint: async () => undefined }, problem);
    await solver.solve();
    solver.solution();
    return performance.now() - started;
  };
}
