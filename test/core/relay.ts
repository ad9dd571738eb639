// What passes of pair steps are told and say, in the memory of the core under test: as src/solve/relay.ts places it, each in 64 bytes of its own.

import { partStruct, relayStruct } from "../../src/runtime/layout.ts";
import type { CoreUnderTest } from "./instance.ts";

/** Fields of Smo. */
export function relayUnderTest(core: CoreUnderTest): Record<"relay" | "own" | "others" | "theirs", number> {
  const part = (): number => core.take(partStruct.size);
  return { relay: core.take(relayStruct.size), own: part(), others: part(), theirs: part() };
}
