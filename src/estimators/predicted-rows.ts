// Decision values, or classes, of many rows of a kernel model, by all threads. Where they share a memory, the model lies in it once, behind the rows, and every thread takes the next rows that nobody has
// taken, so that one that comes late, as a worker that has yet to start, takes fewer; elsewhere one worker is given the model and does all. Who did which changes no value.

import { allEnded } from "../base/lanes.js";
import type { Matrix } from "../data/matrix.js";
import type { RunOptions } from "../runtime/pool.js";
import { partsFor } from "../runtime/row-blocks.js";
import { isShared, runTask, withRoomBeside } from "../runtime/runtime.js";
import { spaceFor, type WorkSpace } from "../runtime/task.js";
import {
  type KernelArrays,
  type KernelDecisionInput,
  type KernelParts,
  type KernelShape,
  type KernelVotesInput,
  kernelDecisionBytes,
  kernelDecisionWork,
  modelBytes,
  placeModel,
  type SharedDecision,
} from "../solve/kernel-decision.js";

/** Bytes of what comes out that may wait in the shared memory at a time. */
const MOST_WAITING = 2 ** 24;

/** What is wanted of every row. */
export interface Wanted<Numbers> {
  readonly task: string;
  readonly input: Partial<KernelVotesInput>;
  /** Numbers a row, of `bytes` each. */
  width(model: KernelShape): number;
  readonly bytes: number;
  allocate(count: number): Numbers;
  /** Of those at a place of the shared memory. */
  at(space: WorkSpace, offset: number, count: number): Numbers;
  /** What a task says. */
  of(said: { readonly decision: Float64Array; readonly classes: Uint32Array }): Numbers;
}

export const decisionOf: Wanted<Float64Array> = {
  task: "kernel-decision",
  input: {},
  width: ({ outputCount }) => outputCount,
  bytes: 8,
  allocate: (count) => new Float64Array(count),
  at: (space, offset, count) => space.doublesAt(offset, count),
  of: ({ decision }) => decision,
};

/** The numbers of the classes that decision values of pairs mean. */
export function votesFor(classCount: number): Wanted<Uint32Array> {
  return {
    task: "kernel-votes",
    input: { classCount },
    width: () => 1,
    bytes: 4,
    allocate: (count) => new Uint32Array(count),
    at: (space, offset, count) => space.wordsAt(offset, count),
    of: ({ classes }) => classes,
  };
}

export async function predictedRows<Numbers extends Float64Array | Uint32Array>(
  parts: KernelParts,
  x: Matrix,
  wanted: Wanted<Numbers>,
  call: RunOptions,
): Promise<Numbers> {
  const { vectors, coefficients, biases, ...model } = parts;
  const arrays = { vectors, coefficients, biases };
  return isShared(x) ? byAll(model, arrays, x, wanted, call) : wanted.of(await runTask(workOf(wanted, x, model, { arrays }), call));
}

async function byAll<Numbers extends Float64Array | Uint32Array>(
  model: KernelShape,
  arrays: KernelArrays,
  x: Matrix,
  wanted: Wanted<Numbers>,
  call: RunOptions,
): Promise<Numbers> {
  const width = wanted.width(model);
  const all = wanted.allocate(x.rowCount * width);
  const rowsAtOnce = Math.max(1, Math.min(x.rowCount, Math.floor(MOST_WAITING / (wanted.bytes * width))));
  const outBytes = wanted.bytes * width * rowsAtOnce;
  await withRoomBeside(x, modelBytes(model) + spaceFor(4, outBytes), async (room) => {
    const { space } = room;
    const place = placeModel(room, model, arrays);
    const next = space.words(1);
    const shared = { model: place, next: next.byteOffset, out: space.rawBytes(outBytes).byteOffset };
    for (let from = 0; from < x.rowCount; from += rowsAtOnce) {
      const to = Math.min(from + rowsAtOnce, x.rowCount);
      next[0] = 0;
      await together(model, shared, x, { from, to }, wanted, call);
      all.set(wanted.at(space, shared.out, (to - from) * width), from * width);
    }
  });
  return all;
}

/** Some rows by as many threads as they are worth. Those that still wait for their worker when all rows are taken and done need not come. */
async function together(
  model: KernelShape,
  shared: SharedDecision,
  x: Matrix,
  rows: { readonly from: number; readonly to: number },
  wanted: Wanted<unknown>,
  call: RunOptions,
): Promise<void> {
  const work = workOf(wanted, x, model, { shared, ...rows });
  const threads = partsFor(rows.to - rows.from, call.threads, work.operations);
  const over = new AbortController();
  const first = runTask(work, call);
  const helped = allEnded(Array.from({ length: threads - 1 }, () => runTask({ ...work, isHelp: true }, { ...call, signal: over.signal })));
  // One that fails is heard of below, but perhaps not soon enough for Node, which ends processes that nobody listens in.
  helped.catch(() => undefined);
  try {
    await first;
  } finally {
    over.abort();
    await helped;
  }
}

function workOf(wanted: Wanted<unknown>, x: Matrix, model: KernelShape, own: Partial<KernelDecisionInput>) {
  const input = { from: 0, to: x.rowCount, ...wanted.input, ...own, model };
  const operations = kernelDecisionWork(model) * (input.to - input.from);
  const regionBytes = kernelDecisionBytes(model, own.shared !== undefined);
  return { task: wanted.task, matrix: x, regionBytes, input, onlyReads: true, operations };
}
