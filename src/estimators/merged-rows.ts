// A kernel problem with rows that hold the same, and have the same target, as one row at the cost of all. Its optimum is theirs: of such rows only the sum of
// their variables counts. Data with categories has many of them (a fifth of a9a, a third of w8a), and kernel rows, steps and passes over F become fewer.
//
//   cost      c = sum_k c_k
//   back      v to the rows in their order, each up to its own c_k: as few support vectors as can be
//
// Checked in test/property/merged-rows.test.ts.

import { groupRows, summedBy } from "../data/row-groups.js";
import type { KernelTask } from "./kernel-problems.js";

export interface MergedTask {
  readonly task: KernelTask;
  /** Of something that adds up: one number a row as one number a row of `task`. */
  summed(values: Float64Array): Float64Array;
  /** The other way: variables of `task` as those of the rows. */
  toRows(values: Float64Array): Float64Array;
}

/** `firstOf` and `last`: of `groupRows`; undefined where no two rows hold the same. */
export function merged(task: KernelTask, firstOf: Uint32Array | undefined, last?: Int32Array): MergedTask {
  const { rowIds, targets, costs } = task;
  const rowCount = rowIds.length;
  const groups = firstOf && groupRows(rowIds, targets, firstOf, last);
  if (groups === undefined) return { task, summed: (values) => values, toRows: (values) => values };
  const { groupOf, heads } = groups;
  const summed = (values: Float64Array): Float64Array => summedBy(groups, values);
  const sums = summed(costs);
  const toRows = (values: Float64Array): Float64Array => {
    const left = values.slice();
    const all = new Float64Array(rowCount);
    for (let k = 0; k < rowCount; k++) {
      const group = groupOf[k] as number;
      // Most rows are no support vectors.
      if (values[group] === 0) continue;
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
  const ids = new Uint32Array(heads.length);
  const goals = new Float64Array(heads.length);
  for (let group = 0; group < heads.length; group++) {
    ids[group] = rowIds[heads[group] as number] as number;
    goals[group] = targets[heads[group] as number] as number;
  }
  return { task: { ...task, rowIds: ids, targets: goals, costs: sums }, summed, toRows };
}
