// Folds for cross-validation: which rows to train on and which to test on. Without shuffling they are those of
// scikit-learn's KFold, StratifiedKFold and TimeSeriesSplit, and of its GroupKFold but for the order of equally large groups.

import { HingeError, shown } from "../base/errors.js";
import { type CheckedFoldOptions, type FoldOptions, foldOptions, type GroupsInput } from "../base/options/folds.js";
import { Random } from "../base/random.js";
import { encodeLabels, type LabelsInput } from "./labels.js";

/** Row numbers, rising. */
export interface Fold {
  readonly train: Uint32Array;
  readonly test: Uint32Array;
}

/**
 * Returns `count` folds of the rows, given as their number or by their labels. Every row is in exactly one test part, and the
 * train part is all the others; time-ordered folds test the last blocks only, and train on what lies before.
 */
export function folds(rows: number | LabelsInput, options?: FoldOptions): readonly Fold[] {
  const checked = foldOptions.check(options);
  const rowCount = countRows(rows);
  const kind = checked.kind ?? (typeof rows === "number" ? "plain" : "stratified");
  refuseStray(kind, checked);
  if (checked.count > rowCount) throw HingeError.option("count", `at most the number of rows, ${rowCount}`, checked.count);
  refuseTooMany(rowCount, checked.count);
  if (kind === "time") return timeOrdered(rowCount, checked);
  if (kind === "stratified") return collect(stratified(rows, checked), checked.count);
  if (kind === "grouped") return collect(grouped(rowCount, checked), checked.count);
  return collect(plain(rowCount, checked), checked.count);
}

function countRows(rows: unknown): number {
  if (typeof rows === "number") {
    if (Number.isSafeInteger(rows) && rows >= 0 && rows < 2 ** 32) return rows;
  } else if (Array.isArray(rows) || (ArrayBuffer.isView(rows) && !(rows instanceof DataView))) {
    return (rows as ArrayLike<unknown>).length;
  }
  throw HingeError.input(`folds need the number of rows or an array of labels, got ${shown(rows)}`);
}

/** An option that the kind does not look at is a mistake about the kind. */
function refuseStray(kind: string, { groups, gap }: CheckedFoldOptions): void {
  const stray =
    groups !== undefined && kind !== "grouped" ? ["groups", "grouped"] : gap > 0 && kind !== "time" ? ["gap", "time"] : undefined;
  if (stray) throw new HingeError("bad-option", `${stray[0]} is for kind: "${stray[1]}", these folds are ${kind}`);
}

// Every fold lists all rows: 16 GiB of row numbers, far more than any machine that leaves one row out at a time will want.
const MOST_LISTED = 2 ** 32;

function refuseTooMany(rowCount: number, count: number): void {
  if (rowCount * count <= MOST_LISTED) return;
  const size = `${count} folds of ${rowCount} rows list ${rowCount * count} row numbers`;
  throw new HingeError("out-of-memory", `${size}; at most ${MOST_LISTED} can be had. Use fewer folds`);
}

/** u32[rowCount], the fold that tests each row: sizes differ by at most 1, the larger ones first. */
function plain(rowCount: number, { count, shuffle, seed }: CheckedFoldOptions): Uint32Array {
  const sizes = Array.from({ length: count }, (_, fold) => Math.ceil((rowCount - fold) / count));
  const foldOf = blocks(sizes);
  if (shuffle) new Random(seed).shuffle(foldOf);
  return foldOf;
}

/** Fold 0 as often as `sizes[0]` says, then fold 1, and so on. */
function blocks(sizes: readonly number[]): Uint32Array {
  const foldOf = new Uint32Array(sizes.reduce((sum, size) => sum + size, 0));
  let end = 0;
  sizes.forEach((size, fold) => {
    foldOf.fill(fold, end, end + size);
    end += size;
  });
  return foldOf;
}

/**
 * The rows of each class in even shares. Each class deals on at the fold where the class before it stopped, so that besides
 * the shares of a class the sizes of the folds differ by at most 1.
 */
function stratified(rows: number | LabelsInput, { count, shuffle, seed }: CheckedFoldOptions): Uint32Array {
  if (typeof rows === "number") throw HingeError.input(`stratified folds need the labels, got the number of rows, ${rows}`);
  const { classes, ids } = encodeLabels(rows, rows.length);
  const members = rowsOf(ids, classes.length);
  members.forEach((own, id) => {
    if (own.length >= count) return;
    const advice = own.length > 1 ? `use count: ${own.length} or kind: "plain"` : 'use kind: "plain" or leave the class out';
    throw HingeError.input(`class ${shown(classes[id])} has ${plural(own.length, "row")} for ${count} folds; ${advice}`);
  });
  const random = new Random(seed);
  const foldOf = new Uint32Array(rows.length);
  let dealt = 0;
  for (const own of members.sort((a, b) => (a[0] as number) - (b[0] as number))) {
    const sizes = Array.from({ length: count }, (_, fold) => share(dealt + own.length, fold, count) - share(dealt, fold, count));
    const order = blocks(sizes);
    if (shuffle) random.shuffle(order);
    own.forEach((row, k) => {
      foldOf[row] = order[k] as number;
    });
    dealt += own.length;
  }
  return foldOf;
}

