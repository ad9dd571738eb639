// Whether rows that come along with a wanted one are worth it, for the rows of one problem: core/kernel/company.ts decides.

import { companyStruct } from "../runtime/layout.js";
import type { StructView } from "../runtime/struct.js";
import { spaceFor, type Task, type WorkSpace } from "../runtime/task.js";

/** Rows that are remembered. */
const RING = 64;

/** What problems of a thread share. */
export const COMPANY_SHARE_BYTES = 16;

export const companyBytes = spaceFor(companyStruct.size, 4 * RING, 4 * RING, COMPANY_SHARE_BYTES);

/** Where the share is kept that is used: all, as long as nobody knows. */
export function companyShare(space: WorkSpace): number {
  const share = space.rawDoubles(2);
  share.set([1, 0]);
  return share.byteOffset;
}

export class Company {
  readonly #task: Task;
  readonly #stamps: number;
  readonly #state: StructView<keyof typeof companyStruct.offsets>;

  /** `stamps`: the step that used each position's row last; `shared`: where `companyShare` is, if others share it. */
  constructor(task: Task, isApt: boolean, stamps: Uint32Array, shared = companyShare(task.space)) {
    this.#task = task;
    this.#stamps = stamps.byteOffset;
    this.#state = task.space.struct(companyStruct);
    const [places, steps] = [task.space.rawWords(RING).byteOffset, task.space.rawWords(RING).byteOffset];
    this.#state.assign({ places, steps, shared, isApt: isApt ? 1 : 0, ringSize: RING });
  }

  /** Where the core finds it. */
  get pointer(): number {
    return this.#state.pointer;
  }

  /** How many rows are to come along with the next that is wanted; to be asked once for each. */
  next(): number {
    return this.#task.core.companions(this.pointer);
  }

  /** These did. */
  came(places: readonly number[], step: number): void {
    for (const place of places) this.#task.core.cameAlong(this.pointer, this.#stamps, place, step);
  }

  /** Positions are no longer what they were. */
  forget(): void {
    this.#state.set("met", 0);
  }
}
