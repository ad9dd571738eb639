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

/** `firstOf`: for each row of the matrix the first one that holds the same, if any two do. */
export function merged(task: KernelTask, firstOf: Uint32Array | undefined): MergedTask {
  const { rowIds, targets, costs } = task;
  const same: MergedTask = { task, summed: (values) => values, toRows: (values) => values };
  if (firstOf === undefined) return same;
  const groupOf = new Uint32Array(rowIds.length);
  const heads: number[] = [];
  // By first row: the last group that was found with what it holds; by group: the one before it.
  const last = new Int32Array(firstOf.length).fill(-1);
  const before: number[] = [];
  rowIds.forEach((row, k) => {
    const first = firstOf[row] as number;
    let group = last[first] as number;
    while (group >= 0 && targets[heads[group] as number] !== targets[k]) group = before[group] as number;
    if (group < 0) {
      group = heads.push(k) - 1;
      before.push(last[first] as number);
      last[first] = group;
    }
    groupOf[k] = group;
  });
  if (heads.length === rowIds.length) return same;
  const summed = (values: Float64Array): Float64Array => {
    const sums = new Float64Array(heads.length);
    values.forEach((value, k) => {
      const group = groupOf[k] as number;
      sums[group] = (sums[group] as number) + value;
    });
    return sums;
  };
  const sums = summed(costs);
  const toRows = (values: Float64Array): Float64Array => {
    const left = values.slice();
    return costs.map((cost, k) => {
      const group = groupOf[k] as number;
      const sign = Math.sign(values[group] as number);
      // All that they can hold: each its own, without rounding.
      if (Math.abs(values[group] as number) >= (sums[group] as number)) return sign * cost;
      const taken = Math.min(cost, Math.abs(left[group] as number));
      left[group] = (left[group] as number) - sign * taken;
      return sign * taken;
    });
  };
  const at = <T extends Uint32Array | Float64Array>(list: T): T =>
    list.slice(0, heads.length).map((_, group) => list[heads[group] as number] as number) as T;
  return { task: { ...task, rowIds: at(rowIds), targets: at(targets), costs: sums }, summed, toRows };
}
