// What passes of kernel machines are told and say (core/layout/kernel.ts), each in 64 bytes of its own: two threads that write side by side would wait for each other.

import { partStruct, relayStruct } from "../runtime/layout.js";
import { spaceFor, type WorkSpace } from "../runtime/task.js";

export const relayBytes = spaceFor(relayStruct.size, ...new Array(3).fill(partStruct.size));

/** Fields of Smo. */
export function relayIn(space: WorkSpace): Record<"relay" | "own" | "others" | "theirs", number> {
  const part = (): number => space.struct(partStruct).pointer;
  return { relay: space.struct(relayStruct).pointer, own: part(), others: part(), theirs: part() };
}
