// Rows of a problem that hold the same and have the same target: of such rows only what they sum to matters.

export interface RowGroups {
  /** u32[rows of the problem]: the group of each. */
  readonly groupOf: Uint32Array;
  /** u32[groups]: the first row of each, by its place in the problem. */
  readonly heads: Uint32Array;
}

/**
 * Undefined if every row is alone. `firstOf`: for each row of the matrix the first one that holds the same. `last`: as many numbers, all -1, and so again in the end; for
 * whoever groups the rows of many problems of few rows each.
 */
export function groupRows(
  rowIds: Uint32Array,
  targets: Float64Array | Float32Array,
  firstOf: Uint32Array,
  last = noGroups(firstOf),
): RowGroups | undefined {
  const rowCount = rowIds.length;
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
  return count === rowCount ? undefined : { groupOf, heads: heads.slice(0, count) };
}

/** What `groupRows` begins with. */
export const noGroups = (firstOf: Uint32Array | undefined): Int32Array => new Int32Array(firstOf?.length ?? 0).fill(-1);

/** Of something that adds up: one number a row as one number a group. */
export function summedBy({ groupOf, heads }: RowGroups, values: Float64Array): Float64Array {
  const sums = new Float64Array(heads.length);
  for (let k = 0; k < groupOf.length; k++) {
    const group = groupOf[k] as number;
    sums[group] = (sums[group] as number) + (values[k] as number);
  }
  return sums;
}
