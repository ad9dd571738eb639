// A solver by itself on this thread, without estimator, pool and worker: for tests of solvers and for "solve only" benchmarks.

import type { Matrix } from "../src/data/matrix.ts";
import { coreShared } from "../src/generated/core-wasm.ts";
import { instantiateCore } from "../src/runtime/core.ts";
import { RegionMemory } from "../src/runtime/memory.ts";
import { copyArrays, placeIn } from "../src/runtime/placement.ts";
import { type Task, WorkSpace } from "../src/runtime/task.ts";

/** Lays `x` out in a memory of its own with `regionBytes` behind it; returns what makes a fresh task in that region each time. */
export function taskHere(x: Matrix, regionBytes: number): () => Task {
  const home = new RegionMemory(true);
  const { arrays, placement } = placeIn(home, x);
  copyArrays(arrays, x);
  const region = home.take(regionBytes);
  const core = instantiateCore(new WebAssembly.Module(Buffer.from(coreShared(), "base64")), home.memory);
  return () => ({
    core,
    matrix: x,
    rows: placement.rows,
    space: new WorkSpace(home.memory.buffer, region),
    checkpoint: async () => undefined,
    ask: async () => undefined,
  });
}
