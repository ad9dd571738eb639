// A thread that helps a kernel machine with its rows (runtime/crew.ts): the same kernel and lanes, scratch of its own.

import { Crew, type Share } from "../runtime/crew.js";
import { kernelStruct } from "../runtime/layout.js";
import { spaceFor, type Task } from "../runtime/task.js";
import { kernelScratch, kernelScratchBytes, sharedLoops } from "./kernel-rows.js";

export const kernelHelperBytes = spaceFor(kernelStruct.size, kernelScratchBytes);

export async function helpKernel({ core, space, checkpoint }: Task, { crew }: { readonly crew: SharedArrayBuffer }): Promise<void> {
  const own = space.struct(kernelStruct);
  own.assign(kernelScratch(space));
  const workFor = ([loop, ...constants]: readonly number[]): Share => {
    const [kernel = 0, columns = 0, f = 0, deltas = 0] = constants;
    if (loop === sharedLoops.steps) return () => core.smoHelp(kernel);
    if (loop === sharedLoops.sums) {
      const [sums = 0, rows = 0, factors = 0, count = 0] = constants;
      return (from, to) => core.addRows(sums, rows, factors, count, from, to);
    }
    core.shareLanes(own.pointer, kernel);
    if (loop === sharedLoops.exact) return (from, to) => core.addExact(own.pointer, columns, f, deltas, from, to);
    return (from, to) => core.kernelRows(own.pointer, columns, from, to);
  };
  await new Crew(crew).help(workFor, async () => (await checkpoint(() => ({ iterations: 0, relativeGap: 1 }))) !== undefined);
}