/** How many of the first `dealt` cards player `fold` of `count` has. */
function share(dealt: number, fold: number, count: number): number {
  return Math.ceil(Math.max(0, dealt - fold) / count);
}

/** The rows of every id, rising; one array in all, so that many ids cost little. */
function rowsOf(ids: Uint32Array, idCount: number): Uint32Array[] {
  const ends = new Uint32Array(idCount);
  for (const id of ids) ends[id] = (ends[id] as number) + 1;
  for (let id = 1; id < idCount; id++) ends[id] = (ends[id] as number) + (ends[id - 1] as number);
  const starts = new Uint32Array(idCount);
  starts.set(ends.subarray(0, idCount - 1), 1);
  const rows = new Uint32Array(ids.length);
  const next = starts.slice();
  for (let row = 0; row < ids.length; row++) {
    const id = ids[row] as number;
    const at = next[id] as number;
    rows[at] = row;
    next[id] = at + 1;
  }
  return Array.from(starts, (start, id) => rows.subarray(start, ends[id]));
}

/**
 * Largest group first, each to the fold with the fewest rows so far. Groups of one size are interchangeable for the balance,
 * so the seed shuffles among those alone.
 */
function grouped(rowCount: number, { count, shuffle, seed, groups }: CheckedFoldOptions): Uint32Array {
  if (groups === undefined) throw HingeError.input("grouped folds need groups: an array of one group a row");
  const ids = groupIds(groups, rowCount);
  let groupCount = 0;
  for (const id of ids) groupCount = Math.max(groupCount, id + 1);
  if (count > groupCount) throw HingeError.option("count", `at most the number of groups, ${groupCount}`, count);
  const members = rowsOf(ids, groupCount);
  if (shuffle) shuffleList(members, new Random(seed));
  members.sort((a, b) => b.length - a.length);
  const filled = new Array<number>(count).fill(0);
  const foldOf = new Uint32Array(rowCount);
  for (const own of members) {
    let fold = 0;
    for (let k = 1; k < count; k++) if ((filled[k] as number) < (filled[fold] as number)) fold = k;
    filled[fold] = (filled[fold] as number) + own.length;
    for (const row of own) foldOf[row] = fold;
  }
  return foldOf;
}

function shuffleList<T>(list: T[], random: Random): void {
  const order = ascending(0, list.length);
  random.shuffle(order);
  const before = [...list];
  order.forEach((from, k) => {
    list[k] = before[from] as T;
  });
}

/** Groups numbered in the order in which they appear. */
function groupIds(groups: GroupsInput, rowCount: number): Uint32Array {
  if (groups.length !== rowCount) throw HingeError.input(`${groups.length} groups for ${rowCount} rows; there must be one a row`);
  const known = new Map<unknown, number>();
  const ids = new Uint32Array(rowCount);
  for (let row = 0; row < rowCount; row++) {
    const group: unknown = groups[row];
    if (typeof group === "number" ? !Number.isFinite(group) : typeof group !== "string") {
      throw HingeError.input(`group of row ${row} must be a finite number or a string, got ${shown(group)}`);
    }
    const id = known.get(group) ?? known.size;
    if (id === known.size) known.set(group, id);
    ids[row] = id;
  }
  return ids;
}

/** The last `count` blocks of equal size, each with what lies more than `gap` rows before it to train on. */
function timeOrdered(rowCount: number, { count, gap }: CheckedFoldOptions): readonly Fold[] {
  const size = Math.floor(rowCount / (count + 1));
  const first = rowCount - count * size;
  if (size === 0 || first - gap < 1) {
    const needed = gap === 0 ? `${count + 1} blocks of at least one row` : `a row before the first test block and its gap of ${gap}`;
    throw HingeError.input(`${count} time-ordered folds need ${needed}, got ${plural(rowCount, "row")}; use fewer folds or a smaller gap`);
  }
  return Object.freeze(
    Array.from({ length: count }, (_, fold) => {
      const start = first + fold * size;
      return Object.freeze({ train: ascending(0, start - gap), test: ascending(start, start + size) });
    }),
  );
}

// Plain loops: `from` with a function, `filter` and the like go through lists of all row numbers and take 13 times as long for 10^7 rows.

function ascending(from: number, to: number): Uint32Array {
  const rows = new Uint32Array(to - from);
  for (let k = 0; k < rows.length; k++) rows[k] = from + k;
  return rows;
}

function collect(foldOf: Uint32Array, count: number): readonly Fold[] {
  const sizes = new Uint32Array(count);
  for (const fold of foldOf) sizes[fold] = (sizes[fold] as number) + 1;
  return Object.freeze(Array.from(sizes, (size, fold) => split(foldOf, fold, size)));
}

/** The fold whose test part is the `size` rows with this number. */
function split(foldOf: Uint32Array, fold: number, size: number): Fold {
  const test = new Uint32Array(size);
  const train = new Uint32Array(foldOf.length - size);
  let tested = 0;
  for (let row = 0; row < foldOf.length; row++) {
    if (foldOf[row] === fold) test[tested++] = row;
    else train[row - tested] = row;
  }
  return Object.freeze({ train, test });
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
