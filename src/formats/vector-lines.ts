// The lines of support vectors in a model file of LIBSVM: by the core where they are many, and by the workers where they are a great many. What `putLine` gives, in a fraction of its time.

import { HingeError } from "../base/errors.js";
import type { Core } from "../runtime/core.js";
import type { Region, RegionMemory } from "../runtime/memory.js";
import { withCore } from "../runtime/runtime.js";
import { WorkSpace } from "../runtime/task.js";
import { GeneralWriter } from "./general-writer.js";
import { textByWorkers } from "./text-by-workers.js";
import { linesRoom, putLine, putLines, sizeOf, type VectorLines } from "./write-vectors.js";

/** Numbers from which on the core is worth its memory, and workers their messages. */
const MANY = 4096;
const GREAT_MANY = 100_000;
/** Numbers of a worker's part: some milliseconds of work. */
const BLOCK = 65_536;
/** Whether lines are so many that workers write them. */
export const areLong = (lines: VectorLines): boolean => !lines.isPrecomputed && sizeOf(lines, 0, lines.vectors.count) >= GREAT_MANY;

/** Writes all lines here. */
export function writeVectors(out: GeneralWriter, lines: VectorLines): void {
  const { count } = lines.vectors;
  const isForCore = !lines.isPrecomputed && sizeOf(lines, 0, count) >= MANY;
  const isWritten = isForCore && withCore((core, home) => putInRegion(core, home, out, lines));
  if (isWritten !== true) for (let row = 0; row < count; row++) putLine(out, lines, row);
}

/** The same text in parts, one after the other, by the workers. */
export function vectorLines(lines: VectorLines): AsyncGenerator<Uint8Array> {
  const bounds = boundsOf(lines);
  const partOf = (k: number): VectorLines => rowsOf(lines, bounds[k] as number, bounds[k + 1] as number);
  return textByWorkers<VectorLines>({
    count: bounds.length - 1,
    task: "write-vectors",
    regionBytes: linesRoom(lines),
    input: (k) => {
      const input = partOf(k);
      const { coefficients, starts, indices, values } = input.vectors;
      return { input, transfer: [coefficients, starts, indices, values].map(({ buffer }) => buffer as ArrayBuffer) };
    },
    here: (k) => {
      const out = new GeneralWriter();
      writeVectors(out, partOf(k));
      return out.finish();
    },
  });
}

/** Where parts begin, and where the last one ends. */
function boundsOf(lines: VectorLines): number[] {
  const bounds = [0];
  let from = 0;
  for (let row = 1; row <= lines.vectors.count; row++) {
    if (row < lines.vectors.count && sizeOf(lines, from, row) < BLOCK) continue;
    bounds.push(row);
    from = row;
  }
  return bounds;
}

/** Copies of some rows, by themselves. */
function rowsOf({ vectors, ...shape }: VectorLines, from: number, to: number): VectorLines {
  const { coefficients, starts, indices, values } = vectors;
  const { columns } = shape;
  const [begin, end] = [starts[from] as number, starts[to] as number];
  return {
    ...shape,
    vectors: {
      count: to - from,
      coefficients: coefficients.slice(from * columns, to * columns),
      starts: starts.slice(from, to + 1).map((start) => start - begin),
      indices: indices.slice(begin, end),
      values: values.slice(begin, end),
    },
  };
}

/** False, with nothing written, where there is no memory for it. */
function putInRegion(core: Core, home: RegionMemory, out: GeneralWriter, lines: VectorLines): boolean {
  const region = regionIn(home, linesRoom(lines));
  if (region === undefined) return false;
  try {
    putLines(core, new WorkSpace(home.memory.buffer, region), out, lines);
  } finally {
    home.give(region);
  }
  return true;
}

/** Undefined where there is no room. */
function regionIn(home: RegionMemory, bytes: number): Region | undefined {
  try {
    return home.take(bytes);
  } catch (error) {
    if (error instanceof HingeError && error.code === "out-of-memory") return undefined;
    throw error;
  }
}
