// A long text in parts, one after the other, made by the workers. Where these fail, the rest is made without: a model must not be lost for that.

import { HingeError } from "../base/errors.js";
import { NO_ROWS } from "../data/matrix.js";
import { beginCallHere, runTask, tasksAtOnce } from "../runtime/runtime.js";

/** Parts that may be done before their turn to be taken. */
const AHEAD = 2;

export interface TextParts<Input extends object> {
  readonly count: number;
  /** What workers run for a part, by its name in their table, and the room that it needs. */
  readonly task: string;
  readonly regionBytes: number;
  /** What a worker is told of the k-th part, and what of that is not needed here any more. */
  input(k: number): { input: Input; transfer: ArrayBuffer[] };
  /** The k-th part made here. */
  here(k: number): Uint8Array;
}

export async function* textByWorkers<Input extends object>(parts: TextParts<Input>): AsyncGenerator<Uint8Array> {
  const call = beginCallHere({});
  const underWay: { k: number; text: Promise<Uint8Array> }[] = [];
  let next = 0;
  let canHelp = true;
  const begin = (): void => {
    const shared = { task: parts.task, matrix: NO_ROWS, regionBytes: parts.regionBytes };
    const work = { ...shared, ...parts.input(next), isBrief: true, isShort: true };
    const text = runTask<{ bytes: Uint8Array }>(work, call).then(({ bytes }) => bytes);
    text.catch(() => undefined); // seen when its turn comes
    underWay.push({ k: next++, text });
  };
  try {
    while (next < parts.count || underWay.length > 0) {
      while (canHelp && next < parts.count && underWay.length < tasksAtOnce(call.threads) + AHEAD) begin();
      const first = underWay.shift();
      const k = first?.k ?? next++;
      let text: Uint8Array | undefined;
      try {
        text = await first?.text;
      } catch (error) {
        if (error instanceof HingeError && error.code === "internal") throw error;
        canHelp = false; // no worker to be had, or it was stopped
      }
      yield text ?? parts.here(k);
    }
  } finally {
    await Promise.allSettled(underWay.map(({ text }) => text));
  }
}
