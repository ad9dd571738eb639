// A kernel problem with rows that hold the same, and have the same target, as one row at the cost of all. Its optimum is theirs: of such rows only the sum of
// their variables counts. Data with categories has many of them (a fifth of a9a, a third of w8a), and kernel rows, steps and passes over F become fewer.
//
//   cost      c = sum_k c_k
//   back      v to the rows in their order, each up to its own c_k: as few support vectors as can be
//
// Checked in test/property/merged-rows.test.ts.

import type { KernelTask } from "./kernel-problems.js";

export interface MergedTask {
  readonly task: KernelTask;
  /** Of something that adds up: one number a row as one number a row of `task`. */
  summed(values: Float64Array): Float64Array;
  /** The other way: variables of `task` as those of the rows. */
  toRows(values: Float64Array): Float64Array;
}

/**
 * `firstOf`: for each row of the matrix the first one that holds the same, if any two do. `last`: as many numbers, all -1, and so again in the end; for whoever merges
 * many problems of few rows each.
 */
export function merged(task: KernelTask, firstOf: Uint32Array | undefined, last = noGroups(firstOf)): MergedTask {
  const { rowIds, targets, costs } = task;
  const rowCount = rowIds.length;
  const same: MergedTask = { task, summed: (values) => values, toRows: (values) => values };
  if (firstOf === undefined) return same;
  const groupOf = new Uint32Array(rowCount);
  const heads = new Uint32Array(rowCount);
  // By first row: the last group that was found with what it holds; by group: the one before it.
  const before = new Int32Array(rowCount);
  let count = 0;
  for (let k = 0; k < rowCount; k++) {
    const first = firstOf[rowIds[k] as number] as number;
    let group = last[first] as number;
    while (group >= 0 && targets[heads[group] as number] !== targets[k]) group = before[group] as number;
    if (group < 0) {
      group = count++;
      heads[group] = k;
      before[group] = last[first] as number;
      last[first] = group;
    }
    groupOf[k] = group;
  }
  for (let k = 0; k < rowCount; k++) last[firstOf[rowIds[k] as number] as number] = -1;
  if (count === rowCount) return same;
  const summed = (values: Float64Array): Float64Array => {
    const sums = new Float64Array(count);
    for (let k = 0; k < rowCount; k++) {
      const group = groupOf[k] as number;
      sums[group] = (sums[group] as number) + (values[k] as number);
    }
    return sums;
  };
  const sums = summed(costs);
  const toRows = (values: Float64Array): Float64Array => {
    const left = values.slice();
    const all = new Float64Array(rowCount);
    for (let k = 0; k < rowCount; k++) {
      const group = groupOf[k] as number;
      const cost = costs[k] as number;
      const sign = Math.sign(values[group] as number);
      // All that they can hold: each its own, without rounding.
      const isFull = Math.abs(values[group] as number) >= (sums[group] as number);
      const taken = isFull ? cost : Math.min(cost, Math.abs(left[group] as number));
      if (!isFull) left[group] = (left[group] as number) - sign * taken;
      all[k] = sign * taken;
    }
    return all;
  };
  const ids = new Uint32Array(count);
  const goals = new Float64Array(count);
  for (let group = 0; group < count; group++) {
    ids[group] = rowIds[heads[group] as number] as number;
    goals[group] = targets[heads[group] as number] as number;
  }
  return { task: { ...task, rowIds: ids, targets: goals, costs: sums }, summed, toRows };
}

/** What `merged` begins with. */
export const noGroups = (firstOf: Uint32Array | undefined): Int32Array => new Int32Array(firstOf?.length ?? 0).fill(-1);
