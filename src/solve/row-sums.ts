// Sums over all rows of a problem, made block by block: the one place where threads, streams or several machines would differ.
// The number of blocks depends on the problem alone and blocks are added up in their order, so the bits depend on nothing else.

import type { Interruption } from "../base/status.js";

/** What is to be summed: runs on some rows of a block and leaves its sums in the block's sheet. */
export interface RowPass {
  /** How many positions a block has in this pass. */
  length(block: number): number;
  /** Adds positions [from, to) of a block to its sheet. */
  run(block: number, from: number, to: number): void;
  /** Whether it reads the rows themselves or only numbers kept for each. */
  readonly readsRows: boolean;
  /** Whether all blocks add to one place, so that they must come one after the other. */
  readonly isOrdered?: boolean;
  /** Work for one position, in stored values touched. */
  readonly cost: number;
}

/** Runs a pass on all blocks and adds their sheets up. Says if the caller wants an end instead. */
export type Reduce = (pass: RowPass) => Promise<Interruption | undefined>;

/** Stored values touched between two checkpoints: some milliseconds. */
const SLICE = 2_000_000;

// More blocks than this help nobody; a block must be worth the sheet that it fills.
const MOST_BLOCKS = 16;
const LEAST_WORK = 16;

/** Into how many blocks to cut rows with this many stored values, for sheets of this many variables. */
export function blockCountFor(rowCount: number, valueCount: number, variableCount: number): number {
  return Math.max(1, Math.min(MOST_BLOCKS, rowCount, Math.floor(valueCount / (LEAST_WORK * variableCount))));
}

/** The hook on this thread: one block after the other, in slices. `spread` and `gather` come before and after the blocks. */
export function reduceHere(
  blockCount: number,
  sheets: { spread(): void; gather(): void },
  checkpoint: () => Promise<Interruption | undefined>,
): Reduce {
  let left = 0;
  return async (pass) => {
    sheets.spread();
    for (let block = 0; block < blockCount; block++) {
      const end = pass.length(block);
      for (let from = 0; from < end; ) {
        if (left <= 0) {
          const interruption = await checkpoint();
          if (interruption !== undefined) return interruption;
          left = SLICE;
        }
        const to = Math.min(end, from + Math.max(1, Math.ceil(left / pass.cost)));
        pass.run(block, from, to);
        left -= (to - from) * pass.cost;
        from = to;
      }
    }
    sheets.gather();
    return undefined;
  };
}
